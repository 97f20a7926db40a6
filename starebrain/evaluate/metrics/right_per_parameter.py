"""How many parameters, unanswerable ones included, are filled in or suggested rightly."""

from starebrain.evaluate.metric import MEDIUM, Metric, among, every

METRIC = Metric(
    name="right_per_parameter",
    title="right shown / all",
    numerator="parameters at HIGH or MEDIUM whose value is intended",
    denominator="parameters, unanswerable ones included",
    unit="share",
    better="higher",
    count=among(lambda rows: rows.right & (rows.tier >= MEDIUM), every),
)
