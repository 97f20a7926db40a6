from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starebrain.evaluate.intervals import Estimate
from starebrain.report.check import compare
from starebrain.report.metrics import Metrics

BETTER = {"right": "higher", "silent_errors": "lower", "high": "neither"}


def figure(
    metric: str = "right", value: float | None = 0.8, low: float | None = 0.7, high: float | None = 0.9
) -> Estimate:
    return Estimate(metric, "article", "quick", "kind=contact", 100, 9, 80, 100, value, low, high)


def metrics(*figures: Estimate, sha: str = "a" * 64) -> Metrics:
    return Metrics(BETTER, {"quick": sha}, figures)


def outcome(old: Estimate, new: Estimate | None, same: bool) -> str:
    made = compare(metrics(old), metrics(*([new] if new else []), sha=("a" if same else "b") * 64))
    named = {"worse": made.worse, "missing": made.missing, "better": made.better}
    found = [name for name, changes in named.items() if changes]
    assert made.passed == (found in ([], ["better"]))
    return " ".join(found) or "same"


@pytest.mark.parametrize(
    ("metric", "value", "low", "high", "same", "expected"),
    [
        ("right", 0.8, 0.7, 0.9, True, "same"),
        ("right", 0.800001, 0.7, 0.9, True, "same"),
        ("right", 0.799, 0.7, 0.9, True, "worse"),
        ("right", 0.801, 0.7, 0.9, True, "better"),
        ("silent_errors", 0.799, 0.7, 0.9, True, "better"),
        ("silent_errors", 0.801, 0.7, 0.9, True, "worse"),
        ("high", 0.2, 0.1, 0.3, True, "same"),
        ("right", 0.6, 0.5, 0.7, False, "same"),
        ("right", 0.6, 0.5, 0.699, False, "worse"),
        ("right", 0.95, 0.91, 0.99, False, "better"),
        ("silent_errors", 0.95, 0.91, 0.99, False, "worse"),
        ("silent_errors", 0.6, 0.5, 0.65, False, "better"),
        ("right", 0.1, None, None, False, "same"),
        ("right", 0.1, None, None, True, "worse"),
        ("right", None, None, None, True, "missing"),
        ("high", None, None, None, False, "missing"),
    ],
)
def test_what_counts_as_worse(
    metric: str, value: float | None, low: float | None, high: float | None, same: bool, expected: str
) -> None:
    assert outcome(figure(metric), figure(metric, value, low, high), same) == expected


def test_a_figure_that_is_not_there_any_more_fails_and_a_new_one_does_not() -> None:
    assert outcome(figure(), None, True) == "missing"
    assert outcome(figure(), replace(figure(), cut=""), True) == "missing"
    assert compare(metrics(), metrics(figure())).passed


def test_no_data_before_and_data_now_is_no_change() -> None:
    assert outcome(figure(value=None, low=None, high=None), figure(value=0.1), True) == "same"
    assert outcome(figure(value=None, low=None, high=None), figure(value=None, low=None, high=None), True) == "same"


def test_a_source_whose_hash_nobody_knows_counts_as_another_input() -> None:
    old = Metrics(BETTER, {}, (figure(),))
    assert compare(old, Metrics(BETTER, {}, (figure(value=0.79),))).passed


def test_a_change_names_metric_resolver_cut_source_and_both_figures() -> None:
    worse = figure(value=0.75, low=0.65, high=0.85)
    (change,) = compare(metrics(figure()), metrics(worse)).worse
    assert str(change) == (
        "right article [kind=contact] on quick: 0.8 (0.7 to 0.9), n 100 before, "
        "0.75 (0.65 to 0.85), n 100 now, on the same input"
    )
    (gone,) = compare(metrics(figure()), metrics()).missing
    assert str(gone) == "right article [kind=contact] on quick: 0.8 (0.7 to 0.9), n 100 before, missing now"


@given(st.sampled_from(list(BETTER)), st.floats(0, 1), st.floats(0, 1), st.booleans())
def test_a_report_never_fails_against_itself_and_worse_one_way_is_better_the_other(
    metric: str, before: float, after: float, same: bool
) -> None:
    old, new = (figure(metric, v, v - 0.05, v + 0.05) for v in (before, after))
    assert outcome(old, old, same) == "same"
    turned = {"worse": "better", "better": "worse", "same": "same"}
    assert outcome(new, old, same) == turned[outcome(old, new, same)]


def test_metrics_of_hostile_names_are_compared_like_others() -> None:
    odd: Any = replace(figure(), cut="family=<script>")
    assert compare(metrics(odd), metrics(odd)).passed
