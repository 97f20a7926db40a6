"""What a threshold buys and what it costs, on people's names and places that others published."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from starebrain.dataset import Split
from starebrain.evaluate import evaluate, summarise
from starebrain.evaluate.sources import Opened
from starebrain.report import figures
from starebrain.report.curves import answered_anyway, at_tiers, risk_coverage
from starebrain.report.estimates import as_table
from starebrain.report.shown import Picture, Table
from starebrain.resolve import Resolver

NAMES = ("slurp_person", "ancestry", "sgd_venues", "sgd_cities")
"""Benchmarks that are shown, of those that are here."""
CURVES = ("slurp_person", "ancestry")
"""Those of which curves are drawn."""
REMOVED = "_removed"


def whole(here: Sequence[Opened], resolvers: Sequence[Resolver], test: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """The answers to all parts of `NAMES`, as `evaluate` gives them.

    `test` are the answers to the test parts of `here`, which are not asked again. Where nobody is right are the bad
    pairs of ancestry, and of the others the hints of the variant from which the right answer is removed.
    """
    parts = []
    for one, tested in zip(here, test, strict=True):
        name = one.source.name.removesuffix(REMOVED)
        if name not in NAMES or one.source.name == f"ancestry{REMOVED}":
            continue
        asked = {resolver.name for resolver in resolvers}
        frames = [tested[tested["resolver"].isin(asked)]]
        frames += [evaluate(one.source, resolvers, split=split) for split in Split if split is not Split.TEST]
        parts.append(pd.concat(frames).assign(source=name))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def section(answers: pd.DataFrame) -> Sequence[Picture | Table]:
    """What is shown of the answers that `whole` gives; nothing where there are none."""
    shown: list[Picture | Table] = []
    if not len(answers):
        return shown
    tested = answers[answers["split"] == "test"]
    parts = pd.concat([answers.assign(part="all"), tested.assign(part="test")], ignore_index=True)
    there, gone = parts[~parts["unanswerable"]], parts[parts["unanswerable"]]
    shown.append(
        as_table(
            "Where the right answer is there: all parts, and the test part alone",
            summarise(there, ["part"]),
            ["high_share", "high_accuracy", "medium_accuracy", "right_per_answerable"],
            rows=["source", "part", "resolver"],
        )
    )
    shown.append(
        as_table(
            "Where it is not: all parts, and the test part alone",
            summarise(gone, ["part"]),
            ["high_on_unanswerable", "medium_on_unanswerable"],
            rows=["source", "part", "resolver"],
        )
    )
    for name in CURVES:
        for part in ("test", "all"):
            of = parts[(parts["source"] == name) & (parts["part"] == part)]
            shown += pictures(of, f"{name}, {'the test part' if part == 'test' else 'all parts'}") if len(of) else []
    return shown


def pictures(answers: pd.DataFrame, about: str) -> Sequence[Picture]:
    """What is suggested rightly against what is answered in vain, and what is filled in wrongly, as thresholds move.

    The second only where somebody fills in at all.
    """
    there = answers[~answers["unanswerable"]]
    suggested = figures.lines(
        answered_anyway(answers),
        f"What a suggestion costs: {about}.",
        x="answered",
        y="right",
        colours="resolver",
        across="answered though nobody is right: share of the hints whose right answer is not there",
        up="right: share of the others",
        marks=at_tiers(answers, ("HIGH", "MEDIUM")),
    )
    if not (there["tier"] == "HIGH").any():
        return (suggested,)
    silent = figures.lines(
        risk_coverage(there),
        f"What silence costs: {about}.",
        x="coverage",
        y="risk",
        colours="resolver",
        across="filled in: share of the hints whose right answer is there",
        up="filled in and wrong: share of the same",
        marks=at_tiers(there, ("HIGH",)),
    )
    return (suggested, silent)
