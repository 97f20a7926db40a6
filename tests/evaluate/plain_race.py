"""The race of snapshot policies the slow way: contexts built anew, contracts sealed, verified and dispatched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from starebrain.agent import (
    AgentContext,
    Executed,
    RecordingDispatcher,
    Refused,
    State,
    build_agent_context,
    confirm,
    dispatch,
    verify,
)
from starebrain.agent.reads import read_set, value_of
from starebrain.dataset import LabelledIntent
from starebrain.device import DeviceContext
from starebrain.evaluate.policies import CARRIED
from starebrain.evaluate.snapshot_timing import CELLS, DELAYS, WINDOWS, WORK
from starebrain.intent import ParameterKind
from starebrain.resolution import ContactValue, Grain, LocationValue, TimeSlotValue, Value, is_one_of
from starebrain.resolve import Resolver
from starebrain.simulate import Life, streams_of

KEY = b"k" * 32
AGE = timedelta(hours=1)
LISTS = ("contacts", "upcoming_events", "saved_locations", "calendars", "installed_apps")

Outcome = tuple[int, ...]
"""Ready, dispatched, unapproved, stale, wrong, blocked, rightly, prompts, extra."""


@dataclass
class Moments:
    """One intent: a context and the phone at each moment, the gold, the user's eyes and the instants."""

    asked: LabelledIntent
    contexts: Mapping[str, AgentContext]
    phones: Mapping[str, DeviceContext]
    eyes: list[list[bool]]
    confirmed: datetime
    sent: datetime
    resolver: Resolver


def plain(
    life: Life, number: int, resolver: Resolver, seed: int, cells: tuple[tuple[str, str], ...] = CELLS
) -> Iterator[dict[str, list[Outcome]]]:
    """For each intent of a life: by policy, what becomes of each parameter."""
    rng = streams_of(life.phone.device_id, seed, number)("race")
    said = life.phone.device.captured_at
    took = life.user.delays(rng, len(life.phone.intents)).tolist()
    delay, window = cells[number % len(cells)]
    for at, asked in enumerate(life.phone.intents):
        luck = rng.random((len(asked.labels), 2))

        def seen(instant: datetime) -> DeviceContext:
            return replace(life.timeline.at(instant), captured_at=said)

        parse = said + AGE
        first = build_agent_context(asked.intent, seen(parse), resolver)
        waits = bool(first.pending_parameters or first.suggested_parameters)
        spans = {"parse–show": WORK, "show–confirm": took[at] if waits else 0.0, "confirm–dispatch": WORK}
        if waits or window != "show–confirm":
            spans[window] = DELAYS[delay]
        instants = {"cache": said, "parse": parse}
        ends = [sum(list(spans.values())[: n + 1]) for n in range(len(WINDOWS))]
        for name, seconds in zip(("show", "confirm", "dispatch"), ends, strict=True):
            instants[name] = parse + timedelta(seconds=seconds)
        phones = {name: seen(instant) for name, instant in instants.items()}
        contexts = {name: build_agent_context(asked.intent, phone, resolver) for name, phone in phones.items()}
        eyes = [[bool(luck[p, n] < life.user.notices(n)) for n in (0, 1)] for p in range(len(asked.labels))]
        moments = Moments(asked, contexts, phones, eyes, instants["confirm"], instants["dispatch"], resolver)
        yield {
            "frozen": frozen(moments, "parse"),
            "frozen_verified": verified(moments, life),
            "reresolve_at_confirm": again(moments, "parse", "confirm"),
            "live_at_dispatch": again(moments, "show", "dispatch"),
            "stale_cache": frozen(moments, "cache"),
        }


def right(m: Moments, at: int, value: Value | None) -> bool:
    label = m.asked.labels[at]
    if is_one_of(value, label.intended):
        return True
    cached = m.contexts["cache"].resolved_parameters[m.asked.intent.required_parameters[at].name].value
    moved = isinstance(value, TimeSlotValue) and isinstance(cached, TimeSlotValue) and cached.event_id is not None
    return moved and value.event_id == cached.event_id and is_one_of(cached, label.intended)  # type: ignore[union-attr]


def told(m: Moments, at: int, moment: str) -> Value | None:
    """What the user would say, if the phone has it."""
    kind, phone = m.asked.intent.required_parameters[at].kind, m.phones[moment]
    for key in m.asked.labels[at].intended:
        if kind is ParameterKind.TIME_SLOT:
            start, _, end = key.partition("/")
            ended = datetime.fromisoformat(end) if end else None
            return TimeSlotValue(datetime.fromisoformat(start), ended, Grain.MINUTE)
        sort, _, own = key.rpartition(":")
        source = {"event": "upcoming_events", "contact": "contacts"}.get(sort) if sort else None
        source = (
            source
            or dict(
                zip(ParameterKind, ("contacts", "saved_locations", "", "calendars", "installed_apps"), strict=True)
            )[kind]
        )
        for record in getattr(phone, source):
            if getattr(record, DeviceContext.IDS[source]) == own:
                value = value_of(kind, source, record, phone)
                if value is not None:
                    return value
    return None


def where(value: Value) -> tuple[str, str] | None:
    """The list and the id of a value's record."""
    match value:
        case LocationValue(location_id=str(own)):
            return "saved_locations", own
        case LocationValue(event_id=str(own)) | TimeSlotValue(event_id=str(own)):
            return "upcoming_events", own
        case LocationValue(contact_id=str(own)) | ContactValue(contact_id=own):
            return "contacts", own
        case TimeSlotValue():
            return None
    own = getattr(value, "calendar_id", None)
    return ("calendars", own) if own else ("installed_apps", value.package)  # type: ignore[union-attr]


def record(value: Value, phone: DeviceContext) -> Any:
    place = where(value)
    if place is None:
        return phone
    source, own = place
    return next((r for r in getattr(phone, source) if getattr(r, DeviceContext.IDS[source]) == own), None)


def leads(m: Moments, at: int, value: Value, moment: str) -> Any:
    """What the action would be carried out with; None where the record is gone."""
    found, place = record(value, m.phones[moment]), where(value)
    if place is None or found is None:
        return () if found is not None else None
    return [getattr(found, name) for name in CARRIED[m.asked.intent.required_parameters[at].kind, place[0]]]


def content(m: Moments, at: int, value: Value, moment: str) -> tuple[Any, Any]:
    return value, leads(m, at, value, moment)


def react(m: Moments, at: int, context: AgentContext, moment: str, prompts: int) -> tuple[Value | None, Any, bool, int]:
    """Value, what was approved (None: silent), whether the user gave it, prompts: of one parameter that is shown."""
    name = m.asked.intent.required_parameters[at].name
    if name in context.auto_filled_parameters:
        return context.auto_filled_parameters[name], None, False, prompts
    if name in context.suggested_parameters:
        value = context.suggested_parameters[name]
        assert value is not None
        if right(m, at, value) or not m.eyes[at][min(prompts, 1)]:
            return value, content(m, at, value, moment), False, prompts + 1
        prompts += 1
    value = told(m, at, moment)
    return value, None if value is None else content(m, at, value, moment), True, prompts + 1


def judged(m: Moments, at: int, held: Any, sent: Any, held_at: str, sent_at: str) -> Outcome:
    value, approved, _, prompts = sent
    ready, extra = held[0] is not None, prompts - held[3]
    flags = [False, False, False]
    if value is not None:
        parameter = m.asked.intent.required_parameters[at]
        if approved is None:
            silent = m.contexts["parse"].auto_filled_parameters.get(parameter.name)
            approved = content(m, at, silent, "parse") if silent is not None else "nothing"
        now = m.phones["dispatch"]
        stale = any(
            (
                r := now
                if read.source == "device"
                else next(
                    (
                        one
                        for one in getattr(now, read.source)
                        if getattr(one, DeviceContext.IDS[read.source]) == read.record_id
                    ),
                    None,
                )
            )
            is None
            or getattr(r, read.field) != read.content
            for read in read_set(parameter, value, m.phones[sent_at])
        )
        flags = [content(m, at, value, sent_at) != approved, stale, bad(m, at, value, sent_at)]
    blocked = ready and extra > 0
    rightly = blocked and bad(m, at, held[0], held_at)
    return tuple(map(int, (ready, value is not None, *flags, blocked, rightly, held[3], extra)))


def bad(m: Moments, at: int, value: Value, moment: str) -> bool:
    return not right(m, at, value) or leads(m, at, value, moment) != leads(m, at, value, "dispatch")


def frozen(m: Moments, moment: str) -> list[Outcome]:
    made = []
    for at in range(len(m.asked.labels)):
        held = react(m, at, m.contexts[moment], moment, 0)
        made.append(judged(m, at, held, held, moment, moment))
    return made


def verified(m: Moments, life: Life) -> list[Outcome]:
    """One contract over everything that has a value; what does not go through is asked and dispatched at once."""
    parameters = m.asked.intent.required_parameters
    held = [react(m, at, m.contexts["parse"], "parse", 0) for at in range(len(parameters))]
    there = [at for at, one in enumerate(held) if one[0] is not None]
    states: Mapping[str, State] = {}
    if there:
        intent = replace(m.asked.intent, required_parameters=tuple(parameters[at] for at in there))
        context = build_agent_context(intent, m.phones["parse"], m.resolver)
        answers = {parameters[at].name: held[at][0] for at in there if held[at][1] is not None}
        long = timedelta(days=365)
        approval = confirm(context, answers, now=m.confirmed, key=KEY, token="t", expires_after=long)  # type: ignore[arg-type]
        now = life.timeline.at(m.sent)
        verdicts = verify(approval, now, now=m.sent, key=KEY, resolver=m.resolver)
        states = {name: verdict.state for name, verdict in verdicts.items()}
        dispatcher, values = RecordingDispatcher(), {parameters[at].name: held[at][0] for at in there}
        outcome = dispatch(
            approval,
            values,
            now,
            now=m.sent,
            key=KEY,
            attempt_id="a",
            dispatcher=dispatcher,
            resolver=m.resolver,  # type: ignore[arg-type]
        )
        good = all(state is State.VALID for state in states.values())
        assert isinstance(outcome, Executed if good else Refused)
        assert [dict(attempt.values) for attempt in dispatcher.performed] == ([values] if good else [])
    made = []
    for at, one in enumerate(held):
        sent, moment = one, "parse"
        if one[0] is not None and states[parameters[at].name] is not State.VALID:
            value = told(m, at, "dispatch")
            approved = None if value is None else content(m, at, value, "dispatch")
            sent, moment = (value, approved, True, one[3] + 1), "dispatch"
        made.append(judged(m, at, one, sent, "parse", moment))
    return made


def again(m: Moments, shown: str, last: str) -> list[Outcome]:
    made = []
    for at, parameter in enumerate(m.asked.intent.required_parameters):
        held = react(m, at, m.contexts[shown], shown, 0)
        value, approved, own, prompts = held
        sent: Any = held
        name, context, moment = parameter.name, m.contexts[last], last
        if value is None:
            moment = shown
        elif own:
            found, place = record(value, m.phones[last]), where(value)
            if place is None:
                fresh: Value | None = value
            else:
                fresh = None if found is None else value_of(parameter.kind, place[0], found, m.phones[last])
            if fresh is None:
                fresh = told(m, at, last)
                sent = (fresh, None if fresh is None else content(m, at, fresh, last), True, prompts + 1)
            else:
                sent = (fresh, approved, True, prompts)
        elif name in context.auto_filled_parameters:
            sent = (context.auto_filled_parameters[name], approved, False, prompts)
        elif name in context.suggested_parameters and approved is not None:
            sent = (context.suggested_parameters[name], approved, False, prompts)
        else:
            sent = react(m, at, context, last, prompts)
        made.append(judged(m, at, held, sent, shown, moment))
    return made


def numbers(life: Life, number: int, resolver: Resolver, seed: int) -> np.ndarray:
    """All outcomes of a life: policies × parameters × columns."""
    parts: dict[str, list[Outcome]] = {}
    for one in plain(life, number, resolver, seed):
        for name, rows in one.items():
            parts.setdefault(name, []).extend(rows)
    return np.array(list(parts.values()))
