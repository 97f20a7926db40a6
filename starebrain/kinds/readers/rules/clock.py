"""Rules for times of day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starebrain.kinds.readers.rules.amounts import of_unit, parts_of
from starebrain.kinds.readers.rules.grammar import Rule
from starebrain.kinds.readers.rules.when import AM, PM, When

Values = Mapping[str, Any] | None


def at(h: int, m: int | None = None, half: str | None = None, **said: Any) -> When | None:
    """A time of day, or None where there is no such time ("13 am", 7:75); `half` is "am" or "pm"."""
    if h > 24 or (m or 0) > 59 or (h == 24 and m):
        return None
    if half is not None and (h == 0 or h > (23 if half == PM else 12)):
        return None
    return When(hour=h, minute=m, meridiem=half, **said)


def clock(when: When | None) -> Values:
    """The classes of a time of day."""
    return None if when is None else {"CLOCK": when, "WHEN": when}


def said_at(h: int, m: int | None = None, half: str | None = None) -> Values:
    """The classes of an hour, a minute and a half of the day."""
    return clock(at(h, m, half))


def _noon(h: int) -> Values:
    return clock(When(hour=h, exact=True))


def _packed(n: int, half: str | None = None) -> Values:
    return clock(at(n // 100, n % 100, half, exact=None if half else True))


def _packed_hours(n: int, unit: str) -> Values:
    return _packed(n) if unit == "hour" else None


def _packed_loosely(n: int) -> Values:
    return clock(at(n // 100, n % 100, spoken=True))


def _dotted(dotted: tuple[int, int], half: str | None = None) -> Values:
    return clock(at(*dotted, half))


def _again(c: When) -> Values:
    return clock(c)


def _with_half(c: When, half: str) -> Values:
    """A written time and am or pm."""
    if c.meridiem not in (None, half) or c.hour is None:
        return None
    fresh = at(c.hour, c.minute, half)
    return clock(fresh and replace(fresh, second=c.second, approximate=c.approximate))


def _approximate(h: int) -> Values:
    return clock(at(h, approximate=True))


def _spoken_minutes(h: int, m: int) -> Values:
    """ "three thirty", "las tres y veinte": minutes under ten are said with more words."""
    return clock(at(h, m, spoken=True)) if m > 9 or m == 5 else None


def _spoken_fives(h: int, m: int) -> Values:
    return clock(at(h, m, spoken=True)) if m > 9 and m % 5 == 0 else None


def _written_minutes(h: int, m: int) -> Values:
    return clock(at(h, m)) if m > 9 or m == 5 else None


def _full_hour(h: Any) -> When | None:
    """A full hour that was said as a number or as a time; German "halb acht" counts as one ("fünf vor halb acht")."""
    hour = h if isinstance(h, When) else at(h, spoken=True)
    if hour is None or hour.hour is None:
        return None
    return hour if not hour.minute or (hour.minute == 30 and hour.spoken) else None


def past(h: Any, m: int) -> Values:
    """So many minutes past an hour."""
    hour = _full_hour(h)
    minute = m + (hour.minute or 0) if hour else 0
    return clock(replace(hour, minute=minute)) if hour and m > 0 and minute < 60 else None


def before(h: Any, m: int) -> Values:
    """So many minutes before an hour."""
    full = _full_hour(h)
    if full is None or full.hour is None or not 0 < m < 60:
        return None
    if full.minute:
        return clock(replace(full, minute=full.minute - m)) if m < full.minute else None
    if full.meridiem is not None and full.hour == 12:
        return clock(replace(full, hour=11, minute=60 - m, meridiem=AM if full.meridiem == PM else PM))
    if full.hour in (0, 24):
        return clock(replace(full, hour=23, minute=60 - m, exact=True))
    hour = full.hour - 1 if full.hour > 1 or full.exact else 12
    return clock(replace(full, hour=hour, minute=60 - m))


def _half_to(h: int) -> Values:
    return before(h, 30)


def _quarter_of(h: int) -> Values:
    return before(h, 45)


def _three_quarters_of(h: int) -> Values:
    return before(h, 15)


def _half_past(h: int) -> Values:
    return past(h, 30)


def _quarter_before(h: Any, m: int) -> Values:
    return before(h, m) if m == 15 else None


def _minutes_past(h: Any, m: int, unit: str) -> Values:
    return past(h, m) if unit == "minute" else None


def _minutes_before(h: Any, m: int, unit: str) -> Values:
    return before(h, m) if unit == "minute" else None


def _sure_before(h: Any, m: int) -> Values:
    """ "20 to 5": no hours from 20 to 5 o'clock."""
    return before(h, m) if m > 12 and m % 5 == 0 else None


def _fives_before(h: int, m: int) -> Values:
    """ "ten to nine", where the hour comes first in no range."""
    return before(h, m) if m in (5, 10) and h < m else None


def _hours_or_clock(n: int, unit: str) -> Values:
    """ "3 h" and "7 heures" are an amount and a time of day alike."""
    amounts = of_unit(n, unit)
    hours = clock(at(n)) if unit == "hour" else None
    return None if amounts is None else {"AMOUNT": amounts} | dict(hours or {})


def _hours_or_half_past(h: int, unit: str, m: int) -> Values:
    """ "une heure et demie": half an hour past one, or an hour and a half."""
    amounts = parts_of(m, unit, h)
    return None if amounts is None or unit != "hour" else {"AMOUNT": amounts} | dict(past(h, m) or {})


CLOCKS = (
    Rule("h:(NOON)", _noon),
    Rule("n:(PACKED_CLOCK) OCLOCK? half:(AMPM)", _packed),  # 1140 a.m.
    Rule("AT n:(PACKED_CLOCK) ISH", _packed_loosely),
    Rule("AT n:(PACKED_CLOCK) OCLOCK?", _packed),
    Rule("n:(PACKED_CLOCK) OCLOCK", _packed),
    Rule("n:(PACKED_CLOCK) unit:(UNIT)", _packed_hours),  # 1530 hours
    Rule("^ n:(LEADING_ZERO) $", _packed),
    Rule("(?<=BETWEEN|FROM|THROUGH) n:(PACKED_CLOCK) (?=THROUGH|AND)", _packed),
    Rule("(?<=DASH) n:(PACKED_CLOCK) (?!DASH)", _packed),
    Rule("dotted:(DOTTED) OCLOCK? half:(AMPM)", _dotted),
    Rule("dotted:(DOTTED) OCLOCK", _dotted),
    Rule("AT dotted:(DOTTED)", _dotted),
    Rule("c:(CLOCK) OCLOCK? COMMA? half:(AMPM)", _with_half),
    Rule("c:(CLOCK) OCLOCK", _again),
    Rule("h:(HOUR) OCLOCK? half:(AMPM) AND m:(FRACTION)", said_at),  # 8 pm e meia
    Rule("h:(HOUR) OCLOCK? (?:JOIN|AND)? m:(MIN) half:(AMPM)", said_at),  # nine fifty nine a m
    Rule("h:(HOUR) OCLOCK? ISH? COMMA? half:(AMPM) ISH?", said_at),
    Rule("(?<!BETWEEN) h:(HOUR) unit:(UNIT) JOIN m:(FRACTION)", _hours_or_half_past),
    Rule("(?<!BETWEEN) h:(HOUR|CLOCK) OCLOCK? JOIN m:(FRACTION)", past),  # las siete y media
    Rule("(?<!BETWEEN) h:(HOUR) OCLOCK? JOIN m:(MIN) (?:UNIT(?!AGO))?", _spoken_minutes),
    Rule("h:(HOUR) OCLOCK LESS m:(MIN|FRACTION)", before),  # sept heures moins dix
    Rule("h:(HOUR|CLOCK) LESS m:(MIN|FRACTION)", before),
    Rule("h:(HOUR) OCLOCK m:(MIN) UNIT?", _written_minutes),  # 18 Uhr 12
    Rule("(?<=FROM|BETWEEN|UNTIL|AND|OR) h:(HOUR) m:(MIN) (?!MONTH|UNIT|SUFFIX)", _spoken_fives),
    Rule("HALF_TO h:(HOUR)", _half_to),  # halb acht
    Rule("HALF_ALONE h:(HOUR)", _half_past),  # half seven (British)
    Rule("QUARTER_OF h:(HOUR)", _quarter_of),  # viertel acht
    Rule("THREE_QUARTERS_OF h:(HOUR)", _three_quarters_of),
    Rule("A? m:(FRACTION) PAST h:(HOUR|CLOCK)", past),  # half past six
    Rule("A? m:(FRACTION) TO h:(HOUR|CLOCK)", _quarter_before),
    Rule("m:(NUM) unit:(UNIT) (?:PAST|FROM) h:(CLOCK)", _minutes_past),  # 15 minutes from 1pm
    Rule("m:(NUM) unit:(UNIT) TO h:(HOUR|CLOCK)", _minutes_before),
    Rule("m:(NUM) UNIT? PAST h:(HOUR|CLOCK) (?!UNIT)", past),
    Rule("m:(NUM) UNIT? TO_HOUR h:(CLOCK|HOUR) (?!UNIT)", before),  # zehn vor acht, quinze para as oito
    Rule("(?<!FROM|BETWEEN) m:(NUM) TO h:(CLOCK|HOUR)", _sure_before),
    Rule("(?<!FROM|BETWEEN) (?<!FROM LINK|BETWEEN LINK) m:(SPELLED) TO h:(SPELLED) (?!UNIT|AMPM)", _fives_before),
    Rule("h:(HOUR) (?!UNIT) OCLOCK", said_at),
    Rule("n:(HOUR) (?=OCLOCK) unit:(UNIT)", _hours_or_clock),
    Rule("AT h:(HOUR) m:(MIN)", _spoken_minutes),
    Rule("h:(HOUR) ISH", _approximate),
)
"""Times of day, in the order in which they are tried."""
