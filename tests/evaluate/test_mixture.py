"""Mixes with other shares of unanswerable hints."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starebrain.errors import InvalidInput
from starebrain.evaluate.mixture import mixtures, with_share


def results(with_answer: int, without: int, resolvers: tuple[str, ...] = ("a", "b")) -> pd.DataFrame:
    rows = [
        {
            "resolver": resolver,
            "source": "s",
            "device_id": f"d{at // 4}",
            "intent_id": f"i{at}",
            "parameter": "who",
            "unanswerable": at >= with_answer,
        }
        for resolver in resolvers
        for at in range(with_answer + without)
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("with_answer", "without", "share", "kept"),
    [
        (80, 20, 0.2, (80, 20)),
        (80, 20, 0.05, (80, 4)),
        (80, 20, 0.5, (20, 20)),
        (19, 40, 0.05, (19, 1)),
        (10, 0, 0.5, (0, 0)),
    ],
)
def test_what_there_is_too_much_of_is_left_out(
    with_answer: int, without: int, share: float, kept: tuple[int, int]
) -> None:
    one = with_share(results(with_answer, without, ("a",)), share)
    assert (int((~one["unanswerable"]).sum()), int(one["unanswerable"].sum())) == kept


@given(st.integers(1, 60), st.integers(1, 60), st.sampled_from((0.05, 0.2, 0.5, 0.9)))
def test_every_resolver_keeps_the_same_and_one_sort_stays_whole(with_answer: int, without: int, share: float) -> None:
    frame = results(with_answer, without)
    got = with_share(frame, share)
    a, b = (got.loc[got["resolver"] == name, "intent_id"].tolist() for name in "ab")
    assert a == b
    assert got.index.is_monotonic_increasing
    pd.testing.assert_frame_equal(got, frame.loc[got.index])
    answerable, unanswerable = (int(n) for n in ((~got["unanswerable"]).sum() / 2, got["unanswerable"].sum() / 2))
    assert answerable == with_answer or unanswerable == without
    assert abs(unanswerable - share * (answerable + unanswerable)) <= 0.5 + share


def test_mixtures_say_which_they_are() -> None:
    got = mixtures(results(80, 20), (0.05, 0.5))
    assert got.groupby("mix").size().to_dict() == {"05%": 168, "50%": 80}


@pytest.mark.parametrize("share", [0, 1, -0.1])
def test_a_share_of_nothing_or_all_is_refused(share: float) -> None:
    with pytest.raises(InvalidInput, match="not between 0 and 1"):
        with_share(results(1, 1), share)
