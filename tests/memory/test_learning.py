"""What each rule makes of tasks; every defect of the article's rule has a test that shows it, and that ours has not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starebrain.intent import AgentTask, Answer, AskedBy, TaskStatus
from starebrain.matching.heuristics import Confirmations, Forgetting, Memory, Preference, default_heuristics
from starebrain.memory import ARTICLE, Learned, Posterior, Rule, observe
from starebrain.memory.learning import MOST_PACKAGES, MOST_STEPS, NEVER_SKIPPED, always_confirms, never_confirms
from starebrain.recall import ConfirmationHistory, IntentType, SessionPattern
from tests.memory.toys import DONE, EVIL, NOW, SENDING, SIGNAL, WHATSAPP, step, task

APPROVED, EDITED, DECLINED = Answer.APPROVED, Answer.EDITED, Answer.DECLINED
POSTERIOR = Posterior()


def learned(rule: Rule, tasks: Iterable[AgentTask]) -> Learned | None:
    known = None
    for one in tasks:
        if (seen := observe(one, rule.intent_type)) is not None:
            known = rule.learn(known, seen)
    return known


def pattern(rule: Rule, tasks: Iterable[AgentTask], days: float = 0.0) -> SessionPattern:
    known = learned(rule, tasks)
    assert known is not None
    return rule.read(known, NOW + timedelta(days=days))


# What a task leaves behind


@pytest.mark.parametrize("status", [status for status in TaskStatus if status is not DONE])
def test_only_completed_tasks_leave_anything(status: TaskStatus) -> None:
    assert observe(task(status=status), ARTICLE.intent_type) is None


def test_an_observation_holds_no_text() -> None:
    seen = observe(task(step("com.launcher", None), step(SIGNAL, EDITED), step(SIGNAL, APPROVED)), ARTICLE.intent_type)
    assert seen is not None
    assert (seen.intent_type, seen.at, seen.steps) == (IntentType.SEND_MESSAGE, NOW, 3)
    assert (seen.first_package, seen.carrier, seen.answer) == ("com.launcher", SIGNAL, EDITED)
    assert (seen.confirmed, seen.skipped) == (2, 1)
    assert "Quarzel" not in repr(seen)


@pytest.mark.parametrize(
    ("answers", "least"),
    [
        ((None, None), None),
        ((None, APPROVED), APPROVED),
        ((APPROVED, EDITED), EDITED),
        ((DECLINED, EDITED, APPROVED), DECLINED),
    ],
)
def test_the_least_agreeable_answer_is_that_of_the_task(answers: tuple[Answer | None, ...], least: Answer) -> None:
    seen = observe(task(*(step(answer=answer) for answer in answers)), ARTICLE.intent_type)
    assert seen is not None
    assert seen.answer is least


def test_steps_that_a_rule_wanted_confirmed_or_that_were_declined_are_not_confirmed_because_of_the_model() -> None:
    steps = (step(answer=APPROVED, asked_by=AskedBy.RULE), step(answer=DECLINED), step(status=TaskStatus.FAILED))
    seen = observe(task(*steps), ARTICLE.intent_type)
    assert seen is not None
    assert (seen.confirmed, seen.skipped) == (0, 0)


@pytest.mark.parametrize(
    ("packages", "carrier"),
    [
        ((WHATSAPP,), WHATSAPP),
        (("com.launcher", SIGNAL, SIGNAL), SIGNAL),
        ((WHATSAPP, SIGNAL), SIGNAL),
        ((None, None), None),
        (("Anna Quarzel", "../../etc", "com.a b", "com", "com..a", "1.a", "com.a\n", "com.a\x00b", "сom.a"), None),
        (("com." + "a" * 125,), None),
        (("com." + "a" * 124,), "com." + "a" * 124),
    ],
)
def test_the_carrier_is_the_package_of_most_completed_steps(packages: tuple[str | None, ...], carrier: str) -> None:
    seen = observe(task(*map(step, packages)), ARTICLE.intent_type)
    assert seen is not None
    assert seen.carrier == carrier


def test_a_package_that_failed_carried_nothing() -> None:
    steps = (*[step(EVIL, status=TaskStatus.FAILED)] * 5, step(WHATSAPP))
    seen = observe(task(*steps), ARTICLE.intent_type)
    assert seen is not None
    assert (seen.first_package, seen.carrier) == (EVIL, WHATSAPP)


def test_a_task_of_very_many_steps_counts_as_one_of_many() -> None:
    seen = observe(task(*[step()] * 5_000), ARTICLE.intent_type)
    assert seen is not None
    assert (seen.steps, seen.skipped) == (MOST_STEPS, MOST_STEPS)


# The article's rule, as it is written


def test_the_article_counts_confirmed_and_skipped_steps() -> None:
    one = task(step(answer=APPROVED), step(), step())
    history = pattern(ARTICLE, [one] * 3).confirmations
    assert (history.confirmed, history.skipped) == (3, 6)
    assert not always_confirms(history)
    assert never_confirms(history)


@pytest.mark.parametrize(("count", "always", "never"), [(3, False, False), (4, True, False), (5, True, False)])
def test_the_articles_flags_are_set_above_three_and_five(count: int, always: bool, never: bool) -> None:
    assert always_confirms(ConfirmationHistory(confirmed=count)) is always
    assert never_confirms(ConfirmationHistory(skipped=count)) is never
    assert never_confirms(ConfirmationHistory(skipped=6))


def test_defect_both_flags_can_be_set_at_once() -> None:
    one = task(step(answer=APPROVED), step(), step())
    history = pattern(ARTICLE, [one] * 4).confirmations
    assert always_confirms(history)
    assert never_confirms(history)


def test_defect_steps_that_were_never_flagged_teach_the_article_not_to_ask() -> None:
    one = task(*[step()] * 6)
    assert pattern(ARTICLE, [one]).may_skip
    assert not pattern(POSTERIOR, [one] * 500).may_skip


def test_defect_the_article_skips_payments() -> None:
    paying = [task(step(answer=APPROVED), *[step()] * 6, description="pay Anna Quarzel 20 dollars")] * 50
    assert pattern(ARTICLE, paying).intent_type is pattern(POSTERIOR, paying).intent_type is IntentType.PAYMENT
    assert pattern(ARTICLE, paying).may_skip
    assert not pattern(POSTERIOR, paying).may_skip


def test_defect_the_article_skips_where_the_user_always_edits() -> None:
    editing = [task(step(answer=EDITED), *[step()] * 3)] * 20
    assert pattern(ARTICLE, editing).may_skip
    assert not pattern(POSTERIOR, editing).may_skip


def test_defect_one_task_poisons_the_articles_package() -> None:
    history = [task()] * 50
    poisoned = [*history, task(step(EVIL))]
    assert pattern(ARTICLE, history).preferred_package == pattern(POSTERIOR, history).preferred_package == WHATSAPP
    assert pattern(ARTICLE, poisoned).preferred_package == EVIL
    assert pattern(POSTERIOR, poisoned).preferred_package == WHATSAPP


def test_defect_the_article_prefers_whatever_the_first_step_opened() -> None:
    through_launcher = [task(step("com.launcher"), *[step()] * 3)] * 20
    assert pattern(ARTICLE, through_launcher).preferred_package == "com.launcher"
    assert pattern(POSTERIOR, through_launcher).preferred_package == WHATSAPP


def test_defect_the_article_takes_the_last_number_of_steps_for_typical() -> None:
    tasks = [task(*[step()] * 3)] * 30 + [task(*[step()] * 40)]
    assert pattern(ARTICLE, tasks).typical_step_count == 40
    assert 3 <= pattern(POSTERIOR, tasks).typical_step_count <= 5


def test_defect_the_article_never_forgets_a_count() -> None:
    tasks = [task(*[step()] * 6)]
    assert pattern(ARTICLE, tasks, days=29).confirmations == pattern(ARTICLE, tasks).confirmations


# The posterior rule


def test_a_preference_needs_more_than_a_few_tasks_and_says_how_sure_it_is() -> None:
    read = [pattern(POSTERIOR, [task()] * count) for count in range(1, 12)]
    assert [one.preferred_package for one in read] == [None] * 4 + [WHATSAPP] * 7
    sure = [one.preferred_sure for one in read]
    assert sure == sorted(sure)
    assert all(0.5 <= one < 1 for one in sure if one is not None)
    assert [round(one.preferred_share or 0, 2) for one in read[4:7]] == [0.82, 0.84, 0.86]


def test_no_app_is_preferred_where_none_carries_most() -> None:
    assert pattern(POSTERIOR, [task(step(WHATSAPP)), task(step(SIGNAL))] * 20).preferred_package is None


def test_what_is_general_has_no_preferred_app_and_is_never_skipped() -> None:
    read = pattern(POSTERIOR, [task(description="hum")] * 100)
    assert (read.intent_type, read.preferred_package, read.may_skip) == (IntentType.GENERAL, None, False)
    assert {IntentType.GENERAL, IntentType.PAYMENT} == NEVER_SKIPPED


def test_confirmations_that_are_always_approved_may_be_skipped_after_a_while() -> None:
    skips = [pattern(POSTERIOR, [task()] * count).may_skip for count in range(1, 30)]
    assert skips == [False] * 8 + [True] * 21


@pytest.mark.parametrize("answer", [EDITED, DECLINED])
def test_one_refusal_costs_far_more_than_one_approval_earns(answer: Answer) -> None:
    refused = task(step(answer=answer))
    assert pattern(POSTERIOR, [task()] * 15).may_skip
    assert not pattern(POSTERIOR, [task()] * 15 + [refused]).may_skip
    more = next(n for n in range(200) if pattern(POSTERIOR, [task()] * 15 + [refused] + [task()] * n).may_skip)
    assert more > 15


def test_tasks_without_a_confirmation_say_nothing_of_confirmations() -> None:
    asked, unasked = [task()] * 20, [task(step())] * 20
    before, after = pattern(POSTERIOR, asked), pattern(POSTERIOR, asked + unasked)
    assert after.confirmations.edited == after.confirmations.declined == 0
    assert after.confirmations.approved < before.confirmations.approved
    assert pattern(POSTERIOR, unasked).approved_sure == pattern(POSTERIOR, [task(step())]).approved_sure


def test_older_tasks_weigh_less() -> None:
    of = default_heuristics().memory
    half = of.confirmations.forgetting.half_life_days
    old = pattern(POSTERIOR, [task()] * 10).confirmations.approved
    assert pattern(POSTERIOR, [task()] * 10, days=half).confirmations.approved == pytest.approx(old / 2)
    late = learned(POSTERIOR, [task(), task(step(SIGNAL), days=of.preference.forgetting.half_life_days)])
    assert late is not None
    weights = dict(late.packages)
    assert weights[WHATSAPP] == pytest.approx(0.5 ** (1 + 1 / of.preference.forgetting.half_life_tasks))
    assert weights[SIGNAL] == 1


def test_a_preference_fades_with_age() -> None:
    tasks = [task()] * 5
    assert pattern(POSTERIOR, tasks).preferred_package == WHATSAPP
    assert pattern(POSTERIOR, tasks, days=20).preferred_package is None


def test_a_habit_that_changes_is_unlearned_and_the_new_one_learned() -> None:
    tasks = [task()] * 60
    read = [pattern(POSTERIOR, [*tasks, *[task(step(SIGNAL))] * n]).preferred_package for n in range(40)]
    assert read[0] == WHATSAPP
    assert read[-1] == SIGNAL
    assert None in read
    assert [name for at, name in enumerate(read) if name != read[at - 1]] == [WHATSAPP, None, SIGNAL]


def test_a_task_that_is_told_late_counts_as_old_as_it_is() -> None:
    late = learned(POSTERIOR, [task(), task(step(SIGNAL), days=-30)])
    assert late is not None
    assert late.last_seen == NOW
    assert dict(late.packages)[SIGNAL] == pytest.approx(0.5)


def test_only_the_heaviest_packages_are_kept() -> None:
    tasks = [task()] * 10 + [task(step(f"com.app{n}.x")) for n in range(50)]
    known = learned(POSTERIOR, tasks)
    assert known is not None
    assert len(known.packages) == MOST_PACKAGES
    assert [weight for _, weight in known.packages] == sorted((w for _, w in known.packages), reverse=True)


steps = st.builds(
    step,
    st.sampled_from((WHATSAPP, SIGNAL, EVIL, None, "not a package")),
    st.none() | st.sampled_from(Answer),
    st.sampled_from(TaskStatus),
    st.sampled_from(AskedBy),
)
tasks = st.builds(
    lambda some, description, status, days: task(*some, description=description, status=status, days=-days),
    st.lists(steps, min_size=1, max_size=5),
    st.sampled_from((SENDING, "pay Bob", "hum", "call mom", "order a pizza")),
    st.sampled_from(TaskStatus),
    st.floats(0, 60),
)
histories = st.lists(tasks, max_size=20)


@given(histories)
def test_what_may_be_skipped_is_exclusive_and_never_a_payment(history: list[AgentTask]) -> None:
    known: dict[IntentType, Learned] = {}
    for one in history:
        if (seen := observe(one, POSTERIOR.intent_type)) is not None:
            known[seen.intent_type] = POSTERIOR.learn(known.get(seen.intent_type), seen)
    for of, what in known.items():
        read = POSTERIOR.read(what, NOW)
        assert isinstance(read.may_skip, bool)
        if read.may_skip:
            assert of not in (IntentType.PAYMENT, IntentType.PURCHASE, IntentType.GENERAL)
            assert read.confirmations.approved > 8 * (read.confirmations.edited + read.confirmations.declined)
        assert 0 <= what.tasks <= len(history)
        assert sum(weight for _, weight in what.packages) <= what.tasks + 1e-9


@given(st.integers(0, 400))
def test_payments_are_shown_however_often_they_are_approved(count: int) -> None:
    known = Learned(IntentType.PAYMENT, NOW, count, count, ConfirmationHistory(approved=count))
    assert not POSTERIOR.read(known, NOW).may_skip


def heuristics(**caps: object) -> Posterior:
    known = default_heuristics()
    return Posterior(replace(known, caps=replace(known.caps, **caps)))


def test_what_the_heuristics_list_with_payments_is_never_skipped_either() -> None:
    known = Learned(IntentType.CALL, NOW, 50, 50, ConfirmationHistory(approved=50))
    assert POSTERIOR.read(known, NOW).may_skip
    assert not heuristics(stakes=("call",)).read(known, NOW).may_skip
    paying = replace(known, intent_type=IntentType.PAYMENT)
    assert not heuristics(stakes=()).read(paying, NOW).may_skip


@pytest.mark.parametrize(
    "make",
    [
        lambda: Forgetting(0, 1),
        lambda: Forgetting(1, -1),
        lambda: Preference(0.5, Forgetting(1, 1)),
        lambda: Confirmations(1, 0.9, 1, Forgetting(1, 1)),
        lambda: Confirmations(0.9, 1, 1, Forgetting(1, 1)),
        lambda: Confirmations(0.9, 0.9, 0, Forgetting(1, 1)),
    ],
)
def test_heuristics_of_memory_that_make_no_sense_are_refused(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match="is"):
        make()


def test_the_file_of_heuristics_says_what_the_code_falls_back_to() -> None:
    assert default_heuristics().memory == Memory()
