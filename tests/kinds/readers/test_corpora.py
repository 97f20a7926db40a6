"""What the readers must reach on public corpora, on the half of each that no rule was written against."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from starebrain.benchmarks import BENCHMARKS, recognizers, time_expressions
from starebrain.evaluate.times import counts, judged


@pytest.fixture(scope="module")
def unseen(benchmarks_folder: Path) -> pd.DataFrame:
    expressions = time_expressions.expressions(BENCHMARKS["time"].find(benchmarks_folder))
    return judged(e for e in expressions if not e.looked_at)


def shares(frame: pd.DataFrame, tier: str) -> pd.Series:
    """Right, wrong and none of a frame at a tier or better, as shares of all, and how many that are."""
    row = counts(frame, ("reader",)).set_index("tier").loc[tier]
    return pd.Series({name: row[name] / row["n"] for name in ("right", "wrong", "none")} | {"n": row["n"]})


def test_clock_times_may_be_silent_and_are_then_right(unseen: pd.DataFrame) -> None:
    clock = shares(unseen[(unseen["bucket"] == "core") & unseen["clock"]], "HIGH")
    assert clock["n"] > 100
    assert clock["right"] / (clock["right"] + clock["wrong"]) >= 0.995
    assert clock["right"] + clock["wrong"] >= 0.5


def test_suggestions_are_mostly_right(unseen: pd.DataFrame) -> None:
    core = shares(unseen[unseen["bucket"] == "core"], "MEDIUM or better")
    assert core["right"] >= 0.8
    assert core["wrong"] <= 0.05


def test_where_a_convention_decides_silence_is_right(unseen: pd.DataFrame) -> None:
    conv = shares(unseen[unseen["bucket"] == "conv"], "HIGH")
    assert conv["right"] > 0
    assert conv["right"] / (conv["right"] + conv["wrong"]) >= 0.98


def test_what_is_no_time_is_never_silent_and_hardly_suggested(benchmarks_folder: Path) -> None:
    expressions = time_expressions.expressions(BENCHMARKS["time"].find(benchmarks_folder))
    frame = judged(e for e in expressions if e.bucket == "neg")
    assert not (frame["tier"] == "HIGH").any()
    assert frame["tier"].notna().mean() <= 0.025


@pytest.mark.parametrize("name", ["recognizers_de", "recognizers_fr", "recognizers_pt"])
def test_other_languages(name: str, benchmarks_folder: Path) -> None:
    expressions = recognizers.EXPRESSIONS[name](BENCHMARKS[name].find(benchmarks_folder))
    frame = judged(e for e in expressions if not e.looked_at and e.bucket != "open")
    assert shares(frame, "HIGH")["wrong"] == 0
    assert shares(frame, "MEDIUM or better")["right"] >= 0.6
