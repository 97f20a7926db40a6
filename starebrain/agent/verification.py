"""Whether an approval still holds: field by field against the phone as it is now, and against whoever fits now too.

Nothing is chosen again. A verdict only tells; what is not valid goes back to the user as a new question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from starebrain.agent.confirmation import candidates
from starebrain.agent.contract import Approval, Approved, How, is_genuine, is_in_time
from starebrain.agent.reads import LABEL, SOURCES, USAGE, Content, as_listed, called, news, origin, record_of
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
    before = {population.source: population.fingerprints for population in approval.populations}
    for approved in approval.parameters:
        if verdicts[approved.parameter.name].state is State.VALID:
            verdicts[approved.parameter.name] = _by_rivals(approved, approval, before, device_now, resolver)
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
    approved: Approved,
    approval: Approval,
    before: Mapping[str, Set[bytes]],
    device: DeviceContext,
    resolver: Resolver,
) -> Verdict:
    came: dict[tuple[str, str], Any] = {}
    for source in SOURCES[approved.parameter.kind]:
        came |= news(device, source, before.get(source, frozenset()))
    if not came:
        return VALID
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

    Asked is a phone that has nothing but them and the approved record, none of them ever used, so that the words alone
    decide: whom they do not reach there is no rival anywhere, and who is as probable there is one.
    """

    def ask(**records: Any) -> ParameterValue:
        then = replace(device, captured_at=approval.captured_at, **records)
        return resolver.on(then).resolve(approved.parameter, approval.action)

    def new(values: Iterable[Value]) -> dict[tuple[str, str], Value]:
        return {place: value for value in values if (place := origin(value)) in came and place is not None}

    came = {
        (source, i): record
        for (source, i), record in came.items()
        if called(source, record).hex() not in approved.seen and not _is_same(source, record, approved, device)
    }
    bare = ask(**_few(approved, came, device))
    if not new(candidates(bare)):
        return
    own = next((value for value in candidates(bare) if key_of(value) == key_of(approved.value)), None)
    rivals = new(() if own is None else as_probable(bare, own))
    if approved.how is How.FILLED or own is None:
        rivals |= new(_given_instead(ask(), approved))
    for place, value in rivals.items():
        if key_of(value) != key_of(approved.value):
            yield Rival(key_of(value), getattr(came[place], LABEL[place[0]]), Why.FITS)


def _few(approved: Approved, came: News, device: DeviceContext) -> Mapping[str, tuple[Any, ...]]:
    """The records of a phone that has nothing but those that `came` and the approved one, none of them ever used."""
    few: dict[str, list[Any]] = {source: [] for source in DeviceContext.IDS}
    own = origin(approved.value)
    if own is not None:
        few[own[0]].append(record_of(device, *own))
    for (source, _), record in came.items():
        few[source].append(record)
    return {source: tuple(replace(r, **USAGE.get(source, {})) for r in records) for source, records in few.items()}


def _given_instead(answer: ParameterValue, approved: Approved) -> Sequence[Value]:
    """The candidates that stand against the approved value in the `answer` of the whole phone.

    Nobody was asked about a filled value, because of its tier: where the tier is lower now, it is every one. Else it is
    what would be suggested, or filled in, instead.
    """
    if approved.how is How.FILLED and answer.confidence.rank < approved.tier.rank:
        return candidates(answer)
    return [answer.value] if answer.value is not None and answer.confidence.rank >= MEDIUM.rank else []


def as_probable(answer: ParameterValue, value: Value) -> tuple[Value, ...]:
    """The other candidates that are as probable as `value`, or more so; those before it, without probabilities."""
    chances = {key_of(other.value): other.probability for other in answer.alternatives}
    if answer.value is not None:
        chances[key_of(answer.value)] = answer.probability
    ranked, key = candidates(answer), key_of(value)
    place = next(at for at, other in enumerate(ranked) if key_of(other) == key)
    least = chances[key]
    return tuple(
        other
        for at, other in enumerate(ranked)
        if at < place or (at > place and least is not None and (chances[key_of(other)] or 0.0) >= least)
    )


def _is_same(source: str, record: Any, approved: Approved, device: DeviceContext) -> bool:
    """Whether a record is the approved one, or another one of that person or place; of a time nothing else is."""
    kind, own = KINDS[approved.parameter.kind], origin(approved.value)
    if own is None or (kind.name is ParameterKind.TIME_SLOT and (source, record.event_id) != own):
        return False
    one, other = (as_listed(kind.name, s, r) for s, r in ((source, record), (own[0], record_of(device, *own))))
    if one is None or other is None or one == other:
        return one == other
    phone = Phone(device)
    return bool(kind.identities(one, phone) & kind.identities(other, phone)) and kind.compatible(one, other)
