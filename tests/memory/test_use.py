"""What memory changes of an answer, and what it never changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starebrain.agent import build_agent_context
from starebrain.device import App, DeviceContext
from starebrain.intent import ActionIntent, Parameter, ParameterKind
from starebrain.matching.heuristics import Tiers, default_heuristics
from starebrain.memory import RETENTION, MemoryStore
from starebrain.memory.proposal import propose
from starebrain.recall import ConfirmationHistory, IntentType, Recall, SessionPattern
from starebrain.resolution import (
    AppValue,
    Cap,
    ContextSource,
    ParameterValue,
    ResolutionConfidence,
    Warn,
    unresolvable,
)
from starebrain.resolve import RESOLVERS, resolver_named
from starebrain.resolve.context_resolver import EvidenceResolver
from tests import strategies
from tests.memory.toys import NOW, SENDING, SIGNAL, WHATSAPP, task

HIGH, MEDIUM, UNRESOLVABLE = (ResolutionConfidence(t) for t in ("HIGH", "MEDIUM", "UNRESOLVABLE"))
PHONE = DeviceContext(
    NOW,
    "UTC",
    "en_US",
    installed_apps=(
        App(WHATSAPP, "WhatsApp"),
        App(SIGNAL, "Signal"),
        App("com.google.messages", "Messages"),
        App("com.samsung.messages", "Messages"),
    ),
)
HEURISTICS = default_heuristics()


def preferring(package: str, share: float = 0.9, of: IntentType = IntentType.SEND_MESSAGE, **fields) -> Recall:
    pattern = SessionPattern(of, package, 2, ConfirmationHistory(approved=20), NOW, share, 0.99, **fields)
    return Recall({of: pattern})


def resolved(recall: Recall, hint: str | None, action: str = "send_message") -> ParameterValue:
    return EvidenceResolver(recall=recall).on(PHONE).resolve(Parameter("with", ParameterKind.APP, hint), action)


# The app


@pytest.mark.parametrize("hint", [None, "", "  "])
def test_with_no_app_named_the_preferred_one_is_suggested(hint: str | None) -> None:
    got = resolved(preferring(WHATSAPP), hint)
    assert (got.value, got.confidence, got.source) == (AppValue(WHATSAPP), MEDIUM, ContextSource.SESSION_MEMORY)
    assert got.probability == 0.9
    assert [one.name for one in got.evidence] == ["preferred"]
    assert resolved(Recall(), hint) == unresolvable(ParameterKind.APP)


def test_however_sure_memory_is_it_fills_nothing_in_silently() -> None:
    got = resolved(preferring(WHATSAPP, share=0.999), None)
    assert (got.confidence, [cap.rule for cap in got.caps]) == (MEDIUM, ["provenance"])
    paying = resolved(preferring(WHATSAPP, 0.999, IntentType.PAYMENT), None, "payment")
    assert (paying.confidence, [cap.rule for cap in paying.caps]) == (MEDIUM, ["stakes"])


@pytest.mark.parametrize(
    ("recall", "action"),
    [
        (preferring("com.not.installed"), "send_message"),
        (preferring(WHATSAPP), "call"),
        (preferring(WHATSAPP), "some other action"),
        (preferring(WHATSAPP, share=0.01), "send_message"),
        (Recall(), "send_message"),
    ],
)
def test_memory_that_does_not_fit_is_as_none(recall: Recall, action: str) -> None:
    assert resolved(recall, None, action) == unresolvable(ParameterKind.APP)


def test_a_rule_that_says_no_share_suggests_nothing_at_any_threshold() -> None:
    known = default_heuristics()
    app = known.kinds[ParameterKind.APP]
    everything = replace(known, kinds={**known.kinds, ParameterKind.APP: replace(app, tiers=Tiers(1.0, 0.0, 0.0))})
    pattern = replace(SURE, preferred_share=None)
    resolver = EvidenceResolver(everything, recall=Recall({pattern.intent_type: pattern}))
    got = resolver.on(PHONE).resolve(Parameter("with", ParameterKind.APP), "send_message")
    assert got == unresolvable(ParameterKind.APP)


def test_a_named_app_is_that_app_whatever_is_preferred() -> None:
    got = resolved(preferring(WHATSAPP), "Signal")
    assert (got.value, got.confidence, got.source) == (AppValue(SIGNAL), HIGH, ContextSource.RECENT_APPS)


def test_of_two_apps_of_one_name_the_preferred_one_is_suggested() -> None:
    neither = resolved(Recall(), "Messages")
    assert neither.confidence is not HIGH
    assert neither.alternatives[0].probability == neither.probability, "neither is likelier than the other"
    got = resolved(preferring("com.samsung.messages"), "Messages")
    assert (got.value, got.confidence, got.source) == (
        AppValue("com.samsung.messages"),
        MEDIUM,
        ContextSource.SESSION_MEMORY,
    )
    assert got.probability is not None
    assert got.probability > 0.6
    assert "preferred" in [one.name for one in got.evidence]


hints = (
    st.none() | st.sampled_from(("WhatsApp", "whats", "Messages", "mess", "sign", "signal app", "x", "")) | st.text()
)
packages = st.sampled_from((WHATSAPP, SIGNAL, "com.google.messages", "com.not.installed"))


@given(hints, packages, st.floats(0, 0.9999), st.sampled_from(IntentType))
def test_what_is_silent_with_memory_is_silent_without_it(
    hint: str | None, package: str, share: float, of: IntentType
) -> None:
    got, without = resolved(preferring(package, share, of), hint, of), resolved(Recall(), hint, of)
    if got.confidence is HIGH:
        assert (got.value, got.confidence) == (without.value, without.confidence)
    if got.source is ContextSource.SESSION_MEMORY:
        assert got.value == AppValue(package)


@given(strategies.devices(), strategies.intents, packages)
def test_without_memory_and_for_other_kinds_nothing_changes(
    device: DeviceContext, intent: ActionIntent, package: str
) -> None:
    plain = build_agent_context(intent, device, RESOLVERS["evidence"], last_user_intent=SENDING)
    for recall in (Recall(), preferring("com.not.installed")):
        resolver = resolver_named("evidence", recall=recall)
        assert build_agent_context(intent, device, resolver, last_user_intent=SENDING) == plain
    others = replace(
        intent, required_parameters=tuple(p for p in intent.required_parameters if p.kind is not ParameterKind.APP)
    )
    resolver = EvidenceResolver(recall=preferring(package))
    assert build_agent_context(others, device, resolver) == build_agent_context(others, device, EvidenceResolver())


def test_an_unseen_type_an_expired_pattern_and_no_memory_are_alike(tmp_path: Path) -> None:
    with MemoryStore(tmp_path / "memory.sqlite") as store:
        for _ in range(30):
            store.record(task(), NOW)
        late = NOW + RETENTION + timedelta(seconds=1)
        seen, unseen, expired = store.recall(NOW), store.recall(NOW), store.recall(late)
    intent = ActionIntent("i", "send_message", SENDING, (Parameter("with", ParameterKind.APP),))
    assert suggests(intent, seen) == {"with": AppValue(WHATSAPP)}
    assert suggests(replace(intent, action="call"), unseen) == suggests(intent, expired) == suggests(intent, None) == {}
    assert not propose(expired.pattern("send_message"), "send_message", WHATSAPP, (), HEURISTICS).skip


def suggests(intent: ActionIntent, recall: Recall | None) -> dict:
    return dict(
        build_agent_context(
            intent, PHONE, resolver_named("evidence", recall=recall), recall=recall
        ).suggested_parameters
    )


def test_a_baseline_knows_no_memory() -> None:
    assert resolver_named("article", recall=preferring(WHATSAPP)) is RESOLVERS["article"]
    assert resolver_named("evidence", recall=None) is RESOLVERS["evidence"]


# The known pattern


@pytest.mark.parametrize(
    ("last", "known"),
    [(SENDING, True), ("send_message", True), ("schick Anna eine Nachricht", True), ("call mom", False), (None, False)],
)
def test_the_known_pattern_is_that_of_the_type_of_the_last_user_intent(last: str | None, known: bool) -> None:
    recall = preferring(WHATSAPP)
    intent = ActionIntent("i", "call", "call mom")
    context = build_agent_context(intent, PHONE, RESOLVERS["evidence"], last_user_intent=last, recall=recall)
    assert context.known_pattern == (recall.pattern("send_message") if known else None)


# The confirmation

SURE = preferring(WHATSAPP, may_skip=True).pattern("send_message")
FILLED = ParameterValue(ParameterKind.APP, AppValue(WHATSAPP), HIGH, ContextSource.RECENT_APPS)


def held(rule: str) -> ParameterValue:
    return replace(FILLED, confidence=MEDIUM, caps=(Cap(rule, MEDIUM),))


@pytest.mark.parametrize(
    ("pattern", "action", "package", "values", "skip", "reason"),
    [
        (SURE, "send_message", WHATSAPP, (), True, "approved"),
        (SURE, "send_message", WHATSAPP, (FILLED, FILLED), True, "approved"),
        (None, "send_message", WHATSAPP, (FILLED,), False, "unknown"),
        (preferring(WHATSAPP).pattern("send_message"), "send_message", WHATSAPP, (FILLED,), False, "unsure"),
        (SURE, "send_message", SIGNAL, (FILLED,), False, "unlike"),
        (SURE, "send_message", None, (FILLED,), False, "unlike"),
        (SURE, "send_message", WHATSAPP, (FILLED, replace(FILLED, confidence=MEDIUM)), False, "unsettled"),
        (SURE, "send_message", WHATSAPP, (FILLED, unresolvable(ParameterKind.CONTACT)), False, "unsettled"),
        (SURE, "send_message", WHATSAPP, (replace(FILLED, warnings=(Warn("clash"),)),), False, "warning"),
        *((SURE, "send_message", WHATSAPP, (FILLED, held(rule)), False, rule) for rule in ("provenance", "deixis")),
        *((SURE, action, WHATSAPP, (FILLED,), False, "stakes") for action in HEURISTICS.caps.stakes),
        *((SURE, action, WHATSAPP, (FILLED,), False, "stakes") for action in ("pay_the_rent", "buy_tickets")),
        (replace(SURE, intent_type=IntentType.PAYMENT), "send", WHATSAPP, (FILLED,), False, "stakes"),
        (replace(SURE, intent_type=IntentType.GENERAL), "send", WHATSAPP, (FILLED,), False, "unsure"),
    ],
)
def test_a_confirmation_is_skipped_only_below_everything_that_wants_it_shown(
    pattern: SessionPattern | None,
    action: str,
    package: str | None,
    values: Iterable[ParameterValue],
    skip: bool,
    reason: str,
) -> None:
    proposal = propose(pattern, action, package, values, HEURISTICS)
    assert (proposal.skip, proposal.reason) == (skip, reason)


@given(st.lists(strategies.parameter_values(), max_size=4), strategies.texts, packages)
def test_nothing_that_is_not_high_is_ever_skipped(values: list[ParameterValue], action: str, package: str) -> None:
    if propose(SURE, action, package, values, HEURISTICS).skip:
        assert all(value.confidence is HIGH and not value.caps and not value.warnings for value in values)
        assert action not in HEURISTICS.caps.stakes


@pytest.mark.parametrize(
    "make",
    [
        lambda: SessionPattern("anything else", None, 1, ConfirmationHistory(), NOW),
        lambda: SessionPattern(IntentType.CALL, None, 1, ConfirmationHistory(), NOW.replace(tzinfo=None)),
        lambda: preferring(WHATSAPP, share=1.0),
    ],
)
def test_patterns_that_cannot_be_are_refused(make) -> None:
    with pytest.raises(ValueError, match=r"no intent type|no offset|probability"):
        make()
