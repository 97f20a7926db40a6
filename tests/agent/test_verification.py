from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starebrain.agent import State, Why, build_agent_context, compare, confirm, verify
from starebrain.agent.reads import LABEL, READ, SOURCES, TOLD_APART
from starebrain.device import App, Calendar, Contact, DeviceContext, Event, Response, SavedLocation
from starebrain.errors import InvalidInput
from starebrain.formats import device_json, parse_device
from starebrain.intent import ActionIntent, Parameter, ParameterKind
from starebrain.resolution import ContactValue, LocationValue
from starebrain.resolve import RESOLVERS, PhoneResolver
from tests import strategies
from tests.agent.phones import (
    ALEX,
    APP,
    CALENDAR,
    CONTACT,
    EVIDENCE,
    GYM,
    KEY,
    LATER,
    LOCATION,
    LUNCH,
    MAPS,
    MOM,
    NOW,
    PHONE,
    PRIVATE,
    SHOWN,
    STANDUP,
    TIME_SLOT,
    WORK,
    approved,
    asked,
    asked_all,
    at,
    with_record,
    without_record,
)


@pytest.mark.parametrize(
    ("kind", "hint", "source", "record", "field", "now"),
    [
        (CONTACT, "mom", "contacts", MOM, "display_name", "Mum"),
        (CONTACT, "mom", "contacts", MOM, "phones", ("+4930111112",)),
        (CONTACT, "mom", "contacts", MOM, "emails", ()),
        (CONTACT, "mom", "contacts", MOM, "relation", "aunt"),
        (LOCATION, "the gym", "saved_locations", GYM, "address", "4 Pine Street"),
        (LOCATION, "the gym", "saved_locations", GYM, "coordinates", (52.5, 13.5)),
        (LOCATION, "mom's place", "contacts", MOM, "addresses", ("2 Elm Road",)),
        (LOCATION, "nonna", "upcoming_events", LUNCH, "location", "Nonna, 6 Oak Street"),
        (TIME_SLOT, "after the standup", "upcoming_events", STANDUP, "end_time", at(9, 30)),
        (TIME_SLOT, "after the standup", "upcoming_events", STANDUP, "start_time", at(8)),
        (TIME_SLOT, "after the standup", "upcoming_events", STANDUP, "response", Response.DECLINED),
        (TIME_SLOT, "after the standup", "upcoming_events", STANDUP, "calendar_id", "k-private"),
        (CALENDAR, "private", "calendars", PRIVATE, "writable", False),
        (CALENDAR, "private", "calendars", PRIVATE, "name", "Privat"),
        (CALENDAR, None, "calendars", WORK, "is_default", False),
        (APP, "maps", "installed_apps", MAPS, "label", "Mappes"),
    ],
)
@pytest.mark.parametrize("resolver", [EVIDENCE, None])
def test_a_field_that_the_value_depends_on_has_changed(
    kind: ParameterKind, hint: str | None, source: str, record: Any, field: str, now: Any, resolver: Any
) -> None:
    approval = approved(asked(kind, hint))
    verdict = compare(approval, with_record(PHONE, source, replace(record, **{field: now})), resolver=resolver)["it"]
    assert verdict.state is State.CHANGED
    record_id = getattr(record, DeviceContext.IDS[source])
    (change,) = verdict.changes
    assert (change.source, change.record_id, change.field) == (source, record_id, field)
    assert (change.before, change.now) == (getattr(record, field), now)
    gone = compare(approval, without_record(PHONE, source, record), resolver=resolver)["it"]
    assert gone.state is State.GONE


@pytest.mark.parametrize(
    ("kind", "hint", "source", "record", "field", "now"),
    [
        (CONTACT, "mom", "contacts", MOM, "times_contacted", 12),
        (CONTACT, "mom", "contacts", MOM, "addresses", ()),
        (CONTACT, "mom", "contacts", ALEX, "phones", ()),
        (CONTACT, "mom", "saved_locations", GYM, "label", "Mom"),
        (LOCATION, "nonna", "upcoming_events", LUNCH, "start_time", at(11)),
        (TIME_SLOT, "after the standup", "upcoming_events", STANDUP, "attendees", ("mom@example.org",)),
        (CALENDAR, "private", "calendars", PRIVATE, "is_default", True),
    ],
)
def test_what_the_value_does_not_depend_on_may_change(
    kind: ParameterKind, hint: str, source: str, record: Any, field: str, now: Any
) -> None:
    later = with_record(PHONE, source, replace(record, **{field: now}))
    assert compare(approved(asked(kind, hint)), later, resolver=EVIDENCE)["it"].state is State.VALID


@pytest.mark.parametrize(
    ("source", "record"),
    [
        ("contacts", Contact("c-new", "Carl Birch")),
        ("contacts", Contact("c-new", "Tom")),
        ("contacts", replace(MOM, contact_id="c-copy")),
        ("contacts", replace(ALEX, nickname="Al")),
        ("installed_apps", App("com.mom", "Mom")),
    ],
)
def test_who_fits_no_better_than_before_or_is_the_same_person_is_no_rival(source: str, record: Any) -> None:
    verdict = compare(approved(asked(CONTACT, "mom")), with_record(PHONE, source, record), resolver=EVIDENCE)["it"]
    assert verdict.state is State.VALID


ONE_MOM_MORE = Contact("c-new", "Mom", phones=("+4930999999",))


@pytest.mark.parametrize(
    ("kind", "hint", "source", "record"),
    [
        (CONTACT, "mom", "contacts", ONE_MOM_MORE),
        (CONTACT, "mom", "contacts", replace(ALEX, display_name="Mom")),
        (CONTACT, "alexander", "contacts", Contact("c-new", "Alexander Birch")),
        (LOCATION, "the gym", "saved_locations", SavedLocation("l-new", "Gym", "9 Birch Street")),
        (LOCATION, "nonna", "saved_locations", SavedLocation("l-new", "Nonna", "9 Birch Street")),
        (
            TIME_SLOT,
            "after the standup",
            "upcoming_events",
            replace(STANDUP, event_id="e-new", calendar_id="k-private", end_time=at(9, 10)),
        ),
        (
            TIME_SLOT,
            "after the standup",
            "upcoming_events",
            Event("e-new", at(7, day=5), at(8, day=5), title="Standup"),
        ),
        (
            TIME_SLOT,
            "after the standup",
            "upcoming_events",
            replace(STANDUP, event_id="e-new", start_time=at(11, day=5), end_time=at(12, day=5)),
        ),
        (CALENDAR, "private", "calendars", Calendar("k-new", "Private", "other@example.org", writable=True)),
        (APP, "maps", "installed_apps", App("com.evil.maps", "Maps")),
    ],
)
def test_someone_else_now_fits_as_well(kind: ParameterKind, hint: str, source: str, record: Any) -> None:
    approval, later = approved(asked(kind, hint)), with_record(PHONE, source, record)
    verdict = compare(approval, later, resolver=EVIDENCE)["it"]
    assert verdict.state is State.RIVALLED
    assert [(rival.label, rival.why) for rival in verdict.rivals] == [(getattr(record, LABEL[source]), Why.FITS)]
    assert compare(approval, later, resolver=None)["it"].state is State.VALID


def test_who_fitted_as_well_when_the_user_chose_is_no_news() -> None:
    other = Contact("c-other", "Alexander Birch", phones=("+4930333333",), times_contacted=80)
    phone = replace(PHONE, contacts=(*PHONE.contacts, other))
    context = asked(CONTACT, "alexander", phone)
    assert context.pending_parameters == ("it",)
    approval = approved(context, it=ContactValue("c-other", "Alexander Birch"))
    renumbered = with_record(phone, "contacts", replace(ALEX, phones=("+4930444444",)))
    assert compare(approval, renumbered, resolver=EVIDENCE)["it"].state is State.VALID
    third = with_record(phone, "contacts", Contact("c-third", "Alexander Cole", times_contacted=90))
    assert [r.key for r in compare(approval, third, resolver=EVIDENCE)["it"].rivals] == ["c-third"]


def test_how_often_somebody_is_called_makes_them_fit_the_words_no_better() -> None:
    often = replace(PHONE, contacts=(*PHONE.contacts, Contact("c-other", "Alexander Birch", times_contacted=900)))
    approval = approved(asked(CONTACT, "alexander", often), it=ContactValue("c-alex", "Alexander Ashworth"))
    later = with_record(often, "contacts", Contact("c-new", "Alexander Cole"))
    assert [rival.key for rival in compare(approval, later, resolver=EVIDENCE)["it"].rivals] == ["c-new"]
    used = with_record(often, "contacts", replace(often.contacts[-1], starred=True, last_contacted_at=LATER))
    assert compare(approval, used, resolver=EVIDENCE)["it"].state is State.VALID


def test_one_person_who_becomes_two_is_a_rival() -> None:
    copy = replace(MOM, contact_id="c-mom-copy")
    twice = replace(PHONE, contacts=(*PHONE.contacts, copy))
    approval = approved(asked(CONTACT, "mom", twice))
    apart = with_record(twice, "contacts", replace(copy, phones=("+4930999999",), emails=()))
    assert [r.key for r in compare(approval, apart, resolver=EVIDENCE)["it"].rivals] == ["c-mom-copy"]


def test_a_copy_of_the_approved_record_hides_nobody() -> None:
    """Two records of one place share their probability, and would outweigh another place of the same name."""
    approval = approved(asked(LOCATION, "the gym"), it=LocationValue("l-gym", "Gym", "3 Pine Street", (52.5, 13.4)))
    copied = with_record(PHONE, "saved_locations", replace(GYM, location_id="l-copy", coordinates=None))
    assert compare(approval, copied, resolver=EVIDENCE)["it"].state is State.VALID
    both = with_record(copied, "saved_locations", SavedLocation("l-new", "Gym", "9 Birch Street"))
    assert [rival.key for rival in compare(approval, both, resolver=EVIDENCE)["it"].rivals] == ["l-new"]


def test_what_was_filled_in_silently_must_still_be_sure_enough_for_it() -> None:
    """A nickname fits less well than the name: too little to ask a user anew who has seen it, enough to stay silent."""
    lone = replace(PHONE, contacts=(Contact("c-1", "Alex Ash"), *PHONE.contacts[2:]))
    context = asked(CONTACT, "alex", lone)
    later = with_record(lone, "contacts", Contact("c-new", "Alexander Birch"))
    silent, seen = approved(context), approved(context, it=ContactValue("c-1", "Alex Ash"))
    assert [compare(a, later, resolver=EVIDENCE)["it"].state for a in (silent, seen)] == [State.RIVALLED, State.VALID]


def test_an_approval_without_a_rival_set_has_seen_nobody() -> None:
    approval = replace(approved(asked(CONTACT, "mom")), populations=())
    assert compare(approval, PHONE, resolver=EVIDENCE)["it"].state is State.VALID
    later = with_record(PHONE, "contacts", ONE_MOM_MORE)
    assert compare(approval, later, resolver=EVIDENCE)["it"].state is State.RIVALLED


def test_what_the_user_named_themselves_is_rivalled_only_by_what_would_be_suggested() -> None:
    approval = approved(asked(CONTACT, "my lawyer"), it=ContactValue("c-mom", "Mom"))
    for name, state in (("Carl Birch", State.VALID), ("Law Firm", State.VALID), ("My Lawyer", State.RIVALLED)):
        later = with_record(PHONE, "contacts", Contact("c-new", name))
        assert compare(approval, later, resolver=EVIDENCE)["it"].state is state


@pytest.mark.parametrize(
    ("event", "state"),
    [
        (Event("e-new", at(14), at(16), title="Review"), State.RIVALLED),
        (Event("e-new", at(14), at(16), title="Review", response=Response.DECLINED), State.VALID),
        (Event("e-new", at(16), at(17), title="Review"), State.VALID),
        (replace(LUNCH, end_time=at(15, 30)), State.RIVALLED),
    ],
)
def test_an_event_that_now_takes_the_time_is_a_rival(event: Event, state: State) -> None:
    approval = approved(asked(TIME_SLOT, "tomorrow at 3pm"))
    verdict = compare(approval, with_record(PHONE, "upcoming_events", event), resolver=EVIDENCE)["it"]
    assert verdict.state is state
    expected = [(event.event_id, Why.CLASH)] if state is State.RIVALLED else []
    assert [(rival.key, rival.why) for rival in verdict.rivals] == expected


def test_a_clash_that_was_there_when_the_user_approved_is_no_news() -> None:
    approval = approved(asked(TIME_SLOT, "tomorrow at 12:30pm"))
    renamed = with_record(PHONE, "upcoming_events", replace(LUNCH, title="Lunch with Bob"))
    assert compare(approval, renamed, resolver=EVIDENCE)["it"].state is State.VALID


def test_a_time_is_read_at_the_instant_at_which_it_was_said() -> None:
    approval = approved(asked(TIME_SLOT, "tomorrow at 3pm"))
    later = replace(PHONE, captured_at=NOW + timedelta(days=3), upcoming_events=())
    assert compare(approval, later, resolver=EVIDENCE)["it"].state is State.VALID
    approval = approved(asked(TIME_SLOT, "after the standup"))
    party = with_record(PHONE, "upcoming_events", replace(LUNCH, title="Standup party"))
    for now in (LATER, at(10)):  # by ten the standup is over, and nobody would fill it in any more
        assert compare(approval, replace(party, captured_at=now), resolver=EVIDENCE)["it"].state is State.VALID


def test_the_same_time_by_another_event_is_the_same_time() -> None:
    approval = approved(asked(TIME_SLOT, "after the standup"))
    twin = with_record(PHONE, "upcoming_events", replace(STANDUP, event_id="e-new", calendar_id="k-private"))
    assert compare(approval, twin, resolver=EVIDENCE)["it"].state is State.VALID


def test_a_time_of_the_clock_depends_on_the_zone_of_the_phone() -> None:
    approval = approved(asked(TIME_SLOT, "tomorrow at 3pm"))
    (change,) = compare(approval, replace(PHONE, timezone="Asia/Kolkata"), resolver=EVIDENCE)["it"].changes
    assert (change.field, change.before, change.now) == ("timezone", "UTC", "Asia/Kolkata")


def test_every_parameter_has_a_verdict_of_its_own() -> None:
    context = asked_all(who=(CONTACT, "mom"), where=(LOCATION, "the gym"), when=(TIME_SLOT, "tomorrow at 3pm"))
    later = with_record(without_record(PHONE, "contacts", MOM), "saved_locations", replace(GYM, address="elsewhere"))
    verdicts = verify(approved(context), later, now=LATER, key=KEY, resolver=EVIDENCE)
    assert {name: verdict.state for name, verdict in verdicts.items()} == {
        "who": State.GONE,
        "where": State.CHANGED,
        "when": State.VALID,
    }


@pytest.mark.parametrize("seconds", [-1, 600, 10_000])
def test_outside_of_its_time_every_parameter_is_expired(seconds: int) -> None:
    approval = approved(asked_all(who=(CONTACT, "mom"), when=(TIME_SLOT, "tomorrow at 3pm")))
    verdicts = verify(approval, PHONE, now=SHOWN + timedelta(seconds=seconds), key=KEY, resolver=EVIDENCE)
    assert [verdict.state for verdict in verdicts.values()] == [State.EXPIRED] * 2
    inside = verify(approval, PHONE, now=SHOWN + timedelta(seconds=599), key=KEY, resolver=EVIDENCE)
    assert [verdict.state for verdict in inside.values()] == [State.VALID] * 2


def test_what_was_not_sealed_is_not_verified() -> None:
    approval = approved(asked(CONTACT, "mom"))
    forged = replace(approval, expires_at=approval.expires_at + timedelta(microseconds=1))
    with pytest.raises(InvalidInput, match="mac: the approval is not what was sealed"):
        verify(forged, PHONE, now=LATER, key=KEY, resolver=EVIDENCE)


@pytest.mark.parametrize("name", ["article", "wratio", "fill_all", "ask_all"])
def test_baselines_can_be_verified_as_well(name: str) -> None:
    approval = approved(asked(CONTACT, "mom"))
    assert compare(approval, PHONE, resolver=RESOLVERS[name])["it"].state is State.VALID
    assert compare(approval, without_record(PHONE, "contacts", MOM), resolver=RESOLVERS[name])["it"].state is State.GONE


def test_another_of_those_whom_the_user_did_not_mean_is_no_rival() -> None:
    approval = approved(asked(CONTACT, "bob"), it=ContactValue("c-mom", "Mom"))
    later = with_record(PHONE, "contacts", Contact("c-new", "Bob Cole"))
    assert compare(approval, later, resolver=EVIDENCE)["it"].state is State.VALID


def test_without_probabilities_whoever_comes_first_fits_better() -> None:
    wratio = RESOLVERS["wratio"]
    parameter = Parameter("it", CONTACT, "alexander ashworthy")
    context = build_agent_context(ActionIntent("i-1", "call", None, (parameter,)), PHONE, wratio)
    approval = approved(context, it=ContactValue("c-alex", "Alexander Ashworth"))
    for name, keys in (("Alexander Ashworthy", ["c-new"]), ("Alexander Ash", [])):
        later = with_record(PHONE, "contacts", Contact("c-new", name))
        assert [rival.key for rival in compare(approval, later, resolver=wratio)["it"].rivals] == keys


def test_every_kind_says_what_its_values_depend_on() -> None:
    assert set(SOURCES) == set(ParameterKind)
    for kind, sources in SOURCES.items():
        for source in sources:
            assert READ[kind, source]
            assert set(READ[kind, source]) <= set(TOLD_APART[source]), "a rival that no print shows"


class Counting:
    """The evidence resolver, and how many records each phone had that it was asked about."""

    name = "counting"

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def on(self, device: DeviceContext) -> PhoneResolver:
        self.sizes.append(sum(len(getattr(device, source)) for source in DeviceContext.IDS))
        return EVIDENCE.on(device)


@pytest.mark.parametrize(
    ("source", "record", "sizes"),
    [
        ("contacts", MOM, []),
        ("contacts", replace(ALEX, times_contacted=81), []),
        ("installed_apps", App("com.mom", "Mom"), []),
        ("contacts", Contact("c-new", "Carl Cole"), [2]),
        ("contacts", ONE_MOM_MORE, [2, 11]),
    ],
)
def test_the_resolver_is_asked_only_about_what_is_new(source: str, record: Any, sizes: list[int]) -> None:
    resolver = Counting()
    compare(approved(asked(CONTACT, "mom")), with_record(PHONE, source, record), resolver=resolver)
    assert resolver.sizes == sizes


@given(st.sampled_from(sorted(RESOLVERS)), strategies.devices(), strategies.devices(), strategies.intents)
def test_any_approval_is_valid_on_its_own_phone_and_can_be_compared_with_any(
    name: str, device: DeviceContext, other: DeviceContext, intent: ActionIntent
) -> None:
    context = build_agent_context(intent, device, RESOLVERS[name])
    known = {p.name: got for p in intent.required_parameters if (got := context.resolved_parameters[p.name].value)}
    asked_for = tuple(p for p in intent.required_parameters if p.name in known)
    context = replace(context, intent=replace(intent, required_parameters=asked_for))
    approval = confirm(context, known, now=device.captured_at, key=KEY, token="t-1")
    again = parse_device(device_json(device))
    for resolver in (RESOLVERS[name], None):
        assert {v.state for v in compare(approval, again, resolver=resolver).values()} <= {State.VALID}
        assert set(compare(approval, other, resolver=resolver)) == set(known)
