"""Rules for numbers and amounts of time."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from starebrain.kinds.readers.rules.grammar import Rule
from starebrain.kinds.readers.rules.lexicon import number_values
from starebrain.kinds.readers.rules.when import Amount, amount

MULTIPLES: Mapping[str, tuple[str, Fraction]] = {
    "fortnight": ("week", Fraction(2)),
    "decade": ("year", Fraction(10)),
    "half_hour": ("minute", Fraction(30)),
    "quarter_hour": ("minute", Fraction(15)),
    "three_quarter_hour": ("minute", Fraction(45)),
}
"""Units that are so many of another one."""

MOST = 100_000
"""The most of a unit that is taken for an amount of time."""


def of_unit(n: Any, unit: str) -> Amount | None:
    """So many of a unit, or None where that is none or more than `MOST`."""
    many = Fraction(n)
    unit, times = MULTIPLES.get(unit, (unit, Fraction(1)))
    return amount({unit: many * times}) if 0 < many <= MOST else None


def parts_of(sixtieths: int, unit: str, n: int | bool | None = 0) -> Amount | None:
    """`n` of a unit and so many sixtieths of one: "an hour and a half" is one hour and 30."""
    return of_unit(Fraction(int(n or 0)) + Fraction(sixtieths, 60), unit)


def _thousands(n: int, rest: int | None = None) -> Mapping[str, Any] | None:
    return number_values(n * 1000 + (rest or 0)) if n < 3 and (rest or 0) < 1000 else None


def _hundreds(n: int, rest: int | None = None) -> Mapping[str, Any] | None:
    return number_values(n * 100 + (rest or 0)) if n < 30 and (rest or 0) < 100 else None


def _nineteen_hundred(n: int, rest: int | None = None) -> Mapping[str, Any]:
    return number_values(1000 + n * 100 + (rest or 0))


def _century(c: int, rest: int) -> Mapping[str, Any] | None:
    return number_values(c * 100 + rest) if 9 < rest < 100 else None


def _ordinal(n: int) -> int | None:
    return n if 1 <= n <= 53 else None


def _part_of_one(unit: str) -> Amount | None:
    return of_unit(1, unit) if unit.endswith("_hour") else None


def _one(unit: str) -> Amount | None:
    return of_unit(1, unit)


def _slashed(slashed: tuple[int, int], unit: str) -> Amount | None:
    return of_unit(Fraction(*slashed), unit) if slashed[1] else None


def _sum(one: Amount, two: Amount) -> Amount | None:
    """Two amounts said one after the other, of different units."""
    return None if set(dict(one)) & set(dict(two)) else amount(dict(one) | dict(two))


NUMBERS = (
    Rule("n:(NUM) THOUSAND AND? rest:(NUM)", _thousands),
    Rule("n:(NUM) THOUSAND", _thousands),
    Rule("THOUSAND n:(NUM) HUNDRED AND? rest:(NUM)?", _nineteen_hundred),
    Rule("n:(NUM) HUNDRED AND? rest:(NUM)?", _hundreds),
    Rule("(?<=ORD|MONTH) c:(CENTURY) rest:(NUM)", _century),
    Rule("n:(DIGITS) SUFFIX", _ordinal, "ORD"),
)
"""Numbers and ordinals of more than one word."""

AMOUNTS = (
    Rule("n:(NUM) AND A? sixtieths:(FRACTION) unit:(UNIT)", parts_of, "AMOUNT"),  # two and a half hours
    Rule("n:(NUM|A) unit:(UNIT) AND A? sixtieths:(FRACTION)", parts_of, "AMOUNT"),  # an hour and a half
    Rule("A? sixtieths:(FRACTION) OF? A? unit:(UNIT)", parts_of, "AMOUNT"),  # half an hour
    Rule("n:(DECIMAL) unit:(UNIT)", of_unit, "AMOUNT"),
    Rule("slashed:(SLASHED) unit:(UNIT)", _slashed, "AMOUNT"),  # 1/2 h
    Rule("n:(NUM) unit:(UNIT)", of_unit, "AMOUNT"),
    Rule("unit:(UNIT)", _part_of_one, "AMOUNT"),  # media hora
    Rule("A unit:(UNIT)", _one, "AMOUNT"),
    Rule("one:(AMOUNT) (?:AND|COMMA)* two:(AMOUNT)", _sum, "AMOUNT"),
)
"""Amounts of time."""
