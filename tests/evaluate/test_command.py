from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from starebrain.benchmarks import VARIABLE
from starebrain.cli import CUTS, SPLITS, main
from starebrain.dataset import Split
from starebrain.evaluate import summary
from tests.benchmarks_data import toys

COMMITTED = Path(__file__).resolve().parents[2] / "datasets" / "quick"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with toy benchmark data, named by the variable."""
    toys.slurp(tmp_path)
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


def test_a_benchmark_runs_plain_and_with_the_answer_removed(here: Path) -> None:
    done = run(
        "benchmark", "run", "slurp_person", "--resolver", "article", "--resolver", "wratio", "--out", here / "out"
    )
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    titles = ("slurp_person", "slurp_person_removed")
    assert [line for line in lines if line in titles] == list(titles)
    assert max(len(line) for line in lines if not line.startswith("doubt: ")) <= 100 + len(str(here))
    assert "doubt: test_toy.jsonl" in done.output
    assert "HIGH                        75.0% (19.4-99.4) /4" in done.output
    assert "slurp_person: difference to article" in lines
    assert "right at HIGH or MEDIUM, one parameter a cluster, McNemar's test" in lines
    assert "  slurp_person: only article 0, only wratio 0, no difference" in lines
    answers = pd.read_parquet(here / "out" / "results.parquet")
    assert sorted(set(zip(answers["source"], answers["resolver"], strict=True))) == [
        (source, resolver) for source in ("slurp_person", "slurp_person_removed") for resolver in ("article", "wratio")
    ]
    facts = json.loads((here / "out" / "provenance.json").read_text())
    assert facts["resolvers"] == ["article", "wratio"]
    assert set(facts["sources"]["slurp_person"]["files"]) == {
        "test_toy.jsonl",
        "multi_slurp_hermit_predictions_toy.jsonl",
    }


def test_benchmarks_are_listed_and_shown(here: Path) -> None:
    assert "slurp_place     here" in run("benchmark", "list").output
    shown = run("benchmark", "show", "slurp_person")
    assert shown.exit_code == 0
    assert "4 hints in 3 clusters, asked of 3 phones" in shown.output


def test_without_the_data_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert run("benchmark", "list").exit_code == 0
    assert run("benchmark", "show", "ancestry").exit_code == 0
    done = run("evaluate", "ancestry")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"starebrain: {VARIABLE}: no folder of benchmark data is named")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    done = run("benchmark", "run", "sgd_venues")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "Get train/dialogues_*.json" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["evaluate", "nowhere"],
            "nowhere: there is no such dataset or benchmark. Name a folder, or one of slurp_person",
        ),
        (["evaluate", "slurp_person", "--resolver", "magic"], "there is no resolver 'magic'"),
        (["evaluate", "slurp_person", "--resolver", "article", "--heuristics", "x.toml"], "no resolver takes these"),
        (["benchmark", "run", "nothing"], "there is no benchmark 'nothing'"),
        (["benchmark", "run", "slurp_person_removed"], "there is no benchmark 'slurp_person_removed'"),
        (["evaluate", "time_removed"], "time has no variant without the right answer"),
        (["evaluate", "slurp_place", "--split", "calibration"], "there is no parameter in the split calibration"),
    ],
)
@pytest.mark.usefixtures("here")
def test_what_cannot_be_measured_is_said_in_a_line(arguments: list[str], said: str) -> None:
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_folder_that_is_not_ours_is_not_replaced(here: Path) -> None:
    (here / "out").mkdir()
    (here / "out" / "mine").write_text("mine")
    done = run("evaluate", "slurp_person", "--resolver", "article", "--out", here / "out")
    assert done.exit_code == 2
    assert "holds 'mine', which no evaluation wrote" in done.stderr
    assert [path.name for path in (here / "out").iterdir()] == ["mine"]


def test_the_committed_dataset_is_measured_by_kind() -> None:
    if not COMMITTED.is_dir():
        pytest.skip("there is no committed dataset here")
    done = run(
        "evaluate", COMMITTED, "--split", "test", "--resolver", "article", "--resolver", "ask_all", "--by", "kind"
    )
    assert done.exit_code == 0, done.output
    assert {"quick kind=contact", "quick kind=location", "quick kind=time_slot"} <= set(done.output.splitlines())
    assert max(map(len, done.output.splitlines())) <= 100


def test_options_name_what_there_is() -> None:
    assert tuple(split.value for split in Split) == SPLITS
    assert summary.CUTS == CUTS
