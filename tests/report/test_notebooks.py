from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_output

from starebrain.errors import InvalidInput, StarebrainError
from starebrain.report.notebooks import Run, check_parameters, declared, execute, normalised
from tests.report.toys import notebook, written

PARAMETERS = '# parameters\ndataset = "../datasets/quick"\nseed = 1  # of resampling\nbenchmarks = False'


def run(*runs: Run) -> list[tuple[str, int, int]]:
    told: list[tuple[str, int, int]] = []
    execute(runs, jobs=2, tell=lambda *step: told.append(step))
    return told


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder whose name papermill takes for a template."""
    folder = tmp_path / "a {seed} b"
    folder.mkdir()
    return folder


def test_the_names_of_the_parameters_cell_are_declared(folder: Path) -> None:
    assert declared(written(folder / "a.ipynb", "#md # A", PARAMETERS)) == ("dataset", "seed", "benchmarks")
    assert declared(written(folder / "b.ipynb", "x = 1")) == ()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sed", "a.ipynb: there is no parameter 'sed'. Did you mean 'seed'? It takes dataset, seed, benchmarks."),
        ("Dataset", "Did you mean 'dataset'?"),
        ("bench", "Did you mean 'benchmarks'?"),
        ("zzz", "It takes dataset, seed, benchmarks."),
    ],
)
def test_an_unknown_parameter_is_an_error_that_names_the_nearest(folder: Path, name: str, said: str) -> None:
    path = written(folder / "a.ipynb", PARAMETERS)
    with pytest.raises(InvalidInput) as caught:
        check_parameters(path, {"seed": 2, name: 1})
    assert said in str(caught.value)


def test_a_notebook_without_parameters_takes_none(folder: Path) -> None:
    with pytest.raises(InvalidInput, match=r"'seed'\. It takes no parameters"):
        check_parameters(written(folder / "a.ipynb", "x = 1"), {"seed": 1})


@pytest.mark.parametrize("content", [None, b"", b"{}", b"[1, 2]", b"\xff\xfe\x00", b'{"cells": 3, "metadata": {}}'])
def test_what_is_no_notebook_is_said(folder: Path, content: bytes | None) -> None:
    if content is not None:
        (folder / "a.ipynb").write_bytes(content)
    with pytest.raises(InvalidInput, match=r"a\.ipynb"):
        declared(folder / "a.ipynb")


def test_notebooks_run_side_by_side_where_they_lie_and_repeat_to_the_byte(folder: Path) -> None:
    first = written(
        folder / "a.ipynb",
        "#md # A",
        PARAMETERS,
        "import os, time\nfor i in range(3):\n    print(i, flush=True)\n    time.sleep(0.05)",
        'print(dataset, seed, benchmarks, os.path.basename(os.getcwd()), os.environ["GIVEN"])',
        "{'a': 1}",
    )
    second = written(folder / "b.ipynb", "print(2)")
    given = {"GIVEN": "yes"}
    runs = [Run(first, {"seed": 7, "dataset": 'é "\\ \n'}, folder / "a.out", given), Run(second, {}, folder / "b.out")]
    told = run(*runs)
    assert {step for step in told if step[0] == "a.ipynb"} == {("a.ipynb", done, 6) for done in range(1, 7)}
    assert ("b.ipynb", 1, 1) in told
    before = (folder / "a.out").read_bytes()
    executed = nbformat.read(folder / "a.out", as_version=4)
    nbformat.validate(executed)
    assert [cell.outputs[0].text for cell in executed.cells[3:5]] == [
        "0\n1\n2\n",
        'é "\\ \n 7 False a {seed} b yes\n',
    ]
    assert executed.cells[2].metadata.tags == ["injected-parameters"]
    run(*runs)
    assert (folder / "a.out").read_bytes() == before


def test_a_cell_that_raises_is_named_with_its_words_and_others_still_run(folder: Path) -> None:
    fails = written(
        folder / "a.ipynb", "#md # A", PARAMETERS, "x = 1\nraise ValueError(f'no \\x1b[31mluck\\n with {x}')"
    )
    works = written(folder / "b.ipynb", "print(2)")
    dies = written(folder / "c.ipynb", "import os; os._exit(3)")
    with pytest.raises(StarebrainError) as caught:
        run(
            Run(fails, {"seed": 2}, folder / "a.out"),
            Run(works, {}, folder / "b.out"),
            Run(dies, {}, folder / "c.out"),
        )
    assert str(caught.value) == (
        "a.ipynb: cell 3 (x = 1): ValueError: no luck with 1. c.ipynb failed as well. "
        "Run it in JupyterLab (make lab) to see more."
    )
    assert sorted(path.name for path in folder.glob("*.out")) == ["b.out"]


def test_nothing_runs_where_any_parameter_is_unknown(folder: Path) -> None:
    path = written(folder / "a.ipynb", PARAMETERS, f"open({str(folder / 'ran')!r}, 'w')")
    with pytest.raises(InvalidInput):
        run(Run(path, {"seed": 1}, folder / "a.out"), Run(path, {"sead": 1}, folder / "b.out"))
    assert not (folder / "ran").exists()


def test_a_normalised_notebook_keeps_what_was_computed_and_no_trace_of_when_or_where() -> None:
    executed: Any = notebook("#md # A", "# parameters\nx = 1", "x")
    executed.metadata["papermill"] = {"start_time": "2026-11-30T10:00:00", "output_path": "/tmp/x"}
    executed.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {"a9": {}}}}
    for cell in executed.cells:
        cell.metadata["papermill"] = {"duration": 0.1}
        cell.metadata["execution"] = {"iopub.execute_input": "2026-11-30T10:00:01"}
    widget = {"application/vnd.jupyter.widget-view+json": {"model_id": "a9"}, "text/plain": "HBox(children=(…"}
    executed.cells[2].outputs = [new_output("display_data", data=dict(widget))]
    clean = normalised(executed)
    assert clean.cells[2].outputs[0].data == {"text/plain": "Here is a widget that answers in JupyterLab (make lab)."}
    assert executed.cells[2].outputs[0].data == widget
    assert [cell.id for cell in clean.cells] == ["cell-1", "cell-2", "cell-3"]
    assert [dict(cell.metadata) for cell in clean.cells] == [{}, {"tags": ["parameters"]}, {}]
    assert set(clean.metadata) == {"kernelspec", "language_info"}
    assert [cell.source for cell in clean.cells] == [cell.source for cell in executed.cells]
    assert "papermill" in executed.metadata
