"""How far probabilities are from what came true (Brier, 1950); only resolvers that have probabilities."""

import numpy as np

from starebrain.evaluate.metric import Counted, Metric, Rows


def _count(rows: Rows) -> Counted:
    has = ~np.isnan(rows.probability)
    return np.where(has, np.square(np.where(has, rows.probability, 0.0) - rows.best_right), 0.0), has


METRIC = Metric(
    name="brier",
    title="Brier",
    numerator="squared distance between the probability of the most probable candidate and 1 if it is intended, else 0",
    denominator="parameters with a candidate that has a probability",
    unit="mean",
    better="lower",
    count=_count,
)
