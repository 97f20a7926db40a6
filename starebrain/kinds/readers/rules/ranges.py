"""From what was said to readings: ranges, bounds and lengths, and the table of all shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, time, timedelta

from starebrain.kinds.readers.reading import Flag, Reading
from starebrain.kinds.readers.rules.arithmetic import whole, workdays_later
from starebrain.kinds.readers.rules.points import Said
from starebrain.kinds.readers.rules.resolve import Manner, hours, instant, is_open, moved, past, point
from starebrain.kinds.readers.rules.when import DATE_FIELDS, When, dates_of
from starebrain.resolution import Grain

_NO_DATES = dict.fromkeys(DATE_FIELDS)


def readings(said: Said, now: datetime, manner: Manner) -> list[Reading]:
    """All that `said` may mean at `now` (local, without zone), most likely first.

    Raises `starebrain.kinds.readers.rules.dates.Impossible` for a day that does not exist, `OverflowError` or
    `ValueError` beyond the calendar.
    """
    found = (replace(r, flags=r.flags | said.flags) for r in SHAPES[said.shape](said, now, manner))
    return [replace(r, flags=r.flags | {Flag.PAST}) if past(r, now) else r for r in found]


def _point(said: Said, now: datetime, manner: Manner) -> Iterable[Reading]:
    assert said.first is not None
    return point(said.first, now, manner)


def _range(said: Said, now: datetime, manner: Manner) -> Iterable[Reading]:
    assert said.first is not None
    if said.length is not None:
        starts = point(said.first, now, manner)
        return [replace(start, end=moved(start.start, said.length)) for start in starts]
    assert said.last is not None
    a, b = said.first, said.last
    if a.timed and b.timed:
        return _from_now(a, b, now, manner) if a.now or b.now else _hours(a, b, now, manner, Flag.WINDOW in said.flags)
    return _days(*_running(a, b, now), now, manner) if a.timed == b.timed or a.now or b.now else []


def _days(a: When, b: When, now: datetime, manner: Manner) -> Iterator[Reading]:
    """From one day, week or month to another.

    Of months and years the last one is left out ("from May to September" ends on 1 September): whether it is included
    is a habit in which corpora differ, and the shorter one is that of the larger corpus.
    """
    for start in point(a, now, manner)[:2]:
        fixed = b.now or b.days is not None or b.shift is not None
        for end in point(b, now if fixed else start.start, manner)[:1]:
            last = end.start if end.grain is Grain.MONTH or b.now or end.end is None else end.end
            if last > start.start:
                grain = Grain.DAY if Grain.MINUTE in (end.grain, start.grain) else start.grain
                yield Reading(start.start, last, grain, start.flags | end.flags | {Flag.NO_TIME})


def _running(a: When, b: When, now: datetime) -> tuple[When, When]:
    """A range that has begun is meant: "August to October", said in September, "Monday to Friday", on a Tuesday."""
    today = (now.month, now.day)
    if b.now and a.month is not None and a.year is None:
        return replace(a, year=now.year - ((a.month, a.day or 1) > today)), b
    if a.turn is not None or b.turn is not None:
        return a, b
    if a.month is not None and b.month is not None and a.year is b.year is None:
        return (replace(a, year=now.year) if (a.month, a.day or 1) <= today <= (b.month, b.day or 31) else a), b
    named = a.day or b.day or a.period or b.period
    if a.weekday is not None and b.weekday is not None and not named and a.weekday <= now.weekday() <= b.weekday:
        return replace(a, period=("week", 0)), replace(b, period=("week", 0))
    return a, b


def _from_now(a: When, b: When, now: datetime, manner: Manner) -> Iterator[Reading]:
    for one, other in zip(point(a, now, manner)[:1], point(b, now, manner)[:1], strict=False):
        if other.start > one.start:
            yield replace(one, end=other.start, grain=other.grain, flags=one.flags | other.flags)


def _hours(a: When, b: When, now: datetime, manner: Manner, window: bool) -> Iterator[Reading]:
    """From hour to hour; a window that has begun is still the one of today."""
    starts = point(a, now, manner)
    if dates_of(a) == dates_of(b):
        b = replace(b, **_NO_DATES)
    if is_open(starts):
        if b.meridiem is not None or b.exact or (b.hour or 0) > 12 or b.part is not None:
            starts = _before_end(starts, b, manner)
        else:
            b = replace(b, spoken=True)
    seen = set()
    for start in starts:
        end = _end_after(start, b, now, manner)
        if end is None or (start.start, end.start) in seen:
            continue
        seen.add((start.start, end.start))
        grain = Grain.MINUTE if Grain.MINUTE in (start.grain, end.grain) else start.grain
        settled = {Flag.ROLLED} | (set() if Flag.OPEN_MERIDIEM in start.flags else {Flag.OPEN_MERIDIEM})
        reading = replace(start, end=end.start, grain=grain, flags=start.flags | (end.flags - settled))
        begun = Flag.ROLLED in start.flags and end.start - timedelta(1) > now
        yield _of_today(reading) if begun and window else _doubted(reading) if begun else reading


def _of_today(reading: Reading) -> Reading:
    assert reading.end is not None
    start, end = reading.start - timedelta(1), reading.end - timedelta(1)
    return replace(reading, start=start, end=end, flags=reading.flags - {Flag.ROLLED})


def _doubted(reading: Reading) -> Reading:
    return replace(reading, flags=reading.flags | {Flag.FORCED})


def _before_end(starts: list[Reading], b: When, manner: Manner) -> list[Reading]:
    """Of the halves of the day for the start, the one that is nearest before the end: "from 2 to 4pm"."""
    ends = [h.offset for h in hours(replace(b, **_NO_DATES), manner)]
    offsets = [s.start - datetime.combine(s.start.date(), time()) for s in starts]
    before = [offset for offset in offsets if ends and offset < ends[0]]
    chosen = max(before) if before else offsets[0] if ends else None
    return [
        replace(s, flags=s.flags - {Flag.OPEN_MERIDIEM})
        for s, offset in zip(starts, offsets, strict=True)
        if offset == chosen
    ]


def _end_after(start: Reading, b: When, now: datetime, manner: Manner) -> Reading | None:
    """The first end after a start: on its day or the next one, or on the day that was said of the end."""
    if b.dated:
        ends = [*point(b, now, manner), *point(b, start.start, manner)]
        later = [r for r in ends if r.start > start.start]
        if later or b.weekday is not None:
            return min(later, key=lambda r: r.start, default=None)
    alone = replace(b, **_NO_DATES, part=None if b.part is None else replace(b.part, days=None))
    options = (
        Reading(instant(start.start.date(), h.offset + timedelta(extra)), None, h.grain, h.flags)
        for h in hours(alone, manner)
        for extra in (0, 1)
    )
    return min((r for r in options if r.start > start.start), key=lambda r: r.start, default=None)


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
            start = max(now, datetime.combine(p.start.date(), time()))
        yield replace(p, start=min(start, end), end=end, flags=p.flags | {Flag.BEFORE})


def _length(said: Said, now: datetime, manner: Manner) -> Iterator[Reading]:
    assert said.length is not None
    flag = Flag.WINDOW if said.shape == "within" else Flag.DURATION_ONLY
    yield Reading(now, moved(now, said.length), Grain.MINUTE, frozenset({flag, Flag.NO_TIME}))


def _rest(said: Said, now: datetime, manner: Manner) -> Iterator[Reading]:
    end = instant(now.date() + timedelta(1))
    yield Reading(now, end, Grain.DAY_PART, frozenset({Flag.WINDOW, Flag.NO_TIME}))


def _run(said: Said, now: datetime, manner: Manner) -> Iterator[Reading]:
    """ "the next three days": whole units after the present one; hours and less from now."""
    assert said.length is not None
    flags = frozenset({Flag.WINDOW, Flag.NO_TIME})
    (unit, many), *more = said.length
    if more or unit in ("hour", "minute", "second") or many.denominator > 1:
        other = moved(now, said.length)
        yield Reading(min(now, other), max(now, other), Grain.MINUTE, flags)
        return
    number = int(many)
    if unit == "workday":
        end = workdays_later(now.date(), number) + timedelta(1)
        yield Reading(instant(now.date() + timedelta(1)), instant(end), Grain.DAY, flags)
        return
    first, last = (1, number) if number > 0 else (number, -1)
    start, end = whole(unit, now.date(), first)[0], whole(unit, now.date(), last)[1]
    grain = {"day": Grain.DAY, "week": Grain.WEEK}.get(unit, Grain.MONTH)
    yield Reading(instant(start), instant(end), grain, flags)


SHAPES: Mapping[str, Callable[[Said, datetime, Manner], Iterable[Reading]]] = {
    "point": _point,
    "range": _range,
    "after": _after,
    "since": _after,
    "before": _before,
    "until": _before,
    "length": _length,
    "within": _length,
    "rest": _rest,
    "run": _run,
}
"""How each shape of `Said` is resolved."""
