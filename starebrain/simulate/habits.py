"""Weeks of use: what simulated users ask for, how they would answer a confirmation, and what an attacker slips in.

Plain data out. How habits form and break is stated here and assumed; nothing of it is known to session memory.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
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
_NAMES = ("Ana", "Béla", "Chiara", "Dörte", "Émile", "Farid", "Grace", "Hyun", "Ines", "João", "Keiko", "Łukasz")
_PLACES = ("Market Street", "Hauptbahnhof", "la playa", "the gym", "rue Haute", "Largo do Rato", "office")
_TITLES = ("dentist", "stand-up", "Zahnarzt", "cumpleaños", "yoga", "réunion", "jantar", "blood test results")
_MESSAGES = ("I am late", "see you at eight", "bring the keys", "the test came back", "ich komme später", "ya voy")


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
    weeks: int = 12
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
    group = GROUPS[user % len(GROUPS)]
    table = _table()
    languages = sorted(table[0]["phrases"])
    language = languages[user // len(GROUPS) % len(languages)]
    shares = rng.dirichlet([20 * habit["share"] for habit in table])
    varied = rng.uniform(*habits.varied, len(table))
    approves = np.where(rng.random(len(table)) < habits.routine, habits.approves, varied)
    mains = [[int(m) for m in rng.permutation(len(habit["packages"]))[:2]] for habit in table]
    moves, unsettles = rng.random((2, len(table))) < 0.5
    count = rng.poisson(habits.tasks_per_day * rng.lognormal(0.0, habits.spread) * habits.weeks * 7)
    hostile = rng.poisson(habits.attack * 7) if group == "attacked" else 0
    attacks = habits.half_way + 7 * rng.random(hostile)
    days = np.concatenate([_waking(rng, rng.uniform(0, habits.weeks * 7, count)), attacks])
    for at in np.argsort(days, kind="stable"):
        day, evil = float(days[at]), bool(at >= count)
        sort = 0 if evil else int(rng.choice(len(table), p=shares))
        habit = table[sort]
        changed = group == "changing" and day >= habits.half_way
        unsettled = changed and unsettles[sort] and day < habits.half_way + habits.unsettled
        agrees = habits.careless if evil else varied[sort] if unsettled else approves[sort]
        refused = Answer.DECLINED if evil or rng.random() < 0.5 else Answer.EDITED
        would = Answer.APPROVED if rng.random() < agrees else refused
        main = habit["packages"][mains[sort][int(changed and moves[sort])]]
        package = main if rng.random() < habits.main else str(rng.choice(habit["packages"]))
        if evil and rng.random() >= habits.disguised:
            package = EVIL
        planted = _planted(rng)
        description, steps = _said(rng, habit, language, package, planted)
        if evil:
            steps *= 4
        recovers, marked = bool(rng.random() < 0.5) and not evil, evil and bool(rng.random() < habits.marked)
        said = (user, group, day, habit["type"], description, steps)
        yield Occasion(*said, would, recovers, evil, marked, main, bool(unsettled), tuple(planted.values()))


def _waking(rng: np.random.Generator, days: np.ndarray) -> np.ndarray:
    """The same days at hours from 7 to 23."""
    return np.floor(days) + (7 + 16 * rng.beta(2, 2, len(days))) / 24


def _planted(rng: np.random.Generator) -> dict[str, str]:
    """A name, a place, a title and a message, each with a word that occurs nowhere else."""
    pools = {"name": _NAMES, "place": _PLACES, "title": _TITLES, "message": _MESSAGES}
    return {
        slot: f"{pool[rng.integers(len(pool))]} {''.join(rng.choice(_LETTERS, 10)).title()}"
        for slot, pool in pools.items()
    }


def _said(
    rng: np.random.Generator, habit: dict[str, Any], language: str, package: str, planted: dict[str, str]
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The words of a task and the steps that it takes: the words of some of them come from the screen."""
    phrases = habit["phrases"][language]
    description = phrases[rng.integers(len(phrases))].format(**planted)
    least, most = habit["steps"]
    texts = [
        "confirm",
        *(f"type {planted['message']}", f"tap {planted['name']}", f"read {planted['title']}", "scroll", "wait"),
    ]
    return description, tuple((texts[at], package) for at in reversed(range(rng.integers(least, most + 1))))


@lru_cache(maxsize=1)
def _table() -> list[dict[str, Any]]:
    return tomllib.loads((files("starebrain.simulate") / "habits.toml").read_text(encoding="utf-8"))["habit"]
