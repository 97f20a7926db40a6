"""What a report runs: the table of notebooks, and the profiles that say on which data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook of the report: its file without ``.ipynb``, and the parameters that a profile sets in it."""

    name: str
    parameters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """The data of a report; paths are relative to the checkout, `about` is a few words for readers.

    `dataset` is a dataset, or a scenario (``.toml``) to simulate one from. With `benchmarks` the notebooks also show
    the outside benchmarks, and say how to get those that are not there.
    """

    name: str
    about: str
    dataset: str
    benchmarks: bool


NOTEBOOKS = (
    Notebook("01_confidence_tiers", ("dataset", "benchmarks")),
    Notebook("02_prompt_burden", ("dataset",)),
    Notebook("03_snapshot_timing", ("dataset",)),
    Notebook("04_session_memory", ("benchmarks",)),
    Notebook("05_tune_by_hand", ("dataset",)),
    Notebook("06_simulation_against_public_data", ("dataset", "benchmarks")),
)

PROFILES: Mapping[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile("quick", "without outside benchmarks", "datasets/quick", False),
        Profile("full", "with the outside benchmarks", "datasets/scenarios/standard.toml", True),
    )
}
