"""What is tuned by hand: knobs on heuristics, what hints count to with them, and the TOML of what was changed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from starebrain.errors import InvalidInput
from starebrain.formats import write_text
from starebrain.intent import ParameterKind
from starebrain.matching.heuristics import Heuristics, KindHeuristics, Tiers, default_heuristics, read_heuristics
from starebrain.tune.columns import Columns, rescore
from starebrain.tune.cube import Resamples, cube, tiered
from starebrain.tune.figures import Figure, figures


@dataclass(frozen=True, slots=True)
class Knob:
    """One number of a kind that can be moved: where it lies in its heuristics, and in what range and steps.

    `table` is "tiers", "words" or "coverage", or "" for a number of the kind itself; words and coverage are in bits.
    """

    name: str
    table: Literal["tiers", "words", "coverage", ""]
    title: str
    lowest: float
    highest: float
    step: float


THRESHOLD_KNOBS = (
    Knob("high", "tiers", "HIGH from", 0.0, 1.000001, 0.0),
    Knob("medium", "tiers", "MEDIUM from", 0.0, 1.0, 0.0),
)
WEIGHT_KNOBS = (
    Knob("exact", "words", "exact word", 0.0, 16.0, 0.01),
    Knob("nickname", "words", "nickname", -4.0, 14.0, 0.01),
    Knob("alike_1", "words", "most alike", -4.0, 14.0, 0.01),
    Knob("absent", "words", "word not there", -12.0, 2.0, 0.01),
    Knob("whole", "coverage", "whole name", -4.0, 12.0, 0.01),
    Knob("first", "coverage", "first words only", -8.0, 6.0, 0.01),
    Knob("none", "", "not on the phone", 0.01, 0.9, 0.001),
)
KNOBS: Mapping[str, Knob] = {knob.name: knob for knob in (*THRESHOLD_KNOBS, *WEIGHT_KNOBS)}


def reading(of: KindHeuristics, knob: Knob) -> float:
    """Where a knob stands."""
    if knob.table in ("", "tiers"):
        return float(getattr(of.tiers if knob.table else of, knob.name))
    return getattr(of, knob.table)[knob.name].bits


def turned(heuristics: Heuristics, kind: ParameterKind, knob: Knob, value: float) -> Heuristics:
    """Heuristics with one knob of one kind at another value; a threshold takes those along that it would overtake."""
    of = heuristics.kinds[kind]
    match knob.table:
        case "tiers":
            high = max(of.tiers.high, value) if knob.name == "medium" else value
            medium = value if knob.name == "medium" else min(of.tiers.medium, value)
            of = replace(of, tiers=Tiers(high, medium, min(of.tiers.low, medium)))
        case "":
            of = replace(of, none=value)
        case table:
            weights = getattr(of, table)
            weights = {**weights, knob.name: replace(weights[knob.name], bits=value)}
            of = replace(of, words=weights) if table == "words" else replace(of, coverage=weights)
    return replace(heuristics, kinds={**heuristics.kinds, kind: of})


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """Labelled hints counted as `heuristics` answer them, ready for any thresholds."""

    columns: Columns
    drawn: Resamples
    heuristics: Heuristics
    cubes: Mapping[ParameterKind, np.ndarray]


def count(columns: Columns, drawn: Resamples, heuristics: Heuristics) -> Counted:
    """Answer every hint of `columns` with `heuristics` and count what comes of it."""
    cubes = {kind: cube(of, rescore(of, heuristics), drawn) for kind, of in columns.kinds.items()}
    return Counted(columns, drawn, heuristics, cubes)


def recount(before: Counted, heuristics: Heuristics) -> Counted:
    """The same hints with other heuristics; kinds of which only thresholds differ are not counted again."""
    cubes = dict(before.cubes)
    for kind, columns in before.columns.kinds.items():
        if not same_answers(before.heuristics, heuristics, kind):
            cubes[kind] = cube(columns, rescore(columns, heuristics), before.drawn)
    return Counted(before.columns, before.drawn, heuristics, cubes)


def same_answers(one: Heuristics, other: Heuristics, kind: ParameterKind) -> bool:
    """Whether two heuristics differ in no more than the thresholds of a kind, so that probabilities are the same."""
    was, now = one.kinds[kind], other.kinds[kind]
    return was == replace(now, tiers=was.tiers)


def tiers_of(counted: Counted, kinds: Sequence[ParameterKind]) -> np.ndarray:
    """Hints of some kinds by resample, tier (HIGH, MEDIUM, asked) and outcome."""
    return np.sum([tiered(counted.cubes[kind], counted.heuristics.kinds[kind].tiers) for kind in kinds], axis=0)


def figures_of(counted: Counted, kinds: Sequence[ParameterKind]) -> Mapping[str, Figure]:
    """The figures of some kinds; prompts of these kinds are over all intents, so that kinds add up."""
    return figures(tiers_of(counted, kinds), counted.drawn.intents, len(counted.columns.clusters))


def layer(heuristics: Heuristics, below: Heuristics | None = None) -> str:
    """The TOML that makes `heuristics` of those `below` (the default ones), a line a number that differs."""
    under, over = asdict(below or default_heuristics()), asdict(heuristics)
    return "".join(f"{line}\n" for line in _differences(under, over, ""))


def save_layer(path: str | Path, heuristics: Heuristics) -> int:
    """Write `layer` to `path`, whole or not at all; how many numbers are in it.

    `starebrain resolve --heuristics FILE` takes the file. `InvalidInput` where a file is there that is no such layer.
    """
    path, text = Path(path), layer(heuristics)
    if path.exists():
        try:
            read_heuristics(path)
        except InvalidInput as error:
            raise InvalidInput(
                "the file is there, and holds no heuristics", file=path, remedy="Choose another name."
            ) from error
    write_text(path, f"# Laid over the default heuristics of starebrain (--heuristics).\n{text}")
    return text.count("\n")


def _differences(below: Mapping[str, Any], above: Mapping[str, Any], place: str) -> Iterator[str]:
    for key in below:
        if key not in above or (above[key] is None and below[key] is not None):
            raise InvalidInput("a layer cannot take a number away", place=place + key)
    for key, value in above.items():
        here = place + (
            key if key.replace("_", "").isalnum() and key.isascii() else json.dumps(key, ensure_ascii=False)
        )
        if isinstance(value, dict):
            yield from _differences(below.get(key, {}), value, f"{here}.")
        elif value is not None and (key not in below or below[key] != value):
            yield f"{here} = {json.dumps(value, ensure_ascii=False)}"
