"""The parts that rules are made of: patterns, words, holidays, arithmetic."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from dateutil.easter import easter as dateutil_easter
from hypothesis import given
from hypothesis import strategies as st

from starebrain.kinds.readers.rules.arithmetic import add_days, months_later, whole, whole_days, workdays_later
from starebrain.kinds.readers.rules.grammar import Node, Rule, reduced
from starebrain.kinds.readers.rules.holidays import HOLIDAYS, easter, nth_weekday
from starebrain.kinds.readers.rules.lexicon import LANGUAGES, lexicon
from starebrain.kinds.readers.rules.reader import RULES
from starebrain.kinds.readers.rules.tokens import cuts
from starebrain.kinds.readers.rules.when import amount

DAYS = st.dates(date(1900, 1, 1), date(2199, 12, 31))


def node(**values: object) -> Node:
    return Node(values, 0, 1)


def test_a_rule_replaces_what_fits_from_the_left() -> None:
    rules = (Rule("a:(NUM) PLUS b:(NUM)", lambda a, b: a + b, "NUM"),)
    row = reduced([node(NUM=1), node(PLUS=True), node(NUM=2), node(PLUS=True), node(NUM=4), node(WORD=True)], rules)
    assert [dict(n.values) for n in row] == [{"NUM": 7}, {"WORD": True}]


def test_a_rule_may_decline_and_a_group_may_be_empty() -> None:
    seen = []

    def build(n: int, y: int | None) -> None:
        seen.append((n, y))

    row = [node(NUM=1), node(YEAR=2026), node(NUM=2)]
    assert reduced(row, (Rule("n:(NUM) y:(YEAR)?", build, "DATE"),)) == row
    assert seen == [(1, 2026), (2, None)]


def test_a_group_takes_the_value_of_the_first_class_that_fits() -> None:
    rules = (Rule("d:(DOM|ORD)", lambda d: d * 10, "DAY_WORD"),)
    assert reduced([node(ORD=3, UNIT="second")], rules)[0].values == {"DAY_WORD": 30}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_words_that_rules_need(language: str) -> None:
    known = {name for values in lexicon(language).phrases.values() for name in values}
    needed = {"WEEKDAY", "MONTH", "UNIT", "DAYS", "TURN", "PART", "NOON", "EDGE", "FRACTION", "HOLIDAY", "MEAL", "NOW"}
    needed |= {"AT", "LINK", "AND", "OR", "NOT", "EVERY", "FROM", "UNTIL", "BETWEEN", "BEFORE", "AFTER", "SINCE", "FOR"}
    needed |= {"IN", "WITHIN", "DURING", "WHEN_EVENT", "RIGHT", "APPROX", "STOP", "WEEKEND", "REST_OF", "OCLOCK"}
    assert needed <= known
    weekdays = {v["WEEKDAY"] for v in lexicon(language).phrases.values() if "WEEKDAY" in v}
    assert weekdays == set(range(7))
    assert {v["MONTH"] for v in lexicon(language).phrases.values() if "MONTH" in v} == set(range(1, 13))


def test_every_class_of_a_words_file_is_used() -> None:
    """A class that no rule and no guard names would be a word with a meaning that nobody reads."""
    import re
    from pathlib import Path

    folder = Path(__file__).parents[3] / "starebrain" / "kinds" / "readers"
    code = "\n".join(path.read_text() for path in folder.rglob("*.py"))
    named = set(re.findall(r"[A-Z][A-Z_]*", code))
    for language in LANGUAGES:
        assert {name for values in lexicon(language).phrases.values() for name in values} <= named


def test_rules_are_all_of_known_shape() -> None:
    assert all(rule.pattern and callable(rule.build) for rule in RULES)


@pytest.mark.parametrize(
    ("language", "text", "classes"),
    [
        ("en", "3pm", ["HOUR", "AMPM"]),
        ("en", "3 p. m.", ["HOUR", "AMPM"]),
        ("en", "9a", ["HOUR", "AMPM"]),
        ("de", "am", ["DAY_MARK"]),
        ("en", "12:30:45", ["CLOCK"]),
        ("en", "15h30", ["CLOCK"]),
        ("en", "2026-11-09T16:00", ["DATE", "CLOCK"]),
        ("en", "week-end", ["WEEKEND"]),
        ("en", "３:３０ pm", ["CLOCK", "AMPM"]),
        ("en", "twenty-second", ["ORD"]),
        ("de", "einundzwanzigsten", ["ORD"]),
        ("de", "5. Mai", ["ORD", "MONTH"]),
        ("de", "uebermorgen", ["DAYS"]),
        ("fr", "aujourd’hui", ["DAYS"]),
        ("fr", "l'après-midi", ["PART"]),
        ("es", "MIÉRCOLES", ["WEEKDAY"]),
        ("pt", "terca feira", ["WEEKDAY"]),
        ("en", "tel 138-2010-2015", ["WORD", "NUM"]),
    ],
)
def test_how_a_hint_is_cut(language: str, text: str, classes: list[str]) -> None:
    nodes = cuts(text, language, language == "en")
    assert [name for name, n in zip(classes, nodes, strict=False) if name in n.values] == classes
    assert all(text[n.start : n.end].strip() for n in nodes)


@given(st.integers(1900, 2199))
def test_easter_is_that_of_dateutil(year: int) -> None:
    assert easter(year) == dateutil_easter(year)


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("mlk", date(2026, 1, 19)),
        ("presidents", date(2026, 2, 16)),
        ("good_friday", date(2026, 4, 3)),
        ("memorial", date(2026, 5, 25)),
        ("ascension", date(2026, 5, 14)),
        ("whit_monday", date(2026, 5, 25)),
        ("corpus_christi", date(2026, 6, 4)),
        ("mothers_day", date(2026, 5, 10)),
        ("mothers_day_fr", date(2026, 5, 31)),
        ("labor", date(2026, 9, 7)),
        ("thanksgiving_de", date(2026, 10, 4)),
        ("thanksgiving", date(2026, 11, 26)),
        ("black_friday", date(2026, 11, 27)),
        ("advent_1", date(2026, 11, 29)),
        ("advent_4", date(2026, 12, 20)),
    ],
)
def test_when_holidays_are(name: str, day: date) -> None:
    assert HOLIDAYS[name](2026) == day


def test_the_french_mothers_day_makes_way_for_pentecost() -> None:
    assert HOLIDAYS["pentecost"](2023) == date(2023, 5, 28)
    assert HOLIDAYS["mothers_day_fr"](2023) == date(2023, 6, 4)


@given(DAYS, st.integers(0, 6), st.sampled_from([1, 2, 3, 4, 5, -1, -2]))
def test_the_nth_weekday_is_counted_in_its_month(day: date, weekday: int, n: int) -> None:
    of_month = [d for d in (date(day.year, day.month, i) for i in range(1, 29)) if d.weekday() == weekday]
    found = nth_weekday(day.year, day.month, weekday, n)
    if found is None:
        assert n == 5
    else:
        assert (found.weekday(), found.month) == (weekday, day.month)
        if 1 <= n <= 4:
            assert found == of_month[n - 1]


@given(DAYS, st.integers(-500, 500))
def test_months_later_keeps_the_day_or_takes_the_last(day: date, months: int) -> None:
    later = months_later(day, months)
    assert (later.year * 12 + later.month) - (day.year * 12 + day.month) == months
    assert later.day == day.day or (later.day < day.day and (later.replace(day=28) - later).days <= 0)


@given(DAYS, st.sampled_from(["week", "month", "quarter", "year", "decade", "day"]), st.integers(-20, 20))
def test_units_follow_each_other_without_a_gap(day: date, unit: str, turn: int) -> None:
    start, end = whole(unit, day, turn)
    assert whole(unit, day, turn + 1)[0] == end
    first, last = whole(unit, day, 0)
    assert first <= day < last
    assert start < end


@given(DAYS, st.integers(-300, 300))
def test_workdays_are_no_weekends(day: date, number: int) -> None:
    found = workdays_later(day, number)
    assert number == 0 or found.weekday() < 5
    if abs(number) % 5 == 0 and day.weekday() < 5:
        assert (found - day).days == number // 5 * 7


def test_amounts_of_whole_days() -> None:
    week_and_half = amount({"week": Fraction(3, 2)})
    assert not whole_days(week_and_half)
    assert not whole_days(amount({"hour": Fraction(1)}))
    assert add_days(date(2026, 1, 31), amount({"month": Fraction(1), "day": Fraction(1)})) == date(2026, 3, 1)
    assert whole_days(amount({"year": Fraction(1, 2)}))
    assert add_days(date(2026, 1, 31), amount({"year": Fraction(1, 2)})) == date(2026, 7, 31)
