"""From what was said to readings: hours and points beside the present."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from starebrain.kinds.readers.reading import Flag, Reading
from starebrain.kinds.readers.rules import calendar
from starebrain.kinds.readers.rules.arithmetic import MONTHS, months_later, whole_days
from starebrain.kinds.readers.rules.calendar import Days
from starebrain.kinds.readers.rules.when import DATE_FIELDS, PM, Amount, When
from starebrain.resolution import Grain

SECONDS = {"hour": 3600, "minute": 60, "second": 1, "day": 86_400, "workday": 86_400, "week": 604_800}
WAKING, OFFICE = range(7, 22), range(7, 19)
"""Hours that are meant sooner than others where the half of the day was left open: on the present day, on another."""

MIDNIGHT = time()


@dataclass(frozen=True, slots=True)
class Manner:
    """How a locale speaks: whether it says am and pm, and whether "next Friday" is rather the one of next week."""

    twelve_hour: bool
    next_first: bool


@dataclass(frozen=True, slots=True)
class Hour:
    """A time of day as an offset from midnight of the day it was said of (24 hours and more: the day after)."""

    offset: timedelta
    grain: Grain
    flags: frozenset[Flag] = frozenset()


def past(reading: Reading, now: datetime) -> bool:
    """Whether a reading lies before `now`; a day, or a longer stretch, only where it is over."""
    if Flag.BEFORE in reading.flags or reading.grain in (Grain.MINUTE, Grain.HOUR):
        late = reading.end if reading.end is not None and reading.flags & {Flag.BEFORE, Flag.WINDOW} else reading.start
        return late < now.replace(second=0)
    return (reading.end or reading.start) <= now


def instant(day: date, offset: timedelta = timedelta()) -> datetime:
    """So long after the midnight that a day begins with."""
    return datetime.combine(day, MIDNIGHT) + offset


# Times of day -------------------------------------------------------------------------------------------------------


def hours(when: When, manner: Manner) -> list[Hour]:
    """The times of day that were said, in no order; [] where they contradict a part of the day beside them."""
    assert when.hour is not None
    grain = Grain.HOUR if when.minute is None and when.second is None else Grain.MINUTE
    found = []
    for hour, flags in _hours(when, manner):
        offset = timedelta(hours=hour, minutes=when.minute or 0, seconds=when.second or 0)
        flags = flags | ({Flag.APPROXIMATE} if when.approximate else set())
        found.append(Hour(offset, grain, frozenset(flags)))
    return found


def _hours(when: When, manner: Manner) -> Iterator[tuple[int, set[Flag]]]:
    hour, part = when.hour or 0, when.part
    if when.meridiem is not None:
        said = hour % 12 + (12 if when.meridiem == PM else 0)
        if hour > 12 and part is None:
            yield said, {Flag.FORCED}
            return
        if part is None or _fits(said, hour, part.early if said < 12 else part.late):
            yield said, set()
        elif said < 6 and when.days == 0 and part.name in ("evening", "night"):
            yield said + 24, {Flag.FORCED}
            yield said, {Flag.FORCED}
    elif hour in (0, 24) and when.exact:
        if part is not None and when.days == 0:
            yield 24, set()
        elif when.dated:
            yield 0, {Flag.FORCED}
            yield 24, {Flag.FORCED}
        else:
            yield 0, set()
    elif when.exact or hour > 12 or hour == 0:
        if part is None or part.first - 3 <= hour < part.last + 4:
            yield hour, set()
    elif part is not None:
        if hour in part.early:
            yield hour % 12, {Flag.FORCED} if hour == 12 else set()
        elif hour in part.late:
            yield hour % 12 + 12, set()
    elif manner.twelve_hour or when.spoken or hour <= 6:
        yield hour % 12, {Flag.OPEN_MERIDIEM}
        yield hour % 12 + 12, {Flag.OPEN_MERIDIEM}
    else:
        yield hour, set()


def _fits(said: int, hour: int, allowed: tuple[int, ...]) -> bool:
    return hour in allowed or said % 12 in allowed


# Points -------------------------------------------------------------------------------------------------------------


def point(when: When, now: datetime, manner: Manner) -> list[Reading]:
    """The readings of one point or stretch."""
    if when.now:
        return [Reading(now, None, Grain.MINUTE)] if not when.dated else []
    if when.shift is not None and not whole_days(when.shift):
        return _moved(when, now, manner)
    if when.hour is not None:
        return _timed(when, now, manner)
    found = calendar.days(when, now, manner.next_first)
    if when.part is not None:
        return _parts(when, found, now)
    return [_stretch(d) for d in found]


def _stretch(days: Days) -> Reading:
    return Reading(instant(days.start), instant(days.end), days.grain, days.flags | {Flag.NO_TIME})


def _moved(when: When, now: datetime, manner: Manner) -> list[Reading]:
    """An amount with hours or less (or a broken one of more) from a point, or from now."""
    assert when.shift is not None
    if any(getattr(when, n) is not None for n in (*DATE_FIELDS, "hour", "part") if n not in ("shift", "base")):
        return []
    bases = [Reading(now, None, Grain.MINUTE)] if when.base is None else point(when.base, now, manner)
    found = []
    for base in bases:
        if when.base is not None and Flag.NO_TIME in base.flags:
            return []
        start = moved(base.start, when.shift)
        flags = base.flags | ({Flag.APPROXIMATE} if when.approximate else set())
        found.append(Reading(start, None, Grain.MINUTE, flags))
    return found


def moved(start: datetime, shift: Amount) -> datetime:
    """An instant moved by an amount; a part of a month counts as that of 30 days."""
    for unit, n in shift:
        if unit in MONTHS:
            months = n * MONTHS[unit]
            full = int(months)
            start = datetime.combine(months_later(start.date(), full), start.time())
            start += timedelta(days=float(months - full) * 30)
        else:
            start += timedelta(seconds=float(n * SECONDS[unit]))
    return start


def _timed(when: When, now: datetime, manner: Manner) -> list[Reading]:
    options = hours(when, manner)
    if not when.dated:
        return _rolling(options, now)
    days = calendar.days(when, now, manner.next_first)
    if any(d.grain is not Grain.DAY or (d.end - d.start).days > 1 for d in days):
        return []
    vague = when.shift is not None and any(u in ("year", "quarter", "month") for u, _ in when.shift)
    forced = {Flag.FORCED} if vague else set()
    found = [
        Reading(instant(d.start, o.offset), None, o.grain, d.flags | o.flags | forced) for d in days for o in options
    ]
    if is_open(found):
        found.sort(key=lambda r: r.start.hour not in OFFICE)
    if any(Flag.FORCED in r.flags for r in found):
        found.sort(key=lambda r: (r.start < now, r.start))
    if when.weekday is not None and when.turn is None and when.weekday == now.weekday():
        found.sort(key=lambda r: r.start < now)
    return found


def is_open(found: Iterable[Reading]) -> bool:
    """Whether the half of the day was left open in any reading."""
    return any(Flag.OPEN_MERIDIEM in r.flags for r in found)


def _rolling(options: list[Hour], now: datetime) -> list[Reading]:
    """A time of day alone: the next one; after it, where it is over for today, today's."""
    found, over = [], []
    for option in options:
        start = instant(now.date(), option.offset)
        if start >= now.replace(second=0):
            found.append(Reading(start, None, option.grain, option.flags))
        else:
            found.append(Reading(start + timedelta(1), None, option.grain, option.flags | {Flag.ROLLED}))
            over.append(Reading(start, None, option.grain, option.flags))
    return [*sorted(found, key=lambda r: (r.start.hour not in WAKING, r.start)), *over]


def _parts(when: When, days: list[Days], now: datetime) -> list[Reading]:
    part = when.part
    assert part is not None
    flags = {Flag.NO_TIME} | ({Flag.APPROXIMATE} if when.approximate else set())
    if not when.dated:
        over = instant(now.date(), timedelta(hours=part.last)) <= now
        start = now.date() + timedelta(1 if over else 0)
        days = [Days(start, start + timedelta(1), Grain.DAY, frozenset({Flag.ROLLED} if over else ()))]
    if any((d.end - d.start).days > 1 for d in days):
        return []
    return [
        Reading(
            instant(d.start, timedelta(hours=part.first)),
            instant(d.start, timedelta(hours=part.last)),
            Grain.DAY_PART,
            d.flags | flags,
        )
        for d in days
    ]
