"""How often what was meant is among the three things that a list would show first, whatever the tier."""

from starebrain.evaluate.metric import Metric, among, answerable

METRIC = Metric(
    name="top3_recall",
    title="in the first three",
    numerator="answerable parameters where the value or one of the next two candidates is intended",
    denominator="parameters where the phone has what was meant",
    unit="share",
    better="higher",
    count=among(lambda rows: rows.top3, answerable),
)
