"""Occurrences of repeated events in a span of days, at a bounded cost.

`recurring_ical_events` works out RRULE, RDATE, EXDATE, RECURRENCE-ID and RANGE=THISANDFUTURE. It is given one series
at a time, reduced to what recurrence needs, with zones attached, and only after its rules have been weighed (see
`rules`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import recurring_ical_events  # type: ignore[import-untyped]
from icalendar import Calendar, vDDDLists, vDDDTypes, vRecur
from icalendar import Event as Component

from starebrain.importers.base import Phone, Unusable
from starebrain.importers.report import quote
from starebrain.importers.rules import FUTILE, Rule, day_of
from starebrain.importers.zones import Moment, Period, instant

MAX_STEPS = 1_000_000
"""Steps that one series may take to compute (2 to 4 s): enough for a daily event since the year 1."""

MAX_STEPS_OF_FILE = 4_000_000
"""Steps that all series of a file may take together (10 to 15 s)."""

MAX_OCCURRENCES = 3_000
"""Occurrences of one series that are listed: half-hourly over 60 days is not cut off, every minute is."""

STEPS_OF_OCCURRENCE = 60
"""What listing an occurrence costs, in steps."""


@dataclass(frozen=True, slots=True)
class Part:
    """One VEVENT, as far as recurrence goes.

    `end` is not before `start`; `replaces` is its RECURRENCE-ID, and with `onward` all later occurrences follow it.
    """

    start: Moment
    end: Moment
    sequence: int = 0
    rules: tuple[Rule, ...] = ()
    extra: tuple[Moment | Period, ...] = ()
    excluded: tuple[Moment, ...] = ()
    replaces: Moment | None = None
    onward: bool = False

    @property
    def single(self) -> bool:
        """Whether it neither recurs nor replaces an occurrence of something that does."""
        return not self.rules and not self.extra and self.replaces is None


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An occurrence: which `part` of the series it comes from, when, and `of` when it was planned (None if it is
    single)."""

    part: int
    start: Moment
    end: Moment
    of: Moment | None


@dataclass(slots=True)
class Budget:
    """Steps that are left for a file."""

    left: int = MAX_STEPS_OF_FILE

    def spend(self, steps: int) -> None:
        """Take steps out; `Unusable` where too few are left."""
        if steps > self.left:
            raise Unusable("the file's rules take too long to compute")
        self.left -= steps


@dataclass(slots=True)
class Series:
    """What became of a series: its occurrences in the order of their starts, and doubts about them."""

    occurrences: list[Occurrence] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)


def overlaps(start: Moment, end: Moment, at: datetime, until: datetime, phone: Phone) -> bool:
    """Whether an event is going on at some time from `at` (inclusive) to `until` (exclusive)."""
    first, last = instant(start, phone.zone)[0], instant(end, phone.zone)[0]
    return first < until and (last > at or first == last == at)


def expand(parts: Sequence[Part], phone: Phone, budget: Budget) -> Series:
    """The occurrences of the parts of one series that overlap the phone's days; `Unusable` where they take too long."""
    if len(parts) == 1 and parts[0].single:
        part = parts[0]
        inside = overlaps(part.start, part.end, phone.at, phone.until, phone)
        return Series([Occurrence(0, part.start, part.end, None)] if inside else [])
    until, doubts = _weigh(parts, phone, budget)
    calendar = Calendar()
    for number, part in enumerate(parts):
        calendar.add_component(_component(number, part))
    try:
        found = recurring_ical_events.of(calendar).between(phone.at, until)
        occurrences = [_occurrence(parts, one) for one in found]
    except Exception as error:  # the library raises whatever its parts raise
        raise Unusable(f"its recurrence cannot be computed ({quote(str(error) or type(error).__name__)})") from None
    occurrences = [one for one in occurrences if overlaps(one.start, one.end, phone.at, until, phone)]
    budget.spend(len(occurrences) * STEPS_OF_OCCURRENCE)
    occurrences.sort(key=lambda one: (instant(one.start, phone.zone)[0], one.part))
    return Series(occurrences, doubts)


def _weigh(parts: Sequence[Part], phone: Phone, budget: Budget) -> tuple[datetime, list[str]]:
    """Until when a series can be listed, after its steps were taken out of the budget."""
    until, doubts = phone.until, []
    for part in parts:
        for rule in part.rules:
            start = day_of(part.start)
            budget.spend(FUTILE)
            if not rule.fits_some_day(start):
                raise Unusable(f"the rule {quote(str(rule))} fits no day at all")
            budget.left += FUTILE
            often = rule.per_day * ((phone.until - phone.at) / timedelta(days=1))
            if often > MAX_OCCURRENCES and int(rule.parts.get("COUNT", MAX_OCCURRENCES)) >= MAX_OCCURRENCES:
                first = max(phone.at, instant(part.start, phone.zone)[0])
                until = min(until, first + timedelta(days=MAX_OCCURRENCES / rule.per_day))
                doubts.append(f"recurs up to {rule.per_day:,.0f} times a day; listed until {until:%Y-%m-%d %H:%M} only")
            steps = rule.steps(start, day_of(until) + timedelta(days=2))
            if steps > MAX_STEPS:
                raise Unusable(f"the rule {quote(str(rule))} recurs too often before the days asked for")
            budget.spend(steps)
        budget.spend((len(part.extra) + len(part.excluded)) * STEPS_OF_OCCURRENCE)
    return until, doubts


def _occurrence(parts: Sequence[Part], found: Any) -> Occurrence:
    """What the library found; of those that follow a THISANDFUTURE, it gives all the RECURRENCE-ID of that one."""
    number, start = int(found["X-PART"]), found["DTSTART"].dt
    follows = parts[number].onward and start != parts[number].start
    return Occurrence(number, start, found["DTEND"].dt, start if follows else found["RECURRENCE-ID"].dt)


def _component(number: int, part: Part) -> Component:
    """A VEVENT for the library."""
    component = Component()
    component["UID"] = "series"
    component["X-PART"] = number
    component["SEQUENCE"] = part.sequence
    component["DTSTART"] = vDDDTypes(part.start)
    component["DTEND"] = vDDDTypes(part.end)
    if part.rules:
        component["RRULE"] = [vRecur.from_ical(str(rule)) for rule in part.rules]
    if part.extra:
        component["RDATE"] = vDDDLists(list(part.extra))
    if part.excluded:
        component["EXDATE"] = vDDDLists(list(part.excluded))
    if part.replaces is not None:
        component["RECURRENCE-ID"] = vDDDTypes(part.replaces)
        if part.onward:
            component["RECURRENCE-ID"].params["RANGE"] = "THISANDFUTURE"
    return component
