from __future__ import annotations

import time
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starebrain.importers.base import Phone, Unusable
from starebrain.importers.recurrence import MAX_OCCURRENCES, Budget, Part, expand
from starebrain.importers.rules import parse_rule
from tests.importers.files import calendar, event, imported, of_files, said

BERLIN = ZoneInfo("Europe/Berlin")
DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def phone(at: datetime, days: int) -> Phone:
    return Phone(at, at + timedelta(days=days), BERLIN)


def starts(folder: Path, *lines_of: tuple[str, ...], days: int = 60) -> list[str]:
    content = calendar(*(event("UID:u", *lines) for lines in lines_of))
    device, _ = imported(folder, "calendar", "a.ics", content, days=days)
    return [f"{one.start_time:%m-%d %H:%M} {one.title}".strip() for one in device.upcoming_events]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("DTSTART:20261102T100000", "RRULE:FREQ=DAILY;COUNT=3"), ["11-02 10:00", "11-03 10:00", "11-04 10:00"]),
        (
            ("DTSTART:20261102T100000", "RRULE:FREQ=DAILY;COUNT=4", "EXDATE:20261103T100000,20261104T100000"),
            ["11-02 10:00", "11-05 10:00"],
        ),
        (
            ("DTSTART:20261102T100000", "RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20261103T090000Z"),
            ["11-02 10:00", "11-04 10:00"],
        ),
        (
            ("DTSTART:20261102T100000", "RRULE:FREQ=DAILY;COUNT=3", "EXDATE;VALUE=DATE:20261103"),
            ["11-02 10:00", "11-04 10:00"],
        ),
        (
            ("DTSTART:20261102T100000", "RDATE:20261105T120000", "RDATE:20261106T120000"),
            ["11-02 10:00", "11-05 12:00", "11-06 12:00"],
        ),
        (
            ("DTSTART:20261028T100000", "DTEND:20261028T110000", "RRULE:FREQ=WEEKLY;BYDAY=MO, WE ;COUNT=4"),
            ["11-02 10:00", "11-04 10:00", "11-09 10:00"],
        ),
        (("DTSTART;VALUE=DATE:20201103", "RRULE:FREQ=YEARLY"), ["11-03 00:00"]),
        (("DTSTART;VALUE=DATE:00021103", "RRULE:FREQ=YEARLY"), ["11-03 00:00"]),
        (("DTSTART:20261102T100000", "RRULE:FREQ=DAILY;UNTIL=20261103"), ["11-02 10:00", "11-03 10:00"]),
        (("DTSTART:20261102T100000", "RRULE:FREQ=DAILY;UNTIL=20261103T090000Z"), ["11-02 10:00", "11-03 10:00"]),
        (("DTSTART:20261102T100000", "RRULE:FREQ=DAILY;UNTIL=20261103T095959"), ["11-02 10:00"]),
        (("DTSTART;VALUE=DATE:20261102", "RRULE:FREQ=DAILY;UNTIL=20261103T225959Z"), ["11-02 00:00", "11-03 00:00"]),
        (("DTSTART:20261102T100000", "RRULE:FREQ=YEARLY;UNTIL=99991231T235959Z"), ["11-02 10:00"]),
        (("DTSTART:20261025T100000", "RRULE:FREQ=WEEKLY;COUNT=3"), ["11-08 10:00"]),
    ],
)
def test_a_rule_is_expanded_over_the_days_asked_for(
    tmp_path: Path, lines: tuple[str, ...], expected: list[str]
) -> None:
    assert starts(tmp_path, lines) == expected


DAILY = ("DTSTART:20261102T100000", "DTEND:20261102T110000", "RRULE:FREQ=DAILY;COUNT=4", "SUMMARY:plan")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            ("RECURRENCE-ID:20261103T100000", "DTSTART:20261103T150000", "SUMMARY:moved"),
            ["11-02 10:00 plan", "11-03 15:00 moved", "11-04 10:00 plan", "11-05 10:00 plan"],
        ),
        (
            ("RECURRENCE-ID:20261103T100000", "DTSTART:20261103T100000", "STATUS:CANCELLED"),
            ["11-02 10:00 plan", "11-04 10:00 plan", "11-05 10:00 plan"],
        ),
        (
            ("RECURRENCE-ID;RANGE=THISANDFUTURE:20261104T100000", "DTSTART:20261104T120000", "SUMMARY:later"),
            ["11-02 10:00 plan", "11-03 10:00 plan", "11-04 12:00 later", "11-05 12:00 later"],
        ),
        (
            ("RECURRENCE-ID:20261103T100000", "DTSTART:20261103T150000", "SUMMARY:older", "SEQUENCE:0"),
            ["11-02 10:00 plan", "11-03 15:00 older", "11-04 10:00 plan", "11-05 10:00 plan"],
        ),
    ],
)
def test_a_changed_occurrence_replaces_the_planned_one(
    tmp_path: Path, change: tuple[str, ...], expected: list[str]
) -> None:
    assert starts(tmp_path, DAILY, change) == expected


def test_a_change_without_what_it_changes_comes_in(tmp_path: Path) -> None:
    assert starts(tmp_path, ("RECURRENCE-ID:20261103T100000", "DTSTART:20261103T150000")) == ["11-03 15:00"]


def test_of_two_changes_the_newer_one_counts_and_the_older_is_reported(tmp_path: Path) -> None:
    def changed(sequence: int) -> str:
        line = f"SEQUENCE:{sequence}"
        return event("UID:u", "RECURRENCE-ID:20261103T100000", f"DTSTART:20261103T1{sequence}0000", line)

    content = calendar(event("UID:u", *DAILY), changed(5), changed(6))
    device, report = imported(tmp_path, "calendar", "a.ics", content)
    assert [f"{one.start_time:%d %H}" for one in device.upcoming_events] == ["02 10", "03 16", "04 10", "05 10"]
    assert [finding.reason for finding in of_files(report)] == ["is an older version: another replaces it"]


@pytest.mark.parametrize(
    ("first", "second", "titles", "says"),
    [
        (("SUMMARY:A", "SEQUENCE:1"), ("SUMMARY:B", "SEQUENCE:2"), ["B"], "is an older version: its SEQUENCE is lower"),
        (("SUMMARY:A",), ("SUMMARY:A",), ["A"], "is the same event as in line 3"),
        (("SUMMARY:A",), ("SUMMARY:B",), ["A", "B"], "has the UID of the event in line 3"),
    ],
)
def test_events_of_one_uid_are_versions_copies_or_both_kept(
    tmp_path: Path, first: tuple[str, ...], second: tuple[str, ...], titles: list[str], says: str
) -> None:
    both = [event("UID:u", "DTSTART:20261103T100000", *lines) for lines in (first, second)]
    device, report = imported(tmp_path, "calendar", "a.ics", calendar(*both))
    assert [one.title for one in device.upcoming_events] == titles
    assert says in [finding.reason for finding in of_files(report)]


def test_occurrences_have_ids_by_their_planned_start_whatever_was_moved(tmp_path: Path) -> None:
    change = ("RECURRENCE-ID;RANGE=THISANDFUTURE:20261104T100000", "DTSTART:20261104T120000")
    content = calendar(event("UID:u", *DAILY), event("UID:u", *change))
    device, report = imported(tmp_path, "calendar", "a.ics", content)
    assert [one.event_id for one in device.upcoming_events] == [
        "u@20261102T090000Z",
        "u@20261103T090000Z",
        "u@20261104T090000Z",
        "u@20261105T110000Z",
    ]
    assert said(report) == []


@pytest.mark.parametrize(
    ("rule", "doubt"),
    [
        ("FREQ=SECONDLY", "recurs more often than every minute"),
        (
            "FREQ=DAILY;BYHOUR=1,2;BYMINUTE="
            + ",".join(map(str, range(60)))
            + ";BYSECOND="
            + ",".join(map(str, range(60))),
            "recurs more",
        ),
        ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "fits no day at all"),
        ("FREQ=HOURLY;INTERVAL=2;BYHOUR=1", "cannot be computed"),
        ("FREQ=NEVER", "has no frequency that is known; RRULE is not used"),
        ("D1 #10", "has no frequency that is known; RRULE is not used"),
        ("FREQ=DAILY;COUNT=many", "has the COUNT “MANY”; RRULE is not used"),
        ("FREQ=DAILY;UNTIL=soon", "“SOON” is no date or time; RRULE is not used"),
        ("FREQ=DAILY;BYMONTH=x", "has the BYMONTH “X”; RRULE is not used"),
        ("FREQ=DAILY;BYDAY=XX", "cannot be computed"),
    ],
)
def test_a_rule_that_cannot_be_used_leaves_the_day_that_the_event_names(tmp_path: Path, rule: str, doubt: str) -> None:
    content = calendar(event("DTSTART:20261102T100000", f"RRULE:{rule}"), event("DTSTART:20261103T100000"))
    device, report = imported(tmp_path, "calendar", "a.ics", content)
    assert [f"{one.start_time:%m-%d %H:%M}" for one in device.upcoming_events] == ["11-02 10:00", "11-03 10:00"]
    (says,) = said(report)
    assert doubt in says


@pytest.mark.parametrize(
    ("rule", "doubt", "first"),
    [
        ("FREQ=DAILY;INTERVAL=0;COUNT=2", "the INTERVAL of the rule is 0; it is not used", ["02", "03"]),
        ("FREQ=WEEKLY;COUNT=-1", "the COUNT of the rule is -1; it is not used", ["02", "09"]),
        ("FREQ=DAILY;COUNT=2;X-SKIP=1", "the part “X-SKIP=1” of the rule is not used", ["02", "03"]),
        ("FREQ=DAILY;COUNT=2;FREQ=WEEKLY", "the part “FREQ=WEEKLY” of the rule is not used", ["02", "03"]),
    ],
)
def test_a_rule_that_can_be_mended_is_doubted(tmp_path: Path, rule: str, doubt: str, first: list[str]) -> None:
    device, report = imported(
        tmp_path, "calendar", "a.ics", calendar(event("DTSTART:20261102T100000", f"RRULE:{rule}"))
    )
    assert [f"{one.start_time:%d}" for one in device.upcoming_events][:2] == first
    assert [finding.reason for finding in of_files(report)] == [doubt]


def test_what_recurs_very_often_is_listed_for_a_while_and_doubted(tmp_path: Path) -> None:
    content = calendar(event("DTSTART:20261102T100000", "RRULE:FREQ=MINUTELY"))
    device, report = imported(tmp_path, "calendar", "a.ics", content)
    assert len(device.upcoming_events) == MAX_OCCURRENCES
    (says,) = said(report)
    assert "recurs up to 1,440 times a day; listed until 2026-11-04 12:00 only" in says


def test_an_hourly_event_is_listed_whole(tmp_path: Path) -> None:
    content = calendar(event("DTSTART:20261102T100000", "RRULE:FREQ=HOURLY"))
    device, report = imported(tmp_path, "calendar", "a.ics", content, days=7)
    assert len(device.upcoming_events) == 7 * 24 - 1
    assert said(report) == []


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=SECONDLY",
        "FREQ=MINUTELY",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MINUTELY;BYHOUR=1,2,3;BYSECOND=0,30",
        "FREQ=WEEKLY;BYMONTH=1;BYSETPOS=300;BYDAY=MO",
    ],
)
def test_many_costly_rules_take_a_bounded_time_and_lose_nothing(tmp_path: Path, rule: str) -> None:
    many = [event(f"UID:{number}", "DTSTART:19900101T100000", f"RRULE:{rule}") for number in range(300)]
    begin = time.process_time()
    _, report = imported(tmp_path, "calendar", "a.ics", calendar(*many, event("DTSTART:20261103T100000")))
    assert time.process_time() - begin < 25
    assert (report.files[0].entries, report.files[0].records["events"] > 0) == (301, True)


def test_a_file_has_a_budget_and_what_exceeds_it_is_said() -> None:
    rule, _ = parse_rule("FREQ=DAILY")
    part = Part(datetime(2026, 11, 2, 10, tzinfo=BERLIN), datetime(2026, 11, 2, 11, tzinfo=BERLIN), rules=(rule,))
    with pytest.raises(Unusable, match="the file's rules take too long to compute"):
        expand([part], phone(datetime(2026, 11, 2, tzinfo=BERLIN), 60), Budget(1000))


moments = st.datetimes(datetime(2026, 3, 1), datetime(2026, 12, 1)).map(lambda t: t.replace(second=0, microsecond=0))


@settings(max_examples=60)
@given(
    start=moments,
    days=st.sets(st.sampled_from(DAYS), min_size=1),
    interval=st.integers(1, 3),
    count=st.none() | st.integers(1, 20),
    length=st.integers(0, 72),
    skipped=st.sets(st.integers(0, 30)),
    at=moments,
)
def test_weekly_rules_agree_with_a_walk_through_the_days(
    start: datetime, days: set[str], interval: int, count: int | None, length: int, skipped: set[int], at: datetime
) -> None:
    rule, _ = parse_rule(
        f"FREQ=WEEKLY;WKST=MO;INTERVAL={interval};BYDAY={','.join(sorted(days))}" + (f";COUNT={count}" if count else "")
    )
    monday = (start - timedelta(days=start.weekday())).date()
    planned = [
        day
        for day in (start + timedelta(days=n) for n in range(400))
        if DAYS[day.weekday()] in days and (day.date() - monday).days // 7 % interval == 0
    ][:count]
    # an event takes place on the day that it names, whatever its rule says
    dates = sorted({start, *planned})
    excluded = tuple(dates[n].replace(tzinfo=BERLIN) for n in skipped if n < len(dates))
    end = start + timedelta(hours=length)
    part = Part(start.replace(tzinfo=BERLIN), end.replace(tzinfo=BERLIN), rules=(rule,), excluded=excluded)
    span = phone(at.replace(tzinfo=BERLIN), 30)
    expected = [
        day
        for day in (each.replace(tzinfo=BERLIN) for each in dates)
        if day not in excluded and day < span.until and (day + timedelta(hours=length) > span.at or day == span.at)
    ]
    got = [one.start for one in expand([part], span, Budget()).occurrences]
    assert [day.replace(tzinfo=None) for day in got] == [day.replace(tzinfo=None) for day in expected]
