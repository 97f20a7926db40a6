"""Make a report: run the notebooks, keep their figures, render the pages, put the whole in place at the end."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

import starebrain
from starebrain.dataset import Dataset, open_dataset
from starebrain.errors import InvalidInput, MissingData
from starebrain.formats import write_text
from starebrain.report import check, index, metrics, provenance, site
from starebrain.report.notebooks import Run, Tell, execute
from starebrain.report.profiles import NOTEBOOKS, Notebook, Profile

ROOT = Path(starebrain.__file__).resolve().parent.parent
"""The checkout that the package is run from; notebooks and committed datasets lie there, not in the package."""
BENCHMARKS = "STAREBRAIN_BENCHMARKS"
DATA = "data"
"""Folder of a report with the dataset that was simulated for it."""
WRITTEN = re.compile(r"(index|\d\d_\w+)\.html|\d\d_\w+\.ipynb|(metrics|provenance)\.json|data|\.ipynb_checkpoints")
"""What a report's folder may hold; a folder with anything else is not replaced."""


@dataclass(frozen=True, slots=True)
class Report:
    """A finished report: its index page, and how it compares with a reference where one was given."""

    index: Path
    comparison: check.Comparison | None


def build(
    out: Path,
    profile: Profile,
    *,
    notebooks: Path | None = None,
    against: Path | None = None,
    jobs: int = 2,
    tell: Tell = lambda name, done, steps: None,
    table: Sequence[Notebook] = NOTEBOOKS,
) -> Report:
    """Make the report of `profile` in the folder `out`, which is replaced at the end or left as it was.

    `notebooks` is the folder of notebooks, that of the checkout where it is None; paths of the profile are relative to
    its parent. `against` is a report to compare with, read before anything is written. `tell(name, done, steps)` is
    called as work proceeds. Raises `InvalidInput` where `out` holds anything that no report wrote.
    """
    folder = _notebooks(notebooks, table)
    reference = None if against is None else metrics.read(against)
    out = _target(out)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as neighbour:
        whole, records = Path(neighbour) / "whole", Path(neighbour) / "records"
        whole.mkdir()
        records.mkdir()
        dataset = _dataset(folder.parent / profile.dataset, whole / DATA, tell)
        values = {"dataset": _from(folder, dataset.path), "benchmarks": profile.benchmarks}
        execute([_run(notebook, folder, values, whole, records) for notebook in table], jobs=jobs, tell=tell)
        pages = []
        for notebook in table:
            path = whole / f"{notebook.name}.ipynb"
            # A dataset that was simulated for the report will be where the report is going to be.
            write_text(path, path.read_text("utf-8").replace(_from(folder, whole), _from(folder, out)))
            pages.append(site.notebook_page(notebook.name, nbformat.read(path, as_version=4)))
        text = metrics.collect(sorted(records.iterdir()))
        write_text(whole / metrics.FILE, text)
        report = metrics.parsed(json.loads(text))
        facts = provenance.facts(profile, dataset, ROOT, report.sources)
        write_text(whole / "provenance.json", json.dumps(facts, indent=1, sort_keys=True) + "\n")
        for name, html in [("index", index.page(pages, report, facts)), *((p.name, p.html) for p in pages)]:
            if asked := site.addresses(html):
                raise InvalidInput(f"the page would ask for {asked[0]!r}", file=f"{name}.html")
            write_text(whole / f"{name}.html", html)
        if out.exists():
            os.replace(out, Path(neighbour) / "old")
        os.replace(whole, out)
    return Report(out / "index.html", None if reference is None else check.compare(reference, report))


def _notebooks(given: Path | None, table: Sequence[Notebook]) -> Path:
    """The folder of notebooks; `MissingData` where it or one of them is not there."""
    folder = (given or ROOT / "notebooks").resolve()
    for path in (folder, *(folder / f"{notebook.name}.ipynb" for notebook in table)):
        if not path.exists():
            remedy = "Name the folder with --notebooks: an installed package does not carry it, the source does."
            raise MissingData("the notebooks of the report are not here", file=path, remedy=remedy)
    return folder


def _target(out: Path) -> Path:
    """`out` as an absolute path, its parent made; `InvalidInput` where it holds what no report wrote."""
    out = out.resolve()
    if out.exists() and not out.is_dir():
        raise InvalidInput("this is a file, and a report is a folder", file=out, remedy="Choose another name.")
    there = sorted(path.name for path in out.glob("*"))
    strange = next((name for name in there if not WRITTEN.fullmatch(name)), None)
    if strange is None and there and metrics.FILE not in there:
        strange = there[0]
    if strange is not None:
        remedy = "Choose another folder, or move that file away: the folder is replaced whole."
        raise InvalidInput(f"the folder holds {strange!r}, which no report wrote", file=out, remedy=remedy)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryDirectory(dir=out.parent).cleanup()  # told now, not when every notebook has run
    except OSError as error:
        raise InvalidInput(f"the folder cannot be made ({error.strerror})", file=out) from None
    return out


def _dataset(path: Path, simulated: Path, tell: Tell) -> Dataset:
    """The dataset of a profile, simulated into the report where the profile names a scenario."""
    if path.suffix != ".toml":
        return open_dataset(path)
    from starebrain.simulate import read_scenario, simulate

    scenario = read_scenario(path)
    simulate(scenario, simulated, progress=lambda done: tell("simulation", done, scenario.devices))
    return open_dataset(simulated)


def _run(notebook: Notebook, folder: Path, values: Mapping[str, Any], whole: Path, records: Path) -> Run:
    """How one notebook of the table is run."""
    environment = {metrics.RECORD: str(records / f"{notebook.name}.jsonl")}
    if benchmarks := os.environ.get(BENCHMARKS):
        environment[BENCHMARKS] = str(Path(benchmarks).resolve())
    file = f"{notebook.name}.ipynb"
    return Run(folder / file, {name: values[name] for name in notebook.parameters}, whole / file, environment)


def _from(folder: Path, path: Path) -> str:
    """`path` as it is named from `folder`, so that no page depends on where the checkout lies."""
    return Path(os.path.relpath(path, folder)).as_posix()
