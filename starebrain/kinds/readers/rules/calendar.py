"""What has been said of a time, on the calendar: from a `When` and the present to days."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime

from starebrain.kinds.readers.reading import Flag
from starebrain.kinds.readers.rules.arithmetic import DAY, MONTHS, add_days, monday, months_later, whole
from starebrain.kinds.readers.rules.dates import Impossible
from starebrain.kinds.readers.rules.holidays import HOLIDAYS, nth_weekday
from starebrain.kinds.readers.rules.when import When
from starebrain.resolution import Grain

_FAR = 60
"""Months (or years, for 29 February: 8) that are looked through for a day that fits."""


@dataclass(frozen=True, slots=True)
class Days:
    """Days [start, end) and how precisely they were said."""

    start: date
    end: date
    grain: Grain
    flags: frozenset[Flag] = frozenset()


def days(when: When, now: datetime, next_first: bool) -> list[Days]:
    """The days that `when` may mean, most likely first; [] where it means none or contradicts itself.

    `next_first`: whether "next Friday" is rather the one of next week than the coming one. Raises `Impossible` for a
    day that does not exist.
    """
    today = now.date()
    if when.week_of is not None:
        return [_week(found.start) for found in days(when.week_of, now, next_first)[:1]]
    if when.shift is not None:
        return _shifted(when, now, next_first)
    if when.holiday is not None:
        return _holiday(when, today)
    if when.days is not None:
        return _agreeing(when, [_day(today + when.days * DAY)])
    if when.weekend:
        return _weekend(when, today)
    if when.nth is not None:
        return _nth(when, today)
    if when.edge is not None:
        return [_third(found, when.edge) for found in days(replace(when, edge=None), now, next_first)]
    if when.day is not None:
        return _day_of_month(when, today)
    if when.month is not None:
        return _month(when, today)
    if when.period is not None:
        return _period(when, today)
    if when.weekday is not None:
        return _weekday(when, now, next_first)
    if when.year is not None:
        return [Days(date(when.year, 1, 1), date(when.year + 1, 1, 1), Grain.MONTH)]
    return []


def _day(start: date, *flags: Flag) -> Days:
    return Days(start, start + DAY, Grain.DAY, frozenset(flags))


def _week(of: date) -> Days:
    return Days(monday(of), monday(of) + 7 * DAY, Grain.WEEK)


def _period(when: When, today: date) -> list[Days]:
    assert when.period is not None
    unit, turn = when.period
    start, end = whole(unit, today, turn)
    if when.weekday is not None:
        return [_day(start + when.weekday * DAY)] if unit == "week" else []
    return [Days(start, end, Grain.WEEK if unit == "week" else Grain.MONTH)]


def _with_year(when: When, today: date) -> When:
    """What was said of a year by its turn ("next year"), as that year."""
    if when.period is None or when.period[0] != "year":
        return when
    return replace(when, year=today.year + when.period[1], period=None)


def _month(when: When, today: date) -> list[Days]:
    when = _with_year(when, today)
    month, year, turn = when.month, when.year, when.turn
    if month is None or when.weekday is not None or when.period is not None:
        return []
    if year is None:
        years = {None: month < today.month, 0: 0, 1: month <= today.month, -1: -(month >= today.month)}
        year = today.year + years.get(turn, 0)
    start = date(year, month, 1)
    return [Days(start, months_later(start, 1), Grain.MONTH)]


def _day_of_month(when: When, today: date) -> list[Days]:
    """A day that was said by its number, with whatever of month, year, weekday and period stands beside it."""
    if when.period is not None and when.period[0] == "month":
        start, _ = whole("month", today, when.period[1])
        when = replace(when, year=start.year, month=start.month, period=None)
    when = _with_year(when, today)
    day, month, year = when.day, when.month, when.year
    if when.period is not None or day is None or (when.turn is not None and when.weekday is None):
        return []
    if month is None:
        return _day_of_any_month(when, day, today)
    if year is None:
        return _day_of_any_year(when, month, day, today)
    try:
        return _agreeing(when, [_day(date(year, month, day))])
    except ValueError:
        raise Impossible from None


def _day_of_any_year(when: When, month: int, day: int, today: date) -> list[Days]:
    """A day of a month: the next one; with its weekday, that of this year or the last one, too."""
    ahead = [d for d in _possible((y, month, day) for y in range(today.year, today.year + 9)) if d >= today]
    if when.weekday is None:
        return [_day(d) for d in ahead[:1]]
    behind = _possible((y, month, day) for y in (today.year, today.year - 1))
    return [_day(d) for d in (*ahead[:1], *behind) if d.weekday() == when.weekday][:1]


def _day_of_any_month(when: When, day: int, today: date) -> list[Days]:
    """A day by its number: the next one; with its weekday, that of this month, too, though it is over."""
    start = date(when.year or today.year, 1 if when.year else today.month, 1)
    months = (months_later(start, i) for i in range(_FAR))
    ahead = [d for d in _possible((m.year, m.month, day) for m in months) if d >= today or when.year]
    if when.weekday is None or when.year is not None:
        return _agreeing(when, [_day(d) for d in ahead])[:1]
    behind = [d for d in _possible(iter([(today.year, today.month, day)])) if d < today]
    matching = [d for d in behind if d.weekday() == when.weekday]
    matching += [d for d in ahead if d.weekday() == when.weekday][:1]
    return [_day(d, *([Flag.OPEN_WEEKDAY] if len(matching) > 1 else [])) for d in matching]


def _possible(parts: Iterator[tuple[int, int, int]]) -> Iterator[date]:
    for year, month, day in parts:
        if 1 <= year < 9999 and day <= monthrange(year, month)[1]:
            yield date(year, month, day)


def _agreeing(when: When, found: list[Days]) -> list[Days]:
    """Only days that are what else was said of them."""
    return [
        d
        for d in found
        if when.weekday in (None, d.start.weekday())
        and when.day in (None, d.start.day)
        and when.month in (None, d.start.month)
        and when.year in (None, d.start.year)
    ]


def _weekday(when: When, now: datetime, next_first: bool) -> list[Days]:
    """A weekday: the coming one; today where it is today and the hour is still ahead; "next" may be a week later."""
    assert when.weekday is not None
    today, ahead = now.date(), (when.weekday - now.weekday()) % 7
    coming = today + (ahead or 7) * DAY
    if when.turn is None:
        if ahead:
            return [_day(coming)]
        return [_day(today, Flag.OPEN_WEEKDAY), _day(coming, Flag.OPEN_WEEKDAY)]
    this_week = monday(today) + when.weekday * DAY
    if when.turn == 0:
        options = [this_week] if this_week >= today else [coming, this_week]
    elif when.turn == 1:
        following = this_week + 7 * DAY
        options = [following, coming] if next_first else [coming, following]
    elif when.turn == -1:
        options = [this_week - 7 * DAY, today - ((-ahead) % 7 or 7) * DAY]
    else:
        return [_day(this_week + 7 * when.turn * DAY, Flag.OPEN_WEEKDAY)]
    different = list(dict.fromkeys(options))
    return [_day(d, *([Flag.OPEN_WEEKDAY] if len(different) > 1 else [])) for d in different]


def _weekend(when: When, today: date) -> list[Days]:
    turn = when.period[1] if when.period else None
    saturday = monday(today) + 5 * DAY
    options = [saturday + 7 * (turn or 0) * DAY]
    if when.year is not None or when.month is not None or (when.period and when.period[0] != "week"):
        return []
    if turn == 1 and today.weekday() < 5:
        options.append(saturday)
    flags = frozenset({Flag.OPEN_WEEKDAY} if len(options) > 1 else ())
    return [Days(s, s + 2 * DAY, Grain.DAY, flags) for s in options]


def _holiday(when: When, today: date) -> list[Days]:
    on, year = HOLIDAYS[when.holiday or ""], _with_year(when, today).year
    if year is not None:
        found = on(year)
    elif when.turn == -1:
        found = next(d for d in (on(today.year), on(today.year - 1)) if d < today)
    else:
        found = next(d for d in (on(today.year), on(today.year + 1)) if d >= today)
    return _agreeing(replace(when, year=None), [_day(found)])


def _bounds(when: When, today: date) -> list[tuple[date, date]]:
    """What an ordinal counts in: a month, a year or another period."""
    when = _with_year(when, today)
    if when.period is not None:
        return [] if when.month is not None else [whole(when.period[0], today, when.period[1])]
    years = [when.year] if when.year else [today.year, today.year + 1]
    if when.month is None:
        return [(date(y, 1, 1), date(y + 1, 1, 1)) for y in years]
    return [(date(y, when.month, 1), months_later(date(y, when.month, 1), 1)) for y in years]


def _nth(when: When, today: date) -> list[Days]:
    assert when.nth is not None
    n, unit = when.nth
    for start, end in _bounds(when, today):
        found = _nth_within(n, unit, start, end)
        if found is not None and (found.end > today or when.year or when.period):
            return [found]
    return []


def _nth_within(n: int, unit: str, start: date, end: date) -> Days | None:
    if unit.startswith("weekday"):
        weekday = int(unit.split()[1])
        if (end - start).days > 31:
            first = (
                start + (weekday - start.weekday()) % 7 * DAY
                if n > 0
                else end - DAY - (end - DAY - weekday * DAY).weekday() * DAY
            )
            found = first + (n - 1 if n > 0 else n + 1) * 7 * DAY
            return _day(found) if start <= found < end else None
        on = nth_weekday(start.year, start.month, weekday, n)
        return None if on is None else _day(on)
    if unit == "day":
        on = start + (n - 1) * DAY if n > 0 else end + n * DAY
        return _day(on) if start <= on < end else None
    if unit == "week":
        thursday = start + (3 - start.weekday()) % 7 * DAY
        last = end - DAY - ((end - DAY).weekday() - 3) % 7 * DAY
        middle = thursday + 7 * (n - 1) * DAY if n > 0 else last + 7 * (n + 1) * DAY
        return _week(middle) if start <= middle < end else None
    months = {"month": 1, "quarter": 3, "half": 6}[unit]
    first = months_later(start, months * (n - 1)) if n > 0 else months_later(end, months * n)
    return Days(first, months_later(first, months), Grain.MONTH) if start <= first < end else None


def _third(found: Days, edge: str) -> Days:
    """The early, middle or late third; of a month its first ten days, its next ten, and the rest."""
    length = (found.end - found.start).days
    at = {"early": 0, "mid": 1, "late": 2}[edge]
    if length > 31:
        marks = [*(months_later(found.start, round(length * i / 3 / 30.4)) for i in range(3)), found.end]
        return Days(marks[at], marks[at + 1], Grain.MONTH)
    days_in = (0, 2, 4, 7) if length == 7 else (0, 10, 20, length)
    return Days(found.start + days_in[at] * DAY, found.start + days_in[at + 1] * DAY, Grain.WEEK)


def _shifted(when: When, now: datetime, next_first: bool) -> list[Days]:
    """Days that are an amount of whole days (or longer units) from a day."""
    assert when.shift is not None
    months = all(u in MONTHS for u, _ in when.shift)
    days_only = all(u in ("day", "workday") for u, _ in when.shift)
    bases = [_day(now.date())] if when.base is None else days(when.base, now, next_first)
    found = []
    for base in bases:
        moved = add_days(base.start, when.shift)
        if base.grain is Grain.MONTH and months:
            found.append(Days(moved, months_later(moved, 1), Grain.MONTH, base.flags))
        elif when.weekday is None:
            found.append(_day(moved, *base.flags))
        elif not days_only:
            found.append(_day(monday(moved) + when.weekday * DAY, *base.flags))
    return found
