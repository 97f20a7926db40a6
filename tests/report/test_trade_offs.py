"""Curves as thresholds move, by hand, and the section of the report on small benchmark files."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from starebrain.benchmarks import VARIABLE
from starebrain.evaluate import evaluate
from starebrain.report import figures
from starebrain.report.curves import answered_anyway, at_tiers
from starebrain.report.outside import outside
from starebrain.report.shown import Picture, Table
from starebrain.report.trade_offs import counted, section, whole
from starebrain.resolve import resolver_named
from tests.evaluate.toys import answers

GONE = {"unanswerable": True, "right": False}
ASKED = {"tier": "UNRESOLVABLE", "answer": None, "right": False}
BY_HAND = answers(
    {"probability": 0.99},
    {"probability": 0.9, "tier": "MEDIUM"},
    {"probability": 0.9, "tier": "MEDIUM", "right": False},
    {"probability": 0.1, **ASKED, "best_right": True},
    {"probability": 0.95, "tier": "HIGH", **GONE},
    {"probability": 0.9, "tier": "MEDIUM", **GONE},
    {"probability": 0.0, **ASKED, "unanswerable": True},
    {"probability": 0.0, **ASKED, "unanswerable": True},
)


def test_each_threshold_has_what_is_right_and_what_is_answered_in_vain() -> None:
    curve = answered_anyway(BY_HAND)
    assert [*zip(curve["answered"], curve["right"], strict=True)] == [
        (0, 0),
        (0, 0.25),  # from 0.99
        (0.25, 0.25),  # from 0.95
        (0.5, 0.5),  # from 0.9
        (0.5, 0.75),  # from 0.1: the best candidate counts, though the tier asks
        (0.5, 0.75),  # who has no candidate is not answered
    ]


def test_rings_are_what_the_tiers_do() -> None:
    (silent,) = at_tiers(BY_HAND, ("HIGH",)).to_dict("records")
    assert silent == {"resolver": "r", "answered": 0.25, "right": 0.25, "coverage": 0.25, "risk": 0.125}
    (shown,) = at_tiers(BY_HAND, ("HIGH", "MEDIUM")).to_dict("records")
    assert (shown["answered"], shown["right"]) == (0.5, 0.5)


def test_counts_are_numerator_denominator_share_and_interval() -> None:
    shown = counted(BY_HAND.assign(part="all"), "toy")
    cells = {row[1:3]: row[3].replace("\N{NO-BREAK SPACE}", " ") for row in shown.rows}
    counts = {key: cell.split(" (")[0] for key, cell in cells.items()}
    assert counts == {
        ("there", "HIGH"): "1 of 4: 25%",
        ("there", "right among HIGH"): "1 of 1: 100%",
        ("there", "right among MEDIUM"): "1 of 2: 50%",
        ("there", "right shown / answerable"): "2 of 4: 50%",
        ("there", "HIGH and wrong, of all"): "0 of 4: 0%",
        ("not there", "HIGH on unanswerable"): "1 of 4: 25%",
        ("not there", "MEDIUM on unanswerable"): "1 of 4: 25%",
    }
    assert cells["there", "HIGH"] == "1 of 4: 25% (0.6–80.6%)"  # Clopper and Pearson
    mixed = counted(BY_HAND.assign(part="all"), "ancestry").rows[-1]
    assert (mixed[1], mixed[3].split(":")[0]) == ("there or not", "1 of 8")
    many = counted(answers(*[{}] * 1_200).assign(part="all"), "toy").rows[0][3]
    assert many == "1,200 of 1,200: 100%\N{NO-BREAK SPACE}(99.7–100%)"
    nobody = counted(BY_HAND[BY_HAND["tier"] != "HIGH"].assign(part="all"), "toy")
    assert [row[3] for row in nobody.rows if row[2] == "right among HIGH"] == ["no data"]


def test_counts_resample_clusters_and_set_resolvers_side_by_side() -> None:
    rows = [{"cluster": f"c{at % 4}", "right": at % 4 != 0, "tier": "HIGH"} for at in range(40)]
    one = answers(*rows, *({**row, "right": True, "resolver": "other"} for row in rows)).assign(part="all")
    (line,) = [row for row in counted(one, "toy").rows if row[1:3] == ("there", "right among HIGH")]
    assert [cell.split(":")[0] for cell in line[3:]] == ["30 of 40", "40 of 40"]
    apart = answers(*({**row, "cluster": f"c{at}"} for at, row in enumerate(rows))).assign(part="all")
    (free,) = [row for row in counted(apart, "toy").rows if row[1:3] == ("there", "right among HIGH")]
    assert free[3].split(":")[0] == "30 of 40"
    assert free[3] != line[3], "rows of one cluster are not independent"


def test_rings_are_drawn_and_said() -> None:
    curve = answered_anyway(BY_HAND)
    how = {"x": "answered", "y": "right", "colours": "resolver", "across": "in vain", "up": "right"}
    plain = figures.lines(curve, "Cost.", **how)  # type: ignore[arg-type]
    ringed = figures.lines(curve, "Cost.", marks=at_tiers(BY_HAND, ("HIGH",)), **how)  # type: ignore[arg-type]
    assert ringed.png != plain.png
    assert figures.lines(curve, "Cost.", heading="which", **how).png != plain.png  # type: ignore[arg-type]
    assert ringed.alt == f"{plain.alt[:-1]}; the ring of r at 25%, 25%."


def test_without_benchmarks_nothing_is_shown() -> None:
    assert section(whole([], [resolver_named("article")], [])) == []


def test_public_names_are_shown_with_the_right_answer_and_without(
    benchmarks_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(benchmarks_folder))
    here = [one for one in outside(wanted=True)[0] if one.source.name.startswith("slurp_person")]
    tested = [resolver_named(name) for name in ("evidence", "article", "fill_all")]
    test = [evaluate(one.source, tested, split="test") for one in here]
    made = whole(here, tested[:2], test)
    assert set(made["resolver"]) == {"evidence", "article"}
    of = made[made["source"] == "slurp_person"]
    source = next(one.source for one in here if one.source.name == "slurp_person")
    assert len(of) == 2 * 2 * sum(len(phone.intents) for phone in source.phones(None))
    assert of["unanswerable"].mean() == 0.5
    shown = section(made)
    tables = [one for one in shown if isinstance(one, Table)]
    counts, gaps = tables
    assert gaps.columns[:3] == ("source", "part", "resolver")
    assert {row[2] for row in gaps.rows} == {"evidence − article"}
    assert counts.columns == ("part", "right answer", "figure", "evidence", "article")
    assert {row[0] for row in counts.rows} <= {"all", "test"}
    hints = len(of) // 4
    (filled_in,) = [row for row in counts.rows if row[:3] == ("all", "there", "HIGH")]
    assert all(f" of {hints}: " in cell for cell in filled_in[3:])
    alts = [one.alt for one in shown if isinstance(one, Picture)]
    assert any("What a suggestion costs: slurp_person, all parts." in alt for alt in alts)
    pd.testing.assert_frame_equal(made, whole(here, tested[:2], test))
