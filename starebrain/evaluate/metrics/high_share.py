"""How much is filled in silently."""

from starebrain.evaluate.metric import Metric, among, every

METRIC = Metric(
    name="high_share",
    title="HIGH",
    numerator="parameters at HIGH",
    denominator="parameters",
    unit="share",
    better="neither",
    count=among(lambda rows: rows.high, every),
)
