"""How many of all parameters are silent errors."""

from starebrain.evaluate.metric import Metric, among, every

METRIC = Metric(
    name="silent_errors_per_parameter",
    title="silent errors / all",
    numerator="parameters at HIGH whose value is not intended, or whose hint is ambiguous",
    denominator="parameters",
    unit="share",
    better="lower",
    count=among(lambda rows: rows.silent_error, every),
)
