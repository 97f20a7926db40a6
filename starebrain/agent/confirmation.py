"""From what the user was shown, and what they answered, to a contract."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from starebrain.agent.context import AgentContext
from starebrain.agent.contract import Approval, Approved, How, same_value, seal
from starebrain.agent.reads import SOURCES, called, origin, population, read_set, record_of
from starebrain.device import DeviceContext
from starebrain.errors import InvalidInput, require
from starebrain.intent import Parameter
from starebrain.resolution import VALUES, ParameterValue, ResolutionConfidence, TimeSlotValue, Value
from starebrain.resolve.times import clashing

EXPIRES_AFTER = timedelta(minutes=10)
"""How long an approval holds unless the agent says otherwise (our choice: a user who comes back later is asked)."""


def confirm(
    context: AgentContext,
    answers: Mapping[str, Value],
    *,
    now: datetime,
    key: bytes,
    token: str,
    expires_after: timedelta = EXPIRES_AFTER,
) -> Approval:
    """The contract of what the user approved at `now`; nothing is resolved again.

    `answers` holds, by the name of the parameter, the value that the user accepted as it was shown, or chose instead;
    silently filled parameters need none. `token` must never have been used before (``secrets.token_urlsafe()``), `key`
    has at least 32 bytes. `InvalidInput` names a parameter that was not answered, an answer to none, a value of the
    wrong kind, and one that the snapshot does not have: what appeared on the phone since needs a new snapshot.
    """
    require(now >= context.captured_at, "now", "it was approved before the snapshot was taken")
    require(expires_after > timedelta(0), "expires_after", "an approval has to hold for some time")
    parameters = context.intent.required_parameters
    names = {parameter.name for parameter in parameters}
    for name in answers:
        require(name in names, name, "the intent has no such parameter")
    approved = tuple(_approved(p, context, answers.get(p.name)) for p in parameters)
    sources = dict.fromkeys(source for p in parameters for source in SOURCES[p.kind])
    unsealed = Approval(
        token=token,
        intent_id=context.intent.intent_id,
        action=context.intent.action,
        captured_at=context.captured_at,
        approved_at=now,
        expires_at=now + expires_after,
        parameters=approved,
        populations=tuple(population(context.device, source) for source in sources),
    )
    return replace(unsealed, mac=seal(unsealed, key))


def _approved(parameter: Parameter, context: AgentContext, answer: Value | None) -> Approved:
    resolved = context.resolved_parameters[parameter.name]
    how = _how(resolved, answer)
    value = resolved.value if answer is None else answer
    if how is None or value is None:
        raise InvalidInput(
            "the user was not asked", place=parameter.name, remedy="Answer every suggestion and every question."
        )
    require(isinstance(value, VALUES[parameter.kind]), parameter.name, f"not a value of kind {parameter.kind}")
    clashes = clashing(value, context.device) if isinstance(value, TimeSlotValue) else ()
    return Approved(
        parameter=parameter,
        value=value,
        how=how,
        tier=resolved.confidence,
        reads=read_set(parameter, value, context.device),
        seen=_seen(resolved, context.device),
        clashing=tuple(event.event_id for event in clashes),
    )


def _how(resolved: ParameterValue, answer: Value | None) -> How | None:
    """How a value is approved, None where it is not."""
    silent = resolved.confidence is ResolutionConfidence.HIGH
    if answer is None:
        return How.FILLED if silent else None
    if resolved.value is None or resolved.confidence is ResolutionConfidence.LOW:
        return How.ANSWERED
    return How.CONFIRMED if same_value(answer, resolved.value) else How.OVERRIDDEN


def _seen(resolved: ParameterValue, device: DeviceContext) -> tuple[str, ...]:
    """The candidates of the answer that are records of the phone, as what they were called."""
    places = dict.fromkeys(place for value in candidates(resolved) if (place := origin(value)) is not None)
    records = [(source, record_of(device, source, record_id)) for source, record_id in places]
    return tuple(called(source, record).hex() for source, record in records if record is not None)


def candidates(answer: ParameterValue) -> tuple[Value, ...]:
    """The value of an answer and its runners-up, most probable first."""
    return (*(() if answer.value is None else (answer.value,)), *(other.value for other in answer.alternatives))
