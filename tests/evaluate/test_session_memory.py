from __future__ import annotations

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from starebrain.evaluate.memory_safety import Budget, budget
from starebrain.evaluate.session_memory import (
    COLUMNS,
    MEASURES,
    Policy,
    by_week,
    days_to,
    estimates,
    play,
    policies,
)
from starebrain.memory import ARTICLE, Posterior
from starebrain.simulate.habits import EVIL, GROUPS, Habits

HABITS = Habits(users=12, seed=104)


@pytest.fixture(scope="module")
def tasks() -> pd.DataFrame:
    return play(HABITS)


def value(frame: pd.DataFrame, metric: str, resolver: str) -> float:
    return frame.set_index(["metric", "resolver"]).loc[(metric, resolver), "value"]


def test_every_rule_lives_the_same_weeks(tasks: pd.DataFrame) -> None:
    assert tuple(tasks) == COLUMNS
    article, posterior = (tasks[tasks["resolver"] == name] for name in ("article", "posterior"))
    same = ["user", "group", "day", "sort", "refused", "hostile", "main"]
    assert_frame_equal(article[same].reset_index(drop=True), posterior[same].reset_index(drop=True))
    assert_frame_equal(tasks, play(HABITS))


def test_posterior_saves_half_of_what_the_article_does_at_a_fraction_of_the_harm(tasks: pd.DataFrame) -> None:
    figures = estimates(tasks)
    saved = {name: value(figures, "confirmations_saved", name) for name in ("article", "posterior")}
    assert saved["posterior"] >= saved["article"] / 2
    assert value(figures, "wrongly_skipped", "posterior") <= 0.01
    assert value(figures, "wrongly_skipped", "article") > 0.03
    assert value(figures, "stakes_skipped", "posterior") == 0
    assert value(figures, "stakes_skipped", "article") > 0.9
    assert value(figures, "attacks_skipped", "posterior") <= 0.05


def test_payments_are_shown_every_time_whatever_they_were_taken_for(tasks: pd.DataFrame) -> None:
    posterior = tasks[tasks["resolver"] == "posterior"]
    assert not posterior.loc[posterior["sort"].isin(("payment", "purchase")), "skipped"].any()
    assert not posterior.loc[posterior["believed"].isin(("payment", "general")), "skipped"].any()
    assert posterior.loc[posterior["preferred"] == EVIL].empty


def test_estimates_are_counts_over_users(tasks: pd.DataFrame) -> None:
    figures = estimates(tasks, ("group",), ("wrongly_skipped",))
    assert list(figures["cut"].unique()) == ["group=steady", "group=changing", "group=attacked"]
    for line in figures.to_dict("records"):
        part = tasks[(tasks["resolver"] == line["resolver"]) & (tasks["group"] == line["group"]) & tasks["skipped"]]
        assert (line["n"], line["numerator"]) == (len(part), part["refused"].sum())
        assert line["clusters"] == part["user"].nunique()
        assert line["low"] <= line["value"] <= line["high"]


def test_no_data_is_none() -> None:
    frame = pd.DataFrame([("posterior", 0, "steady", 1.0, "call", "call", False, False, False, False, None, "a.b")])
    figures = estimates(frame.set_axis(list(COLUMNS), axis=1))
    assert dict(zip(figures["metric"], figures["value"].isna(), strict=True)) == {
        name: name != "confirmations_saved" for name in MEASURES
    }


def test_days_to_learn_and_to_unlearn(tasks: pd.DataFrame) -> None:
    days = days_to(tasks, HABITS).set_index(["metric", "resolver"])
    ours = days.xs("posterior", level="resolver")
    assert set(ours.index) >= {"days_learned_app", "days_learned_skip", "days_unlearned_app"}
    assert (ours["reached"] > 0.5).all()
    assert days.loc[("days_learned_skip", "article"), "value"] < 3 < ours.loc["days_learned_skip", "value"] < 30
    assert (days["n"] > 0).any()


def test_days_count_from_the_first_task_or_from_the_change() -> None:
    habits = Habits(weeks=8)
    lived = [
        ("r", 0, "changing", float(day), "call", "call", 12 <= day < 30, False, False, 28 <= day < 35, prefers, main)
        for day in range(2, 56)
        for main in ["a.a" if day < 28 else "b.b"]
        for prefers in ["b.b" if day >= 40 else "a.a" if day >= 7 else None]
    ]
    days = days_to(pd.DataFrame(lived, columns=list(COLUMNS)), habits).set_index("metric")["value"]
    assert days.to_dict() == {
        "days_learned_app": 5,
        "days_learned_skip": 10,
        "days_unlearned_app": 12,
        "days_unlearned_skip": 2,
    }


def test_the_poisoning_budget_of_the_article_is_one_task() -> None:
    assert budget(ARTICLE, 300) == Budget("article", 300, 1, 1, 1, 1)


@pytest.mark.parametrize("honest", [20, 60, 300])
def test_the_poisoning_budget_of_the_posterior(honest: int) -> None:
    ours = budget(Posterior(), honest, most=1_000)
    assert ours.preferred is not None
    assert ours.preferred >= 15
    assert ours.unseated is not None
    assert ours.unseated >= 3
    assert ours.skipped_unasked is None
    assert ours.skipped_approved == 9


def test_a_policy_that_never_skips_saves_nothing() -> None:
    shy = {"shy": Policy(Posterior(), lambda pattern, of, occasion: False)}
    tasks = play(Habits(users=2, weeks=2), {**shy, "article": policies()["article"]})
    figures = estimates(tasks)
    assert value(figures, "confirmations_saved", "shy") == 0
    assert pd.isna(value(figures, "wrongly_skipped", "shy"))


def test_the_share_left_out_by_week(tasks: pd.DataFrame) -> None:
    weeks = by_week(tasks)
    assert set(weeks["curve"]) == {f"{rule}, {group}" for rule in policies() for group in GROUPS}
    assert list(weeks["week"].unique()) == [*range(1, HABITS.weeks + 1)]
    first = tasks[(tasks["resolver"] == "posterior") & (tasks["group"] == "steady") & (tasks["day"] < 7)]
    got = weeks[(weeks["curve"] == "posterior, steady") & (weeks["week"] == 1)]["saved"]
    assert got.to_list() == [first["skipped"].mean()]
