"""How many seconds of an attentive user one intent takes, by the keystroke-level model of `evaluate.interaction`."""

from __future__ import annotations

import numpy as np

from starebrain.evaluate.interaction import Interaction
from starebrain.evaluate.metric import Metric, Rows, per_intent


def metric(interaction: Interaction) -> Metric:
    """The metric with the numbers of `interaction`; a wrong suggestion is overridden and becomes a question."""

    def seconds(rows: Rows) -> np.ndarray:
        questions = rows.asked | (rows.medium & ~rows.right)
        return interaction.question * questions + interaction.suggestion * rows.medium

    return Metric(
        name="seconds_per_intent",
        title="seconds / intent",
        numerator="seconds over questions and suggestions, by the keystroke-level model",
        denominator="intents",
        unit="per intent",
        better="lower",
        count=per_intent(seconds),
    )


METRIC = metric(Interaction())
