from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from starebrain.fit.calibration import platt
from starebrain.intent import ParameterKind
from starebrain.matching.heuristics import Calibration, default_heuristics
from starebrain.matching.posterior import calibrated


@pytest.mark.parametrize(("slope", "offset"), [(1.0, 0.0), (0.5, 0.0), (1.5, -1.0), (0.8, 2.0)])
def test_a_known_distortion_is_found_again(slope: float, offset: float) -> None:
    random = np.random.default_rng(3)
    logit = random.normal(0, 3, 40_000)
    right = random.uniform(size=40_000) < 1 / (1 + np.exp(-(slope * logit + offset)))
    found = platt(1 / (1 + np.exp(-logit)), right)
    assert found.slope == pytest.approx(slope, abs=0.05)
    assert found.offset == pytest.approx(offset, abs=0.08)


def test_few_answers_or_one_outcome_leave_the_identity() -> None:
    assert platt(np.full(10, 0.5), np.array([True, False] * 5)) == Calibration()
    assert platt(np.full(100, 0.5), np.ones(100, bool)) == Calibration()


def test_calibration_keeps_order_and_bounds() -> None:
    of = replace(default_heuristics().kinds[ParameterKind.CONTACT], calibration=Calibration(0.7, -0.4))
    scaled = [calibrated(p, of) for p in (0.0, 1e-30, 0.1, 0.5, 0.9, 0.999999, 1.0)]
    assert scaled == sorted(scaled)
    assert 0 <= scaled[0] <= scaled[-1] <= 1
