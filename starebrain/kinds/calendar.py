"""Calendars; where nothing is said, the default one is meant."""

from __future__ import annotations

from starebrain.device import Calendar, DeviceContext
from starebrain.intent import ParameterKind
from starebrain.kinds.base import Fact, Hint, Kind, Phone, cached, read_words
from starebrain.matching.index import Entry
from starebrain.matching.text import words
from starebrain.matching.words import PLACES
from starebrain.resolution import CalendarValue, ContextSource

FILLERS = frozenset(
    {
        "calendar",
        "calendars",
        "cal",
        "kalender",
        "calendario",
        "calendrier",
        "agenda",
        "account",
        "konto",
        "cuenta",
        "compte",
        "conta",
    }
)


def concepts_of(word: str) -> frozenset[str]:
    """Home and work."""
    return PLACES.get(word, frozenset())


@cached
def read(text: str) -> Hint:
    """The hint as words, "calendar" in any language apart; the default is named by "default" as well."""
    return read_words(text, concepts_of, FILLERS)


def entry(calendar: Calendar) -> Entry:
    """The name; the account describes it."""
    said = words(calendar.name)
    concepts = {c for w in said for c in concepts_of(w)}
    return Entry((calendar.name,), (calendar.account,), frozenset(concepts))


def caps(calendar: Calendar, phone: Phone, new_hours: float) -> list[Fact]:
    """*read_only*: a calendar that cannot take an event."""
    return [] if calendar.writable else [Fact("read_only", "the calendar cannot be written to")]


def without_hint(device: DeviceContext) -> Calendar | None:
    """The default calendar; where none is marked, the only one."""
    default = [c for c in device.calendars if c.is_default] or list(device.calendars)
    return default[0] if len(default) == 1 else None


CALENDAR = Kind(
    name=ParameterKind.CALENDAR,
    listed=lambda device: device.calendars,
    label=lambda calendar: calendar.name,
    value=lambda calendar, device: CalendarValue(calendar.calendar_id, calendar.name),
    source=lambda calendar: ContextSource.DEVICE_CALENDAR,
    entry=entry,
    records=lambda device: device.calendars,
    read=read,
    caps=caps,
    without_hint=without_hint,
)
