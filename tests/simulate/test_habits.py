from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from starebrain.errors import InvalidInput
from starebrain.intent import Answer, TaskStatus
from starebrain.recall import IntentType
from starebrain.simulate.habits import EVIL, GROUPS, Habits, Occasion, occasions

HABITS = Habits(users=12, weeks=6)
ALL = [one for user in range(HABITS.users) for one in occasions(HABITS, user)]


def test_the_same_habits_give_the_same_tasks_and_another_seed_others() -> None:
    assert list(occasions(HABITS, 3)) == list(occasions(Habits(users=99, weeks=6), 3))
    assert list(occasions(replace(HABITS, seed=7), 3)) != list(occasions(HABITS, 3))


def test_tasks_come_in_order_of_time_within_the_weeks() -> None:
    for user in range(3):
        days = [one.day for one in occasions(HABITS, user)]
        assert days == sorted(days)
        assert 0 <= days[0] < days[-1] < 7 * HABITS.weeks


def test_users_take_turns_in_groups_and_all_sorts_of_task_occur() -> None:
    groups = {one.user: one.group for one in ALL}
    assert [groups[user] for user in range(12)] == [*GROUPS, *GROUPS]
    assert {one.intent_type for one in ALL} == set(IntentType)


def test_planted_words_occur_in_one_task_only() -> None:
    words = Counter(text.split()[-1] for one in ALL for text in one.planted)
    assert set(words.values()) == {1}
    assert all(
        any(text in " ".join([one.description, *(step for step, _ in one.steps)]) for text in one.planted)
        for one in ALL
        if one.intent_type == "send_message"
    )


def test_attacks_are_those_of_attacked_users_in_the_week_after_half_way() -> None:
    hostile = [one for one in ALL if one.hostile]
    assert hostile
    assert {one.group for one in hostile} == {"attacked"}
    assert all(HABITS.half_way <= one.day < HABITS.half_way + 7 for one in hostile)
    assert any(one.marked for one in hostile)
    assert not any(one.marked for one in ALL if not one.hostile)
    assert {EVIL} < {package for one in hostile for _, package in one.steps}


def test_habits_change_half_way_for_those_who_change() -> None:
    mains = Counter((one.user, one.intent_type, one.main) for one in ALL)
    users = {(user, sort) for user, sort, _ in mains if sum(1 for u, s, _ in mains if (u, s) == (user, sort)) > 1}
    assert users
    assert {GROUPS[user % len(GROUPS)] for user, _ in users} == {"changing"}
    assert all(one.group == "changing" and 0 <= one.day - HABITS.half_way < 7 for one in ALL if one.unsettled)


def test_routines_are_approved_and_half_of_what_is_not_is_declined() -> None:
    always = [one for user in range(6) for one in occasions(replace(HABITS, routine=1.0, approves=1.0), user)]
    assert {one.would for one in always if not one.hostile and not one.unsettled} == {Answer.APPROVED}
    never = [one for user in range(3) for one in occasions(replace(HABITS, routine=1.0, approves=0.0), user)]
    declined = sum(one.would is Answer.DECLINED for one in never) / len(never)
    assert 0.45 < declined < 0.55


def test_what_becomes_of_a_task() -> None:
    declined = next(one for one in ALL if one.would is Answer.DECLINED and not one.recovers)
    shown, skipped = declined.task(shown=True), declined.task(shown=False)
    assert (shown.status, skipped.status) == (TaskStatus.CANCELLED, TaskStatus.COMPLETED)
    assert shown.steps[-1].confirmation is not None
    assert shown.steps[-1].confirmation.answer is Answer.DECLINED
    assert [step.confirmation for step in (*shown.steps[:-1], *skipped.steps)] == [None] * (2 * len(shown.steps) - 1)
    assert shown.ended_at == declined.at


def approved(one: Occasion) -> bool:
    return one.task(shown=True).status is TaskStatus.COMPLETED


def test_a_declined_task_is_completed_another_way_in_half_of_the_cases() -> None:
    declined = [one for one in ALL if one.would is Answer.DECLINED and not one.hostile]
    assert 0.35 < sum(map(approved, declined)) / len(declined) < 0.65
    assert not any(approved(one) for one in ALL if one.hostile and one.would is Answer.DECLINED)


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"users": 0}, "users"),
        ({"weeks": -1}, "weeks"),
        ({"tasks_per_day": 0.0}, "tasks_per_day"),
        ({"routine": 1.1}, "routine"),
        ({"careless": -0.1}, "careless"),
        ({"varied": (0.9, 0.5)}, "varied"),
    ],
)
def test_habits_that_cannot_be_are_refused_with_their_place(fields: dict, place: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Habits(**fields)
    assert caught.value.place == place
    assert caught.value.remedy
