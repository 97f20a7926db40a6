"""How often a suggestion is right."""

from starebrain.evaluate.metric import Metric, among

METRIC = Metric(
    name="medium_accuracy",
    title="right among MEDIUM",
    numerator="parameters at MEDIUM whose value is intended",
    denominator="parameters at MEDIUM",
    unit="share",
    better="higher",
    count=among(lambda rows: rows.right, lambda rows: rows.medium),
)
