"""What can be evaluated by name: a dataset's folder, or a benchmark."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from starebrain import benchmarks
from starebrain.dataset import LabelledSource, open_dataset
from starebrain.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Opened:
    """A labelled source, the SHA-256 sums of the files it is read from by name, and what is doubtful about them."""

    source: LabelledSource
    sums: Mapping[str, str]
    doubts: tuple[str, ...] = field(default=())

    def sha256(self, split: str | None = None) -> str:
        """One sum over all files and the split, by which two evaluations can tell whether they saw the same input."""
        lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(self.sums.items()))
        return hashlib.sha256(f"{lines}{split or 'all'}\n".encode("utf-8", "surrogatepass")).hexdigest()


def open_source(name: str) -> Opened:
    """A benchmark of that name (``slurp_person``, ``slurp_person_removed``), else the dataset in that folder.

    Raises `MissingData` where a benchmark's files are not there, and `InvalidInput` where it is neither.
    """
    if name.removesuffix(benchmarks.REMOVED) in benchmarks.BENCHMARKS:
        loaded = benchmarks.load(name)
        return Opened(loaded, loaded.sums, loaded.doubts)
    if not Path(name).exists():
        known = ", ".join(benchmarks.BENCHMARKS)
        raise InvalidInput(
            "there is no such dataset or benchmark", file=name, remedy=f"Name a folder, or one of {known}."
        )
    dataset = open_dataset(name)
    return Opened(dataset, {f"{table}.parquet": of.sha256 for table, of in dataset.manifest.tables.items()})
