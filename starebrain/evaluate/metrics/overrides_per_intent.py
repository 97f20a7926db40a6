"""How many suggestions an attentive user has to override for one intent."""

from starebrain.evaluate.metric import Metric, per_intent

METRIC = Metric(
    name="overrides_per_intent",
    title="overrides / intent",
    numerator="parameters at MEDIUM whose value is not intended",
    denominator="intents",
    unit="per intent",
    better="lower",
    count=per_intent(lambda rows: rows.medium & ~rows.right),
)
