from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starebrain.device import Contact, DeviceContext, Event, SavedLocation
from starebrain.errors import InvalidInput
from starebrain.simulate.changes import FIELDS, RECORDS, Cause, Change, ChangeType
from starebrain.simulate.timeline import Timeline, timeline_of
from tests.strategies import contacts, devices, events, locations, notifications

NOON = datetime(2025, 5, 5, 12, tzinfo=UTC)
RECORDS_OF: dict[str, st.SearchStrategy[Any]] = {
    "contacts": contacts,
    "upcoming_events": events(),
    "saved_locations": locations,
    "active_notifications": notifications,
}
seconds = st.integers(0, 20).map(lambda s: timedelta(seconds=s))


@st.composite
def timelines(draw: st.DrawFn) -> Timeline:
    """A phone and up to twelve changes, whose ids are those of its records or new ones, several at one instant."""
    device = draw(devices())
    changes = []
    for type_ in draw(st.lists(st.sampled_from(ChangeType), max_size=12)):
        field = FIELDS[type_]
        name = DeviceContext.IDS[field]
        here = [getattr(record, name) for record in getattr(device, field)]
        ids = st.sampled_from([*here, "new-1", "new-2"])
        chosen = draw(st.lists(ids, unique=True, max_size=3))
        put = draw(st.integers(0, len(chosen)))
        records = tuple(replace(draw(RECORDS_OF[field]), **{name: id}) for id in chosen[:put])
        cause = draw(st.sampled_from(Cause))
        changes.append(Change(device.captured_at + draw(seconds), type_, cause, records, tuple(chosen[put:])))
    return timeline_of(device, changes)


def one_by_one(device: DeviceContext, changes: Iterable[Change], instant: datetime) -> DeviceContext:
    """The oracle: each change made to lists by looking through them, and the checks of `DeviceContext` after each."""
    for change in changes:
        name = DeviceContext.IDS[change.field]
        records = list(getattr(device, change.field))
        for new in change.put:
            places = [i for i, old in enumerate(records) if getattr(old, name) == getattr(new, name)]
            if places:
                records[places[0]] = new
            else:
                records.append(new)
        kept = tuple(record for record in records if getattr(record, name) not in change.drop)
        device = replace(device, **{change.field: kept})
    return replace(device, captured_at=instant)


@settings(max_examples=40)
@given(timelines(), st.lists(seconds, min_size=1, max_size=6))
def test_a_phone_at_an_instant_has_every_change_up_to_it(timeline: Timeline, offsets: list[timedelta]) -> None:
    for offset in offsets:  # in any order, so that later states are made from earlier ones and the other way about
        instant = timeline.device.captured_at + offset
        upto = [change for change in timeline.changes if change.at <= instant]
        assert timeline.at(instant) == one_by_one(timeline.device, upto, instant)


@settings(max_examples=40)
@given(timelines(), seconds)
def test_what_does_not_change_is_the_same_object(timeline: Timeline, offset: timedelta) -> None:
    before, instant = timeline.device, timeline.device.captured_at + offset
    after = timeline.at(instant)
    touched: dict[str, set[str]] = {field: set() for field in RECORDS}
    for change in timeline.between(before.captured_at, instant):
        touched[change.field] |= set(change.ids)
    for change in timeline.changes[: timeline.index(before.captured_at)]:
        touched[change.field] |= set(change.ids)
    for field in DeviceContext.__dataclass_fields__:
        if not touched.get(field) and field != "captured_at":
            assert getattr(after, field) is getattr(before, field)
    for field, ids in touched.items():
        name = DeviceContext.IDS[field]
        old = {getattr(record, name): record for record in getattr(before, field)}
        for record in getattr(after, field):
            assert getattr(record, name) in ids or record is old[getattr(record, name)]


@settings(max_examples=40)
@given(timelines(), seconds, seconds)
def test_between_is_what_a_later_phone_has_more(timeline: Timeline, one: timedelta, other: timedelta) -> None:
    start = timeline.device.captured_at
    first, last = start + min(one, other), start + max(one, other)
    between = timeline.between(first, last)
    assert all(first < change.at <= last for change in between)
    assert one_by_one(timeline.at(first), between, last) == timeline.at(last)
    assert timeline.between(last, first) == ()


@settings(max_examples=40)
@given(timelines(), seconds, seconds)
def test_instants_without_a_change_between_share_everything(
    timeline: Timeline, one: timedelta, other: timedelta
) -> None:
    first, last = timeline.at(timeline.device.captured_at + one), timeline.at(timeline.device.captured_at + other)
    if timeline.index(first.captured_at) == timeline.index(last.captured_at):
        assert all(getattr(first, field) is getattr(last, field) for field in DeviceContext.IDS)
    assert first.captured_at == timeline.device.captured_at + one


def phone() -> DeviceContext:
    return DeviceContext(
        NOON,
        "UTC",
        contacts=(Contact("c1", "Ana"), Contact("c2", "Bo")),
        upcoming_events=(Event("e1", NOON, NOON),),
        saved_locations=(SavedLocation("l1", "Gym"),),
    )


def minutes(n: int) -> datetime:
    return NOON + timedelta(minutes=n)


def test_a_day_of_changes() -> None:
    renamed = Contact("c1", "Ana Lima")
    timeline = timeline_of(
        phone(),
        [
            Change(minutes(30), ChangeType.REMOVE, Cause.SYNC, drop=("c2",)),
            Change(minutes(10), ChangeType.EDIT, Cause.OWNER, (renamed,)),
            Change(minutes(20), ChangeType.ADD, Cause.OWNER, (Contact("c3", "Cy"),)),
            Change(minutes(40), ChangeType.MERGE, Cause.SYNC, (Contact("c1", "Ana Cy"),), ("c3",)),
        ],
    )
    assert timeline.at(NOON) == phone()
    assert timeline.at(NOON).contacts is timeline.device.contacts
    names = {n: [c.display_name for c in timeline.at(minutes(n)).contacts] for n in (9, 10, 25, 30, 99)}
    assert names == {
        9: ["Ana", "Bo"],
        10: ["Ana Lima", "Bo"],
        25: ["Ana Lima", "Bo", "Cy"],
        30: ["Ana Lima", "Cy"],
        99: ["Ana Cy"],
    }
    assert timeline.at(minutes(10)).contacts[0] is renamed
    assert [change.type for change in timeline.between(minutes(10), minutes(30))] == ["add", "remove"]
    assert [change.ids for change in timeline.changes] == [("c1",), ("c3",), ("c2",), ("c1", "c3")]
    assert timeline.device == phone()


def test_removing_what_is_not_there_changes_nothing_at_all() -> None:
    timeline = timeline_of(phone(), [Change(minutes(1), ChangeType.REMOVE, Cause.OWNER, drop=("c9",))])
    assert timeline.at(minutes(2)).contacts is timeline.device.contacts


def test_instants_of_other_zones_are_the_same_instants() -> None:
    timeline = timeline_of(phone(), [Change(minutes(1), ChangeType.CANCEL, Cause.OTHERS, drop=("e1",))])
    tokyo = minutes(1).astimezone(__import__("zoneinfo").ZoneInfo("Asia/Tokyo"))
    assert timeline.at(tokyo).upcoming_events == ()


@pytest.mark.parametrize(
    ("instant", "said"),
    [
        (NOON - timedelta(seconds=1), "is before the snapshot"),
        (NOON.replace(tzinfo=None), "has no offset"),
    ],
)
def test_instants_that_cannot_be_asked_for(instant: datetime, said: str) -> None:
    timeline = Timeline(phone())
    for ask in (timeline.at, timeline.index):
        with pytest.raises(InvalidInput, match=said):
            ask(instant)


def test_changes_out_of_order_are_refused_and_sorted_by_timeline_of() -> None:
    later, sooner = (Change(minutes(n), ChangeType.CANCEL, Cause.OTHERS, drop=("e1",)) for n in (2, 1))
    with pytest.raises(InvalidInput, match=r"changes\[1\]\.at: .*earlier than the one before it"):
        Timeline(phone(), (later, sooner))
    with pytest.raises(InvalidInput, match=r"changes\[0\]\.at: .*earlier than the snapshot"):
        timeline_of(phone(), [replace(sooner, at=minutes(-1))])
    assert timeline_of(phone(), [later, sooner]).changes == (sooner, later)


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ({"at": NOON.replace(tzinfo=None)}, "at"),
        ({"put": (SavedLocation("l1"),)}, "put[0]"),
        ({"put": (Contact("c1"), Contact("c1"))}, "put"),
        ({"put": (Contact("c1"),), "drop": ("c1",)}, "put"),
    ],
)
def test_a_change_that_makes_no_sense_is_refused(values: dict[str, Any], place: str) -> None:
    with pytest.raises(InvalidInput) as error:
        replace(Change(NOON, ChangeType.EDIT, Cause.OWNER), **values)
    assert error.value.place == place
