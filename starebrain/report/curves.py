"""Risk against coverage: what would go wrong if only the answers that a resolver is surest of were filled in."""

from __future__ import annotations

import numpy as np
import pandas as pd


def risk_coverage(results: pd.DataFrame) -> pd.DataFrame:
    """For each resolver in a frame of results, the risk at every coverage that its ranking of answers allows.

    Columns `resolver`, `coverage` (share of all parameters that are filled in, the surest first) and `risk` (share of
    all parameters that are filled in and wrong: generalised risk, whose area is AUGRC). Answers that a resolver is
    equally sure of come together, so a resolver with few levels has few points. A curve begins at (0, 0).
    """
    parts = []
    for resolver, rows in results.groupby("resolver", sort=False):
        levels = np.unique(-rows["score"].to_numpy(), return_inverse=True)[1]
        filled = np.cumsum(np.bincount(levels))
        wrong = np.cumsum(np.bincount(levels, weights=~rows["best_right"].to_numpy()))
        n = len(rows)
        coverage, risk = np.append(0, filled) / n, np.append(0, wrong) / n
        parts.append(pd.DataFrame({"resolver": resolver, "coverage": coverage, "risk": risk}))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["resolver", "coverage", "risk"])
