"""Benchmarks in words: which there are, where they come from, what is in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import TextWrapper

from starebrain.benchmarks.base import VARIABLE, Benchmark, Item, benchmarks_folder
from starebrain.errors import MissingData, printable

WIDTH = 40
"""Longest piece of the data's own text shown, in characters."""
INDENTED = TextWrapper(
    100, initial_indent=" " * 16, subsequent_indent=" " * 18, break_long_words=False, break_on_hyphens=False
)
"""How facts stand below the name of a benchmark."""
EXAMPLES = 8
"""Hints shown of a benchmark."""


def listed(table: Mapping[str, Benchmark], root: str | Path | None = None) -> str:
    """Every benchmark: whether its files are there, what it tests, where it can be had, where it belongs."""
    try:
        folder = f"in {printable(str(benchmarks_folder(root)))}"
    except MissingData:
        folder = f"none, since {VARIABLE} names no folder"
    lines = [f"Files that are here: {folder}"]
    for benchmark in table.values():
        here = "here" if benchmark.is_here(root) else "not here"
        lines += ["", f"{benchmark.name:<16}{here:<10}{benchmark.about}", *_origin(benchmark)]
    return "\n".join(lines)


def described(benchmark: Benchmark, root: str | Path | None = None) -> str:
    """One benchmark: origin, checksums, and where its files are here, sizes and the first hints of some sentences."""
    lines = [f"{benchmark.name}: {benchmark.about}", *_origin(benchmark)]
    lines += [f"{'':16}{digest}  {what}" for digest, what in benchmark.known.items()]
    try:
        source = benchmark.load(root)
    except MissingData as error:
        return "\n".join([*lines, "", str(error)])
    items = source.items
    phones = sum(1 for _ in source.phones())
    clusters = {item.cluster for item in items}
    lines += [
        "",
        f"{len(items)} hints in {len(clusters)} clusters, asked of {phones} phones; "
        f"{sum(not item.intended for item in items)} have no answer",
        f"by family: {_counted(item.family for item in items)}",
        f"by split: {_counted(item.part.value for item in items)}",
        "",
        *(_example(item) for item in _some(items)),
        *(f"doubt: {printable(doubt)}" for doubt in source.doubts),
    ]
    return "\n".join(lines)


def _origin(benchmark: Benchmark) -> list[str]:
    files = ", or ".join(" and ".join(patterns) for patterns in benchmark.sources)
    facts = (
        f"{benchmark.repository} at {benchmark.commit}",
        benchmark.path,
        benchmark.licence,
        f"{benchmark.folder}/{files}",
    )
    return [line for fact in facts for line in INDENTED.wrap(fact)]


def _counted(names: Iterable[str]) -> str:
    return ", ".join(f"{name} {n}" for name, n in sorted(Counter(names).items(), key=lambda pair: (-pair[1], pair[0])))


def _some(items: tuple[Item, ...]) -> list[Item]:
    """A few items of different clusters and families, evenly over the benchmark."""
    families: dict[str, dict[str, Item]] = {}
    for item in items:
        families.setdefault(item.family, {}).setdefault(item.cluster, item)
    each = -(-EXAMPLES // len(families))
    some = [list(of.values()) for _, of in sorted(families.items())]
    return [item for of in some for item in of[:: max(1, len(of) // each)][:each]]


def _example(item: Item) -> str:
    meant = _clip(item.book.names[item.intended[0]]) if item.intended else "nobody"
    more = len(set(item.compatible) - set(item.intended))
    return f"  {_clip(item.hint):<{WIDTH}} {meant}{f' (or {more} more that fit)' if more else ''}"


def _clip(text: str) -> str:
    shown = printable(text)
    return shown if len(shown) <= WIDTH else shown[: WIDTH - 1] + "…"
