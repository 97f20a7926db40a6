"""The outside benchmarks as a report shows them: those that are here, and how to get those that are not."""

from __future__ import annotations

from collections.abc import Sequence

from starebrain.benchmarks import BENCHMARKS
from starebrain.errors import MissingData
from starebrain.evaluate.sources import Opened, open_source
from starebrain.report.shown import Table, table


def outside(wanted: bool) -> tuple[Sequence[Opened], Table]:
    """Every outside benchmark that is here, followed by its variants: with the right answer removed from every phone.

    The table says of each benchmark what it tests, and where it is not here, how to get it. Nothing is opened unless
    it is `wanted`, and the table then says how to ask for it.
    """
    opened: list[Opened] = []
    rows = []
    for benchmark in BENCHMARKS.values():
        state = "not asked for: `starebrain report --profile full` shows it"
        if wanted:
            try:
                opened += [open_source(name) for name in benchmark.variants]
                state = "; ".join(opened[-1].doubts) or "here, with known checksums"
            except MissingData as error:
                state = f"{error.fact}. {error.remedy}"
        rows.append((benchmark.name, benchmark.about, benchmark.licence, state))
    return opened, table("Outside benchmarks", ["name", "what it tests", "licence", "state"], rows)
