"""Intervals of figures: clusters are resampled, since rows that share a phone or a sentence are not independent."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

LEVEL = 0.95
"""Coverage that intervals aim at."""
REPLICATES = 2_000
"""Resamples of a bootstrap."""
SEED = 20_261_130
"""Seed of the resampling; every interval draws its own stream from it and from its name."""
FEW = 30
"""Clusters with (or without) what is counted, below which a share's interval is Korn and Graubard's, no bootstrap."""
BLOCK = 2**21
"""Cluster draws in memory at a time."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """One figure: `metric` of `resolver` on `source`, over the part of it that `cut` names ("" for all).

    `value` is `numerator` / `denominator`, `low` and `high` its interval, all None where there is no data; the interval
    is None as well where a single cluster cannot tell. `n` is the number of rows that the denominator counts, in
    `clusters` clusters.
    """

    metric: str
    resolver: str
    source: str
    cut: str
    n: int
    clusters: int
    numerator: float
    denominator: float
    value: float | None
    low: float | None
    high: float | None


Interval = tuple[float | None, float | None]


def stream(*names: str, seed: int = SEED) -> np.random.Generator:
    """The random stream of what `names` name: the same wherever and in whatever order it is asked for."""
    digest = hashlib.sha256("\0".join((str(seed), *names)).encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng(np.frombuffer(digest, np.uint32))


def cluster_sums(cluster: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """The sums of `columns` (rows × k) in every cluster that has rows, in order of its number."""
    code = np.unique(cluster, return_inverse=True)[1]
    size = int(code.max(initial=-1)) + 1
    return np.column_stack([np.bincount(code, column, size) for column in columns.T])


def resampled(sums: np.ndarray, rng: np.random.Generator, replicates: int = REPLICATES) -> np.ndarray:
    """Totals (replicates × k) of clusters drawn with replacement, as many as `sums` (clusters × k) has.

    All columns see the same draws, and a column's totals do not depend on which others there are.
    """
    size = len(sums)
    totals = np.empty((replicates, sums.shape[1]))
    step = max(1, BLOCK // max(size, 1))
    for start in range(0, replicates, step):
        here = min(step, replicates - start)
        drawn = rng.integers(size, size=(here, size)) + size * np.arange(here)[:, None]
        times = np.bincount(drawn.ravel(), minlength=here * size).reshape(here, size)
        totals[start : start + here] = times.astype(float) @ sums
    return totals


def ratio_interval(
    sums: np.ndarray,
    rng: np.random.Generator,
    *,
    share: bool,
    level: float = LEVEL,
    replicates: int = REPLICATES,
) -> Interval:
    """The interval of Σ numerator / Σ denominator over clusters, whose `sums` (clusters × 2) these are (`interval`)."""
    return interval(sums, lambda: resampled(sums, rng, replicates), share=share, level=level)


def ratio(names: tuple[str, str, str, str], cluster: np.ndarray, counted: np.ndarray, share: bool = True) -> Estimate:
    """The ratio of the sums of two columns, with an interval over clusters; `names` as in `Estimate`."""
    counted, cluster = counted[counted[:, 1] > 0], cluster[counted[:, 1] > 0]
    if not len(counted):
        return Estimate(*names, 0, 0, 0.0, 0.0, None, None, None)
    sums = cluster_sums(cluster, counted)
    numerator, denominator = map(float, sums.sum(axis=0))
    low, high = ratio_interval(sums, stream(*names), share=share)
    return Estimate(*names, len(counted), len(sums), numerator, denominator, numerator / denominator, low, high)


def interval(sums: np.ndarray, totals: Callable[[], np.ndarray], *, share: bool, level: float = LEVEL) -> Interval:
    """The interval of Σ numerator / Σ denominator over clusters.

    `sums` (clusters × 2) are theirs, `totals()` (replicates × 2) those of resampled clusters (`resampled`), asked for
    only where they are needed.

    A `share` (of rows, 0 to 1) whose clusters have one row each gets Clopper and Pearson's interval. So does one that
    is 0 or 1 everywhere, with each cluster counted as a single trial, since resampling cannot show what it never saw;
    and where fewer than `FEW` clusters have (or lack) what is counted, its count of trials is the effective one
    (`korn_graubard`). All others get the percentiles of a bootstrap over clusters. A single cluster gives None.

    Measured at 95%, on clusters of 1 to 8 rows that correlate by 0.3: on shares of 2% in 100 clusters the bootstrap
    alone covers 86 to 88%, this 92%; on 0.5% in 300 clusters 86 to 88% and 94 to 96%; on 10 to 50% both 93 to 96%.
    """
    sums = sums[(sums != 0).any(axis=1)]
    size = len(sums)
    if size == 0:
        return None, None
    numerator, denominator = sums.sum(axis=0)
    if share and (sums[:, 1] == 1).all():
        return clopper_pearson(int(numerator), size, level)
    if share and numerator in (0, denominator):
        return clopper_pearson(0 if numerator == 0 else size, size, level)
    if size == 1:
        return None, None
    if share and min((sums[:, 0] > 0).sum(), (sums[:, 0] < sums[:, 1]).sum()) < FEW:
        return korn_graubard(sums, level)
    drawn = totals()
    drawn = drawn[drawn[:, 1] > 0]
    return percentiles(drawn[:, 0] / drawn[:, 1], level)


def korn_graubard(sums: np.ndarray, level: float = LEVEL) -> tuple[float, float]:
    """Clopper and Pearson's interval with as many trials as clustered rows are worth (Korn and Graubard, 1998).

    `sums` (clusters × 2) are the counts and rows of at least two clusters; the share is neither 0 nor 1. Rows are worth
    the number of independent ones that would have the variance between clusters, at most as many as there are.
    """
    from scipy.stats import beta

    count, rows = sums.sum(axis=0)
    share = count / rows
    apart = sums[:, 0] - share * sums[:, 1]
    variance = len(sums) / (len(sums) - 1) * np.square(apart).sum() / rows**2
    trials = min(rows, share * (1 - share) / variance) if variance else rows
    tail = (1 - level) / 2
    low = beta.ppf(tail, share * trials, (1 - share) * trials + 1)
    high = beta.ppf(1 - tail, share * trials + 1, (1 - share) * trials)
    return float(low), float(high)


def percentiles(values: np.ndarray, level: float = LEVEL) -> tuple[float, float]:
    """The middle `level` of resampled values."""
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def clopper_pearson(successes: int, trials: int, level: float = LEVEL) -> Interval:
    """The exact interval of a share of independent trials (Clopper and Pearson, 1934); None for no trials."""
    from scipy.stats import beta

    if trials == 0:
        return None, None
    tail, failures = (1 - level) / 2, trials - successes
    low = float(beta.ppf(tail, successes, failures + 1)) if successes else 0.0
    high = float(beta.ppf(1 - tail, successes + 1, failures)) if failures else 1.0
    return low, high
