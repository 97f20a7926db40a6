"""Learn then Test (Angelopoulos et al., 2021): the lowest threshold whose silent errors are provably few.

Thresholds are tried in a fixed order, highest first; each is tested by an exact binomial test on one hint a phone, and
the first that fails ends the sequence, so that with probability at least 1 - delta no certified threshold has a rate of
silent errors above alpha. Grid and order are fixed before any label is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log

import numpy as np
from scipy.stats import binom

GRID = (
    *(0.9999, 0.9998, 0.9995, 0.999, 0.998, 0.997, 0.996, 0.995, 0.9925, 0.99),
    *(0.985, 0.98, 0.97, 0.96, 0.95, 0.93, 0.9),
)
"""Thresholds of the calibrated probability, in the order in which they are tested."""


@dataclass(frozen=True, slots=True)
class Tested:
    """One threshold tested: of `n` hints at or above it `errors` were silent errors; `p` is the exact p-value."""

    threshold: float
    n: int
    errors: int
    p: float


@dataclass(frozen=True, slots=True)
class Guarantee:
    """What could be certified: the lowest threshold (None: none), all tests in order, and labels still missing.

    `missing` is how many more hints without an error, at the threshold where the sequence ended, would certify it.
    """

    alpha: float
    delta: float
    threshold: float | None
    tests: tuple[Tested, ...]
    missing: int


def fewest(alpha: float, delta: float, errors: int = 0) -> int:
    """The hints that certify `alpha` at `delta` with so many errors among them (598 for 0.5% at 5% and none)."""
    fails, holds = errors, max(errors + 1, ceil(log(delta) / log(1 - alpha)))
    while binom.cdf(errors, holds, alpha) > delta:
        fails, holds = holds, 2 * holds
    while holds - fails > 1:
        middle = (fails + holds) // 2
        fails, holds = (middle, holds) if binom.cdf(errors, middle, alpha) > delta else (fails, middle)
    return holds


def certify(
    probabilities: np.ndarray, errors: np.ndarray, *, alpha: float, delta: float, grid: Sequence[float] = GRID
) -> Guarantee:
    """Test the thresholds of `grid` (falling) on hints of which each comes from another phone.

    `probabilities` are calibrated (0 to 1), `errors` say whether filling in would be a silent error. Thresholds that
    too few hints reach to be certified even without an error are passed over: that depends on no label.
    """
    least = fewest(alpha, delta)
    tests: list[Tested] = []
    threshold, missing = None, least
    for candidate in grid:
        reached = probabilities >= candidate
        n, k = int(reached.sum()), int(errors[reached].sum())
        if n < least:
            missing = least - n
            continue
        tests.append(Tested(candidate, n, k, float(binom.cdf(k, n, alpha))))
        if tests[-1].p > delta:
            missing = fewest(alpha, delta, k) - n
            break
        threshold, missing = candidate, 0
    return Guarantee(alpha, delta, threshold, tuple(tests), missing)
