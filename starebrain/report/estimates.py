"""Estimates as notebooks show them: chosen by metric, drawn with their declared unit, set out as a table."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import pandas as pd

from starebrain.evaluate.compare import OUTCOMES, compare, mcnemar
from starebrain.evaluate.metric import Metric
from starebrain.evaluate.metrics import METRICS
from starebrain.report import figures
from starebrain.report.shown import Picture, Table, estimate, table

SHARES = frozenset({"share", "area"})
"""Units that are shown as percent."""
PER_INTENT = "per intent"


def chosen(estimates: pd.DataFrame, metrics: Sequence[str]) -> pd.DataFrame:
    """The estimates of `metrics` in that order, with what readers call them as column `title`.

    `n` of things an intent becomes the number of intents, since that is what they are counted over.
    """
    parts = []
    for name in metrics:
        of, metric = estimates[estimates["metric"] == name], METRICS[name]
        parts.append(of.assign(title=metric.title, n=of["denominator"] if metric.unit == PER_INTENT else of["n"]))
    return pd.concat(parts).astype({"n": "int64"})


def picture(
    title: str,
    estimates: pd.DataFrame,
    metrics: Sequence[str],
    *,
    axis: str | None = None,
    rows: str = "resolver",
    panels: str | None = None,
    middle: float | None = None,
) -> Picture:
    """`metrics` of one unit as dots with intervals, a colour for each of them; a single one has a colour a resolver.

    `axis` is what the axis is labelled with, the title of the first metric where it is None; `panels` and `middle` as
    in `figures.dots`.
    """
    first = METRICS[metrics[0]]
    return figures.dots(
        chosen(estimates, metrics),
        title,
        axis or first.title,
        rows=rows,
        colours="title" if len(metrics) > 1 else "resolver",
        panels=panels,
        percent=first.unit in SHARES,
        middle=middle,
    )


def as_table(
    caption: str, estimates: pd.DataFrame, metrics: Sequence[str], rows: Sequence[str] = ("resolver",)
) -> Table:
    """`metrics` as columns, with interval and n in every cell, a line for each combination of `rows`."""
    lines = []
    for key, group in chosen(estimates, metrics).groupby(list(rows), sort=False):
        cells = {line["metric"]: _cell(line) for line in group.to_dict("records")}
        lines.append([*map(str, key), *(cells.get(name, "") for name in metrics)])
    return table(caption, [*rows, *(METRICS[name].title for name in metrics)], lines)


def differences(
    answers: pd.DataFrame, first: str, others: Sequence[str], metrics: Iterable[Metric] = tuple(METRICS.values())
) -> pd.DataFrame:
    """How far resolver `first` is from each of `others` in `metrics` on the same parameters, as estimates.

    `value` is the difference of the two figures, `resolver` reads ``first − other``; what they count over differs,
    so there is neither numerator nor denominator.
    """
    parts = []
    for other in others:
        gaps = compare(answers, other, first, metrics=metrics)
        gaps = gaps.assign(resolver=f"{first} − {other}", numerator=None, denominator=None)
        parts.append(gaps.rename(columns={"difference": "value"}))
    return pd.concat(parts, ignore_index=True)


def pairs(answers: pd.DataFrame, first: str, others: Sequence[str]) -> Table:
    """McNemar's test of every outcome, `first` against each of `others`, one parameter a cluster."""
    rows = []
    for outcome in OUTCOMES:
        for one in (pair for other in others for pair in mcnemar(answers, first, other, outcome)):
            p = "no difference" if one.p is None else f"{one.p:.2g}"
            rows.append((one.outcome, one.b, one.only_a, one.only_b, one.both + one.neither, p))
    columns = ["outcome", "against", f"only {first}", "only the other", "both or neither", "McNemar p"]
    return table("One parameter of every phone", columns, rows)


def _cell(line: dict[Hashable, Any]) -> str:
    percent = METRICS[line["metric"]].unit in SHARES
    return estimate(line["value"], line["low"], line["high"], int(line["n"]), percent=percent)
