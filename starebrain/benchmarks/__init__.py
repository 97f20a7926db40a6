"""Outside benchmarks: public data by others, read from the folder that `STAREBRAIN_BENCHMARKS` names.

Nothing of it is part of the project. A benchmark is one file and one word in the table below.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from starebrain.benchmarks import ancestry, nicknames, recognizers, sgd, slurp, time_expressions
from starebrain.benchmarks.base import REMOVED, VARIABLE, Benchmark, BenchmarkSource, benchmarks_folder
from starebrain.errors import InvalidInput

BENCHMARKS: Mapping[str, Benchmark] = {
    benchmark.name: benchmark
    for module in (slurp, ancestry, nicknames, sgd, time_expressions, recognizers)
    for benchmark in module.BENCHMARKS
}


def benchmark_named(name: str) -> Benchmark:
    """The benchmark of that name; `InvalidInput` lists the names there are."""
    if name not in BENCHMARKS:
        raise InvalidInput(f"there is no benchmark {name!r}", remedy=f"Choose one of {', '.join(BENCHMARKS)}.")
    return BENCHMARKS[name]


def load(name: str, root: str | Path | None = None) -> BenchmarkSource:
    """The benchmark of that name, or the variant with the right answer removed (``slurp_person_removed``)."""
    benchmark = benchmark_named(name.removesuffix(REMOVED))
    return benchmark.load(root, answer_removed=name.endswith(REMOVED))


__all__ = [
    "BENCHMARKS",
    "REMOVED",
    "VARIABLE",
    "Benchmark",
    "BenchmarkSource",
    "benchmark_named",
    "benchmarks_folder",
    "load",
]
