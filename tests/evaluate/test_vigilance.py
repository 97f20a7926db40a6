"""Users who look less closely the more they are asked, against a user played one prompt after the other."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starebrain.errors import InvalidInput
from starebrain.evaluate.intervals import stream
from starebrain.evaluate.vigilance import (
    COLUMNS,
    SOURCES,
    Vigilance,
    caught,
    everything_suggested,
    slips,
    watched,
)
from tests.evaluate.toys import answers

TIERS = st.sampled_from(["HIGH", "MEDIUM", "LOW", "UNRESOLVABLE"])
ROWS = st.lists(st.tuples(TIERS, st.booleans(), st.booleans()), min_size=1, max_size=14)
"""Tier, whether the value is right, whether the parameter begins another intent."""


def frame(rows: list[tuple[str, bool, bool]], device: str = "d", resolver: str = "r") -> pd.DataFrame:
    number, asked = 0, []
    for tier, right, begins in rows:
        number += begins
        asked.append({"tier": tier, "right": right, "intent_id": f"i{number}"})
    return answers(*({"device_id": device, "cluster": device, "resolver": resolver} | one for one in asked))


@pytest.mark.parametrize(("seen", "chance"), [(0, 0.9), (1, 0.3 + 0.6 * 0.7), (2, 0.3 + 0.6 * 0.49), (1_000, 0.3)])
def test_the_chance_to_catch_falls_towards_the_least(seen: int, chance: float) -> None:
    assert Vigilance().chance(np.array([seen]))[0] == pytest.approx(chance)


@pytest.mark.parametrize(
    ("numbers", "place"),
    [({"least": 0.95}, "least"), ({"first": 1.2}, "least"), ({"kept": -0.1}, "kept"), ({"sitting": 0}, "sitting")],
)
def test_numbers_that_make_no_sense_are_refused(numbers: dict[str, float], place: str) -> None:
    with pytest.raises(InvalidInput) as error:
        Vigilance(**numbers)  # type: ignore[arg-type]
    assert error.value.place == place


def test_every_number_has_a_source() -> None:
    assert [name for name, _, source in Vigilance().rows if source] == list(SOURCES)


@settings(max_examples=60)
@given(ROWS, st.integers(1, 4), st.sampled_from([0.0, 0.5, 1.0]))
def test_users_are_as_one_user_played_by_hand(rows: list[tuple[str, bool, bool]], sitting: int, seeded: float) -> None:
    asked, watch, users = frame(rows), Vigilance(first=0.8, kept=0.5, least=0.1, sitting=sitting), 3
    luck = stream("s", "d", seed=5).random((2, len(rows), users))
    got = watched(asked, watch, seeded=seeded, users=users, seed=5)
    assert list(got.columns) == list(COLUMNS)
    expected = []
    for user in range(users):
        prompts, intents, before = 0, -1, None
        for at, one in enumerate(asked.to_dict("records")):
            begins, before = one["intent_id"] != before, one["intent_id"]
            intents += begins
            if begins and intents % sitting == 0:
                prompts = 0
            sown = one["tier"] == "MEDIUM" and one["right"] and luck[0, at, user] < seeded
            wrong = sown or not one["right"]
            noticed = one["tier"] == "MEDIUM" and wrong and luck[1, at, user] < 0.1 + 0.7 * 0.5**prompts
            expected.append((user, begins, prompts, sown, wrong, noticed))
            prompts += {"HIGH": 0, "MEDIUM": 1 + noticed}.get(one["tier"], 1)
    columns = ["user", "first", "seen", "seeded", "wrong", "caught"]
    assert list(got[columns].itertuples(index=False, name=None)) == expected


@settings(max_examples=30)
@given(ROWS)
def test_the_same_parameter_has_the_same_luck_under_every_resolver(rows: list[tuple[str, bool, bool]]) -> None:
    two = pd.concat([frame(rows, resolver="a"), frame(rows, resolver="b")], ignore_index=True)
    got = watched(two, Vigilance(), seeded=0.3, users=2)
    a, b = (got[got["resolver"] == name].drop(columns="resolver").reset_index(drop=True) for name in "ab")
    pd.testing.assert_frame_equal(a, b)


def test_users_who_catch_everything_let_through_only_what_they_never_see() -> None:
    rows = [("HIGH", False, True), ("MEDIUM", False, True), ("MEDIUM", True, True), ("LOW", False, True)]
    every = watched(frame(rows), Vigilance(1.0, 1.0, 1.0), users=5)
    by_metric = slips(every).set_index("metric")["value"]
    assert by_metric.to_dict() == {"silent_slips": 1 / 4, "shown_slips": 0.0}
    blind = slips(watched(frame(rows), Vigilance(0.0, 1.0, 0.0), users=5)).set_index("metric")["value"]
    assert blind.to_dict() == {"silent_slips": 1 / 4, "shown_slips": 1 / 4}


def test_with_everything_shown_nothing_is_silent_and_more_prompts_mean_less_vigilance() -> None:
    rows = [("HIGH", True, True), ("HIGH", True, True), ("MEDIUM", True, True)] * 2
    asked = pd.concat([frame(rows, device=f"d{at}") for at in range(40)], ignore_index=True)
    shown = everything_suggested(asked, "r")
    assert set(shown["tier"]) == {"MEDIUM"}
    assert set(asked["tier"]) == {"HIGH", "MEDIUM"}
    seen = watched(pd.concat([asked, shown], ignore_index=True), Vigilance(), seeded=0.5, users=20)
    figures = caught(seen).set_index("resolver")
    assert figures.loc["r", "low"] > figures.loc["r, all shown", "high"]
    assert (figures["numerator"] <= figures["denominator"]).all()


def test_nothing_seeded_gives_no_figure_of_seeds() -> None:
    one = caught(watched(frame([("MEDIUM", True, True)]), Vigilance()))
    assert one["value"].isna().all()
    assert one["n"].item() == 0
