"""Frames of results to frames of estimates, for all rows and for cuts of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from functools import cache

import numpy as np
import pandas as pd

from starebrain.errors import InvalidInput
from starebrain.evaluate.intervals import (
    LEVEL,
    REPLICATES,
    SEED,
    Estimate,
    cluster_sums,
    interval,
    resampled,
    stream,
)
from starebrain.evaluate.metric import Metric, Rows
from starebrain.evaluate.metrics import METRICS

CUTS = ("kind", "family", "locale", "script")
"""What results are cut by."""


def summarise(
    frame: pd.DataFrame,
    by: Sequence[str] = (),
    metrics: Iterable[Metric] = tuple(METRICS.values()),
    *,
    seed: int = SEED,
    replicates: int = REPLICATES,
    level: float = LEVEL,
) -> pd.DataFrame:
    """One estimate a source, cut, metric and resolver, with the columns of `Estimate` and those of `by`.

    A cut is every combination of values of the columns `by` that occurs, written ``kind=contact, script=latin``;
    without `by` there is one, "", of all rows. Sources and resolvers come in the order in which they first occur, cuts
    sorted. The same frame gives the same figures, whatever else is asked for. `InvalidInput` for a column that is not
    there.
    """
    by = tuple(by)
    for name in by:
        if name not in frame:
            raise InvalidInput(f"there is no column {name!r} to cut by", remedy=f"Cut by {', '.join(CUTS)}.")
    rows, metrics = Rows.of(frame), tuple(metrics)
    sources, resolvers = (list(dict.fromkeys(frame[name])) for name in ("source", "resolver"))
    lines = []
    for (source, resolver, *values), part in groups(frame, ("source", "resolver", *by)):
        cut = cut_name(dict(zip(by, values, strict=True)))
        made = estimates(rows.take(part), metrics, resolver, source, cut, seed, replicates, level)
        for at, one in enumerate(made):
            order = (sources.index(source), values, at, resolvers.index(resolver))
            lines.append((order, asdict(one) | dict(zip(by, values, strict=True))))
    lines.sort(key=lambda line: line[0])
    columns = [*(f.name for f in fields(Estimate)), *by]
    table = pd.DataFrame([line for _, line in lines], columns=columns)
    return table.astype(dict.fromkeys(("numerator", "denominator", "value", "low", "high"), "float64"))


def estimates(
    rows: Rows,
    metrics: Sequence[Metric],
    resolver: str,
    source: str,
    cut: str = "",
    seed: int = SEED,
    replicates: int = REPLICATES,
    level: float = LEVEL,
) -> list[Estimate]:
    """The figures over `rows`, which are answers of one resolver to one source; all see the same draws of clusters."""
    columns, counted = zip(*(counts(rows, metric) for metric in metrics), strict=True)
    sums = cluster_sums(rows.cluster, np.hstack(columns))
    drawn = cache(lambda: resampled(sums, stream(source, cut, seed=seed), replicates))
    made = []
    for at, metric in enumerate(metrics):
        pair, names = slice(2 * at, 2 * at + 2), (metric.name, resolver, source, cut)
        own = sums[:, pair]
        numerator, denominator = map(float, own.sum(axis=0))
        if not denominator:
            made.append(Estimate(*names, 0, 0, 0.0, 0.0, None, None, None))
            continue
        share = metric.unit == "share"
        low, high = interval(own, lambda pair=pair: drawn()[:, pair], share=share, level=level)  # type: ignore[misc]
        n, clusters = int(counted[at].sum()), int((own != 0).any(axis=1).sum())
        made.append(Estimate(*names, n, clusters, numerator, denominator, numerator / denominator, low, high))
    return made


def counts(rows: Rows, metric: Metric) -> tuple[np.ndarray, np.ndarray]:
    """Numerator and denominator of every row (rows × 2), and which rows the figure rests on.

    These are the rows that the denominator counts; for things an intent, all rows.
    """
    numerator, denominator = metric.count(rows)
    columns = np.column_stack([numerator, denominator]).astype(float)
    counted = np.ones(len(columns), bool) if metric.unit == "per intent" else columns[:, 1] > 0
    return columns, counted


def groups(frame: pd.DataFrame, by: Sequence[str]) -> Iterator[tuple[tuple[str, ...], np.ndarray]]:
    """The values of the columns `by` that occur together, with the positions of their rows."""
    if len(frame):
        for values, at in frame.groupby(list(by), sort=False).indices.items():
            yield tuple(map(str, values)) if isinstance(values, tuple) else (str(values),), np.asarray(at)


def cut_name(cut: Mapping[str, object]) -> str:
    """``{"kind": "contact", "script": "latin"}`` as ``kind=contact, script=latin``."""
    return ", ".join(f"{name}={value}" for name, value in cut.items())
