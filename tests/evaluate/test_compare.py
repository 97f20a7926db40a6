from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from starebrain.errors import InvalidInput
from starebrain.evaluate import METRICS, summarise
from starebrain.evaluate.compare import OUTCOMES, Pairs, compare, mcnemar
from tests.evaluate.toys import answers


def both(pairs: list[tuple[bool, bool]], each: int = 1) -> pd.DataFrame:
    """Two resolvers, right or not at HIGH; `each` rows a cluster."""
    return answers(
        *(
            {"resolver": name, "right": pair[at], "intent_id": f"i{i}", "cluster": f"c{i // each}"}
            for at, name in enumerate("ab")
            for i, pair in enumerate(pairs)
        )
    )


def accuracy(frame: pd.DataFrame, **options: int) -> pd.Series:
    return compare(frame, "a", "b", metrics=[METRICS["high_accuracy"]], **options).iloc[0]


def test_a_difference_is_that_of_the_figures() -> None:
    frame = both([(True, True)] * 5 + [(False, True)] * 3 + [(True, False), (False, False)])
    got = compare(frame, "a", "b")
    alone = summarise(frame).pivot_table(index="metric", columns="resolver", values="value", dropna=False)
    for row in got.itertuples():
        expected = alone.loc[row.metric]
        assert row.difference == pytest.approx(expected["b"] - expected["a"], nan_ok=True)
    assert accuracy(frame)["difference"] == pytest.approx(0.2)
    assert accuracy(frame)["n"] == 10


def test_the_other_way_round_it_has_the_other_sign() -> None:
    frame = both([(True, True)] * 50 + [(False, True)] * 13 + [(True, False)] * 7)
    one, other = (compare(frame, *pair, metrics=[METRICS["high_accuracy"]]).iloc[0] for pair in ("ab", "ba"))
    assert one["difference"] == pytest.approx(-other["difference"])
    assert one["low"] == pytest.approx(-other["high"], abs=0.03)


def test_pairing_sees_what_two_intervals_apart_do_not() -> None:
    frame = both([(True, True)] * 100 + [(False, False)] * 90 + [(False, True)] * 10)
    apart = summarise(frame, metrics=[METRICS["high_accuracy"]])
    assert apart["low"].max() < apart["high"].min()
    assert accuracy(frame)["low"] > 0


def test_clusters_widen_a_difference() -> None:
    pairs = ([(False, True)] * 4 + [(True, False)] * 4 + [(True, True)] * 12) * 8
    assert accuracy(both(pairs))["high"] < accuracy(both(pairs, each=4))["high"]


def test_no_data_on_one_side_is_no_difference() -> None:
    frame = both([(True, True), (True, False)])
    frame.loc[frame["resolver"] == "b", "tier"] = "LOW"
    got = accuracy(frame)
    assert got["value_a"] == 1
    assert np.isnan(got[["value_b", "difference", "low", "high"]].astype(float)).all()


def test_rows_pair_by_name_whatever_their_order() -> None:
    frame = both([(True, False), (False, True), (True, True), (False, True)], each=2)
    shuffled = frame.sample(frac=1, random_state=4)
    pd.testing.assert_frame_equal(compare(frame, "a", "b"), compare(shuffled, "a", "b"))
    assert mcnemar(frame, "a", "b") == mcnemar(shuffled, "a", "b")


def test_cuts_are_compared_apart() -> None:
    frame = both([(True, False), (False, True)])
    frame["family"] = ["x", "y"] * 2
    got = compare(frame, "a", "b", ["family"], [METRICS["high_accuracy"]])
    assert list(zip(got["cut"], got["family"], got["difference"], strict=True)) == [
        ("family=x", "x", -1.0),
        ("family=y", "y", 1.0),
    ]


@pytest.mark.parametrize(("only_a", "only_b"), [(3, 12), (0, 6), (7, 7)])
def test_mcnemar_counts_pairs_that_disagree(only_a: int, only_b: int) -> None:
    frame = both([(True, True)] * 20 + [(True, False)] * only_a + [(False, True)] * only_b + [(False, False)] * 4)
    (got,) = mcnemar(frame, "a", "b")
    assert got == Pairs("right at HIGH or MEDIUM", "a", "b", "s", 20, only_a, only_b, 4, got.p)
    assert got.p == pytest.approx(binomtest(only_a, only_a + only_b).pvalue)


def test_mcnemar_takes_one_parameter_a_cluster_whatever_the_answers() -> None:
    (got,) = mcnemar(both([(True, False)] * 8, each=4), "a", "b")
    assert (got.both, got.only_a, got.only_b, got.neither) == (0, 2, 0, 0)
    (same,) = mcnemar(both([(True, True)] * 8, each=4), "a", "b")
    assert (same.both, same.p) == (2, None)


def test_the_outcome_is_named() -> None:
    frame = both([(True, False)] * 3)
    assert [mcnemar(frame, "a", "b", name)[0].only_a for name in OUTCOMES] == [3, 3, 0, 0]
    assert mcnemar(frame, "a", "b", "silent error")[0].only_b == 3
    with pytest.raises(InvalidInput, match="no outcome 'nice'"):
        mcnemar(frame, "a", "b", "nice")


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (both([(True, True)]).iloc[:1], "no answers of 'b'"),
        (pd.concat([both([(True, True)])] * 2), "'a' answered a parameter twice"),
        (pd.concat([both([(True, True)] * 2).iloc[:3]]), "did not answer the same parameters"),
    ],
)
def test_what_does_not_pair_is_said(frame: pd.DataFrame, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        compare(frame, "a", "b")
