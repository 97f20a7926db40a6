"""What has been said of a time, on the calendar: from a `When` and the present to days."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from fractions import Fraction

from starebrain.kinds.readers.reading import Flag
from starebrain.kinds.readers.rules.dates import Impossible
from starebrain.kinds.readers.rules.holidays import HOLIDAYS, nth_weekday
from starebrain.kinds.readers.rules.when import When
from starebrain.resolution import Grain

DAY = timedelta(1)
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

    `next_first`: whether "next Friday" is rather the one of next week than the coming one. Raises `Impossible` for a day
    that does not exist.
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


def monday(of: date) -> date:
    """The Monday of a day's week."""
    return of - of.weekday() * DAY


def _week(of: date) -> Days:
    return Days(monday(of), monday(of) + 7 * DAY, Grain.WEEK)


def months_later(start: date, months: int) -> date:
    """The same day so many months later, or the last day of a shorter month."""
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    return date(year, month + 1, min(start.day, monthrange(year, month + 1)[1]))


def whole(unit: str, of: date, turn: int) -> tuple[date, date]:
    """The calendar unit `turn` units after the one that holds a day, as [start, end)."""
    if unit == "week":
        start = monday(of) + 7 * turn * DAY
        return start, start + 7 * DAY
    if unit in ("day", "workday"):
        return of + turn * DAY, of + (turn + 1) * DAY
    months = {"month": 1, "quarter": 3, "year": 12, "decade": 120}[unit]
    index = (of.year * 12 + of.month - 1) // months + turn
    return tuple(date(*_year_month(i * months), 1) for i in (index, index + 1))  # type: ignore[return-value]


def _year_month(index: int) -> tuple[int, int]:
    return index // 12, index % 12 + 1


def _period(when: When, today: date) -> list[Days]:
    assert when.period is not None
    start, end = whole(*_of(when.period, today))
    if when.weekday is not None:
        return [_day(start + when.weekday * DAY)] if when.period[0] == "week" else []
    grain = Grain.WEEK if when.period[0] == "week" else Grain.MONTH
    return [Days(start, end, grain)]


def _of(period: tuple[str, int], today: date) -> tuple[str, date, int]:
    return period[0], today, period[1]


def _month(when: When, today: date) -> list[Days]:
    assert when.month is not None
    if when.weekday is not None:
        return []
    if when.period is not None and when.period[0] == "year":
        when = replace(when, year=today.year + when.period[1], period=None)
    if when.period is not None:
        return []
    if when.year is not None:
        years = [when.year]
    elif when.turn == -1:
        years = [today.year if when.month < today.month else today.year - 1]
    elif when.turn == 0:
        years = [today.year]
    elif when.turn == 1:
        years = [today.year if when.month > today.month else today.year + 1]
    else:
        years = [today.year if when.month >= today.month else today.year + 1]
    return [Days(date(y, when.month, 1), months_later(date(y, when.month, 1), 1), Grain.MONTH) for y in years]


def _day_of_month(when: When, today: date) -> list[Days]:
    """A day that was said by its number, with whatever of month, year, weekday and period stands beside it."""
    assert when.day is not None
    if when.period is not None and when.period[0] == "month":
        start, _ = whole("month", today, when.period[1])
        when = replace(when, year=start.year, month=start.month, period=None)
    elif when.period is not None and when.period[0] == "year":
        when = replace(when, year=today.year + when.period[1], period=None)
    if when.period is not None or (when.turn is not None and when.weekday is None):
        return []
    if when.month is not None and when.year is not None:
        try:
            return _agreeing(when, [_day(date(when.year, when.month, when.day))])
        except ValueError:
            raise Impossible from None
    if when.month is not None:
        future = list(_possible((y, when.month, when.day) for y in range(today.year, today.year + 9)))
        future = [d for d in future if d >= today]
        if when.weekday is None:
            return [_day(future[0])] if future else []
        past = list(_possible((y, when.month, when.day) for y in (today.year, today.year - 1)))
        near = [d for d in (*future[:1], *past) if d.weekday() == when.weekday]
        return [_day(near[0])] if near else []
    start = date(when.year or today.year, 1 if when.year else today.month, 1)
    months = (months_later(start, i) for i in range(_FAR))
    found = [d for d in _possible((m.year, m.month, when.day) for m in months) if d >= today or when.year]
    found = [d for d in found if when.weekday in (None, d.weekday())]
    if when.weekday is not None and when.year is None:
        passed = _possible(iter([(today.year, today.month, when.day)]))
        found = [d for d in passed if d < today and d.weekday() == when.weekday] + found[:1]
        return [_day(d, *([Flag.OPEN_WEEKDAY] if len(found) > 1 else [])) for d in found]
    return [_day(found[0])] if found else []


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
        if this_week >= today:
            return [_day(this_week)]
        return [_day(coming, Flag.OPEN_WEEKDAY), _day(this_week, Flag.OPEN_WEEKDAY)]
    if when.turn == 1:
        following = this_week + 7 * DAY
        if coming == following:
            return [_day(coming)]
        both = (following, coming) if next_first else (coming, following)
        return [_day(d, Flag.OPEN_WEEKDAY) for d in both]
    if when.turn == -1:
        latest, of_last_week = today - ((-ahead) % 7 or 7) * DAY, this_week - 7 * DAY
        both = dict.fromkeys((of_last_week, latest))
        return [_day(d, *([Flag.OPEN_WEEKDAY] if len(both) > 1 else [])) for d in both]
    return [_day(this_week + 7 * when.turn * DAY, Flag.OPEN_WEEKDAY)]


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
    on = HOLIDAYS[when.holiday or ""]
    year = when.year
    if when.period is not None and when.period[0] == "year":
        year = today.year + when.period[1]
    if year is not None:
        found = on(year)
    elif when.turn == -1:
        found = next(d for d in (on(today.year), on(today.year - 1)) if d < today)
    else:
        found = next(d for d in (on(today.year), on(today.year + 1)) if d >= today)
    return _agreeing(replace(when, year=None), [_day(found)])


def _bounds(when: When, today: date) -> list[tuple[date, date]]:
    """What an ordinal counts in: a month, a year or another period."""
    if when.period is not None:
        start, end = whole(when.period[0], today, when.period[1])
        if when.month is not None:
            return (
                []
                if when.period[0] != "year"
                else [(d.start, d.end) for d in _month(replace(when, period=None, year=start.year), today)]
            )
        return [(start, end)]
    if when.month is not None:
        years = [when.year] if when.year else [today.year, today.year + 1]
        return [(date(y, when.month, 1), months_later(date(y, when.month, 1), 1)) for y in years]
    years = [when.year] if when.year else [today.year, today.year + 1]
    return [(date(y, 1, 1), date(y + 1, 1, 1)) for y in years]


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
    cuts = {"early": (0, 1), "mid": (1, 2), "late": (2, 3)}[edge]
    if 28 <= length <= 31:
        marks = (0, 10, 20, length)
    elif length == 7:
        marks = (0, 2, 4, 7)
    else:
        marks = (0, length // 3, 2 * length // 3, length)
    start = found.start
    if length > 31:
        at = [months_later(start, round(length * i / 3 / 30.4)) for i in range(3)] + [found.end]
        return Days(at[cuts[0]], at[cuts[1]], Grain.MONTH)
    return Days(start + marks[cuts[0]] * DAY, start + marks[cuts[1]] * DAY, Grain.WEEK)


def _shifted(when: When, now: datetime, next_first: bool) -> list[Days]:
    """Days that are an amount of whole days (or longer units) from a day."""
    assert when.shift is not None
    bases = [_day(now.date())] if when.base is None else days(when.base, now, next_first)
    found = []
    for base in bases:
        moved = add_days(base.start, when.shift)
        if moved is None:
            return []
        if base.grain is Grain.MONTH and all(u in ("year", "quarter", "month") for u, _ in when.shift):
            found.append(Days(moved, months_later(moved, 1), Grain.MONTH, base.flags))
        elif when.weekday is not None:
            if all(u in ("day", "workday") for u, _ in when.shift):
                return []
            found.append(_day(monday(moved) + when.weekday * DAY, *base.flags))
        else:
            found.append(_day(moved, *base.flags))
    return found


def add_days(start: date, shift: tuple[tuple[str, Fraction], ...]) -> date | None:
    """A day moved by an amount; None where the amount has hours or broken months."""
    for unit, n in shift:
        if unit in ("year", "quarter", "month"):
            months = n * {"year": 12, "quarter": 3, "month": 1}[unit]
            if months.denominator != 1:
                return None
            start = months_later(start, int(months))
        elif unit in ("week", "day"):
            number = n * (7 if unit == "week" else 1)
            if number.denominator != 1:
                return None
            start += int(number) * DAY
        elif unit == "workday":
            start = workdays_later(start, int(n))
        else:
            return None
    return start


def workdays_later(start: date, number: int) -> date:
    """So many working days (Monday to Friday) later."""
    step = DAY if number > 0 else -DAY
    for _ in range(min(abs(number), 1000)):
        start += step
        while start.weekday() > 4:
            start += step
    return start
