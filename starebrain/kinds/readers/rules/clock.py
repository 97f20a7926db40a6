"""Rules for numbers, times of day and amounts of time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from starebrain.kinds.readers.rules.grammar import Rule
from starebrain.kinds.readers.rules.lexicon import number_values
from starebrain.kinds.readers.rules.when import AM, PM, When, amount

Values = Mapping[str, Any] | None

MULTIPLES: Mapping[str, tuple[str, Fraction]] = {
    "fortnight": ("week", Fraction(2)),
    "decade": ("year", Fraction(10)),
    "half_hour": ("minute", Fraction(30)),
    "quarter_hour": ("minute", Fraction(15)),
    "three_quarter_hour": ("minute", Fraction(45)),
}
"""Units that are so many of another one."""


def at(hour: int, minute: int | None = None, meridiem: str | None = None, **said: Any) -> When | None:
    """A time of day, or None where there is no such time ("13 am", 7:75)."""
    if hour > 24 or (minute or 0) > 59 or (hour == 24 and minute):
        return None
    if meridiem is not None and (hour == 0 or hour > (23 if meridiem == PM else 12)):
        return None
    return When(hour=hour, minute=minute, meridiem=meridiem, **said)


def clock(when: When | None) -> Values:
    """The classes of a time of day."""
    return None if when is None else {"CLOCK": when, "WHEN": when}


def of_unit(number: Any, unit: str) -> tuple[tuple[str, Fraction], ...] | None:
    """So many of a unit, or None where that is out of bounds (0 to 100,000)."""
    many = Fraction(number)
    unit, times = MULTIPLES.get(unit, (unit, Fraction(1)))
    return amount({unit: many * times}) if 0 < many <= 100_000 else None


def _packed(number: int, meridiem: str | None = None) -> Values:
    return clock(at(number // 100, number % 100, meridiem, exact=None if meridiem else True))


def _with_meridiem(said: When, meridiem: str) -> Values:
    if said.meridiem not in (None, meridiem) or said.hour is None:
        return None
    fresh = at(said.hour, said.minute, meridiem)
    return clock(fresh and replace(fresh, second=said.second, approximate=said.approximate))


def _hour(said: Any) -> When | None:
    """A full hour that was said as a number or as a time."""
    full = said if isinstance(said, When) else at(said, spoken=True)
    return None if full is None or full.hour is None or full.minute else full


def _half(said: Any) -> When | None:
    """"halb acht", which minutes count from in German: "fünf vor halb acht"."""
    return said if isinstance(said, When) and said.minute == 30 and said.spoken else None


def _past(minutes: int, said: Any) -> Values:
    if (half := _half(said)) is not None:
        return clock(replace(half, minute=30 + minutes)) if 0 < minutes < 30 else None
    full = _hour(said)
    return clock(replace(full, minute=minutes)) if full and 0 < minutes < 60 else None


def _before(minutes: int, said: Any) -> Values:
    if (half := _half(said)) is not None:
        return clock(replace(half, minute=30 - minutes)) if 0 < minutes < 30 else None
    full = _hour(said)
    if full is None or full.hour is None or not 0 < minutes < 60:
        return None
    if full.meridiem is not None and full.hour == 12:
        return clock(replace(full, hour=11, minute=60 - minutes, meridiem=AM if full.meridiem == PM else PM))
    if full.hour in (0, 24):
        return clock(replace(full, hour=23, minute=60 - minutes, exact=True))
    hour = full.hour - 1 if full.hour > 1 or full.exact else 12
    return clock(replace(full, hour=hour, minute=60 - minutes))


def _unit_or_clock(number: int, unit: str) -> Values:
    """An amount; "3 h" and "7 heures" are a time of day as well."""
    amounts = of_unit(number, unit)
    hours = clock(at(number)) if unit == "hour" else None
    return None if amounts is None else {"AMOUNT": amounts} | dict(hours or {})


def _and_fraction(number: int | bool, unit: str, sixtieths: int) -> Any:
    return of_unit(Fraction(int(number)) + Fraction(sixtieths, 60), unit)


def _joined_fraction(hour: int, unit: str, sixtieths: int) -> Values:
    """ "une heure et demie": half an hour past one, or an hour and a half."""
    amounts = _and_fraction(hour, unit, sixtieths)
    return None if amounts is None or unit != "hour" else {"AMOUNT": amounts} | dict(_past(sixtieths, hour) or {})


def _sum(one: Any, two: Any) -> Any:
    """Two amounts said one after the other, of different units."""
    return None if set(dict(one)) & set(dict(two)) else amount(dict(one) | dict(two))


def _inverse(slashed: tuple[int, int], unit: str) -> Any:
    return of_unit(Fraction(*slashed), unit) if slashed[1] else None


NUMBERS = (
    Rule("number", r"(NUM) THOUSAND AND? (NUM)", lambda a, b: number_values(a * 1000 + b) if a < 3 and b < 1000 else None, ""),
    Rule("number", r"(NUM) THOUSAND", lambda a: number_values(a * 1000) if a < 3 else None, ""),
    Rule("number", r"THOUSAND (NUM) HUNDRED AND? (NUM)?", lambda a, b: number_values(1000 + a * 100 + (b or 0)), ""),
    Rule("number", r"(NUM) HUNDRED AND? (NUM)?", lambda a, b: number_values(a * 100 + (b or 0)) if a < 30 else None, ""),
    Rule("number", r"(?<=ORD|MONTH) (CENTURY) (NUM)",
         lambda c, b: number_values(c * 100 + b) if 9 < b < 100 else None, ""),
    Rule("ordinal", r"(DIGITS) SUFFIX", lambda n: {"ORD": n} if 1 <= n <= 53 else None, ""),
)  # fmt: skip

CLOCKS = (
    Rule("noon", r"(NOON)", lambda h: clock(When(hour=h, minute=0, exact=True)), ""),
    Rule("packed", r"(PACKED_CLOCK) OCLOCK? (AMPM)", _packed, ""),
    Rule("packed", r"AT (PACKED_CLOCK) ISH", lambda n: clock(at(n // 100, n % 100, spoken=True)), ""),
    Rule("packed", r"AT (PACKED_CLOCK) OCLOCK?", _packed, ""),
    Rule("packed", r"(PACKED_CLOCK) OCLOCK", _packed, ""),
    Rule("packed", r"^(LEADING_ZERO) $", _packed, ""),
    Rule("packed", r"(?<=BETWEEN|FROM|DASH|UNTIL) (PACKED_CLOCK) (?=DASH|UNTIL|AND)", _packed, ""),
    Rule("packed", r"(?<=DASH) (PACKED_CLOCK) (?!DASH)", _packed, ""),
    Rule("dotted", r"(DOTTED) OCLOCK? (AMPM)", lambda d, m: clock(at(*d, m)), ""),
    Rule("dotted", r"(DOTTED) OCLOCK", lambda d: clock(at(*d)), ""),
    Rule("dotted", r"AT (DOTTED)", lambda d: clock(at(*d)), ""),
    Rule("clock", r"(CLOCK) OCLOCK? COMMA? (AMPM)", _with_meridiem, ""),
    Rule("clock", r"(CLOCK) OCLOCK", clock, ""),
    Rule("clock", r"(HOUR) OCLOCK? (AMPM) AND (FRACTION)", lambda h, x, m: clock(at(h, m, x)), ""),
    Rule("clock", r"(HOUR) OCLOCK? (?:JOIN|AND)? (MIN) (AMPM)", lambda h, m, x: clock(at(h, m, x)), ""),
    Rule("clock", r"(HOUR) OCLOCK? ISH? COMMA? (AMPM) ISH?", lambda h, x: clock(at(h, None, x)), ""),
    Rule("fraction", r"(?<!BETWEEN) (HOUR) (UNIT) JOIN (FRACTION)", _joined_fraction, ""),
    Rule("fraction", r"(?<!BETWEEN) (HOUR|CLOCK) OCLOCK? JOIN (FRACTION)", lambda h, m: _past(m, h), ""),
    Rule("minutes", r"(?<!BETWEEN) (HOUR) OCLOCK? JOIN (MIN) (?:UNIT(?!AGO))?",
         lambda h, m: clock(at(h, m, spoken=True)) if m > 9 or m == 5 else None, ""),
    Rule("minutes", r"(HOUR) OCLOCK LESS (MIN|FRACTION)", lambda h, m: _before(m, h), ""),
    Rule("minutes", r"(HOUR|CLOCK) LESS (MIN|FRACTION)", lambda h, m: _before(m, h), ""),
    Rule("minutes", r"(HOUR) OCLOCK (MIN) UNIT?", lambda h, m: clock(at(h, m)) if m > 9 or m == 5 else None, ""),
    Rule("clock", r"(?<=FROM|BETWEEN|UNTIL|AND|OR) (HOUR) (MIN) (?!MONTH|UNIT|SUFFIX)", lambda h, m: clock(at(h, m, spoken=True)) if 9 < m and m % 5 == 0 else None, ""),
    Rule("half", r"HALF_TO (HOUR)", lambda h: _before(30, h), ""),
    Rule("half", r"HALF_ALONE (HOUR)", lambda h: _past(30, h), ""),
    Rule("quarter", r"QUARTER_OF (HOUR)", lambda h: _before(45, h), ""),
    Rule("quarter", r"THREE_QUARTERS_OF (HOUR)", lambda h: _before(15, h), ""),
    Rule("fraction", r"A? (FRACTION) (?:PAST) (HOUR|CLOCK)", lambda m, h: _past(m, h), ""),
    Rule("fraction", r"A? (FRACTION) TO (HOUR|CLOCK)", lambda m, h: _before(m, h) if m == 15 else None, ""),
    Rule("minutes", r"(NUM) (UNIT) (?:PAST|FROM) (CLOCK)", lambda n, u, h: _past(n, h) if u == "minute" else None, ""),
    Rule("minutes", r"(NUM) (UNIT) TO (HOUR|CLOCK)", lambda n, u, h: _before(n, h) if u == "minute" else None, ""),
    Rule("minutes", r"(NUM) (?:UNIT)? PAST (HOUR|CLOCK) (?!UNIT)", lambda n, h: _past(n, h), ""),
    Rule("minutes", r"(NUM) UNIT? TO_HOUR (CLOCK|HOUR) (?!UNIT)", lambda n, h: _before(n, h), ""),
    Rule("minutes", r"(?<!FROM|BETWEEN) (NUM) TO (CLOCK|HOUR)", lambda n, h: _before(n, h) if n > 12 and n % 5 == 0 else None, ""),
    Rule("minutes", r"^AT? (SPELLED) TO (SPELLED) $", lambda n, h: _before(n, h) if n in (5, 10) and h < n else None, ""),
    Rule("clock", r"(HOUR) (?!UNIT) OCLOCK", lambda h: clock(at(h)), ""),
    Rule("clock", r"AT (HOUR) (MIN)", lambda h, m: clock(at(h, m, spoken=True)) if m > 9 else None, ""),
    Rule("clock", r"(HOUR) ISH", lambda h: clock(at(h, approximate=True)), ""),
)  # fmt: skip

AMOUNTS = (
    Rule("amount", r"(NUM) AND A? (FRACTION) (UNIT)", lambda n, m, u: _and_fraction(n, u, m), "AMOUNT"),
    Rule("amount", r"(NUM|A) (UNIT) AND A? (FRACTION)", lambda n, u, m: _and_fraction(n, u, m), "AMOUNT"),
    Rule("amount", r"A? (FRACTION) (?:OF)? A? (UNIT)", lambda m, u: of_unit(Fraction(m, 60), u), "AMOUNT"),
    Rule("amount", r"(DECIMAL) (UNIT)", of_unit, "AMOUNT"),
    Rule("amount", r"(SLASHED) (UNIT)", _inverse, "AMOUNT"),
    Rule("amount", r"(HOUR) (?=OCLOCK) (UNIT)", _unit_or_clock, ""),
    Rule("amount", r"(NUM) (UNIT)", of_unit, "AMOUNT"),
    Rule("amount", r"(UNIT)", lambda u: of_unit(1, u) if u.endswith("_hour") else None, "AMOUNT"),
    Rule("amount", r"A (UNIT)", lambda u: of_unit(1, u), "AMOUNT"),
    Rule("amount", r"(AMOUNT) (?:AND|COMMA)* (AMOUNT)", _sum, "AMOUNT"),
)  # fmt: skip
