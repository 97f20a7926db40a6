"""When holidays are: the common ones of the Gregorian and Christian year, by rule and without tables of years."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta

MON, TUE, WED, THU, FRI, SAT, SUN = range(7)


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (the anonymous algorithm of Meeus, Jones and Butcher)."""
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1)


def nth_weekday(year: int, month: int, weekday: int, n: int) -> date | None:
    """The `n`-th weekday (0 Monday) of a month, counted from its end where `n` is negative; None where it has none."""
    if n > 0:
        first = date(year, month, 1)
        found = first + timedelta((weekday - first.weekday()) % 7 + 7 * (n - 1))
    else:
        last = (date(year + month // 12, month % 12 + 1, 1)) - timedelta(1)
        found = last - timedelta((last.weekday() - weekday) % 7 + 7 * (-n - 1))
    return found if found.month == month else None


def _fixed(month: int, day: int) -> Callable[[int], date]:
    return lambda year: date(year, month, day)


def _nth(month: int, weekday: int, n: int, later: int = 0) -> Callable[[int], date]:
    def on(year: int) -> date:
        found = nth_weekday(year, month, weekday, n)
        assert found is not None
        return found + timedelta(later)

    return on


def _easter(later: int) -> Callable[[int], date]:
    return lambda year: easter(year) + timedelta(later)


def _advent(weeks: int) -> Callable[[int], date]:
    """The `weeks`-th Sunday of Advent; the fourth is the last one before Christmas Day."""
    return lambda year: date(year, 12, 24) - timedelta((date(year, 12, 24).weekday() + 1) % 7 + 7 * (4 - weeks))


HOLIDAYS: Mapping[str, Callable[[int], date]] = {
    "new_year": _fixed(1, 1),
    "epiphany": _fixed(1, 6),
    "mlk": _nth(1, MON, 3),
    "groundhog": _fixed(2, 2),
    "valentine": _fixed(2, 14),
    "presidents": _nth(2, MON, 3),
    "carnival_monday": _easter(-48),
    "shrove": _easter(-47),
    "ash_wednesday": _easter(-46),
    "womens_day": _fixed(3, 8),
    "st_patrick": _fixed(3, 17),
    "palm_sunday": _easter(-7),
    "maundy_thursday": _easter(-3),
    "good_friday": _easter(-2),
    "easter": _easter(0),
    "easter_monday": _easter(1),
    "st_george": _fixed(4, 23),
    "tiradentes": _fixed(4, 21),
    "portugal_freedom": _fixed(4, 25),
    "labour_may": _fixed(5, 1),
    "victory_may": _fixed(5, 8),
    "mothers_day": _nth(5, SUN, 2),
    "memorial": _nth(5, MON, -1),
    "mothers_day_fr": lambda year: _mothers_day_fr(year),
    "mothers_day_es": _nth(5, SUN, 1),
    "ascension": _easter(39),
    "pentecost": _easter(49),
    "whit_monday": _easter(50),
    "corpus_christi": _easter(60),
    "portugal_day": _fixed(6, 10),
    "fathers_day": _nth(6, SUN, 3),
    "juneteenth": _fixed(6, 19),
    "st_john": _fixed(6, 24),
    "independence": _fixed(7, 4),
    "bastille": _fixed(7, 14),
    "assumption": _fixed(8, 15),
    "labor": _nth(9, MON, 1),
    "brazil_independence": _fixed(9, 7),
    "german_unity": _fixed(10, 3),
    "thanksgiving_de": _nth(10, SUN, 1),
    "columbus": _nth(10, MON, 2),
    "spain_day": _fixed(10, 12),
    "reformation": _fixed(10, 31),
    "halloween": _fixed(10, 31),
    "all_saints": _fixed(11, 1),
    "all_souls": _fixed(11, 2),
    "guy_fawkes": _fixed(11, 5),
    "martinmas": _fixed(11, 11),
    "veterans": _fixed(11, 11),
    "brazil_republic": _fixed(11, 15),
    "thanksgiving": _nth(11, THU, 4),
    "black_friday": _nth(11, THU, 4, 1),
    "cyber_monday": _nth(11, THU, 4, 4),
    "advent_1": _advent(1),
    "advent_2": _advent(2),
    "advent_3": _advent(3),
    "advent_4": _advent(4),
    "st_nicholas": _fixed(12, 6),
    "christmas_eve": _fixed(12, 24),
    "christmas": _fixed(12, 25),
    "boxing": _fixed(12, 26),
    "new_years_eve": _fixed(12, 31),
}
"""From the name in the words files to the day in a year (1 to 9998)."""


def _mothers_day_fr(year: int) -> date:
    """The last Sunday of May, or the first of June where that is Pentecost (French law of 24 May 1950)."""
    last = nth_weekday(year, 5, SUN, -1)
    assert last is not None
    return last + timedelta(7) if last == easter(year) + timedelta(49) else last
