from __future__ import annotations

from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

from starebrain.errors import InvalidInput
from starebrain.evaluate import METRICS, summarise
from starebrain.evaluate.intervals import Estimate
from starebrain.evaluate.summary import cut_name
from tests.evaluate.toys import answers

TWO = [METRICS[name] for name in ("high_share", "high_accuracy")]

FRAME = answers(
    {"kind": "contact", "script": "latin"},
    {"kind": "contact", "script": "latin", "right": False},
    {"kind": "app", "script": "latin", "tier": "LOW"},
    {"kind": "app", "script": "none"},
    {"kind": "contact", "resolver": "q", "tier": "MEDIUM"},
    {"kind": "contact", "source": "a", "tier": "MEDIUM"},
)


def lines(estimates: pd.DataFrame) -> list[tuple]:
    names = ["source", "cut", "metric", "resolver", "numerator", "denominator"]
    return [tuple(row) for row in estimates[names].itertuples(index=False)]


def test_without_a_cut_there_is_one_figure_a_source_metric_and_resolver() -> None:
    got = summarise(FRAME, metrics=TWO)
    assert list(got.columns) == [field.name for field in fields(Estimate)]
    assert lines(got) == [
        ("s", "", "high_share", "r", 3, 4),
        ("s", "", "high_share", "q", 0, 1),
        ("s", "", "high_accuracy", "r", 2, 3),
        ("s", "", "high_accuracy", "q", 0, 0),
        ("a", "", "high_share", "r", 0, 1),
        ("a", "", "high_accuracy", "r", 0, 0),
    ]
    assert np.isnan(got.loc[3, "value"])


def test_cuts_are_sorted_and_name_their_columns() -> None:
    got = summarise(FRAME[FRAME["source"] == "s"], ("kind", "script"), TWO[:1])
    assert lines(got) == [
        ("s", "kind=app, script=latin", "high_share", "r", 0, 1),
        ("s", "kind=app, script=none", "high_share", "r", 1, 1),
        ("s", "kind=contact, script=latin", "high_share", "r", 2, 2),
        ("s", "kind=contact, script=latin", "high_share", "q", 0, 1),
    ]
    assert list(got["kind"]) == ["app", "app", "contact", "contact"]
    assert cut_name({}) == ""


def test_things_an_intent_are_counted_over_the_intents_of_the_cut() -> None:
    frame = answers(
        {"kind": "contact", "tier": "LOW", "intent_id": "i", "cluster": "c"},
        {"kind": "app", "tier": "LOW", "intent_id": "i", "cluster": "c", "parameter": "app"},
        {"kind": "contact", "intent_id": "j", "cluster": "d"},
    )
    questions = [METRICS["questions_per_intent"]]
    assert lines(summarise(frame, metrics=questions))[0][-2:] == (2, 2)
    assert [line[-2:] for line in lines(summarise(frame, ["kind"], questions))] == [(1, 1), (1, 2)]


def test_an_intent_of_two_clusters_loses_nothing() -> None:
    frame = answers(
        {"tier": "LOW", "intent_id": "i", "cluster": "c"},
        {"tier": "LOW", "intent_id": "i", "cluster": "d", "parameter": "other"},
    )
    got = summarise(frame, metrics=[METRICS["questions_per_intent"]]).iloc[0]
    assert (got["numerator"], got["denominator"], got["value"]) == (2, 1, 2)


def test_figures_do_not_depend_on_what_else_is_asked_or_on_the_order_of_rows() -> None:
    rng = np.random.default_rng(2)
    frame = answers(
        *(
            {"cluster": f"c{at % 90}", "right": bool(rng.random() < 0.5), "kind": "app" if at % 3 else "contact"}
            for at in range(450)
        )
    )
    one = summarise(frame, metrics=[METRICS["high_accuracy"]])
    among = summarise(frame)
    pd.testing.assert_frame_equal(one, among[among["metric"] == "high_accuracy"].reset_index(drop=True))
    pd.testing.assert_frame_equal(one, summarise(frame.iloc[::-1], metrics=[METRICS["high_accuracy"]]))
    other = summarise(frame, metrics=[METRICS["high_accuracy"]], seed=1)
    assert (other[["low", "high"]] != one[["low", "high"]]).any(axis=None)
    assert other["low"].iloc[0] == pytest.approx(one["low"].iloc[0], abs=0.03)


def test_a_column_that_is_not_there_is_said() -> None:
    with pytest.raises(InvalidInput, match=r"no column 'mood' to cut by\. Cut by kind, family, locale, script"):
        summarise(FRAME, ["mood"])
