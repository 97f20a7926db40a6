"""Thresholds over many answers: look-ups in a count cube beside tiers in pandas, the same answers in the same run."""

from __future__ import annotations

import numpy as np
import pandas as pd
from pytest_benchmark.fixture import BenchmarkFixture

from starebrain.matching.heuristics import Tiers
from starebrain.tune.cube import RIGHT, cube, outcomes, resamples, tiered
from starebrain.tune.figures import figures
from tests.benchmarks.test_resolve_speed import median_seconds
from tests.tune.phones import CONTACT
from tests.tune.toys import toy

ANSWERS, CLUSTERS, REPLICATES = 500_000, 2_000, 200
TIERS = Tiers(0.97, 0.5, 0.0)
LEAST = 50


def test_look_ups_with_intervals_are_quicker_than_pandas_without(benchmark: BenchmarkFixture) -> None:
    columns, best = toy(ANSWERS, CLUSTERS, 1)
    of = columns.kinds[CONTACT]
    shown = best.row >= 0
    frame = pd.DataFrame(
        {
            "probability": best.probability,
            "capped": np.where(shown, of.rows.capped[best.row], False),
            "outcome": outcomes(of, best),
            "shown": shown,
        }
    )
    drawn = resamples(columns, REPLICATES, 1)
    counts = cube(of, best, drawn)

    def in_pandas() -> pd.DataFrame:
        tier = np.select(
            [(frame.probability >= TIERS.high) & ~frame.capped, frame.shown & (frame.probability >= TIERS.medium)],
            [0, 1],
            2,
        )
        return frame.groupby([tier, "outcome"]).size().unstack(fill_value=0)

    def looked_up() -> object:
        return figures(tiered(counts, TIERS), drawn.intents, CLUSTERS)

    assert (in_pandas().to_numpy() == tiered(counts, TIERS)[0]).all()
    assert in_pandas().loc[0, RIGHT] > 0
    theirs = median_seconds(in_pandas)
    benchmark(looked_up)
    ours = median_seconds(lambda: [looked_up() for _ in range(50)]) / 50
    benchmark.extra_info["ratio to pandas"] = round(theirs / ours)
    assert theirs / ours >= LEAST, f"{theirs / ours:.0f} times pandas ({ours * 1e6:.0f} µs)"


def test_a_cube_is_built(benchmark: BenchmarkFixture) -> None:
    columns, best = toy(20_000, 500, 1)
    drawn = resamples(columns, REPLICATES, 1)
    counts = benchmark(cube, columns.kinds[CONTACT], best, drawn)
    assert counts[0, 0].sum() == 20_000
