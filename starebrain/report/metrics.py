"""Figures of a report as data: notebooks record estimates, a report keeps them in one file that repeats to the byte."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starebrain.errors import InvalidInput, MissingData
from starebrain.formats import write_text

if TYPE_CHECKING:
    import pandas as pd

FORMAT = "starebrain.metrics/1"
FILE = "metrics.json"
RECORD = "STAREBRAIN_RECORD"
"""The environment variable that names the file to record to; a report sets it, JupyterLab does not."""
DIGITS = 6
"""Decimals kept, so that processors agree on the bytes; counts stand beside."""

Key = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Figure:
    """One estimate: `metric` of `resolver` on `source`, over the part of it that `cut` names ("" for all).

    `value` is numerator / denominator where the metric is a ratio; it and its interval are None where there is no data.
    """

    metric: str
    resolver: str
    source: str
    cut: str
    n: int
    numerator: float | None
    denominator: float | None
    value: float | None
    low: float | None
    high: float | None

    @property
    def key(self) -> Key:
        """What there may be one figure of: source, metric, resolver, cut."""
        return (self.source, self.metric, self.resolver, self.cut)


NAMES = tuple(field.name for field in fields(Figure))
TEXTS = NAMES[:4]


@dataclass(frozen=True, slots=True)
class Metrics:
    """All figures of a report.

    `better` says for each metric whether "higher" or "lower" is better, or "neither"; `sources` has the SHA-256 of each
    source, so that figures from the same input can be told from figures of another.
    """

    better: Mapping[str, str]
    sources: Mapping[str, str]
    figures: tuple[Figure, ...]


def record(estimates: pd.DataFrame) -> None:
    """Keep estimates for the report's `metrics.json`; where no report is being made, only check them.

    `estimates` has the columns of `Figure`. Raises `InvalidInput` for a missing column.
    """
    figures = [_figure(row, f"estimate {at}") for at, row in enumerate(estimates.to_dict("records"), 1)]
    if path := os.environ.get(RECORD):
        with open(path, "a", encoding="utf-8") as file:
            file.writelines(json.dumps(asdict(figure)) + "\n" for figure in figures)


def collect(paths: Iterable[Path], better: Mapping[str, str], sources: Mapping[str, str]) -> Metrics:
    """Everything that notebooks recorded to `paths`, in order of key; a figure recorded twice is `InvalidInput`.

    `better` and `sources` are those of `Metrics`, for more metrics and sources than were recorded.
    """
    figures: dict[Key, Figure] = {}
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            figure = _figure(json.loads(line), path.stem)
            if figures.setdefault(figure.key, figure) is not figure:
                raise InvalidInput(f"{' '.join(filter(None, figure.key))} is recorded twice", place=path.stem)
    known = tuple(figures[key] for key in sorted(figures))
    return Metrics(
        {name: better.get(name, "neither") for name in sorted({figure.metric for figure in known})},
        {name: sources[name] for name in sorted({figure.source for figure in known}) if name in sources},
        known,
    )


def write(metrics: Metrics, folder: Path) -> None:
    """Write `metrics.json`: keys sorted, one figure a line."""
    head = {"format": FORMAT, "better": dict(metrics.better), "sources": dict(metrics.sources)}
    lines = ",\n  ".join(json.dumps(asdict(figure), sort_keys=True) for figure in metrics.figures)
    text = json.dumps(head, indent=1, sort_keys=True).removesuffix("\n}")
    write_text(folder / FILE, f'{text},\n "figures": [\n  {lines}\n ]\n}}\n')


def read(folder: Path) -> Metrics:
    """The metrics of the report in `folder`."""
    path = folder / FILE
    try:
        data = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        remedy = "Make one with `starebrain report --out DIR`."
        raise MissingData("there is no report here", file=path, remedy=remedy) from None
    except (ValueError, OSError) as error:
        raise InvalidInput(f"this is not JSON: {error}", file=path) from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InvalidInput(f"this is not a file of the format {FORMAT!r}", file=path, place="format")
    try:
        figures = tuple(_figure(line, f"figures[{at}]") for at, line in enumerate(data["figures"]))
        return Metrics(dict(data["better"]), dict(data["sources"]), figures)
    except InvalidInput as error:
        raise InvalidInput(error.fact, file=path, place=error.place) from error
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput(f"this is not a file of metrics: {error!r}", file=path) from error


def _figure(row: Mapping[Any, Any], place: str) -> Figure:
    """A figure from a mapping with at least its fields; numbers are rounded, NaN is None."""
    missing = [name for name in NAMES if name not in row]
    if missing:
        raise InvalidInput(f"{missing[0]!r} is missing", place=place, remedy=f"A figure has {', '.join(NAMES)}.")
    parts: dict[str, Any] = {name: str(row[name]) if name in TEXTS else _rounded(row[name]) for name in NAMES}
    return Figure(**parts)


def _rounded(number: Any) -> float | None:
    """The number at six decimals, a whole one without them; None for None and NaN."""
    if number is None or math.isnan(number):
        return None
    value = round(float(number), DIGITS)
    return int(value) if value.is_integer() else value
