"""Every metric there is, one a file; tables and reports show them in this order."""

from __future__ import annotations

from collections.abc import Mapping

from starebrain.evaluate.metric import Metric
from starebrain.evaluate.metrics import (
    augrc,
    brier,
    high_accuracy,
    high_on_unanswerable,
    high_share,
    medium_accuracy,
    medium_on_unanswerable,
    medium_share,
    needless_questions,
    overrides_per_intent,
    prompts_per_intent,
    questions_per_intent,
    right_per_answerable,
    right_per_parameter,
    seconds_per_intent,
    silent_errors_per_high,
    silent_errors_per_parameter,
    suggestions_per_intent,
    top3_recall,
)

METRICS: Mapping[str, Metric] = {
    module.METRIC.name: module.METRIC
    for module in (
        high_share,
        high_accuracy,
        medium_share,
        medium_accuracy,
        silent_errors_per_high,
        silent_errors_per_parameter,
        right_per_answerable,
        right_per_parameter,
        top3_recall,
        high_on_unanswerable,
        medium_on_unanswerable,
        needless_questions,
        questions_per_intent,
        suggestions_per_intent,
        overrides_per_intent,
        prompts_per_intent,
        seconds_per_intent,
        augrc,
        brier,
    )
}
