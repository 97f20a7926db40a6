"""What a threshold buys and what it costs, on people's names and places that others published."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from starebrain.dataset import Split
from starebrain.evaluate import METRICS, evaluate, summarise
from starebrain.evaluate.metric import Metric, among, every
from starebrain.evaluate.sources import Opened
from starebrain.report import figures
from starebrain.report.curves import answered_anyway, at_tiers, risk_coverage
from starebrain.report.estimates import as_table, differences
from starebrain.report.shown import NO_DATA, Picture, Table, estimate, table
from starebrain.resolve import Resolver

NAMES = ("slurp_person", "ancestry", "sgd_venues", "sgd_cities")
"""Benchmarks that are shown, of those that are here."""
CURVES = ("slurp_person", "ancestry")
"""Those of which curves are drawn."""
MIXED = "ancestry"
"""The one that has hints for nobody by itself."""
REMOVED = "_removed"
WRONG_HIGH = Metric(
    name="wrong_high",
    title="HIGH and wrong, of all",
    numerator="parameters at HIGH whose value is not intended",
    denominator="parameters",
    unit="share",
    better="lower",
    count=among(lambda rows: rows.high & ~rows.right, every),
)
"""Unlike a silent error, luck counts as right, as it does where benchmarks are scored by others."""
WITH = (
    *(METRICS[name] for name in ("high_share", "high_accuracy", "medium_accuracy", "right_per_answerable")),
    WRONG_HIGH,
)
PAIRED = tuple(METRICS[name] for name in ("right_per_answerable", "high_share"))
"""Figures of which the difference to each other resolver is shown, on the same hints."""
WITHOUT = tuple(METRICS[name] for name in ("high_on_unanswerable", "medium_on_unanswerable"))


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
    shown += [counted(parts[parts["source"] == name], name) for name in NAMES if name in set(parts["source"])]
    first, *others = dict.fromkeys(answers["resolver"])
    gaps = [
        differences(of[~of["unanswerable"]], first, others, PAIRED).assign(part=part)
        for part, of in parts.groupby("part", sort=False)
    ]
    if others:
        titles = [metric.name for metric in PAIRED]
        rows = ["source", "part", "resolver"]
        shown.append(as_table("Where the right answer is there, paired: differences", pd.concat(gaps), titles, rows))
    for name in CURVES:
        for part in ("test", "all"):
            of = parts[(parts["source"] == name) & (parts["part"] == part)]
            shown += pictures(of, f"{name}, {'the test part' if part == 'test' else 'all parts'}") if len(of) else []
    return shown


def counted(parts: pd.DataFrame, name: str) -> Table:
    """Figures of one benchmark, a column a resolver: numerator and denominator, the share and its interval.

    `parts` are answers with the column `part`. n is the denominator; intervals resample clusters: sentences, head
    names or dialogues. Where a benchmark has hints of both sorts by itself, what is wrong at HIGH is counted over all.
    """
    gone = parts["unanswerable"]
    asked = [("there", parts[~gone], WITH), ("not there", parts[gone], WITHOUT)]
    if name == MIXED:
        asked.append(("there or not", parts, (WRONG_HIGH,)))
    resolvers, lines = list(dict.fromkeys(parts["resolver"])), []
    for part in dict.fromkeys(parts["part"]):
        for answer, frame, metrics in asked:
            figures_of = summarise(frame[frame["part"] == part], ["part"], metrics)
            for metric in metrics:
                of = figures_of[figures_of["metric"] == metric.name].set_index("resolver")
                cells = [_counted(of.loc[one]) if one in of.index else NO_DATA for one in resolvers]
                lines.append((part, answer, metric.title, *cells))
    return table(f"{name}, counted", ["part", "right answer", "figure", *resolvers], lines)


def _counted(line: pd.Series) -> str:
    if not line["denominator"]:
        return NO_DATA
    share, _, _ = estimate(line["value"], line["low"], line["high"], int(line["n"]), percent=True).partition(",")
    return f"{line['numerator']:,.0f} of {line['denominator']:,.0f}: {share}"


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
        heading=about,
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
        heading=about,
        across="filled in: share of the hints whose right answer is there",
        up="filled in and wrong: share of the same",
        marks=at_tiers(there, ("HIGH",)),
    )
    return (suggested, silent)
