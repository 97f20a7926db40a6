"""The keystroke-level model by hand, and that every number has a unit and a source."""

from __future__ import annotations

from dataclasses import fields

import pytest

from starebrain.errors import InvalidInput
from starebrain.evaluate.interaction import SOURCES, Interaction

ROUND = Interaction(
    respond=1,
    prepare=2,
    point=3,
    press=4,
    home=5,
    reading=60,
    typing=30,
    suggestion_words=7,
    question_words=8,
    answer_words=9,
)
"""A word a second is read, one in two seconds is typed."""


def test_a_suggestion_is_read_judged_and_answered_with_a_button() -> None:
    assert ROUND.suggestion == 1 + 7 + 2 + 3 + 4


def test_a_question_is_read_thought_about_typed_and_sent() -> None:
    assert ROUND.question == 1 + 8 + 2 + 5 + 2 * 9 + 3 + 4


def test_every_number_has_a_unit_and_a_source_and_is_shown() -> None:
    names = [one.name for one in fields(Interaction)]
    assert list(SOURCES) == names
    assert all(unit and source for unit, source in SOURCES.values())
    rows = ROUND.rows
    assert [row[1] for row in rows[: len(names)]] == [getattr(ROUND, name) for name in names]
    assert [row[1] for row in rows[len(names) :]] == [ROUND.suggestion, ROUND.question]


@pytest.mark.parametrize("name", SOURCES)
def test_a_number_that_is_not_above_nought_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput) as error:
        Interaction(**{name: 0.0})
    assert error.value.place == name
