"""Comparisons as columns: new weights, priors and calibrations are array operations over millions of them.

A row is one candidate that a hint was compared with. What the comparison saw is kept, not what it was worth: the levels
that the words got, how much of the name was said, how rare the exact words are, what the phone shows of the candidate.
Equal comparisons share a line of a table (a few thousand lines serve millions of rows), and weights go to the lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import exp, inf, log

import numpy as np

from starebrain.errors import InvalidInput
from starebrain.intent import ParameterKind
from starebrain.matching.heuristics import Heuristics, KindHeuristics
from starebrain.matching.kernels import CLOSEST, MOST_BITS, NEGLIGIBLE, SLACK
from starebrain.matching.levels import ABSENT, Comparison
from starebrain.matching.posterior import Weights
from starebrain.resolve.context_resolver import LEAST_SHOWN

SUREST = 1 - 1e-15
"""Probability that is taken for certainty."""


@dataclass(frozen=True, slots=True, eq=False)
class Hints:
    """Hints of one kind, an element each; `cluster` is an index into `Columns.clusters`.

    `words` counts content words, `records` the candidates on the phone; `said` is False where the user said nothing.
    """

    cluster: np.ndarray
    words: np.ndarray
    records: np.ndarray
    ambiguous: np.ndarray
    unanswerable: np.ndarray
    said: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Compared candidates, an element each, sorted by hint and then by the candidate's key.

    `hint` is an index into `Hints`; `pattern`, `reach` and `facts` are indices into the `Tables`; `rarity` is what the
    exact words' rarity is worth in bits at full share; `other` marks the second reading of a hint. `share`, where it is
    not empty, is the posterior itself, for kinds whose evidence is not kept.
    """

    hint: np.ndarray
    pattern: np.ndarray
    reach: np.ndarray
    facts: np.ndarray
    rarity: np.ndarray
    other: np.ndarray
    intended: np.ndarray
    compatible: np.ndarray
    capped: np.ndarray
    share: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """What rows share, a line each.

    `patterns`: the level of every word, the coverage of the name and the order of the words, as the index tells them;
    `reaches`: for each word, as a bit mask, the levels by which it reaches the candidate at all (-1: no such word, and
    all -1 where the candidate is compared whatever its words reach);
    `facts`: how often each of `fact_names` holds.
    """

    patterns: tuple[Comparison, ...]
    reaches: np.ndarray
    facts: np.ndarray
    fact_names: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class KindColumns:
    """All hints of one kind with their compared candidates, as seen with the heuristics `base`.

    `answered` are the hints that have rows and `starts` where those begin. `twins` are rows whose next one is the same
    candidate under the other reading; row `hosts[i]` is the same person or place as row `guests[i]`.
    """

    kind: ParameterKind
    base: Heuristics
    hints: Hints
    rows: Rows
    tables: Tables
    answered: np.ndarray
    starts: np.ndarray
    twins: np.ndarray
    hosts: np.ndarray
    guests: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The hints of a labelled source by kind; `clusters` are their names, `intents` the cluster of every intent."""

    kinds: Mapping[ParameterKind, KindColumns]
    clusters: tuple[str, ...]
    intents: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Best:
    """The most probable candidate of every hint: calibrated `probability` and `row` (0 and -1 where none is shown)."""

    probability: np.ndarray
    row: np.ndarray


def rescore(columns: KindColumns, heuristics: Heuristics) -> Best:
    """What the evidence resolver with `heuristics` would answer to every hint, thresholds and caps apart.

    Weights, prior, rarity share and calibration may differ from those that the columns were made with. What decides
    which words are alike, rare or capped may not (`InvalidInput`): collect again.
    """
    of = heuristics.kinds[columns.kind]
    _check(columns, heuristics)
    rows, hints = columns.rows, columns.hints
    n = len(hints.words)
    top, best = np.zeros(n), np.full(n, -1)
    if rows.hint.size:
        shares = rows.share if rows.share.size else _shares(columns, Weights(heuristics, columns.kind))
        top[columns.answered] = np.maximum.reduceat(shares, columns.starts)
        first = np.where(shares == top[rows.hint], np.arange(len(shares)), len(shares))
        best[columns.answered] = np.minimum.reduceat(first, columns.starts)
        if columns.hosts.size:
            _merge(columns, shares, top, best)
    probability = np.where(hints.said, _calibrated(top, of), top)
    shown = probability >= LEAST_SHOWN
    return Best(np.where(shown, probability, 0.0), np.where(shown, best, -1))


def _check(columns: KindColumns, heuristics: Heuristics) -> None:
    base, kind = columns.base, columns.kind
    was, now = base.kinds[kind], heuristics.kinds[kind]
    fixed = {
        "likeness": (base.likeness, heuristics.likeness),
        "caps": (base.caps, heuristics.caps),
        f"frequencies.{kind}": (base.frequencies.get(kind), heuristics.frequencies.get(kind)),
        f"kinds.{kind}.words.exact.other": (was.words["exact"].other, now.words["exact"].other),
    }
    if columns.rows.share.size:
        fixed[f"kinds.{kind}"] = was, replace(now, tiers=was.tiers, calibration=was.calibration)
    for place, (before, after) in fixed.items():
        if before != after:
            raise InvalidInput("the columns were made with other numbers", place=place, remedy="Collect them again.")


def _shares(columns: KindColumns, weights: Weights) -> np.ndarray:
    """The posterior of every row, before records of one person or place are taken together."""
    rows, hints, tables, of = columns.rows, columns.hints, columns.tables, weights.of
    seen = weights.bits(tables.patterns)
    shown = tables.facts @ np.array([weights.context.get(name, 0.0) for name in tables.fact_names])
    bits = np.where(hints.said[rows.hint], seen[rows.pattern] + of.rarity * rows.rarity, 0.0) + shown[rows.facts]
    kept = _kept(columns, weights)
    twin, next_one = columns.twins, columns.twins + 1
    both = kept[twin] & kept[next_one]
    later = bits[next_one] >= bits[twin]
    kept[twin[both & later]] = False
    kept[next_one[both & ~later]] = False
    each = np.where(hints.said, (1 - of.none) / np.maximum(hints.records, 1), 1.0)
    mass = np.where(kept, each[rows.hint] * np.exp2(np.minimum(bits, MOST_BITS)), 0.0)
    unreached = hints.records - np.bincount(rows.hint, kept, len(each))
    none = np.where(hints.said, of.none + each * unreached * np.exp2(weights.numbers.words[ABSENT] * hints.words), 1.0)
    total = none + np.bincount(rows.hint, mass, len(each))
    return mass / total[rows.hint]


def _kept(columns: KindColumns, weights: Weights) -> np.ndarray:
    """Which rows the resolver compares: those whose words can give enough bits, in the order in which it adds them."""
    rows, masks, bits = columns.rows, columns.tables.reaches, weights.numbers.words
    distinct, at = np.unique(masks, return_inverse=True)
    has = (distinct[:, None] >> np.arange(len(bits))) & 1
    most_of = np.where((has == 1) & (distinct[:, None] > 0), bits, -np.inf).max(axis=1)[at.reshape(masks.shape)]
    reached = masks > 0
    words = (masks >= 0).sum(axis=1)
    most = np.zeros(len(masks))
    for word in range(masks.shape[1]):
        most = np.where(reached[:, word], most + (most_of[:, word] - bits[ABSENT]), most)
    most = most[rows.reach]
    kept = (words == 0)[rows.reach]
    for reading in (rows.other, ~rows.other):
        here = np.where(reading, -np.inf, most)
        highest = np.full(len(columns.hints.words), -np.inf)
        highest[columns.answered] = np.maximum.reduceat(here, columns.starts)
        kept |= ~reading & (most >= highest[rows.hint] - SLACK)
    return kept


def _merge(columns: KindColumns, shares: np.ndarray, top: np.ndarray, best: np.ndarray) -> None:
    """Give the share of records that are one person or place to the best of them, in `top` and `best`.

    As the resolver does it: the closest rows in order of share and key, each to the first before it that is the same.
    """
    hint, hosts, guests = columns.rows.hint, columns.hosts, columns.guests
    concerned = np.zeros(len(top), bool)
    concerned[hint[hosts]] = True
    rows = np.flatnonzero(concerned[hint])
    order = rows[np.lexsort((-shares[rows], hint[rows]))]
    starts = np.flatnonzero(np.diff(hint[order], prepend=-1))
    lengths = np.diff(starts, append=len(order))
    position = np.arange(len(order)) - np.repeat(starts, lengths)
    share = shares[order]
    near = (position < CLOSEST) & (share >= top[hint[order]] * NEGLIGIBLE)
    least = np.minimum.reduceat(np.where(near, share, np.inf), starts)
    place = np.full(len(shares), -1)
    place[order] = np.where(share >= np.repeat(least, lengths), position, -1)
    use = (place[hosts] >= 0) & (place[hosts] < place[guests])
    hosts, guests = hosts[use], guests[use]
    turn = np.lexsort((place[hosts], guests, place[guests]))
    hosts, guests = hosts[turn], guests[turn]
    together, alive = shares.copy(), place >= 0
    for now in np.unique(place[guests]):
        here = (place[guests] == now) & alive[hosts]
        guest, first = np.unique(guests[here], return_index=True)
        together[hosts[here][first]] += shares[guest]
        alive[guest] = False
    share = np.where(alive[order], together[order], -1.0)
    highest = np.maximum.reduceat(share, starts)
    first = np.where(share == np.repeat(highest, lengths), order, len(shares))
    top[hint[order[starts]]] = highest
    best[hint[order[starts]]] = np.minimum.reduceat(first, starts)


def uncalibrated(p: float, of: KindHeuristics) -> float:
    """The posterior (0 to 1) that a calibrated probability came from."""
    p = min(p, SUREST)
    z = (log(p / (1 - p)) - of.calibration.offset) / of.calibration.slope if p > 0 else -inf
    return 1 / (1 + exp(-z)) if z > -700 else 0.0


def _calibrated(p: np.ndarray, of: KindHeuristics) -> np.ndarray:
    """As `starebrain.matching.posterior.calibrated`, for many."""
    with np.errstate(divide="ignore", over="ignore"):
        within = np.minimum(p, SUREST)
        z = of.calibration.slope * np.log(within / (1 - within)) + of.calibration.offset
        return np.where(p > 0, 1 / (1 + np.exp(-z)), 0.0)
