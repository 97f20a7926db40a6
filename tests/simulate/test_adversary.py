from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from confusable_homoglyphs import confusables  # type: ignore[import-untyped]

from starebrain.device import Calendar, Contact, DeviceContext, Event, Notification, Owner, Response, SavedLocation
from starebrain.errors import InvalidInput
from starebrain.simulate.adversary import _TWINS, ATTACKS, Target, attack, look_alikes, targets, unlikeness
from starebrain.simulate.changes import Cause, Change, ChangeType
from starebrain.simulate.timeline import timeline_of

NOON = datetime(2025, 5, 5, 12, tzinfo=UTC)
ANNA = Contact("c1", "Anna Schmidt", "Anna", "Schmidt", phones=("+49 1",), times_contacted=70)
DENTIST = Event("e1", NOON + timedelta(hours=10), NOON + timedelta(hours=11), "k1", "Dentist", location="Main Street")
GYM = SavedLocation("l1", "Gym", "Main Street 1")
PHONE = DeviceContext(
    NOON,
    "UTC",
    owner=Owner("Me", ("me@example.com",)),
    contacts=(ANNA, Contact("c2", "Bo")),
    calendars=(Calendar("k1", is_default=True),),
    upcoming_events=(DENTIST,),
    saved_locations=(GYM,),
)
TARGETS: tuple[Target, ...] = (ANNA, DENTIST, GYM)
FITTING = [(name, target) for name, how in ATTACKS.items() for target in TARGETS if type(target) in how.targets]


def only(changes: tuple[Change, ...]) -> Change:
    (change,) = changes
    return change


def test_twins_look_alike_to_an_independent_table() -> None:
    for latin, cyrillic in _TWINS.items():
        found = confusables.is_confusable(cyrillic, greedy=True, preferred_aliases=[])
        assert any(latin == one["c"] for entry in found for one in entry["homoglyphs"]), latin


@pytest.mark.parametrize(
    ("recipe", "written"),
    [
        ("twin", "\u0410nna Schmidt"),
        ("similar", "Aññna Schmidt".replace("ññ", "ñ")),
        ("doubled", "Annna Schmidt"),
        ("swapped", "Anan Schmidt"),
        ("invisible", "A\u200bnna Schmidt"),
        ("dotted", "Anna Schmidt."),
        ("new_number", "Anna Schmidt (new number)"),
        ("copy", "Anna Schmidt"),
    ],
)
def test_recipes(recipe: str, written: str) -> None:
    assert look_alikes("Anna Schmidt")[recipe] == written


def test_names_that_allow_few_recipes() -> None:
    assert look_alikes("") == {}
    assert set(look_alikes("山田太郎")) == {"doubled", "swapped", "invisible", "dotted", "new_number", "copy"}
    assert look_alikes("Анна")["twin"] == "Aнна"


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [("Anna", "Anna", 0), ("Anna", "\u0410nna", 0.1), ("Anna", "A\u200bnna", 0.1), ("Anna", "Annna", 1.1)],
)
def test_unlikeness(one: str, other: str, apart: float) -> None:
    assert unlikeness(one, other) == pytest.approx(apart)


@pytest.mark.parametrize(("name", "target"), FITTING)
@pytest.mark.parametrize("adaptive", [False, True])
def test_an_attack_only_adds_and_says_that_it_is_one(name: str, target: Target, adaptive: bool) -> None:
    changes = attack(name, PHONE, target, NOON + timedelta(minutes=1), adaptive=adaptive)
    assert changes
    assert {change.cause for change in changes} == {Cause.ATTACK}
    own = {"c1", "c2", "e1", "l1", "k1"}
    assert not own & {id for change in changes for id in change.ids}
    after = timeline_of(PHONE, changes).at(NOON + timedelta(hours=1))
    for field in PHONE.IDS:
        assert set(getattr(PHONE, field)) <= set(getattr(after, field))
    assert after != PHONE


def test_a_look_alike_is_a_new_contact_with_the_attackers_number() -> None:
    fixed, adaptive = (attack("look_alike", PHONE, ANNA, NOON, adaptive=how) for how in (False, True))
    (card,) = only(fixed).put
    assert isinstance(card, Contact)
    assert (card.display_name, card.added_at) == ("\u0410nna Schmidt", NOON)
    assert card.phones not in ((), ANNA.phones)
    (closest,) = only(adaptive).put
    assert isinstance(closest, Contact)
    assert closest.display_name != "Anna Schmidt"
    others = {text for text in look_alikes("Anna Schmidt").values() if text != "Anna Schmidt"}
    assert all(unlikeness("Anna Schmidt", closest.display_name) <= unlikeness("Anna Schmidt", text) for text in others)


def test_an_adaptive_attack_takes_what_the_judge_likes() -> None:
    def judge(changes: tuple[Change, ...]) -> float:
        (card,) = changes[0].put
        assert isinstance(card, Contact)
        return card.display_name.endswith("(new number)")

    (card,) = only(attack("look_alike", PHONE, ANNA, NOON, adaptive=True, judge=judge)).put
    assert isinstance(card, Contact)
    assert card.display_name == "Anna Schmidt (new number)"


def test_poisoned_recents_overtake_the_target() -> None:
    added, reached = attack("poisoned_recents", PHONE, ANNA, NOON)
    assert (added.type, reached.type) == (ChangeType.ADD, ChangeType.REACH)
    assert added.ids == reached.ids
    (caller,) = reached.put
    assert isinstance(caller, Contact)
    assert caller.times_contacted > ANNA.times_contacted
    assert caller.last_contacted_at == reached.at > added.at


def test_a_spoofed_invitation_comes_before_the_event_it_imitates() -> None:
    (event,) = only(attack("spoofed_invitation", PHONE, DENTIST, NOON, adaptive=True)).put
    assert isinstance(event, Event)
    assert NOON < event.start_time < DENTIST.start_time
    assert event.response is Response.NEEDS_ACTION
    assert event.end_time - event.start_time == timedelta(hours=1)
    (elsewhere,) = only(attack("spoofed_invitation", PHONE, GYM, NOON)).put
    assert isinstance(elsewhere, Event)
    assert elsewhere.location == "Gym."


def test_an_instruction_stands_in_a_notification_under_the_targets_name() -> None:
    (note,) = only(attack("instruction", PHONE, ANNA, NOON)).put
    assert isinstance(note, Notification)
    assert (note.title, note.sender_contact_id) == ("Anna Schmidt", None)
    assert "Ignore previous instructions" in note.text


def test_what_an_attack_cannot_be_made_for() -> None:
    with pytest.raises(InvalidInput, match="there is no attack 'bribe'"):
        attack("bribe", PHONE, ANNA, NOON)
    with pytest.raises(InvalidInput, match="look_alike is made for Contact, not Event"):
        attack("look_alike", PHONE, DENTIST, NOON)
    assert attack("look_alike", PHONE, Contact("c9"), NOON) == ()


def test_targets_are_what_was_asked_about_where_that_fits() -> None:
    assert targets("look_alike", PHONE, ["c2", "l1"]) == [PHONE.contacts[1]]
    assert targets("look_alike", PHONE, ["l1"]) == list(PHONE.contacts)
    assert targets("spoofed_invitation", PHONE, ["l1"]) == [GYM]
