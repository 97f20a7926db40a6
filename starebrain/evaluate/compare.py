"""Two resolvers on the same parameters: differences by cluster, and McNemar's test of a named outcome."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields

import numpy as np
import pandas as pd

from starebrain.errors import InvalidInput
from starebrain.evaluate.intervals import (
    LEVEL,
    REPLICATES,
    SEED,
    Interval,
    cluster_sums,
    percentiles,
    resampled,
    stream,
)
from starebrain.evaluate.metric import MEDIUM, Metric, Rows
from starebrain.evaluate.metrics import METRICS
from starebrain.evaluate.summary import counts, cut_name, groups

ITEM = ["source", "device_id", "intent_id", "parameter"]
"""What names a parameter, and pairs the rows of two resolvers."""

OUTCOMES: Mapping[str, Callable[[Rows], np.ndarray]] = {
    "right at HIGH or MEDIUM": lambda rows: rows.right & (rows.tier >= MEDIUM),
    "right at HIGH": lambda rows: rows.right & rows.high,
    "silent error": lambda rows: rows.silent_error,
    "asked": lambda rows: rows.asked,
}
"""Binary outcomes of a row that McNemar's test pairs."""


@dataclass(frozen=True, slots=True)
class Difference:
    """`value_b` − `value_a` of one metric, of resolvers `a` and `b` on the same `n` parameters in `clusters` clusters.

    `source` and `cut` as in `Estimate`; None where either resolver has no data.
    """

    metric: str
    a: str
    b: str
    source: str
    cut: str
    n: int
    clusters: int
    value_a: float | None
    value_b: float | None
    difference: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Pairs:
    """McNemar's test of `outcome`: in how many independent pairs `both`, `only_a`, `only_b` or `neither` have it.

    `p` is exact and two-sided, None where no pair tells them apart.
    """

    outcome: str
    a: str
    b: str
    source: str
    both: int
    only_a: int
    only_b: int
    neither: int
    p: float | None


def compare(
    frame: pd.DataFrame,
    a: str,
    b: str,
    by: Sequence[str] = (),
    metrics: Iterable[Metric] = tuple(METRICS.values()),
    *,
    seed: int = SEED,
    replicates: int = REPLICATES,
    level: float = LEVEL,
) -> pd.DataFrame:
    """The differences of resolver `b` to `a`, a line a source, cut and metric, with the columns of `Difference`.

    Clusters are resampled for both at once, so what makes a cluster hard for both cancels out. Replicates in which one
    of them has nothing to count are left out. `InvalidInput` where the two did not answer the same parameters.
    """
    by, metrics = tuple(by), tuple(metrics)
    frame_a, frame_b = paired(frame, a, b)
    rows_a, rows_b = Rows.of(frame_a), Rows.of(frame_b)
    lines = []
    for (source, *values), part in groups(frame_a, ("source", *by)):
        cut = cut_name(dict(zip(by, values, strict=True)))
        here = rows_a.take(part), rows_b.take(part)
        columns = [counts(rows, metric)[0] for metric in metrics for rows in here]
        sums = cluster_sums(here[0].cluster, np.hstack(columns))
        drawn = resampled(sums, stream(source, cut, seed=seed), replicates)
        for at, metric in enumerate(metrics):
            four = slice(4 * at, 4 * at + 4)
            value_a, value_b, clusters, (low, high) = _difference(sums[:, four], drawn[:, four], level)
            gap = None if value_a is None or value_b is None else value_b - value_a
            one = Difference(metric.name, a, b, source, cut, len(part), clusters, value_a, value_b, gap, low, high)
            lines.append(((source, values, at), asdict(one) | dict(zip(by, values, strict=True))))
    lines.sort(key=lambda line: line[0])
    made = pd.DataFrame([line for _, line in lines], columns=[*(f.name for f in fields(Difference)), *by])
    return made.astype(dict.fromkeys(("value_a", "value_b", "difference", "low", "high"), "float64"))


def mcnemar(frame: pd.DataFrame, a: str, b: str, outcome: str = "right at HIGH or MEDIUM") -> list[Pairs]:
    """McNemar's test of one of `OUTCOMES` for every source.

    The test takes pairs as independent, so every cluster gives one: the parameter whose name has the least SHA-256, so
    that no answer has a say. `InvalidInput` for an outcome that there is none of.
    """
    from statsmodels.stats.contingency_tables import mcnemar as test  # type: ignore[import-untyped]

    if outcome not in OUTCOMES:
        raise InvalidInput(f"there is no outcome {outcome!r}", remedy=f"Choose one of {', '.join(OUTCOMES)}.")
    frame_a, frame_b = paired(frame, a, b)
    rows_a, rows_b = Rows.of(frame_a), Rows.of(frame_b)
    digests = [hashlib.sha256("\0".join(key).encode("utf-8", "surrogatepass")).digest() for key in _keys(frame_a)]
    made = []
    for (source,), part in groups(frame_a, ("source",)):
        chosen: dict[int, int] = {}
        for at in part.tolist():
            known = chosen.setdefault(int(rows_a.cluster[at]), at)
            if digests[at] < digests[known]:
                chosen[int(rows_a.cluster[at])] = at
        one = np.array(list(chosen.values()))
        has_a, has_b = OUTCOMES[outcome](rows_a)[one], OUTCOMES[outcome](rows_b)[one]
        both, only_a, only_b, neither = (
            int(pair.sum()) for pair in (has_a & has_b, has_a & ~has_b, ~has_a & has_b, ~has_a & ~has_b)
        )
        p = float(test([[both, only_a], [only_b, neither]], exact=True).pvalue) if only_a + only_b else None
        made.append(Pairs(outcome, a, b, source, both, only_a, only_b, neither, p))
    return made


def paired(frame: pd.DataFrame, a: str, b: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rows of two resolvers, parameter by parameter in the same order; `InvalidInput` where they do not pair."""
    parts = []
    for name in (a, b):
        part = frame[frame["resolver"] == name]
        if part.empty:
            raise InvalidInput(f"there are no answers of {name!r} to compare")
        if part.duplicated(ITEM).any():
            raise InvalidInput(f"{name!r} answered a parameter twice", remedy="Compare the results of one evaluation.")
        parts.append(part.sort_values(ITEM, kind="stable").reset_index(drop=True))
    if not parts[0][ITEM].equals(parts[1][ITEM]):
        raise InvalidInput(f"{a!r} and {b!r} did not answer the same parameters", remedy="Evaluate them together.")
    return parts[0], parts[1]


def _difference(sums: np.ndarray, totals: np.ndarray, level: float) -> tuple[float | None, float | None, int, Interval]:
    """Both values, the clusters they rest on, and the interval of their difference.

    `sums` (clusters × 4) and `totals` (replicates × 4) are numerator and denominator of a, then of b.
    """
    numerator_a, denominator_a, numerator_b, denominator_b = sums.sum(axis=0)
    value_a = float(numerator_a / denominator_a) if denominator_a else None
    value_b = float(numerator_b / denominator_b) if denominator_b else None
    clusters = int((sums != 0).any(axis=1).sum())
    totals = totals[(totals[:, 1] > 0) & (totals[:, 3] > 0)]
    if value_a is None or value_b is None or clusters < 2 or not len(totals):
        return value_a, value_b, clusters, (None, None)
    gaps = totals[:, 2] / totals[:, 3] - totals[:, 0] / totals[:, 1]
    return value_a, value_b, clusters, percentiles(gaps, level)


def _keys(frame: pd.DataFrame) -> zip:
    return zip(*(frame[name].tolist() for name in ITEM), strict=True)
