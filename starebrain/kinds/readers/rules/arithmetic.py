"""Arithmetic with days, weeks, months and working days."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

from starebrain.kinds.readers.rules.when import Amount

DAY = timedelta(1)

FURTHEST = 1_000
"""Working days that are counted one by one; more are taken for as many."""

MONTHS = {"year": 12, "quarter": 3, "month": 1, "decade": 120}
"""Months of a longer unit."""

_DAYS = {"week": 7, "day": 1, "workday": 1}


def monday(of: date) -> date:
    """The Monday of a day's week."""
    return of - of.weekday() * DAY


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
    months = MONTHS[unit]
    index = (of.year * 12 + of.month - 1) // months + turn
    return date(*_year_month(index * months), 1), date(*_year_month((index + 1) * months), 1)


def _year_month(index: int) -> tuple[int, int]:
    return index // 12, index % 12 + 1


def whole_days(shift: Amount) -> bool:
    """Whether an amount has neither hours nor broken days or months."""
    return all(unit in _DAYS | MONTHS and (n * (_DAYS | MONTHS)[unit]).denominator == 1 for unit, n in shift)


def add_days(start: date, shift: Amount) -> date:
    """A day moved by an amount of `whole_days`; raises `ValueError` or `OverflowError` beyond the calendar."""
    for unit, n in shift:
        if unit in MONTHS:
            start = months_later(start, int(n * MONTHS[unit]))
        elif unit == "workday":
            start = workdays_later(start, int(n))
        else:
            start += int(n * _DAYS[unit]) * DAY
    return start


def workdays_later(start: date, number: int) -> date:
    """So many working days (Monday to Friday) later."""
    step = DAY if number > 0 else -DAY
    for _ in range(min(abs(number), FURTHEST)):
        start += step
        while start.weekday() > 4:
            start += step
    return start
