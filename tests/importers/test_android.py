from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starebrain.device import DeviceContext, Response
from starebrain.errors import InvalidInput
from starebrain.importers import ImportReport, Outcome, import_phone
from starebrain.importers.base import Log
from starebrain.importers.dump import column_files, read_rows
from tests.importers.files import AT, OWNER, dump, said, write

TYPE = "vnd.android.cursor.item/"


def phone(folder: Path, **more: Any) -> tuple[DeviceContext, ImportReport]:
    arguments: dict[str, Any] = {"timezone": "Europe/Berlin", "locale": "de_DE", "at": AT, "owner": OWNER}
    return import_phone(android=folder, **(arguments | more))


def data(number: int, contact: int | None, kind: str, data1: str | None, **more: Any) -> dict[str, Any]:
    return {"_id": number, "contact_id": contact, "mimetype": TYPE + kind, "data1": data1} | more


def millis(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def test_data_rows_of_a_contact_become_one_contact(tmp_path: Path) -> None:
    shared = {
        "display_name": "Ana, data1=Ash",
        "starred": 1,
        "times_contacted": 7,
        "last_time_contacted": 1767225600000,
    }
    rows = [
        data(3, 1, "name", "Ana Ash", data2="Ana", data3="Ash"),
        data(4, 1, "phone_v2", "+49 30 1"),
        data(5, 1, "phone_v2", "+49 30 2"),
        data(6, 1, "email_v2", "ana@x.example"),
        data(7, 1, "postal-address_v2", "7 Elm St\nBerlin"),
        data(8, 1, "organization", "Ash & Sons"),
        data(9, 1, "nickname", "Annie"),
        data(10, 1, "note", "likes, tea"),
        data(11, 2, "phone_v2", "112", display_name=None, starred=0, times_contacted=None, last_time_contacted=0),
    ]
    dump(tmp_path / "dump", "data", [row | shared if row["contact_id"] == 1 else row for row in rows])
    device, report = phone(tmp_path / "dump")
    ana, number = device.contacts
    assert (ana.contact_id, ana.display_name, ana.given_name, ana.family_name) == (
        "android:1",
        "Ana, data1=Ash",
        "Ana",
        "Ash",
    )
    assert (ana.phones, ana.emails) == (("+49 30 1", "+49 30 2"), ("ana@x.example",))
    assert (ana.addresses, ana.organization, ana.nickname) == (("7 Elm St, Berlin",), "Ash & Sons", "Annie")
    assert (ana.starred, ana.times_contacted, ana.last_contacted_at) == (True, 7, datetime(2026, 1, 1, tzinfo=UTC))
    assert (number.display_name, number.starred, number.last_contacted_at) == ("112", False, None)
    assert said(report) == []
    assert report.files[0].unused == {"note": (8 + 1,)}


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (data(2, 1, "relation", "Bob"), "says that “Bob” is related to the contact, not what the contact is to"),
        (data(2, 1, "organization", "Other"), "a contact holds one organization; “Other” was left out"),
        (data(2, None, "name", "Bob"), "belongs to no contact"),
        (data(2, 9, "note", "x"), "has neither a name, a telephone number nor an e-mail address"),
        ({"_id": 2, "contact_id": 1, "data1": "x"}, "says not of what kind it is"),
    ],
)
def test_a_row_that_does_not_come_in_is_named(tmp_path: Path, row: dict[str, Any], says: str) -> None:
    dump(tmp_path / "dump", "data", [data(1, 1, "organization", "Ash"), row])
    device, report = phone(tmp_path / "dump")
    assert [contact.display_name for contact in device.contacts] == ["Ash"]
    (finding,) = report.findings
    assert (finding.outcome, finding.line) == (Outcome.DROPPED, 2)
    assert says in finding.reason


def test_calendars_say_themselves_what_may_be_done_with_them(tmp_path: Path) -> None:
    names = ("Privat, isPrimary=0", "Feiertage")
    rows = [
        {
            "_id": 1,
            "calendar_access_level": 700,
            "calendar_displayName": names[0],
            "ownerAccount": "rosa@example.org",
            "isPrimary": 1,
        },
        {
            "_id": 2,
            "calendar_access_level": 200,
            "calendar_displayName": names[1],
            "ownerAccount": None,
            "isPrimary": 0,
        },
    ]
    dump(tmp_path / "dump", "calendars", rows)
    device, _ = phone(tmp_path / "dump")
    assert [(c.calendar_id, c.name, c.account, c.is_default, c.writable) for c in device.calendars] == [
        ("android:1", names[0], "rosa@example.org", True, True),
        ("android:2", names[1], "", False, False),
    ]
    dump(tmp_path / "dump", "calendars", [row | {"isPrimary": 1} for row in rows])
    device, report = phone(tmp_path / "dump")
    assert not any(calendar.is_default for calendar in device.calendars)
    assert said(report) == ["doubted: isPrimary: 2 calendars are primary; none is read as the default"]


def instance(number: int, **more: Any) -> dict[str, Any]:
    times = {"begin": millis("2026-11-03T09:00:00"), "end": millis("2026-11-03T10:00:00")}
    return {"_id": number, "event_id": 50 + number, "title": "Tea, end=0", "allDay": 0} | times | more


def test_instances_are_events_as_the_phone_lists_them(tmp_path: Path) -> None:
    days = {"begin": millis("2026-11-04"), "end": millis("2026-11-05"), "allDay": 1}
    dump(tmp_path / "dump", "instances", [instance(1, calendar_id=4, eventLocation="Home"), instance(2, **days)])
    dump(tmp_path / "dump", "attendees", [{"_id": 1, "event_id": 51, "attendeeEmail": "bob@x.example"}])
    device, report = phone(tmp_path / "dump")
    tea, day = device.upcoming_events
    assert (tea.event_id, tea.title, tea.location) == ("android:51@20261103T090000Z", "Tea, end=0", "Home")
    assert (tea.calendar_id, tea.attendees) == ("android:4", ("bob@x.example",))
    assert tea.start_time.isoformat() == "2026-11-03T10:00:00+01:00"
    assert (day.all_day, day.start_time.isoformat()) == (True, "2026-11-04T00:00:00+01:00")
    assert said(report) == []


@pytest.mark.parametrize(
    ("cells", "answer", "doubted"),
    [
        ({}, Response.ACCEPTED, False),
        ({"selfAttendeeStatus": 0, "organizer": "rosa@example.org"}, Response.ACCEPTED, False),
        ({"selfAttendeeStatus": 3, "organizer": "rosa@example.org"}, Response.ACCEPTED, False),
        ({"selfAttendeeStatus": 1, "organizer": "bob@x.example"}, Response.ACCEPTED, False),
        ({"selfAttendeeStatus": 2, "organizer": "bob@x.example"}, Response.DECLINED, False),
        ({"selfAttendeeStatus": 3, "organizer": "bob@x.example"}, Response.NEEDS_ACTION, False),
        ({"selfAttendeeStatus": 4, "organizer": "bob@x.example"}, Response.TENTATIVE, False),
        ({"selfAttendeeStatus": 0, "organizer": "bob@x.example"}, Response.NEEDS_ACTION, True),
    ],
)
def test_the_owners_answer_is_their_own_attendee_status(
    tmp_path: Path, cells: dict[str, Any], answer: Response, doubted: bool
) -> None:
    dump(tmp_path / "dump", "instances", [instance(1, **cells)])
    device, report = phone(tmp_path / "dump")
    assert [one.response for one in device.upcoming_events] == [answer]
    assert bool(said(report)) is doubted


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ({"eventStatus": 2}, "is cancelled"),
        ({"begin": None}, "has no begin"),
        ({"begin": 10**17}, "which is no time"),
        ({"event_id": None}, "belongs to no event"),
        ({"end": millis("2026-11-03T08:00:00")}, "ends before it starts; read as ending where it starts"),
        ({"begin": 0, "end": 0}, "has no occurrence from"),
    ],
)
def test_an_instance_that_cannot_be_used_is_named_and_stops_nothing(
    tmp_path: Path, cells: dict[str, Any], says: str
) -> None:
    dump(tmp_path / "dump", "instances", [instance(1, **cells), instance(2)])
    device, report = phone(tmp_path / "dump")
    assert "android:52@20261103T090000Z" in [one.event_id for one in device.upcoming_events]
    assert says in said(report)[0]


def test_planned_events_are_expanded_by_their_rules(tmp_path: Path) -> None:
    plan = {
        "dtstart": millis("2026-11-02T15:00:00"),
        "duration": "P3600S",
        "rrule": "FREQ=DAILY;COUNT=4",
        "exdate": "America/New_York;20261103T100000",
        "eventTimezone": "America/New_York",
        "title": "Tea",
    }
    rows = [
        {"_id": 1} | plan,
        {
            "_id": 2,
            "dtstart": millis("2026-11-04T18:00:00"),
            "dtend": millis("2026-11-04T19:00:00"),
            "title": "Late tea",
        }
        | {
            "eventTimezone": "America/New_York",
            "original_id": 1,
            "originalInstanceTime": millis("2026-11-04T15:00:00"),
        },
        {"_id": 3, "dtstart": millis("2026-11-07"), "dtend": millis("2026-11-08"), "allDay": 1, "title": "Day"},
        {"_id": 4, "dtstart": millis("2026-11-07"), "title": "Gone", "deleted": 1},
        {
            "_id": 5,
            "dtstart": millis("2026-11-08"),
            "dtend": millis("2026-11-08"),
            "title": "Where",
            "eventTimezone": "Mars",
        },
    ]
    dump(tmp_path / "dump", "events", rows)
    device, report = phone(tmp_path / "dump")
    assert [(f"{e.start_time:%d %H:%M}", e.title, f"{e.end_time - e.start_time}") for e in device.upcoming_events] == [
        ("02 16:00", "Tea", "1:00:00"),
        ("04 19:00", "Late tea", "1:00:00"),
        ("05 16:00", "Tea", "1:00:00"),
        ("07 00:00", "Day", "1 day, 0:00:00"),
        ("08 01:00", "Where", "0:00:00"),
    ]
    assert said(report) == [
        "dropped: line 4: event “Gone”: is deleted",
        "doubted: line 5: event “Where”: DTSTART is in the unknown zone “Mars”; read in the phone's",
    ]
    assert {Path(finding.file).name for finding in report.findings} == {"events.dtstart.txt"}


def test_instances_are_preferred_to_planned_events(tmp_path: Path) -> None:
    dump(tmp_path / "dump", "instances", [instance(1)])
    dump(tmp_path / "dump", "events", [{"_id": 1, "dtstart": 0, "title": "x"}])
    device, report = phone(tmp_path / "dump")
    assert len(device.upcoming_events) == 1
    assert said(report) == ["doubted: the table events: is not read: the instances say when its events are"]


HOSTILE_VALUES = st.lists(
    st.sampled_from(
        [
            "Ana",
            ", data1=",
            "\n",
            "NULL",
            "Row: 1 _id=2, data1=",
            "\nRow: 1 _id=2, data1=",
            "\nRow: 2 _id=9, data1=Eve",
            "=",
            " ",
        ]
    )
    | st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=5),
    max_size=6,
).map("".join)


@given(st.lists(HOSTILE_VALUES, min_size=1, max_size=5))
def test_no_value_is_ever_misread_in_silence(tmp_path_factory: pytest.TempPathFactory, values: list[str]) -> None:
    folder = tmp_path_factory.mktemp("dump")
    rows = [{"_id": 2 * n, "contact_id": 1, "mimetype": "x", "data1": value} for n, value in enumerate(values)]
    dump(folder, "data", rows)
    tables, _ = column_files(folder)
    log = Log("dump", "android")
    read_rows(tables["data"], log)
    got = {row.id: row.cells.get("data1") for row in tables["data"].rows}
    assert list(got) == [row["_id"] for row in rows], "rows are those of the column that nobody can forge"
    said_of = {finding.what for finding in log.findings}
    for number, (row, value) in enumerate(zip(rows, values, strict=True)):
        plain = value.rstrip("\n")
        if got[row["_id"]] != (None if plain == "NULL" else plain):
            assert f"data1 of row {number}" in said_of


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        (
            "data.data1.txt",
            "Error while accessing provider:com.android.contacts\n",
            r"no row of `content query` for _id:data1, but “Error while",
        ),
        ("data.data1.txt", "Row: 0 data1=Ana\n", "no row of `content query` for _id:data1"),
        ("data.data1.txt", "", "the file is empty"),
    ],
)
def test_a_column_that_adb_did_not_give_is_refused(tmp_path: Path, name: str, content: str, says: str) -> None:
    dump(tmp_path / "dump", "data", [data(1, 1, "name", "Ana")])
    write(tmp_path / "dump", name, content)
    with pytest.raises(InvalidInput, match=says):
        phone(tmp_path / "dump")


def test_a_table_that_lacks_a_column_is_refused_with_the_command_that_gets_it(tmp_path: Path) -> None:
    dump(tmp_path / "dump", "data", [{"_id": 1, "contact_id": 1, "data1": "x"}])
    with pytest.raises(
        InvalidInput, match=r"needs the column mimetype\. adb shell content query --uri content://com.*_id:mime"
    ):
        phone(tmp_path / "dump")


@pytest.mark.parametrize("name", ["notes.txt", "data.photo.txt", "nothing.data1.txt"])
def test_a_folder_without_a_table_is_refused(tmp_path: Path, name: str) -> None:
    write(tmp_path, name, "x")
    with pytest.raises(InvalidInput, match="the folder holds no column of a table"):
        phone(tmp_path)
    with pytest.raises(InvalidInput, match="no folder that can be read"):
        phone(tmp_path / name)


def test_other_files_in_the_folder_are_reported(tmp_path: Path) -> None:
    dump(tmp_path, "data", [data(1, 1, "name", "Ana")])
    write(tmp_path, "README", "x")
    assert said(phone(tmp_path)[1]) == ["dropped: “README”: is no column of a table: it is not read"]


def test_a_column_that_ends_early_is_doubted(tmp_path: Path) -> None:
    dump(tmp_path, "data", [data(1, 1, "name", "Ana"), data(2, 1, "phone_v2", "1"), data(3, 1, "phone_v2", "2")])
    write(tmp_path, "data.data1.txt", "Row: 0 _id=1, data1=Ana\n")
    device, report = phone(tmp_path)
    assert device.contacts[0].phones == ()
    assert said(report) == ["doubted: data1: has no value for 2 rows, from _id 2 on; they are read without it"]


def test_an_empty_table_is_no_error(tmp_path: Path) -> None:
    for column in ("contact_id", "mimetype", "data1"):
        write(tmp_path, f"data.{column}.txt", "No result found.\n")
    device, report = phone(tmp_path)
    assert device.contacts == ()
    assert said(report) == []
