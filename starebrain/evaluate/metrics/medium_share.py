"""How much is suggested for confirmation."""

from starebrain.evaluate.metric import Metric, among, every

METRIC = Metric(
    name="medium_share",
    title="MEDIUM",
    numerator="parameters at MEDIUM",
    denominator="parameters",
    unit="share",
    better="neither",
    count=among(lambda rows: rows.medium, every),
)
