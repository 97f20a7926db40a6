from __future__ import annotations

from pathlib import Path

import pytest

from starebrain.benchmarks import BENCHMARKS, VARIABLE
from starebrain.report.outside import outside


def test_nothing_is_opened_unless_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "nowhere")
    opened, about = outside(wanted=False)
    assert opened == []
    assert {row[-1] for row in about.rows} == {"not asked for: `starebrain report --profile full` shows it"}


def test_what_is_not_here_is_said_with_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    opened, about = outside(wanted=True)
    assert opened == []
    assert [row[0] for row in about.rows] == list(BENCHMARKS)
    assert all(f"Set {VARIABLE} to a folder" in row[-1] for row in about.rows)
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    for name, *_, state in outside(wanted=True)[1].rows:
        assert f"is not here. Get {BENCHMARKS[name].path}" in state
        assert BENCHMARKS[name].repository in state


def test_what_is_here_is_opened_as_it_is_and_without_the_right_answer(
    benchmarks_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(benchmarks_folder))
    opened, _ = outside(wanted=True)
    names = [one.source.name for one in opened]
    assert names == [each for name, of in BENCHMARKS.items() if name in names for each in of.variants]
    assert {"slurp_person", "slurp_person_removed"} <= set(names)
