"""`AgentContext`: everything an agent knows when it asks, frozen at the moment the intent was parsed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from starebrain.device import AppSwitch, DeviceContext
from starebrain.intent import ActionIntent
from starebrain.memory.intent_types import intent_type
from starebrain.recall import Recall, SessionPattern
from starebrain.resolution import ParameterValue, Resolution, ResolutionConfidence, Value
from starebrain.resolve import Resolver


@dataclass(frozen=True, slots=True)
class AgentContext:
    """An intent, the snapshot it was resolved against, and what became of its parameters."""

    intent: ActionIntent
    device: DeviceContext
    resolved_parameters: Mapping[str, ParameterValue]
    captured_at: datetime
    active_package: str | None
    previous_package: str | None
    recent_app_switches: tuple[AppSwitch, ...]
    pending_task: str | None
    last_user_intent: str | None
    known_pattern: SessionPattern | None
    overall_confidence: ResolutionConfidence

    @property
    def resolution(self) -> Resolution:
        """The public record of this context (`starebrain resolve --json`)."""
        return Resolution(self.intent.intent_id, self.intent.action, self.captured_at, self.resolved_parameters)

    @property
    def pending_parameters(self) -> tuple[str, ...]:
        """Names of what the user has to be asked."""
        return self.resolution.pending_parameters

    @property
    def suggested_parameters(self) -> Mapping[str, Value | None]:
        """What is suggested for confirmation, by name."""
        return self._values(self.resolution.suggested_parameters)

    @property
    def auto_filled_parameters(self) -> Mapping[str, Value | None]:
        """What is filled in silently, by name."""
        return self._values(self.resolution.auto_filled_parameters)

    def _values(self, names: tuple[str, ...]) -> Mapping[str, Value | None]:
        return MappingProxyType({name: self.resolved_parameters[name].value for name in names})


def build_agent_context(
    intent: ActionIntent,
    device: DeviceContext,
    resolver: Resolver,
    *,
    pending_task: str | None = None,
    last_user_intent: str | None = None,
    recall: Recall | None = None,
) -> AgentContext:
    """Resolve every parameter of `intent` once, against `device`, and freeze the outcome.

    `recall` is what session memory knew at that moment: the known pattern is that of the type of `last_user_intent`
    (the user's words, or the name of a type). A resolver that goes by memory has been given its own.
    """
    phone = resolver.on(device)
    resolved = {p.name: phone.resolve(p, intent.action) for p in intent.required_parameters}
    switches = device.app_switches
    last = max(switches, key=lambda switch: switch.at, default=None)
    previous = last.from_package if last else next(iter(device.recent_apps[1:]), None)
    return AgentContext(
        intent=intent,
        device=device,
        resolved_parameters=MappingProxyType(resolved),
        captured_at=device.captured_at,
        active_package=device.active_package,
        previous_package=previous,
        recent_app_switches=switches,
        pending_task=pending_task,
        last_user_intent=last_user_intent,
        known_pattern=_known_pattern(recall, last_user_intent),
        overall_confidence=infer_confidence(resolved.values()),
    )


def _known_pattern(recall: Recall | None, last_user_intent: str | None) -> SessionPattern | None:
    if recall is None or last_user_intent is None:
        return None
    return recall.pattern(intent_type(last_user_intent))


def infer_confidence(values: Iterable[ParameterValue]) -> ResolutionConfidence:
    """The tier of the least certain value; HIGH where there is none to be uncertain of."""
    return min((v.confidence for v in values), key=lambda tier: tier.rank, default=ResolutionConfidence.HIGH)
