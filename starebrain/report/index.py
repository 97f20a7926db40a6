"""What the index page of a report says: what was run, the key figures, where they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starebrain.dataset import Split
from starebrain.evaluate.intervals import Estimate
from starebrain.evaluate.metric import Metric
from starebrain.evaluate.metrics import METRICS
from starebrain.report import site
from starebrain.report.estimates import PER_INTENT, SHARES
from starebrain.report.metrics import Metrics
from starebrain.report.shown import Table, estimate, table
from starebrain.resolve import RESOLVERS

TITLE = "Can the resolver be trusted?"

KEY = (
    "high_accuracy",
    "medium_accuracy",
    "silent_errors_per_high",
    "right_per_answerable",
    "prompts_per_intent",
    "needless_questions",
)
"""Metrics of the key figures, from the left."""


def page(pages: Sequence[site.Page], report: Metrics, facts: Mapping[str, Any]) -> str:
    """The index page of a report with `pages`; `facts` is its provenance."""
    dataset = facts["dataset"]
    phones = ", ".join(f"{dataset['phones'].get(split, 0):,} for {split}" for split in Split)
    lead = f"The {facts['profile']} profile, {facts['about']}. The phones of {dataset['name']} are {phones}."
    return site.index_page(TITLE, lead, _key_figures(report, dataset["name"]), pages, _in_words(facts))


def _key_figures(report: Metrics, source: str) -> Table | None:
    """Key figures of every resolver over the whole of `source`; None where there are none."""
    whole = {(f.resolver, f.metric): f for f in report.figures if f.source == source and not f.cut}
    there = {resolver for resolver, metric in whole if metric in KEY}
    resolvers = [*(name for name in RESOLVERS if name in there), *sorted(there - RESOLVERS.keys())]
    columns = [METRICS[name] for name in KEY if any((resolver, name) in whole for resolver in resolvers)]
    rows = []
    for resolver in resolvers:
        rows.append([resolver, *(_cell(whole.get((resolver, metric.name)), metric) for metric in columns)])
    return table(f"On {source}", ["resolver", *(metric.title for metric in columns)], rows) if rows else None


def _cell(figure: Estimate | None, metric: Metric) -> str:
    if figure is None:
        return ""
    n = figure.n if metric.unit != PER_INTENT else round(figure.denominator)
    return estimate(figure.value, figure.low, figure.high, n, percent=metric.unit in SHARES)


def _in_words(facts: Mapping[str, Any], under: str = "") -> dict[str, str]:
    """Nested facts as one list of names and texts; a mapping of plain values is one text."""
    words: dict[str, str] = {}
    for name, value in facts.items():
        name = f"{under} {name}".strip()
        if not isinstance(value, Mapping):
            words[name] = "none" if value is None else str(value)
        elif any(isinstance(part, Mapping) for part in value.values()):
            words |= _in_words(value, name)
        else:
            words[name] = ", ".join(f"{key} {part}" for key, part in value.items())
    return words
