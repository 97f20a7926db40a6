"""The race of snapshot policies: the same phones, the same changes, the same users; who dispatches what.

A *life* is a labelled phone with what happens to it and who holds it (`starebrain.simulate.lives`). In each life every
intent of the phone is asked once. The labelled phone is what a cache holds; what happens in the `cache_age` after it is
made to the phone before the intent is parsed. The words are read as of the instant at which they were labelled,
whenever a policy resolves them, so that policies differ in what they know of the phone and in nothing else; what comes
of an agent that reads "tomorrow" anew after midnight is not counted. Each life has one cell of `CELLS`: a delay in one
window, while the other two windows take what they usually take.

A user answers a question with what was meant, if the phone has it; approves what is right; puts a wrong suggestion
right where they notice it, and approves it where they do not. What is asked anew is dispatched as soon as they answer.
One row is one parameter under one policy. What is counted, exactly:

- *dispatched*: there is a value in the end. Where the user cannot answer, because the phone does not have what was
  meant, there is none, under any policy.
- *unapproved*: dispatched, and neither approved as shown nor filled in silently from the snapshot at intent time. A
  value counts with what it leads to: numbers and mail addresses of a contact belong to it (`policies.CARRIED`).
- *stale*: dispatched, and some field of its read set (`starebrain.agent.reads`) is not on the phone at dispatch what it
  was where the value was read, or its record is gone.
- *wrong*: dispatched, and not what the speaker meant, or it no longer leads there. A user who did not notice a wrong
  suggestion and a resolver that was wrong from the start are in it, under every policy alike.
- *blocked*: what had been approved or filled in was not dispatched, but put before the user again. Rightly where
  dispatching it would have been wrong, by gold and by the phone at dispatch; else needlessly.
- *extra prompts*: prompts after the first showing; a suggestion that is overridden counts as two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from starebrain.agent import build_agent_context, confirm, verify
from starebrain.agent.confirmation import EXPIRES_AFTER
from starebrain.agent.reads import origin
from starebrain.agent.verification import State
from starebrain.dataset import LabelledIntent, LabelledPhone
from starebrain.evaluate.policies import (
    EXPIRING,
    POLICIES,
    Held,
    Moment,
    Policy,
    Scene,
    dispatched,
    is_stale,
    is_unapproved,
    is_wrong,
    shown,
)
from starebrain.evaluate.remembering import Remembering, RememberingOnPhone
from starebrain.resolution import ResolutionConfidence, TimeSlotValue, is_one_of
from starebrain.resolve import Resolver
from starebrain.simulate.changes import ChangeType, at_instant
from starebrain.simulate.lives import Life, streams_of

WINDOWS = ("parse–show", "show–confirm", "confirm–dispatch")
"""Where the time goes: the agent works, the user takes their time, the action waits."""
DELAYS: Mapping[str, float] = {
    "1 s": 1.0,
    "10 s": 10.0,
    "1 min": 60.0,
    "10 min": 600.0,
    "1 hour": 3_600.0,
    "6 hours": 21_600.0,
    "1 day": 86_400.0,
}
"""The delays that are put into a window, in seconds."""
CELLS = tuple(product(DELAYS, WINDOWS))
"""Delay and window of a life, by its number: as many lives as cells play each of them once."""
WORK = 0.5
"""Seconds that the agent takes to show, and to dispatch, where nothing delays it (assumed)."""
ALL = (*POLICIES.values(), EXPIRING)

KEY, TOKEN, FOREVER = bytes(32), "race", timedelta(days=3_660)
"""Contracts of the race: what they cost is measured, not whether somebody can forge them."""

GIVEN = ("phone", "life", "intent", "first", "kind", "delay", "window", "hit", "verdict")
"""Columns of `race` that say what was asked: names of phone, kind, delay and window, numbers of life and intent,
whether the row is the first of its intent, the type of the first change that hit the record of the value that was held
after showing (``""``: none did), and the verdict on the contract."""
FOUND = ("ready", "dispatched", "unapproved", "stale", "wrong", "blocked", "rightly", "prompts", "extra")
"""Columns that say what became of it under a policy (column ``resolver``), as the module defines them; `ready` is
whether there was a value after showing, `rightly` whether a block was right, `prompts` and `extra` are counts."""


def race(
    lives: Iterable[Life],
    resolver: Resolver,
    *,
    seed: int,
    cells: Sequence[tuple[str, str]] = CELLS,
    cache_age: timedelta = timedelta(hours=1),
    policies: Sequence[Policy] = ALL,
) -> pd.DataFrame:
    """All policies through all lives: a row a policy and parameter, in the order of policies, with `GIVEN` and `FOUND`.

    Lives of one phone come in a row; their cells follow each other. A parameter is resolved again only where a list of
    the phone that its kind reads is another one. `seed` is that of the users' luck.
    """
    given: list[tuple[object, ...]] = []
    found: list[tuple[_Found, ...]] = []
    phone, number, known, at_rest = None, 0, Remembering(resolver), []
    for life in lives:
        if life.phone is not phone:
            phone, number, known = life.phone, 0, Remembering(resolver)
            at_rest = [_at_rest(life.phone, asked, known, policies) for asked in phone.intents]
        delay, window = cells[number % len(cells)]
        cell = _Cell(DELAYS[delay], WINDOWS.index(window), cache_age)
        rng = streams_of(life.phone.device_id, seed, number)("race")
        for at, rows in enumerate(_lived(life, cell, Remembering(resolver, known), at_rest, rng, policies)):
            for nth, row in enumerate(rows):
                given.append(
                    (life.phone.device_id, number, at, nth == 0, row.kind, delay, window, row.hit, row.verdict)
                )
                found.append(row.found)
        number += 1
    return _frame(given, found, policies)


_Found = tuple[int, ...]
"""The columns `FOUND` of one row."""


class _Row(NamedTuple):
    """One parameter: what it is, and the columns `FOUND` for each policy."""

    kind: str
    hit: str
    verdict: str
    found: tuple[_Found, ...]


class _Cell(NamedTuple):
    """What a life is given: a delay in seconds, the number of its window, the age of the cache."""

    delay: float
    window: int
    cache_age: timedelta


def _frame(
    given: list[tuple[object, ...]], found: list[tuple[_Found, ...]], policies: Sequence[Policy]
) -> pd.DataFrame:
    about = pd.DataFrame(given, columns=list(GIVEN))
    for name in ("phone", "kind", "delay", "window", "hit", "verdict"):
        about[name] = about[name].astype("category")
    numbers = np.array(found, np.int8).reshape(len(given), len(policies), len(FOUND))
    parts = []
    for at, policy in enumerate(policies):
        one = pd.DataFrame(numbers[:, at], columns=list(FOUND))
        flags = dict.fromkeys(FOUND[:-2], bool)
        parts.append(pd.concat([about, one.astype(flags)], axis=1).assign(resolver=policy.name))
    return pd.concat(parts, ignore_index=True)


class _AtRest(NamedTuple):
    """What becomes of one intent on a phone where nothing changes, whoever holds it.

    `silent`: nothing has to be shown. `rows` has for each parameter its row, by whether the user would notice a wrong
    suggestion and whether the contract has expired.
    """

    silent: bool
    rows: tuple[Mapping[tuple[bool, bool], _Row], ...]


def _at_rest(phone: LabelledPhone, asked: LabelledIntent, known: Remembering, policies: Sequence[Policy]) -> _AtRest:
    on = dict.fromkeys(Moment, known.on(phone.device))
    eyes = ([(sharp, sharp)] * len(asked.labels) for sharp in (False, True))
    rows = []
    for both in zip(*(_scenes(asked, on, noticed) for noticed in eyes), strict=True):
        of = {
            (bool(noticed), expired): _row(scene, "", State.VALID, expired, policies)
            for noticed, scene in enumerate(both)
            for expired in (False, True)
        }
        rows.append(of)
    return _AtRest(_silent(asked, on[Moment.PARSE]), tuple(rows))


def _silent(asked: LabelledIntent, on: RememberingOnPhone) -> bool:
    """Whether nothing has to be shown."""
    answers = (on.resolve(parameter, asked.intent.action) for parameter in asked.intent.required_parameters)
    return all(answer.confidence is ResolutionConfidence.HIGH for answer in answers)


def _lived(
    life: Life,
    cell: _Cell,
    known: Remembering,
    at_rest: Sequence[_AtRest],
    rng: np.random.Generator,
    policies: Sequence[Policy],
) -> Iterator[list[_Row]]:
    """The rows of every intent of a life."""
    phone, timeline = life.phone, life.timeline
    said = phone.device.captured_at
    parsed = said + cell.cache_age
    took = life.user.delays(rng, len(phone.intents)).tolist()
    states: dict[int, RememberingOnPhone] = {0: known.on(phone.device)}

    def at(instant: datetime) -> RememberingOnPhone:
        count = timeline.index(instant)
        if count not in states:
            states[count] = known.on(at_instant(timeline.at(instant), said))
        return states[count]

    for number, (asked, rest) in enumerate(zip(phone.intents, at_rest, strict=True)):
        luck = rng.random((len(asked.labels), 2))
        noticed = (luck < life.user.notices(np.arange(2))).tolist()
        latest = at(parsed + timedelta(seconds=cell.delay + 2 * WORK + took[number]))
        moved = any(at(said).seen(p.kind) is not latest.seen(p.kind) for p in asked.intent.required_parameters)
        silent = _silent(asked, at(parsed)) if moved else rest.silent
        spans = [WORK, 0.0 if silent else took[number], WORK]
        if not (silent and WINDOWS[cell.window] == "show–confirm"):
            spans[cell.window] = cell.delay
        expired = timedelta(seconds=spans[2]) >= EXPIRES_AFTER
        rows = [of[noticed[place][0], expired] for place, of in enumerate(rest.rows)]
        if moved:
            instants = [parsed, *(parsed + timedelta(seconds=sum(spans[:n])) for n in (1, 2, 3))]
            on = dict(zip(Moment, map(at, (said, *instants)), strict=True))
            rows = _changed(life, asked, on, noticed, instants, rows, policies)
        yield rows


def _changed(
    life: Life,
    asked: LabelledIntent,
    on: Mapping[Moment, RememberingOnPhone],
    noticed: Sequence[Sequence[bool]],
    instants: Sequence[datetime],
    rows: Sequence[_Row],
    policies: Sequence[Policy],
) -> list[_Row]:
    """`rows` of an intent at rest, with those of the parameters for which something has changed in their places."""
    parsed, _, confirmed, sent = instants
    scenes = {
        place: scene
        for place, scene in enumerate(_scenes(asked, on, noticed))
        if any(one.seen(scene.parameter.kind) is not on[Moment.CACHE].seen(scene.parameter.kind) for one in on.values())
    }
    verdicts = _verdicts(asked, [*scenes.values()], on, confirmed, sent)
    changes = sorted(life.timeline.between(parsed, sent), key=lambda change: change.type is ChangeType.REACH)
    made = list(rows)
    for place, scene in scenes.items():
        held = shown(scene, Moment.PARSE)
        own = None if held.value is None else origin(held.value)
        hit = next((c.type.value for c in changes if own and c.field == own[0] and own[1] in c.ids), "")
        verdict = verdicts.get(scene.parameter.name, State.VALID)
        made[place] = _row(scene, hit, verdict, sent - confirmed >= EXPIRES_AFTER, policies)
    return made


def _scenes(
    asked: LabelledIntent, on: Mapping[Moment, RememberingOnPhone], noticed: Sequence[Sequence[bool]]
) -> Iterator[Scene]:
    action, devices = asked.intent.action, {moment: one.device for moment, one in on.items()}
    for place, (parameter, label) in enumerate(zip(asked.intent.required_parameters, asked.labels, strict=True)):
        cached = on[Moment.CACHE].resolve(parameter, action).value
        by_event = isinstance(cached, TimeSlotValue) and is_one_of(cached, label.intended)
        yield Scene(
            parameter=parameter,
            label=label,
            devices=devices,
            answer=lambda moment, p=parameter: on[moment].resolve(p, action),  # type: ignore[misc]
            same_event=cached.event_id if by_event and isinstance(cached, TimeSlotValue) else None,
            noticed=tuple(noticed[place]),
        )


def _verdicts(
    asked: LabelledIntent,
    scenes: Iterable[Scene],
    on: Mapping[Moment, RememberingOnPhone],
    confirmed: datetime,
    sent: datetime,
) -> Mapping[str, State]:
    """The verdicts on a contract over those `scenes` that have a value, and for which something has changed since."""
    parsed, last = on[Moment.PARSE], on[Moment.DISPATCH]
    since = [s for s in scenes if parsed.seen(s.parameter.kind) is not last.seen(s.parameter.kind)]
    held = {s.parameter.name: one for s in since if (one := shown(s, Moment.PARSE)).value is not None}
    if not held:
        return {}
    parameters = tuple(s.parameter for s in since if s.parameter.name in held)
    intent = replace(asked.intent, required_parameters=parameters)
    context = build_agent_context(intent, parsed.device, parsed.of)
    answers = {name: one.value for name, one in held.items() if one.approved is not None and one.value is not None}
    approval = confirm(context, answers, now=confirmed, key=KEY, token=TOKEN, expires_after=FOREVER)
    verdicts = verify(approval, last.device, now=sent, key=KEY, resolver=parsed.of.resolver)
    return {name: verdict.state for name, verdict in verdicts.items()}


def _row(scene: Scene, hit: str, verdict: State, expired: bool, policies: Sequence[Policy]) -> _Row:
    """One parameter under every policy."""
    held = {moment: shown(scene, moment) for moment in dict.fromkeys(policy.shown for policy in policies)}
    as_held = {moment: _found(scene, one, one) for moment, one in held.items()}
    found = []
    for policy in policies:
        one = held[policy.shown]
        sent = dispatched(policy, scene, one, valid=verdict is State.VALID and not (policy.expires and expired))
        found.append(as_held[policy.shown] if sent is one else _found(scene, one, sent))
    said = verdict.value if held[Moment.PARSE].value is not None else ""
    return _Row(scene.parameter.kind.value, hit, said, tuple(found))


def _found(scene: Scene, held: Held, sent: Held) -> _Found:
    ready, there, extra = held.value is not None, sent.value is not None, sent.prompts - held.prompts
    return (
        ready,
        there,
        there and is_unapproved(scene, sent),
        there and is_stale(scene, sent),
        there and is_wrong(scene, sent),
        ready and extra > 0,
        ready and extra > 0 and is_wrong(scene, held),
        held.prompts,
        extra,
    )
