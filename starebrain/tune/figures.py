"""The figures of evaluation from counts: each metric that is a ratio of counts is asked what it counts, once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import ceil, floor

import numpy as np

from starebrain.evaluate.intervals import LEVEL
from starebrain.evaluate.metric import Metric, Rows
from starebrain.evaluate.metrics import METRICS
from starebrain.resolution import ResolutionConfidence
from starebrain.tune.cube import LUCKY, OUTCOMES, RIGHT, UNANSWERABLE, UNLUCKY

SHOWN = (
    "high_share",
    "high_accuracy",
    "medium_accuracy",
    "silent_errors_per_high",
    "right_per_answerable",
    "needless_questions",
    "prompts_per_intent",
)
"""The metrics that move with thresholds, by their names in `METRICS`."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One metric: counts, their ratio and its interval.

    The ratio is None where there is nothing to divide by, and the interval also where a single cluster cannot tell.
    """

    metric: Metric
    numerator: int
    denominator: int
    value: float | None
    low: float | None
    high: float | None


def figures(tiered: np.ndarray, intents: np.ndarray, clusters: int) -> Mapping[str, Figure]:
    """The metrics `SHOWN` of counts by resample, tier (HIGH, MEDIUM, asked) and outcome, the data itself first.

    `intents` is the number of intents of every resample. Intervals are percentiles over resamples. A share of which
    none were counted, or all, has an exact binomial bound over `clusters` (Clopper and Pearson, 1934), since resamples
    cannot show what was never seen.
    """
    flat = tiered.reshape(len(tiered), -1)
    part, whole = _coefficients()
    parts, wholes = flat @ part, flat @ whole
    wholes[:, [METRICS[name].unit == "per intent" for name in SHOWN]] = intents[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = parts / wholes
    ranked = np.sort(ratios[1:], axis=0)  # what could not be divided comes last
    known = (~np.isnan(ranked)).sum(axis=0)
    return {
        name: _figure(METRICS[name], int(parts[0, i]), int(wholes[0, i]), ranked[: known[i], i], clusters)
        for i, name in enumerate(SHOWN)
    }


def _figure(metric: Metric, part: int, whole: int, ranked: np.ndarray, clusters: int) -> Figure:
    if whole == 0:
        return Figure(metric, part, whole, None, None, None)
    value, tail = part / whole, (1 - LEVEL) / 2
    if clusters < 2 or not len(ranked):
        return Figure(metric, part, whole, value, None, None)
    low, high = (float(ranked[at]) for at in (floor(tail * (len(ranked) - 1)), ceil((1 - tail) * (len(ranked) - 1))))
    if metric.unit == "share":
        unseen = 1 - tail ** (1 / min(whole, clusters))
        low, high = (1 - unseen if part == whole else low), (unseen if part == 0 else high)
    return Figure(metric, part, whole, value, min(low, value), max(high, value))


@cache
def _coefficients() -> tuple[np.ndarray, np.ndarray]:
    """For every tier and outcome (lines) what one hint adds to numerator and denominator of each metric (columns)."""
    tiers = (ResolutionConfidence.HIGH, ResolutionConfidence.MEDIUM, ResolutionConfidence.LOW)
    rank = np.repeat([tier.rank for tier in tiers], len(OUTCOMES))
    outcome = np.tile(np.arange(len(OUTCOMES)), len(tiers))
    right, each = np.isin(outcome, (RIGHT, LUCKY)), np.arange(len(outcome))
    rows = Rows(
        tier=rank,
        right=right,
        best_right=right,
        top3=right,
        ambiguous=np.isin(outcome, (LUCKY, UNLUCKY)),
        unanswerable=outcome == UNANSWERABLE,
        probability=np.zeros(len(outcome)),
        score=np.zeros(len(outcome)),
        intent=each,
        cluster=each,
    )
    counted = [METRICS[name].count(rows) for name in SHOWN]
    parts, wholes = (np.column_stack(columns).astype(float) for columns in zip(*counted, strict=True))
    return parts, wholes
