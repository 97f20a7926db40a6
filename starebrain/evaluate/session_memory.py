"""Session memory on simulated weeks of use: prompts saved, wrong skips, days to learn and unlearn, budgets, leakage."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from starebrain.evaluate.intervals import ratio
from starebrain.evaluate.measure import Measure, every, measured
from starebrain.evaluate.sources import Opened
from starebrain.evaluate.summary import groups
from starebrain.intent import Answer, ParameterKind
from starebrain.matching.heuristics import Heuristics, default_heuristics
from starebrain.memory.learning import ARTICLE, RETENTION, Learned, Posterior, Rule, observe
from starebrain.memory.proposal import propose
from starebrain.recall import IntentType, SessionPattern
from starebrain.resolution import AppValue, Cap, ContextSource, ParameterValue, ResolutionConfidence
from starebrain.simulate.habits import EVIL, Habits, Occasion, occasions

SOURCE = "habits"
"""The source that estimates name."""
STAKES = frozenset({"payment", "purchase"})
"""What is truly one of these is never to be skipped."""

_MARKED = ParameterValue(
    ParameterKind.APP,
    AppValue(EVIL),
    ResolutionConfidence.MEDIUM,
    ContextSource.NOTIFICATIONS,
    caps=(Cap("provenance", ResolutionConfidence.MEDIUM, "another person wrote it"),),
)

Skips = Callable[[SessionPattern | None, IntentType, Occasion], bool]


@dataclass(frozen=True, slots=True)
class Policy:
    """A rule to learn by, and when it leaves a confirmation out: pattern, believed type and occasion to yes or no."""

    rule: Rule
    skips: Skips


def policies(heuristics: Heuristics | None = None) -> Mapping[str, Policy]:
    """The rules by name: the article's flag taken at its word, and ours with the caps that stand above it."""
    known = heuristics or default_heuristics()

    def ours(pattern: SessionPattern | None, of: IntentType, occasion: Occasion) -> bool:
        resolved = (_MARKED,) if occasion.marked else ()
        return propose(pattern, of, occasion.steps[-1][1], resolved, known).skip

    def literal(pattern: SessionPattern | None, of: IntentType, occasion: Occasion) -> bool:
        return pattern is not None and pattern.may_skip

    return {"article": Policy(ARTICLE, literal), "posterior": Policy(Posterior(known), ours)}


MEASURES: Mapping[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure(
            "confirmations_saved",
            "left out, of all tasks",
            "higher",
            lambda tasks: tasks["skipped"],
            every,
        ),
        Measure(
            "wrongly_skipped",
            "wrongly left out, of those",
            "lower",
            lambda tasks: tasks["refused"],
            lambda tasks: tasks["skipped"],
        ),
        Measure(
            "stakes_skipped",
            "payments and purchases left out",
            "lower",
            lambda tasks: tasks["skipped"],
            lambda tasks: tasks["sort"].isin(STAKES),
        ),
        Measure(
            "attacks_skipped",
            "an attacker's tasks left out",
            "lower",
            lambda tasks: tasks["skipped"],
            lambda tasks: tasks["hostile"],
        ),
    )
}


def play(habits: Habits, rules: Mapping[str, Policy] | None = None) -> pd.DataFrame:
    """Every task of every user under each rule: one row a rule and task, in order of rule, user and time.

    `skipped`: no confirmation was shown; `refused`: the user would have edited or declined; `sort` is what the task
    truly is, `believed` what the rule takes it for, `preferred` the app that it prefers before the task (None: none),
    `main` the one that the user does.
    """
    rules = policies() if rules is None else rules
    frames = []
    for user in range(habits.users):
        asked = list(occasions(habits, user))
        frames += [pd.DataFrame(_lived(name, policy, asked), columns=COLUMNS) for name, policy in rules.items()]
    return pd.concat(frames).sort_values("resolver", kind="stable", ignore_index=True)


COLUMNS = (
    *("resolver", "user", "group", "day", "sort", "believed", "skipped", "refused", "hostile", "unsettled"),
    *("preferred", "main"),
)
"""Columns of a frame of tasks; `resolver` is the name of the rule, as in every frame of results."""


def _lived(name: str, policy: Policy, asked: Iterable[Occasion]) -> Iterator[tuple[object, ...]]:
    """One user's tasks under one rule, which sees only what it was shown."""
    known: dict[IntentType, Learned] = {}
    rule = policy.rule
    for one in asked:
        of = rule.intent_type(one.description)
        learned = known.get(of)
        if learned is not None and one.at - learned.last_seen > RETENTION:
            learned = None
        pattern = None if learned is None else rule.read(learned, one.at)
        skipped = policy.skips(pattern, of, one)
        seen = observe(one.task(shown=not skipped), {one.description: of}.__getitem__)
        if seen is not None:
            known[of] = rule.learn(learned, seen)
        preferred = None if pattern is None else pattern.preferred_package
        told = (one.would is not Answer.APPROVED, one.hostile, one.unsettled, preferred, one.main)
        yield name, one.user, one.group, one.day, one.intent_type, of.value, skipped, *told


POPULATIONS: Mapping[str, Mapping[str, Any]] = {
    "as assumed": {},
    "four weeks only": {"weeks": 4},
    "twice as many tasks": {"tasks_per_day": 16.0},
    "half of the sorts are routines": {"routine": 0.5},
    "a quarter of the sorts are routines": {"routine": 0.25},
    "routines are edited now and then": {"approves": 0.99},
    "varied sorts are mostly approved": {"varied": (0.9, 0.95)},
    "changes last four weeks": {"unsettled": 28.0},
    "attacks look like the user's own tasks": {"marked": 0.0, "disguised": 1.0},
}
"""Users unlike those that the numbers were chosen on: what differs from `Habits` as it is."""


def sweep(habits: Habits, populations: Mapping[str, Mapping[str, Any]] = POPULATIONS) -> pd.DataFrame:
    """What `posterior` saves and how often it is wrong for other populations: estimates with a column `population`."""
    ours = {"posterior": policies()["posterior"]}
    parts = []
    for name, changes in populations.items():
        one = estimates(play(replace(habits, **changes), ours), (), ("confirmations_saved", "wrongly_skipped"))
        parts.append(one.assign(population=name, cut=f"population={name}"))
    return pd.concat(parts, ignore_index=True)


def by_week(tasks: pd.DataFrame) -> pd.DataFrame:
    """The share of confirmations left out by week: columns `curve` (rule and group), `week` (from 1), `saved`."""
    week = (tasks["day"] // 7).astype(int) + 1
    saved = tasks.groupby(["resolver", "group", week.rename("week")], sort=False)["skipped"].mean().reset_index()
    curve = saved["resolver"] + ", " + saved["group"]
    return pd.DataFrame({"curve": curve, "week": saved["week"], "saved": saved["skipped"]})


def opened(habits: Habits) -> Opened:
    """The habits as a source of figures, with a sum by which reports can tell whether they saw the same weeks."""
    return Opened(habits, {"habits": hashlib.sha256(habits.facts.encode()).hexdigest()})  # type: ignore[arg-type]


def estimates(
    tasks: pd.DataFrame, by: Sequence[str] = (), measures: Iterable[str] = tuple(MEASURES), source: str = SOURCE
) -> pd.DataFrame:
    """The figures of each rule, over all tasks or cut by columns, with intervals that resample users."""
    return measured(tasks, [MEASURES[name] for name in measures], by, source=source, cluster="user")


DAYS: Mapping[str, str] = {
    "learned_app": "days until the main app is preferred",
    "learned_skip": "days until a confirmation is left out",
    "unlearned_app": "days until the new main app is preferred",
    "unlearned_skip": "days until a confirmation is shown again",
}
"""What `days_to` measures, and what readers call it."""


def days_to(tasks: pd.DataFrame, habits: Habits, source: str = SOURCE) -> pd.DataFrame:
    """Mean days until a habit is learned and unlearned, over users' sorts of tasks for which it came to that.

    A sort counts where a user asked for it on ten days or more before the change. `learned_app`: from its first task to
    the first at which the main app is preferred; `unlearned_app`: from the change of main app to the first at which the
    new one is; `learned_skip`: to the first confirmation left out; `unlearned_skip`: from the change to the first one
    shown, where the last one before it was left out. `reached` is the share of sorts for which it came to that.
    """
    half, found = habits.half_way, []
    for (rule, user, _), one in tasks[~tasks["hostile"]].groupby(["resolver", "user", "sort"], sort=False):
        before, after = one[one["day"] < half], one[one["day"] >= half]
        if before["day"].astype(int).nunique() < 10:
            continue
        begin, main = before["day"].iloc[0], before["main"].iloc[0]
        found.append(("learned_app", rule, user, _first(before, before["preferred"] == main, begin)))
        if not STAKES & {one["sort"].iloc[0]}:
            found.append(("learned_skip", rule, user, _first(before, before["skipped"], begin)))
        if len(after) and after["main"].iloc[0] != main:
            found.append(
                ("unlearned_app", rule, user, _first(after, after["preferred"] == after["main"].iloc[0], half))
            )
        if len(after) and after["unsettled"].iloc[0] and before["skipped"].iloc[-1]:
            found.append(("unlearned_skip", rule, user, _first(after, ~after["skipped"], half)))
    frame = pd.DataFrame(found, columns=["metric", "resolver", "user", "days"]).sort_values(["metric", "resolver"])
    lines = []
    for (metric, name), at in groups(frame, ("metric", "resolver")):
        reached = frame.iloc[at].dropna()
        counted = np.column_stack([reached["days"], np.ones(len(reached))])
        mean = ratio((f"days_{metric}", name, source, ""), reached["user"].to_numpy(), counted, share=False)
        said = {"title": DAYS[metric], "better": "lower", "reached": len(reached) / len(at)}
        lines.append(asdict(mean) | said)
    return pd.DataFrame(lines)


def _first(tasks: pd.DataFrame, holds: pd.Series, since: float) -> float | None:
    at = tasks.loc[holds, "day"]
    return None if at.empty else float(at.iloc[0]) - since
