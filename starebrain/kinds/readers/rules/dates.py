"""Rules for days, weeks, months, years and parts of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starebrain.kinds.readers.rules.clock import at, clock
from starebrain.kinds.readers.rules.grammar import Rule
from starebrain.kinds.readers.rules.lexicon import PARTS
from starebrain.kinds.readers.rules.when import When, merged

LEAP_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
"""Days of each month in a leap year."""

PERIODS = frozenset({"week", "month", "quarter", "year", "decade"})


class Impossible(ValueError):
    """The hint names a day or an hour that does not exist, so that no reader may mend it."""


def day_of(month: int | None, day: int, year: int | None = None) -> When:
    """A day of a month; raises `Impossible` where no year has it (30 February)."""
    if not 1 <= day <= (31 if month is None else LEAP_LENGTHS[month - 1]):
        raise Impossible
    return When(year=year, month=month, day=day)


def date(when: When | None) -> Mapping[str, Any] | None:
    """The classes of a day or a longer stretch."""
    return None if when is None else {"DATE": when, "WHEN": when}


def _period(turn: int, unit: str) -> Mapping[str, Any] | None:
    unit, times = ("week", 2) if unit == "fortnight" else (unit, 1)
    if unit == "day":
        return date(When(days=turn)) if abs(turn) < 2 else None
    if unit in PERIODS and times == 1:
        return date(When(period=(unit, turn)))
    return None


def _weekday(weekday: int, turn: int | None) -> Mapping[str, Any] | None:
    return date(When(weekday=weekday, turn=turn))


def _month(month: int, turn: int | None) -> Mapping[str, Any] | None:
    return date(When(month=month, turn=turn))


def _part(turn: int, part: When) -> Any:
    """ "this morning", "last night": a part of a day near today."""
    if abs(turn) > 1 or part.days not in (None, turn):
        return None
    return replace(part, days=turn)


def _nth(number: int, weekday: int | None, unit: str | None) -> When | None:
    if unit is not None and unit not in ("day", "week", "month", "quarter"):
        return None
    return When(nth=(number, f"weekday {weekday}" if unit is None else unit))


def _nth_of(nth: When, of: When) -> Mapping[str, Any] | None:
    bounded = of.month is not None or of.period is not None or of.year is not None
    if not bounded or of.day is not None or of.weekday is not None or nth.nth is None or of.part or of.timed:
        return None
    if nth.nth[1] == "day" and nth.nth[0] > 0 and (of.month is not None or (of.period or ("", 0))[0] == "month"):
        return date(merged(of, When(day=nth.nth[0])))
    return date(merged(of, nth))


def _edge(edge: str, of: When) -> Mapping[str, Any] | None:
    if of.timed or of.part is not None or of.edge is not None:
        return None
    stretch = of.month is not None or of.period is not None or (of.year is not None and of.month is None)
    return date(replace(of, edge=edge)) if stretch and of.day is None and of.weekday is None else None


def _with_year(when: When, year: int) -> Mapping[str, Any] | None:
    said = when.month is not None or when.holiday is not None or when.nth is not None
    if when.year is not None or not said or when.period is not None:
        return None
    fresh = replace(when, year=year)
    return {"WHEN": fresh} | ({} if when.timed or when.part else {"DATE": fresh})


def _quarter(number: int, year: int | None) -> Mapping[str, Any] | None:
    return date(When(nth=(number, "quarter"), year=year)) if 1 <= number <= 4 else None


def _weekday_and_day(weekday: int, day: int) -> Mapping[str, Any] | None:
    return date(When(weekday=weekday, day=day))


def _year(year: int) -> Mapping[str, Any] | None:
    return date(When(year=year)) if 1900 <= year <= 2100 else None


SEP = "(?:DASH|SLASH|COMMA|LINK)"

DATES = (
    Rule("part", r"(?<=WEEKDAY|DAYS) (MORNING_TOO)", lambda _: PARTS["morning"], "WHEN"),
    Rule("month day", r"(ORD) COMMA? (MONTH_ORD) COMMA? $", lambda d, m: date(day_of(m, d)) if m <= 12 else None, ""),
    Rule("span_word", r"(SPAN_WORD)", lambda w: date(When(edge=w[0], period=(w[1], 0))), ""),
    Rule("month day", rf"(DOM|ORD) {SEP}? (MONTH) {SEP}? (YEAR)", lambda d, m, y: date(day_of(m, d, y)), ""),
    Rule("month day", r"(DOM|ORD) (?:HYPHEN|SLASH) (YEAR) (?:HYPHEN|SLASH) (MONTH)", lambda d, y, m: date(day_of(m, d, y)), ""),
    Rule("month day", rf"(MONTH) {SEP}? (YEAR) HYPHEN (DOM)", lambda m, y, d: date(day_of(m, d, y)), ""),
    Rule("month day", rf"(YEAR) {SEP} (MONTH) {SEP} (DOM)", lambda y, m, d: date(day_of(m, d, y)), ""),
    Rule("month day", rf"(MONTH) {SEP}? LINK? (DOM|ORD) {SEP}* (?:YEAR_WORD)? (YEAR)", lambda m, d, y: date(day_of(m, d, y)), ""),
    Rule("month day", rf"(DOM|ORD) LINK* DAY_WORD? LINK* (MONTH) {SEP}* (YY)", lambda d, m, y: date(day_of(m, d, y)), ""),
    Rule("month day", rf"(DOM) HYPHEN (MONTH) HYPHEN (LOW_YY|YY)", lambda d, m, y: date(day_of(m, d, y)), ""),
    Rule("month day", rf"(DOM|ORD) LINK* DAY_WORD? LINK* (MONTH)", lambda d, m: date(day_of(m, d)), ""),
    Rule("month day", rf"(ORD|DOM) DAY_WORD LINK+ (MONTH)", lambda d, m: date(day_of(m, d)), ""),
    Rule("month day", rf"(MONTH) {SEP}? LINK? (ORD|DOM) (?!OCLOCK|AMPM)", lambda m, d: date(day_of(m, d)), ""),
    Rule("month day", rf"(DOM|ORD) (?:OF) (MONTH_NUM) (?:OF) (YEAR)", lambda d, m, y: date(day_of(m, d, y)), ""),
    Rule("month", rf"(MONTH) {SEP}* (YEAR|YY)", lambda m, y: date(When(month=m, year=y)), ""),
    Rule("month", rf"(YEAR) {SEP}? (MONTH)", lambda y, m: date(When(month=m, year=y)), ""),
    Rule("month", rf"(YEAR) (?:DASH|SLASH) (MONTH_NUM) (?!DASH)", lambda y, m: date(When(month=m, year=y)), ""),
    Rule("month", rf"(MONTH_NUM) (?:DASH) (YEAR)", lambda m, y: date(When(month=m, year=y)), ""),
    Rule("quarter", rf"(QUARTER_NUMBER) {SEP}* (YEAR)?", _quarter, ""),
    Rule("quarter", rf"(YEAR) {SEP}* (QUARTER_NUMBER)", lambda y, q: _quarter(q, y), ""),
    Rule("half year", rf"(YEAR) {SEP}* (HALF_NUMBER)", lambda y, h: date(When(nth=(h, "half"), year=y)), ""),
    Rule("half year", rf"(HALF_NUMBER) {SEP}* (YEAR)?", lambda h, y: date(When(nth=(h, "half"), year=y)), ""),
    Rule("nth", r"(ORD) (TURN) (WEEKDAY)", lambda n, t, w: _nth(-n, w, None) if t == -1 else None, "NTH"),
    Rule("nth", r"(ORD) (TURN) (UNIT)", lambda n, t, u: _nth(-n, None, u) if t == -1 else None, "NTH"),
    Rule("nth", r"(ORD) (WEEKDAY) (?=LINK)", lambda n, w: _nth(n, w, None), "NTH"),
    Rule("nth", r"(ORD) (UNIT) (?=LINK|TURN|YEAR|UNIT)", lambda n, u: _nth(n, None, u), "NTH"),
    Rule("nth", r"(TURN) (WEEKDAY) (?=LINK+ (?:MONTH|DATE|TURN|UNIT))", lambda t, w: _nth(-1, w, None) if t == -1 else None, "NTH"),
    Rule("nth", r"(TURN) (UNIT) (?=LINK+ (?:MONTH|DATE|YEAR|UNIT|TURN))", lambda t, u: _nth(-1, None, u) if t == -1 else None, "NTH"),
    Rule("period", r"(?:THE)? (UNIT) (?:LINK)? (TURN_AFTER)", lambda u, t: _period(t, u), ""),
    Rule("weekday", r"(WEEKDAY) LINK? (TURN_AFTER)", _weekday, ""),
    Rule("weekday", r"(TURN) (WEEKDAY) (?!OF)", lambda t, w: _weekday(w, t), ""),
    Rule("weekday", r"(WEEKDAY) (TURN) (?!UNIT|NUM|PART|WEEKEND)", _weekday, ""),
    Rule("weekend", r"(TURN) (?:WEEKEND)", lambda t: date(When(weekend=True, turn=None, period=("week", t))), ""),
    Rule("weekend", r"(?:WEEKEND) (TURN) (?!UNIT)", lambda t: date(When(weekend=True, period=("week", t))), ""),
    Rule("weekend", r"LINK* WEEKEND (LINK)?", lambda _: date(When(weekend=True)), ""),
    Rule("period", r"(TURN) (UNIT)", _period, ""),
    Rule("period", r"(?<!NUM) (UNIT) (TURN) (?!UNIT|WEEKDAY)", lambda u, t: _period(t, u), ""),
    Rule("part", r"(TURN) (PART)", _part, "WHEN"),
    Rule("part", r"(PART) (TURN)", lambda p, t: _part(t, p), "WHEN"),
    Rule("month", r"(TURN) (MONTH)", lambda t, m: _month(m, t), ""),
    Rule("month", r"(MONTH) (TURN) (?!UNIT)", _month, ""),
    Rule("holiday", r"(TURN) (HOLIDAY)", lambda t, h: date(When(holiday=h, turn=t)), ""),
    Rule("holiday", r"(HOLIDAY) (TURN) (?!UNIT)", lambda h, t: date(When(holiday=h, turn=t)), ""),
    Rule("holiday", r"(HOLIDAY)", lambda h: date(When(holiday=h)), ""),
    Rule("days", r"(DAYS)", lambda n: date(When(days=n)), ""),
    Rule("month", r"(MONTH)", lambda m: date(When(month=m)), ""),
    Rule("week number", r"WEEK_NUMBER (NUM) LINK* (YEAR)?", lambda n, y: date(When(nth=(n, "week"), year=y or None, period=None if y else ("year", 0))) if n <= 53 else None, ""),
    Rule("nth of", r"(NTH) LINK* (?:THE)? (DATE)", _nth_of, ""),
    Rule("nth of", r"(NTH) LINK* (?:YEAR_WORD)? (YEAR)", lambda n, y: _nth_of(n, When(year=y)), ""),
    Rule("nth of", r"(NTH) LINK* (?:THE)? (UNIT)", lambda n, u: _nth_of(n, When(period=(u, 0))) if u in PERIODS else None, ""),
    Rule("edge", r"(EDGE) LINK* (?:THE)? (DATE|WHEN)", _edge, ""),
    Rule("edge", r"(EDGE) LINK* (?:THE)? (UNIT)", lambda e, u: date(When(edge=e, period=(u, 0))) if u in PERIODS else None, ""),
    Rule("edge", r"(EDGE) LINK* (YEAR)", lambda e, y: date(When(edge=e, year=y)), ""),
    Rule("year", r"(DATE|WHEN) LINK* COMMA? (?:IN|OF|YEAR_WORD)* (YEAR)", _with_year, ""),
    Rule("weekday day", r"(WEEKDAY) COMMA? (?:(?!AT)LINK)* (ORD)", _weekday_and_day, ""),
    Rule("weekday day", r"(WEEKDAY) (?:(?!AT)THE)? (DOM) (?!OCLOCK|AMPM|UNIT|DASH|(?!AT)UNTIL|DOM|HOUR|MIN)", _weekday_and_day, ""),
    Rule("weekday", r"(WEEKDAY)", lambda w: date(When(weekday=w)), ""),
    Rule("day", r"(ORD|DOM) LINK+ (DATE)", lambda d, of: date(merged(of, day_of(None, d))) if of.period and of.period[0] == "month" and of.edge is None else None, ""),
    Rule("day", r"DAY_MARK LINK* (DOM) (?!OCLOCK|AMPM|UNIT)", lambda d: date(day_of(None, d)), ""),
    Rule("day", r"^(DOM) (?=FROM|BETWEEN)", lambda d: date(day_of(None, d)), ""),
    Rule("day", r"(ORD) (?!UNIT|MONTH|CENTURY_WORD)", lambda d: date(day_of(None, d)), ""),
    Rule("period", r"^(?:THE|DAY_MARK)+ (UNIT) $", lambda u: _period(0, u) if u != "day" else None, ""),
    Rule("quarter", r"(?:THE|LINK)* (ORD) (UNIT) $", lambda n, u: _quarter(n, None) if u == "quarter" else None, ""),
    Rule("year", r"^(YEAR)", _year, ""),
    Rule("year", r"(?<=FROM|BETWEEN|UNTIL|DASH|AND|SINCE|AFTER|BEFORE|LINK|IN) (YEAR)", _year, ""),
    Rule("dotted", r"(?<=DATE) (DOTTED) $", lambda d: clock(at(*d)), ""),
    Rule("year", r"(?:YEAR_WORD) LINK* (YEAR)", lambda y: date(When(year=y)), ""),
)  # fmt: skip
