"""Rules that put days and times together to points, and count from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from starebrain.kinds.readers.reading import Flag
from starebrain.kinds.readers.rules.amounts import of_unit
from starebrain.kinds.readers.rules.arithmetic import whole_days
from starebrain.kinds.readers.rules.clock import said_at
from starebrain.kinds.readers.rules.dates import date
from starebrain.kinds.readers.rules.grammar import Rule
from starebrain.kinds.readers.rules.when import DATE_FIELDS, Amount, When, amount, dates_of, merged

Values = Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Said:
    """What a whole hint says: one of these shapes.

    ``point`` (`first`), ``range`` (`first` to `last`, or `first` for `length`), ``after``, ``since``, ``before`` and
    ``until`` (`first`), ``rest`` (what is left of the day), ``length`` (`length` alone), ``within`` (`length` from
    now), ``run`` (whole units of `length` after or, where it is negative, before the present one).
    """

    shape: str
    first: When | None = None
    last: When | None = None
    length: Amount | None = None
    flags: frozenset[Flag] = frozenset()


def shifted(n: Amount, sign: int, base: When | None = None) -> Values:
    """A point so far from `base`, or from now."""
    if base is not None and (base.shift is not None or base.part is not None):
        return None
    shift = tuple((unit, many * sign) for unit, many in n)
    if base is None or base.now:
        return date(When(shift=shift))
    if base.timed and base.dated and whole_days(n):
        return {"WHEN": replace(base, **dict.fromkeys(DATE_FIELDS) | {"shift": shift, "base": dates_of(base)})}
    said = When(shift=shift, base=base)
    return {"WHEN": said} if base.timed else date(said)


def _later(n: Amount, base: When | None = None) -> Values:
    return shifted(n, 1, base)


def _earlier(n: Amount, base: When | None = None) -> Values:
    return shifted(n, -1, base)


def _in(base: When, n: Amount) -> Values:
    """ "Monday in a week": a day that is not a date, and whole days."""
    loose = (base.weekday is not None or base.days is not None or base.month is not None) and base.day is None
    return _later(n, base) if loose and whole_days(n) else None


def _week_later(base: When) -> Values:
    """ "Monday week", "mardi en huit"."""
    return _later(amount({"week": Fraction(1)}), base)


def _run(turn: int, n: Amount) -> Said | None:
    """ "the next three days", "last two weeks"."""
    if abs(turn) != 1 or (len(n) != 1 and turn == 1):
        return None
    return Said("run", length=tuple((unit, many * turn) for unit, many in n))


def _run_of(n: int, turn: int, unit: str) -> Said | None:
    length = of_unit(n, unit)
    return None if length is None else _run(turn, length)


def _rest(day: When) -> Said | None:
    return Said("rest") if day == When(days=0) else None


def _within(n: Amount) -> Said:
    return Said("within", length=n)


def _week_of(day: When) -> Values:
    return date(When(week_of=day)) if day.dated and not day.timed and day.week_of is None else None


def together(a: When, b: When) -> Values:
    """Two things said of the same time."""
    joined = merged(a, b)
    if joined is None:
        return None
    return {"WHEN": joined} if joined.timed or joined.part is not None else date(joined)


def _dated_hour(day: When, h: int) -> Values:
    """ "tomorrow 3": a day that counts from today, and an hour."""
    return together(day, When(hour=h)) if day.days is not None and not day.timed and h else None


def _parted_hour(part: When, h: int) -> Values:
    """ "7 in the evening"."""
    return together(part, When(hour=h)) if not part.timed and h <= 12 else None


def _approximately(when: When) -> Values:
    return together(when, When(approximate=True))


def _until_another_day(a: When, day: When, b: When) -> Said | None:
    """ "from 2pm till tomorrow 4:30pm"."""
    last = merged(day, b)
    return None if last is None or a.dated else Said("range", a, last)


POINTS = (
    Rule("(?<!HOUR|CLOCK) AT LINK* h:(HOUR) (?!UNIT|AMOUNT|OCLOCK)", said_at),
    Rule("(?<=APPROX) h:(HOUR) (?!UNIT|AMOUNT|OCLOCK)", said_at),
    Rule("turn:(TURN) n:(AMOUNT)", _run, "SAID"),
    Rule("n:(NUM) turn:(TURN) unit:(UNIT)", _run_of, "SAID"),
    Rule("n:(AMOUNT) turn:(TURN)", _run, "SAID"),
    Rule("REST_OF LINK* day:(DATE)", _rest, "SAID"),  # later today
    Rule("WITHIN LINK* n:(AMOUNT)", _within, "SAID"),
    Rule("n:(AMOUNT) AGO", _earlier),
    Rule("(?!BEFORE) AGO_BEFORE n:(AMOUNT)", _earlier),  # il y a deux jours
    Rule("AGO_BEFORE (?!CLOCK) n:(AMOUNT)", _earlier),  # vor zwei Tagen
    Rule("n:(AMOUNT) BEFORE LINK* base:(WHEN)", _earlier),
    Rule("n:(AMOUNT) BEFORE $", _earlier),
    Rule("base:(DATE) IN n:(AMOUNT)", _in),
    Rule("base:(DATE) WEEK_LATER $", _week_later),
    Rule("IN APPROX* n:(AMOUNT) HENCE?", _later),
    Rule("n:(AMOUNT) HENCE", _later),
    Rule("^ PLUS n:(AMOUNT)", _later),
    Rule("^ DASH n:(AMOUNT)", _earlier),
    Rule("AFTER (?!CLOCK) n:(AMOUNT)", _later),
    Rule("part:(PART) LINK* COMMA? AT? APPROX? h:(HOUR) (?!UNIT|AMOUNT|THROUGH|AND|OCLOCK)", _parted_hour),
    Rule("(?<!THROUGH|AND) h:(HOUR) COMMA? LINK* part:(PART)", _parted_hour),
    Rule("(?:WEEK_NUMBER (?:LINK|STARTING)+|WEEK_OF LINK*) day:(DATE)", _week_of),
    Rule("FROM? a:(CLOCK) THROUGH LINK* day:(DATE) LINK* b:(CLOCK)", _until_another_day, "SAID"),
    Rule("a:(WHEN) (?:JOINT|APPROX)* b:(WHEN)", together),
    Rule("a:(DATE) (?:DASH|FOR) b:(CLOCK)", together),
    Rule("day:(WHEN) h:(HOUR) $", _dated_hour),
    Rule("(?<!FOR) n:(AMOUNT) (?!OF) (?:FROM|AFTER) LINK* base:(WHEN)", _later),
    Rule("base:(WHEN) PLUS n:(AMOUNT)", _later),
    Rule("base:(WHEN) DASH n:(AMOUNT)", _earlier),
    Rule("a:(WHEN) (?:JOINT|APPROX)* b:(WHEN)", together),
    Rule("(?<!TIME|YEAR) APPROX when:(WHEN)", _approximately),
    Rule("a:(WHEN) (?:JOINT|APPROX)* b:(WHEN)", together),
)
"""Points, in the order in which they are tried."""
