from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starebrain.agent import Approval, How, build_agent_context, confirm, is_genuine
from starebrain.agent.contract import canonical, same_value
from starebrain.device import Contact, DeviceContext
from starebrain.errors import InvalidInput
from starebrain.intent import ActionIntent
from starebrain.resolution import AppValue, ContactValue, LocationValue, TimeSlotValue
from starebrain.resolve import RESOLVERS
from tests import strategies
from tests.agent.phones import (
    CONTACT,
    KEY,
    LOCATION,
    NOW,
    PHONE,
    SHOWN,
    TIME_SLOT,
    approved,
    asked,
    asked_all,
)

MOM_VALUE, ALEX_VALUE = ContactValue("c-mom", "Mom"), ContactValue("c-alex", "Alexander Ashworth")
BOB_VALUE = ContactValue("c-bob", "Bob Birch")
CONTEXT = asked_all(filled=(CONTACT, "mom"), suggested=(CONTACT, "bob"), weak=(CONTACT, "xyzzy"))
APPROVAL = approved(CONTEXT, weak=MOM_VALUE)


def test_the_context_has_one_parameter_of_each_sort() -> None:
    assert list(CONTEXT.auto_filled_parameters) == ["filled"]
    assert CONTEXT.suggested_parameters == {"suggested": BOB_VALUE}
    assert CONTEXT.pending_parameters == ("weak",)


@pytest.mark.parametrize(
    ("answers", "how"),
    [
        ({}, (How.FILLED, How.CONFIRMED, How.ANSWERED)),
        ({"filled": MOM_VALUE}, (How.CONFIRMED, How.CONFIRMED, How.ANSWERED)),
        ({"filled": ALEX_VALUE}, (How.OVERRIDDEN, How.CONFIRMED, How.ANSWERED)),
        ({"suggested": MOM_VALUE}, (How.FILLED, How.OVERRIDDEN, How.ANSWERED)),
    ],
)
def test_how_each_value_was_approved_is_kept(answers: dict[str, Any], how: tuple[How, ...]) -> None:
    approval = approved(CONTEXT, **{"weak": ALEX_VALUE, **answers})
    assert tuple(one.how for one in approval.parameters) == how
    assert approval.values == {"filled": MOM_VALUE, "suggested": BOB_VALUE, "weak": ALEX_VALUE, **answers}


def test_the_contract_says_what_it_is_about_and_how_long_it_holds() -> None:
    assert (APPROVAL.token, APPROVAL.intent_id, APPROVAL.action) == ("t-1", "i-1", "create_event")
    assert (APPROVAL.captured_at, APPROVAL.approved_at) == (NOW, SHOWN)
    assert APPROVAL.expires_at == SHOWN + timedelta(minutes=10)
    assert [(r.source, r.record_id, r.field, r.content) for r in APPROVAL.parameters[0].reads if r.content] == [
        ("contacts", "c-mom", "display_name", "Mom"),
        ("contacts", "c-mom", "phones", ("+4930111111",)),
        ("contacts", "c-mom", "emails", ("mom@example.org",)),
    ]
    assert [population.source for population in APPROVAL.populations] == ["contacts"]


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({}, "weak: the user was not asked. Answer every suggestion and every question."),
        ({"weak": MOM_VALUE, "else": MOM_VALUE}, "else: the intent has no such parameter"),
        ({"weak": AppValue("com.example.maps")}, "weak: not a value of kind contact"),
        ({"weak": ContactValue("c-9", "Mom")}, "weak: the snapshot has no 'c-9' among its contacts"),
        ({"weak": ContactValue("c-mom", "Mon")}, "weak: the value says of 'c-mom' what the snapshot does not"),
    ],
)
def test_an_answer_that_makes_no_contract_is_refused(answers: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        confirm(CONTEXT, {**CONTEXT.suggested_parameters, **answers}, now=SHOWN, key=KEY, token="t-1")
    assert str(refused.value) == said


def test_a_suggestion_that_was_not_accepted_is_not_filled_in() -> None:
    with pytest.raises(InvalidInput, match="suggested: the user was not asked"):
        confirm(CONTEXT, {"weak": MOM_VALUE}, now=SHOWN, key=KEY, token="t-1")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"key": b"short"}, "key: a key of 5 bytes is too short: 32 are needed"),
        ({"token": ""}, "token: an approval needs a non-empty token"),
        ({"now": NOW - timedelta(seconds=1)}, "now: it was approved before the snapshot was taken"),
        ({"expires_after": timedelta(0)}, "expires_after: an approval has to hold for some time"),
    ],
)
def test_an_argument_that_makes_no_contract_is_refused(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        confirm(asked(CONTACT, "mom"), {}, **{"now": SHOWN, "key": KEY, "token": "t-1", **arguments})
    assert str(refused.value) == said


def test_a_contact_without_an_address_is_no_place() -> None:
    phone = replace(PHONE, contacts=(Contact("c-bob", "Bob"),))
    with pytest.raises(InvalidInput, match="what the snapshot does not"):
        approved(asked(LOCATION, "xyzzy", phone), it=LocationValue(None, "Bob", "", contact_id="c-bob"))


def test_the_same_words_at_another_offset_are_not_what_was_shown() -> None:
    context = asked(TIME_SLOT, "tomorrow at 3pm")
    shown = context.auto_filled_parameters["it"]
    assert isinstance(shown, TimeSlotValue)
    elsewhere = replace(shown, start=shown.start.astimezone(ZoneInfo("Asia/Kolkata")))
    assert elsewhere == shown
    assert not same_value(elsewhere, shown)
    assert approved(context, it=elsewhere).parameters[0].how is How.OVERRIDDEN


FIRST = APPROVAL.parameters[0]


@pytest.mark.parametrize(
    "forged",
    [
        replace(APPROVAL, token="t-2"),
        replace(APPROVAL, intent_id="i-2"),
        replace(APPROVAL, action="create_evenT"),
        replace(APPROVAL, expires_at=APPROVAL.expires_at + timedelta(microseconds=1)),
        replace(APPROVAL, approved_at=NOW),
        replace(APPROVAL, captured_at=NOW - timedelta(seconds=1)),
        replace(APPROVAL, parameters=APPROVAL.parameters[1:]),
        replace(APPROVAL, parameters=APPROVAL.parameters[::-1]),
        replace(APPROVAL, parameters=(replace(FIRST, value=ContactValue("c-mom", "Mom ")), *APPROVAL.parameters[1:])),
        replace(APPROVAL, parameters=(replace(FIRST, how=How.CONFIRMED), *APPROVAL.parameters[1:])),
        replace(APPROVAL, parameters=(replace(FIRST, reads=FIRST.reads[1:]), *APPROVAL.parameters[1:])),
        replace(APPROVAL, parameters=(replace(FIRST, seen=("00",)), *APPROVAL.parameters[1:])),
        replace(APPROVAL, populations=()),
        replace(
            APPROVAL,
            populations=(replace(APPROVAL.populations[0], fingerprints=frozenset({b"0" * 16})),),
        ),
        replace(APPROVAL, mac=""),
        replace(APPROVAL, mac="0" * 64),
        replace(APPROVAL, mac=APPROVAL.mac.upper()),
        replace(APPROVAL, mac="\udc80"),
        replace(APPROVAL, mac=None),  # type: ignore[arg-type]
        replace(APPROVAL, parameters=(object(),)),  # type: ignore[arg-type]
    ],
)
def test_any_change_of_a_contract_breaks_its_seal(forged: Approval) -> None:
    assert is_genuine(APPROVAL, KEY)
    assert not is_genuine(forged, KEY)


def test_another_key_makes_another_seal() -> None:
    assert not is_genuine(APPROVAL, KEY[::-1])
    with pytest.raises(InvalidInput, match="too short"):
        is_genuine(APPROVAL, b"")


def test_the_same_approval_has_the_same_seal() -> None:
    assert approved(CONTEXT, weak=MOM_VALUE) == APPROVAL
    assert canonical(approved(CONTEXT, weak=MOM_VALUE)) == canonical(APPROVAL)
    assert canonical(APPROVAL).startswith(b'{"action":"create_event","approved_at":"2026-11-05T09:30:20+00:00"')


@given(st.sampled_from(sorted(RESOLVERS)), strategies.devices(), strategies.intents)
def test_what_any_phone_fills_in_can_be_sealed(resolver: str, device: DeviceContext, intent: ActionIntent) -> None:
    context = build_agent_context(intent, device, RESOLVERS[resolver])
    known = tuple(p for p in intent.required_parameters if context.resolved_parameters[p.name].value is not None)
    context = replace(context, intent=replace(intent, required_parameters=known))
    shown = {p.name: context.resolved_parameters[p.name].value for p in known}
    approval = confirm(context, shown, now=device.captured_at, key=KEY, token="t-1")  # type: ignore[arg-type]
    assert is_genuine(approval, KEY)
    assert approval.values == shown
