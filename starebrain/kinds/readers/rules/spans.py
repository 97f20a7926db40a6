"""Rules that put days and times together: points, shifts, ranges, earliest and latest times, offers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from starebrain.kinds.readers.reading import Flag
from starebrain.kinds.readers.rules.calendar import add_days
from starebrain.kinds.readers.rules.clock import at, clock
from starebrain.kinds.readers.rules.dates import SEP, date, day_of
from starebrain.kinds.readers.rules.grammar import Rule
from starebrain.kinds.readers.rules.when import DATE_FIELDS, When, amount, dates_of, merged, with_dates

Amounts = tuple[tuple[str, Fraction], ...]


@dataclass(frozen=True, slots=True)
class Said:
    """What a whole hint says: one of these shapes.

    ``point`` (`first`), ``range`` (`first` to `last`, or `first` for `length`), ``after`` and ``before`` (`first`),
    ``rest`` (what is left of the day), ``length`` (`length` alone), ``within`` (`length` from now), ``run`` (whole units of `length` after or, where it is
    negative, before the present one).
    """

    shape: str
    first: When | None = None
    last: When | None = None
    length: Amounts | None = None
    flags: frozenset[Flag] = frozenset()


def shifted(amounts: Amounts, sign: int, base: When | None = None) -> Mapping[str, Any] | None:
    """A point so far from `base`, or from now."""
    if base is not None and (base.shift is not None or base.part is not None):
        return None
    if base is not None and base.now:
        base = None
    shift = tuple((unit, n * sign) for unit, n in amounts)
    if base is not None and base.timed and base.dated and add_days(dt.date(2000, 1, 1), amounts) is not None:
        return {"WHEN": replace(base, **dict.fromkeys(DATE_FIELDS) | {"shift": shift, "base": dates_of(base)})}
    said = When(shift=shift, base=base)
    return {"WHEN": said} | ({} if base is not None and base.timed else {"DATE": said})


def _negative(amounts: Amounts) -> Amounts:
    return tuple((unit, -n) for unit, n in amounts)


def _hour(said: Any) -> When | None:
    return at(said) if isinstance(said, int) else said


def span(first: Any, last: Any) -> Said | None:
    """From one time to another; what is said of only one of them, both inherit."""
    a, b = _hour(first), _hour(last)
    if a is None or b is None or a.timed != b.timed:
        return None if a is None or b is None or not (a.now or b.now) else Said("range", a, b)
    if a.timed and b.timed and not a.now and not b.now:
        a, b = _share_part(a, b)
    if b.dated and not a.dated:
        a = with_dates(a, b)
    elif a.dated and b.dated:
        a, b = _share_dates(a, b)
    return Said("range", a, b)


def _share_part(a: When, b: When) -> tuple[When, When]:
    if a.part is None and b.part is not None and a.meridiem is None:
        a = replace(a, part=b.part)
    elif b.part is None and a.part is not None and b.meridiem is None:
        b = replace(b, part=a.part if a.part.days is None else a.part)
    return a, b


def _share_dates(a: When, b: When) -> tuple[When, When]:
    """A year, month or weekday's week said once holds for both ("10 August to 12 September 2013")."""
    if a.day is not None and b.day is not None and a.month is None and b.month is not None and a.day < b.day:
        a = replace(a, month=b.month)
    if a.day is not None and b.day is not None and b.month is None and a.month is not None:
        b = replace(b, month=a.month)
    if a.year is None and b.year is not None and a.month is not None:
        a = replace(a, year=b.year - (1 if b.month is not None and a.month > b.month else 0))
    elif b.year is None and a.year is not None and b.month is not None:
        b = replace(b, year=a.year + (1 if a.month is not None and b.month < a.month else 0))
    return a, b


def _days(first: int, last: int, month: int, year: int | None) -> Said | None:
    return Said("range", day_of(month, first, year), day_of(month, last, year)) if first < last else None


def _hyphened(a: int, b: int) -> Mapping[str, Any] | None:
    """"2-15": a month and a day where the second number is no hour of a clock face."""
    return date(When(month=a, day=b)) if 1 <= a <= 12 < b <= 31 else None


def _context(when: When, said: Said) -> Said | None:
    """A range or bound, and a day or part of the day that was said beside it."""
    if said.shape not in ("range", "after", "before") or when.timed or said.first is None:
        return None
    if said.shape != "range" and not (said.first.timed and when.dated):
        return None
    if not said.first.timed:
        return None
    first = merged(said.first, when) if not said.first.dated or when.part else None
    if first is None:
        return None
    last = said.last
    if last is not None:
        last = last if last.dated and not when.part else merged(last, when)
        if last is None:
            return None
    return replace(said, first=first, last=last)


def _lasting(when: When, length: Amounts) -> Said | None:
    return Said("range", when, None, length)


def _bound(shape: str, said: Any) -> Said | None:
    when = _hour(said)
    return None if when is None else Said(shape, when)


def _run(turn: int, length: Amounts) -> Said | None:
    if len(length) != 1 or turn == 0 or abs(turn) > 1:
        return Said("run", None, None, _negative(length)) if turn == -1 else None
    return Said("run", None, None, length if turn > 0 else _negative(length))


def _run_of(number: int, turn: int, unit: str) -> Said | None:
    from starebrain.kinds.readers.rules.clock import of_unit

    length = of_unit(number, unit)
    return None if length is None else _run(turn, length)


def _offers(a: Any, b: Any) -> tuple[Said, ...] | None:
    one = tuple(a) if isinstance(a, tuple) else (_said(a),)
    two = _said(b)
    if two is None or None in one or two.first is None:
        return None
    first, last = one[-1].first, two.first
    if first is None:
        return None
    if first.timed and not last.timed and not last.dated:
        return None
    if first.timed and last.timed and last.meridiem and not first.meridiem and not first.exact and not first.part:
        hour = first.hour or 0
        first = replace(first, meridiem=last.meridiem) if hour <= 12 else first
    if last.timed and not last.dated and first.dated:
        last = with_dates(last, first)
    if last.timed and not first.timed and first.dated and last.dated:
        first = replace(first, hour=last.hour, minute=last.minute, meridiem=last.meridiem, exact=last.exact,
                        spoken=last.spoken)  # fmt: skip
    if last.part and not first.part and first.timed and first.meridiem is None:
        first = replace(first, part=last.part)
    if first.part and not last.part and last.timed and last.meridiem is None:
        last = replace(last, part=first.part)
    if last.dated and not first.dated and first.timed and last.timed:
        first = with_dates(first, last)
    head = (*one[:-1], replace(one[-1], first=first))
    return (*head, replace(two, first=last))


def _said(value: Any) -> Said | None:
    if isinstance(value, Said):
        return value
    when = _hour(value)
    return None if when is None else Said("point", when)


def _flagged(value: Any, flag: Flag) -> Said | None:
    said = _said(value)
    return None if said is None else replace(said, flags=said.flags | {flag})


def _dated_hour(when: When, hour: int) -> Mapping[str, Any] | None:
    """ "tomorrow 3": a day that counts from today, and an hour."""
    if when.days is None or when.timed or hour == 0:
        return None
    joined = merged(when, When(hour=hour))
    return {"WHEN": joined} if joined else None


def _parted_hour(part: When, hour: int) -> Mapping[str, Any] | None:
    if part.part is None or part.timed or hour > 12:
        return None
    joined = merged(part, When(hour=hour))
    return {"WHEN": joined} if joined else None


def _together(a: When, b: When) -> Mapping[str, Any] | None:
    joined = merged(a, b)
    if joined is None:
        return None
    return {"WHEN": joined} | ({"DATE": joined} if not joined.timed and joined.part is None else {})


def _bare_time(when: When) -> bool:
    return when.timed and not when.dated


def _dash(a: Any, b: Any) -> Said | Mapping[str, Any] | None:
    """A dash between a day and a time only separates them; else it means "to"."""
    if isinstance(a, When) and isinstance(b, When) and a.dated and not a.timed and _bare_time(b):
        return None
    return span(a, b)


def _in(day: When, amounts: Amounts) -> Mapping[str, Any] | None:
    """ "Monday in a week": a day that is not a date, and whole days."""
    loose = (day.weekday is not None or day.days is not None or day.month is not None) and day.day is None
    return shifted(amounts, 1, day) if loose and add_days(dt.date(2000, 1, 1), amounts) else None


def _week_of(when: When) -> Mapping[str, Any] | None:
    return date(When(week_of=when)) if when.dated and not when.timed and when.week_of is None else None


APPROXIMATE = When(approximate=True)
THROUGH = "(?:UNTIL|DASH)"

DAY_RANGES = (
    Rule("month day", r"(?:^|(?<=WEEKDAY)) (DIGITS) HYPHEN (DIGITS) $", _hyphened, ""),
    Rule("days", rf"(?<!UNIT) (DOM|ORD) LINK* {THROUGH} LINK* (DOM|ORD) LINK* (MONTH) {SEP}* (YEAR)?", _days, "SAID"),
    Rule("days", rf"(?<=BETWEEN|LINK) (DOM|ORD) LINK* AND LINK* (DOM|ORD) LINK* (MONTH) {SEP}* (YEAR)?", _days, "SAID"),
    Rule("days", rf"(MONTH) LINK* (DOM|ORD) LINK* {THROUGH} LINK* (DOM|ORD) (?!MONTH|AMPM|OCLOCK|HYPHEN|SLASH) {SEP}* (YEAR)?",
         lambda m, a, b, y: _days(a, b, m, y), "SAID"),
)  # fmt: skip

POINTS = (
    Rule("at", r"(?<!HOUR|CLOCK) AT LINK* (HOUR) (?!UNIT|AMOUNT|OCLOCK)", lambda h: clock(at(h)), ""),
    Rule("at", r"(?<=APPROX) (HOUR) (?!UNIT|AMOUNT|OCLOCK)", lambda h: clock(at(h)), ""),
    Rule("run", r"(TURN) (AMOUNT)", _run, "SAID"),
    Rule("run", r"(NUM) (TURN) (UNIT)", _run_of, "SAID"),
    Rule("run", r"(AMOUNT) (TURN)", lambda n, t: _run(t, n), "SAID"),
    Rule("rest", r"REST_OF LINK* (DATE)", lambda w: Said("rest") if w == When(days=0) else None, "SAID"),
    Rule("within", r"WITHIN LINK* (AMOUNT)", lambda n: Said("within", length=n), "SAID"),
    Rule("shift", r"(AMOUNT) AGO", lambda n: shifted(n, -1), ""),
    Rule("shift", r"(?!BEFORE) AGO_BEFORE (AMOUNT)", lambda n: shifted(n, -1), ""),
    Rule("shift", r"AGO_BEFORE (?!CLOCK) (AMOUNT)", lambda n: shifted(n, -1), ""),
    Rule("shift", r"(AMOUNT) BEFORE LINK* (WHEN)", lambda n, w: shifted(n, -1, w), ""),
    Rule("shift", r"(AMOUNT) BEFORE $", lambda n: shifted(n, -1), ""),
    Rule("shift", r"(DATE) IN (AMOUNT)", _in, ""),
    Rule("shift", r"(DATE) WEEK_LATER $", lambda w: shifted(amount({"week": Fraction(1)}), 1, w), ""),
    Rule("shift", r"IN APPROX* (AMOUNT) HENCE?", lambda n: shifted(n, 1), ""),
    Rule("shift", r"(AMOUNT) HENCE", lambda n: shifted(n, 1), ""),
    Rule("shift", r"^PLUS (AMOUNT)", lambda n: shifted(n, 1), ""),
    Rule("shift", r"^DASH (AMOUNT)", lambda n: shifted(n, -1), ""),
    Rule("shift", r"AFTER (?!CLOCK) (AMOUNT)", lambda n: shifted(n, 1), ""),
    Rule("part hour", r"(PART) LINK* COMMA? AT? APPROX? (HOUR) (?!UNIT|AMOUNT|DASH|UNTIL|AND|OCLOCK)", _parted_hour, ""),
    Rule("part hour", r"(?<!DASH|UNTIL|AND) (HOUR) COMMA? LINK* (PART)", lambda h, p: _parted_hour(p, h), ""),
    Rule("week of", r"(?:WEEK_NUMBER (?:LINK|STARTING)+|WEEK_OF LINK*) (DATE)", _week_of, ""),
    Rule("range", rf"(?:FROM)? (CLOCK) {THROUGH} LINK* (DATE) LINK* (CLOCK)",
         lambda a, d, b: (w := merged(d, b)) and not a.dated and Said("range", a, w) or None, "SAID"),
    Rule("point", r"(WHEN) (?:LINK|COMMA|STOP|APPROX)* (WHEN)", _together, ""),
    Rule("point", r"(DATE) (?:DASH|FOR) (CLOCK)", _together, ""),
    Rule("point", r"(WHEN) (HOUR) $", _dated_hour, ""),
    Rule("shift", r"(?<!FOR) (AMOUNT) (?!OF) (?:FROM|AFTER) LINK* (WHEN)", lambda n, w: shifted(n, 1, w), ""),
    Rule("shift", r"(WHEN) PLUS (AMOUNT)", lambda w, n: shifted(n, 1, w), ""),
    Rule("shift", r"(WHEN) DASH (AMOUNT)", lambda w, n: shifted(n, -1, w), ""),
    Rule("point", r"(WHEN) (?:LINK|COMMA|STOP|APPROX)* (WHEN)", _together, ""),
    Rule("about", r"(?<!WHEN|HOUR|YEAR) APPROX (WHEN)", lambda w: _together(w, APPROXIMATE), ""),
    Rule("point", r"(WHEN) (?:LINK|COMMA|STOP|APPROX)* (WHEN)", _together, ""),
)  # fmt: skip

SPANS = (
    Rule("lasting", r"(?:FROM)? LINK* (WHEN) COMMA? FOR (AMOUNT)", _lasting, "SAID"),
    Rule("lasting", r"FOR (AMOUNT) COMMA? (?:FROM|STARTING|LINK)+ (WHEN)", lambda n, w: _lasting(w, n), "SAID"),
    Rule("between", r"BETWEEN LINK* (WHEN|HOUR) LINK* (?:AND|DASH|UNTIL) LINK* (WHEN|HOUR)",
         lambda a, b: (r := span(a, b)) and replace(r, flags=r.flags | {Flag.WINDOW}), "SAID"),
    Rule("range", r"(?:FROM)? LINK* (WHEN|HOUR) UNTIL LINK* (WHEN|HOUR)", span, "SAID"),
    Rule("range", r"(?:FROM)? LINK* (WHEN) DASH LINK* (WHEN|HOUR)", _dash, "SAID"),
    Rule("range", r"(?:FROM)? LINK* (HOUR) DASH LINK* (WHEN|HOUR)", _dash, "SAID"),
    Rule("range", r"(?:FROM|BETWEEN) LINK* (SAID)", lambda s: s if s.shape == "range" else None, "SAID"),
    Rule("offers", r"(OFFERS|WHEN|HOUR) COMMA? OR LINK* (WHEN|HOUR)", _offers, "OFFERS"),
    Rule("after", r"(WHEN) LATER", lambda w: _bound("after", w), "SAID"),
    Rule("before", r"(?:BEFORE|(?!AT|LINK) UNTIL) LINK* APPROX? (WHEN|HOUR)", lambda w: _bound("before", w), "SAID"),
    Rule("after", r"(?:AFTER|SINCE|FROM) LINK* APPROX? (WHEN|HOUR)", lambda w: _bound("after", w), "SAID"),
    Rule("context", r"(WHEN) (?:LINK|COMMA|STOP)* (SAID)", _context, "SAID"),
    Rule("context", r"(SAID) (?:LINK|COMMA|STOP)* (WHEN)", lambda s, w: _context(w, s), "SAID"),
    Rule("every", r"(?:EVERY) LINK* (SAID|WHEN)", lambda w: _flagged(w, Flag.RECURRING), "SAID"),
    Rule("every", r"(WHEN) (?:EVERY) (WHEN)", lambda a, b: (w := merged(a, b)) and _flagged(w, Flag.RECURRING), "SAID"),
    Rule("not", r"NOT LINK* (SAID|WHEN)", lambda w: _flagged(w, Flag.NEGATED), "SAID"),
    Rule("length", r"^(?!CLOCK) (AMOUNT) $", lambda n: Said("length", length=n), "SAID"),
    Rule("length", r"^FOR LINK* (AMOUNT) $", lambda n: Said("length", length=n), "SAID"),
)  # fmt: skip

__all__ = ["DAY_RANGES", "POINTS", "SPANS", "Said"]
