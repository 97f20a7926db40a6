"""From finished tasks to patterns: two rules behind one protocol, the article's and a posterior.

`observe` is the only way in: it leaves of a task what a closed vocabulary and numbers can hold, and no text. A rule
then folds observations into a `Learned` (what a store keeps) and reads it as a `SessionPattern` (what an agent sees).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Protocol

from starebrain.intent import AgentStep, AgentTask, Answer, AskedBy, TaskStatus
from starebrain.matching.heuristics import Forgetting, Heuristics, default_heuristics
from starebrain.memory.beta import cdf
from starebrain.memory.intent_types import article_type, intent_type
from starebrain.recall import ConfirmationHistory, IntentType, SessionPattern

RETENTION = timedelta(days=30)
"""A pattern older than this is deleted when it is read; at exactly this age it is still there."""

PACKAGE = re.compile(r"[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+", re.ASCII)
"""An Android package name; what does not fit is no package, and is not kept."""
LONGEST_PACKAGE = 128
MOST_PACKAGES = 5
"""Packages kept an intent type: those that carried most."""
MOST_STEPS = 99
"""A task with more steps counts as one with this many."""
LEAST_WEIGHT = 0.02
"""A package that weighs less than this part of a task is forgotten."""

ALWAYS_CONFIRMS, NEVER_CONFIRMS = 3, 5
"""The article's flags: confirm counts above the first, skip counts above the second."""

NEVER_SKIPPED = frozenset({IntentType.PAYMENT, IntentType.GENERAL})
"""Types whose confirmations are never skipped, whatever the heuristics list: payments, and the type that holds
everything else, which says nothing of the task at hand."""

_WORST = (Answer.DECLINED, Answer.EDITED, Answer.APPROVED)
_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Observation:
    """What a completed task leaves behind.

    `steps` is their number (0 to 99). `first_package` is that of the first step, `carrier` the one that most completed
    steps were done in (of equals, the one that was last), None where there is none that is a package name. `answer` is
    the least agreeable answer to a confirmation, None where none was shown. `confirmed` and `skipped` count the steps
    that the user confirmed because the model had flagged them, and completed ones that nobody was asked about.
    """

    intent_type: IntentType
    at: datetime
    steps: int
    first_package: str | None
    carrier: str | None
    answer: Answer | None
    confirmed: int
    skipped: int


@dataclass(frozen=True, slots=True)
class Learned:
    """What is kept of one intent type, as of `last_seen`; `packages` and their weights, heaviest first."""

    intent_type: IntentType
    last_seen: datetime
    tasks: float = 0.0
    steps: float = 0.0
    confirmations: ConfirmationHistory = field(default_factory=ConfirmationHistory)
    packages: tuple[tuple[str, float], ...] = ()


class Rule(Protocol):
    """A way to learn from tasks."""

    @property
    def name(self) -> str:
        """The name in tables of results and in a store."""
        ...

    def intent_type(self, description: str) -> IntentType:
        """The type of a task by its words."""
        ...

    def learn(self, known: Learned | None, seen: Observation) -> Learned:
        """What is known after one more observation."""
        ...

    def read(self, known: Learned, now: datetime) -> SessionPattern:
        """What the agent sees of it."""
        ...


def observe(task: AgentTask, type_of: Callable[[str], IntentType]) -> Observation | None:
    """What `task` leaves behind; None unless it ended as completed."""
    if task.status is not TaskStatus.COMPLETED or task.ended_at is None:
        return None
    steps = task.steps
    answers = [step.confirmation.answer for step in steps if step.confirmation is not None]
    return Observation(
        intent_type=type_of(task.description),
        at=task.ended_at.astimezone(UTC),
        steps=min(len(steps), MOST_STEPS),
        first_package=_package(steps[0].target_package) if steps else None,
        carrier=_carrier(steps),
        answer=next((answer for answer in _WORST if answer in answers), None),
        confirmed=min(sum(map(_was_flagged, steps)), MOST_STEPS),
        skipped=min(sum(map(_was_skipped, steps)), MOST_STEPS),
    )


@dataclass(frozen=True, slots=True)
class Article:
    """The article's rule, faults and all: the last task decides, and steps that nobody flagged teach it not to ask."""

    name: str = "article"

    def intent_type(self, description: str) -> IntentType:
        """The article's buckets."""
        return article_type(description)

    def learn(self, known: Learned | None, seen: Observation) -> Learned:
        """The last first package and number of steps; the counts of steps, added up."""
        before = ConfirmationHistory() if known is None else known.confirmations
        packages = () if seen.first_package is None else ((seen.first_package, 1.0),)
        counts = replace(
            before,
            confirmed=min(before.confirmed + seen.confirmed, 2**53),
            skipped=min(before.skipped + seen.skipped, 2**53),
        )
        last = seen.at if known is None else max(known.last_seen, seen.at)
        return Learned(seen.intent_type, last, 1.0, float(seen.steps), counts, packages)

    def read(self, known: Learned, now: datetime) -> SessionPattern:
        """The flags are *always confirms* and *never confirms*; both can be set, and the second one skips."""
        return SessionPattern(
            known.intent_type,
            known.packages[0][0] if known.packages else None,
            round(known.steps),
            known.confirmations,
            known.last_seen,
            may_skip=never_confirms(known.confirmations),
        )


def always_confirms(history: ConfirmationHistory) -> bool:
    """The article's flag: more than three steps were confirmed because the model had flagged them."""
    return history.confirmed > ALWAYS_CONFIRMS


def never_confirms(history: ConfirmationHistory) -> bool:
    """The article's flag: more than five completed steps were asked about by nobody."""
    return history.skipped > NEVER_CONFIRMS


@dataclass(frozen=True, slots=True)
class Posterior:
    """A task is one observation, older ones weigh less, and a belief needs evidence.

    Confirmations: a Beta posterior over "approved unchanged", fed by tasks in which one was shown. Packages: a
    Dirichlet posterior over those that carried the action, with the weight of one task for all that never did.
    """

    heuristics: Heuristics = field(default_factory=default_heuristics)
    name: str = "posterior"

    def intent_type(self, description: str) -> IntentType:
        """Whole words in five languages."""
        return intent_type(description)

    def learn(self, known: Learned | None, seen: Observation) -> Learned:
        """Everything known weighs less by age and by one more task; the new task adds one (less where it is old)."""
        if known is None:
            known = Learned(seen.intent_type, seen.at)
        of = self.heuristics.memory
        days = (seen.at - known.last_seen).total_seconds() / 86_400
        keep, new = _weights(of.preference.forgetting, days)
        packages = {package: weight * keep for package, weight in known.packages}
        if seen.carrier is not None:
            packages[seen.carrier] = packages.get(seen.carrier, 0.0) + new
        tasks, steps = known.tasks * keep + new, known.steps * keep + new * seen.steps
        keep, new = _weights(of.confirmations.forgetting, days)
        history, answer = known.confirmations, seen.answer
        history = ConfirmationHistory(
            history.approved * keep + new * (answer is Answer.APPROVED),
            history.edited * keep + new * (answer is Answer.EDITED),
            history.declined * keep + new * (answer is Answer.DECLINED),
        )
        return Learned(seen.intent_type, max(known.last_seen, seen.at), tasks, steps, history, _heaviest(packages))

    def read(self, known: Learned, now: datetime) -> SessionPattern:
        """The posterior at `now`: what has not been seen for a while is believed less. Ages count in whole hours."""
        of = self.heuristics.memory
        days = max((now - known.last_seen) // _HOUR, 0) / 24
        preferred, share, sure = self._preferred(known, 0.5 ** (days / of.preference.forgetting.half_life_days))
        keep = 0.5 ** (days / of.confirmations.forgetting.half_life_days)
        history = known.confirmations
        history = ConfirmationHistory(history.approved * keep, history.edited * keep, history.declined * keep)
        refused = of.confirmations.refusals + history.edited + history.declined
        approved_sure = _above(of.confirmations.least, 1 + history.approved, refused)
        return SessionPattern(
            known.intent_type,
            preferred,
            round(known.steps / known.tasks) if known.tasks else 0,
            history,
            known.last_seen,
            share,
            sure,
            approved_sure,
            approved_sure >= of.confirmations.credible and self._skippable(known.intent_type),
        )

    def _skippable(self, of: IntentType) -> bool:
        return of not in NEVER_SKIPPED and of not in self.heuristics.caps.stakes

    def _preferred(self, known: Learned, keep: float) -> tuple[str | None, float | None, float | None]:
        """The package that carries more than half of the tasks as far as is known, its share, how sure that is."""
        if not known.packages or known.intent_type is IntentType.GENERAL:
            return None, None, None
        package, weight = known.packages[0]
        others = sum([other for _, other in known.packages[1:]])
        a, b = weight * keep, 1 + others * keep
        sure = _above(0.5, a, b)
        return (
            (package, a / (a + b), sure) if sure >= self.heuristics.memory.preference.credible else (None, None, sure)
        )


def _weights(of: Forgetting, days: float) -> tuple[float, float]:
    """What is kept of older tasks when one comes `days` later, and what that one adds: less where it came earlier."""
    keep = 0.5 ** (max(days, 0.0) / of.half_life_days + 1 / of.half_life_tasks)
    return keep, 0.5 ** (max(-days, 0.0) / of.half_life_days)


@lru_cache(maxsize=4096)
def _above(least: float, a: float, b: float) -> float:
    """P(X > `least`) for X ~ Beta(a, b)."""
    return min(max(1 - cdf(least, a, b), 0.0), 1.0)


def _heaviest(packages: dict[str, float]) -> tuple[tuple[str, float], ...]:
    ranked = sorted(packages.items(), key=lambda one: (-one[1], one[0]))
    return tuple([one for one in ranked[:MOST_PACKAGES] if one[1] >= LEAST_WEIGHT])


def _package(name: str | None) -> str | None:
    fits = name is not None and len(name) <= LONGEST_PACKAGE and PACKAGE.fullmatch(name)
    return name if fits else None


def _carrier(steps: tuple[AgentStep, ...]) -> str | None:
    """The package that most completed steps were done in; of equals, the one that was last."""
    counts: dict[str, int] = {}
    for step in reversed(steps):
        if step.status is TaskStatus.COMPLETED and (package := _package(step.target_package)) is not None:
            counts[package] = counts.get(package, 0) + 1
    return max(counts, key=counts.__getitem__) if counts else None


def _was_flagged(step: AgentStep) -> bool:
    asked = step.confirmation
    return asked is not None and asked.asked_by is AskedBy.MODEL and asked.answer is not Answer.DECLINED


def _was_skipped(step: AgentStep) -> bool:
    return step.confirmation is None and step.status is TaskStatus.COMPLETED


ARTICLE = Article()
