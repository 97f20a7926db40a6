"""Heuristics as TOML, a line a weight, so that people can read and edit them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from starebrain.matching.heuristics import Heuristics, KindHeuristics, Memory, Weight


def to_toml(heuristics: Heuristics) -> str:
    """The TOML that `read_heuristics` reads back as equal heuristics."""
    return "\n".join(_lines(heuristics)) + "\n"


def _lines(heuristics: Heuristics) -> Iterator[str]:
    yield "# Weights in bits, with how often each level was seen when a candidate was meant and when it was not."
    yield f"source = {_text(heuristics.source)}"
    likeness = heuristics.likeness
    yield from ("", "[likeness]", f"source = {_text(likeness.source)}", f"bands = {list(likeness.bands)}")
    yield from ("[likeness.weights]", *(f"{name} = {weight}" for name, weight in likeness.weights.items()))
    yield from ("", "[caps]", f"stakes = {json.dumps(list(heuristics.caps.stakes))}")
    yield f"new_contact_hours = {heuristics.caps.new_contact_hours}"
    yield from ("", "[memory]", *(f"{f.name} = {_inline(getattr(heuristics.memory, f.name))}" for f in fields(Memory)))
    for kind, of in heuristics.kinds.items():
        yield from _kind(str(kind), of)
    for kind, frequencies in heuristics.frequencies.items():
        yield from (
            "",
            f"[frequencies.{kind}]",
            f"source = {_text(frequencies.source)}",
            f"total = {frequencies.total}",
        )
        yield f"[frequencies.{kind}.words]"
        yield from (f"{_key(word)} = {count}" for word, count in frequencies.words.items())


def _kind(name: str, of: KindHeuristics) -> Iterator[str]:
    yield from ("", f"[kinds.{name}]", f"none = {of.none}", f"rarity = {of.rarity}")
    yield f"tiers = {{ high = {of.tiers.high}, medium = {of.tiers.medium}, low = {of.tiers.low} }}"
    yield f"calibration = {{ slope = {of.calibration.slope}, offset = {of.calibration.offset} }}"
    yield f"ordered = {_weight(of.ordered)}"
    yield f"reordered = {_weight(of.reordered)}"
    tables: Mapping[str, Mapping[str, Weight]] = {"words": of.words, "coverage": of.coverage, "context": of.context}
    for table, weights in tables.items():
        yield f"[kinds.{name}.{table}]"
        yield from (f"{level} = {_weight(weight)}" for level, weight in weights.items())


def _weight(weight: Weight) -> str:
    counts = "".join(
        f", {name} = [{seen[0]}, {seen[1]}]"
        for name, seen in (("meant", weight.meant), ("other", weight.other))
        if seen is not None
    )
    return f"{{ bits = {float(weight.bits)}{counts} }}"


def _inline(value: Any) -> str:
    """A number, a text, or a record of them as an inline table."""
    if not is_dataclass(value):
        return json.dumps(value)
    return "{ " + ", ".join(f"{f.name} = {_inline(getattr(value, f.name))}" for f in fields(value)) + " }"


def _text(text: str) -> str:
    return json.dumps(text)


def _key(word: str) -> str:
    return word if word.isalnum() and word.isascii() else json.dumps(word)
