"""When readings are the same, and how support is graded."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from starebrain.kinds.readers import PROVEN, Flag, Reading, ReadingSet, Support, grade
from starebrain.kinds.readers.agreement import same, together
from starebrain.resolution import Grain

AT = datetime(2026, 11, 6, 15)
DAY = datetime(2026, 11, 6)


def reading(
    start: datetime = AT, end: datetime | None = None, grain: Grain = Grain.HOUR, by: str = "rules", **more
) -> Reading:
    return Reading(start, end, grain, readers=frozenset(by.split("+")), **more)


@pytest.mark.parametrize(
    ("one", "other", "are_same"),
    [
        (reading(), reading(grain=Grain.MINUTE), True),
        (reading(), reading(AT + timedelta(seconds=30)), True),
        (reading(), reading(AT + timedelta(minutes=1)), False),
        (reading(), reading(end=AT + timedelta(hours=1)), False),
        (reading(end=AT + timedelta(hours=1)), reading(end=AT + timedelta(hours=2)), False),
        (reading(DAY, grain=Grain.DAY), reading(DAY), False),
        (reading(DAY, DAY + timedelta(1), Grain.DAY), reading(DAY, None, Grain.DAY), True),
        (reading(DAY, DAY + timedelta(1), Grain.DAY), reading(DAY, DAY + timedelta(2), Grain.DAY), True),
        (reading(DAY, DAY + timedelta(1), Grain.DAY), reading(DAY, DAY + timedelta(3), Grain.DAY), False),
        (reading(DAY, DAY + timedelta(7), Grain.WEEK), reading(DAY + timedelta(3), None, Grain.WEEK), False),
        (
            reading(DAY + timedelta(hours=18), None, Grain.DAY_PART),
            reading(DAY + timedelta(hours=16), None, Grain.DAY_PART),
            False,
        ),
    ],
)
def test_what_is_the_same_time(one: Reading, other: Reading, are_same: bool) -> None:
    assert same(one, other) is are_same
    assert same(other, one) is are_same


def test_readings_are_merged_with_the_names_of_their_readers() -> None:
    late = reading(AT + timedelta(hours=1), by="recognizers")
    found = together([[reading(rule="clock")], [reading(by="chrono")], [late, reading(by="recognizers")]])
    assert [(r.start, sorted(r.readers), r.rule) for r in found] == [
        (AT, ["chrono", "recognizers", "rules"], "clock"),
        (late.start, ["recognizers"], ""),
    ]


PASSED = reading(AT - timedelta(7), by="chrono", flags=frozenset({Flag.PAST}))


@pytest.mark.parametrize(
    ("readings", "support"),
    [
        ((), Support.NONE),
        ((reading(by="rules+chrono"),), Support.AGREED),
        ((reading(by="chrono+recognizers"),), Support.AGREED),
        ((reading(rule="clock"),), Support.PROVEN),
        ((reading(rule="range clock"),), Support.LONE),
        ((reading(by="recognizers"),), Support.LONE),
        ((reading(by="rules+chrono"), reading(AT + timedelta(1), by="recognizers")), Support.DISPUTED),
        ((reading(by="rules+recognizers"), PASSED), Support.AGREED),
        ((reading(by="rules+chrono"), reading(AT + timedelta(1), by="rules")), Support.AGREED),
    ],
)
def test_how_support_is_graded(readings: tuple[Reading, ...], support: Support) -> None:
    best, graded = grade(ReadingSet(readings))
    assert graded is support
    assert best is (readings[0] if readings else None)


def test_proven_families_are_families() -> None:
    """A family that the rules no longer give would be proven for nothing."""
    from tests.kinds.readers.cases import by_rules

    hints = ["3pm", "at 3", "3 in the afternoon", "in 2 hours", "2026-11-09 16:00"]
    assert {by_rules(hint)[0].rule for hint in hints} == PROVEN
