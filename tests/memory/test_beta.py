from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from starebrain.memory.beta import cdf

shapes = st.floats(0.05, 5_000)


@given(st.floats(0, 1), shapes, shapes)
def test_the_distribution_function_is_that_of_scipy(x: float, a: float, b: float) -> None:
    assert cdf(x, a, b) == pytest.approx(stats.beta.cdf(x, a, b), abs=1e-9)


@pytest.mark.parametrize(
    ("x", "a", "b", "expected"),
    [(0.5, 1, 1, 0.5), (0.25, 1, 1, 0.25), (0.5, 5, 1, 1 / 32), (0.5, 3, 3, 0.5), (0, 2, 2, 0), (1, 2, 2, 1)],
)
def test_values_that_can_be_worked_out(x: float, a: float, b: float, expected: float) -> None:
    assert cdf(x, a, b) == pytest.approx(expected, abs=1e-12)
