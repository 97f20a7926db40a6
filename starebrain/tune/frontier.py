"""What prompts buy: seconds of the user against silent errors, for any pair of thresholds, read off the count cubes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from starebrain.evaluate.interaction import Interaction
from starebrain.evaluate.intervals import LEVEL, Estimate
from starebrain.intent import ParameterKind
from starebrain.matching.heuristics import Tiers
from starebrain.tune.cube import RIGHT, UNANSWERABLE, UNLUCKY, WRONG, tiered
from starebrain.tune.state import Counted

HIGHS = (*(round(0.4 + 0.02 * i, 2) for i in range(27)), *(round(0.93 + 0.005 * i, 3) for i in range(14)), 0.999, 1.0)
MEDIUMS = tuple(round(0.05 * i, 2) for i in range(1, 20))
"""Thresholds that are tried, for all kinds alike."""

HIGH, SUGGESTED, ASKED = range(3)


RECORDED = tuple(Tiers(high, 0.5, 0.0) for high in (0.5, 0.8, 0.9, 0.95, 0.99, 1.0))
"""Thresholds whose cost a report keeps, so that one report can be compared with another."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What thresholds cost, by resample, the data itself first: seconds and prompts an intent, silent errors of all."""

    seconds: np.ndarray
    prompts: np.ndarray
    errors: np.ndarray


def cost(tiers: np.ndarray, intents: np.ndarray, interaction: Interaction) -> Cost:
    """The cost of hints by resample, tier (HIGH, MEDIUM, asked) and outcome, of so many `intents` by resample.

    The user is attentive: every wrong suggestion becomes a question. Errors are a share of all hints.
    """
    shown = tiers[:, SUGGESTED].sum(axis=-1)
    overridden = tiers[:, SUGGESTED][:, [WRONG, UNLUCKY, UNANSWERABLE]].sum(axis=-1)
    questions = tiers[:, ASKED].sum(axis=-1) + overridden
    errors = tiers[:, HIGH].sum(axis=-1) - tiers[:, HIGH, RIGHT]
    seconds = interaction.suggestion * shown + interaction.question * questions
    return Cost(seconds / intents, (shown + questions) / intents, errors / tiers.sum(axis=(1, 2)))


def costs(
    counted: Counted,
    interaction: Interaction,
    highs: Iterable[float] = HIGHS,
    mediums: Iterable[float] = MEDIUMS,
) -> pd.DataFrame:
    """The cost of every pair of thresholds, the same for all kinds: a row a pair in which HIGH is not below MEDIUM.

    Columns `high`, `medium`, and `seconds`, `prompts` (an intent), `errors` (of all hints), each with ``_low`` and
    ``_high``: percentiles over resampled clusters at 95%, and where no error was seen, Clopper and Pearson's bound with
    a trial a cluster.
    """
    mediums = tuple(mediums)
    pairs = [Tiers(high, medium, 0.0) for high in highs for medium in mediums if medium <= high]
    return pd.DataFrame([_priced(counted, dict.fromkeys(counted.cubes, tiers), interaction) for tiers in pairs])


def standing(counted: Counted, interaction: Interaction) -> pd.DataFrame:
    """The cost of the thresholds that the heuristics have, each kind its own: one row, as in `costs` (of no pair)."""
    tiers = {kind: counted.heuristics.kinds[kind].tiers for kind in counted.cubes}
    return pd.DataFrame([_priced(counted, tiers, interaction)]).assign(high=np.nan, medium=np.nan)


def frontier(priced: pd.DataFrame) -> pd.DataFrame:
    """The rows of `costs` that no other one beats in seconds and errors, from the quickest to the safest."""
    ordered = priced.sort_values(["seconds", "errors"], kind="stable", ignore_index=True)
    before = ordered["errors"].astype(float).cummin().shift(fill_value=np.inf)
    return ordered[ordered["errors"] < before].reset_index(drop=True)


def recorded(counted: Counted, interaction: Interaction, resolver: str, source: str) -> pd.DataFrame:
    """The cost at the thresholds `RECORDED` as figures of `resolver` on `source`, with the columns of `Estimate`."""
    hints, intents = (int(n) for n in (sum(c[0][0].sum() for c in counted.cubes.values()), counted.drawn.intents[0]))
    clusters, lines = len(counted.columns.clusters), []
    for tiers in RECORDED:
        row = _priced(counted, dict.fromkeys(counted.cubes, tiers), interaction)
        cut = f"high={tiers.high}, medium={tiers.medium}"
        for metric, name, n in (("seconds_at", "seconds", intents), ("silent_errors_at", "errors", hints)):
            value, low, high = row[name], row[f"{name}_low"], row[f"{name}_high"]
            lines.append(
                Estimate(metric, resolver, source, cut, n, clusters, round(value * n, 6), float(n), value, low, high)
            )
    return pd.DataFrame(lines).assign(better="lower")


def _priced(counted: Counted, tiers: Mapping[ParameterKind, Tiers], interaction: Interaction) -> dict[str, float]:
    found = np.sum([tiered(cube, tiers[kind]) for kind, cube in counted.cubes.items()], axis=0)
    at = cost(found, counted.drawn.intents, interaction)
    first, tail = next(iter(tiers.values())), (1 - LEVEL) / 2
    row = {"high": first.high, "medium": first.medium}
    for name in ("seconds", "prompts", "errors"):
        values = getattr(at, name)
        low, high = np.quantile(values[1:], [tail, 1 - tail]) if len(values) > 1 else (np.nan, np.nan)
        row |= {name: float(values[0]), f"{name}_low": float(low), f"{name}_high": float(high)}
    if row["errors"] == 0:
        row["errors_high"] = 1 - tail ** (1 / min(len(counted.columns.clusters), int(found[0].sum())))
    return row
