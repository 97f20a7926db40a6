"""Time expressions as benchmarks: how they are read, judged, split, and asked of phones."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from starebrain.benchmarks import BENCHMARKS, load, recognizers, time_expressions
from starebrain.benchmarks.moments import Expected, Expression, looked_at
from starebrain.dataset import Split
from starebrain.errors import InvalidInput
from starebrain.evaluate import evaluate
from starebrain.evaluate.times import READERS, counts, judged
from starebrain.resolve import resolver_named

ROWS = [
    {"id": "a", "text": "tomorrow at 3pm", "reference": "2026-11-05T09:30:00", "tz": "naive", "corpus": "made",
     "start": "2026-11-06T15:00:00", "end": None, "grain": "hour", "kind": "point", "alts": [], "category": "clock",
     "bucket": "core"},
    {"id": "b", "text": "Friday", "reference": "2026-11-05T09:30:00", "tz": "-02:00", "corpus": "made",
     "start": "2026-11-06T00:00:00", "end": None, "grain": "day", "kind": "point",
     "alts": [{"start": "2026-10-30T00:00:00", "end": None, "grain": "day"}], "category": "weekday", "bucket": "core"},
    {"id": "c", "text": "banana", "reference": "2026-11-05T09:30:00", "tz": "naive", "corpus": "made", "start": None,
     "end": None, "grain": None, "kind": "none", "alts": [], "category": "negative", "bucket": "neg"},
    {"id": "d", "text": "by 5pm", "reference": "2026-11-05T09:30:00", "tz": "naive", "corpus": "made", "start": None,
     "end": "2026-11-05T17:00:00", "grain": "hour", "kind": "open", "alts": [], "category": "open", "bucket": "open"},
]  # fmt: skip

SPECIFICATION = [
    {"Input": "Ich komme um halb 8", "Context": {"ReferenceDateTime": "2016-11-07T09:00:00"},
     "Results": [{"Text": "halb 8", "TypeName": "datetimeV2.time", "Resolution": {"values": [
         {"timex": "T07:30", "type": "time", "value": "07:30:00"},
         {"timex": "T19:30", "type": "time", "value": "19:30:00"}]}}]},
    {"Input": "bis März 2008", "Context": {"ReferenceDateTime": "2016-11-07T00:00:00"},
     "Results": [{"Text": "bis märz 2008", "TypeName": "datetimeV2.daterange", "Resolution": {"values": [
         {"timex": "2008-03", "Mod": "before", "type": "daterange", "end": "2008-03-01"}]}}]},
    {"Input": "drei Jahre", "Context": {"ReferenceDateTime": "2016-11-07T00:00:00"},
     "Results": [{"Text": "drei jahre", "TypeName": "datetimeV2.duration", "Resolution": {"values": [
         {"timex": "P3Y", "type": "duration", "value": "94608000"}]}}]},
    {"Input": "morgen", "Results": [{"Text": "morgen", "TypeName": "datetimeV2.date"}]},
    {"Input": "29/2/2019", "Context": {"ReferenceDateTime": "2020-03-22T00:00:00"},
     "Results": [{"Text": "29/2/2019", "TypeName": "datetimeV2.date", "Resolution": {"values": [
         {"timex": "2019-02-29", "type": "date", "value": "not resolved"}]}}]},
    {"Input": "vom 12. bis 22.1.2016", "Context": {"ReferenceDateTime": "2016-11-07T00:00:00"},
     "Results": [{"Text": "vom 12. bis 22.1.2016", "TypeName": "datetimeV2.daterange", "Resolution": {"values": [
         {"timex": "x", "type": "daterange", "start": "2016-01-12", "end": "2016-01-22"}]}}]},
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "time").mkdir()
    (tmp_path / "time" / "time_expressions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    (tmp_path / "recognizers").mkdir()
    text = "\ufeff" + json.dumps(SPECIFICATION)
    (tmp_path / "recognizers" / "German.DateTimeModel.json").write_text(text, encoding="utf-8")
    return tmp_path


def test_expressions_are_phones_that_know_the_time(folder: Path) -> None:
    phones = {p.intents[0].intent.intent_id: p for p in load("time", folder).phones()}
    assert sorted(phones) == ["a", "b", "c"]
    assert phones["a"].device.captured_at == datetime(2026, 11, 5, 9, 30, tzinfo=UTC)
    assert phones["b"].device.captured_at.astimezone(phones["b"].device.zone).hour == 9
    friday = phones["b"].intents[0].labels[0]
    assert friday.intended == ("2026-11-06T00:00:00-02:00@day", "2026-10-30T00:00:00-02:00@day")
    assert friday.compatible == friday.intended
    assert phones["c"].intents[0].labels[0].unanswerable


def test_the_half_that_was_looked_at_is_for_training(folder: Path) -> None:
    for phone in load("time", folder).phones():
        hint = phone.intents[0].intent.required_parameters[0].hint
        assert phone.split is (Split.TRAIN if looked_at(hint or "") else Split.TEST)
    assert looked_at(" Tomorrow AT 3pm") == looked_at("tomorrow at 3pm")


def test_there_is_no_variant_without_the_answer(folder: Path) -> None:
    assert BENCHMARKS["time"].variants == ("time",)
    with pytest.raises(InvalidInput, match="no variant"):
        load("time_removed", folder)


def test_a_broken_line_is_named(folder: Path) -> None:
    path = folder / "time" / "time_expressions.jsonl"
    path.write_text(path.read_text() + json.dumps(ROWS[0] | {"reference": "soon"}) + "\n")
    with pytest.raises(InvalidInput, match="line 5"):
        load("time", folder)


def test_specifications_are_read_with_all_their_values(folder: Path) -> None:
    of = recognizers.EXPRESSIONS["recognizers_de"](BENCHMARKS["recognizers_de"].find(folder))
    assert [(e.text, e.kind, e.locale) for e in of] == [
        ("halb 8", "point", "de_DE"),
        ("vom 12. bis 22.1.2016", "interval", "de_DE"),
    ]
    day = datetime(2016, 11, 7)
    assert [e.start for e in of[0].expected] == [
        day.replace(day=8, hour=7, minute=30),
        day.replace(hour=19, minute=30),
        day.replace(hour=7, minute=30),
    ]
    assert of[0].expected[0].grain == "minute"
    assert len(load("recognizers_de", folder).items) == 2


def expression(kind: str, *expected: Expected) -> Expression:
    return Expression("x", "x", datetime(2026, 11, 5), "en_US", kind, expected, "made", "core", "x")


DAY = datetime(2026, 11, 6)


@pytest.mark.parametrize(
    ("expected", "start", "end", "right"),
    [
        (Expected(DAY, None, "day"), DAY.replace(hour=5), None, True),
        (Expected(DAY, None, "hour"), DAY.replace(hour=5), None, False),
        (Expected(DAY, None, "month"), DAY.replace(day=20), None, True),
        (Expected(DAY, DAY + timedelta(3), "day"), DAY, DAY + timedelta(4), True),
        (Expected(DAY, DAY + timedelta(3), "day"), DAY, DAY + timedelta(5), False),
        (Expected(DAY, DAY + timedelta(3), "day"), DAY, None, True),
        (Expected(None, DAY, "hour"), DAY, DAY, False),
        (Expected(DAY, DAY + timedelta(3), "day"), DAY, DAY - timedelta(4), False),
        (Expected(DAY, None, None), DAY.replace(second=5), None, True),
    ],
)
def test_how_answers_are_judged(expected: Expected, start: datetime, end: datetime | None, right: bool) -> None:
    assert expression("point", expected).is_right(start, end) is right
    assert not expression("none", expected).is_right(start, end)


def test_an_evaluation_judges_by_the_same_rule(folder: Path) -> None:
    """`starebrain evaluate time` and the table of readers say the same of every expression."""
    asked = time_expressions.expressions(BENCHMARKS["time"].find(folder))
    rows = evaluate(load("time", folder), [resolver_named("evidence")]).set_index("intent_id")
    beside = judged(asked).set_index("expression_id").drop(index="d")  # has no start, so it is no hint to evaluate
    assert rows["right"].loc[beside.index].tolist() == beside["right"].tolist() == [True, True, False]
    assert rows["tier"].loc["a"] == beside["tier"].loc["a"] == "HIGH"


def test_judging_agrees_with_the_published_program(benchmarks_folder: Path, tmp_path: Path) -> None:
    """On a sample: the figures of `score.py` for our rules' answers, and ours."""
    data = benchmarks_folder / "time" / "time_expressions.jsonl"
    asked = time_expressions.expressions(BENCHMARKS["time"].find(benchmarks_folder))[::12]
    lines = {json.loads(line)["id"]: line for line in data.read_text().splitlines()}
    (tmp_path / "rows.jsonl").write_text("".join(lines[e.expression_id] + "\n" for e in asked))
    with (tmp_path / "answers.jsonl").open("w") as out:
        for e in asked:
            answer = READERS["rules"](e)
            if answer is not None:
                start, end = answer[0].isoformat(), None if answer[1] is None else answer[1].isoformat()
                out.write(json.dumps({"id": e.expression_id, "start": start, "end": end, "tier": "MEDIUM"}) + "\n")
    program = [sys.executable, data.parent / "score.py", tmp_path / "rows.jsonl", tmp_path / "answers.jsonl"]
    printed = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    row = (
        counts(judged(asked, ("rules",)), ("reader", "bucket"))
        .set_index(["tier", "bucket"])
        .loc[("MEDIUM or better", "core")]
    )
    assert f"all core: right {row['right']}, wrong {row['wrong']}, none {row['none']} of {row['n']}" in printed
