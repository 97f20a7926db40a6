"""Rules for ranges, earliest and latest times, offers, recurrence and negation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starebrain.kinds.readers.reading import Flag
from starebrain.kinds.readers.rules.clock import at
from starebrain.kinds.readers.rules.dates import date, day_of
from starebrain.kinds.readers.rules.grammar import Rule
from starebrain.kinds.readers.rules.points import Said
from starebrain.kinds.readers.rules.when import Amount, When, merged, with_dates


def _time(said: Any) -> When | None:
    """A number that stands where a time does is an hour."""
    return at(said) if isinstance(said, int) else said


def _said(value: Any) -> Said | None:
    if isinstance(value, Said):
        return value
    when = _time(value)
    return None if when is None else Said("point", when)


def span(a: Any, b: Any) -> Said | None:
    """From one time to another; what is said of only one of them, both inherit."""
    first, last = _time(a), _time(b)
    if first is None or last is None:
        return None
    if first.now or last.now:
        return Said("range", first, last)
    if first.timed != last.timed:
        return None
    if first.timed:
        first, last = _share_part(first, last)
    if last.dated and not first.dated:
        first = with_dates(first, last)
    elif first.dated and last.dated:
        first, last = _share_dates(first, last)
    return Said("range", first, last)


def _share_part(a: When, b: When) -> tuple[When, When]:
    """ "from 5 to 7 in the evening"."""
    if a.part is None and b.part is not None and a.meridiem is None:
        return replace(a, part=b.part), b
    if b.part is None and a.part is not None and b.meridiem is None:
        return a, replace(b, part=a.part)
    return a, b


def _share_dates(a: When, b: When) -> tuple[When, When]:
    """A month or a year that was said once holds for both ("10 August to 12 September 2013")."""
    if a.day is not None and b.day is not None:
        if a.month is None and a.day < b.day:
            a = replace(a, month=b.month)
        elif b.month is None:
            b = replace(b, month=a.month)
    first, last = a.month, b.month
    if first is None or last is None:
        return a, b
    if a.year is None and b.year is not None:
        a = replace(a, year=b.year - (first > last))
    elif b.year is None and a.year is not None:
        b = replace(b, year=a.year + (last < first))
    return a, b


def _between(a: Any, b: Any) -> Said | None:
    said = span(a, b)
    return said and replace(said, flags=said.flags | {Flag.WINDOW})


def _dash(a: Any, b: Any) -> Said | None:
    """A dash between a day and a time only separates them; else it means "to"."""
    separates = isinstance(a, When) and isinstance(b, When) and a.dated and not a.timed and b.timed and not b.dated
    return None if separates else span(a, b)


def _days(a: int, b: int, m: int, y: int | None = None) -> Said | None:
    return Said("range", day_of(m, a, y), day_of(m, b, y)) if a < b else None


def _hyphened(m: int, d: int) -> Mapping[str, Any] | None:
    """ "2-15": a month and a day where the second number is no hour of a clock face."""
    return date(When(month=m, day=d)) if 1 <= m <= 12 < d <= 31 else None


def _only_range(said: Said) -> Said | None:
    return said if said.shape == "range" else None


def _lasting(when: When, n: Amount) -> Said:
    return Said("range", when, length=n)


def _after(when: Any) -> Said | None:
    return _bound("after", when)


def _since(when: Any) -> Said | None:
    return _bound("since", when)


def _before(when: Any) -> Said | None:
    return _bound("before", when)


def _until(when: Any) -> Said | None:
    return _bound("until", when)


def _bound(shape: str, said: Any) -> Said | None:
    when = _time(said)
    return None if when is None else Said(shape, when)


def _beside(when: When, said: Said) -> Said | None:
    """A range or bound of hours, and a day or part of the day that was said beside it."""
    if when.timed or said.first is None or not said.first.timed or (said.shape != "range" and not when.dated):
        return None
    first = merged(said.first, when) if not said.first.dated or when.part else None
    if first is None:
        return None
    last = said.last
    if last is not None and (not last.dated or when.part):
        last = merged(last, when)
        if last is None:
            return None
    return replace(said, first=first, last=last)


def _offers(a: Any, b: Any) -> tuple[Said, ...] | None:
    """ "3 or 4pm", "Tuesday or Wednesday at 3": what is said of one offer holds for the other, too."""
    head = a if isinstance(a, tuple) else (_said(a),)
    tail = _said(b)
    if tail is None or head[-1] is None or tail.first is None or head[-1].first is None:
        return None
    first, last = head[-1].first, tail.first
    if first.timed and not last.timed and not last.dated:
        return None
    if first.timed and last.timed:
        first, last = _share_part(first, last)
        if last.meridiem and not first.meridiem and not first.exact and not first.part and (first.hour or 0) <= 12:
            first = replace(first, meridiem=last.meridiem)
        if last.dated and not first.dated:
            first = with_dates(first, last)
    if last.timed and first.dated and not first.timed and last.dated:
        first = with_dates(last, first)
    if last.timed and first.dated and not last.dated:
        last = with_dates(last, first)
    return (*head[:-1], replace(head[-1], first=first), replace(tail, first=last))


def _flagged(value: Any, flag: Flag) -> Said | None:
    said = _said(value)
    return None if said is None else replace(said, flags=said.flags | {flag})


def _every(when: Any) -> Said | None:
    return _flagged(when, Flag.RECURRING)


def _time_every(a: When, b: When) -> Said | None:
    when = merged(a, b)
    return None if when is None else _every(when)


def _not(when: Any) -> Said | None:
    return _flagged(when, Flag.NEGATED)


def _length(n: Amount) -> Said:
    return Said("length", length=n)


DAY_RANGES = (
    Rule("(?:^|(?<=WEEKDAY)) m:(DIGITS) HYPHEN d:(DIGITS) $", _hyphened),
    Rule("(?<!UNIT) a:(DAY) LINK* THROUGH LINK* b:(DAY) LINK* m:(MONTH) SEP* y:(YEAR)?", _days, "SAID"),
    Rule("(?<=BETWEEN|LINK) a:(DAY) LINK* AND LINK* b:(DAY) LINK* m:(MONTH) SEP* y:(YEAR)?", _days, "SAID"),
    Rule(
        "m:(MONTH) LINK* a:(DAY) LINK* THROUGH LINK* b:(DAY) (?!MONTH|AMPM|OCLOCK|HYPHEN|SLASH) SEP* y:(YEAR)?",
        _days,
        "SAID",
    ),
)
"""Ranges of days of one month, to be tried before single days."""

SPANS = (
    Rule("FROM? LINK* when:(WHEN) COMMA? FOR n:(AMOUNT)", _lasting, "SAID"),
    Rule("FOR n:(AMOUNT) COMMA? (?:FROM|STARTING|LINK)+ when:(WHEN)", _lasting, "SAID"),
    Rule("BETWEEN LINK* a:(TIME) LINK* (?:AND|THROUGH) LINK* b:(TIME)", _between, "SAID"),
    Rule("FROM? LINK* a:(TIME) UNTIL LINK* b:(TIME)", span, "SAID"),
    Rule("FROM? LINK* a:(TIME) DASH LINK* b:(TIME)", _dash, "SAID"),
    Rule("(?:FROM|BETWEEN) LINK* said:(SAID)", _only_range, "SAID"),
    Rule("a:(OFFERS|TIME) COMMA? OR LINK* b:(TIME)", _offers, "OFFERS"),
    Rule("when:(WHEN) LATER", _since, "SAID"),
    Rule("BEFORE LINK* APPROX? when:(TIME)", _before, "SAID"),
    Rule("(?!AT|LINK) UNTIL LINK* APPROX? when:(TIME)", _until, "SAID"),
    Rule("SINCE LINK* APPROX? when:(TIME)", _since, "SAID"),
    Rule("(?:AFTER|FROM) LINK* APPROX? when:(TIME)", _after, "SAID"),
    Rule("when:(WHEN) JOINT* said:(SAID)", _beside, "SAID"),
    Rule("said:(SAID) JOINT* when:(WHEN)", _beside, "SAID"),
    Rule("EVERY LINK* when:(SAID|WHEN)", _every, "SAID"),
    Rule("a:(WHEN) EVERY b:(WHEN)", _time_every, "SAID"),
    Rule("EVERY_UNIT JOINT* when:(SAID|WHEN)", _every, "SAID"),  # daily at 8am
    Rule("when:(SAID|WHEN) JOINT* EVERY_UNIT", _every, "SAID"),
    Rule("NOT LINK* when:(SAID|WHEN)", _not, "SAID"),
    Rule("^ (?!CLOCK) n:(AMOUNT) $", _length, "SAID"),
    Rule("^ FOR LINK* n:(AMOUNT) $", _length, "SAID"),
)
"""What is not a point, in the order in which it is tried."""
