from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from starebrain.errors import InvalidInput, MissingData
from starebrain.evaluate.intervals import Estimate
from starebrain.evaluate.sources import Opened
from starebrain.report.metrics import RECORD, Metrics, collect, parsed, read, record
from starebrain.simulate import read_scenario, simulate

ROW = {
    "metric": "high_accuracy",
    "resolver": "article",
    "source": "quick",
    "cut": "",
    "n": 3,
    "clusters": 2,
    "numerator": 2.0,
    "denominator": 3.0,
    "value": 2 / 3,
    "low": 0.0943,
    "high": float("nan"),
}
KEPT = Estimate("high_accuracy", "article", "quick", "", 3, 2, 2, 3, 0.666667, 0.0943, None)
START = '{"format": "starebrain.metrics/1", "better": {}, "sources": {}, "figures": '


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    """A source that is open, whose name is quick."""
    from starebrain.evaluate.sources import open_source

    folder = tmp_path_factory.mktemp("data")
    (folder / "a.toml").write_text('name = "quick"\nseed = 3\ndevices = 1\nlocales = { en_US = 1 }\n')
    simulate(read_scenario(folder / "a.toml"), folder / "quick")
    return open_source(str(folder / "quick"))


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "01_toy.jsonl"
    monkeypatch.setenv(RECORD, str(path))
    return path


def test_what_is_recorded_is_kept_at_six_decimals_in_order_with_the_sums_of_its_sources(
    file: Path, opened: Opened
) -> None:
    record(pd.DataFrame([ROW, {**ROW, "cut": "kind=app"}]), [opened], "test")
    record(pd.DataFrame([{**ROW, "source": "a"}]), [])
    text = collect([file])
    kept = parsed(json.loads(text))
    assert [figure.source + figure.cut for figure in kept.figures] == ["a", "quick", "quickkind=app"]
    assert kept.figures[1] == KEPT
    assert kept.better["high_accuracy"] == "higher"
    assert kept.sources == {"quick": opened.sha256("test")}
    assert [line for line in text.splitlines() if '"quick"' in line and '"cut": ""' in line] == [
        '  {"clusters": 2, "cut": "", "denominator": 3, "high": null, "low": 0.0943, "metric": "high_accuracy", '
        '"n": 3, "numerator": 2, "resolver": "article", "source": "quick", "value": 0.666667},'
    ]
    (file.parent / "metrics.json").write_text(text)
    assert read(file.parent) == kept
    assert parsed(json.loads(collect([]))).figures == ()


def test_a_figure_recorded_twice_is_an_error(file: Path) -> None:
    record(pd.DataFrame([ROW]), [])
    record(pd.DataFrame([ROW]), [])
    with pytest.raises(InvalidInput, match=r"metrics\.json: high_accuracy article quick is recorded twice"):
        collect([file])


def test_one_name_for_two_inputs_is_an_error(file: Path, opened: Opened) -> None:
    record(pd.DataFrame([ROW]), [opened], "test")
    record(pd.DataFrame([{**ROW, "cut": "kind=app"}]), [opened], "train")
    with pytest.raises(InvalidInput, match="quick: two notebooks saw different inputs under this name"):
        collect([file])


def test_a_column_that_is_missing_is_named_with_or_without_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(RECORD, raising=False)
    record(pd.DataFrame([ROW]), [])
    with pytest.raises(InvalidInput, match="the column 'low' is missing"):
        record(pd.DataFrame([ROW]).drop(columns="low"), [])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "this is not JSON"),
        ("[]", "format: this is not a file of the format 'starebrain.metrics/1'"),
        ('{"format": "starebrain.metrics/2"}', "format: this is not"),
        ('{"format": "starebrain.metrics/1"}', "figures: this is not a file of metrics: KeyError"),
        (START + '[{"n": 1}]}', r"figures\[0\]: 'metric' is missing"),
        (START + "[3]}", "figures: this is not a file of metrics"),
    ],
)
def test_what_is_no_file_of_metrics_is_said(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "metrics.json").write_text(text)
    with pytest.raises(InvalidInput, match=f"metrics.json: {said}"):
        read(tmp_path)


def test_a_folder_without_a_report_is_said(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match=r"metrics\.json: there is no report here\. Make one"):
        read(tmp_path)


def test_metrics_are_compared_whatever_wrote_them(opened: Opened) -> None:
    from starebrain.evaluate.output import figures_json

    text = figures_json(pd.DataFrame([ROW]), {"quick": opened.sha256("test")})
    assert parsed(json.loads(text)) == Metrics(json.loads(text)["better"], {"quick": opened.sha256("test")}, (KEPT,))
