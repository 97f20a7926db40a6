"""Calendars and events from iCalendar files (RFC 5545), and vCalendar 1.0 as far as it agrees with it.

Events are listed occurrence by occurrence where they overlap the days asked for; the others are reported as outside.
The id of an event is its UID, with the planned start where it recurs; without a UID it is its place in the file.

*Response*: the owner's own PARTSTAT where one of their addresses is among the attendees; accepted where the owner is
the organizer, or where there are neither organizer nor attendees (their own event); else, and in an invitation
(METHOD:REQUEST) that does not say who sent it, needs_action, the careful reading. *Cancelled* events are dropped. An
event that ends before it starts keeps its start and ends there, doubted. A file does not say whether its calendar can
be written to or is the phone's default, so it is read as neither.

The file is refused where neither BEGIN:VCALENDAR nor the beginning of what stands in one is in its first 64 KiB or
where it is cut off before anything in it is whole; an event that is cut off later is reported as truncated and left
out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from starebrain.device import Calendar, Event, Response
from starebrain.importers.base import Imported, Importer, Log, Phone, Unusable
from starebrain.importers.components import Component, calendars
from starebrain.importers.content import ContentLine, content_lines, unescape
from starebrain.importers.recurrence import Budget, Part
from starebrain.importers.report import quote
from starebrain.importers.rules import parse_rule
from starebrain.importers.series import Entry, occurrences, series_of
from starebrain.importers.source import Source
from starebrain.importers.zones import Moment, Zones, compact, duration, instant, midnight

ANSWERS = {
    "ACCEPTED": Response.ACCEPTED,
    "TENTATIVE": Response.TENTATIVE,
    "DECLINED": Response.DECLINED,
    "DELEGATED": Response.DECLINED,
    "NEEDS-ACTION": Response.NEEDS_ACTION,
}
"""What a PARTSTAT says of the owner; whoever has sent somebody else does not come."""

INVITING = frozenset(("REQUEST", "ADD", "COUNTER", "DECLINECOUNTER", "REFRESH"))
"""Methods of messages that one person sends to another about an event."""

ONCE = (
    "DTSTART",
    "DTEND",
    "DURATION",
    "RECURRENCE-ID",
    "UID",
    "SUMMARY",
    "LOCATION",
    "STATUS",
    "ORGANIZER",
    "SEQUENCE",
)
"""Properties of which an event has one."""

NEVER = "999"
"""How an UNTIL begins that means never."""

_MARK = re.compile(
    rb"BEGIN\s*:\s*(?:VCALENDAR|VEVENT|VTODO|VJOURNAL|VFREEBUSY|VTIMEZONE|VAVAILABILITY|VALARM)", re.IGNORECASE
)


def read(source: Source, phone: Phone, log: Log) -> Imported:
    """The calendars of an iCalendar file, those of one name as one, and the events that overlap the phone's days."""
    found: dict[str, Calendar] = {}
    events: list[Event] = []
    budget = Budget()
    for component in calendars(content_lines(source.pieces()), log):
        calendar = _calendar(component, source, found)
        what = f"calendar {quote(calendar.name)}"
        if calendar.name not in found:
            found[calendar.name] = calendar
            reason = "the file does not say whether it can be written to or is the default; read as neither"
            log.doubted(component.number, what, reason)
        for line in component.lines:
            if line.doubt:
                log.doubted(line.number, what, f"{line.name} {line.doubt}")
        events += _events(component, calendar.calendar_id, source.label, phone, budget, log)
    return Imported(calendars=tuple(found.values()), events=tuple(events))


def _calendar(component: Component, source: Source, known: Mapping[str, Calendar]) -> Calendar:
    """The calendar that a VCALENDAR belongs to: of its name, else of the file's."""
    named = (_text(line) for name in ("X-WR-CALNAME", "NAME") for line in component.of(name))
    name = next(filter(None, named), source.path.stem)
    calendar_id = f"{source.label}#{len(known) + 1}" if known else source.label
    return known.get(name) or Calendar(calendar_id=calendar_id, name=name)


def _events(calendar: Component, calendar_id: str, label: str, phone: Phone, budget: Budget, log: Log) -> list[Event]:
    zones = _zones(calendar, phone, log)
    method = next((_text(line).upper() for line in calendar.of("METHOD")), "")
    entries: dict[str, list[Entry]] = {}
    for component in calendar.parts:
        if component.name == "VEVENT":
            entry = _entry(component, calendar_id, zones, method, phone, log)
            uid = next((_text(line) for line in component.of("UID")), "") or f"{label}#{component.position}"
            if entry is not None:
                entries.setdefault(uid, []).append(entry)
        elif component.position:
            log.dropped(component.number, quote(component.name), "is no event", entry=True)
    return [
        event
        for uid, same in entries.items()
        for series in series_of(same, log)
        for event in occurrences(series, uid, phone, budget, log)
    ]


def _zones(calendar: Component, phone: Phone, log: Log) -> Zones:
    own = calendar.of("X-WR-TIMEZONE")
    zones = Zones(phone.zone, _text(own[0]) if own else "", calendar.inside("VTIMEZONE"))
    for line, what, reason in zones.doubts:
        log.doubted(line, what, reason)
    if zones.own_doubt:
        log.doubted(own[0].number, "X-WR-TIMEZONE", zones.own_doubt)
    for scale in calendar.of("CALSCALE"):
        if _text(scale).upper() not in ("", "GREGORIAN"):
            log.doubted(scale.number, "CALSCALE", f"is {quote(_text(scale))}; dates are read as Gregorian")
    return zones


def _entry(component: Component, calendar_id: str, zones: Zones, method: str, phone: Phone, log: Log) -> Entry | None:
    """The event of a VEVENT, or None with a finding."""
    one = {name: lines[0] for name in ONCE if (lines := component.of(name))}
    title = _text(one["SUMMARY"]) if "SUMMARY" in one else ""
    what = f"event {quote(title)}" if title else "event"
    for line in component.lines:
        if line.doubt:
            log.doubted(line.number, what, f"{line.name} {line.doubt}")
        if line.name in one and line is not one[line.name]:
            log.doubted(line.number, what, f"{line.name} occurs twice; the first is used")
    try:
        part = part_of(component, zones, what, log)
        start, end = instant(part.start, phone.zone)[0], instant(part.end, phone.zone)[0]
    except Unusable as reason:
        log.dropped(component.number, what, str(reason), entry=True)
        return None
    response, doubt = _response(component, method, phone.owner_emails)
    if doubt:
        log.doubted(component.number, what, doubt)
    event = Event(
        event_id="of a series",
        start_time=start,
        end_time=end,
        calendar_id=calendar_id,
        title=title,
        all_day=not isinstance(part.start, datetime),
        location=(_text(one["LOCATION"]) if "LOCATION" in one else "") or None,
        attendees=_people(component.of("ATTENDEE")),
        organizer=next(iter(_people(component.of("ORGANIZER")[:1])), None),
        response=response,
    )
    status = _text(one["STATUS"]).upper() if "STATUS" in one else ""
    return Entry(component.number, what, part, event, status == "CANCELLED" or method == "CANCEL")


def part_of(component: Component, zones: Zones, what: str, log: Log) -> Part:
    """When a VEVENT is; `Unusable` where that cannot be read."""
    one = {name: lines[0] for name in ONCE if (lines := component.of(name))}
    if "DTSTART" not in one:
        raise Unusable("has no DTSTART")
    start, doubts = zones.moment(one["DTSTART"])
    end, end_doubts = _end(start, one, zones)
    doubts += [doubt for doubt in end_doubts if doubt.replace("DTEND", "DTSTART") not in doubts]
    part = Part(start, end, _sequence(one.get("SEQUENCE")))
    for name, take in (
        ("RRULE", _add_rule),
        ("RDATE", _add_extra),
        ("EXDATE", _add_excluded),
        ("RECURRENCE-ID", _replaces),
    ):
        for line in component.of(name)[: 1 if name in ONCE else None]:
            try:
                part, more = take(part, line, zones)
                doubts += more
            except Unusable as reason:
                log.dropped(line.number, what, f"{reason}; {name} is not used")
    for line in component.of("EXRULE"):
        log.dropped(line.number, what, "EXRULE is not supported: days that it excludes are listed")
    if isinstance(start, datetime):
        tzid = one["DTSTART"].param("TZID")
        if tzid and zones.differs(tzid, start):
            doubts.append(f"the file's own rules put {quote(tzid)} at another offset than {start:%z}, which is used")
        for moment in (start, end):
            doubts += filter(None, [instant(moment, zones.phone)[1]])
    for doubt in dict.fromkeys(doubts):
        log.doubted(one["DTSTART"].number, what, doubt)
    return part


def _sequence(line: ContentLine | None) -> int:
    """SEQUENCE as a number; what is none, or absurdly long, counts as the first version."""
    text = line.value.strip() if line else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _end(start: Moment, one: dict[str, ContentLine], zones: Zones) -> tuple[Moment, list[str]]:
    """The end of an event, not before its start, and doubts about it."""
    timed = isinstance(start, datetime)
    doubts: list[str] = []
    end: Moment = start
    if "DTEND" in one:
        try:
            end, doubts = zones.moment(one["DTEND"])
        except Unusable as reason:
            doubts.append(f"DTEND: {reason}; the event ends where it starts")
        if isinstance(end, datetime) != timed:
            doubts.append("DTSTART and DTEND are not both days or both times; read like DTSTART")
            end = end.date() if isinstance(end, datetime) else midnight(end, start)
    elif "DURATION" in one:
        try:
            end = start + duration(one["DURATION"].value)
        except (Unusable, OverflowError) as reason:
            doubts.append(f"DURATION: {reason}; the event ends where it starts")
    if end < start:
        doubts.append(f"ends before it starts ({end:%Y-%m-%d %H:%M}); read as ending where it starts")
        end = start
    if end == start and not timed:
        if "DTEND" in one or "DURATION" in one:
            doubts.append("is a day without a length; read as one day")
        try:
            end = start + timedelta(days=1)
        except OverflowError:
            raise Unusable(f"{start} is too near the ends of time") from None
    return end, doubts


def _add_rule(part: Part, line: ContentLine, zones: Zones) -> tuple[Part, list[str]]:
    """The part with one more RRULE; its UNTIL in the form that the start asks for."""
    rule, doubts = parse_rule(line.value)
    if rule.parts.get("UNTIL", "").startswith(NEVER):
        rule = rule.without("UNTIL")
    if "UNTIL" in rule.parts:
        until, more = zones.moment(replace(line, name="UNTIL", value=rule.parts["UNTIL"], params={}))
        doubts += more
        if not isinstance(part.start, datetime):
            until = until.date() if isinstance(until, datetime) else until
        elif not isinstance(until, datetime):
            until = midnight(until, part.start) + timedelta(days=1, seconds=-1)
            doubts.append("the rule ends on a day, not at a time; that day is still listed")
        rule = replace(rule, parts=dict(rule.parts) | {"UNTIL": compact(until)})
    return replace(part, rules=(*part.rules, rule)), doubts


def _add_extra(part: Part, line: ContentLine, zones: Zones) -> tuple[Part, list[str]]:
    found, doubts = zones.moments(line)
    return replace(part, extra=(*part.extra, *found)), doubts


def _add_excluded(part: Part, line: ContentLine, zones: Zones) -> tuple[Part, list[str]]:
    found, doubts = zones.moments(line)
    return replace(part, excluded=(*part.excluded, *(m for m in found if not isinstance(m, tuple)))), doubts


def _replaces(part: Part, line: ContentLine, zones: Zones) -> tuple[Part, list[str]]:
    moment, doubts = zones.moment(line)
    onward = line.param("RANGE").upper()
    if onward not in ("", "THISANDFUTURE"):
        doubts.append(f"RECURRENCE-ID has the RANGE {quote(onward)}; read as this occurrence only")
    return replace(part, replaces=moment, onward=onward == "THISANDFUTURE"), doubts


def _response(component: Component, method: str, owner: frozenset[str]) -> tuple[Response, str | None]:
    """The owner's answer, and a doubt where the file does not tell it."""
    organizers, attendees = component.of("ORGANIZER"), component.of("ATTENDEE")
    organized = any(_addresses(line) & owner for line in organizers)
    own = next((line for line in attendees if _addresses(line) & owner), None)
    answer = ANSWERS.get(own.param("PARTSTAT").upper(), Response.NEEDS_ACTION) if own else None
    if organized:
        return (Response.ACCEPTED if answer in (None, Response.NEEDS_ACTION) else answer), None
    if answer is not None:
        return answer, None
    if not organizers and not attendees:
        if method in INVITING:
            return Response.NEEDS_ACTION, f"is an invitation (METHOD:{method}) that does not say from whom"
        return Response.ACCEPTED, None
    if owner:
        return Response.NEEDS_ACTION, "names other people but none of the owner's addresses; read as not answered"
    return Response.NEEDS_ACTION, "names people, and no address of the owner is known; read as not answered"


def _addresses(line: ContentLine) -> set[str]:
    """The e-mail addresses of an attendee or organizer, in small letters."""
    return {text.lower() for text in (_mail(line.value), line.param("EMAIL")) if text}


def _people(lines: Iterable[ContentLine]) -> tuple[str, ...]:
    """The e-mail addresses of people, or else their names, each once."""
    found = (_mail(line.value) or line.param("EMAIL") or line.param("CN").strip() for line in lines)
    return tuple(dict.fromkeys(filter(None, found)))


def _mail(value: str) -> str:
    """The address in ``mailto:ana@example.org``; empty where there is none."""
    text = value.strip()
    text = text[7:].strip() if text[:7].lower() == "mailto:" else text
    return text if "@" in text else ""


def _text(line: ContentLine) -> str:
    """The value as one line of text."""
    return " ".join(unescape(line.value).split())


IMPORTER = Importer(
    name="icalendar",
    option="calendar",
    reads="iCalendar files (.ics)",
    claims=lambda source: _MARK.search(source.head) is not None,
    read=read,
)
