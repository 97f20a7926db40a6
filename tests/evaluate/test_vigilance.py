"""Users who look less closely the more they are asked, against a user played one prompt after the other."""

from __future__ import annotations

from dataclasses import fields

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from starebrain.evaluate.intervals import stream
from starebrain.evaluate.vigilance import (
    COLUMNS,
    SOURCES,
    caught,
    everything_suggested,
    slips,
    watched,
)
from starebrain.simulate.sections import Users
from starebrain.simulate.users import traits_of
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


@settings(max_examples=60)
@given(ROWS, st.integers(1, 4), st.sampled_from([0.0, 0.5, 1.0]))
def test_users_are_as_one_user_played_by_hand(rows: list[tuple[str, bool, bool]], sitting: int, seeded: float) -> None:
    asked, many, population = frame(rows), 3, Users(attention=0.8, fatigue=0.5, agreement=5.0)
    rng = stream("s", "d", seed=5)
    people = [traits_of(population, rng) for _ in range(many)]
    luck = rng.random((2, len(rows), many))
    got = watched(asked, population, sitting=sitting, seeded=seeded, count=many, seed=5)
    assert list(got.columns) == list(COLUMNS)
    expected = []
    for user in range(many):
        prompts, intents, before = 0, -1, None
        for at, one in enumerate(asked.to_dict("records")):
            begins, before = one["intent_id"] != before, one["intent_id"]
            intents += begins
            if begins and intents % sitting == 0:
                prompts = 0
            sown = one["tier"] == "MEDIUM" and one["right"] and luck[0, at, user] < seeded
            wrong = sown or not one["right"]
            noticed = one["tier"] == "MEDIUM" and wrong and luck[1, at, user] < people[user].notices(prompts)
            expected.append((user, begins, prompts, sown, wrong, noticed))
            prompts += {"HIGH": 0, "MEDIUM": 1 + noticed}.get(one["tier"], 1)
    columns = ["user", "first", "seen", "seeded", "wrong", "caught"]
    assert list(got[columns].itertuples(index=False, name=None)) == expected


@settings(max_examples=30)
@given(ROWS)
def test_the_same_parameter_has_the_same_luck_under_every_resolver(rows: list[tuple[str, bool, bool]]) -> None:
    two = pd.concat([frame(rows, resolver="a"), frame(rows, resolver="b")], ignore_index=True)
    got = watched(two, Users(), seeded=0.3, count=2)
    a, b = (got[got["resolver"] == name].drop(columns="resolver").reset_index(drop=True) for name in "ab")
    pd.testing.assert_frame_equal(a, b)


def test_users_who_catch_everything_let_through_only_what_they_never_see() -> None:
    rows = [("HIGH", False, True), ("MEDIUM", False, True), ("MEDIUM", True, True), ("LOW", False, True)]
    every = watched(frame(rows), Users(attention=1.0, fatigue=0.0), count=5)
    by_metric = slips(every).set_index("metric")["value"]
    assert by_metric.to_dict() == {"silent_slips": 1 / 4, "shown_slips": 0.0}
    blind = slips(watched(frame(rows), Users(attention=0.0), count=5)).set_index("metric")["value"]
    assert blind.to_dict() == {"silent_slips": 1 / 4, "shown_slips": 1 / 4}


def test_with_everything_shown_nothing_is_silent_and_more_prompts_mean_less_vigilance() -> None:
    rows = [("HIGH", True, True), ("HIGH", True, True), ("MEDIUM", True, True)] * 2
    asked = pd.concat([frame(rows, device=f"d{at}") for at in range(40)], ignore_index=True)
    shown = everything_suggested(asked, "r")
    assert set(shown["tier"]) == {"MEDIUM"}
    assert set(asked["tier"]) == {"HIGH", "MEDIUM"}
    seen = watched(pd.concat([asked, shown], ignore_index=True), Users(fatigue=0.3), seeded=0.5, count=20)
    figures = caught(seen).set_index("resolver")
    assert figures.loc["r", "low"] > figures.loc["r, all shown", "high"]
    assert (figures["numerator"] <= figures["denominator"]).all()


def test_nothing_seeded_gives_no_figure_of_seeds() -> None:
    one = caught(watched(frame([("MEDIUM", True, True)]), Users()))
    assert one["value"].isna().all()
    assert one["n"].item() == 0


def test_what_has_a_source_is_a_number_of_users() -> None:
    assert {"attention", "agreement", "fatigue"} <= {one.name for one in fields(Users)} & set(SOURCES)
