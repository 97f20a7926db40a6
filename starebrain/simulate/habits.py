"""Weeks of use: what simulated users ask for, how they would answer a confirmation, and what an attacker slips in.

Plain data out. How habits form and break is stated here and assumed; nothing of it is known to session memory.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from starebrain.errors import InvalidInput
from starebrain.intent import AgentStep, AgentTask, Answer, AskedBy, Confirmation, TaskStatus
from starebrain.simulate.streams import Streams

BEGIN = datetime(2026, 3, 2, tzinfo=UTC)
"""The Monday on which the weeks begin."""
GROUPS = ("steady", "changing", "steady", "attacked", "steady", "changing")
"""Users with habits, users whose habits change half-way, users with habits whom somebody attacks half-way."""
EVIL = "com.evil.messenger"
"""The app that an attacker would have preferred."""
_LETTERS = tuple("bcdfghjklmnpqrstvwxz")
_POOLS: Mapping[str, Sequence[str]] = {
    "name": ("Ana", "Béla", "Chiara", "Dörte", "Émile", "Farid", "Grace", "Hyun", "Ines", "João", "Keiko", "Łukasz"),
    "place": ("Market Street", "Hauptbahnhof", "la playa", "the gym", "rue Haute", "Largo do Rato", "office"),
    "title": ("dentist", "stand-up", "Zahnarzt", "cumpleaños", "yoga", "réunion", "jantar", "blood test results"),
    "message": ("I am late", "see you at eight", "bring the keys", "the test came back", "ich komme später", "ya voy"),
}
"""What phrases are filled in with."""


@dataclass(frozen=True, slots=True)
class Habits:
    """A population of users over some weeks; shares are of 1, all figures assumed unless said otherwise.

    Users take turns in `GROUPS` and in five languages. `tasks_per_day` is the median of a log-normal over users with
    `spread` (σ). Each user has each sort of task as a routine (a share `routine` of the sorts, of whose confirmations
    they approve `approves` unchanged) or as a varied one (with a rate of its own, even over `varied`); what they do not
    approve they edit in half of the cases and decline in the others, and half of the declined tasks are completed
    another way. The main app carries a share `main` of a sort's tasks. A user who changes does so half-way: each sort
    takes another main app in half of the cases, and in half of them, independently, is varied for `unsettled` days. An
    attack runs for a week from half-way, `attack` tasks a day; `marked` of them come with values that provenance holds
    back, `disguised` of them use the user's own app; where a user is shown one, they approve it in a share `careless`.
    """

    seed: int = 6
    users: int = 60
    weeks: int = 16
    tasks_per_day: float = 8.0
    spread: float = 0.4
    routine: float = 0.75
    approves: float = 0.998
    varied: tuple[float, float] = (0.5, 0.95)
    main: float = 0.9
    unsettled: float = 7.0
    attack: float = 2.0
    marked: float = 0.9
    disguised: float = 0.1
    careless: float = 0.1

    def __post_init__(self) -> None:
        for name in ("users", "weeks", "tasks_per_day"):
            if not getattr(self, name) > 0:
                raise InvalidInput(f"{name} is {getattr(self, name)}", place=name, remedy="It must be above 0.")
        for name in ("routine", "approves", "main", "marked", "disguised", "careless"):
            if not 0 <= getattr(self, name) <= 1:
                raise InvalidInput(f"{name} is {getattr(self, name)}", place=name, remedy="A share lies from 0 to 1.")
        if not 0 <= self.varied[0] <= self.varied[1] <= 1:
            raise InvalidInput(f"varied is {self.varied}", place="varied", remedy="Two shares, the lower one first.")

    @property
    def name(self) -> str:
        """What figures call these weeks."""
        return "habits"

    @property
    def facts(self) -> str:
        """Everything that the weeks depend on, as text: these figures, and the table of sayings."""
        return f"{self}\n{(files('starebrain.simulate') / 'habits.toml').read_text(encoding='utf-8')}"

    @property
    def half_way(self) -> float:
        """The day on which habits change and attacks begin."""
        return self.weeks * 3.5


@dataclass(frozen=True, slots=True)
class Occasion:
    """One task that a user (or an attacker) sets the assistant, before anybody decides whether to ask.

    `intent_type` is what it truly is; `steps` are descriptions and packages, the last of which the model flags; `would`
    is what the user answers where they are shown it, `recovers` whether a declined one is completed another way.
    `marked`: provenance holds its values back. `main` is the user's main app for such tasks at the time, `unsettled`
    whether a change of habit makes the task a varied one. `planted` are the words that no store may hold.
    """

    user: int
    group: str
    day: float
    intent_type: str
    description: str
    steps: tuple[tuple[str, str], ...]
    would: Answer
    recovers: bool
    hostile: bool
    marked: bool
    main: str
    unsettled: bool
    planted: tuple[str, ...]

    @property
    def at(self) -> datetime:
        """When it is asked."""
        return BEGIN + timedelta(days=self.day)

    def task(self, shown: bool) -> AgentTask:
        """What was done, where the confirmation was `shown`, or skipped."""
        asked = Confirmation(AskedBy.MODEL, self.would) if shown else None
        done = not shown or self.would is not Answer.DECLINED or self.recovers
        status = TaskStatus.COMPLETED if done else TaskStatus.CANCELLED
        last = len(self.steps) - 1
        steps = tuple(
            AgentStep(text, package, status if at == last else TaskStatus.COMPLETED, asked if at == last else None)
            for at, (text, package) in enumerate(self.steps)
        )
        return AgentTask(f"{self.user}-{self.planted[0]}", self.description, status, steps, self.at)


def occasions(habits: Habits, user: int) -> Iterator[Occasion]:
    """Everything that one user sets the assistant, in order of time."""
    rng = Streams(habits.seed, user)("habits")
    table = _table()
    group, languages = GROUPS[user % len(GROUPS)], sorted(table[0]["phrases"])
    language = languages[user // len(GROUPS) % len(languages)]
    shares = rng.dirichlet([20 * habit["share"] for habit in table])
    varied = rng.uniform(*habits.varied, len(table))
    approves = np.where(rng.random(len(table)) < habits.routine, habits.approves, varied)
    mains = [[int(m) for m in rng.permutation(len(habit["packages"]))[:2]] for habit in table]
    moves, unsettles = rng.random((2, len(table))) < 0.5
    own = rng.poisson(habits.tasks_per_day * rng.lognormal(0.0, habits.spread) * habits.weeks * 7)
    count = own + (rng.poisson(habits.attack * 7) if group == "attacked" else 0)
    waking = np.floor(rng.uniform(0, habits.weeks * 7, own)) + (7 + 16 * rng.beta(2, 2, own)) / 24
    days = np.concatenate([waking, habits.half_way + 7 * rng.random(count - own)])
    sorts = rng.choice(len(table), count, p=shares)
    chances = rng.random((count, 9))
    letters = rng.choice(_LETTERS, (count, len(_POOLS), 10))
    for at in np.argsort(days, kind="stable"):
        day, evil = float(days[at]), bool(at >= own)
        agree, decline, usual, other, recover, mark, disguise, phrase, length = chances[at]
        sort = 0 if evil else int(sorts[at])
        habit = table[sort]
        changed = group == "changing" and day >= habits.half_way
        unsettled = changed and bool(unsettles[sort]) and day < habits.half_way + habits.unsettled
        agrees = habits.careless if evil else varied[sort] if unsettled else approves[sort]
        refused = Answer.DECLINED if evil or decline < 0.5 else Answer.EDITED
        main = habit["packages"][mains[sort][int(changed and moves[sort])]]
        package = EVIL if evil and disguise >= habits.disguised else main if usual < habits.main else None
        planted = {slot: _picked(pool, word) for (slot, pool), word in zip(_POOLS.items(), letters[at], strict=True)}
        least, most = habit["steps"]
        steps = _steps(planted, package or _of(habit["packages"], other), least + int(length * (most + 1 - least)))
        yield Occasion(
            user=user,
            group=group,
            day=day,
            intent_type=habit["type"],
            description=_of(habit["phrases"][language], phrase).format(**planted),
            steps=steps * 4 if evil else steps,
            would=Answer.APPROVED if agree < agrees else refused,
            recovers=bool(recover < 0.5) and not evil,
            hostile=evil,
            marked=evil and bool(mark < habits.marked),
            main=main,
            unsettled=unsettled,
            planted=tuple(planted.values()),
        )


def _of(things: Sequence[str], chance: float) -> str:
    """The thing that falls to a chance of 0 to 1."""
    return things[int(chance * len(things))]


def _picked(pool: Sequence[str], letters: np.ndarray) -> str:
    """Something of a pool, and a word that occurs nowhere else."""
    word = "".join(letters)
    return f"{pool[ord(word[0]) % len(pool)]} {word.title()}"


def _steps(planted: Mapping[str, str], package: str, count: int) -> tuple[tuple[str, str], ...]:
    """Steps of one app; what they say comes from the screen, and the last one is to be confirmed."""
    shown = (f"type {planted['message']}", f"tap {planted['name']}", f"read {planted['title']}", "scroll", "wait")
    return tuple((text, package) for text in (*shown[: count - 1], "confirm"))


@lru_cache(maxsize=1)
def _table() -> list[dict[str, Any]]:
    return tomllib.loads((files("starebrain.simulate") / "habits.toml").read_text(encoding="utf-8"))["habit"]
