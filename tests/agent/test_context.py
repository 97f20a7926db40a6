from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starebrain import formats
from starebrain.agent import AgentContext, build_agent_context, infer_confidence
from starebrain.device import AppSwitch, Contact, DeviceContext
from starebrain.intent import ActionIntent, Parameter, ParameterKind
from starebrain.recall import ConfirmationHistory, IntentType, Recall, SessionPattern
from starebrain.resolution import (
    AppValue,
    ContactValue,
    ContextSource,
    ParameterValue,
    ResolutionConfidence,
    unresolvable,
)
from starebrain.resolve import RESOLVERS
from tests import strategies

HIGH, MEDIUM, LOW, UNRESOLVABLE = ResolutionConfidence
NOW = datetime(2026, 11, 5, 9, 30, tzinfo=UTC)
PHONE = DeviceContext(
    NOW,
    "UTC",
    contacts=(Contact("c-1", "Mom"), Contact("c-2", "Ana Torres"), Contact("c-3", "Herbert")),
    recent_apps=("com.front", "com.before", "com.earlier"),
    active_package="com.front",
)
INTENT = ActionIntent(
    "i-1",
    "call",
    "call them all",
    tuple(
        Parameter(name, ParameterKind.CONTACT, hint)
        for name, hint in (("nobody", "Xyz"), ("mother", "mom"), ("weak", "robert"), ("likely", "ana"))
    ),
)


def build(device: DeviceContext = PHONE, intent: ActionIntent = INTENT) -> AgentContext:
    return build_agent_context(intent, device, RESOLVERS["wratio"])


def test_every_parameter_is_pending_suggested_or_filled_in() -> None:
    context = build()
    assert {name: got.confidence for name, got in context.resolved_parameters.items()} == {
        "nobody": UNRESOLVABLE,
        "mother": HIGH,
        "weak": LOW,
        "likely": MEDIUM,
    }
    assert context.pending_parameters == ("nobody", "weak")
    assert context.suggested_parameters == {"likely": ContactValue("c-2", "Ana Torres")}
    assert context.auto_filled_parameters == {"mother": ContactValue("c-1", "Mom")}
    assert context.overall_confidence is UNRESOLVABLE


def test_the_public_record_says_the_same() -> None:
    context = build()
    record = formats.parse_resolution(formats.resolution_json(context.resolution))
    assert record == context.resolution
    assert record.pending_parameters == context.pending_parameters
    assert record.suggested_parameters == tuple(context.suggested_parameters)
    assert record.auto_filled_parameters == tuple(context.auto_filled_parameters)


def test_what_the_agent_knew_is_kept() -> None:
    pattern = SessionPattern(IntentType.CALL, "com.phone", 3, ConfirmationHistory(approved=2), NOW)
    context = build_agent_context(
        INTENT,
        PHONE,
        RESOLVERS["ask_all"],
        pending_task="t-1",
        last_user_intent="call mom",
        recall=Recall({IntentType.CALL: pattern}),
    )
    assert (context.pending_task, context.last_user_intent, context.known_pattern) == ("t-1", "call mom", pattern)
    assert (context.captured_at, context.active_package, context.device) == (NOW, "com.front", PHONE)
    assert context.pending_parameters == ("nobody", "mother", "weak", "likely")


def test_nothing_is_known_unless_it_is_given() -> None:
    context = build()
    assert (context.pending_task, context.last_user_intent, context.known_pattern) == (None, None, None)


def switch(minutes: int, from_package: str) -> AppSwitch:
    return AppSwitch(from_package, "com.front", NOW - timedelta(minutes=minutes))


@pytest.mark.parametrize(
    ("switches", "recent", "previous"),
    [
        ((switch(5, "com.old"), switch(1, "com.last"), switch(3, "com.mid")), ("com.front", "com.before"), "com.last"),
        ((), ("com.front", "com.before"), "com.before"),
        ((), ("com.front",), None),
        ((), (), None),
    ],
)
def test_the_previous_app_is_that_of_the_newest_switch_else_the_second_most_recent(
    switches: tuple[AppSwitch, ...], recent: tuple[str, ...], previous: str | None
) -> None:
    context = build(dataclasses.replace(PHONE, app_switches=switches, recent_apps=recent))
    assert context.previous_package == previous
    assert context.recent_app_switches == switches


def test_the_context_cannot_be_changed_afterwards() -> None:
    context = build()
    with pytest.raises(dataclasses.FrozenInstanceError):
        context.captured_at = NOW  # type: ignore[misc]
    for mapping in (context.resolved_parameters, context.suggested_parameters, context.auto_filled_parameters):
        with pytest.raises(TypeError):
            mapping["mother"] = unresolvable(ParameterKind.CONTACT)  # type: ignore[index]


def test_the_phone_is_asked_once_for_each_parameter() -> None:
    asked = []

    class Counting:
        name = "counting"

        def on(self, device: DeviceContext) -> Counting:
            asked.append(device)
            return self

        def resolve(self, parameter: Parameter, action: str) -> ParameterValue:
            asked.append((parameter.name, action))
            return unresolvable(parameter.kind)

    build_agent_context(INTENT, PHONE, Counting())
    assert asked == [PHONE, ("nobody", "call"), ("mother", "call"), ("weak", "call"), ("likely", "call")]


@given(st.lists(strategies.tiers, max_size=6))
def test_the_least_certain_parameter_decides(tiers: list[ResolutionConfidence]) -> None:
    values = [
        unresolvable(ParameterKind.APP)
        if tier is UNRESOLVABLE
        else ParameterValue(ParameterKind.APP, AppValue("a"), tier, ContextSource.RECENT_APPS)
        for tier in tiers
    ]
    expected = next((tier for tier in (UNRESOLVABLE, LOW, MEDIUM) if tier in tiers), HIGH)
    assert infer_confidence(values) is expected


@given(st.sampled_from(sorted(RESOLVERS)), strategies.devices(), strategies.intents)
def test_any_phone_and_any_intent_make_a_context(resolver: str, device: DeviceContext, intent: ActionIntent) -> None:
    context = build_agent_context(intent, device, RESOLVERS[resolver])
    names = [*context.pending_parameters, *context.suggested_parameters, *context.auto_filled_parameters]
    assert sorted(names) == sorted(p.name for p in intent.required_parameters)
    assert formats.parse_resolution(formats.resolution_json(context.resolution))
