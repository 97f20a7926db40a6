from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from starebrain.benchmarks import load
from starebrain.dataset import open_dataset
from starebrain.evaluate.public_shares import (
    SHARES,
    SIMULATED,
    SLURP,
    SMCALFLOW,
    compared,
    families,
    noticed,
    simulated_hints,
    slurp_hints,
    verdict,
)
from starebrain.simulate import read_scenario
from starebrain.simulate.families import FAMILIES

ROOT = Path(__file__).resolve().parents[2]
HINTS = pd.DataFrame(
    [
        ("d1", "contact", "relation", "call", "my mom"),
        ("d1", "contact", "first", "call", "Ana"),
        ("d1", "contact", "full", "call", "Ana Lima"),
        ("d2", "contact", "misheard", "call", "Anna Lima"),
        ("d2", "contact", "absent", "call", "Bo"),
        ("d2", "time_slot", "day", "create_event", "tomorrow"),
        ("d3", "time_slot", "open_hour", "create_event", "at 3"),
        ("d3", "time_slot", "open_hour", "set_reminder", "tomorrow at 3"),
        ("d3", "time_slot", "event", "create_event", "my dentist"),
        ("d3", "time_slot", "from_now", "call", "in 3 hours"),
    ],
    columns=["cluster", "kind", "family", "action", "hint"],
)
PUBLIC = pd.DataFrame(
    [
        ("s1", "person", "", False, "ana"),
        ("s1", "relation", "", False, "mom"),
        ("s2", "person", "", False, "ana lima"),
        ("s2", "times", "day", True, ""),
        ("s3", "times", "both", False, ""),
        ("s4", "times", "hour", False, ""),
        ("s4", "heard", "otherwise", False, "anna"),
        ("s5", "heard", "", False, "ana"),
    ],
    columns=["cluster", "slot", "family", "part", "hint"],
)
USERS = pd.DataFrame({"cluster": ["d1", "d1", "d2"], "edited": [True, False, True]})


@pytest.mark.parametrize(
    ("name", "ours", "theirs"),
    [
        ("said_by_relation", (1, 4), (1, 3)),
        ("said_in_one_word", (1, 3), (1, 2)),
        ("said_otherwise", (1, 3), (1, 2)),
        ("day_without_hour", (1, 3), (1, 3)),
        ("hour_without_day", (1, 3), (1, 3)),
        ("part_of_the_day", (0, 3), (1, 3)),
    ],
)
def test_shares_are_counted_alike_on_both_sides(name: str, ours: tuple[int, int], theirs: tuple[int, int]) -> None:
    shares, _ = compared("toy", HINTS, USERS, PUBLIC)
    counts = shares[shares["metric"] == name].set_index("whose")[["numerator", "denominator"]]
    assert tuple(counts.loc[SIMULATED]) == ours
    assert tuple(counts.loc[SLURP]) == theirs
    assert {s.name for s in SHARES.values()} | {"put_right"} == set(shares["metric"])


def test_published_figures_are_compared_without_any_data_of_others() -> None:
    shares, differences = compared("toy", HINTS, USERS)
    published = shares[shares["whose"] == SMCALFLOW].set_index("metric")
    assert published.loc["said_by_relation", "value"] == pytest.approx(200 / 3028)
    assert published.loc["put_right", "value"] == pytest.approx(0.236 / (0.236 + 0.032), abs=0.001)
    assert list(differences["whose"]) == [SMCALFLOW, SMCALFLOW]
    assert differences["value"].tolist() == pytest.approx([1 / 4 - 200 / 3028, 2 / 3 - 629 / 714])
    assert ((differences["low"] <= differences["value"]) & (differences["value"] <= differences["high"])).all()


def test_a_difference_without_data_is_none() -> None:
    _, differences = compared("toy", HINTS[HINTS["kind"] == "time_slot"], USERS, PUBLIC)
    people = differences[differences["title"] == "people called by a relation"]
    assert people["value"].isna().all()
    assert people["ours"].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.01, 0.2, "simulated more often"),
        (-0.2, -0.01, "simulated less often"),
        (-0.1, 0.1, "no difference shown"),
        (None, None, "no data"),
        (float("nan"), float("nan"), "no data"),
    ],
)
def test_verdict(low: float | None, high: float | None, said: str) -> None:
    assert verdict(low, high) == said


def test_hints_and_users_of_the_committed_phones() -> None:
    dataset = open_dataset(ROOT / "datasets" / "quick")
    hints = simulated_hints(dataset)
    assert set(hints["kind"]) == {"contact", "location", "time_slot", "calendar", "app"}
    english = [phone for phone in dataset.phones() if phone.device.locale.startswith("en")]
    assert len(hints) == sum(len(labels.labels) for phone in english for labels in phone.intents)
    users = noticed(read_scenario(ROOT / "datasets" / "scenarios" / "quick.toml"), english)
    assert set(users["cluster"]) <= {phone.device_id for phone in english}
    assert users["edited"].mean() == pytest.approx(0.88, abs=0.04)


def test_families_add_up_within_their_kind() -> None:
    said = families(open_dataset(ROOT / "datasets" / "quick"))
    assert len(said) == sum(map(len, FAMILIES.values()))
    sums = said.groupby("kind")["numerator"].sum()
    assert np.allclose(sums, said.groupby("kind")["denominator"].first())
    assert ((said["low"] <= said["value"]) & (said["value"] <= said["high"])).all()


def test_slurp_says_given_names_and_days(benchmarks_folder: Path) -> None:
    hints = slurp_hints(benchmarks_folder)
    counts = hints["slot"].value_counts()
    annotated = "".join(path.read_text("utf-8") for path in sorted((benchmarks_folder / "slurp").glob("test*.jsonl")))
    assert counts["person"] == annotated.count("[person : ")
    assert counts["relation"] == annotated.count("[relation : ")
    assert counts["heard"] == sum(len(phone.intents) for phone in load("slurp_person", benchmarks_folder).phones())
    times = hints[hints["slot"] == "times"]
    assert set(times["family"]) == {"day", "hour", "both"}
    assert not times["cluster"].duplicated().any()
