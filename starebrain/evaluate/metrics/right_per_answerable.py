"""How much of what the phone has is filled in or suggested, and rightly."""

from starebrain.evaluate.metric import MEDIUM, Metric, among, answerable

METRIC = Metric(
    name="right_per_answerable",
    title="right shown / answerable",
    numerator="answerable parameters at HIGH or MEDIUM whose value is intended",
    denominator="parameters where the phone has what was meant",
    unit="share",
    better="higher",
    count=among(lambda rows: rows.right & (rows.tier >= MEDIUM), answerable),
)
