"""The components that an iCalendar file is made of, out of its lines: calendars, their events, zones, tasks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from starebrain.importers.base import Log
from starebrain.importers.content import ContentLine, Unreadable
from starebrain.importers.report import quote

TOP = frozenset(("VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE", "VAVAILABILITY", "VPOLL"))
"""Components that stand in a calendar and in nothing else."""

READ = {
    "VCALENDAR": frozenset(("X-WR-CALNAME", "NAME", "X-WR-TIMEZONE", "METHOD", "CALSCALE")),
    "VEVENT": frozenset(
        (
            *("UID", "SEQUENCE", "SUMMARY", "LOCATION", "STATUS", "ATTENDEE", "ORGANIZER"),
            *("DTSTART", "DTEND", "DURATION", "RRULE", "EXRULE", "RDATE", "EXDATE", "RECURRENCE-ID"),
        )
    ),
    "VTIMEZONE": frozenset(("TZID",)),
    "STANDARD": frozenset(("DTSTART", "RRULE", "RDATE", "TZOFFSETFROM", "TZOFFSETTO")),
    "DAYLIGHT": frozenset(("DTSTART", "RRULE", "RDATE", "TZOFFSETFROM", "TZOFFSETTO")),
}
"""What is read of each component; of components that are not named here, nothing is."""


@dataclass(slots=True)
class Component:
    """One BEGIN to END: what is read of its lines, and the components in it. `position` counts entries from 1."""

    name: str
    number: int
    position: int = 0
    lines: list[ContentLine] = field(default_factory=list)
    parts: list[Component] = field(default_factory=list)

    def of(self, name: str) -> list[ContentLine]:
        """The lines of one property."""
        return [line for line in self.lines if line.name == name]

    def inside(self, name: str) -> list[Component]:
        """The components of one name in this one."""
        return [part for part in self.parts if part.name == name]


def calendars(lines: Iterable[ContentLine | Unreadable], log: Log) -> list[Component]:
    """The calendars of a file; events that stand in none get one of their own.

    What is not closed before something else begins is read and doubted; what is open where the file ends is dropped as
    truncated, but for a calendar, whose whole events are kept. `InvalidInput` where nothing is whole.
    """
    tree = _Tree(log)
    number = 0
    for line in lines:
        number = line.number
        if isinstance(line, Unreadable):
            log.unreadable(number, quote(line.text), line.reason)
        elif line.name == "BEGIN":
            tree.begin(line.value.strip().upper(), number)
        elif line.name == "END":
            tree.end(line.value.strip().upper(), number)
        else:
            tree.add(line)
    tree.finish(number)
    return tree.calendars


class _Tree:
    """The components that are open, outermost first, and the calendars so far."""

    def __init__(self, log: Log) -> None:
        self.calendars: list[Component] = []
        self._log, self._open, self._whole = log, list[Component](), 0

    def begin(self, name: str, number: int) -> None:
        keep = 0 if name == "VCALENDAR" else 1 if name in TOP else len(self._open)
        while len(self._open) > keep:
            self._not_closed(number)
        if name == "VCALENDAR":
            component = Component(name, number)
            self.calendars.append(component)
        else:
            if not self._open:
                self._log.doubted(number, quote(name), "stands in no VCALENDAR")
                self._open.append(Component("VCALENDAR", number))
                self.calendars.append(self._open[0])
            component = Component(name, number)
            if len(self._open) == 1 and name != "VTIMEZONE":
                self._log.entries += 1
                component.position = self._log.entries
            elif self._open[-1].name == "VEVENT":
                self._log.no_field(name, number)
        self._open.append(component)

    def end(self, name: str, number: int) -> None:
        if name not in (component.name for component in self._open):
            self._log.unreadable(number, quote(f"END:{name}"), "closes nothing that is open")
            return
        while self._open[-1].name != name:
            self._not_closed(number)
        self._close()

    def add(self, line: ContentLine) -> None:
        if not self._open:
            self._log.unreadable(line.number, quote(f"{line.name}:{line.value}"), "stands in no calendar")
            return
        top = self._open[-1]
        if line.name in READ.get(top.name, ()):
            top.lines.append(line)
        elif top.name in ("VCALENDAR", "VEVENT"):
            self._log.no_field(line.name, line.number)

    def finish(self, number: int) -> None:
        if self._open and not self._whole:
            raise self._log.nothing_whole("event or calendar", "END:VCALENDAR")
        for component in self._open[:0:-1]:
            if component.position:
                what = f"{component.name} of line {component.number}"
                self._log.truncated(component.number, what, "the file ends in the middle of it", entry=True)
        if self._open:
            self._log.truncated(number, "the file", "ends without END:VCALENDAR; what was whole before was read")

    def _not_closed(self, number: int) -> None:
        component = self._open[-1]
        self._log.doubted(component.number, quote(component.name), f"is not closed before line {number}")
        self._close()

    def _close(self) -> None:
        component = self._open.pop()
        self._whole += bool(component.position) or component.name == "VCALENDAR"
        if self._open:
            self._open[-1].parts.append(component)
