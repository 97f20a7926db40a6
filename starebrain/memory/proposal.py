"""Whether a confirmation may be left out: what memory proposes, below everything that wants it shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from starebrain.matching.heuristics import Heuristics
from starebrain.memory.intent_types import intent_type
from starebrain.recall import IntentType, SessionPattern
from starebrain.resolution import ParameterValue, ResolutionConfidence


@dataclass(frozen=True, slots=True)
class Proposal:
    """Whether to skip a confirmation; `reason` is what decided.

    Where it is shown: ``stakes``, ``unsettled`` (a parameter is not HIGH, so it is suggested or asked anyway),
    ``warning``, the name of a cap that holds a parameter, ``unknown`` (nothing is remembered), ``unsure`` (what is
    general always is: other tasks say nothing of this one), ``unlike`` (another app than the preferred one is to carry
    it out); where it is skipped: ``approved``.
    """

    skip: bool
    reason: str


def propose(
    pattern: SessionPattern | None,
    action: str,
    package: str | None,
    resolved: Iterable[ParameterValue],
    heuristics: Heuristics,
) -> Proposal:
    """Whether to skip the confirmation of an intent with this `action` that the app `package` is to carry out.

    Memory never fills in what the tiers do not: it may only skip a confirmation whose every parameter is HIGH in
    `resolved`, held by no cap and under no warning, of an action without high stakes, where the history of its type
    says so and the preferred app carries it out. Without a `pattern` it is shown, as without memory.
    """
    stakes = frozenset(heuristics.caps.stakes) | {IntentType.PAYMENT}
    if action in stakes or intent_type(action.replace("_", " ")) in stakes:
        return Proposal(False, "stakes")
    for value in resolved:
        if value.caps:
            return Proposal(False, value.caps[0].rule)
        if value.confidence is not ResolutionConfidence.HIGH:
            return Proposal(False, "unsettled")
        if value.warnings:
            return Proposal(False, "warning")
    if pattern is None:
        return Proposal(False, "unknown")
    if pattern.intent_type in stakes:
        return Proposal(False, "stakes")
    if not pattern.may_skip or pattern.intent_type is IntentType.GENERAL:
        return Proposal(False, "unsure")
    if package is None or package != pattern.preferred_package:
        return Proposal(False, "unlike")
    return Proposal(True, "approved")
