"""From what was said to readings: hours, points, ranges and bounds beside the present."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from fractions import Fraction

from starebrain.kinds.readers.reading import Flag, Reading
from starebrain.kinds.readers.rules import calendar
from starebrain.kinds.readers.rules.calendar import Days
from starebrain.kinds.readers.rules.spans import Said
from starebrain.kinds.readers.rules.when import DATE_FIELDS, PM, When
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


def readings(said: Said, now: datetime, manner: Manner) -> list[Reading]:
    """All that `said` may mean at `now` (local, without zone), most likely first.

    Raises `starebrain.kinds.readers.rules.dates.Impossible` for a day that does not exist, `OverflowError` or
    `ValueError` beyond the calendar.
    """
    found = list(_SHAPES[said.shape](said, now, manner))
    return [_with(r, *said.flags, *([Flag.PAST] if past(r, now) else [])) for r in found]


def past(reading: Reading, now: datetime) -> bool:
    """Whether a reading lies before `now`; a day, or a longer stretch, only where it is over."""
    if Flag.BEFORE in reading.flags or reading.grain in (Grain.MINUTE, Grain.HOUR):
        late = reading.end if reading.end is not None and reading.flags & {Flag.BEFORE, Flag.WINDOW} else reading.start
        return late < now.replace(second=0)
    return (reading.end or reading.start) <= now


def _with(reading: Reading, *flags: Flag) -> Reading:
    return replace(reading, flags=reading.flags | set(flags)) if flags else reading


def _instant(day: date, offset: timedelta = timedelta()) -> datetime:
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


def _point(said: Said, now: datetime, manner: Manner) -> Iterable[Reading]:
    assert said.first is not None
    return point(said.first, now, manner)


def point(when: When, now: datetime, manner: Manner) -> list[Reading]:
    """The readings of one point or stretch."""
    if when.now:
        return [Reading(now, None, Grain.MINUTE)] if not when.dated else []
    if when.shift is not None and calendar.add_days(now.date(), when.shift) is None:
        return _moved(when, now, manner)
    if when.hour is not None:
        return _timed(when, now, manner)
    found = calendar.days(when, now, manner.next_first)
    if when.part is not None:
        return _parts(when, found, now)
    return [_stretch(d) for d in found]


def _stretch(days: Days) -> Reading:
    return Reading(_instant(days.start), _instant(days.end), days.grain, days.flags | {Flag.NO_TIME})


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


def moved(start: datetime, shift: Iterable[tuple[str, Fraction]]) -> datetime:
    """An instant moved by an amount; a broken year or month counts as so many days of 365 or 30."""
    for unit, n in shift:
        whole = n.numerator // n.denominator if n >= 0 else -((-n).numerator // n.denominator)
        if unit in ("year", "quarter", "month"):
            months = {"year": 12, "quarter": 3, "month": 1}[unit]
            start = datetime.combine(calendar.months_later(start.date(), whole * months), start.time())
            start += timedelta(days=float(n - whole) * 30 * months)
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
    found = [Reading(_instant(d.start, o.offset), None, o.grain, d.flags | o.flags | forced) for d in days for o in options]
    if _open(found):
        found.sort(key=lambda r: r.start.hour not in OFFICE)
    if any(Flag.FORCED in r.flags for r in found):
        found.sort(key=lambda r: (r.start < now, r.start))
    if when.weekday is not None and when.turn is None and when.weekday == now.weekday():
        found.sort(key=lambda r: r.start < now)
    return found


def _open(found: Iterable[Reading]) -> bool:
    return any(Flag.OPEN_MERIDIEM in r.flags for r in found)


def _rolling(options: list[Hour], now: datetime) -> list[Reading]:
    """A time of day alone: the next one; after it, where it is over for today, today's."""
    found, over = [], []
    for option in options:
        start = _instant(now.date(), option.offset)
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
        over = _instant(now.date(), timedelta(hours=part.last)) <= now
        start = now.date() + timedelta(1 if over else 0)
        days = [Days(start, start + timedelta(1), Grain.DAY, frozenset({Flag.ROLLED} if over else ()))]
    if any((d.end - d.start).days > 1 for d in days):
        return []
    return [
        Reading(
            _instant(d.start, timedelta(hours=part.first)),
            _instant(d.start, timedelta(hours=part.last)),
            Grain.DAY_PART,
            d.flags | flags,
        )
        for d in days
    ]


# Ranges, bounds and lengths -----------------------------------------------------------------------------------------


def _range(said: Said, now: datetime, manner: Manner) -> Iterator[Reading]:
    assert said.first is not None
    if said.length is not None:
        for start in point(said.first, now, manner):
            yield replace(start, end=moved(start.start, said.length))
        return
    assert said.last is not None
    a, b = said.first, said.last
    if (a.hour is not None or a.now) and (b.hour is not None or b.now):
        yield from _hour_range(a, b, now, manner, Flag.WINDOW in said.flags)
        return
    if a.timed != b.timed and not a.now and not b.now:
        return
    if None not in (a.month, b.month) and a.year is b.year is None and a.turn is b.turn is None:
        a = _running(a, b, now)
    if None not in (a.weekday, b.weekday) and a.turn is b.turn is None and not (a.day or b.day or a.period or b.period):
        if (a.weekday or 0) <= now.weekday() <= (b.weekday or 0):
            a, b = replace(a, period=("week", 0)), replace(b, period=("week", 0))
    if b.now and a.month is not None and a.year is None:
        a = replace(a, year=now.year - ((a.month, a.day or 1) > (now.month, now.day)))
    for start in point(a, now, manner)[:2]:
        ends = point(b, now if b.now or b.days is not None or b.shift is not None else start.start, manner)
        for end in ends[:1]:
            last = end.start if end.grain is Grain.MONTH or b.now or end.end is None else end.end
            if last > start.start:
                grain = Grain.DAY if end.grain is Grain.MINUTE or start.grain is Grain.MINUTE else start.grain
                yield Reading(start.start, last, grain, start.flags | end.flags | {Flag.NO_TIME})


def _running(a: When, b: When, now: datetime) -> When:
    """A yearless range that has begun is meant ("August to October", said in September)."""
    first, last, today = (a.month or 0, a.day or 1), (b.month or 0, b.day or 31), (now.month, now.day)
    return replace(a, year=now.year) if first <= today <= last else a


def _hour_range(a: When, b: When, now: datetime, manner: Manner, window: bool) -> Iterator[Reading]:
    """From hour to hour; a window that has begun is still the one of today."""
    starts = point(a, now, manner)
    if a.now or b.now:
        for one, other in zip(starts[:1], point(b, now, manner)[:1], strict=False):
            if other.start > one.start:
                yield replace(one, end=other.start, grain=other.grain, flags=one.flags | other.flags)
        return
    fixed = b.meridiem is not None or b.exact or (b.hour or 0) > 12 or b.part is not None
    if fixed and _open(starts):
        starts = _before_end(starts, b, manner)
    elif _open(starts):
        b = replace(b, spoken=True)
    seen = set()
    for start in starts:
        end = _end_after(start, b, now, manner)
        if end is None or (start.start, end.start) in seen:
            continue
        seen.add((start.start, end.start))
        if Flag.ROLLED in start.flags and end.start - timedelta(1) > now:
            if window:
                start, end = (replace(r, start=r.start - timedelta(1)) for r in (start, end))
                start = replace(start, flags=start.flags - {Flag.ROLLED})
            else:
                start = replace(start, flags=start.flags | {Flag.FORCED})
        open_end = Flag.OPEN_MERIDIEM in end.flags and Flag.OPEN_MERIDIEM not in start.flags
        flags = start.flags | (end.flags - {Flag.OPEN_MERIDIEM, Flag.ROLLED} if open_end else end.flags - {Flag.ROLLED})
        grain = Grain.MINUTE if Grain.MINUTE in (start.grain, end.grain) else start.grain
        yield replace(start, end=end.start, grain=grain, flags=flags)


def _before_end(starts: list[Reading], b: When, manner: Manner) -> list[Reading]:
    """Of the halves of the day for the start, the one that is nearest before the end: "from 2 to 4pm"."""
    ends = [h.offset for h in hours(replace(b, **dict.fromkeys(DATE_FIELDS)), manner)]  # type: ignore[arg-type]
    if not ends:
        return []
    kept: dict[date, Reading] = {}
    for start in starts:
        offset = start.start - datetime.combine(start.start.date(), MIDNIGHT)
        better = kept.get(start.start.date())
        if offset < ends[0] and (better is None or start.start > better.start):
            kept[start.start.date()] = start
    chosen = list(kept.values()) or starts[:1]
    return [replace(s, flags=s.flags - {Flag.OPEN_MERIDIEM}) for s in chosen]


def _end_after(start: Reading, b: When, now: datetime, manner: Manner) -> Reading | None:
    """The first end after a start: on its day or the next one, or on the day that was said of the end."""
    if b.dated:
        later = [r for r in (*point(b, now, manner), *point(b, start.start, manner)) if r.start > start.start]
        if later or b.weekday is not None:
            return min(later, key=lambda r: r.start) if later else None
        b = replace(b, **dict.fromkeys(DATE_FIELDS))  # type: ignore[arg-type]
    day = start.start.date()
    options = [
        Reading(_instant(day, h.offset + timedelta(extra)), None, h.grain, h.flags)
        for h in hours(replace(b, part=b.part if b.part is None else replace(b.part, days=None)), manner)
        for extra in (0, 1)
    ]
    later = [r for r in options if r.start > start.start]
    return min(later, key=lambda r: r.start) if later else None


def _after(said: Said, now: datetime, manner: Manner) -> Iterator[Reading]:
    assert said.first is not None
    for p in point(said.first, now, manner):
        start = p.end if said.shape == "after" and p.end is not None else p.start
        yield replace(p, start=start, end=None, flags=p.flags | {Flag.AFTER})


def _before(said: Said, now: datetime, manner: Manner) -> Iterator[Reading]:
    assert said.first is not None
    for p in point(said.first, now, manner):
        end = p.end if said.shape == "until" and p.end is not None else p.start
        start = now
        if said.first.dated and p.grain in (Grain.MINUTE, Grain.HOUR):
            start = max(start, datetime.combine(p.start.date(), MIDNIGHT))
        yield replace(p, start=min(start, end), end=end, flags=p.flags | {Flag.BEFORE})


def _length(said: Said, now: datetime, manner: Manner) -> Iterator[Reading]:
    assert said.length is not None
    start = now
    flag = Flag.WINDOW if said.shape == "within" else Flag.DURATION_ONLY
    yield Reading(start, moved(start, said.length), Grain.MINUTE, frozenset({flag, Flag.NO_TIME}))


def _rest(said: Said, now: datetime, manner: Manner) -> Iterator[Reading]:
    end = _instant(now.date() + timedelta(1))
    yield Reading(now, end, Grain.DAY_PART, frozenset({Flag.WINDOW, Flag.NO_TIME}))


def _run(said: Said, now: datetime, manner: Manner) -> Iterator[Reading]:
    """ "the next three days": whole units after the present one; hours and less from now."""
    assert said.length is not None
    flags = frozenset({Flag.WINDOW, Flag.NO_TIME})
    if len(said.length) > 1 or said.length[0][0] in ("hour", "minute", "second") or said.length[0][1].denominator > 1:
        other = moved(now, said.length)
        yield Reading(min(now, other), max(now, other), Grain.MINUTE, flags)
        return
    unit, number = said.length[0][0], int(said.length[0][1])
    if unit == "workday":
        end = calendar.workdays_later(now.date(), number) + timedelta(1)
        yield Reading(_instant(now.date() + timedelta(1)), _instant(end), Grain.DAY, flags)
        return
    first, last = (1, number) if number > 0 else (number, -1)
    start, end = calendar.whole(unit, now.date(), first)[0], calendar.whole(unit, now.date(), last)[1]
    grain = {"day": Grain.DAY, "week": Grain.WEEK}.get(unit, Grain.MONTH)
    yield Reading(_instant(start), _instant(end), grain, flags)


_SHAPES = {
    "point": _point,
    "range": _range,
    "after": _after,
    "since": _after,
    "before": _before,
    "until": _before,
    "length": _length,
    "within": _length,
    "run": _run,
    "rest": _rest,
}

