"""Calibration: Platt scaling (Platt, 1999) of the posterior's log-odds, one a kind."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from starebrain.matching.heuristics import Calibration

LEAST_SLOPE = 0.05
FEWEST = 50
"""Answers below which a kind stays uncalibrated."""


def platt(probabilities: np.ndarray, right: np.ndarray, clusters: np.ndarray | None = None) -> Calibration:
    """The scaling that makes `right` (0 or 1 each) likeliest given `probabilities` (0 to 1 each, uncalibrated).

    Targets are smoothed as Platt proposes. `clusters`, where given, weigh every answer by one over the answers of its
    cluster, so that no phone or sentence counts more than another. Fewer than 50 answers leave the identity.
    """
    if len(probabilities) < FEWEST or right.all() or not right.any():
        return Calibration()
    p = np.clip(probabilities, 1e-12, 1 - 1e-12)
    logit = np.log(p / (1 - p))
    weight = np.ones(len(p))
    if clusters is not None:
        _, which, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
        weight = 1 / sizes[which]
    positive, negative = weight[right].sum(), weight[~right].sum()
    target = np.where(right, (positive + 1) / (positive + 2), 1 / (negative + 2))

    def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        z = theta[0] * logit + theta[1]
        off = weight * (1 / (1 + np.exp(-z)) - target)
        return float((weight * (np.logaddexp(0, z) - target * z)).sum()), np.array([(off * logit).sum(), off.sum()])

    best = minimize(loss, np.array([1.0, 0.0]), jac=True, bounds=[(LEAST_SLOPE, None), (None, None)], method="L-BFGS-B")
    return Calibration(round(float(best.x[0]), 4), round(float(best.x[1]), 4))
