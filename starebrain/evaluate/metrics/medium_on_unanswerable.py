"""How often something is suggested where the phone does not have what was meant."""

from starebrain.evaluate.metric import Metric, among

METRIC = Metric(
    name="medium_on_unanswerable",
    title="MEDIUM on unanswerable",
    numerator="unanswerable parameters at MEDIUM",
    denominator="parameters where the phone does not have what was meant",
    unit="share",
    better="lower",
    count=among(lambda rows: rows.medium, lambda rows: rows.unanswerable),
)
