from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from starebrain.errors import InvalidInput, MissingData
from starebrain.report.metrics import RECORD, Figure, Metrics, collect, read, record, write

ROW = {
    "metric": "right",
    "resolver": "article",
    "source": "quick",
    "cut": "",
    "n": 3,
    "numerator": 2.0,
    "denominator": 3.0,
    "value": 2 / 3,
    "low": 0.0943,
    "high": float("nan"),
}
KEPT = Figure("right", "article", "quick", "", 3, 2, 3, 0.666667, 0.0943, None)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "01_toy.jsonl"
    monkeypatch.setenv(RECORD, str(path))
    return path


def test_what_is_recorded_is_kept_at_six_decimals_in_order(file: Path) -> None:
    record(pd.DataFrame([ROW, {**ROW, "cut": "kind=app"}]))
    record(pd.DataFrame([{**ROW, "source": "a"}]))
    kept = collect([file], {"right": "higher", "unused": "lower"}, {"quick": "ab", "unused": "cd"})
    assert [figure.key[0] + figure.cut for figure in kept.figures] == ["a", "quick", "quickkind=app"]
    assert kept.figures[1] == KEPT
    assert (kept.better, kept.sources) == ({"right": "higher"}, {"quick": "ab"})
    assert collect([file], {}, {}).better == {"right": "neither"}
    assert collect([], {}, {}) == Metrics({}, {}, ())


def test_a_figure_recorded_twice_is_an_error(file: Path) -> None:
    record(pd.DataFrame([ROW, ROW]))
    with pytest.raises(InvalidInput, match="01_toy: quick right article is recorded twice"):
        collect([file], {}, {})


def test_a_column_that_is_missing_is_named_with_or_without_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(RECORD, raising=False)
    record(pd.DataFrame([ROW]))
    with pytest.raises(InvalidInput, match="estimate 1: 'low' is missing"):
        record(pd.DataFrame([ROW]).drop(columns="low"))


def test_the_file_has_sorted_keys_one_figure_a_line_and_reads_back(tmp_path: Path) -> None:
    metrics = Metrics({"right": "higher"}, {"quick": "ab"}, (KEPT, KEPT.__class__("z", "é", "s", "c", 0, *[None] * 5)))
    write(metrics, tmp_path)
    text = (tmp_path / "metrics.json").read_text()
    assert read(tmp_path) == metrics
    assert json.loads(text)["format"] == "starebrain.metrics/1"
    assert [line for line in text.splitlines() if "article" in line] == [
        '  {"cut": "", "denominator": 3, "high": null, "low": 0.0943, "metric": "right", "n": 3, "numerator": 2, '
        '"resolver": "article", "source": "quick", "value": 0.666667},'
    ]
    write(Metrics({}, {}, ()), tmp_path)
    assert read(tmp_path) == Metrics({}, {}, ())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "this is not JSON"),
        ("[]", "format: this is not a file of the format 'starebrain.metrics/1'"),
        ('{"format": "starebrain.metrics/2"}', "format: this is not"),
        ('{"format": "starebrain.metrics/1"}', "this is not a file of metrics: KeyError"),
        (
            '{"format": "starebrain.metrics/1", "better": {}, "sources": {}, "figures": [{"n": 1}]}',
            r"figures\[0\]: 'metric' is",
        ),
        ('{"format": "starebrain.metrics/1", "better": {}, "sources": {}, "figures": [3]}', "this is not a file of"),
    ],
)
def test_what_is_no_file_of_metrics_is_said(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "metrics.json").write_text(text)
    with pytest.raises(InvalidInput, match=f"metrics.json: {said}"):
        read(tmp_path)


def test_a_folder_without_a_report_is_said(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match=r"metrics\.json: there is no report here\. Make one"):
        read(tmp_path)
