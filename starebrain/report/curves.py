"""Curves as thresholds move: risk against coverage, and what is right against what is answered in vain."""

from __future__ import annotations

from collections.abc import Sequence

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


def answered_anyway(results: pd.DataFrame) -> pd.DataFrame:
    """For each resolver, what is right and what is answered in vain at every threshold that its ranking allows.

    Columns `resolver`, `answered` (share of the unanswerable parameters that get an answer, the surest first) and
    `right` (share of the others whose best answer is right and as sure). A curve begins at (0, 0).
    """
    parts = []
    for resolver, rows in results.groupby("resolver", sort=False):
        levels = np.unique(-rows["score"].to_numpy(), return_inverse=True)[1]
        gone, some = rows["unanswerable"].to_numpy(), rows["score"].to_numpy() > 0
        answered = np.cumsum(np.bincount(levels, weights=gone & some))
        right = np.cumsum(np.bincount(levels, weights=~gone & some & rows["best_right"].to_numpy()))
        shares = np.append(0, answered) / max(gone.sum(), 1), np.append(0, right) / max((~gone).sum(), 1)
        parts.append(pd.DataFrame({"resolver": resolver, "answered": shares[0], "right": shares[1]}))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["resolver", "answered", "right"])


def at_tiers(results: pd.DataFrame, tiers: Sequence[str]) -> pd.DataFrame:
    """Where the thresholds of each resolver lie on these curves: its answers at one of `tiers`, as the same shares.

    Columns `resolver`, `answered`, `right`, `coverage`, `risk`; without what cannot be counted.
    """
    lines = []
    for resolver, rows in results.groupby("resolver", sort=False):
        at, gone = rows["tier"].isin(tiers), rows["unanswerable"]
        shares = {"answered": at[gone].mean(), "right": (at & rows["right"])[~gone].mean()}
        lines.append({"resolver": resolver, **shares, "coverage": at.mean(), "risk": (at & ~rows["right"]).mean()})
    return pd.DataFrame(lines, columns=["resolver", "answered", "right", "coverage", "risk"])
