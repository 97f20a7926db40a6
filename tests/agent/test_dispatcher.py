from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from threading import Thread
from typing import Any

import pytest

from starebrain.agent import (
    Attempt,
    Executed,
    Observation,
    Outcome,
    Reason,
    RecordingDispatcher,
    Refused,
    State,
    Unresolved,
    dispatch,
    settle,
)
from starebrain.agent.contract import Approval
from starebrain.device import DeviceContext
from starebrain.errors import InvalidInput
from starebrain.resolution import (
    AppValue,
    CalendarValue,
    ContactValue,
    Grain,
    LocationValue,
    TimeSlotValue,
    Value,
)
from tests.agent.phones import (
    APP,
    CALENDAR,
    CONTACT,
    EVIDENCE,
    GYM,
    KEY,
    LATER,
    LOCATION,
    MOM,
    PHONE,
    SHOWN,
    TIME_SLOT,
    approved,
    asked_all,
    with_record,
)

NOW_PHONE = replace(PHONE, captured_at=LATER)
APPROVAL = approved(
    asked_all(
        who=(CONTACT, "mom"),
        where=(LOCATION, "the gym"),
        when=(TIME_SLOT, "tomorrow at 3pm"),
        which=(CALENDAR, "private"),
        how=(APP, "maps"),
    )
)


def present(
    dispatcher: RecordingDispatcher,
    approval: Approval = APPROVAL,
    values: Mapping[str, Value] | None = None,
    device: DeviceContext = NOW_PHONE,
    now: datetime = LATER,
    attempt_id: str = "a-1",
) -> Outcome:
    return dispatch(
        approval,
        approval.values if values is None else values,
        device,
        now=now,
        key=KEY,
        attempt_id=attempt_id,
        dispatcher=dispatcher,
        resolver=EVIDENCE,
    )


def test_what_was_approved_and_still_holds_is_carried_out_and_seen() -> None:
    dispatcher = RecordingDispatcher()
    outcome = present(dispatcher)
    assert isinstance(outcome, Executed)
    assert dispatcher.performed == [outcome.attempt]
    assert outcome.attempt == Attempt("a-1", "t-1", "i-1", "create_event", APPROVAL.values, LATER)
    assert outcome.observation == Observation("a-1", LATER, APPROVAL.values, "line 1 of the record")


def test_an_approval_can_be_used_once() -> None:
    dispatcher = RecordingDispatcher()
    present(dispatcher)
    assert present(dispatcher, attempt_id="a-2") == Refused("a-2", Reason.USED)
    assert len(dispatcher.performed) == 1


def test_an_attempt_is_made_once() -> None:
    dispatcher = RecordingDispatcher()
    present(dispatcher)
    other = approved(asked_all(who=(CONTACT, "mom")), token="t-2")
    assert present(dispatcher, other) == Refused("a-1", Reason.USED)
    assert isinstance(present(dispatcher, other, attempt_id="a-2"), Executed)


def test_of_many_claims_at_once_one_is_granted() -> None:
    dispatcher, granted = RecordingDispatcher(), []
    threads = [Thread(target=lambda i=i: granted.append(dispatcher.claim("t", f"a-{i}"))) for i in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(granted) == [False] * 15 + [True]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("who", ContactValue("c-mom", "Mon")),
        ("who", ContactValue("c-moM", "Mom")),
        ("who", ContactValue("c-mom", "Mom\u200b")),
        ("where", LocationValue("l-gym", "Gym", "3 Pine Street", (52.5, 13.400000000000002))),
        ("where", LocationValue("l-gym", "Gym", "3 Pine street", (52.5, 13.4))),
        ("when", TimeSlotValue(datetime.fromisoformat("2026-11-06T15:00:00.000001+00:00"), None, Grain.HOUR)),
        ("when", TimeSlotValue(datetime.fromisoformat("2026-11-06T16:00:00+01:00"), None, Grain.HOUR)),
        ("when", TimeSlotValue(datetime.fromisoformat("2026-11-06T15:00:00+00:00"), None, Grain.MINUTE)),
        ("which", CalendarValue("k-private", "private")),
        ("how", AppValue("com.example.map")),
        ("how", ContactValue("c-mom", "Mom")),
        ("how", {"package": "com.example.maps"}),
        ("more", AppValue("com.example.maps")),
    ],
)
def test_values_that_differ_by_one_character_are_refused(name: str, value: Any) -> None:
    dispatcher = RecordingDispatcher()
    outcome = present(dispatcher, values={**APPROVAL.values, name: value})
    assert outcome == Refused("a-1", Reason.DIFFERENT, (name,))
    assert isinstance(present(dispatcher), Executed), "what was not used can still be"


def test_a_value_that_is_left_out_is_refused() -> None:
    without = {name: value for name, value in APPROVAL.values.items() if name != "when"}
    assert present(RecordingDispatcher(), values=without) == Refused("a-1", Reason.DIFFERENT, ("when",))


@pytest.mark.parametrize("after", [timedelta(minutes=10), timedelta(days=1), timedelta(seconds=-1)])
def test_outside_of_its_time_an_approval_is_refused(after: timedelta) -> None:
    outcome = present(RecordingDispatcher(), now=SHOWN + after)
    assert outcome == Refused("a-1", Reason.EXPIRED, tuple(APPROVAL.values))


def test_a_tampered_approval_is_refused() -> None:
    first, *others = APPROVAL.parameters
    forged = replace(APPROVAL, parameters=(replace(first, value=ContactValue("c-mom", "Mon")), *others))
    assert present(RecordingDispatcher(), forged) == Refused("a-1", Reason.TAMPERED, tuple(APPROVAL.values))


def test_what_no_longer_holds_goes_back_to_the_user_and_the_approval_is_spent() -> None:
    dispatcher = RecordingDispatcher()
    moved = with_record(NOW_PHONE, "saved_locations", replace(GYM, address="4 Pine Street"))
    outcome = present(dispatcher, device=moved)
    assert isinstance(outcome, Refused)
    assert (outcome.reason, outcome.questions) == (Reason.NOT_VALID, ("where",))
    assert outcome.verdicts["where"].state is State.CHANGED
    assert present(dispatcher, attempt_id="a-2") == Refused("a-2", Reason.USED), "though the phone has changed back"
    assert dispatcher.performed == []


@pytest.mark.parametrize("captured_at", [SHOWN - timedelta(seconds=1), LATER + timedelta(seconds=1)])
def test_a_phone_that_was_not_read_since_the_approval_proves_nothing(captured_at: datetime) -> None:
    with pytest.raises(InvalidInput, match="not read between approval and dispatch"):
        present(RecordingDispatcher(), device=replace(PHONE, captured_at=captured_at))


class Unreliable(RecordingDispatcher):
    """Loses what it should do, or its answer, or shows what is not of this attempt."""

    def __init__(self, performs: bool = True, fails: bool = False, shown: dict[str, Any] | None = None) -> None:
        super().__init__()
        self.performs, self.fails, self.shown = performs, fails, shown

    def perform(self, attempt: Attempt) -> None:
        if self.performs:
            super().perform(attempt)
        if self.fails:
            raise TimeoutError

    def observe(self, attempt: Attempt) -> Observation | None:
        seen = super().observe(attempt)
        return seen if seen is None or self.shown is None else replace(seen, **self.shown)


@pytest.mark.parametrize(
    "dispatcher",
    [
        Unreliable(performs=False),
        Unreliable(fails=True),
        Unreliable(performs=False, fails=True),
        Unreliable(shown={"attempt_id": "a-0"}),
        Unreliable(shown={"seen_at": LATER - timedelta(seconds=1)}),
        Unreliable(shown={"values": {**APPROVAL.values, "who": ContactValue("c-mom", "Mon")}}),
        Unreliable(shown={"values": {}}),
    ],
)
def test_without_evidence_of_this_very_attempt_nothing_counts_as_done(dispatcher: Unreliable) -> None:
    outcome = present(dispatcher)
    assert isinstance(outcome, Unresolved)
    assert (outcome.owner, outcome.expires_at) == ("user", LATER + timedelta(hours=1))
    assert present(dispatcher, attempt_id="a-2") == Refused("a-2", Reason.USED), "it may have been done"


def test_evidence_that_comes_later_settles_it() -> None:
    dispatcher = Unreliable(fails=True, shown={"attempt_id": "a-0"})
    outcome = present(dispatcher)
    assert isinstance(outcome, Unresolved)
    assert settle(outcome, dispatcher) is outcome
    dispatcher.shown = None
    settled = settle(outcome, dispatcher)
    assert isinstance(settled, Executed)
    assert settled.observation.attempt_id == "a-1"


def test_an_attempt_needs_an_id() -> None:
    with pytest.raises(InvalidInput, match="attempt_id: an attempt needs a non-empty id"):
        present(RecordingDispatcher(), attempt_id="")


def test_the_phone_may_do_what_it_likes_with_what_nothing_depends_on() -> None:
    called = with_record(NOW_PHONE, "contacts", replace(MOM, times_contacted=7, last_contacted_at=LATER))
    assert isinstance(present(RecordingDispatcher(), device=called), Executed)
