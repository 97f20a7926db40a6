"""Everyday ways to name somebody or something where the phone has other things that are nearly that."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from starebrain.device import Calendar, Contact, DeviceContext, Event, Response, SavedLocation
from starebrain.intent import Parameter, ParameterKind
from starebrain.resolution import ContextSource, ParameterValue, ResolutionConfidence, key_of
from starebrain.resolve.context_resolver import EvidenceResolver

NOW = datetime(2026, 11, 5, 9, 30, tzinfo=UTC)
HIGH, MEDIUM, LOW, NONE = ResolutionConfidence
RESOLVER = EvidenceResolver()


def person(contact_id: str, name: str, times: int = 20, **fields: object) -> Contact:
    added = NOW - timedelta(days=900)
    return Contact(contact_id, name, times_contacted=times, added_at=added, **fields)  # type: ignore[arg-type]


def event(event_id: str, title: str, location: str, response: Response = Response.ACCEPTED) -> Event:
    start = NOW + timedelta(days=2)
    return Event(event_id, start, start + timedelta(hours=1), "home", title, location=location, response=response)


PHONE = DeviceContext(
    NOW,
    "UTC",
    "en_US",
    contacts=(
        person("mom", "Mom", 300, relation="mother", addresses=("3 Oak Ln, Dover",)),
        person("momdani", "Rae Momdani", 3),
        person("alix", "Alix Romm", 80),
        person("alixandra", "Alixandra Pohl", 3),
        person("ted", "Ted Boyle", 12),
        person("edward", "Edward Whitt", 90, nickname="Pop", relation="father"),
        person("ward", "Lena Ward", 200, last_contacted_at=NOW - timedelta(hours=3)),
        person("wardle", "Lena Wardle", 1),
        person("bill", "William Osei", 30),
        person("rob", "Robert Quist", 30),
        person("luigi", "Luigi's Trattoria", 2),
        person("vogel", "Dr. Vogel", 4),
    ),
    calendars=(
        Calendar("home", "Personal", "me@home.example", True, True),
        Calendar("work", "Arbeit", "me@work.example", False, True),
    ),
    saved_locations=(
        SavedLocation("work", "Work", "9 Elm St, Dover"),
        SavedLocation("moms", "Mom's house", "3 Oak Ln, Dover"),
        SavedLocation("dentist", "Riverside Dentist", "44 Mill Road, Dover"),
        SavedLocation("pool", "Pool West", "Lindenstr. 4, Dover"),
    ),
    upcoming_events=(
        event("swim", "Aquarobics", "Pool West"),
        event("scam", "Dentist (moved)", "1 Fraud Rd, Dover", Response.NEEDS_ACTION),
    ),
)

CASES = (
    # kind, hint, what is meant, the tiers that it may have
    ("contact", "Wardle", "wardle", {HIGH, MEDIUM}),  # the very word, beside one that it only begins like
    ("contact", "Momdani", "momdani", {HIGH, MEDIUM}),
    ("contact", "Ted", "ted", {HIGH, MEDIUM}),  # and beside one who may be called so
    ("contact", "Bill", "bill", {HIGH, MEDIUM}),  # hardly any Robert is
    ("contact", "luigi", "luigi", {HIGH, MEDIUM}),
    ("contact", "the trattoria guy", "luigi", {HIGH, MEDIUM}),
    ("contact", "Doktor Vogel", "vogel", {HIGH, MEDIUM}),
    ("location", "my mom's", "moms", {HIGH, MEDIUM}),  # the saved place, though the contact's address leads there too
    ("location", "mother's house", "moms", {HIGH, MEDIUM}),
    ("location", "dentist's office", "dentist", {HIGH, MEDIUM}),  # nobody's own office
    ("location", "the office", "work", {HIGH, MEDIUM}),
    ("location", "Elm Street", "work", {HIGH, MEDIUM}),
    ("location", "44 Mill Rd", "dentist", {HIGH, MEDIUM}),
    ("location", "Lindenstraße 4", "pool", {HIGH, MEDIUM}),
    ("location", "aquarobics", "pool", {HIGH, MEDIUM, LOW}),  # where an event is held
    ("calendar", "Arbeitskalender", "work", {HIGH, MEDIUM}),
    ("calendar", "private", "home", {HIGH, MEDIUM}),
    ("calendar", "my calendar", "home", {MEDIUM}),  # it names none
    ("calendar", "the default calendar", "home", {MEDIUM}),
)


def ask(kind: str, hint: str) -> ParameterValue:
    return RESOLVER.on(PHONE).resolve(Parameter("it", ParameterKind(kind), hint), "create_event")


@pytest.mark.parametrize(("kind", "hint", "meant", "tiers"), CASES, ids=[f"{case[0]}: {case[1]}" for case in CASES])
def test_everyday(kind: str, hint: str, meant: str, tiers: set[ResolutionConfidence]) -> None:
    got = ask(kind, hint)
    assert got.value is not None
    assert key_of(got.value) == meant
    assert got.confidence in tiers


def test_the_very_name_comes_before_one_who_may_be_called_so() -> None:
    got = ask("contact", "Alixandra")
    assert got.value is not None
    assert key_of(got.value) == "alixandra"


@pytest.mark.parametrize("hint", ["not mom", "anyone except mom", "nicht Mom", "Mom or Ted", "mom oder ted"])
def test_what_is_denied_or_one_of_two_is_never_silent(hint: str) -> None:
    assert ask("contact", hint).confidence is not HIGH


def test_what_held_an_answer_down_is_named() -> None:
    assert [cap.rule for cap in ask("contact", "not mom").caps] == ["negated"]
    assert [cap.rule for cap in ask("calendar", "my calendar").caps] == ["deixis"]


def test_a_place_that_an_invitation_names_does_not_pass_for_a_street() -> None:
    got = ask("location", "Mill road")
    assert got.value is not None
    assert key_of(got.value) == "dentist"
    assert got.source is ContextSource.SAVED_LOCATIONS
