"""How often what is filled in silently is right."""

from starebrain.evaluate.metric import Metric, among

METRIC = Metric(
    name="high_accuracy",
    title="right among HIGH",
    numerator="parameters at HIGH whose value is intended",
    denominator="parameters at HIGH",
    unit="share",
    better="higher",
    count=among(lambda rows: rows.right, lambda rows: rows.high),
)
