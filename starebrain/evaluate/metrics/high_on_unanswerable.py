"""How often something is filled in silently where the phone does not have what was meant."""

from starebrain.evaluate.metric import Metric, among

METRIC = Metric(
    name="high_on_unanswerable",
    title="HIGH on unanswerable",
    numerator="unanswerable parameters at HIGH",
    denominator="parameters where the phone does not have what was meant",
    unit="share",
    better="lower",
    count=among(lambda rows: rows.high, lambda rows: rows.unanswerable),
)
