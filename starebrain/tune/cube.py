"""Counts as a cube: any thresholds of HIGH and MEDIUM are answered by look-ups, with intervals, however many the hints.

For each kind the hints at or above each threshold are counted, by whether a cap holds them and by what filling them in
would be; every count is there for the data and for resamples of its clusters (a bootstrap with a stated seed).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from starebrain.intent import ParameterKind
from starebrain.matching.heuristics import Tiers
from starebrain.tune.columns import Best, Columns, KindColumns

OUTCOMES = ("right", "wrong", "lucky", "unlucky", "unanswerable")
"""What the best candidate of a hint is: intended or not, on a hint that fits one thing; the same on a hint that fits
several (`lucky`, `unlucky`); whatever it is where the phone does not have what was meant."""
RIGHT, WRONG, LUCKY, UNLUCKY, UNANSWERABLE = range(5)

STEPS = ((0.0, 0.5, 0.0025), (0.5, 0.9, 0.001), (0.9, 0.99, 0.0005), (0.99, 0.999, 0.00005), (0.999, 1.0, 0.000025))
THRESHOLDS = np.array(
    [*(round(low + i * step, 6) for low, high, step in STEPS for i in range(round((high - low) / step))), 1.0]
)
"""1,001 thresholds from 0 to 1, closer together where answers are nearly certain."""


@dataclass(frozen=True, slots=True, eq=False)
class Resamples:
    """How often each cluster counts: the data itself first, then one line a resample of as many clusters.

    `weights` has a line a resample and a column a cluster, `intents` the number of intents of every line.
    """

    weights: np.ndarray
    intents: np.ndarray


def resamples(columns: Columns, replicates: int, seed: int) -> Resamples:
    """The data and `replicates` resamples of its clusters, drawn with `seed`."""
    clusters = len(columns.clusters)
    rng = np.random.default_rng(seed)
    drawn = (
        rng.multinomial(clusters, np.full(clusters, 1 / clusters), replicates)
        if clusters
        else np.empty((replicates, 0))
    )
    weights = np.vstack([np.ones((1, clusters)), drawn])
    return Resamples(weights, weights @ np.bincount(columns.intents, minlength=clusters))


def outcomes(columns: KindColumns, best: Best) -> np.ndarray:
    """Which of the `OUTCOMES` filling in the best candidate of each hint would be."""
    hints, shown = columns.hints, best.row >= 0
    right = np.zeros(len(shown), bool)
    right[shown] = columns.rows.intended[best.row[shown]]
    answerable = np.where(hints.ambiguous, np.where(right, LUCKY, UNLUCKY), np.where(right, RIGHT, WRONG))
    return np.where(hints.unanswerable, UNANSWERABLE, answerable)


def cube(columns: KindColumns, best: Best, drawn: Resamples) -> np.ndarray:
    """Hints by threshold, line of `drawn`, capped or not, and outcome, as whole numbers.

    Line 0 of the first axis counts all hints, line 1 + i those whose best candidate is at or above ``THRESHOLDS[i]``,
    the last line none; a look-up reads one stretch of memory.
    """
    lines, levels, sorts = len(drawn.weights), len(THRESHOLDS) + 2, 2 * len(OUTCOMES)
    shown = best.row >= 0
    capped = np.zeros(len(shown), bool)
    capped[shown] = columns.rows.capped[best.row[shown]]
    level = np.where(shown, np.searchsorted(THRESHOLDS, best.probability, "right"), 0)
    cell = (level * 2 + capped) * len(OUTCOMES) + outcomes(columns, best)
    counts = np.empty((levels, lines, sorts), np.int32)
    for line, weights in enumerate(drawn.weights):
        found = np.bincount(cell, weights[columns.hints.cluster], levels * sorts)
        counts[:, line] = found.reshape(levels, sorts)
    counts = np.cumsum(counts[::-1], axis=0, dtype=np.int32)[::-1]
    return counts.reshape(levels, lines, 2, len(OUTCOMES))


def place(threshold: float) -> int:
    """The line of a cube for a threshold: that of the first of `THRESHOLDS` that is not below it."""
    return int(np.searchsorted(THRESHOLDS, threshold)) + 1


def tiered(counts: np.ndarray, tiers: Tiers) -> np.ndarray:
    """Hints at HIGH, at MEDIUM, and asked, by resample and outcome; a cap holds at MEDIUM what would be HIGH."""
    high = counts[place(tiers.high)][:, 0]
    suggested = counts[place(tiers.medium)].sum(axis=1)
    return np.stack([high, suggested - high, counts[0].sum(axis=1) - suggested], axis=1)


def together(cubes: Mapping[ParameterKind, np.ndarray], tiers: Mapping[ParameterKind, Tiers]) -> np.ndarray:
    """`tiered` for all kinds."""
    return sum((tiered(counts, tiers[kind]) for kind, counts in cubes.items()), np.zeros(()))
