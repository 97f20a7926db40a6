"""How many suggestions the user has to confirm or override for one intent."""

from starebrain.evaluate.metric import Metric, per_intent

METRIC = Metric(
    name="suggestions_per_intent",
    title="suggestions / intent",
    numerator="parameters at MEDIUM",
    denominator="intents",
    unit="per intent",
    better="lower",
    count=per_intent(lambda rows: rows.medium),
)
