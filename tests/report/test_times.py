from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from starebrain.benchmarks import VARIABLE
from starebrain.evaluate.times import COLUMNS, OUTSIDE, READERS, estimates
from starebrain.report import times
from starebrain.report.shown import Table


def answers(*rows: tuple[str, str, str, bool, str | None, bool]) -> pd.DataFrame:
    made = [
        (reader, "time", f"{at}", f"text {at}", "made", bucket, category, clock, tier, right)
        for at, (reader, bucket, category, clock, tier, right) in enumerate(rows)
    ]
    return pd.DataFrame(made, columns=list(COLUMNS))


SOME = answers(
    ("evidence", "core", "clock", True, "HIGH", True),
    ("evidence", "core", "clock", True, "MEDIUM", True),
    ("evidence", "core", "day", False, "MEDIUM", False),
    ("evidence", "neg", "negative", False, None, False),
    ("rules", "core", "clock", True, "MEDIUM", True),
    ("rules", "core", "clock", True, None, False),
    ("rules", "core", "day", False, "MEDIUM", False),
    ("rules", "neg", "negative", False, "MEDIUM", False),
)


def test_every_reader_is_counted_beside_the_others() -> None:
    shown = times.beside(SOME, ("category",))
    assert shown.columns == ("category", "n", "evidence, HIGH", "evidence, MEDIUM or better", "rules")
    assert shown.rows == (
        ("clock", "2", "1 / 0 / 1", "2 / 0 / 0", "1 / 0 / 1"),
        ("day", "1", "0 / 0 / 1", "0 / 1 / 0", "0 / 1 / 0"),
        ("negative", "1", "0 / 0 / 1", "0 / 0 / 1", "0 / 1 / 0"),
    )


def test_shares_are_of_what_they_say() -> None:
    found = estimates(SOME).set_index(["resolver", "metric"])
    counted = {name: tuple(map(int, row)) for name, row in found[["numerator", "denominator"]].iterrows()}
    assert counted == {
        ("evidence", "time_high"): (1, 4),
        ("evidence", "time_high_right"): (1, 1),
        ("evidence", "time_right"): (2, 4),
        ("evidence", "time_wrong"): (1, 4),
        ("rules", "time_high"): (0, 4),
        ("rules", "time_high_right"): (0, 0),
        ("rules", "time_right"): (1, 4),
        ("rules", "time_wrong"): (2, 4),
    }


def test_tiers_are_shown_by_bucket_with_the_clock_times_apart() -> None:
    rows = times.tiers(SOME).rows
    assert [row[1] for row in rows] == [times.BUCKETS[name] for name in ("core", times.CLOCK, "neg")]
    assert [row[2].replace("\N{NO-BREAK SPACE}", " ").partition(" (")[0] for row in rows] == ["33.3%", "50%", "0%"]


def test_without_data_the_section_says_so_and_shows_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    unwanted, said = times.readers_unseen(wanted=False)
    assert len(unwanted) == 0
    assert times.section(unwanted) == ()
    assert all("--profile full" in state for _, state in said.rows if "installed" not in state)
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    missing, said = times.readers_unseen(wanted=True)
    assert len(missing) == 0
    assert "is not here. Get " in said.rows[0][1]


def test_a_parser_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {name: reader for name, reader in READERS.items() if name not in OUTSIDE}
    monkeypatch.setattr(times, "READERS", few)
    assert [row for row in times.readers_unseen(wanted=False)[1].rows if "not installed" in row[1]] == [
        (name, "not installed: it is left out") for name in OUTSIDE
    ]


def test_what_is_shown_of_answers() -> None:
    picture, *tables = times.section(SOME)
    assert "evidence right at MEDIUM or better: 66.7%" in picture.alt
    assert [len(t.rows) for t in tables if isinstance(t, Table)] == [3, 2, 3]
