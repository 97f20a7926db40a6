from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starebrain.device import App, Calendar, Contact, DeviceContext, Event, SavedLocation
from starebrain.intent import Parameter, ParameterKind
from starebrain.resolution import MAX_ALTERNATIVES, ParameterValue, ResolutionConfidence, key_of
from starebrain.resolve import RESOLVERS
from tests import strategies

HIGH, MEDIUM, LOW, UNRESOLVABLE = ResolutionConfidence
CONTACT, LOCATION, TIME_SLOT, CALENDAR, APP = ParameterKind
NOW = datetime(2026, 11, 5, 9, 30, tzinfo=UTC)
BASELINES = ("article", "wratio", "ask_all", "fill_all")


def phone(*names: str) -> DeviceContext:
    """A phone whose contacts bear these names and have the ids c0, c1, …"""
    return DeviceContext(NOW, "UTC", contacts=tuple(Contact(f"c{at}", name) for at, name in enumerate(names)))


def ask(
    resolver: str, hint: str | None, device: DeviceContext, kind: ParameterKind = CONTACT, action: str = "call"
) -> ParameterValue:
    return RESOLVERS[resolver].on(device).resolve(Parameter("it", kind, hint), action)


def offered(got: ParameterValue) -> list[str]:
    """Keys of the value and its runners-up, in order."""
    values = [got.value, *(a.value for a in got.alternatives)]
    return [key_of(value) for value in values if value is not None]


ARTICLE = [
    # hint, names on the phone, tier, what is on offer
    ("Mom", ["Dad", "Mom"], HIGH, ["c1"]),
    ("mOM", ["Dad", "Mom"], HIGH, ["c1"]),
    ("ÉMILE", ["Émile"], HIGH, ["c0"]),
    ("tom", ["Tom Ash", "Thomas", "Tom Birch"], MEDIUM, ["c0", "c2"]),
    ("tom", ["Tomato Shop", "Tom"], HIGH, ["c1"]),
    ("om", ["Mom"], MEDIUM, ["c0"]),
    ("Momo", ["Mom"], UNRESOLVABLE, []),
    (" Mom", ["Mom"], UNRESOLVABLE, []),
    ("Emile", ["Émile"], UNRESOLVABLE, []),
    ("Ash Tom", ["Tom Ash"], UNRESOLVABLE, []),
    (".*", ["Mom"], UNRESOLVABLE, []),
    ("Mom", [], UNRESOLVABLE, []),
    # the defects, kept: "first" hides duplicates, an empty hint is contained in everything
    ("Alex", ["Alex", "Alex"], HIGH, ["c0", "c1"]),
    ("", ["Dad", "Mom"], MEDIUM, ["c0", "c1"]),
    ("", ["Dad", ""], HIGH, ["c1"]),
    ("a", ["Ada", "Ana", "Abe", "Alf", "Amy", "Art", "Ava"], MEDIUM, ["c0", "c1", "c2", "c3", "c4", "c5"]),
]


@pytest.mark.parametrize(("hint", "names", "tier", "keys"), ARTICLE)
def test_article_takes_the_first_equal_label_then_the_first_that_contains_the_hint(
    hint: str, names: list[str], tier: ResolutionConfidence, keys: list[str]
) -> None:
    got = ask("article", hint, phone(*names))
    assert (got.confidence, offered(got)) == (tier, keys)


WRATIO = [
    ("Mom", ["Dad", "Mom"], HIGH, ["c1"]),
    ("mom!", ["Mom"], HIGH, ["c0"]),
    ("  mom  ", ["Mom"], HIGH, ["c0"]),
    # at each border, and just below it: the scores are 95, 94.7, 80, 76.9, 60 and 57.1
    ("Torres Ana", ["Ana Torres"], HIGH, ["c0"]),
    ("abcdefghijklmnopqrx", ["abcdefghijklmnopqrs"], MEDIUM, ["c0"]),
    ("marta", ["Maria"], MEDIUM, ["c0"]),
    ("robert", ["Herbert"], LOW, ["c0"]),
    ("hanna", ["Johan"], LOW, ["c0"]),
    ("jon", ["José"], UNRESOLVABLE, []),
    # known faults of the score: a part outranks a nickname, and a longer name may outrank a shorter exact one
    ("Stef", ["Brent Stef"], MEDIUM, ["c0"]),
    ("Bob", ["Robert"], LOW, ["c0"]),
    # of equal scores the first; only what reaches the lowest threshold is offered
    ("Alex", ["Alex", "Alex", "Zoë"], HIGH, ["c0", "c1"]),
    ("Alex", ["Zoë", "Alexis", "Alex"], HIGH, ["c2", "c1"]),
    ("", ["", "Mom"], UNRESOLVABLE, []),
    ("?!", ["?!"], UNRESOLVABLE, []),
    ("Mom", [""], UNRESOLVABLE, []),
    ("Mom", [], UNRESOLVABLE, []),
]


@pytest.mark.parametrize(("hint", "names", "tier", "keys"), WRATIO)
def test_wratio_cuts_tiers_at_95_80_and_60(
    hint: str, names: list[str], tier: ResolutionConfidence, keys: list[str]
) -> None:
    got = ask("wratio", hint, phone(*names))
    assert (got.confidence, offered(got)) == (tier, keys)


@pytest.mark.parametrize(
    ("hint", "names", "keys"),
    [
        ("Mom", ["Dad", "Mom"], ["c1", "c0"]),
        ("xyz", ["Dad"], ["c0"]),
        ("", ["Dad", "Mom"], ["c0", "c1"]),
        (None, ["Dad", "Mom"], ["c0", "c1"]),
        ("Alex", ["Alex", "Alex"], ["c0", "c1"]),
    ],
)
def test_fill_all_fills_in_the_best_however_low(hint: str | None, names: list[str], keys: list[str]) -> None:
    got = ask("fill_all", hint, phone(*names))
    assert (got.confidence, offered(got)) == (HIGH, keys)


def test_fill_all_cannot_fill_in_from_an_empty_phone() -> None:
    assert ask("fill_all", "Mom", phone()).confidence is UNRESOLVABLE


@pytest.mark.parametrize("hint", ["Mom", "", None])
def test_ask_all_asks(hint: str | None) -> None:
    got = ask("ask_all", hint, phone("Mom"))
    assert (got.confidence, offered(got)) == (UNRESOLVABLE, [])


@pytest.mark.parametrize("resolver", ["article", "wratio"])
def test_no_hint_is_compared_with_nothing(resolver: str) -> None:
    assert ask(resolver, None, phone("Mom", "")).confidence is UNRESOLVABLE


EVERYTHING = DeviceContext(
    NOW,
    "America/New_York",
    contacts=(Contact("c", "Rosa Lind", nickname="Ro", organization="Acme"),),
    calendars=(Calendar("k", "Family", account="rosa@example.org"),),
    upcoming_events=(Event("e", NOW, NOW, title="Standup", location="Room 4"),),
    saved_locations=(SavedLocation("l", "Gym", "7 Canal St", (40.7, -74)),),
    installed_apps=(App("com.example.mail", "Mail"), App("com.example.bare")),
)


@pytest.mark.parametrize("resolver", ["article", "wratio"])
@pytest.mark.parametrize(
    ("kind", "hint", "key", "source"),
    [
        (CONTACT, "rosa lind", "c", "recent_contacts"),
        (LOCATION, "gym", "l", "saved_locations"),
        (TIME_SLOT, "standup", "2026-11-05T04:30:00-05:00/2026-11-05T04:30:00-05:00", "device_calendar"),
        (CALENDAR, "family", "k", "device_calendar"),
        (APP, "mail", "com.example.mail", "recent_apps"),
        (APP, "com.example.bare", "com.example.bare", "recent_apps"),
    ],
)
def test_each_kind_is_compared_by_the_label_that_the_phone_shows(
    resolver: str, kind: ParameterKind, hint: str, key: str, source: str
) -> None:
    got = ask(resolver, hint, EVERYTHING, kind)
    assert (got.confidence, got.kind, got.source) == (HIGH, kind, source)
    assert offered(got)[0] == key


@pytest.mark.parametrize("resolver", BASELINES)
def test_an_answer_is_the_same_each_time_and_whatever_the_action(resolver: str) -> None:
    on_phone = RESOLVERS[resolver].on(EVERYTHING)
    for kind in ParameterKind:
        parameter = Parameter("it", kind, "mail")
        assert on_phone.resolve(parameter, "call") == on_phone.resolve(parameter, "payment")


@given(st.sampled_from(BASELINES), strategies.devices(), strategies.parameters)
def test_any_phone_and_any_hint_get_a_valid_answer(resolver: str, device: DeviceContext, parameter: Parameter) -> None:
    got = RESOLVERS[resolver].on(device).resolve(parameter, "create_event")
    keys = offered(got)
    assert got.kind is parameter.kind
    assert got.probability is None
    assert len(keys) <= MAX_ALTERNATIVES + 1
    assert got.value not in [a.value for a in got.alternatives]
    assert resolver != "article" or got.confidence is not LOW


@pytest.mark.parametrize(
    ("resolver", "name", "detail"),
    [
        ("article", "contains", "the first of 7"),
        ("wratio", "wratio", "score 90.0 of 100"),
        ("fill_all", "wratio", "the best, however low"),
    ],
)
def test_an_answer_says_why_and_offers_at_most_five_others(resolver: str, name: str, detail: str) -> None:
    got = ask(resolver, "alexand", phone(*(f"Alexandrina {letter}" for letter in "abcdefg")))
    assert [(e.name, e.bits, e.detail) for e in got.evidence] == [(name, 0.0, detail)]
    assert offered(got) == ["c0", "c1", "c2", "c3", "c4", "c5"]
