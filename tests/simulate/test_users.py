from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from starebrain.intent import Answer
from starebrain.simulate.sections import Users
from starebrain.simulate.users import UserTraits, traits_of

ANNA = UserTraits(delay=10.0, spread=1.0, attention=0.8, fatigue=0.1, edits=0.75, needless=0.05)


def test_delays_are_log_normal_around_the_users_median() -> None:
    delays = ANNA.delays(np.random.default_rng(1), 20_000)
    assert delays.min() > 0
    assert np.median(delays) == pytest.approx(10, rel=0.03)
    assert np.log(delays).std() == pytest.approx(1.0, rel=0.03)


def test_attention_falls_with_every_prompt() -> None:
    assert ANNA.notices(0) == 0.8
    assert ANNA.notices(np.array([1, 2])).tolist() == pytest.approx([0.72, 0.648])
    assert replace(ANNA, least=0.3).notices(np.array([0, 1, 99])).tolist() == pytest.approx([0.8, 0.75, 0.3], abs=1e-4)
    assert replace(ANNA, least=0.9).notices(np.array([0, 9])).tolist() == [0.8, 0.8]


def test_answers_to_wrong_and_right_suggestions() -> None:
    wrong = np.repeat([True, False], 20_000)
    answers = np.array(ANNA.answers(wrong, 0, np.random.default_rng(2)))
    to_wrong, to_right = answers[wrong], answers[~wrong]
    assert np.mean(to_wrong == Answer.APPROVED) == pytest.approx(0.2, abs=0.01)
    assert np.mean(to_wrong == Answer.EDITED) == pytest.approx(0.8 * 0.75, abs=0.01)
    assert np.mean(to_wrong == Answer.DECLINED) == pytest.approx(0.8 * 0.25, abs=0.01)
    assert np.mean(to_right == Answer.EDITED) == pytest.approx(0.05, abs=0.01)
    assert not (to_right == Answer.DECLINED).any()


def test_who_never_looks_approves_everything_and_who_always_looks_misses_nothing() -> None:
    wrong = np.ones(500, bool)
    blind = UserTraits(10.0, 1.0, 0.0, 0.0, 1.0, 0.0)
    keen = UserTraits(10.0, 1.0, 1.0, 0.0, 1.0, 0.0)
    seen = np.arange(500)
    assert set(blind.answers(wrong, seen, np.random.default_rng(3))) == {Answer.APPROVED}
    assert set(keen.answers(wrong, seen, np.random.default_rng(3))) == {Answer.EDITED}


def test_a_population_has_the_means_that_it_was_asked_for() -> None:
    rng = np.random.default_rng(4)
    users = [traits_of(Users(delay=20.0, attention=0.6), rng) for _ in range(4_000)]
    assert np.mean([user.attention for user in users]) == pytest.approx(0.6, abs=0.01)
    assert np.std([user.attention for user in users]) > 0.1
    assert np.median([user.delay for user in users]) == pytest.approx(20, rel=0.05)
    assert {traits_of(Users(attention=edge), rng).attention for edge in (0.0, 1.0)} == {0.0, 1.0}
