"""Cost against silent errors: against evaluation, against counting by hand, and that nothing beats the frontier."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starebrain.evaluate import METRICS, evaluate, summarise
from starebrain.evaluate.interaction import Interaction
from starebrain.evaluate.intervals import Estimate, clopper_pearson
from starebrain.matching.heuristics import Tiers
from starebrain.resolve import resolver_named
from starebrain.tune import collect_phones
from starebrain.tune.cube import cube, outcomes, resamples
from starebrain.tune.frontier import RECORDED, costs, frontier, recorded, standing
from starebrain.tune.state import Counted, count
from tests.tune.phones import ASKED, CONTACT, FRIENDS, Listed, labelled
from tests.tune.toys import DEFAULT, toy

MODEL = Interaction()
PHONES = [labelled(FRIENDS, ASKED, name) for name in ("a", "b", "c")]


def counted(n: int = 400, clusters: int = 20) -> tuple[Counted, pd.DataFrame]:
    """Random answers counted, and the same as a frame: probability, capped, outcome."""
    columns, best = toy(n, clusters, 3)
    drawn, of = resamples(columns, 50, 1), columns.kinds[CONTACT]
    shown = best.row >= 0
    frame = pd.DataFrame({"p": best.probability, "outcome": outcomes(of, best), "shown": shown})
    frame["capped"] = np.where(shown, of.rows.capped[best.row], False)
    return Counted(columns, drawn, DEFAULT, {CONTACT: cube(of, best, drawn)}), frame


def test_the_cost_of_thresholds_as_they_stand_is_that_of_evaluation() -> None:
    made = standing(count(collect_phones(PHONES), resamples(collect_phones(PHONES), 20, 1), DEFAULT), MODEL).iloc[0]
    answers = evaluate(Listed(PHONES), [resolver_named("evidence")])
    names = ("seconds_per_intent", "prompts_per_intent", "silent_errors_per_parameter")
    expected = summarise(answers, metrics=[METRICS[name] for name in names]).set_index("metric")["value"]
    assert [made["seconds"], made["prompts"], made["errors"]] == pytest.approx(list(expected[list(names)]))


@pytest.mark.parametrize("tiers", [Tiers(0.9, 0.5, 0.0), Tiers(0.5, 0.5, 0.0), Tiers(1.0, 0.25, 0.0)])
def test_the_cost_is_counted_by_hand(tiers: Tiers) -> None:
    made, frame = counted()
    row = costs(made, MODEL, [tiers.high], [tiers.medium]).iloc[0]
    high = frame["shown"] & (frame["p"] >= tiers.high) & ~frame["capped"]
    medium = frame["shown"] & (frame["p"] >= tiers.medium) & ~high
    right = frame["outcome"].isin([0, 2])
    questions = (~high & ~medium).sum() + (medium & ~right).sum()
    assert row["seconds"] == pytest.approx((MODEL.question * questions + MODEL.suggestion * medium.sum()) / len(frame))
    assert row["prompts"] == pytest.approx((questions + medium.sum()) / len(frame))
    assert row["errors"] == pytest.approx((high & (frame["outcome"] != 0)).sum() / len(frame))
    assert row["seconds_low"] <= row["seconds"] <= row["seconds_high"]


def test_where_no_error_was_seen_the_bound_says_what_so_few_clusters_cannot_rule_out() -> None:
    made, _ = counted(clusters=20)
    row = costs(made, MODEL, [1.0], [0.5]).iloc[0]
    assert row["errors"] == 0
    assert row["errors_high"] == pytest.approx(clopper_pearson(0, 20)[1])


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=20))
def test_nothing_beats_the_frontier_and_it_beats_all_else(points: list[tuple[int, int]]) -> None:
    priced = pd.DataFrame(points, columns=["seconds", "errors"])
    best = frontier(priced)
    for one in best.itertuples():
        assert not any(
            (s <= one.seconds and e < one.errors) or (s < one.seconds and e <= one.errors) for s, e in points
        )
    assert all(any(one.seconds <= s and one.errors <= e for one in best.itertuples()) for s, e in points)
    assert best["seconds"].is_monotonic_increasing
    assert best["errors"].is_monotonic_decreasing


def test_recorded_costs_are_figures() -> None:
    made, _ = counted()
    figures = recorded(made, MODEL, "evidence", "toy")
    assert set(Estimate.__dataclass_fields__) <= set(figures.columns)
    assert len(figures) == 2 * len(RECORDED)
    assert (figures["numerator"] / figures["denominator"]).to_numpy() == pytest.approx(
        figures["value"].to_numpy(), abs=1e-6
    )
    errors = figures[figures["metric"] == "silent_errors_at"]
    assert errors["value"].is_monotonic_decreasing
