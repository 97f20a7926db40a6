"""What the index page of a report says: what was run, the key figures, where they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starebrain.evaluate.metrics import METRICS
from starebrain.report import site
from starebrain.report.metrics import Metrics
from starebrain.report.shown import Table, estimate, table

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
SHARES = frozenset({"share", "area"})
"""Units that are shown as percent."""


def page(pages: Sequence[site.Page], report: Metrics, facts: Mapping[str, Any]) -> str:
    """The index page of a report with `pages`; `facts` is its provenance."""
    dataset = facts["dataset"]
    phones = ", ".join(f"{count:,} for {split}" for split, count in dataset["phones"].items() if count)
    lead = f"The {facts['profile']} profile, {facts['about']}, on the dataset {dataset['name']}: phones {phones}."
    return site.index_page(TITLE, lead, _key_figures(report, dataset["name"]), pages, _in_words(facts))


def _key_figures(report: Metrics, source: str) -> Table | None:
    """Key figures of every resolver over the whole of `source`; None where there are none."""
    whole = {(f.resolver, f.metric): f for f in report.figures if f.source == source and not f.cut}
    resolvers = list(dict.fromkeys(resolver for resolver, metric in whole if metric in KEY))
    columns = [METRICS[name] for name in KEY if any((resolver, name) in whole for resolver in resolvers)]
    rows = []
    for resolver in resolvers:
        figures = [(whole.get((resolver, metric.name)), metric.unit in SHARES) for metric in columns]
        words = [estimate(f.value, f.low, f.high, f.n, percent=percent) if f else "" for f, percent in figures]
        rows.append([resolver, *words])
    return table(f"On {source}", ["resolver", *(metric.title for metric in columns)], rows) if rows else None


def _in_words(facts: Mapping[str, Any], under: str = "") -> dict[str, str]:
    """Nested facts as one list of names and texts."""
    words: dict[str, str] = {}
    for name, value in facts.items():
        name = f"{under} {name}".strip()
        if isinstance(value, Mapping):
            words |= _in_words(value, name)
        else:
            words[name] = "none" if value is None else str(value)
    return words
