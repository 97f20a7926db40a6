"""`starebrain evaluate` and `starebrain benchmark run`: open, evaluate, estimate, compare, write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from starebrain.errors import InvalidInput, printable
from starebrain.evaluate import output
from starebrain.evaluate.compare import compare, mcnemar
from starebrain.evaluate.run import evaluate
from starebrain.evaluate.sources import open_source
from starebrain.evaluate.summary import summarise
from starebrain.evaluate.table import LEGEND, differences_text, estimates_text, pairs_text
from starebrain.resolve import resolver_named

RESOLVERS = ("article", "evidence")
"""What is measured where nothing is named."""
WITH_HEURISTICS = "evidence"
"""The resolver that heuristics are for."""


def measure(
    names: Sequence[str],
    resolver_names: Sequence[str],
    layers: Sequence[Path],
    split: str | None,
    by: Sequence[str],
    out: Path | None,
) -> Iterator[str]:
    """Measure resolvers on sources, and yield what to print; with `out`, write the files there at the end.

    The first resolver is compared with each of the others. Raises `InvalidInput` where a source has no parameter in
    `split`, or heuristics are given that no resolver takes.
    """
    chosen = tuple(dict.fromkeys(resolver_names or RESOLVERS))
    if layers and WITH_HEURISTICS not in chosen:
        raise InvalidInput("no resolver takes these heuristics", file=layers[0], remedy="Add --resolver evidence.")
    resolvers = [resolver_named(name, layers if name == WITH_HEURISTICS else ()) for name in chosen]
    opened = [open_source(name) for name in names]
    frames = [evaluate(one.source, resolvers, split) for one in opened]
    frame = pd.concat(frames, ignore_index=True)
    if frame.empty:
        raise InvalidInput(f"there is no parameter in the split {split or 'all'}", file=names[0])
    for doubt in (doubt for one in opened for doubt in one.doubts):
        yield f"doubt: {printable(doubt)}\n"
    estimates = pd.concat([summarise(frame, cut) for cut in ((), *((name,) for name in by))], ignore_index=True)
    yield f"{LEGEND}\n\n{estimates_text(estimates)}"
    first, *others = chosen
    if others:
        differences = pd.concat([compare(frame, first, other) for other in others], ignore_index=True)
        yield "\n" + differences_text(differences)
        yield "\n" + pairs_text(pair for other in others for pair in mcnemar(frame, first, other))
    if out is not None:
        heuristics = [output.sha256(path) for path in layers]
        facts = {"resolvers": list(chosen), "cut_by": list(by), "heuristics": heuristics}
        output.write(out, frame, estimates, opened, split, **facts)
        yield f"\n{printable(str(out))}: {', '.join(output.FILES)}"
