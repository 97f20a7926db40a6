"""Hints that lean on an event."""

from __future__ import annotations

from datetime import timedelta

import pytest

from starebrain.kinds.readers import Anchor, Relation, read
from tests.kinds.readers.cases import NOW, shown

HOUR, HALF = timedelta(hours=1), timedelta(minutes=30)
ZERO = timedelta(0)


@pytest.mark.parametrize(
    ("locale", "hint", "relation", "offset", "event"),
    [
        ("en_US", "after my standup", Relation.AFTER, None, "standup"),
        ("en_US", "before the parent-teacher conference", Relation.BEFORE, None, "parent-teacher conference"),
        ("en_US", "during yoga", Relation.DURING, None, "yoga"),
        ("en_US", "an hour before lunch with Alex", Relation.BEFORE, HOUR, "lunch with Alex"),
        ("en_US", "30 minutes after the 1:1 with Bob", Relation.AFTER, HALF, "1:1 with Bob"),
        ("en_US", "half an hour before the flight", Relation.BEFORE, HALF, "flight"),
        ("en_US", "two and a half hours after the Q3 review", Relation.AFTER, 2.5 * HOUR, "Q3 review"),
        ("en_US", "when I land", Relation.WHEN, None, "land"),
        ("en_US", "as soon as we arrive", Relation.WHEN, None, "arrive"),
        ("en_US", "the dentist appointment", Relation.AT, None, "dentist appointment"),
        ("en_US", "at my dentist appointment", Relation.AT, None, "dentist appointment"),
        ("en_US", "right after", Relation.AFTER, ZERO, ""),
        ("en_US", "right after the standup", Relation.AFTER, ZERO, "standup"),
        ("en_US", "banana", Relation.AT, None, "banana"),
        ("de_DE", "nach meinem Stand-up", Relation.AFTER, None, "Stand-up"),
        ("de_DE", "eine Stunde vor dem Mittagessen mit Alex", Relation.BEFORE, HOUR, "Mittagessen mit Alex"),
        ("de_DE", "während des Elternabends", Relation.DURING, None, "Elternabends"),
        ("de_DE", "wenn ich lande", Relation.WHEN, None, "lande"),
        ("de_DE", "direkt danach", Relation.AFTER, ZERO, ""),
        ("de_DE", "der Zahnarzttermin", Relation.AT, None, "Zahnarzttermin"),
        ("fr_FR", "après ma réunion", Relation.AFTER, None, "réunion"),
        ("fr_FR", "une heure avant le déjeuner avec Alex", Relation.BEFORE, HOUR, "déjeuner avec Alex"),
        ("fr_FR", "pendant le yoga", Relation.DURING, None, "yoga"),
        ("fr_FR", "quand j'atterris", Relation.WHEN, None, "atterris"),
        ("fr_FR", "juste après", Relation.AFTER, ZERO, ""),
        ("fr_FR", "le rendez-vous chez le dentiste", Relation.AT, None, "rendez-vous chez le dentiste"),
        ("es_ES", "después de mi reunión", Relation.AFTER, None, "reunión"),
        ("es_ES", "una hora antes del almuerzo con Alex", Relation.BEFORE, HOUR, "almuerzo con Alex"),
        ("es_ES", "durante el yoga", Relation.DURING, None, "yoga"),
        ("es_ES", "cuando aterrice", Relation.WHEN, None, "aterrice"),
        ("es_ES", "justo después", Relation.AFTER, ZERO, ""),
        ("es_ES", "la cita con el dentista", Relation.AT, None, "cita con el dentista"),
        ("pt_BR", "depois da minha reunião", Relation.AFTER, None, "reunião"),
        ("pt_BR", "uma hora antes do almoço com Alex", Relation.BEFORE, HOUR, "almoço com Alex"),
        ("pt_BR", "durante a ioga", Relation.DURING, None, "ioga"),
        ("pt_BR", "quando eu pousar", Relation.WHEN, None, "pousar"),
        ("pt_BR", "logo depois", Relation.AFTER, ZERO, ""),
        ("pt_BR", "a consulta no dentista", Relation.AT, None, "consulta no dentista"),
    ],
)
def test_an_event_is_named(locale: str, hint: str, relation: Relation, offset: timedelta | None, event: str) -> None:
    found = read(hint, NOW, locale)
    assert found.readings == ()
    assert found.anchor == Anchor(relation, offset, event)


@pytest.mark.parametrize(
    ("locale", "hint", "event", "when"),
    [
        ("en_US", "after yoga tomorrow", "yoga", "11-06 00:00/11-07 00:00 no_time"),
        ("en_US", "tomorrow after my standup", "standup", "11-06 00:00/11-07 00:00 no_time"),
        ("en_US", "the dentist appointment on Tuesday", "dentist appointment", "11-10 00:00/11-11 00:00 no_time"),
        ("en_US", "after Friday's standup", "standup", "11-06 00:00/11-07 00:00 no_time"),
        ("en_US", "meeting with Sam tomorrow at 3pm", "meeting with Sam", "11-06 15:00"),
        ("de_DE", "morgen nach dem Stand-up", "Stand-up", "11-06 00:00/11-07 00:00 no_time"),
        ("fr_FR", "après la réunion de vendredi", "réunion", "11-06 00:00/11-07 00:00 no_time"),
        ("es_ES", "después de la reunión del viernes", "reunión", "11-06 00:00/11-07 00:00 no_time"),
        ("pt_BR", "depois da reunião de sexta", "reunião", "11-06 00:00/11-07 00:00 no_time"),
    ],
)
def test_a_time_beside_the_event_is_read(locale: str, hint: str, event: str, when: str) -> None:
    anchor = read(hint, NOW, locale).anchor
    assert anchor is not None
    assert anchor.event_words == event
    assert [shown(r) for r in anchor.when][:1] == [when]


def test_a_meal_is_a_time_and_may_be_an_event() -> None:
    found = read("after lunch", NOW, "en_US")
    assert shown(found.readings[0]) == "11-05 13:00 after no_time"
    assert found.anchor == Anchor(Relation.AFTER, None, "lunch")


@pytest.mark.parametrize("hint", ["tomorrow at 3pm", "", "?!", "Feb 30 at 4pm", "before 5pm", "3"])
def test_no_event_where_none_is_named(hint: str) -> None:
    assert read(hint, NOW, "en_US").anchor is None
