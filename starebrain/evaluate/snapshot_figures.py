"""The figures of the race of snapshot policies: rows of `snapshot_timing.race` to estimates, over all and by cuts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd

from starebrain.evaluate.measure import Measure, measured
from starebrain.evaluate.sources import Opened
from starebrain.simulate.scenario import Scenario


def _sent(name: str) -> Callable[[pd.DataFrame], pd.Series]:
    return lambda rows: rows[name]


def _by_intent(rows: pd.DataFrame) -> pd.Series:
    """The extra prompts of an intent, at its first row."""
    number = _intents(rows)
    sums = np.bincount(number, rows["extra"].to_numpy(float))
    return pd.Series(np.where(rows["first"], sums[number], 0.0), rows.index)


MEASURES: Mapping[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure("unapproved_values", "unapproved", "lower", _sent("unapproved"), _sent("dispatched")),
        Measure("stale_values", "stale", "lower", _sent("stale"), _sent("dispatched")),
        Measure(
            "spoiled_values",
            "unapproved or stale",
            "lower",
            lambda rows: rows["unapproved"] | rows["stale"],
            _sent("dispatched"),
        ),
        Measure("wrong_values", "wrong", "lower", _sent("wrong"), _sent("dispatched")),
        Measure("blocked_rightly", "blocked rightly", "neither", _sent("rightly"), _sent("ready")),
        Measure(
            "blocked_needlessly",
            "blocked needlessly",
            "lower",
            lambda rows: rows["blocked"] & ~rows["rightly"],
            _sent("ready"),
        ),
        Measure("extra_prompts", "extra prompts", "lower", _by_intent, _sent("first"), share=False),
    )
}
"""Unapproved, stale and wrong are of the values that are dispatched, blocked of those that were ready, extra prompts
of intents: cut these by nothing that differs within one."""


STOPPED = Measure("stale_stopped", "stale values that are stopped", "higher", _sent("stopped"), _sent("hit"))


def estimates(
    rows: pd.DataFrame, by: Sequence[str] = (), measures: Iterable[str] = tuple(MEASURES), source: str = "lives"
) -> pd.DataFrame:
    """The figures of each policy, over all rows or cut by columns, with intervals that resample phones.

    Where nothing was counted, the bound is Clopper and Pearson's with a trial an intent: what is counted hangs on
    changes and users that are drawn anew in every life, and where something was counted, resampled phones give
    intervals that are hardly wider than independent rows would (1.4 times, for the stale values of `frozen`). Cuts come
    in the order in which they first occur.
    """
    chosen = [MEASURES[name] for name in measures]
    return measured(rows, chosen, by, source=source, cluster="phone", trials=lambda part: len(set(_intents(part))))


def _intents(rows: pd.DataFrame) -> np.ndarray:
    """A number for each intent of each policy; rows of one follow each other."""
    of = np.column_stack([rows["phone"].cat.codes, rows["life"], rows["intent"]])
    return np.cumsum(np.append(True, (of[1:] != of[:-1]).any(axis=1))) - 1 if len(of) else np.zeros(0, int)


def stopped(rows: pd.DataFrame, policy: str = "frozen_verified", source: str = "lives") -> pd.DataFrame:
    """Of the values that `frozen` dispatches stale, the share that `policy` does not: one estimate."""
    frozen, other = (rows[rows["resolver"] == name].reset_index(drop=True) for name in ("frozen", policy))
    both = other.assign(hit=frozen["stale"], stopped=frozen["stale"] & ~other["stale"])
    return measured(both, [STOPPED], source=source, cluster="phone")


def per_thousand(made: pd.DataFrame) -> pd.DataFrame:
    """Estimates with value and interval times 1,000, for pictures and tables of what is rare."""
    return made.assign(**{name: 1_000 * made[name].astype(float) for name in ("value", "low", "high")})


@dataclass(frozen=True, slots=True)
class Lives:
    """What figures call the lives."""

    name: str


def opened(name: str, sums: Mapping[str, str], scenario: Scenario, **facts: object) -> Opened:
    """The lives as a source of figures, with a sum by which reports can tell whether they saw the same ones.

    `sums` are those of the phones' files; `facts` is whatever else decides the race.
    """
    later = {part: asdict(getattr(scenario, part)) for part in ("timeline", "users", "adversary")}
    text = json.dumps([scenario.seed, later, facts], sort_keys=True, default=str)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return Opened(Lives(name), {**sums, "lives": digest})  # type: ignore[arg-type]
