"""Every metric against counts by hand, and the area under the risk–coverage curve against brute force."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starebrain.evaluate import METRICS, summarise
from starebrain.evaluate.interaction import Interaction
from starebrain.evaluate.metric import Rows
from starebrain.evaluate.metrics import augrc
from tests.evaluate.toys import answers

WRONG = {"right": False}
NOBODY = {"unanswerable": True, "right": False}

BY_HAND = answers(
    {"tier": "HIGH"},
    {"tier": "HIGH", "ambiguous": True, "intent_id": "i0"},
    {"tier": "HIGH", **WRONG},
    {"tier": "HIGH", **NOBODY},
    {"tier": "MEDIUM"},
    {"tier": "MEDIUM", **WRONG, "top3": True},
    {"tier": "MEDIUM", **NOBODY, "intent_id": "i5"},
    {"tier": "LOW", "right": True},
    {"tier": "LOW", **WRONG, "ambiguous": True},
    {"tier": "UNRESOLVABLE", **WRONG, "answer": None},
    {"tier": "UNRESOLVABLE", **NOBODY, "answer": None},
)
"""Eleven parameters of nine intents: 8 answerable (two of them ambiguous), 3 not."""

EXPECTED = {
    "high_share": (4, 11),
    "high_accuracy": (2, 4),
    "medium_share": (3, 11),
    "medium_accuracy": (1, 3),
    "silent_errors_per_high": (3, 4),
    "silent_errors_per_parameter": (3, 11),
    "right_per_answerable": (3, 8),
    "right_per_parameter": (3, 11),
    "top3_recall": (5, 8),
    "high_on_unanswerable": (1, 3),
    "medium_on_unanswerable": (1, 3),
    "needless_questions": (2, 6),
    "questions_per_intent": (4 + 2, 9),
    "suggestions_per_intent": (3, 9),
    "overrides_per_intent": (2, 9),
    "prompts_per_intent": (4 + 2 + 3, 9),
    "seconds_per_intent": (6 * Interaction().question + 3 * Interaction().suggestion, 9),
    # ranked 4 HIGH (2 wrong), 3 MEDIUM (2 wrong), 2 LOW (1 wrong), 2 UNRESOLVABLE (2 wrong); a pair counts where the
    # first is wrong and above (1) or beside (1/2) the second
    "augrc": ((2 * (7 + 2) + 2 * (4 + 1.5) + 1 * (2 + 1) + 2 * (0 + 1)) / 11, 11),
    "brier": (0, 0),
}


def figure(frame: pd.DataFrame, metric: str) -> pd.Series:
    return summarise(frame, metrics=[METRICS[metric]], replicates=100).iloc[0]


def test_every_metric_is_counted_by_hand_here() -> None:
    assert set(EXPECTED) == set(METRICS)


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_counts_what_its_words_say(name: str) -> None:
    numerator, denominator = EXPECTED[name]
    got = figure(BY_HAND, name)
    assert got["numerator"] == pytest.approx(numerator)
    assert got["denominator"] == denominator
    if denominator:
        assert got["value"] == pytest.approx(numerator / denominator)
        assert got["low"] <= got["value"] <= got["high"]
    else:
        assert got[["value", "low", "high"]].isna().all()
        assert got["n"] == 0


@pytest.mark.parametrize("name", METRICS)
def test_no_rows_give_no_figure_and_no_error(name: str) -> None:
    assert summarise(answers(), metrics=[METRICS[name]]).empty


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_is_declared_whole(name: str) -> None:
    metric = METRICS[name]
    assert metric.name == name
    assert all((metric.title, metric.numerator, metric.denominator))
    assert len(metric.title) <= 26, "titles fit their column"


def test_brier_is_the_squared_distance_of_the_most_probable_candidate() -> None:
    frame = answers(
        {"probability": 0.9},
        {"probability": 0.6, "right": False},
        {"tier": "LOW", "probability": 0.2, "best_right": True, "right": False},
        {"tier": "UNRESOLVABLE", "right": False},
    )
    got = figure(frame, "brier")
    assert got["n"] == got["denominator"] == 3
    assert got["value"] == pytest.approx((0.1**2 + 0.6**2 + 0.8**2) / 3)


def area(scores: list[int], wrong: list[bool]) -> float:
    """The area under generalised risk by trapezoids, averaged over every order of rows that ties allow."""
    n, areas = len(scores), []
    for order in permutations(range(n)):
        if all(scores[a] >= scores[b] for a, b in pairwise(order)):
            risks = np.concatenate([[0], np.cumsum([wrong[i] for i in order])]) / n
            areas.append(np.trapezoid(risks, dx=1 / n))
    return float(np.mean(areas))


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=6))
def test_the_area_is_that_of_the_curve_averaged_over_ties(rows: list[tuple[int, bool]]) -> None:
    tiers = ["UNRESOLVABLE", "LOW", "MEDIUM", "HIGH"]
    frame = answers(*({"tier": tiers[score], "right": not wrong} for score, wrong in rows))
    expected = area([score for score, _ in rows], [wrong for _, wrong in rows])
    assert figure(frame, "augrc")["value"] == pytest.approx(expected)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=2, max_size=30), st.randoms())
def test_the_area_follows_from_how_well_errors_are_told_apart(rows: list[tuple[float, bool]], order) -> None:  # type: ignore[no-untyped-def]
    frame = answers(*({"probability": p, "right": right, "tier": "MEDIUM"} for p, right in rows))
    right, wrong = ([p for p, r in rows if r is which] for which in (True, False))
    pairs = [1.0 if a > b else 0.5 if a == b else 0.0 for a in right for b in wrong]
    share = len(right) / len(rows)
    told_apart = sum(pairs) / len(pairs) if pairs else 0.0
    expected = (1 - told_apart) * share * (1 - share) + (1 - share) ** 2 / 2
    assert figure(frame, "augrc")["value"] == pytest.approx(expected)
    shuffled = frame.sample(frac=1, random_state=order.randrange(2**32))
    assert figure(shuffled, "augrc")["value"] == pytest.approx(expected)


def test_resampled_contributions_follow_the_area_of_resampled_rows() -> None:
    rng = np.random.default_rng(7)
    n = 400
    wrong = rng.random(n) < 0.2
    p = np.clip(rng.normal(0.7 - 0.2 * wrong, 0.2, n), 0, 1)
    frame = answers(
        *({"probability": float(a), "right": not b, "tier": "MEDIUM"} for a, b in zip(p, wrong, strict=True))
    )
    rows = Rows.of(frame)
    contributions, _ = augrc.METRIC.count(rows)
    linear, exact = [], []
    for _ in range(200):
        drawn = rng.integers(n, size=n)
        linear.append(contributions[drawn].mean())
        again, ones = augrc.METRIC.count(rows.take(drawn))
        exact.append(again.sum() / ones.sum())
    assert np.corrcoef(linear, exact)[0, 1] > 0.99
    assert np.std(linear) == pytest.approx(np.std(exact), rel=0.05)
