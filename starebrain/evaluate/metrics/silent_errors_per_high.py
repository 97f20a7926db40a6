"""How often silence is an error: wrong, or lucky on an ambiguous hint."""

from starebrain.evaluate.metric import Metric, among

METRIC = Metric(
    name="silent_errors_per_high",
    title="silent errors / HIGH",
    numerator="parameters at HIGH whose value is not intended, or whose hint is ambiguous",
    denominator="parameters at HIGH",
    unit="share",
    better="lower",
    count=among(lambda rows: rows.silent_error, lambda rows: rows.high),
)
