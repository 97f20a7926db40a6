"""How long a user waits for the first answer, as a multiple of what bare Python takes on the same machine."""

from __future__ import annotations

import subprocess
import sys
from statistics import median
from time import perf_counter

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

BARE = [sys.executable, "-c", "pass"]
HELP = [sys.executable, "-m", "starebrain", "--help"]
MOST = 5.0


def seconds(command: list[str]) -> float:
    start = perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return perf_counter() - start


def test_help_takes_at_most_five_times_bare_python(record_property: pytest.RecordProperty) -> None:
    ratio = 0.0
    for _ in range(3):  # a busy machine gets three tries
        turns = [(seconds(BARE), seconds(HELP)) for _ in range(11)]
        ratio = median(of_help for _, of_help in turns) / median(of_bare for of_bare, _ in turns)
        if ratio <= MOST:
            break
    record_property("ratio", round(ratio, 2))
    assert ratio <= MOST, f"--help takes {ratio:.1f} times bare Python"


@pytest.mark.parametrize("command", [BARE, HELP], ids=["bare", "help"])
def test_start(benchmark: BenchmarkFixture, command: list[str]) -> None:
    benchmark(subprocess.run, command, stdout=subprocess.DEVNULL, check=True)
