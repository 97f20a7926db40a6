"""How many things are put before the user for one intent: questions and suggestions.

An overridden suggestion counts as a suggestion and as a question. The user is taken to be attentive: every wrong
suggestion is overridden.
"""

import numpy as np

from starebrain.evaluate.metric import Metric, Rows, per_intent


def _prompts(rows: Rows) -> np.ndarray:
    return rows.asked.astype(int) + rows.medium + (rows.medium & ~rows.right)


METRIC = Metric(
    name="prompts_per_intent",
    title="prompts / intent",
    numerator="questions (parameters at LOW or UNRESOLVABLE, overridden suggestions) and suggestions (at MEDIUM)",
    denominator="intents",
    unit="per intent",
    better="lower",
    count=per_intent(_prompts),
)
