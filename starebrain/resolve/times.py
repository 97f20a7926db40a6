"""Times: readings of the hint and events of the calendar as candidates of one posterior."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from math import ceil
from zoneinfo import ZoneInfo

from starebrain.device import DeviceContext, Event, Response
from starebrain.intent import Parameter, ParameterKind
from starebrain.kinds import Fact
from starebrain.kinds.readers import Anchor, Flag, Reading, Relation, Support, grade, read
from starebrain.matching.posterior import calibrated
from starebrain.matching.tiers import capped, tier_of
from starebrain.resolution import (
    MAX_ALTERNATIVES,
    Alternative,
    ContextSource,
    Evidence,
    Grain,
    ParameterValue,
    ResolutionConfidence,
    TimeSlotValue,
    Warn,
    key_of,
    unresolvable,
)
from starebrain.resolve.scoring import KindOnPhone

CAP_OF = {
    Flag.OPEN_MERIDIEM: "open_meridiem",
    Flag.OPEN_WEEKDAY: "open_weekday",
    Flag.NO_TIME: "no_time",
    Flag.AFTER: "no_time",
    Flag.BEFORE: "no_time",
    Flag.WINDOW: "no_time",
    Flag.PAST: "past",
    Flag.NEGATED: "negated",
    Flag.RECURRING: "recurring",
    Flag.DURATION_ONLY: "duration_only",
    Flag.OPEN_LENGTH: "duration_only",
    Flag.TWO_OFFERS: "two_offers",
}
"""The cap that each flag of a reading stands for."""
LEFT_OPEN = frozenset({Flag.OPEN_MERIDIEM, Flag.OPEN_WEEKDAY, Flag.TWO_OFFERS})
"""Flags of readings of which each may be meant."""
SECOND = {Flag.OPEN_MERIDIEM: "other_half", Flag.OPEN_WEEKDAY: "other_day"}
"""What speaks against the readings that come second: the first half of the day, and the first weekday, is meant more
often. Of two offers each is as likely."""
WORKING_HOURS = (time(9), time(18))
"""Local hours in which a free slot is offered where the time was left open."""
SLOT = timedelta(minutes=30)
"""Length and step of the free slots that are offered."""
BEFORE_EVENT = timedelta(hours=1)
"""How long before an event "before the meeting" begins, where nothing was said."""
SEARCHED = timedelta(days=31)
"""How far a free slot is looked for."""
LEAST_SHOWN = 0.002


@dataclass(frozen=True, slots=True)
class Proposal:
    """One candidate: its slot, its probability (0 to 1), what may cap it, and why."""

    value: TimeSlotValue
    source: ContextSource
    probability: float
    facts: tuple[Fact, ...]
    evidence: tuple[Evidence, ...]


def resolve_time(parameter: Parameter, here: KindOnPhone, facts: Sequence[Fact]) -> ParameterValue:
    """The answer to a time hint; `facts` are caps that hold whatever the reading (stakes)."""
    device = here.phone.device
    hint = parameter.hint or ""
    now = device.captured_at.astimezone(device.zone).replace(tzinfo=None)
    understood = read(hint, now, device.locale) if hint.strip() else None
    if understood is None or understood.refused:
        return unresolvable(ParameterKind.TIME_SLOT)
    best, support = grade(understood)
    anchor = understood.anchor
    if anchor is None and best is None:
        anchor = Anchor(Relation.AT, None, hint, flags=understood.flags)
    proposals = [] if anchor is None else list(_anchored(anchor, here))
    if best is not None:  # "after lunch" is after the lunch of that day, or else after noon
        proposals = [p for p in proposals if p.value.start.date() == best.start.date()]
    likely = max((p.probability for p in proposals), default=0.0) >= here.weights.of.tiers.medium
    if best is not None and not likely:
        proposals = list(_read(understood.readings, best, support, here))
    return _answer(proposals, here, facts)


def _read(readings: Sequence[Reading], best: Reading, support: Support, here: KindOnPhone) -> Iterator[Proposal]:
    """Readings as proposals: one of them is meant or none is, and the bits of a reading are its odds against none."""
    found: dict[str, tuple[TimeSlotValue, float, tuple[Fact, ...], tuple[Evidence, ...]]] = {}
    device, weigh = here.phone.device, here.weights.context
    minute = device.captured_at.replace(second=0, microsecond=0)
    for reading in readings:
        if reading.end is not None and reading.end < reading.start:
            continue
        by = ", ".join(sorted(reading.readers))
        evidence = tuple(Evidence(name, weigh[name], by) for name in _weights(reading, best, support))
        bits = sum(term.bits for term in evidence)
        for value, changes in _placed(reading, device.zone, minute):
            found.setdefault(key_of(value), (value, bits, _left_open(reading.flags) + changes, evidence))
    total = 1 + sum(2**bits for _, bits, _, _ in found.values())
    for value, bits, facts, evidence in found.values():
        chance = calibrated(2**bits / total, here.weights.of)
        yield Proposal(value, ContextSource.USER_PROVIDED, chance, facts, evidence)


def _weights(reading: Reading, best: Reading, support: Support) -> Iterator[str]:
    """The names of what speaks for a reading: its support, and that it is not the first of those that are left open."""
    peer = reading is best or bool(reading.flags & best.flags & LEFT_OPEN and reading.readers & best.readers)
    over = Flag.PAST in reading.flags and Flag.PAST not in best.flags
    if not peer or over or reading.flags & {Flag.NEGATED, Flag.FORCED}:
        yield "reading_doubtful"
        return
    yield f"reading_{support}"
    if reading is not best and Flag.TWO_OFFERS not in reading.flags:
        yield from (name for flag, name in SECOND.items() if flag in reading.flags & best.flags)


def _left_open(flags: frozenset[Flag]) -> tuple[Fact, ...]:
    return tuple(Fact(CAP_OF[flag], "the hint leaves it open") for flag in sorted(flags) if flag in CAP_OF)


def _placed(reading: Reading, zone: ZoneInfo, now: datetime) -> Iterator[tuple[TimeSlotValue, tuple[Fact, ...]]]:
    """A reading in the phone's zone: twice where its hour occurs twice, moved on where it never occurs.

    Where the hint named a zone and no day, the next time after `now`.
    """
    if reading.start.tzinfo is not None:
        days = ceil((now - reading.start) / timedelta(days=1)) if Flag.DAYLESS in reading.flags else 0
        ahead = timedelta(days=days)
        end = None if reading.end is None else (reading.end + ahead).astimezone(zone)
        yield TimeSlotValue((reading.start + ahead).astimezone(zone), end, reading.grain), ()
        return
    first, second = (reading.start.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.utcoffset() == second.utcoffset() or reading.grain not in (Grain.MINUTE, Grain.HOUR):
        yield TimeSlotValue(first, _end(reading, zone), reading.grain), ()
        return
    again = first.astimezone(UTC).astimezone(zone)
    if again.replace(tzinfo=None) != reading.start:
        fact = Fact("clock_change", f"{reading.start.isoformat(' ', 'minutes')} does not occur: the clocks go forward")
        yield TimeSlotValue(again, _end(reading, zone), reading.grain), (fact,)
        return
    fact = Fact("clock_change", f"{reading.start.isoformat(' ', 'minutes')} occurs twice: the clocks go back")
    for start in (first, second):
        yield TimeSlotValue(start.astimezone(UTC).astimezone(zone), _end(reading, zone), reading.grain), (fact,)


def _end(reading: Reading, zone: ZoneInfo) -> datetime | None:
    return None if reading.end is None else reading.end.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)


def _anchored(anchor: Anchor, here: KindOnPhone) -> Iterator[Proposal]:
    """Slots relative to the events that the words may name, most probable first.

    Where something that its owner did not accept fits the words as well as the best event, the best is capped too.
    """
    hint = here.kind.read(anchor.event_words)
    if not hint.words:
        return
    device = here.phone.device
    scores = here.scores(hint)
    caps = [here.kind.caps(here.records[one.comparison.candidate], here.phone, 0.0) for one in scores]
    for one, held in zip(scores, caps, strict=True):
        event: Event = here.records[one.comparison.candidate]
        if anchor.when and not any(_overlaps(event, when, device.zone) for when in anchor.when):
            continue
        slot, facts = _relative(event, anchor, device)
        if _occurrences(event, here) > 1:
            facts = (*facts, Fact("recurring", "several events to come have this title; the next one is meant"))
        rivals = [
            Fact("provenance", "an invitation that is not accepted fits as well")
            for other, others in zip(scores, caps, strict=True)
            if other.comparison.levels == one.comparison.levels and "provenance" in {fact.name for fact in others}
        ]
        facts = (*held, *rivals[:1], *facts, *_left_open(anchor.flags))
        yield Proposal(slot, ContextSource.DEVICE_CALENDAR, one.probability, facts, here.evidence(one))


def _occurrences(event: Event, here: KindOnPhone) -> int:
    """How many events that are not over share the title of `event`."""
    title, now = here.kind.identities(event, here.phone), here.phone.device.captured_at
    return sum(e.end_time > now and here.kind.identities(e, here.phone) == title for e in here.records)


def _overlaps(event: Event, when: Reading, zone: ZoneInfo) -> bool:
    start = when.start if when.start.tzinfo else when.start.replace(tzinfo=zone)
    end = when.end or when.start + timedelta(days=1)
    end = end if end.tzinfo else end.replace(tzinfo=zone)
    return event.start_time < end and event.end_time > start


def _relative(event: Event, anchor: Anchor, device: DeviceContext) -> tuple[TimeSlotValue, tuple[Fact, ...]]:
    """The slot that `anchor` means beside an event, in the phone's zone, and what is left open in it."""
    start, end = (t.astimezone(device.zone) for t in (event.start_time, event.end_time))
    grain = Grain.DAY if event.all_day else Grain.MINUTE
    open_time = (Fact("no_time", "the hint names a stretch of time"),)
    match anchor.relation:
        case Relation.AT:
            return TimeSlotValue(start, end, grain, event.event_id), ()
        case Relation.DURING:
            return TimeSlotValue(start, end, grain, event.event_id), open_time
        case Relation.AFTER | Relation.WHEN:
            return TimeSlotValue(end + (anchor.offset or timedelta(0)), None, grain, event.event_id), ()
        case Relation.BEFORE if anchor.offset:
            return TimeSlotValue(start - anchor.offset, None, grain, event.event_id), ()
        case _:
            return TimeSlotValue(start - BEFORE_EVENT, start, grain, event.event_id), open_time


def _answer(proposals: Sequence[Proposal], here: KindOnPhone, facts: Sequence[Fact]) -> ParameterValue:
    ranked = sorted(proposals, key=lambda p: -p.probability)[: MAX_ALTERNATIVES + 1]  # as likely: as they were read
    shown = [p for p in ranked if p.probability >= LEAST_SHOWN]
    kind = ParameterKind.TIME_SLOT
    if not shown:
        return unresolvable(kind)
    best = shown[0]
    tier = tier_of(best.probability, here.weights.of.tiers)
    others = [Alternative(p.value, p.probability, p.source) for p in shown[1:]]
    held = {fact.name: fact for fact in (*best.facts, *facts)}
    if "no_time" in held and best.source is ContextSource.USER_PROVIDED:
        free = first_free(best.value, here.phone.device)
        if free is not None:
            others.insert(0, Alternative(free, None, ContextSource.INFERRED))
    if tier is ResolutionConfidence.UNRESOLVABLE:
        first = Alternative(best.value, best.probability, best.source)
        return unresolvable(kind, (first, *others)[:MAX_ALTERNATIVES])
    tier, caps = capped(tier, held.values())
    return ParameterValue(
        kind,
        best.value,
        tier,
        best.source,
        best.probability,
        tuple(others[:MAX_ALTERNATIVES]),
        best.evidence,
        caps,
        clashes(best.value, here.phone.device),
    )


def clashes(slot: TimeSlotValue, device: DeviceContext) -> tuple[Warn, ...]:
    """A warning for every event that a slot runs into."""
    return tuple(
        Warn("clash", f"{event.title} from {event.start_time.astimezone(device.zone).isoformat(' ', 'minutes')}")
        for event in clashing(slot, device)
    )


def clashing(slot: TimeSlotValue, device: DeviceContext) -> tuple[Event, ...]:
    """The events that a slot with a clock time runs into; declined and all-day ones, and its own, do not count."""
    if slot.grain not in (Grain.MINUTE, Grain.HOUR):
        return ()
    end = slot.end or slot.start
    return tuple(
        event
        for event in device.upcoming_events
        if event.event_id != slot.event_id
        and event.response is not Response.DECLINED
        and not event.all_day
        and event.start_time < max(end, slot.start + timedelta(minutes=1))
        and event.end_time > slot.start
    )


def first_free(slot: TimeSlotValue, device: DeviceContext) -> TimeSlotValue | None:
    """The first half hour inside `slot` in working hours of a weekday (of any day that `slot` lies in) that is free."""
    zone = device.zone
    now = device.captured_at.astimezone(zone)
    end = min(slot.end or slot.start + timedelta(days=1), slot.start + SEARCHED)
    start = _rounded_up(max(slot.start, now))
    whole_days = end - slot.start >= timedelta(days=2)
    opening, closing = WORKING_HOURS
    while start < end:
        local = start.replace(tzinfo=None)
        inside = slot.grain is Grain.DAY_PART or (opening <= local.time() and (local + SLOT).time() <= closing)
        workday = not whole_days or local.weekday() < 5
        offered = TimeSlotValue(start, start + SLOT, Grain.MINUTE)
        if inside and workday and start + SLOT <= end and not clashes(offered, device):
            return offered
        start = (start.astimezone(UTC) + SLOT).astimezone(zone)
    return None


def _rounded_up(instant: datetime) -> datetime:
    past = timedelta(minutes=instant.minute % 30, seconds=instant.second, microseconds=instant.microsecond)
    return instant + (SLOT - past if past else timedelta(0))
