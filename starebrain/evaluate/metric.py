"""What a metric is: declared once, and used in tables, intervals, comparisons and reports alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Literal

import numpy as np
import pandas as pd

from starebrain.resolution import RANK, ResolutionConfidence

HIGH = ResolutionConfidence.HIGH.rank
MEDIUM = ResolutionConfidence.MEDIUM.rank

Counted = tuple[np.ndarray, np.ndarray]
"""Numerator and denominator of every row; their sums make the figure."""


@dataclass(frozen=True)
class Rows:
    """The answers of one resolver as arrays, an element a parameter.

    `tier` is the rank of the tier (3 HIGH to 0 UNRESOLVABLE); `intent` and `cluster` are whole numbers that are equal
    where the intent and the cluster are; the rest is as in `starebrain.evaluate.run.COLUMNS`.
    """

    tier: np.ndarray
    right: np.ndarray
    best_right: np.ndarray
    top3: np.ndarray
    ambiguous: np.ndarray
    unanswerable: np.ndarray
    probability: np.ndarray
    score: np.ndarray
    intent: np.ndarray
    cluster: np.ndarray

    @classmethod
    def of(cls, frame: pd.DataFrame) -> Rows:
        """The rows of a frame of results, in its order."""
        ranks = {tier.value: rank for tier, rank in RANK.items()}
        coded = {
            "tier": frame["tier"].map(ranks).to_numpy(np.int8),
            "intent": codes(frame, "source", "device_id", "intent_id"),
            "cluster": codes(frame, "source", "cluster"),
        }
        plain = {f.name: frame[f.name].to_numpy() for f in fields(cls) if f.name not in coded}
        return cls(**plain, **coded)

    def take(self, at: np.ndarray) -> Rows:
        """The rows at positions `at`."""
        return replace(self, **{f.name: getattr(self, f.name)[at] for f in fields(self)})

    @property
    def high(self) -> np.ndarray:
        """Filled in silently."""
        return self.tier == HIGH

    @property
    def medium(self) -> np.ndarray:
        """Suggested."""
        return self.tier == MEDIUM

    @property
    def asked(self) -> np.ndarray:
        """Asked, with or without a weak candidate."""
        return self.tier < MEDIUM

    @property
    def silent_error(self) -> np.ndarray:
        """HIGH and not right, or HIGH on an ambiguous hint even where luck made it right."""
        return self.high & (~self.right | self.ambiguous)

    @cached_property
    def first_of_intent(self) -> np.ndarray:
        """True for the first row of each intent, so that a sum over it counts intents."""
        first = np.zeros(len(self.intent), bool)
        first[np.unique(self.intent, return_index=True)[1]] = True
        return first


def codes(frame: pd.DataFrame, *columns: str) -> np.ndarray:
    """Whole numbers that are equal where all `columns` are, and rise as their values do."""
    return frame.groupby(list(columns), sort=True).ngroup().to_numpy(np.int64)


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure, as the ratio of two sums over rows.

    `numerator` and `denominator` say in words what is counted. `unit` is "share" where the numerator counts some of the
    denominator's rows (0 to 1), "per intent" for things an intent, "area" and "mean" for what they say. `better` is
    "higher", "lower" or "neither". `count` gives both for every row.
    """

    name: str
    title: str
    numerator: str
    denominator: str
    unit: Literal["share", "per intent", "area", "mean"]
    better: Literal["higher", "lower", "neither"]
    count: Callable[[Rows], Counted]


def among(part: Callable[[Rows], np.ndarray], whole: Callable[[Rows], np.ndarray]) -> Callable[[Rows], Counted]:
    """Count the rows of `whole`, and those of them that are in `part`."""

    def count(rows: Rows) -> Counted:
        counted = whole(rows)
        return part(rows) & counted, counted

    return count


def every(rows: Rows) -> np.ndarray:
    """All rows."""
    return np.ones(len(rows.tier), bool)


def answerable(rows: Rows) -> np.ndarray:
    """Rows where the phone has what was meant."""
    return ~rows.unanswerable


def per_intent(things: Callable[[Rows], np.ndarray]) -> Callable[[Rows], Counted]:
    """Count `things` over intents; an intent counts where one of its parameters is among the rows."""
    return lambda rows: (things(rows), rows.first_of_intent)
