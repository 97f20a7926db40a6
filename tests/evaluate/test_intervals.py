from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from starebrain.evaluate import intervals
from starebrain.evaluate.intervals import (
    clopper_pearson,
    cluster_sums,
    korn_graubard,
    percentiles,
    ratio_interval,
    resampled,
    stream,
)


def of(pairs: list[tuple[float, float]], share: bool = True) -> tuple[float | None, float | None]:
    return ratio_interval(np.array(pairs, float).reshape(-1, 2), stream("test"), share=share)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 598, 0.0, 0.00615), (10, 10, 0.6915, 1.0), (8, 10, 0.4439, 0.9748), (279, 279, 0.9869, 1.0)],
)
def test_clopper_and_pearson_as_tables_have_it(successes: int, trials: int, low: float, high: float) -> None:
    got = clopper_pearson(successes, trials)
    assert got == pytest.approx((low, high), abs=1e-4)
    assert got == pytest.approx(proportion_confint(successes, trials, method="beta"))


def test_no_trials_give_no_interval() -> None:
    assert clopper_pearson(0, 0) == (None, None)
    assert of([]) == (None, None)


def test_independent_rows_get_the_exact_interval() -> None:
    assert of([(1, 1)] * 8 + [(0, 1)] * 2) == clopper_pearson(8, 10)


def test_what_never_happened_is_bounded_by_the_number_of_clusters() -> None:
    assert of([(0, 50)] * 20) == clopper_pearson(0, 20)
    assert of([(50, 50)] * 20) == clopper_pearson(20, 20)
    assert of([(0, 50)]) == clopper_pearson(0, 1)


def test_a_single_cluster_cannot_tell() -> None:
    assert of([(3, 7)]) == (None, None)
    assert of([(3, 7)], share=False) == (None, None)


def test_rare_errors_in_clusters_count_as_many_trials_as_they_are_worth() -> None:
    spread = [(1, 5)] * 3 + [(0, 5)] * 97
    heaped = [(3, 5)] + [(0, 5)] * 99
    assert of(spread)[1] == pytest.approx(clopper_pearson(3, 500)[1], rel=0.02)
    assert of(heaped)[1] > 1.5 * of(spread)[1]
    assert of(heaped) == pytest.approx(korn_graubard(np.array(heaped, float)))


def test_many_clusters_get_the_percentiles_of_resampled_clusters() -> None:
    rng = np.random.default_rng(3)
    rows = rng.integers(1, 9, 120)
    sums = np.column_stack([rng.binomial(rows, rng.beta(2, 3, 120)), rows]).astype(float)
    low, high = ratio_interval(sums, stream("a"), share=True)
    values = []
    for _ in range(4000):
        drawn = sums[rng.integers(len(sums), size=len(sums))]
        values.append(drawn[:, 0].sum() / drawn[:, 1].sum())
    assert (low, high) == pytest.approx(np.quantile(values, [0.025, 0.975]), abs=0.006)


@pytest.mark.parametrize("block", [2**21, 4096])
def test_totals_of_resampled_clusters(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intervals, "BLOCK", block)
    column = np.random.default_rng(5).normal(size=600)
    totals = resampled(np.column_stack([column, np.ones(600)]), np.random.default_rng(1))
    assert totals.shape == (2000, 2)
    assert (totals[:, 1] == 600).all()
    assert totals[:, 0].mean() == pytest.approx(column.sum(), abs=3 * column.std())
    assert totals[:, 0].std() == pytest.approx(column.std() * np.sqrt(600), rel=0.1)


def test_a_column_is_drawn_the_same_beside_others() -> None:
    sums = np.random.default_rng(5).integers(0, 9, (50, 6)).astype(float)
    alone = resampled(sums[:, 2:4], np.random.default_rng(1))
    assert (resampled(sums, np.random.default_rng(1))[:, 2:4] == alone).all()


@pytest.mark.parametrize(("share", "correlation"), [(0.02, 0.02), (0.1, 0.3), (0.5, 0.3)])
def test_intervals_cover_what_they_say_although_rows_of_a_cluster_are_alike(share: float, correlation: float) -> None:
    rng = np.random.default_rng(11)
    a, b = share * (1 / correlation - 1), (1 - share) * (1 / correlation - 1)
    covered = naive = 0
    for _ in range(200):
        rows = rng.integers(1, 9, 80)
        counts = rng.binomial(rows, rng.beta(a, b, 80))
        low, high = ratio_interval(np.column_stack([counts, rows]).astype(float), rng, share=True, replicates=200)
        covered += low <= share <= high
        low, high = clopper_pearson(int(counts.sum()), int(rows.sum()))
        naive += low <= share <= high
    assert covered / 200 >= 0.9
    if correlation > 0.1:
        assert naive / 200 < 0.88, "rows are not independent here"


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 6)).map(lambda p: (min(p), p[1])), min_size=2, max_size=60))
def test_an_interval_holds_its_figure_and_lies_between_0_and_1(pairs: list[tuple[int, int]]) -> None:
    low, high = of(pairs)
    value = sum(k for k, _ in pairs) / sum(n for _, n in pairs)
    assert 0 <= low <= high <= 1
    assert low - 0.02 <= value <= high + 0.02


def test_the_same_names_draw_the_same_and_others_do_not() -> None:
    draw = [stream(*names).integers(2**62) for names in (("a", "b"), ("a", "b"), ("ab",), ("a\0b",), ("b", "a"))]
    assert draw[0] == draw[1]
    assert len(set(draw)) == 3 + (draw[3] != draw[0])
    assert stream("a", seed=1).integers(2**62) != stream("a", seed=2).integers(2**62)
    assert stream("\ud800").integers(9) >= 0


def test_sums_of_clusters_whatever_their_numbers() -> None:
    sums = cluster_sums(np.array([7, 3, 7, 900]), np.array([[1, 1], [0, 1], [1, 1], [0, 2]]))
    assert sums.tolist() == [[0, 1], [2, 2], [0, 2]]
    assert cluster_sums(np.array([], int), np.empty((0, 2))).shape == (0, 2)


def test_percentiles_keep_the_middle() -> None:
    assert percentiles(np.arange(101.0), 0.9) == pytest.approx((5.0, 95.0))
