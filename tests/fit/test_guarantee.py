from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starebrain.fit.guarantee import certify, fewest


@pytest.mark.parametrize(("errors", "hints"), [(0, 598), (1, 947), (2, 1258)])
def test_the_fewest_hints_that_certify_half_a_percent(errors: int, hints: int) -> None:
    """Published values of the exact binomial test at 95%."""
    assert fewest(0.005, 0.05, errors) == hints


def test_the_sequence_ends_at_the_first_failure() -> None:
    p = np.concatenate([np.full(700, 0.999), np.full(700, 0.98), np.full(700, 0.95)])
    errors = np.zeros(2100, bool)
    errors[700:720] = True
    found = certify(p, errors, alpha=0.005, delta=0.05, grid=(0.999, 0.98, 0.95))
    assert found.threshold == 0.999
    assert [(t.n, t.errors) for t in found.tests] == [(700, 0), (1400, 20)]
    assert found.missing > 0


def test_too_few_hints_certify_nothing_and_say_how_many_are_missing() -> None:
    found = certify(np.full(500, 0.9995), np.zeros(500, bool), alpha=0.005, delta=0.05)
    assert (found.threshold, found.tests, found.missing) == (None, (), 98)


@settings(max_examples=50)
@given(st.integers(0, 2**32 - 1), st.floats(0, 0.03))
def test_what_is_certified_passes_the_exact_test(seed: int, rate: float) -> None:
    random = np.random.default_rng(seed)
    p, errors = random.uniform(0.9, 1, 3000), random.uniform(size=3000) < rate
    found = certify(p, errors, alpha=0.01, delta=0.1)
    if found.threshold is not None:
        reached = p >= found.threshold
        assert errors[reached].mean() <= 0.01
    certified = [t for t in found.tests if t.p <= 0.1]
    assert certified == list(found.tests[: len(certified)])


def test_the_guarantee_holds_as_often_as_it_promises() -> None:
    """The oracle: where the true rate is just above alpha at every threshold, few runs certify anything."""
    random = np.random.default_rng(7)
    runs = [
        certify(np.full(2000, 0.995), random.uniform(size=2000) < 0.0101, alpha=0.01, delta=0.1, grid=(0.99,))
        for _ in range(400)
    ]
    certified = sum(run.threshold is not None for run in runs)
    assert certified <= 400 * 0.1 + 3 * (400 * 0.1 * 0.9) ** 0.5
