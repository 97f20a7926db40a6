from __future__ import annotations

from pathlib import Path

import pytest

from starebrain.device import Event, Owner, Response
from starebrain.errors import InvalidInput
from starebrain.importers import Outcome
from tests.importers.files import AT, calendar, event, imported, of_files, said

DAY = "DTSTART:20261103T090000Z"


def events(folder: Path, content: str, **more: object) -> tuple[Event, ...]:
    return imported(folder, "calendar", "a.ics", content, **more)[0].upcoming_events


def when(folder: Path, content: str, **more: object) -> list[str]:
    """Start and end of every event, as the phone in Berlin shows them."""
    return [
        f"{one.start_time:%m-%d %H:%M%z} {one.end_time:%m-%d %H:%M%z}{' all day' * one.all_day}"
        for one in events(folder, content, **more)
    ]


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        (("DTSTART:20261103T090000Z", "DTEND:20261103T100000Z"), "11-03 10:00+0100 11-03 11:00+0100"),
        (("DTSTART:20261103T090000", "DURATION:PT1H30M"), "11-03 09:00+0100 11-03 10:30+0100"),
        (("DTSTART;TZID=America/New_York:20261103T090000",), "11-03 15:00+0100 11-03 15:00+0100"),
        (("DTSTART;TZID=Eastern Standard Time:20261103T090000",), "11-03 15:00+0100 11-03 15:00+0100"),
        (("DTSTART;TZID=america/new_york:20261103T090000",), "11-03 15:00+0100 11-03 15:00+0100"),
        (("DTSTART;TZID=/mozilla.org/2007_1/Asia/Tokyo:20261103T090000",), "11-03 01:00+0100 11-03 01:00+0100"),
        (("DTSTART;TZID=UTC+11:20261103T230000",), "11-03 13:00+0100 11-03 13:00+0100"),
        (("DTSTART;VALUE=DATE:20261103",), "11-03 00:00+0100 11-04 00:00+0100 all day"),
        (("DTSTART;VALUE=DATE:20261103", "DTEND;VALUE=DATE:20261105"), "11-03 00:00+0100 11-05 00:00+0100 all day"),
        (("DTSTART;VALUE=DATE:20261103", "DURATION:P2D"), "11-03 00:00+0100 11-05 00:00+0100 all day"),
        (("DTSTART:20261103T235960Z",), "11-04 00:59+0100 11-04 00:59+0100"),
        (("DTSTART:20261103T240000Z",), "11-04 01:00+0100 11-04 01:00+0100"),
        (("DTSTART:2026-11-03T09:00:00Z",), "11-03 10:00+0100 11-03 10:00+0100"),
    ],
)
def test_a_time_is_read_without_doubt(tmp_path: Path, lines: tuple[str, ...], shown: str) -> None:
    content = calendar(event(*lines))
    assert when(tmp_path, content) == [shown]
    assert said(imported(tmp_path, "calendar", "a.ics", content)[1]) == []


@pytest.mark.parametrize(
    ("lines", "shown", "doubt"),
    [
        (
            ("DTSTART;TZID=Nowhere/Land:20261103T090000",),
            "11-03 09:00+0100 11-03 09:00+0100",
            "DTSTART is in the unknown zone “Nowhere/Land”; read in the phone's",
        ),
        (
            ("DTSTART;TZID=tzone://Microsoft/Utc:20261103T090000",),
            "11-03 10:00+0100 11-03 10:00+0100",
            "DTSTART names its zone “tzone://Microsoft/Utc” without quotation marks",
        ),
        (
            ('DTSTART;TZID="(UTC+05:30) Chennai, Kolkata":20261103T090000',),
            "11-03 04:30+0100 11-03 04:30+0100",
            "“(UTC+05:30) Chennai, Kolkata” is no zone that is known; read as UTC+05:30 all year",
        ),
        (
            ("DTSTART;TZID=Office/Asia/Tokyo:20261103T090000",),
            "11-03 01:00+0100 11-03 01:00+0100",
            "“Office/Asia/Tokyo” is read as Asia/Tokyo",
        ),
        (
            ("DTSTART:20261103T090000Z", "DTEND:20261103T080000Z"),
            "11-03 10:00+0100 11-03 10:00+0100",
            "ends before it starts (2026-11-03 08:00); read as ending where it starts",
        ),
        (
            ("DTSTART:20261103T090000Z", "DURATION:-PT1H"),
            "11-03 10:00+0100 11-03 10:00+0100",
            "ends before it starts (2026-11-03 08:00); read as ending where it starts",
        ),
        (
            ("DTSTART:20261103T090000Z", "DURATION:soon"),
            "11-03 10:00+0100 11-03 10:00+0100",
            "DURATION: “soon” is no length of time; the event ends where it starts",
        ),
        (
            ("DTSTART;VALUE=DATE:20261103", "DTEND;VALUE=DATE:20261103"),
            "11-03 00:00+0100 11-04 00:00+0100 all day",
            "is a day without a length; read as one day",
        ),
        (
            ("DTSTART:20261103T090000Z", "DTEND;VALUE=DATE:20261104"),
            "11-03 10:00+0100 11-04 01:00+0100",
            "DTSTART and DTEND are not both days or both times; read like DTSTART",
        ),
        (
            ("DTSTART;TZID=America/New_York:20261101T013000",),
            "11-01 06:30+0100 11-01 06:30+0100",
            "2026-11-01 01:30 occurs twice in America/New_York; read as the first",
        ),
    ],
)
def test_a_time_that_may_be_wrong_is_doubted(tmp_path: Path, lines: tuple[str, ...], shown: str, doubt: str) -> None:
    at = AT.replace(day=1, hour=0)
    device, report = imported(tmp_path, "calendar", "a.ics", calendar(event(*lines)), at=at)
    assert when(tmp_path, calendar(event(*lines)), at=at) == [shown]
    assert doubt in [finding.reason for finding in of_files(report)]
    assert {finding.outcome for finding in of_files(report)} == {Outcome.DOUBTED}
    assert len(device.upcoming_events) == 1


def test_an_hour_that_clocks_skip_is_moved_on_and_doubted(tmp_path: Path) -> None:
    content = calendar(event("DTSTART;TZID=Europe/Berlin:20270328T023000"))
    device, report = imported(tmp_path, "calendar", "a.ics", content, days=200)
    assert device.upcoming_events[0].start_time.isoformat() == "2027-03-28T03:30:00+02:00"
    assert [finding.reason for finding in of_files(report)] == [
        "2027-03-28 02:30 does not occur in Europe/Berlin: clocks skip it; moved to 03:30"
    ]


BRASILIA = """BEGIN:VTIMEZONE
TZID:(UTC-03:00) Brasília
BEGIN:STANDARD
DTSTART:16010101T000000
TZOFFSETFROM:-0200
TZOFFSETTO:-0300
RRULE:FREQ=YEARLY;BYDAY=3SA;BYMONTH=2
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T000000
TZOFFSETFROM:-0300
TZOFFSETTO:-0200
RRULE:FREQ=YEARLY;BYDAY=2SA;BYMONTH=10
END:DAYLIGHT
END:VTIMEZONE
"""


def zone(tzid: str, offset: str, *more: str) -> str:
    lines = "\n".join((f"TZOFFSETFROM:{offset}", f"TZOFFSETTO:{offset}", *more))
    return (
        f"BEGIN:VTIMEZONE\nTZID:{tzid}\nBEGIN:STANDARD\nDTSTART:20200101T000000\n{lines}\nEND:STANDARD\nEND:VTIMEZONE\n"
    )


def test_rules_in_the_file_say_what_a_zone_of_its_own_is(tmp_path: Path) -> None:
    content = calendar(BRASILIA, event('DTSTART;TZID="(UTC-03:00) Brasília":20261103T090000'))
    assert when(tmp_path, content) == ["11-03 12:00+0100 11-03 12:00+0100"]
    assert said(imported(tmp_path, "calendar", "a.ics", content)[1]) == []


def test_a_zone_of_the_same_name_in_another_file_is_another_zone(tmp_path: Path) -> None:
    for offset, hour in (("+0300", "07"), ("-0300", "13")):
        content = calendar(zone("Ours", offset), event("DTSTART;TZID=Ours:20261103T090000"))
        assert when(tmp_path, content) == [f"11-03 {hour}:00+0100 11-03 {hour}:00+0100"]


def test_rules_that_contradict_a_known_zone_are_not_used_but_doubted(tmp_path: Path) -> None:
    content = calendar(zone("Asia/Tokyo", "+0300"), event("DTSTART;TZID=Asia/Tokyo:20261103T090000"))
    assert when(tmp_path, content) == ["11-03 01:00+0100 11-03 01:00+0100"]
    (says,) = said(imported(tmp_path, "calendar", "a.ics", content)[1])
    assert "the file's own rules put “Asia/Tokyo” at another offset than +0900, which is used" in says


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (zone("Ours", "+9999"), "cannot be read"),
        (zone("Ours", "+0100", "RRULE:FREQ=SECONDLY"), "recurs more often than every minute"),
        (zone("Ours", "+0100", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"), "does not change clocks once a year"),
        (zone("Ours", "+0100", "RDATE:soon"), "has the RDATE “soon”"),
        (zone("", "+0100"), "has no TZID"),
    ],
)
def test_rules_of_a_zone_that_cannot_be_used_are_doubted(tmp_path: Path, rules: str, reason: str) -> None:
    content = calendar(rules, event("DTSTART;TZID=Ours:20261103T090000"))
    assert when(tmp_path, content) == ["11-03 09:00+0100 11-03 09:00+0100"]
    says = said(imported(tmp_path, "calendar", "a.ics", content)[1])
    assert reason in says[0]
    assert says[0].startswith("doubted: line 3: VTIMEZONE")
    assert "unknown zone “Ours”" in says[1]


def test_the_calendars_own_zone_is_that_of_times_without_one(tmp_path: Path) -> None:
    content = calendar(event("DTSTART:20261103T090000"), head="X-WR-TIMEZONE:Asia/Tokyo\r\n")
    assert when(tmp_path, content) == ["11-03 01:00+0100 11-03 01:00+0100"]
    assert (
        "read in the calendar's Asia/Tokyo, not the phone's Europe/Berlin"
        in said(imported(tmp_path, "calendar", "a.ics", content)[1])[0]
    )


def test_utc_times_recur_at_the_local_time_of_the_calendars_own_zone(tmp_path: Path) -> None:
    rule = ("DTSTART:20261020T160000Z", "RRULE:FREQ=WEEKLY;COUNT=4")
    content = calendar(event(*rule), head="X-WR-TIMEZONE:America/New_York\r\n")
    assert when(tmp_path, content) == ["11-03 18:00+0100 11-03 18:00+0100", "11-10 18:00+0100 11-10 18:00+0100"]
    assert when(tmp_path, calendar(event(*rule)))[0] == "11-03 17:00+0100 11-03 17:00+0100"


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        ((), Response.ACCEPTED),
        (("ORGANIZER:mailto:rosa@example.org", "ATTENDEE:mailto:bob@x.example"), Response.ACCEPTED),
        (
            ("ORGANIZER:MAILTO:ROSA@example.org", "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:rosa@example.org"),
            Response.ACCEPTED,
        ),
        (
            ("ORGANIZER:mailto:rosa@example.org", "ATTENDEE;PARTSTAT=DECLINED:mailto:rosa@example.org"),
            Response.DECLINED,
        ),
        (("ORGANIZER:mailto:bob@x.example", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:Rosa@Example.org"), Response.ACCEPTED),
        (
            ("ORGANIZER:mailto:bob@x.example", "ATTENDEE;PARTSTAT=TENTATIVE:mailto:r.fry@work.example"),
            Response.TENTATIVE,
        ),
        (("ORGANIZER:mailto:bob@x.example", "ATTENDEE;PARTSTAT=declined:mailto:r.fry@work.example"), Response.DECLINED),
        (
            ("ORGANIZER:mailto:bob@x.example", "ATTENDEE;PARTSTAT=DELEGATED:mailto:r.fry@work.example"),
            Response.DECLINED,
        ),
        (("ORGANIZER:mailto:bob@x.example", "ATTENDEE:mailto:rosa@example.org"), Response.NEEDS_ACTION),
        (("ORGANIZER:mailto:bob@x.example", "ATTENDEE;PARTSTAT=X-SO:mailto:rosa@example.org"), Response.NEEDS_ACTION),
        (
            ("ORGANIZER:mailto:bob@x.example", "ATTENDEE;EMAIL=rosa@example.org;PARTSTAT=ACCEPTED:urn:x"),
            Response.ACCEPTED,
        ),
    ],
)
def test_the_owners_answer_is_their_own_attendees(tmp_path: Path, lines: tuple[str, ...], answer: Response) -> None:
    content = calendar(event(DAY, *lines))
    assert [one.response for one in events(tmp_path, content)] == [answer]
    assert said(imported(tmp_path, "calendar", "a.ics", content)[1]) == []


@pytest.mark.parametrize(
    ("lines", "method", "owner", "doubt"),
    [
        (("ATTENDEE:mailto:bob@x.example",), "", ("rosa@example.org",), "none of the owner's addresses"),
        (("ORGANIZER:mailto:bob@x.example",), "", ("rosa@example.org",), "none of the owner's addresses"),
        (("ORGANIZER:mailto:bob@x.example",), "", (), "no address of the owner is known"),
        ((), "REQUEST", ("rosa@example.org",), "is an invitation (METHOD:REQUEST) that does not say from whom"),
    ],
)
def test_an_answer_that_the_file_does_not_tell_is_none_and_doubted(
    tmp_path: Path, lines: tuple[str, ...], method: str, owner: tuple[str, ...], doubt: str
) -> None:
    content = calendar(event(DAY, *lines), head=f"METHOD:{method}\r\n" if method else "")
    device, report = imported(tmp_path, "calendar", "a.ics", content, owner=Owner("Rosa", owner))
    assert device.upcoming_events[0].response is Response.NEEDS_ACTION
    (says,) = said(report)
    assert doubt in says


def test_people_are_listed_by_address_or_else_by_name(tmp_path: Path) -> None:
    lines = (
        'ORGANIZER;CN="Ash, Bob":MAILTO:bob@x.example',
        "ATTENDEE;CN=Mia:invalid:nomail",
        "ATTENDEE:mailto:rosa@example.org",
        "ATTENDEE:mailto:rosa@example.org",
    )
    (one,) = events(tmp_path, calendar(event(DAY, *lines)))
    assert (one.organizer, one.attendees) == ("bob@x.example", ("Mia", "rosa@example.org"))


def test_calendars_of_one_name_in_a_file_are_one(tmp_path: Path) -> None:
    content = "".join(calendar(event(DAY, f"UID:{number}")) for number in range(3))
    device, report = imported(tmp_path, "calendar", "a.ics", content)
    assert [one.calendar_id for one in device.calendars] == ["a.ics"]
    assert {one.calendar_id for one in device.upcoming_events} == {"a.ics"}
    assert said(report) == []


def test_text_is_unescaped_and_on_one_line(tmp_path: Path) -> None:
    (one,) = events(tmp_path, calendar(event(DAY, "SUMMARY:Lunch\\, late\\n <b>", "LOCATION:", "UID:u")))
    assert (one.title, one.location, one.event_id, one.calendar_id) == ("Lunch, late <b>", None, "u", "a.ics")


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("X-WR-CALNAME:Familie\r\n", "Familie"),
        ("NAME:Work\r\n", "Work"),
        ("NAME:N\r\nX-WR-CALNAME:X\r\n", "X"),
        ("", "a"),
    ],
)
def test_a_calendar_is_called_as_it_says_or_else_as_its_file(tmp_path: Path, head: str, name: str) -> None:
    (got,) = imported(tmp_path, "calendar", "a.ics", calendar(head=head))[0].calendars
    assert (got.calendar_id, got.name, got.account, got.is_default, got.writable) == ("a.ics", name, "", False, False)


def test_two_calendars_in_a_file_keep_their_events_apart(tmp_path: Path) -> None:
    content = calendar(event(DAY, "UID:1"), head="NAME:One\r\n") + calendar(event(DAY, "UID:2"), head="NAME:Two\r\n")
    device, _ = imported(tmp_path, "calendar", "a.ics", content)
    assert [(one.calendar_id, one.name) for one in device.calendars] == [("a.ics", "One"), ("a.ics#2", "Two")]
    assert {(one.event_id, one.calendar_id) for one in device.upcoming_events} == {("1", "a.ics"), ("2", "a.ics#2")}


@pytest.mark.parametrize(
    ("component", "says"),
    [
        (event("SUMMARY:X"), "dropped: line 3: event “X”: has no DTSTART"),
        (event("DTSTART:soon", "SUMMARY:X"), "dropped: line 3: event “X”: “soon” is no date or time"),
        (
            event("DTSTART:20261332T090000Z"),
            "dropped: line 3: event: “20261332T090000Z” is no date or time that there is",
        ),
        (event("DTSTART:00010101T000000Z"), "dropped: line 3: event: 0001-01-01 is too near the ends of time"),
        (event("DTSTART:99981231T233000Z"), "dropped: line 3: event: 9998-12-31 is too near the ends of time"),
        (event(DAY, "STATUS:CANCELLED", "SUMMARY:X"), "dropped: line 3: event “X”: is cancelled"),
        ("BEGIN:VTODO\r\nSUMMARY:X\r\nEND:VTODO\r\n", "dropped: line 3: “VTODO”: is no event"),
        ("BEGIN:VJOURNAL\r\nEND:VJOURNAL\r\n", "dropped: line 3: “VJOURNAL”: is no event"),
        (
            event("DTSTART:20200101T090000Z", "SUMMARY:X"),
            "outside: line 3: event “X”: has no occurrence from 2026-11-02 09:00 until 2027-01-01 09:00",
        ),
    ],
)
def test_what_does_not_come_in_is_named_and_stops_nothing(tmp_path: Path, component: str, says: str) -> None:
    device, report = imported(tmp_path, "calendar", "a.ics", calendar(component, event(DAY, "SUMMARY:Good")))
    assert [one.title for one in device.upcoming_events] == ["Good"]
    assert said(report) == [says]
    assert (report.files[0].entries, report.files[0].kept) == (2, 1)


def test_a_cancelled_message_cancels_everything_in_it(tmp_path: Path) -> None:
    assert events(tmp_path, calendar(event(DAY), head="METHOD:CANCEL\r\n")) == ()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (calendar(event(DAY, "just words")), "dropped: line 5: “just words”: is no property: it has no colon"),
        (
            calendar(event(DAY, "SUMMARY:A", "SUMMARY:B")),
            "doubted: line 6: event “A”: SUMMARY occurs twice; the first is used",
        ),
        (
            calendar(event(DAY)).replace("END:VEVENT\r\n", ""),
            "doubted: line 3: “VEVENT”: is not closed before line 5",
        ),
        ("END:VEVENT\r\n" + calendar(event(DAY)), "dropped: line 1: “END:VEVENT”: closes nothing that is open"),
        (event(DAY), "doubted: line 1: “VEVENT”: stands in no VCALENDAR"),
        (
            calendar(event(DAY), head="CALSCALE:HEBREW\r\n"),
            "doubted: line 3: CALSCALE: is “HEBREW”; dates are read as Gregorian",
        ),
        (
            calendar(event(DAY), head="X-WR-TIMEZONE:Nowhere\r\n"),
            "doubted: line 3: X-WR-TIMEZONE: “Nowhere” is no zone that is known; the phone's is used",
        ),
    ],
)
def test_a_flaw_is_reported_and_the_event_comes_in(tmp_path: Path, content: str, says: str) -> None:
    device, report = imported(tmp_path, "calendar", "a.ics", content)
    assert len(device.upcoming_events) == 1
    assert says in said(report)


@pytest.mark.parametrize(
    ("cut", "titles", "says"),
    [
        ("END:VCALENDAR\r\n", ["A", "B"], []),
        (
            "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
            ["A"],
            ["truncated: line 7: VEVENT of line 7: the file ends in the middle of it"],
        ),
    ],
)
def test_a_calendar_that_is_cut_off_gives_what_is_whole(
    tmp_path: Path, cut: str, titles: list[str], says: list[str]
) -> None:
    content = calendar(event(DAY, "SUMMARY:A"), event(DAY, "SUMMARY:B")).removesuffix(cut)
    device, report = imported(tmp_path, "calendar", "a.ics", content)
    assert sorted(one.title for one in device.upcoming_events) == titles
    end = len(content.splitlines())
    last = f"truncated: line {end}: the file: ends without END:VCALENDAR; what was whole before was read"
    assert said(report) == [*says, last]


@pytest.mark.parametrize("content", ["BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", calendar(event(DAY))[:70]])
def test_a_calendar_cut_off_before_anything_is_whole_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(InvalidInput, match="cut off before its first event or calendar is complete"):
        events(tmp_path, content)


def test_alarms_and_other_lines_without_a_field_are_listed(tmp_path: Path) -> None:
    content = calendar(event(DAY, "DESCRIPTION:x", "BEGIN:VALARM", "TRIGGER:-PT5M", "END:VALARM"))
    assert imported(tmp_path, "calendar", "a.ics", content)[1].files[0].unused == {
        "VERSION": (2,),
        "DESCRIPTION": (5,),
        "VALARM": (6,),
    }
