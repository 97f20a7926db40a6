"""Sorts of hints that phones hold traps for, each by literal cases on small phones."""

from __future__ import annotations

import pytest

from starebrain.device import Calendar, Contact, Event, Owner, SavedLocation
from starebrain.resolution import key_of
from tests.resolve.test_evidence import HIGH, LOW, MEDIUM, NOW, offered, person, phone
from tests.resolve.test_evidence import ask as asked

CROWD = tuple(person(f"x{n}", f"Xq{n} Zv{n}") for n in range(20))


def people(*contacts: Contact) -> object:
    return phone(*contacts, *CROWD, owner=Owner("Me", ("me@initech.example",)))


FAMILY = people(
    person("mum", "Ursula Brandt", relation="mother"),
    person("law", "Inge Hartmann", relation="mother-in-law"),
    person("brother", "Kurt Hartmann", relation="brother_in_law"),
    person("step", "Gary Stone", relation="step father"),
    person("gran", "Vó Rosa"),
    person("fiance", "Pia Lund", relation="fiancée"),
)


@pytest.mark.parametrize(
    ("hint", "meant"),
    [
        ("my mother", "mum"),
        ("my mother in law", "law"),
        ("meine Schwiegermutter", "law"),
        ("mi suegra", "law"),
        ("ma belle-mère", "law"),
        ("mon beau-frère", "brother"),
        ("my stepdad", "step"),
        ("minha avó", "gran"),
        ("mi prometida", "fiance"),
    ],
)
def test_relations_in_several_words_are_relations_of_their_own(hint: str, meant: str) -> None:
    got = asked(FAMILY, "contact", hint)  # type: ignore[arg-type]
    assert got.confidence in {HIGH, MEDIUM}
    assert offered(got)[0] == meant
    assert asked(FAMILY, "contact", "mon frère").confidence is not HIGH  # type: ignore[arg-type]


TRAPS = people(
    person("lars", "Lars", times_contacted=200),
    person("larson", "Larson Webb", times_contacted=1),
    person("olga1", "Jörg Böhm"),
    person("olga2", "Joerg Boehm", phones=("+49 30 1234567",)),
    person("maier", "Maier, Karl-Heinz"),
    person("doc", "Dr Fischer"),
    person("fischer", "Nora Fischer"),
    person("daniel", "Daniel Costa", phones=("+44 20 7946 0000",)),
    person("daniela", "Daniela Costa", phones=("+44 20 7946 0000",)),
    person("neil", "Maeve O'Sullivan"),
    person("mail", "Initech Desk", emails=("desk@other.example",)),
)


@pytest.mark.parametrize(
    ("hint", "meant"),
    [
        ("Larson", "larson"),
        ("Lars", "lars"),
        ("Dr Fischer", "doc"),
        ("maeve o sullivan", "neil"),
        ("Karl-Heinz Maier", "maier"),
        ("030 1234567", "olga2"),
        ("0049 30 1234567", "olga2"),
    ],
)
def test_who_has_the_very_words_is_meant(hint: str, meant: str) -> None:
    got = asked(TRAPS, "contact", hint)  # type: ignore[arg-type]
    assert got.confidence in {HIGH, MEDIUM}
    assert offered(got)[0] == meant


@pytest.mark.parametrize(
    ("hint", "all_of"),
    [
        ("Jörg Böhm", {"olga1", "olga2"}),
        ("Joerg Boehm", {"olga1", "olga2"}),
        ("Jorg Bohm", {"olga1", "olga2"}),
        ("Costa", {"daniel", "daniela"}),
        ("+44 20 7946 0000", {"daniel", "daniela"}),
    ],
)
def test_who_cannot_be_told_apart_is_never_silent(hint: str, all_of: set[str]) -> None:
    got = asked(TRAPS, "contact", hint)  # type: ignore[arg-type]
    assert got.confidence in {MEDIUM, LOW}
    assert all_of <= set(offered(got))


def test_an_address_that_nobody_has_is_nobodys() -> None:
    assert asked(TRAPS, "contact", "initech.desk@initech.example").value is None  # type: ignore[arg-type]


PLACES = phone(
    person("amy", "Amy", relation="sister", addresses=("3 Oak Lane, Leeds",)),
    saved_locations=(
        SavedLocation("amys", "Amy's cottage", "3 Oak Lane, Leeds"),
        SavedLocation("tooth", "Pearl Dental", "9 High Street, Leeds"),
        SavedLocation("brew", "Black Cat Coffee", "11 Low Street, Leeds"),
        SavedLocation("work", "Arbeit", "Gartenstr. 7, Bonn"),
        SavedLocation("air", "LBA Terminal 1", "Airport Way, Leeds"),
    ),
    upcoming_events=(Event("e", NOW, NOW, "1", "Check-up", location="Pearl Dental, 9 High Street, Leeds"),),
)


@pytest.mark.parametrize(
    ("hint", "meant"),
    [
        ("my sister's place", "amys"),
        ("the dentist's office", "tooth"),
        ("Pearl Dental", "tooth"),
        ("Gartenstraße 7", "work"),
        ("the airport", "air"),
    ],
)
def test_places(hint: str, meant: str) -> None:
    got = asked(PLACES, "location", hint)
    assert got.confidence in {HIGH, MEDIUM}
    assert got.value is not None
    assert key_of(got.value) == meant


CALENDARS = phone(
    calendars=(
        Calendar("own", "Privat", "me@gmail.example", is_default=True),
        Calendar("job", "Arbeit", "me@globex.example"),
        Calendar("kin", "Familie", "me@gmail.example"),
    )
)


@pytest.mark.parametrize(
    ("hint", "meant"),
    [
        ("my calendar", "own"),
        ("mein Kalender", "own"),
        ("the default calendar", "own"),
        ("Standardkalender", "own"),
        ("Arbeitskalender", "job"),
        ("der Familienkalender", "kin"),
        ("the Globex calendar", "job"),
    ],
)
def test_calendars(hint: str, meant: str) -> None:
    got = asked(CALENDARS, "calendar", hint)
    assert got.confidence in {HIGH, MEDIUM}
    assert got.value is not None
    assert key_of(got.value) == meant
