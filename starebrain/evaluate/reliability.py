"""Reliability: whether what a resolver gives 80% comes true in 80% of cases."""

from __future__ import annotations

import numpy as np
import pandas as pd

from starebrain.evaluate.intervals import LEVEL, REPLICATES, SEED, cluster_sums, ratio_interval, stream
from starebrain.evaluate.metric import codes
from starebrain.evaluate.summary import groups

COLUMNS = ("source", "resolver", "bin", "n", "predicted", "right", "low", "high")


def reliability(
    frame: pd.DataFrame, bins: int = 10, *, seed: int = SEED, replicates: int = REPLICATES, level: float = LEVEL
) -> pd.DataFrame:
    """Mean probability against the share that is right, in bins of equal mass, for resolvers that have probabilities.

    `frame` are results of `evaluate`. A line a source, resolver and bin from the least to the most probable: `n` rows,
    `predicted` the mean probability of the most probable candidate, `right` how often it is intended, with its
    interval. Rows of equal probability share a bin, so bins may be fewer and of unequal size.
    """
    lines = []
    known = frame[frame["probability"].notna()]
    clusters = codes(known, "source", "cluster")
    for (source, resolver), at in groups(known, ("source", "resolver")):
        p, right = (known[name].to_numpy(float)[at] for name in ("probability", "best_right"))
        of = np.minimum((pd.Series(p).rank(method="average").to_numpy() - 0.5) * bins // len(p), bins - 1)
        for number, which in enumerate(np.unique(of)):
            here = of == which
            sums = cluster_sums(clusters[at][here], np.column_stack([right[here], np.ones(here.sum())]))
            rng = stream("reliability", source, str(number), seed=seed)
            low, high = ratio_interval(sums, rng, share=True, level=level, replicates=replicates)
            lines.append((source, resolver, number, int(here.sum()), p[here].mean(), right[here].mean(), low, high))
    return pd.DataFrame(lines, columns=list(COLUMNS)).astype({"low": "float64", "high": "float64"})
