"""From a probability to a tier, and the caps that hold a tier down whatever the probability."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from starebrain.matching.heuristics import Tiers
from starebrain.resolution import Cap, ResolutionConfidence

CAPS = (
    "provenance",
    "stakes",
    "deixis",
    "past",
    "clock_change",
    "read_only",
    "recurring",
    "duration_only",
    "negated",
    "two_offers",
    "open_meridiem",
    "open_weekday",
    "no_time",
)
"""The rules, each of which holds a tier at MEDIUM at most."""


class Named(Protocol):
    """What names a cap and says what bit."""

    @property
    def name(self) -> str:
        """One of `CAPS`."""
        ...

    @property
    def detail(self) -> str:
        """What on the phone, or in the hint, it looked at."""
        ...


def tier_of(probability: float, tiers: Tiers) -> ResolutionConfidence:
    """The tier of a calibrated probability (0 to 1)."""
    if probability >= tiers.high:
        return ResolutionConfidence.HIGH
    if probability >= tiers.medium:
        return ResolutionConfidence.MEDIUM
    return ResolutionConfidence.LOW if probability >= tiers.low else ResolutionConfidence.UNRESOLVABLE


def capped(tier: ResolutionConfidence, facts: Iterable[Named]) -> tuple[ResolutionConfidence, tuple[Cap, ...]]:
    """The tier after the caps, and every cap that bit: those that name a rule while the tier would be HIGH."""
    if tier is not ResolutionConfidence.HIGH:
        return tier, ()
    bit = tuple(Cap(fact.name, ResolutionConfidence.MEDIUM, fact.detail) for fact in facts if fact.name in CAPS)
    return (ResolutionConfidence.MEDIUM if bit else tier), bit
