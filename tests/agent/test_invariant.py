"""No value is carried out that was neither approved as shown nor filled in silently from the snapshot.

A random walk takes as many steps as ``STAREBRAIN_INVARIANT_STEPS`` says, 100,000 unless it says otherwise (a night has
time for millions); Hypothesis explores the same steps, a twentieth as many at most, and shortens what it finds. Each
promise has a mutation that breaks it, and both must notice every one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from starebrain.agent import Approval, Executed, Observation, Reason, Unresolved, Verdict, dispatcher
from starebrain.agent.verification import VALID
from tests.agent.world import STEPS, Moody, World, walk

STEPS_TAKEN = int(os.environ.get("STAREBRAIN_INVARIANT_STEPS", "100000"))
EXPLORED = settings(
    max_examples=max(STEPS_TAKEN // 1_000, 1),
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
UNSHORTENED = settings(
    EXPLORED, max_examples=200, phases=(Phase.generate,), database=None, derandomize=True, report_multiple_bugs=False
)


NUMBERS = st.integers(0, 2**24 - 1)


class Machine(RuleBasedStateMachine):
    """The steps of a world as rules."""

    world: Callable[[], World] = World

    def __init__(self) -> None:
        super().__init__()
        self.here = type(self).world()

    @initialize(said=NUMBERS, answered=NUMBERS, confirmed=NUMBERS)
    def begin(self, said: int, answered: int, confirmed: int) -> None:
        """Start with something that may be approved."""
        self.here.speak(said)
        self.here.answer(answered)
        self.here.confirm(confirmed)


def _rule(name: str) -> Any:
    def step(self: Machine, n: int) -> None:
        getattr(self.here, name)(n)

    step.__name__ = name
    return rule(n=NUMBERS)(step)


for _name in STEPS:
    setattr(Machine, _name, _rule(_name))


def test_a_long_walk_breaks_no_promise() -> None:
    seen = walk(STEPS_TAKEN, seed=STEPS_TAKEN)
    least = STEPS_TAKEN // 200
    assert {what for what, times in seen.items() if times >= least} == {
        *("approved", "Executed", "Unresolved"),
        *Reason,
    }


def test_no_order_of_steps_that_hypothesis_finds_breaks_a_promise() -> None:
    run_state_machine_as_test(Machine, settings=EXPLORED)


def all_valid(approval: Approval, device_now: Any, *, resolver: Any) -> Mapping[str, Verdict]:
    return dict.fromkeys(approval.values, VALID)


def believing(outcome: Unresolved, dispatcher: Any) -> Executed:
    attempt = outcome.attempt
    return Executed(attempt, Observation(attempt.attempt_id, attempt.at, attempt.values, "it said so"))


class Forgetful(Moody):
    """Keeps no used tokens."""

    def claim(self, token: str, attempt_id: str) -> bool:
        return True


MUTATIONS: Mapping[str, tuple[str, Any]] = {
    "nothing is verified": ("compare", all_valid),
    "any seal will do": ("is_genuine", lambda approval, key: True),
    "approvals never expire": ("is_in_time", lambda approval, now: True),
    "values are not compared": ("differing", lambda ours, theirs: ()),
    "claims are believed": ("settle", believing),
}
WORLDS: Mapping[str, Callable[[], World]] = {
    "tokens are forgotten": lambda: World(Forgetful()),
    "rivals are not looked for": lambda: World(resolver=None),
}


@pytest.fixture(params=[*MUTATIONS, *WORLDS])
def broken(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[], World]:
    """A world in which one promise is not kept."""
    if request.param in MUTATIONS:
        monkeypatch.setattr(dispatcher, *MUTATIONS[request.param])
    return WORLDS.get(request.param, World)


def test_a_walk_notices_every_promise_that_is_not_kept(broken: Callable[[], World]) -> None:
    with pytest.raises(AssertionError):
        walk(20_000, seed=1, world=broken)


def test_hypothesis_notices_every_promise_that_is_not_kept(broken: Callable[[], World]) -> None:
    class Broken(Machine):
        world = staticmethod(broken)

    with pytest.raises(AssertionError):
        run_state_machine_as_test(Broken, settings=UNSHORTENED)
