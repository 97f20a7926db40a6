"""Snapshot policies: which snapshot an agent shows from, which it dispatches from, and whether it looks again.

One request has five moments: the phone as a cache has it, as it is when the intent is parsed, when the answers are
shown, when the user has answered, and when the action is dispatched. A policy says which of them it takes its values
from. What follows from that for one parameter is played here, for any policy in the same way and with the same user.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from starebrain.agent.reads import SOURCES, origin, read_set, record_of, value_of
from starebrain.dataset import Label
from starebrain.device import DeviceContext
from starebrain.intent import Parameter, ParameterKind
from starebrain.resolution import Grain, ParameterValue, ResolutionConfidence, TimeSlotValue, Value, is_one_of

HIGH, MEDIUM = ResolutionConfidence.HIGH, ResolutionConfidence.MEDIUM


class Moment(StrEnum):
    """The moments of a request, in order of time."""

    CACHE = "cache"
    """When a cached snapshot was taken, before anything was said."""
    PARSE = "parse"
    """When the intent was parsed: intent time."""
    SHOW = "show"
    CONFIRM = "confirm"
    DISPATCH = "dispatch"


@dataclass(frozen=True, slots=True)
class Policy:
    """What an agent does about time: the moment it shows from, the one it dispatches from, whether it verifies.

    With `verified` the contract is checked against the phone at dispatch, and what is not valid becomes a question.
    With `expires` it is too old after `agent.confirmation.EXPIRES_AFTER`; else it holds for as long as it takes.
    """

    name: str
    about: str
    shown: Moment
    values: Moment
    verified: bool = False
    expires: bool = False


POLICIES: Mapping[str, Policy] = {
    policy.name: policy
    for policy in (
        Policy("frozen", "resolved once, dispatched as approved", Moment.PARSE, Moment.PARSE),
        Policy(
            "frozen_verified",
            "resolved once; dispatched as approved if the phone still bears it out, else asked again",
            *(Moment.PARSE, Moment.PARSE, True),
        ),
        Policy(
            "reresolve_at_confirm",
            "resolved when parsed, and again when the user has answered; the second answer is dispatched",
            *(Moment.PARSE, Moment.CONFIRM),
        ),
        Policy(
            "live_at_dispatch",
            "resolved when shown, and again at dispatch; the last answer is dispatched",
            *(Moment.SHOW, Moment.DISPATCH),
        ),
        Policy("stale_cache", "resolved once, against a snapshot from before the request", Moment.CACHE, Moment.CACHE),
    )
}
"""The policies that race."""

EXPIRING = replace(
    POLICIES["frozen_verified"],
    name="frozen_verified_expiring",
    about="as frozen_verified, and asked again where the user approved more than ten minutes ago",
    expires=True,
)
"""What the expiry of contracts costs besides: `starebrain.agent` has it by default."""

CARRIED: Mapping[tuple[ParameterKind, str], tuple[str, ...]] = {
    (ParameterKind.CONTACT, "contacts"): ("phones", "emails"),
    (ParameterKind.LOCATION, "saved_locations"): ("address", "coordinates"),
    (ParameterKind.LOCATION, "contacts"): ("addresses",),
    (ParameterKind.LOCATION, "upcoming_events"): ("location",),
    (ParameterKind.TIME_SLOT, "upcoming_events"): ("start_time", "end_time"),
    (ParameterKind.CALENDAR, "calendars"): ("writable",),
    (ParameterKind.APP, "installed_apps"): (),
}
"""The fields of a value's record that the action is carried out with: where it leads, not what it is called."""

Content = tuple[Value, tuple[Any, ...]]
"""A value with the fields that it carries."""


def carried(kind: ParameterKind, value: Value, device: DeviceContext) -> tuple[Any, ...] | None:
    """What `value` leads to on this phone, by `CARRIED`; None where its record is gone, () for a time that was said."""
    place = origin(value)
    if place is None:
        return ()
    record = record_of(device, *place)
    return None if record is None else tuple(getattr(record, name) for name in CARRIED[kind, place[0]])


@dataclass(frozen=True, slots=True)
class Scene:
    """One parameter of one request, and all that policies and the user may know of it.

    `devices` is the phone at every moment; `answer(moment)` what the resolver says then. `same_event` is the event that
    was meant, where a time was said by one, so that it is still right after it has moved. `noticed` says whether the
    user notices a wrong suggestion of this parameter: as the first thing shown of it, and as a later one.
    """

    parameter: Parameter
    label: Label
    devices: Mapping[Moment, DeviceContext]
    answer: Callable[[Moment], ParameterValue]
    same_event: str | None
    noticed: tuple[bool, ...]

    def content(self, value: Value, moment: Moment) -> Content:
        """`value` with what it leads to at a moment."""
        return value, carried(self.parameter.kind, value, self.devices[moment]) or ()

    def right(self, value: Value | None) -> bool:
        """Whether a value is what the speaker meant."""
        if is_one_of(value, self.label.intended):
            return True
        return isinstance(value, TimeSlotValue) and value.event_id is not None and value.event_id == self.same_event

    def meant(self, moment: Moment) -> Value | None:
        """What the user answers to a question: the first thing meant that the phone has, a time as it was meant."""
        device, kind = self.devices[moment], self.parameter.kind
        for key in self.label.intended:
            if kind is ParameterKind.TIME_SLOT:
                start, _, end = key.partition("/")
                return TimeSlotValue(
                    datetime.fromisoformat(start), datetime.fromisoformat(end) if end else None, Grain.MINUTE
                )
            source, record_id = _place(kind, key)
            record = record_of(device, source, record_id)
            value = None if record is None else value_of(kind, source, record, device)
            if value is not None:
                return value
        return None


def _place(kind: ParameterKind, key: str) -> tuple[str, str]:
    """The source and the id that a gold key names."""
    match kind, key.partition(":"):
        case ParameterKind.LOCATION, ("event", ":", record_id):
            return "upcoming_events", record_id
        case ParameterKind.LOCATION, ("contact", ":", record_id):
            return "contacts", record_id
    return SOURCES[kind][0], key


@dataclass(frozen=True, slots=True)
class Held:
    """What an agent holds of a parameter: the value (None: nobody knows it) and the `moment` whose phone it is from.

    `approved` is what the user saw and approved, None where the value was filled in silently; `own` marks a value that
    the user gave. `prompts` counts what was put before the user so far.
    """

    value: Value | None
    moment: Moment
    approved: Content | None
    own: bool
    prompts: int


def shown(scene: Scene, moment: Moment) -> Held:
    """What an agent holds after it has shown the answer of a moment, and the user has reacted."""
    answer = scene.answer(moment)
    if answer.confidence is HIGH:
        return Held(answer.value, moment, None, False, 0)
    return _suggested(scene, answer, moment, 0) if answer.confidence is MEDIUM else _asked(scene, moment, 0)


def _suggested(scene: Scene, answer: ParameterValue, moment: Moment, before: int) -> Held:
    """A right suggestion is approved, and so is a wrong one that nobody notices; else there is a question."""
    assert answer.value is not None
    if not scene.right(answer.value) and scene.noticed[min(before, 1)]:
        return _asked(scene, moment, before + 1)
    return Held(answer.value, moment, scene.content(answer.value, moment), False, before + 1)


def _asked(scene: Scene, moment: Moment, before: int) -> Held:
    value = scene.meant(moment)
    approved = None if value is None else scene.content(value, moment)
    return Held(value, moment, approved, True, before + 1)


def dispatched(policy: Policy, scene: Scene, held: Held, valid: bool = True) -> Held:
    """What is dispatched in the end of what was `held` after showing; `prompts` goes on counting.

    `valid` is the verdict on the contract, for policies that verify: what is not valid is asked again, and dispatched
    at once. A policy that resolves again takes the new answer: silently where it is HIGH, and under the user's yes
    where there was one and the new answer would be suggested; what had been silent and is now a suggestion is shown,
    and what would be asked is asked. What the user gave themselves stays who or what it is, and is read again.
    """
    if held.value is None:
        return held
    if policy.verified:
        return held if valid else _asked(scene, Moment.DISPATCH, held.prompts)
    if policy.values is held.moment:
        return held
    if held.own:
        return _read_again(scene, held, policy.values)
    answer = scene.answer(policy.values)
    if answer.confidence is HIGH or (answer.confidence is MEDIUM and held.approved is not None):
        return replace(held, value=answer.value, moment=policy.values)
    if answer.confidence is MEDIUM:
        return _suggested(scene, answer, policy.values, held.prompts)
    return _asked(scene, policy.values, held.prompts)


def _read_again(scene: Scene, held: Held, moment: Moment) -> Held:
    assert held.value is not None
    place = origin(held.value)
    if place is None:
        return replace(held, moment=moment)
    record = record_of(scene.devices[moment], *place)
    value = None if record is None else value_of(scene.parameter.kind, place[0], record, scene.devices[moment])
    return _asked(scene, moment, held.prompts) if value is None else replace(held, value=value, moment=moment)


def is_unapproved(scene: Scene, sent: Held) -> bool:
    """Whether what is dispatched was neither approved as shown nor filled in silently from the snapshot at intent time.

    A value counts with what it leads to (`CARRIED`): a number that changed under the same name was not approved.
    """
    assert sent.value is not None
    content = scene.content(sent.value, sent.moment)
    if sent.approved is not None:
        return content != sent.approved
    first = scene.answer(Moment.PARSE)
    return first.confidence is not HIGH or content != scene.content(first.value, Moment.PARSE)  # type: ignore[arg-type]


def is_stale(scene: Scene, sent: Held) -> bool:
    """Whether a field of the read set differs on the phone at dispatch from what it was where the value was read."""
    assert sent.value is not None
    now = scene.devices[Moment.DISPATCH]
    for read in read_set(scene.parameter, sent.value, scene.devices[sent.moment]):
        record = record_of(now, read.source, read.record_id)
        if record is None or getattr(record, read.field) != read.content:
            return True
    return False


def is_wrong(scene: Scene, sent: Held) -> bool:
    """Whether dispatching it would not do what was meant: not the thing meant, or it no longer leads there."""
    assert sent.value is not None
    kind = scene.parameter.kind
    then = carried(kind, sent.value, scene.devices[sent.moment])
    return not scene.right(sent.value) or carried(kind, sent.value, scene.devices[Moment.DISPATCH]) != then
