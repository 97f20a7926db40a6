"""Figures of a report as data: notebooks record estimates, a report keeps them in one file that repeats to the byte."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pandas as pd

from starebrain.errors import InvalidInput, MissingData
from starebrain.evaluate.intervals import Estimate
from starebrain.evaluate.output import FORMAT, figures_json
from starebrain.evaluate.sources import Opened
from starebrain.formats import read_text

FILE = "metrics.json"
RECORD = "STAREBRAIN_RECORD"
"""The environment variable that names the file to record to; a report sets it, JupyterLab does not."""
NAMES = tuple(field.name for field in fields(Estimate))
TEXTS = ("metric", "resolver", "source", "cut")

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Metrics:
    """All figures of a report, or of an evaluation.

    `better` says for each metric whether "higher" or "lower" is better, or "neither"; `sources` has the SHA-256 of each
    source, so that figures from the same input can be told from figures of another.
    """

    better: Mapping[str, str]
    sources: Mapping[str, str]
    figures: tuple[Estimate, ...]


def key(figure: Estimate) -> Key:
    """What there may be one figure of: source, metric, resolver, cut."""
    return (figure.source, figure.metric, figure.resolver, figure.cut)


def record(estimates: pd.DataFrame, sources: Iterable[Opened], split: str | None = None) -> None:
    """Keep estimates for the report's `metrics.json`; where no report is being made, only check them.

    `estimates` has the columns of `Estimate`; `sources` are what they were estimated from, one `split` of each. Raises
    `InvalidInput` for a missing column.
    """
    missing = [name for name in NAMES if name not in estimates]
    if missing:
        raise InvalidInput(f"the column {missing[0]!r} is missing", remedy=f"A figure has {', '.join(NAMES)}.")
    if path := os.environ.get(RECORD):
        with open(path, "a", encoding="utf-8") as file:
            sums = {one.source.name: one.sha256(split) for one in sources}
            file.write(figures_json(estimates, sums).replace("\n", " ") + "\n")


def collect(paths: Iterable[Path]) -> str:
    """Everything that notebooks recorded to `paths` as the text of `metrics.json`; one figure a line, keys sorted.

    A figure that is recorded twice, or a source with two sums, is `InvalidInput`.
    """
    parts = [parsed(json.loads(line)) for path in paths for line in path.read_text("utf-8").splitlines()]
    sources: dict[str, str] = {}
    for part in parts:
        for name, digest in part.sources.items():
            if sources.setdefault(name, digest) != digest:
                raise InvalidInput("two notebooks saw different inputs under this name", place=name)
    frame = pd.DataFrame([figure for part in parts for figure in part.figures], columns=list(NAMES))
    twice = frame[frame.duplicated(list(TEXTS))]
    if len(twice):
        raise InvalidInput(f"{' '.join(filter(None, twice.iloc[0][list(TEXTS)]))} is recorded twice", place=FILE)
    better = {metric: way for part in parts for metric, way in part.better.items()}
    return figures_json(frame.assign(better=frame["metric"].map(better)), sources)


def read(folder: Path) -> Metrics:
    """The metrics of the report in `folder`."""
    path = folder / FILE
    if not path.exists():
        remedy = "Make one with `starebrain report --out DIR`."
        raise MissingData("there is no report here", file=path, remedy=remedy)
    try:
        data = json.loads(read_text(path))
    except ValueError as error:
        raise InvalidInput(f"this is not JSON: {error}", file=path) from error
    try:
        return parsed(data)
    except InvalidInput as error:
        raise InvalidInput(error.fact, file=path, place=error.place) from error


def parsed(data: Any) -> Metrics:
    """The metrics in the data of a `metrics.json`; `InvalidInput` says what is amiss."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InvalidInput(f"this is not a file of the format {FORMAT!r}", place="format")
    figures = []
    try:
        for at, line in enumerate(data["figures"]):
            place = f"figures[{at}]"
            if missing := [name for name in NAMES if name not in line]:
                raise InvalidInput(f"{missing[0]!r} is missing", place=place)
            figures.append(Estimate(**{name: line[name] for name in NAMES}))
        return Metrics(dict(data["better"]), dict(data["sources"]), tuple(figures))
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(f"this is not a file of metrics: {error!r}", place="figures") from error
