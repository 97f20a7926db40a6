from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from starebrain.agent import AgentContext, build_agent_context
from starebrain.device import DeviceContext
from starebrain.explain import WIDTH, clip, describe, table
from starebrain.intent import ActionIntent, Parameter, ParameterKind
from starebrain.resolution import (
    Alternative,
    AppValue,
    CalendarValue,
    Cap,
    ContactValue,
    ContextSource,
    Evidence,
    Grain,
    LocationValue,
    ParameterValue,
    ResolutionConfidence,
    TimeSlotValue,
    Value,
    Warn,
    unresolvable,
)

THREE = datetime(2026, 11, 6, 15, tzinfo=timezone(timedelta(hours=-5)))
FOUR = THREE + timedelta(hours=1)
ANSWERS = {
    "when": ParameterValue(
        ParameterKind.TIME_SLOT,
        TimeSlotValue(THREE, FOUR, Grain.HOUR),
        ResolutionConfidence.MEDIUM,
        ContextSource.USER_PROVIDED,
        probability=0.9876,
        alternatives=(
            Alternative(TimeSlotValue(FOUR, None, Grain.HOUR), 0.01, ContextSource.INFERRED),
            Alternative(TimeSlotValue(THREE, None, Grain.DAY), None, ContextSource.INFERRED),
        ),
        evidence=(Evidence("agreement", 6.125, "two readers"), Evidence("rare", -12.5)),
        caps=(Cap("open_meridiem", ResolutionConfidence.MEDIUM, "3 in the morning or the afternoon"),),
        warnings=(Warn("clash", "Standup"),),
    ),
    "who": unresolvable(ParameterKind.CONTACT),
}


class Fixed:
    """A resolver that gives the answers above."""

    name = "fixed"

    def on(self, device: DeviceContext) -> Fixed:
        return self

    def resolve(self, parameter: Parameter, action: str) -> ParameterValue:
        return ANSWERS[parameter.name]


def context(*parameters: Parameter) -> AgentContext:
    device = DeviceContext(datetime(2026, 11, 5, tzinfo=UTC), "UTC")
    return build_agent_context(ActionIntent("i", "call", None, parameters), device, Fixed())


def test_a_table_shows_tier_value_why_runners_up_caps_and_warnings() -> None:
    shown = table(
        context(
            Parameter("when", ParameterKind.TIME_SLOT, "tomorrow at 3"), Parameter("who", ParameterKind.CONTACT, None)
        )
    )
    assert shown == (
        "when (time_slot): “tomorrow at 3”\n"
        "  MEDIUM       Fri 2026-11-06 15:00-05:00 to 2026-11-06 16:00-05:00 (hour)"
        "  [2026-11-06T15:00:00-05:00/2026-11-06T16:00:00-05:00]  P = 0.988  from user_provided\n"
        "  why           +6.12 bits  agreement  two readers\n"
        "  why          -12.50 bits  rare  \n"
        "  or           Fri 2026-11-06 16:00-05:00 (hour)  [2026-11-06T16:00:00-05:00]  P = 0.010\n"
        "  or           Fri 2026-11-06 15:00-05:00 (day)  [2026-11-06T15:00:00-05:00]\n"
        "  held at      MEDIUM by open_meridiem: 3 in the morning or the afternoon\n"
        "  mind         clash: Standup\n"
        "\n"
        "who (contact): no hint\n"
        "  UNRESOLVABLE nothing on the phone  from user_provided"
    )


def test_an_intent_without_parameters_has_an_empty_table() -> None:
    assert table(context()) == ""


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (ContactValue("c", "Mom\n"), "Mom\\n"),
        (ContactValue("c", ""), "(no name)"),
        (LocationValue("l", "Gym", "7 Canal St"), "Gym, 7 Canal St"),
        (LocationValue("l", "", "7 Canal St"), "7 Canal St"),
        (LocationValue("l", "Gym", ""), "Gym"),
        (LocationValue("l", "", ""), "(no name)"),
        (CalendarValue("k", "Family"), "Family"),
        (CalendarValue("k", ""), "(no name)"),
        (AppValue("com.example"), "com.example"),
    ],
)
def test_a_value_is_described_in_a_few_words(value: Value, words: str) -> None:
    assert describe(value) == words


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x" * WIDTH, "x" * WIDTH),
        ("x" * (WIDTH + 1), "x" * (WIDTH - 1) + "…"),
        ("\n" * WIDTH, "\\n" * ((WIDTH - 1) // 2) + "\\…"),
    ],
)
def test_long_text_is_cut_after_it_was_escaped(text: str, shown: str) -> None:
    assert clip(text) == shown
    assert len(shown) == WIDTH
