from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from starebrain.dataset import Split
from starebrain.errors import InvalidInput
from starebrain.evaluate import output, summarise
from starebrain.evaluate.run import COLUMNS, evaluate
from starebrain.evaluate.sources import Opened
from starebrain.report.metrics import read
from starebrain.resolve import RESOLVERS
from tests.evaluate.toys import Source, phone

SOURCE = Source(
    [
        phone(f"d{at}", ("Ana Ruiz", ("c0",), ("c0",)), ("bob", ("c1",), ("c1", "c2")), split=split)
        for at, split in enumerate([Split.TRAIN, Split.TEST] * 6)
    ]
)
OPENED = Opened(SOURCE, {"a.jsonl": "ab" * 32}, ("a.jsonl: doubtful",))


def written(folder: Path) -> Path:
    frame = evaluate(SOURCE, [RESOLVERS["article"], RESOLVERS["wratio"]])
    output.write(folder, frame, summarise(frame), [OPENED], resolvers=["article", "wratio"])
    return folder


def test_the_same_inputs_give_the_same_bytes(tmp_path: Path) -> None:
    one, other = written(tmp_path / "one"), written(tmp_path / "deep" / "other")
    assert sorted(path.name for path in one.iterdir()) == sorted(output.FILES)
    for name in output.FILES:
        assert (one / name).read_bytes() == (other / name).read_bytes()


def test_answers_read_back_as_they_were(tmp_path: Path) -> None:
    frame = evaluate(SOURCE, [RESOLVERS["article"]])
    output.write(tmp_path / "out", frame, summarise(frame), [OPENED])
    again = pd.read_parquet(tmp_path / "out" / "results.parquet")
    assert tuple(again.columns) == COLUMNS
    pd.testing.assert_frame_equal(summarise(again), summarise(frame))


def test_figures_are_in_the_format_of_a_report(tmp_path: Path) -> None:
    folder = written(tmp_path / "out")
    metrics = read(folder)
    assert metrics.sources == {"toy": OPENED.sha256()}
    assert metrics.better["silent_errors_per_high"] == "lower"
    by_key = {(f.metric, f.resolver): f for f in metrics.figures}
    assert (by_key["high_share", "article"].numerator, by_key["high_share", "article"].denominator) == (12, 24)
    assert by_key["brier", "article"].value is None
    assert "NaN" not in (folder / "metrics.json").read_text()


def test_provenance_says_what_went_in(tmp_path: Path) -> None:
    facts = json.loads((written(tmp_path / "out") / "provenance.json").read_text())
    assert facts["sources"] == {"toy": {"doubts": ["a.jsonl: doubtful"], "files": {"a.jsonl": "ab" * 32}}}
    assert facts["resolvers"] == ["article", "wratio"]
    assert facts["intervals"]["replicates"] == 2000
    assert {"numpy", "rapidfuzz", "starebrain"} <= set(facts["versions"])


def test_another_split_or_file_is_another_input() -> None:
    sums = {OPENED.sha256(), OPENED.sha256("test"), Opened(SOURCE, {"b.jsonl": "ab" * 32}).sha256()}
    assert len(sums) == 3


def test_what_no_evaluation_wrote_is_left_alone(tmp_path: Path) -> None:
    folder = written(tmp_path / "out")
    written(folder)
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(InvalidInput, match=r"out: the folder holds 'notes\.txt', which no evaluation wrote"):
        written(folder)
    assert (folder / "notes.txt").read_text() == "mine"
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InvalidInput, match="file: this is not a folder"):
        written(tmp_path / "file")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "out"]
