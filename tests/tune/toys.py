"""Columns and answers made up of random numbers: a row a hint, most of them answered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from starebrain.matching.heuristics import default_heuristics
from starebrain.tune import Best, Columns, collect_phones
from tests.tune.phones import CONTACT, FRIENDS, labelled

DEFAULT = default_heuristics()


def toy(n: int, clusters: int, seed: int, alike: bool = False) -> tuple[Columns, Best]:
    """`n` contact hints in `clusters` clusters, and their best candidates; `alike` within each cluster, if asked for.

    Probabilities are calibrated: 0.9 is right nine times in ten.
    """
    rng = np.random.default_rng(seed)
    cluster = np.sort(np.arange(n) % clusters) if alike else rng.integers(0, clusters, n)
    per = lambda values: values[cluster] if alike else values  # noqa: E731
    size = clusters if alike else n
    probability = per(rng.beta(2, 0.3, size))
    right = per(rng.random(size)) < probability
    kind = collect_phones([labelled(FRIENDS, [(CONTACT, "Mom", "call", ("mom",), ())])]).kinds[CONTACT]
    flags = {name: rng.random(n) < share for name, share in (("ambiguous", 0.1), ("unanswerable", 0.1), ("said", 1.0))}
    counts = {"words": np.ones(n, np.int32), "records": np.full(n, 9, np.int32), "cluster": cluster.astype(np.int32)}
    hints = replace(kind.hints, **flags, **counts)
    rows = replace(kind.rows, hint=np.arange(n), intended=right, capped=rng.random(n) < 0.1)
    shown = rng.random(n) < 0.95
    best = Best(np.where(shown, probability, 0.0), np.where(shown, np.arange(n), -1))
    of = replace(kind, hints=hints, rows=rows, answered=np.arange(n), starts=np.arange(n))
    return Columns({CONTACT: of}, tuple(map(str, range(clusters))), cluster.astype(np.int32)), best
