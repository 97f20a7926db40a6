"""Rules for days, weeks, months, years and parts of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starebrain.kinds.readers.rules.clock import at, clock
from starebrain.kinds.readers.rules.grammar import Rule
from starebrain.kinds.readers.rules.lexicon import PARTS
from starebrain.kinds.readers.rules.when import When, merged

Values = Mapping[str, Any] | None

LEAP_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
"""Days of each month in a leap year."""

PERIODS = frozenset({"week", "month", "quarter", "year", "decade"})
"""Units that the calendar divides time into, beside days."""

YEARS = range(1900, 2101)
"""Four digits that stand for a year where nothing else says so."""

LAST = -1
"""The turn of "last"."""


class Impossible(ValueError):
    """The hint names a day or an hour that does not exist, so that no reader may mend it."""


def day_of(m: int | None, d: int, y: int | None = None) -> When:
    """A day of a month; raises `Impossible` where no year has it (30 February)."""
    if not 1 <= d <= (31 if m is None else LEAP_LENGTHS[m - 1]):
        raise Impossible
    return When(year=y, month=m, day=d)


def date(when: When | None) -> Values:
    """The classes of a day or a longer stretch."""
    return None if when is None else {"DATE": when, "WHEN": when}


def _month_day(m: int, d: int, y: int | None = None) -> Values:
    return date(day_of(m, d, y))


def _day(d: int) -> Values:
    return date(day_of(None, d))


def _day_in(d: int, of: When) -> Values:
    """ "20 of this month"."""
    inside = of.period is not None and of.period[0] == "month" and of.edge is None
    return date(merged(of, day_of(None, d))) if inside else None


def _month(m: int, y: int | None = None, turn: int | None = None) -> Values:
    return date(When(month=m, year=y, turn=turn))


def _year(y: int) -> Values:
    return date(When(year=y)) if y in YEARS else None


def _named_year(y: int) -> Values:
    return date(When(year=y))


def _with_year(when: When, y: int) -> Values:
    """A day that was said without its year, and the year."""
    said = when.month is not None or when.holiday is not None or when.nth is not None
    if when.year is not None or not said or when.period is not None:
        return None
    fresh = replace(when, year=y)
    return {"WHEN": fresh} | ({} if when.timed or when.part else {"DATE": fresh})


def _quarter(q: int, y: int | None = None) -> Values:
    return date(When(nth=(q, "quarter"), year=y)) if 1 <= q <= 4 else None


def _quarter_unit(q: int, unit: str) -> Values:
    return _quarter(q) if unit == "quarter" else None


def _half_year(h: int, y: int | None = None) -> Values:
    return date(When(nth=(h, "half"), year=y))


def _week_number(n: int, y: int | None = None) -> Values:
    period = None if y else ("year", 0)
    return date(When(nth=(n, "week"), year=y, period=period)) if n <= 53 else None


def _nth_weekday(n: int, w: int) -> When:
    return When(nth=(n, f"weekday {w}"))


def _nth_unit(n: int, unit: str) -> When | None:
    return When(nth=(n, unit)) if unit in ("day", "week", "month", "quarter") else None


def _nth_last_weekday(n: int, turn: int, w: int) -> When | None:
    return _nth_weekday(-n, w) if turn == LAST else None


def _nth_last_unit(n: int, turn: int, unit: str) -> When | None:
    return _nth_unit(-n, unit) if turn == LAST else None


def _last_weekday(turn: int, w: int) -> When | None:
    return _nth_weekday(-1, w) if turn == LAST else None


def _last_unit(turn: int, unit: str) -> When | None:
    return _nth_unit(-1, unit) if turn == LAST else None


def _nth_of(nth: When, of: When) -> Values:
    """ "the first Monday of May": something counted within a month, a year or another period."""
    bounded = of.month is not None or of.period is not None or of.year is not None
    if not bounded or of.day is not None or of.weekday is not None or nth.nth is None or of.part or of.timed:
        return None
    in_month = of.month is not None or (of.period is not None and of.period[0] == "month")
    if nth.nth[1] == "day" and nth.nth[0] > 0 and in_month:
        return date(merged(of, When(day=nth.nth[0])))
    return date(merged(of, nth))


def _nth_of_year(nth: When, y: int) -> Values:
    return _nth_of(nth, When(year=y))


def _nth_of_unit(nth: When, unit: str) -> Values:
    return _nth_of(nth, When(period=(unit, 0))) if unit in PERIODS else None


def _period(turn: int, unit: str) -> Values:
    if unit == "day":
        return date(When(days=turn)) if abs(turn) < 2 else None
    return date(When(period=(unit, turn))) if unit in PERIODS else None


def _this_period(unit: str) -> Values:
    return _period(0, unit) if unit != "day" else None


def _weekday(w: int, turn: int | None = None) -> Values:
    return date(When(weekday=w, turn=turn))


def _weekday_and_day(w: int, d: int) -> Values:
    return date(When(weekday=w, day=d))


def _weekend(turn: int | None = None) -> Values:
    return date(When(weekend=True, period=None if turn is None else ("week", turn)))


def _holiday(h: str, turn: int | None = None) -> Values:
    return date(When(holiday=h, turn=turn))


def _days(n: int) -> Values:
    return date(When(days=n))


def _part(p: When, turn: int) -> When | None:
    """ "this morning", "last night": a part of a day near today."""
    return replace(p, days=turn) if abs(turn) < 2 and p.days in (None, turn) else None


def _morning(m: bool) -> When:
    return PARTS["morning"]


def _edge(e: str, of: When) -> Values:
    """ "early next week", "end of May": a third of a week, a month or more."""
    stretch = of.month is not None or of.period is not None or of.year is not None
    whole = of.day is None and of.weekday is None and of.edge is None and of.part is None and not of.timed
    return date(replace(of, edge=e)) if stretch and whole else None


def _edge_of_unit(e: str, unit: str) -> Values:
    return date(When(edge=e, period=(unit, 0))) if unit in PERIODS else None


def _edge_of_year(e: str, y: int) -> Values:
    return date(When(edge=e, year=y))


def _span_word(span: tuple[str, str]) -> Values:
    return _edge_of_unit(*span)


def _dotted_clock(dotted: tuple[int, int]) -> Values:
    return clock(at(*dotted))


DATES = (
    Rule("(?<=WEEKDAY|DAYS) m:(MORNING_TOO)", _morning, "WHEN"),  # Montag Morgen
    Rule("d:(ORD) COMMA? m:(MONTH_ORD) COMMA? $", _month_day),  # der siebte vierte
    Rule("span:(SPAN_WORD)", _span_word),
    Rule("d:(DAY) SEP? m:(MONTH) SEP? y:(YEAR)", _month_day),
    Rule("d:(DAY) (?:HYPHEN|SLASH) y:(YEAR) (?:HYPHEN|SLASH) m:(MONTH)", _month_day),
    Rule("m:(MONTH) SEP? y:(YEAR) HYPHEN d:(DOM)", _month_day),
    Rule("y:(YEAR) SEP m:(MONTH) SEP d:(DOM)", _month_day),
    Rule("m:(MONTH) SEP? LINK? d:(DAY) SEP* YEAR_WORD? y:(YEAR)", _month_day),
    Rule("d:(DAY) LINK* DAY_WORD? LINK* m:(MONTH) SEP* y:(YY)", _month_day),
    Rule("d:(DOM) HYPHEN m:(MONTH) HYPHEN y:(LOW_YY|YY)", _month_day),
    Rule("d:(DAY) LINK* DAY_WORD? LINK* m:(MONTH)", _month_day),
    Rule("m:(MONTH) SEP? LINK? d:(DAY) (?!OCLOCK|AMPM)", _month_day),
    Rule("d:(DAY) OF m:(MONTH_NUM) OF y:(YEAR)", _month_day),  # 9 de 8 de 1971
    Rule("m:(MONTH) SEP* y:(YEAR|YY)", _month),
    Rule("y:(YEAR) SEP? m:(MONTH)", _month),
    Rule("y:(YEAR) (?:DASH|SLASH) m:(MONTH_NUM) (?!DASH)", _month),
    Rule("m:(MONTH_NUM) DASH y:(YEAR)", _month),
    Rule("q:(QUARTER_NUMBER) SEP* y:(YEAR)?", _quarter),
    Rule("y:(YEAR) SEP* q:(QUARTER_NUMBER)", _quarter),
    Rule("y:(YEAR) SEP* h:(HALF_NUMBER)", _half_year),
    Rule("h:(HALF_NUMBER) SEP* y:(YEAR)?", _half_year),
    Rule("n:(ORD) turn:(TURN) w:(WEEKDAY)", _nth_last_weekday, "NTH"),
    Rule("n:(ORD) turn:(TURN) unit:(UNIT)", _nth_last_unit, "NTH"),
    Rule("n:(ORD) w:(WEEKDAY) (?=LINK)", _nth_weekday, "NTH"),
    Rule("n:(ORD) unit:(UNIT) (?=LINK|TURN|YEAR|UNIT)", _nth_unit, "NTH"),
    Rule("turn:(TURN) w:(WEEKDAY) (?=LINK+ (?:MONTH|DATE|TURN|UNIT))", _last_weekday, "NTH"),
    Rule("turn:(TURN) unit:(UNIT) (?=LINK+ (?:MONTH|DATE|YEAR|UNIT|TURN))", _last_unit, "NTH"),
    Rule("THE? unit:(UNIT) LINK? turn:(TURN_AFTER)", _period),
    Rule("w:(WEEKDAY) LINK? turn:(TURN_AFTER)", _weekday),
    Rule("turn:(TURN) w:(WEEKDAY) (?!OF)", _weekday),
    Rule("w:(WEEKDAY) turn:(TURN) (?!UNIT|NUM|PART|WEEKEND)", _weekday),
    Rule("turn:(TURN) WEEKEND", _weekend),
    Rule("WEEKEND turn:(TURN) (?!UNIT)", _weekend),
    Rule("LINK* WEEKEND LINK?", _weekend),
    Rule("turn:(TURN) unit:(UNIT)", _period),
    Rule("(?<!NUM) unit:(UNIT) turn:(TURN) (?!UNIT|WEEKDAY)", _period),
    Rule("turn:(TURN) p:(PART)", _part, "WHEN"),
    Rule("p:(PART) turn:(TURN)", _part, "WHEN"),
    Rule("turn:(TURN) m:(MONTH)", _month),
    Rule("m:(MONTH) turn:(TURN) (?!UNIT)", _month),
    Rule("turn:(TURN) h:(HOLIDAY)", _holiday),
    Rule("h:(HOLIDAY) turn:(TURN) (?!UNIT)", _holiday),
    Rule("h:(HOLIDAY)", _holiday),
    Rule("n:(DAYS)", _days),
    Rule("m:(MONTH)", _month),
    Rule("WEEK_NUMBER n:(NUM) LINK* y:(YEAR)?", _week_number),
    Rule("nth:(NTH) LINK* THE? of:(DATE)", _nth_of),
    Rule("nth:(NTH) LINK* YEAR_WORD? y:(YEAR)", _nth_of_year),
    Rule("nth:(NTH) LINK* THE? unit:(UNIT)", _nth_of_unit),
    Rule("e:(EDGE) LINK* THE? of:(DATE|WHEN)", _edge),
    Rule("e:(EDGE) LINK* THE? unit:(UNIT)", _edge_of_unit),
    Rule("e:(EDGE) LINK* y:(YEAR)", _edge_of_year),
    Rule("when:(DATE|WHEN) LINK* COMMA? (?:IN|OF|YEAR_WORD)* y:(YEAR)", _with_year),
    Rule("w:(WEEKDAY) COMMA? (?:(?!AT) LINK)* d:(ORD)", _weekday_and_day),
    Rule("w:(WEEKDAY) (?:(?!AT) THE)? d:(DOM) (?!OCLOCK|AMPM|UNIT|DASH|(?!AT) UNTIL|DOM|HOUR|MIN)", _weekday_and_day),
    Rule("w:(WEEKDAY)", _weekday),
    Rule("d:(DAY) LINK+ of:(DATE)", _day_in),
    Rule("DAY_MARK LINK* d:(DOM) (?!OCLOCK|AMPM|UNIT)", _day),  # am 5., dia 12
    Rule("^ d:(DOM) (?=FROM|BETWEEN)", _day),  # 17 from 2 to 4pm
    Rule("d:(ORD) (?!UNIT|MONTH)", _day),
    Rule("^ (?:THE|DAY_MARK)+ unit:(UNIT) $", _this_period),
    Rule("(?:THE|LINK)* q:(ORD) unit:(UNIT) $", _quarter_unit),
    Rule("^ y:(YEAR)", _year),
    Rule("(?<=FROM|BETWEEN|THROUGH|AND|SINCE|AFTER|BEFORE|LINK|IN) y:(YEAR)", _year),
    Rule("(?<=DATE) dotted:(DOTTED) $", _dotted_clock),  # 26.10.21 14.12
    Rule("YEAR_WORD LINK* y:(YEAR)", _named_year),
)
"""Days and longer stretches, in the order in which they are tried."""
