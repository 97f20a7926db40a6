from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import nbformat
import pytest
from bs4 import BeautifulSoup

from starebrain.errors import InvalidInput, MissingData, StarebrainError
from starebrain.report import provenance
from starebrain.report.build import ROOT, Report, build
from starebrain.report.notebooks import check_parameters
from starebrain.report.profiles import NOTEBOOKS, PROFILES, Notebook, Profile
from starebrain.report.site import addresses
from tests.report.toys import HOSTILE, written

PARAMETERS = '# parameters\ndataset = "../datasets/tiny"\nbenchmarks = False'
LOOK = f"""from starebrain.evaluate.sources import open_source
from starebrain.report.shown import table
import os
opened = open_source(dataset)
phones = list(opened.source.phones())
print(dataset, len(phones), benchmarks, os.environ.get("STAREBRAIN_BENCHMARKS"))
table({HOSTILE[0]!r}, ["phone"], [[phone.device_id] for phone in phones])"""
RECORD = """import pandas as pd
from starebrain.report.metrics import record
row = dict(resolver="article", source=opened.source.name, n=3, clusters=2, numerator=2, denominator=3)
row |= dict(value=2 / 3, low=0.1, high=0.9)
rows = [{**row, "metric": "high_accuracy", "cut": ""}, {**row, "metric": "ours", "cut": "kind=app"}]
record(pd.DataFrame(rows), [opened])"""
TABLE = (Notebook("01_toy", ("dataset", "benchmarks")), Notebook("02_toy", ()))
PROFILE = Profile("quick", "a tiny dataset", "scenarios/tiny.toml", False)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with notebooks and a scenario, as a checkout has."""
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "tiny.toml").write_text('name = "tiny"\nseed = 3\ndevices = 2\nlocales = { en_US = 1 }\n')
    written(tmp_path / "notebooks" / "01_toy.ipynb", "#md # Can it?", PARAMETERS, LOOK, RECORD)
    written(tmp_path / "notebooks" / "02_toy.ipynb", "#md # And this?", "# parameters\nx = 1", "x")
    return tmp_path


def make(checkout: Path, **options: Any) -> Report:
    out, notebooks = checkout / "reports" / "latest", checkout / "notebooks"
    return build(out, PROFILE, notebooks=notebooks, table=TABLE, **options)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_report_has_pages_notebooks_figures_and_provenance_and_repeats_until_a_notebook_fails(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(checkout / "scenarios")
    monkeypatch.setenv("STAREBRAIN_BENCHMARKS", "../out side")
    told: list[tuple[str, int, int]] = []
    out = make(checkout, tell=lambda *step: told.append(step)).index.parent
    assert out == checkout / "reports" / "latest"
    made = contents(out)
    assert {name for name in made if not name.startswith("data/")} == {
        "01_toy.html",
        "01_toy.ipynb",
        "02_toy.html",
        "02_toy.ipynb",
        "index.html",
        "metrics.json",
        "provenance.json",
    }
    assert "data/dataset.json" in made
    assert ("simulation", 2, 2) in told
    assert ("01_toy.ipynb", 5, 5) in told
    printed = nbformat.read(out / "01_toy.ipynb", as_version=4).cells[3].outputs[0].text
    assert printed == f"../reports/latest/data 2 False {checkout / 'out side'}\n"
    for page in ("index.html", "01_toy.html", "02_toy.html"):
        assert addresses(made[page].decode()) == []
    index = BeautifulSoup(made["index.html"], "html.parser")
    assert [heading.a.text for heading in index.find_all("h3")] == ["Can it?", "And this?"]
    assert [cell.text for cell in index.find("table").find_all(["th", "td"])][-2:] == [
        "article",
        "66.7%\N{NO-BREAK SPACE}(10–90%), n\N{NO-BREAK SPACE}3",
    ]
    figures = json.loads(made["metrics.json"])
    assert figures["better"]["high_accuracy"] == "higher"
    assert list(figures["sources"]) == ["tiny"]
    assert len(figures["figures"]) == 2
    facts = json.loads(made["provenance.json"])
    assert facts["sources"] == figures["sources"]
    assert (facts["profile"], facts["dataset"]["seed"], facts["commit"]) == ("quick", 3, provenance.commit(ROOT))

    comparison = make(checkout, against=out).comparison
    assert comparison is not None
    assert (comparison.passed, comparison.compared, comparison.better) == (True, 2, ())
    assert contents(out) == made

    written(checkout / "notebooks" / "02_toy.ipynb", "#md # And this?", "# parameters\nx = 1", "1 / 0")
    with pytest.raises(StarebrainError, match=r"02_toy\.ipynb: cell 3 \(1 / 0\): ZeroDivisionError: division by zero"):
        make(checkout)
    assert contents(out) == made
    assert [path.name for path in (checkout / "reports").iterdir()] == ["latest"]


def test_a_reference_that_is_not_there_is_said_before_anything_is_written(checkout: Path) -> None:
    with pytest.raises(MissingData, match="there is no report here"):
        make(checkout, against=checkout / "reports" / "latest")
    assert not (checkout / "reports").exists()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("notes.md", "the folder holds 'notes.md', which no report wrote"),
        (".git", "the folder holds '.git', which no report wrote"),
    ],
)
def test_a_folder_with_anything_else_is_not_replaced(checkout: Path, name: str, said: str) -> None:
    out = checkout / "reports" / "latest"
    (out / name).mkdir(parents=True)
    with pytest.raises(InvalidInput, match=said):
        make(checkout)
    assert (out / name).exists()


def test_a_file_is_no_folder_for_a_report(checkout: Path) -> None:
    (checkout / "reports").mkdir()
    (checkout / "reports" / "latest").write_text("mine")
    with pytest.raises(InvalidInput, match="this is a file, and a report is a folder"):
        make(checkout)
    assert (checkout / "reports" / "latest").read_text() == "mine"


def test_notebooks_that_are_not_there_are_said_with_the_remedy(checkout: Path) -> None:
    (checkout / "notebooks" / "02_toy.ipynb").unlink()
    with pytest.raises(MissingData, match=r"02_toy\.ipynb: the notebooks of the report are not here\. Name the folder"):
        make(checkout)


def test_the_notebooks_of_the_checkout_are_those_of_the_table_and_take_what_it_gives() -> None:
    folder = ROOT / "notebooks"
    assert sorted(path.stem for path in folder.glob("*.ipynb")) == [notebook.name for notebook in NOTEBOOKS]
    for notebook in NOTEBOOKS:
        check_parameters(folder / f"{notebook.name}.ipynb", dict.fromkeys(notebook.parameters))
    for profile in PROFILES.values():
        assert (ROOT / profile.dataset).exists()


def test_the_commit_is_that_of_the_checkout_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*arguments: str) -> None:
        name = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *name, *arguments], cwd=tmp_path, check=True, capture_output=True)

    assert provenance.commit(tmp_path) == provenance.NO_CHECKOUT
    git("init", "-q")
    assert provenance.commit(tmp_path) == provenance.NO_CHECKOUT
    (tmp_path / "a").write_text("1")
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "b").write_text("1")
    git("add", ".")
    git("commit", "-qm", "a")
    head = provenance.commit(tmp_path)
    assert len(head) == 40
    (tmp_path / "reports" / "b").write_text("2")
    assert provenance.commit(tmp_path) == head
    (tmp_path / "a").write_text("2")
    assert provenance.commit(tmp_path) == f"{head} with changes"
    (tmp_path / "inside").mkdir()
    assert provenance.commit(tmp_path / "inside") == provenance.NO_CHECKOUT
    monkeypatch.setenv("PATH", os.devnull)
    assert provenance.commit(tmp_path) == provenance.NO_CHECKOUT
