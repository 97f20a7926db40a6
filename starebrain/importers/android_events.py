"""Events of an Android phone: instances as the phone repeats them, or planned events, whose rules are expanded here.

The response is selfAttendeeStatus. Where that says nothing, an event is accepted if its organizer is absent, the
owner, or an account of the phone's calendars, and not answered otherwise (doubted). All-day events are days, whatever
the zone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from starebrain.device import Event, Response
from starebrain.importers.base import Log, Phone, Unusable
from starebrain.importers.components import Component
from starebrain.importers.content import ContentLine
from starebrain.importers.dump import Row, Table
from starebrain.importers.icalendar import part_of
from starebrain.importers.recurrence import Budget, Part
from starebrain.importers.report import quote
from starebrain.importers.series import Entry, occurrences
from starebrain.importers.zones import Moment, Zones, compact, instant

type Guests = Mapping[int, tuple[str, ...]]

ANSWERS = {1: Response.ACCEPTED, 2: Response.DECLINED, 3: Response.NEEDS_ACTION, 4: Response.TENTATIVE}
"""CalendarContract.Attendees.ATTENDEE_STATUS_*; 0 says nothing."""

CANCELLED = 2
"""CalendarContract.Events.STATUS_CANCELED."""

_SECONDS = re.compile(r"P([0-9]{1,9})S")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def guests_of(table: Table, log: Log) -> dict[int, tuple[str, ...]]:
    """The attendees of each event, by its number."""
    found: dict[int, dict[str, None]] = {}
    for row in table.rows:
        log.entries += 1
        event, guest = row.number("event_id"), row.text("attendeeEmail") or row.text("attendeeName")
        if event is None or not guest:
            file = table.file("event_id")
            log.dropped(row.line, f"row of _id {row.id}", "names no event or nobody", entry=True, file=file)
            continue
        log.kept += 1
        found.setdefault(event, {})[guest] = None
    return {event: tuple(guests) for event, guests in found.items()}


def listed(table: Table, guests: Guests, accounts: frozenset[str], phone: Phone, log: Log) -> tuple[Event, ...]:
    """The instances that overlap the phone's days."""
    found: list[Event] = []
    for row in table.rows:
        log.entries += 1
        what, file = _what(row), table.file("event_id")
        try:
            start, end = _moment(row, "begin"), _moment(row, "end")
            if _later(start, end):
                log.doubted(row.line, what, "ends before it starts; read as ending where it starts", file)
                end = start
            number = row.number("event_id")
            if number is None:
                raise Unusable("belongs to no event")
            entry = _entry(row, Part(start, end), number, table, guests, accounts, phone, log)
        except Unusable as reason:
            log.dropped(row.line, what, str(reason), entry=True, file=file)
            continue
        uid = f"android:{number}@{compact(start)}"
        found += occurrences([entry], uid, phone, Budget(), log)
    return tuple(found)


def planned(table: Table, guests: Guests, accounts: frozenset[str], phone: Phone, log: Log) -> tuple[Event, ...]:
    """The occurrences of planned events that overlap the phone's days."""
    series: dict[int, list[Entry]] = {}
    zones = Zones(phone.zone)
    for row in table.rows:
        log.entries += 1
        what, file = _what(row), table.file("dtstart")
        try:
            if row.number("deleted") == 1:
                raise Unusable("is deleted")
            part = part_of(_vevent(row, zones), zones, what, replace(log, file=file))
            entry = _entry(row, part, row.id, table, guests, accounts, phone, log)
        except Unusable as reason:
            log.dropped(row.line, what, str(reason), entry=True, file=file)
            continue
        original = row.number("original_id") if part.replaces is not None else None
        series.setdefault(row.id if original is None else original, []).append(entry)
    budget = Budget()
    return tuple(
        event
        for number, entries in series.items()
        for event in occurrences(entries, f"android:{number}", phone, budget, log)
    )


def _entry(
    row: Row, part: Part, number: int, table: Table, guests: Guests, accounts: frozenset[str], phone: Phone, log: Log
) -> Entry:
    file = table.file("event_id" if "event_id" in table.files else "dtstart")
    organizer = row.text("organizer")
    owned = not organizer or organizer.lower() in phone.owner_emails | accounts
    response = ANSWERS.get(row.number("selfAttendeeStatus") or 0)
    if owned and response in (None, Response.NEEDS_ACTION):
        response = Response.ACCEPTED
    if response is None:
        log.doubted(row.line, _what(row), "does not say what the owner answered; read as not answered", file)
    calendar = row.number("calendar_id")
    event = Event(
        event_id="of a series",
        start_time=instant(part.start, phone.zone)[0],
        end_time=max(instant(part.start, phone.zone)[0], instant(part.end, phone.zone)[0]),
        calendar_id="" if calendar is None else f"android:{calendar}",
        title=row.text("title"),
        all_day=not isinstance(part.start, datetime),
        location=row.text("eventLocation") or None,
        attendees=guests.get(number, ()),
        organizer=organizer or None,
        response=response or Response.NEEDS_ACTION,
    )
    return Entry(row.line, _what(row), part, event, row.number("eventStatus") == CANCELLED, file)


def _vevent(row: Row, zones: Zones) -> Component:
    """The row as the iCalendar event that it was: the phone keeps rules and dates in that form.

    Two forms are the phone's own: a duration such as ``P3600S``, and dates with their zone in front
    (``ZONE;20261105T…``).
    """
    name = row.text("eventTimezone")
    zone = zones.find(name)[0] if name else None
    component = Component("VEVENT", row.line)

    def add(property: str, value: str, zoned: str = "") -> None:
        params = {"TZID": (zoned,)} if zoned else {}
        component.lines.append(ContentLine(row.line, property, value, params))

    for column, property in (("dtstart", "DTSTART"), ("dtend", "DTEND"), ("originalInstanceTime", "RECURRENCE-ID")):
        if row.number(column) is None:
            continue
        moment = _moment(row, column)
        if property == "RECURRENCE-ID" or not isinstance(moment, datetime):
            add(property, compact(moment))
        else:
            add(property, moment.astimezone(zone or zones.phone).strftime("%Y%m%dT%H%M%S"), name)
    if row.text("duration") and row.number("dtend") is None:
        add("DURATION", _SECONDS.sub(r"PT\1S", row.text("duration")))
    for rule in filter(None, row.cells.get("rrule", "").split("\n")):
        add("RRULE", rule)
    for column in ("rdate", "exdate"):
        for dates in filter(None, row.cells.get(column, "").split("\n")):
            zoned, _, values = dates.rpartition(";")
            add(column.upper(), values, zoned)
    return component


def _moment(row: Row, column: str) -> Moment:
    """A column of milliseconds since 1970 as a time, or as a day of an all-day event; `Unusable` where it is none."""
    number = row.number(column)
    try:
        if number is None:
            raise Unusable(f"has no {column}")
        moment = _EPOCH + timedelta(milliseconds=number)
    except OverflowError:
        raise Unusable(f"has the {column} {number}, which is no time") from None
    return moment.date() if row.number("allDay") == 1 else moment.replace(microsecond=0)


def _later(start: Moment, end: Moment) -> bool:
    return f"{start:%Y%m%dT%H%M%S}" > f"{end:%Y%m%dT%H%M%S}"


def _what(row: Row) -> str:
    title = row.text("title")
    return f"event {quote(title)}" if title else "event"
