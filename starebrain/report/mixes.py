"""What is shown of other mixes of hints, and of what can be guaranteed of HIGH."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from starebrain.evaluate.metrics import METRICS
from starebrain.evaluate.mixture import mixtures
from starebrain.evaluate.summary import summarise
from starebrain.fit.guarantee import Guarantee
from starebrain.intent import ParameterKind
from starebrain.matching.heuristics import Heuristics
from starebrain.report.estimates import differences
from starebrain.report.shown import Table, table

SHOWN = ("augrc", "silent_errors_per_high")


def of_mixes(answers: pd.DataFrame, first: str, others: Sequence[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """`SHOWN` for every mix and resolver, and how far `first` is from each of `others`, on the same parameters."""
    mixed, metrics = mixtures(answers), [METRICS[name] for name in SHOWN]
    gaps = [
        differences(part, first, others, metrics).assign(mix=mix, cut=f"mix={mix}")
        for mix, part in mixed.groupby("mix", sort=False)
    ]
    return summarise(mixed, ["mix"], metrics), pd.concat(gaps, ignore_index=True)


def guarantees_table(guarantees: Mapping[ParameterKind, Guarantee], heuristics: Heuristics) -> Table:
    """A line a kind: from which probability it is HIGH, what of that is certified, and what that would take."""
    rows = []
    for kind, one in guarantees.items():
        last = one.tests[-1] if one.tests else None
        rows.append(
            (
                str(kind),
                f"{heuristics.kinds[kind].tiers.high:g}",
                "nothing" if one.threshold is None else f"from {one.threshold:g}",
                "too few to test" if last is None else f"{last.errors} of {last.n} from {last.threshold:g}",
                f"{one.missing:,}",
            )
        )
    some = next(iter(guarantees.values()))
    caption = f"Silent errors of at most {some.alpha:.1%} of HIGHs, with probability {1 - some.delta:.0%}"
    return table(caption, ["kind", "HIGH from", "certified", "errors in the last test", "phones missing"], rows)
