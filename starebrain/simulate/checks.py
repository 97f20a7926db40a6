"""What the sections of a scenario are held to: known names, shares that add up, fractions, rates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from math import isfinite
from typing import Any

from starebrain.errors import InvalidInput, require

Shares = Mapping[str, float]
"""Fractions of 1 by name, which add up to 1."""


def known(name: str, names: Iterable[str], place: str, what: str) -> None:
    """Refuse a `name` that is none of `names`; the remedy is the nearest that is."""
    if name not in names:
        raise InvalidInput(f"unknown {what} {name!r}", place=place, remedy=nearest(name, names))


def nearest(name: str, names: Iterable[str]) -> str:
    """The remedy for a mistyped name."""
    all_of = sorted(map(str, names))
    near = get_close_matches(name, all_of, 1, 0.5)
    return f"Did you mean {near[0]!r}?" if near else f"Choose from {', '.join(all_of)}."


def add_up(shares: Shares, place: str, names: Iterable[str]) -> None:
    """Refuse unknown names, negative shares, and shares that do not add up to 1."""
    for name, share in shares.items():
        known(name, tuple(names), f"{place}.{name}", {"locales": "locale"}.get(place, "name"))
        require(0 <= share <= 1, f"{place}.{name}", f"{share} is outside 0 to 1")
    total = sum(shares.values())
    if abs(total - 1) > 1e-6:
        raise InvalidInput(f"the shares add up to {total:g}", place=place, remedy="Make them add up to 1.")


def fractions(record: Any, skip: tuple[str, ...] = (), only: tuple[str, ...] = ()) -> None:
    """Refuse fields that are not fractions of 1."""
    for name in only or [f.name for f in fields(record) if f.name not in skip]:
        require(0 <= getattr(record, name) <= 1, name, f"{getattr(record, name)} is outside 0 to 1")


def rate(value: float, place: str, most: float) -> None:
    """Refuse a rate that is negative, above `most`, or no number."""
    if not (isfinite(value) and 0 <= value <= most):
        fact = f"the rate {value:g} is negative" if value < 0 else f"the rate {value:g} is outside 0 to {most:g}"
        raise InvalidInput(fact, place=place, remedy="Rates are changes per hour.")
