"""How many questions the user has to answer for one intent; an overridden suggestion becomes one."""

from starebrain.evaluate.metric import Metric, per_intent

METRIC = Metric(
    name="questions_per_intent",
    title="questions / intent",
    numerator="parameters at LOW or UNRESOLVABLE, and those at MEDIUM whose value is not intended",
    denominator="intents",
    unit="per intent",
    better="lower",
    count=per_intent(lambda rows: rows.asked | (rows.medium & ~rows.right)),
)
