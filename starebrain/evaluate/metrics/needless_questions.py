"""How often the user is asked what the phone could have told."""

from starebrain.evaluate.metric import Metric, among

METRIC = Metric(
    name="needless_questions",
    title="needless questions",
    numerator="parameters at LOW or UNRESOLVABLE, of those",
    denominator="parameters where what was meant is the one thing on the phone that the words fit",
    unit="share",
    better="lower",
    count=among(lambda rows: rows.asked, lambda rows: ~rows.unanswerable & ~rows.ambiguous),
)
