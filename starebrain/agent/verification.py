"""Whether an approval still holds: field by field against the phone as it is now, and against whoever fits now too.

Nothing is chosen again. A verdict only tells; what is not valid goes back to the user as a new question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from starebrain.agent.confirmation import as_probable, candidates
from starebrain.agent.contract import Approval, Approved, How, is_genuine, is_in_time
from starebrain.agent.reads import LABEL, SOURCES, Content, as_listed, news, origin, record_of
from starebrain.device import DeviceContext
from starebrain.errors import InvalidInput
from starebrain.intent import ParameterKind
from starebrain.kinds import KINDS, Phone
from starebrain.resolution import ParameterValue, ResolutionConfidence, TimeSlotValue, Value, key_of
from starebrain.resolve import Resolver
from starebrain.resolve.times import clashing


class State(StrEnum):
    """What verification says of one parameter."""

    VALID = "valid"
    CHANGED = "changed"
    """A field that the value depends on holds something else."""
    RIVALLED = "rivalled"
    """Someone else now fits as well, or another event now takes the time."""
    GONE = "gone"
    """The record is no longer on the phone."""
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Change:
    """One field of the read set that holds something else now."""

    source: str
    record_id: str
    field: str
    before: Content
    now: Content


class Why(StrEnum):
    """What makes something a rival."""

    FITS = "fits"
    """The hint fits it as well as the approved value."""
    CLASH = "clash"
    """It takes the approved time."""


@dataclass(frozen=True, slots=True)
class Rival:
    """Something new, or newly called so, that stands against the approved value; `key` as `resolution.key_of` spells.

    A clash has the event's id as its key. `label` is text from the phone: show it as data.
    """

    key: str
    label: str
    why: Why


@dataclass(frozen=True, slots=True)
class Verdict:
    """What verification says of one parameter: the fields that changed, the rivals that appeared."""

    state: State
    changes: tuple[Change, ...] = ()
    rivals: tuple[Rival, ...] = ()


News = Mapping[tuple[str, str], Any]
"""The records that are new, or newly told apart, since the snapshot, by source and id."""

MEDIUM = ResolutionConfidence.MEDIUM
VALID, GONE, EXPIRED = Verdict(State.VALID), Verdict(State.GONE), Verdict(State.EXPIRED)


def verify(
    approval: Approval, device_now: DeviceContext, *, now: datetime, key: bytes, resolver: Resolver | None
) -> Mapping[str, Verdict]:
    """The verdict of every parameter of an approval, presented at `now` on the phone as `device_now` has it.

    Outside of its time every parameter is expired. `resolver` is the one that resolved the intent; with None only the
    read set is checked, and rivals are not looked for. `InvalidInput` where the approval is not what was sealed.
    """
    if not is_genuine(approval, key):
        raise InvalidInput("the approval is not what was sealed", place="mac", remedy="Ask the user again.")
    if not is_in_time(approval, now):
        return {approved.parameter.name: EXPIRED for approved in approval.parameters}
    return compare(approval, device_now, resolver=resolver)


def compare(approval: Approval, device_now: DeviceContext, *, resolver: Resolver | None) -> Mapping[str, Verdict]:
    """The verdict of every parameter by what is on the phone alone: neither seal nor time is looked at."""
    verdicts = {approved.parameter.name: _by_reads(approved, device_now) for approved in approval.parameters}
    if resolver is None:
        return verdicts
    came = {population.source: news(device_now, population) for population in approval.populations}
    for approved in approval.parameters:
        near = {place: r for source in SOURCES[approved.parameter.kind] for place, r in came[source].items()}
        if near and verdicts[approved.parameter.name].state is State.VALID:
            verdicts[approved.parameter.name] = _by_rivals(approved, approval, near, device_now, resolver)
    return verdicts


def _by_reads(approved: Approved, device: DeviceContext) -> Verdict:
    changes = []
    for read in approved.reads:
        record = record_of(device, read.source, read.record_id)
        if record is None:
            return GONE
        content = getattr(record, read.field)
        if content != read.content:
            changes.append(Change(read.source, read.record_id, read.field, read.content, content))
    return Verdict(State.CHANGED, tuple(changes)) if changes else VALID


def _by_rivals(
    approved: Approved, approval: Approval, came: News, device: DeviceContext, resolver: Resolver
) -> Verdict:
    rivals = (*_clashes(approved, device), *_fitting(approved, approval, came, device, resolver))
    return Verdict(State.RIVALLED, rivals=rivals) if rivals else VALID


def _clashes(approved: Approved, device: DeviceContext) -> Iterator[Rival]:
    """The events that now run into an approved time, and did not when it was approved."""
    if isinstance(approved.value, TimeSlotValue):
        for event in clashing(approved.value, device):
            if event.event_id not in approved.clashing:
                yield Rival(event.event_id, event.title, Why.CLASH)


def _fitting(
    approved: Approved, approval: Approval, came: News, device: DeviceContext, resolver: Resolver
) -> Iterator[Rival]:
    """Those that `came` whom the hint fits as well, read at the instant at which it was said.

    It is first asked of a phone that has nothing but them and the approved record: whom it does not reach there is no
    rival anywhere, and that is quick. Only then is the whole phone asked.
    """

    def ask(**records: Any) -> ParameterValue:
        then = replace(device, captured_at=approval.captured_at, **records)
        return resolver.on(then).resolve(approved.parameter, approval.action)

    if not any(origin(value) in came for value in candidates(ask(**_few(approved, came, device)))):
        return
    for value in _beside(ask(), approved, device):
        place = origin(value)
        if place is None or place not in came:
            continue
        if key_of(value) not in approved.equals and not _is_same(value, approved, device):
            yield Rival(key_of(value), getattr(came[place], LABEL[place[0]]), Why.FITS)


def _few(approved: Approved, came: News, device: DeviceContext) -> Mapping[str, tuple[Any, ...]]:
    """The records of a phone that has nothing but those that `came` and the approved one."""
    few: dict[str, list[Any]] = {source: [] for source in DeviceContext.IDS}
    own = origin(approved.value)
    if own is not None and own not in came:
        few[own[0]].append(record_of(device, *own))
    for (source, _), record in came.items():
        few[source].append(record)
    return {source: tuple(records) for source, records in few.items()}


def _beside(answer: ParameterValue, approved: Approved, device: DeviceContext) -> Sequence[Value]:
    """The candidates of `answer` that stand against the approved value.

    Those that are as probable; every one, where the value was the resolver's and it would no longer be given at this
    tier; and where the hint never named it (the user did), what would be suggested now.
    """
    own = next((value for value in candidates(answer) if _is_same(value, approved, device)), None)
    lost = own is None or own != answer.value or answer.confidence.rank < approved.tier.rank
    if approved.how in (How.FILLED, How.CONFIRMED) and lost:
        return candidates(answer)
    if own is not None:
        return as_probable(answer, own)
    return [answer.value] if answer.value is not None and answer.confidence.rank >= MEDIUM.rank else []


def _is_same(value: Value, approved: Approved, device: DeviceContext) -> bool:
    """Whether a candidate is the approved value, or another record of that person or place."""
    if key_of(value) == key_of(approved.value):
        return True
    place, own, kind = origin(value), origin(approved.value), KINDS[approved.parameter.kind]
    if kind.name is ParameterKind.TIME_SLOT or place is None or own is None:
        return False
    one, other = (as_listed(kind.name, source, record_of(device, source, i)) for source, i in (place, own))
    phone = Phone(device)
    return bool(kind.identities(one, phone) & kind.identities(other, phone)) and kind.compatible(one, other)
