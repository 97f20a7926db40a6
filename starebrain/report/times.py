"""The section on time expressions: every reader beside the others on the half that no rule was written against."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pandas as pd

from starebrain.errors import MissingData
from starebrain.evaluate.times import COLUMNS, EXPRESSIONS, MEASURES, OUTSIDE, READERS, counts, estimates, unseen
from starebrain.report import figures
from starebrain.report.shown import Picture, Table, estimate, table

CLOCK = "core, clock"
BUCKETS = {
    "core": "one reading",
    CLOCK: "of these, with a clock time",
    "conv": "a convention decides",
    "neg": "no time",
    "neg_debatable": "hardly a time",
    "tz": "names a zone",
    "holiday": "a holiday",
    "open": "only an earliest or latest time",
    "past_default": "where a parser prefers the past",
    "point": "a point in time",
    "interval": "a stretch of time",
}
"""What the buckets of the benchmarks hold, in the order in which they are shown."""


def readers_unseen(wanted: bool) -> tuple[pd.DataFrame, Table]:
    """The answers of all readers to the unseen half of the time benchmarks (`COLUMNS`), and what was asked of whom.

    Without rows where they are not `wanted` or not here; the table then says so.
    """
    note = "not asked for: `starebrain report --profile full` shows it"
    answers = pd.DataFrame(columns=list(COLUMNS))
    if wanted:
        try:
            answers, note = unseen(), ""
        except MissingData as error:
            note = f"{error.fact}. {error.remedy}"
    sizes = answers[answers["reader"] == "evidence"]["source"].value_counts()
    rows = [(name, note or f"{sizes.get(name, 0):,} expressions") for name in EXPRESSIONS]
    rows += [(name, "not installed: it is left out") for name in OUTSIDE if name not in READERS]
    return answers, table("Time expressions that no rule was written against", ["asked", "state"], rows)


def section(answers: pd.DataFrame) -> Sequence[Picture | Table]:
    """What is shown of the answers that `readers_unseen` gives; nothing where there are none."""
    if not len(answers):
        return ()
    of_time = answers[answers["source"] == "time"]
    return (
        overview(of_time),
        tiers(answers),
        beside(answers, ("source", "corpus", "bucket")),
        beside(of_time, ("category",)),
    )


def overview(answers: pd.DataFrame) -> Picture:
    """Right and wrong at MEDIUM or better, a dot a reader, where the corpora agree on one reading."""
    shown = estimates(answers[answers["bucket"] == "core"])
    few = shown[shown["metric"].isin(["time_right", "time_wrong"])]
    axis = "share of the expressions with one reading"
    return figures.dots(few, "Readers of time expressions.", axis, rows="resolver", colours="title")


def tiers(answers: pd.DataFrame, reader: str = "evidence") -> Table:
    """`MEASURES` of one reader with intervals, a line a source and bucket."""
    own = answers[answers["reader"] == reader]
    clock = own[own["clock"] & (own["bucket"] == "core")].assign(bucket=CLOCK)
    shown = estimates(pd.concat([own, clock]), ("bucket",))
    lines = []
    for source, bucket in product(EXPRESSIONS, BUCKETS):
        of = shown[(shown["source"] == source) & (shown["bucket"] == bucket)].to_dict("records")
        if of:
            figured = (estimate(one["value"], one["low"], one["high"], int(one["n"]), percent=True) for one in of)
            lines.append((source, BUCKETS[bucket], *figured))
    return table(f"{reader}, by source", ["source", "expressions", *(m.title for m in MEASURES.values())], lines)


def beside(answers: pd.DataFrame, by: Sequence[str]) -> Table:
    """Right / wrong / none at MEDIUM or better, a line a group of `by` and a column a reader.

    A reader that fills something in silently has a column for HIGH as well.
    """
    counted = counts(answers, ("reader", *by))
    columns: dict[str, pd.Series] = {}
    for reader, tier in product(READERS, ("HIGH", "MEDIUM or better")):
        of = counted[(counted["reader"] == reader) & (counted["tier"] == tier)].set_index(list(by))
        if of[["right", "wrong"]].to_numpy().any():
            shown = of["right"].astype(str) + " / " + of["wrong"].astype(str) + " / " + of["none"].astype(str)
            columns[reader if reader != "evidence" else f"{reader}, {tier}"] = shown
    sizes = answers[answers["reader"] == answers["reader"].iloc[0]].groupby(list(by), sort=False).size()
    lines = [
        (*(key if isinstance(key, tuple) else (key,)), int(n), *(column[key] for column in columns.values()))
        for key, n in sizes.items()
    ]
    return table(f"Right / wrong / none by {' and '.join(by)}", [*by, "n", *columns], lines)
