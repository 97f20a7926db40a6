"""The race of snapshot policies: what an intent costs, beside contexts built anew at every moment."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import process_time

from pytest_benchmark.fixture import BenchmarkFixture

from starebrain.dataset import open_dataset
from starebrain.evaluate.policies import POLICIES
from starebrain.evaluate.snapshot_timing import CELLS, race
from starebrain.resolve import resolver_named
from starebrain.simulate import read_scenario, simulate_timelines
from tests.evaluate.plain_race import numbers

ROOT = Path(__file__).resolve().parents[2]
LEAST = 8
"""How many times quicker than the slow way it has to be, on the same lives in the same run."""
WANTED = 60.0
"""Seconds that 100,000 intents under five policies may take on one core."""


def test_five_policies_are_quicker_than_contexts_built_anew(benchmark: BenchmarkFixture) -> None:
    scenario = read_scenario(ROOT / "datasets" / "scenarios" / "quick.toml")
    quiet = replace(scenario, timeline=replace(scenario.timeline, notify=0.0))
    here = open_dataset(ROOT / "datasets" / "quick").phones()
    phones = [phone for phone in here if phone.device.locale.startswith("en")][:8]
    lives = list(simulate_timelines(quiet, phones, lives=len(CELLS)))
    intents = sum(len(life.phone.intents) for life in lives)
    resolver, policies = resolver_named("evidence"), list(POLICIES.values())

    def raced() -> float:
        begin = process_time()
        race(lives, resolver, seed=1, policies=policies)
        return process_time() - begin

    raced()  # loads the languages of the time readers, and keeps what they say of a text
    ours = min(benchmark.pedantic(raced, rounds=1), raced()) / intents
    begin = process_time()
    few = range(0, len(CELLS), 4)
    for at in few:
        numbers(lives[at], at, resolver, 1)
    theirs = (process_time() - begin) / sum(len(lives[at].phone.intents) for at in few)
    benchmark.extra_info |= {
        "seconds for 100,000 intents": round(100_000 * ours, 1),
        "wanted": WANTED,
        "times as quick as the slow way": round(theirs / ours, 1),
    }
    assert theirs / ours >= LEAST, f"{ours * 1e6:.0f} µs an intent, {theirs / ours:.1f} times as quick as the slow way"
