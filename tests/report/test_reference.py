"""The committed reference run: that reviewers can read it, and that it is of what is committed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat
import pytest

from starebrain.evaluate.sources import open_source
from starebrain.report.build import ROOT, WRITTEN
from starebrain.report.metrics import read
from starebrain.report.profiles import NOTEBOOKS, PROFILES
from starebrain.report.site import addresses

FOLDER = ROOT / "reports" / "reference"
FILES = sorted(FOLDER.iterdir()) if FOLDER.is_dir() else []


def test_it_is_whole_and_small() -> None:
    names = {path.name for path in FILES}
    assert {"index.html", "metrics.json", "provenance.json"} <= names
    assert {f"{notebook.name}.{suffix}" for notebook in NOTEBOOKS for suffix in ("html", "ipynb")} <= names
    assert all(WRITTEN.fullmatch(name) for name in names)
    assert sum(path.stat().st_size for path in FILES) < 5_000_000


def test_it_is_the_quick_profile_on_the_committed_dataset() -> None:
    opened = open_source(str(ROOT / PROFILES["quick"].dataset))
    sources = read(FOLDER).sources
    assert sources[opened.source.name] == opened.sha256("test"), "`make reference` renews it"
    assert sources.keys() <= {opened.source.name, "habits", "lives", "busy lives"}
    assert json.loads((FOLDER / "provenance.json").read_text())["profile"] == "quick"


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".html"], ids=lambda path: path.name)
def test_its_pages_ask_for_nothing(path: Path) -> None:
    assert addresses(path.read_text("utf-8")) == []


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".ipynb"], ids=lambda path: path.name)
def test_its_notebooks_are_run_without_a_complaint_and_say_nothing_of_the_machine(path: Path) -> None:
    executed = nbformat.read(path, as_version=4)
    outputs = [output for cell in executed.cells for output in cell.get("outputs", ())]
    assert outputs
    assert [output.text for output in outputs if output.get("name") == "stderr"] == []
    assert re.findall(r"/(?:home|root|tmp|Users)/\S*", path.read_text("utf-8")) == []
    for cell in (cell for cell in executed.cells if cell.cell_type == "code"):
        assert cell.execution_count is not None


def test_its_pictures_are_said_in_words() -> None:
    for notebook in NOTEBOOKS:
        for cell in nbformat.read(FOLDER / f"{notebook.name}.ipynb", as_version=4).cells:
            for output in cell.get("outputs", ()):
                if "image/png" in output.get("data", {}):
                    assert len(output.metadata["image/png"]["alt"]) > 40
