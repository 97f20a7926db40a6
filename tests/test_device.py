from __future__ import annotations

import dataclasses
import json
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import available_timezones

import pytest
from hypothesis import given

from starebrain import device
from starebrain.device import (
    App,
    AppSwitch,
    Calendar,
    Contact,
    DeviceContext,
    Event,
    Notification,
    Response,
    SavedLocation,
    zone,
)
from starebrain.errors import InvalidInput
from tests import strategies

NOW = datetime(2026, 11, 5, 9, 30, tzinfo=UTC)
NAIVE = NOW.replace(tzinfo=None)


@pytest.mark.parametrize(
    ("make", "fields", "place", "fact"),
    [
        (Contact, {"contact_id": ""}, "contact_id", "a contact needs a non-empty id"),
        (Contact, {"contact_id": "c", "times_contacted": -1}, "times_contacted", "-1 is no 64-bit count"),
        (Contact, {"contact_id": "c", "times_contacted": 2**63}, "times_contacted", f"{2**63} is no 64-bit count"),
        (Contact, {"contact_id": "c", "added_at": NAIVE}, "added_at", "2026-11-05T09:30:00 has no offset"),
        (Contact, {"contact_id": "c", "last_contacted_at": NAIVE}, "last_contacted_at", f"{NAIVE.isoformat()} has no "),
        (Calendar, {"calendar_id": ""}, "calendar_id", "a calendar needs a non-empty id"),
        (Event, {"event_id": "", "start_time": NOW, "end_time": NOW}, "event_id", "an event needs a non-empty id"),
        (Event, {"event_id": "e", "start_time": NAIVE, "end_time": NOW}, "start_time", f"{NAIVE.isoformat()} has no "),
        (Event, {"event_id": "e", "start_time": NOW, "end_time": NAIVE}, "end_time", f"{NAIVE.isoformat()} has no "),
        (
            Event,
            {"event_id": "e", "start_time": NOW, "end_time": NOW - timedelta(seconds=1)},
            "end_time",
            "the event ends before it starts",
        ),
        (SavedLocation, {"location_id": ""}, "location_id", "a place needs a non-empty id"),
        (SavedLocation, {"location_id": "l", "coordinates": (-90.1, 0)}, "coordinates", "latitude -90.1 is outside"),
        (SavedLocation, {"location_id": "l", "coordinates": (0, 180.1)}, "coordinates", "longitude 180.1 is outside"),
        (SavedLocation, {"location_id": "l", "coordinates": (90.1, 0)}, "coordinates", "latitude 90.1 is outside"),
        (SavedLocation, {"location_id": "l", "coordinates": (0, -180.1)}, "coordinates", "longitude -180.1 is outside"),
        (SavedLocation, {"location_id": "l", "coordinates": (float("nan"), 0)}, "coordinates", "latitude nan is"),
        (App, {"package": ""}, "package", "an app needs a non-empty package name"),
        (AppSwitch, {"from_package": "a", "to_package": "b", "at": NAIVE}, "at", f"{NAIVE.isoformat()} has no offset"),
        (Notification, {"notification_id": "", "posted_at": NOW}, "notification_id", "a notification needs"),
        (Notification, {"notification_id": "n", "posted_at": NAIVE}, "posted_at", f"{NAIVE.isoformat()} has no"),
        (DeviceContext, {"captured_at": NAIVE, "timezone": "UTC"}, "captured_at", f"{NAIVE.isoformat()} has no"),
        (DeviceContext, {"captured_at": NOW, "timezone": "Nowhere"}, "timezone", "'Nowhere' is not a known timezone"),
        (DeviceContext, {"captured_at": NOW, "timezone": "UTC", "format": "x/2"}, "format", "the format is"),
    ],
)
def test_a_broken_rule_names_field_and_fact(make: Any, fields: dict[str, Any], place: str, fact: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        make(**fields)
    assert caught.value.place == place
    assert caught.value.fact.startswith(fact)


@pytest.mark.parametrize(
    ("records", "make"),
    [
        ("contacts", Contact),
        ("calendars", Calendar),
        ("upcoming_events", lambda i: Event(i, NOW, NOW)),
        ("saved_locations", SavedLocation),
        ("installed_apps", App),
        ("active_notifications", lambda i: Notification(i, NOW)),
    ],
)
def test_an_id_that_occurs_twice_is_refused_where_it_occurs_again(records: str, make: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        DeviceContext(NOW, "UTC", **{records: (make("b"), make("a"), make("a"))})
    assert caught.value.fact == "the id 'a' occurs twice"
    assert caught.value.place == f"{records}[2].{DeviceContext.IDS[records]}"


def test_the_edges_of_the_rules_are_allowed() -> None:
    assert SavedLocation("l", coordinates=(90, -180)).coordinates == (90, -180)
    assert SavedLocation("l", coordinates=(-90, 180)).coordinates == (-90, 180)
    assert Event("e", NOW, NOW).response is Response.NEEDS_ACTION
    assert Contact("c", times_contacted=2**63 - 1).times_contacted == 2**63 - 1
    assert DeviceContext(NOW, "UTC", contacts=(Contact("a"),), installed_apps=(App("a"),)).contacts[0].contact_id == "a"


@pytest.mark.parametrize(
    "name", ["", "Mars/Base", "localtime", "posixrules", "right/UTC", "../../etc/passwd", "Europe", "a\0b", "x" * 5000]
)
def test_a_zone_that_means_nothing_or_something_else_elsewhere_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="is not a known timezone"):
        zone(name)


def test_every_iana_name_is_a_zone() -> None:
    names = {name for name in available_timezones() if name != "localtime"}
    assert len(names) > 400
    assert all(zone(name).key == name for name in names)


def test_records_are_frozen_and_slotted() -> None:
    for record in vars(device).values():
        if dataclasses.is_dataclass(record) and isinstance(record, type):
            assert record.__dataclass_params__.frozen, record  # type: ignore[attr-defined]
            assert hasattr(record, "__slots__"), record


@given(strategies.devices())
def test_a_snapshot_is_a_value(snapshot: DeviceContext) -> None:
    assert hash(snapshot) == hash(dataclasses.replace(snapshot))
    assert snapshot.zone.key == snapshot.timezone
    assert json.dumps([c.contact_id for c in snapshot.contacts])
