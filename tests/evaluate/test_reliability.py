from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starebrain.evaluate.reliability import COLUMNS, reliability
from tests.evaluate.toys import answers


def test_bins_hold_as_many_rows_each_and_say_what_came_true() -> None:
    frame = answers(*({"probability": at / 100, "right": at % 4 == 0} for at in range(100)))
    got = reliability(frame, bins=5)
    assert tuple(got.columns) == COLUMNS
    assert list(got["n"]) == [20] * 5
    assert list(got["predicted"]) == pytest.approx([0.095, 0.295, 0.495, 0.695, 0.895])
    assert list(got["right"]) == [0.25] * 5
    assert ((got["low"] < 0.25) & (got["high"] > 0.25)).all()


def test_equal_probabilities_share_a_bin() -> None:
    frame = answers(*({"probability": p, "right": at % 2 == 0} for at, p in enumerate([0.2] * 30 + [0.9] * 70)))
    got = reliability(frame)
    assert list(zip(got["n"], got["predicted"].round(6), got["right"], strict=True)) == [(30, 0.2, 0.5), (70, 0.9, 0.5)]


def test_resolvers_without_probabilities_are_left_out() -> None:
    frame = answers({"resolver": "article"}, {"probability": 0.7}, {"probability": float("nan"), "right": False})
    assert list(reliability(frame)["resolver"]) == ["r"]
    assert reliability(answers({})).empty
    assert reliability(answers()).empty


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40), st.integers(1, 12))
def test_nothing_is_lost(rows: list[tuple[float, bool]], bins: int) -> None:
    frame = answers(
        *({"probability": p, "right": right, "cluster": f"c{at % 7}"} for at, (p, right) in enumerate(rows))
    )
    got = reliability(frame, bins, replicates=20)
    assert got["n"].sum() == len(rows)
    assert len(got) <= bins
    assert got["predicted"].is_monotonic_increasing
    assert np.average(got["right"], weights=got["n"]) == pytest.approx(np.mean([right for _, right in rows]))
