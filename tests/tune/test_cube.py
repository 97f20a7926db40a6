"""Look-ups in the cube give what counting hint by hint gives."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starebrain.evaluate import metrics
from starebrain.evaluate.metric import Rows
from starebrain.evaluate.run import evaluate
from starebrain.fit.guarantee import GRID
from starebrain.intent import ParameterKind
from starebrain.matching.heuristics import Heuristics, Tiers, default_heuristics
from starebrain.resolve.context_resolver import EvidenceResolver
from starebrain.tune import collect, rescore
from starebrain.tune.columns import Best, Columns
from starebrain.tune.cube import OUTCOMES, THRESHOLDS, cube, outcomes, place, resamples, tiered, together
from starebrain.tune.figures import SHOWN, figures
from tests.tune.phones import ASKED, CONTACT, FRIENDS, Listed, labelled
from tests.tune.toys import toy

DEFAULT = default_heuristics()


def test_there_are_1001_thresholds_and_all_that_are_certified_or_set_by_default_are_among_them() -> None:
    assert len(THRESHOLDS) == 1_001
    assert (np.diff(THRESHOLDS) > 0).all()
    assert (THRESHOLDS[0], THRESHOLDS[-1]) == (0.0, 1.0)
    assert set(GRID) <= set(THRESHOLDS)
    assert {0.15, 0.5, 0.95, 0.97, 0.98} <= set(THRESHOLDS)


@pytest.mark.parametrize(
    ("threshold", "line"), [(0.0, 1), (0.0025, 2), (0.001, 2), (0.9999999, 1001), (1.0, 1001), (1.0000005, 1002)]
)
def test_a_threshold_between_two_is_that_above_it(threshold: float, line: int) -> None:
    assert place(threshold) == line


def counted(columns: Columns, best: Best, weights: np.ndarray, tiers: Tiers) -> np.ndarray:
    """The plain loop: HIGH, MEDIUM, asked by outcome."""
    of = columns.kinds[CONTACT]
    found = np.zeros((3, len(OUTCOMES)))
    for i, (p, row) in enumerate(zip(best.probability, best.row, strict=True)):
        right = row >= 0 and of.rows.intended[row]
        if of.hints.unanswerable[i]:
            outcome = 4
        elif of.hints.ambiguous[i]:
            outcome = 2 if right else 3
        else:
            outcome = 0 if right else 1
        tier = 2
        if row >= 0 and p >= tiers.high and not of.rows.capped[row]:
            tier = 0
        elif row >= 0 and p >= tiers.medium:
            tier = 1
        found[tier, outcome] += weights[of.hints.cluster[i]]
    return found


grid = st.sampled_from([float(t) for t in THRESHOLDS])


@settings(max_examples=60)
@given(st.integers(0, 60), st.integers(1, 7), grid, grid, st.integers(0, 2**32 - 1))
def test_every_line_of_the_cube_counts_as_a_loop_does(
    n: int, clusters: int, one: float, other: float, seed: int
) -> None:
    columns, best = toy(n, clusters, seed)
    tiers = Tiers(max(one, other), min(one, other), 0.0)
    drawn = resamples(columns, 5, seed)
    counts = cube(columns.kinds[CONTACT], best, drawn)
    assert counts.shape == (1_003, 6, 2, 5)
    for line, weights in enumerate(drawn.weights):
        assert (tiered(counts, tiers)[line] == counted(columns, best, weights, tiers)).all()
    assert drawn.weights.sum(axis=1).tolist() == [clusters] * 6
    assert drawn.intents.tolist() == (drawn.weights @ np.bincount(columns.intents, minlength=clusters)).tolist()


def test_what_is_above_one_is_never_silent() -> None:
    columns, best = toy(50, 5, 1)
    counts = cube(columns.kinds[CONTACT], best, resamples(columns, 0, 0))
    assert tiered(counts, Tiers(1.0000005, 0.5, 0.1))[0, 0].sum() == 0


def test_the_same_seed_draws_the_same_resamples() -> None:
    columns, _ = toy(50, 9, 1)
    assert (resamples(columns, 20, 7).weights == resamples(columns, 20, 7).weights).all()
    assert (resamples(columns, 20, 7).weights != resamples(columns, 20, 8).weights).any()


def test_outcomes_tell_luck_from_right() -> None:
    columns, best = toy(400, 9, 1)
    found = outcomes(columns.kinds[CONTACT], best)
    assert set(found.tolist()) == set(range(5))
    hints = columns.kinds[CONTACT].hints
    assert hints.ambiguous[np.isin(found, (2, 3))].all()
    assert hints.unanswerable[found == 4].all()


def with_tiers(tiers: dict[ParameterKind, Tiers]) -> Heuristics:
    kinds = {kind: replace(of, tiers=tiers.get(kind, of.tiers)) for kind, of in DEFAULT.kinds.items()}
    return replace(DEFAULT, kinds=kinds)


@pytest.mark.parametrize("high", [0.5, 0.9, 0.97, 0.9999, 1.0])
@pytest.mark.parametrize("medium", [0.2, 0.5])
def test_figures_are_those_of_an_evaluation_with_these_thresholds(high: float, medium: float) -> None:
    source = Listed(
        [labelled(FRIENDS, ASKED, "a"), labelled(FRIENDS, ASKED[::2], "b"), labelled(FRIENDS, ASKED[:5], "c")]
    )
    heuristics = with_tiers({kind: Tiers(high, medium, 0.15) for kind in ParameterKind})
    rows = Rows.of(evaluate(source, [EvidenceResolver(heuristics)]))
    columns = collect(source)
    drawn = resamples(columns, 40, 1)
    cubes = {kind: cube(of, rescore(of, heuristics), drawn) for kind, of in columns.kinds.items()}
    found = figures(
        together(cubes, {kind: of.tiers for kind, of in heuristics.kinds.items()}), drawn.intents, len(columns.clusters)
    )
    assert tuple(found) == SHOWN
    for name, figure in found.items():
        part, whole = (int(counts.sum()) for counts in metrics.METRICS[name].count(rows))
        assert (figure.numerator, figure.denominator) == (part, whole), name
        if figure.value is None:
            assert whole == 0
        else:
            assert figure.value == part / whole
            assert figure.low is not None
            assert figure.high is not None
            assert figure.low <= figure.value <= figure.high


def test_what_was_never_seen_has_an_exact_bound() -> None:
    lines = np.zeros((21, 3, 5))
    lines[:, 0, 0] = 60  # sixty silent and right in twenty clusters
    found = figures(lines, np.full(21, 60), 20)
    silent = found["silent_errors_per_high"]
    assert (silent.numerator, silent.denominator, silent.value, silent.low) == (0, 60, 0.0, 0.0)
    assert silent.high == pytest.approx(0.1684, abs=1e-4)  # Clopper-Pearson, none of twenty
    assert found["high_accuracy"].low == pytest.approx(1 - 0.1684, abs=1e-4)
    assert found["medium_accuracy"].value is None
    assert (found["prompts_per_intent"].low, found["prompts_per_intent"].high) == (0.0, 0.0)


def test_intervals_widen_with_fewer_clusters() -> None:
    """2,000 hints in clusters of one, and in 40 clusters of 50 that are all alike within."""
    widths = []
    for clusters in (2_000, 40):
        columns, best = toy(2_000, clusters, 3, alike=True)
        drawn = resamples(columns, 400, 1)
        counts = tiered(cube(columns.kinds[CONTACT], best, drawn), Tiers(0.9, 0.5, 0.0))
        figure = figures(counts, drawn.intents, clusters)["high_accuracy"]
        assert figure.low is not None
        assert figure.high is not None
        widths.append(figure.high - figure.low)
    assert widths[1] > 2 * widths[0] > 0


def test_an_answer_takes_well_under_a_millisecond() -> None:
    columns, best = toy(20_000, 500, 3)
    drawn = resamples(columns, 200, 1)
    counts = cube(columns.kinds[CONTACT], best, drawn)
    places = [Tiers(float(high), 0.5, 0.0) for high in THRESHOLDS[600:]]
    times = []
    for tiers in places:
        start = perf_counter()
        figures(tiered(counts, tiers), drawn.intents, 500)
        times.append(perf_counter() - start)
    assert np.median(times) < 1e-3
