"""How well the ranking of answers keeps errors back: the area under the generalised risk–coverage curve.

Generalised risk at a coverage is the share of all parameters that would be filled in silently and wrongly, if the most
certain answers up to that coverage were filled in (Traub et al., "Overcoming Common Flaws in the Evaluation of
Selective Classification Systems", 2024). Over every pair of rows (i, j) it is the chance that i is wrong and ranked
above j, ties counting one half: 0 for a resolver without error, 1/2 for one that is always wrong. Ties are thereby
averaged over every order. A parameter without a candidate is an error of score 0.
"""

import numpy as np

from starebrain.evaluate.metric import Counted, Metric, Rows


def _count(rows: Rows) -> Counted:
    """Row contributions whose mean is the area, and whose sums over resampled rows follow it to first order.

    The area is a mean over pairs. With F the chance that a row is ranked above another and G that it is ranked below
    one that is wrong, row i contributes wrong_i·F_i + G_i − area (the Hájek projection).
    """
    n = len(rows.score)
    wrong = ~rows.best_right
    order = np.unique(rows.score, return_inverse=True)[1]
    here = np.bincount(order, minlength=1)
    errors = np.bincount(order, weights=wrong, minlength=1)
    above = (np.cumsum(here) - here / 2)[order] / max(n, 1)
    below = (errors.sum() - np.cumsum(errors) + errors / 2)[order] / max(n, 1)
    area = float((wrong * above).mean()) if n else 0.0
    return wrong * above + below - area, np.ones(n)


METRIC = Metric(
    name="augrc",
    title="AUGRC",
    numerator="over coverages, the share of parameters whose most probable candidate is wrong and filled in",
    denominator="parameters",
    unit="area",
    better="lower",
    count=_count,
)
