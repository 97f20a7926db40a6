"""Calendars; where nothing is said, the default one is meant."""

from __future__ import annotations

from dataclasses import replace

from starebrain.device import Calendar, DeviceContext
from starebrain.intent import ParameterKind
from starebrain.kinds.base import UNSAID, Fact, Hint, Kind, Phone, cached, read_words
from starebrain.kinds.contact import PUBLIC_MAIL
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


WITH_CALENDAR = "kalender"
"""What German calendars may end in: "Arbeitskalender"."""
OWN = frozenset({"personal", "private", "privat", "privado", "privada", "prive", "pessoal", "particular", "own"})
"""Words for what is no work's."""
DEFAULT = frozenset(
    {"default", "main", "primary", "standard", "haupt", "principal", "predeterminado", "padrao", "defaut"}
)


def concepts_of(word: str) -> frozenset[str]:
    """Home, work and what is private."""
    return PLACES.get(word, frozenset()) | (frozenset({"own"}) if word in OWN else frozenset())


@cached
def read(text: str) -> Hint:
    """The hint as words, "calendar" in any language apart; "my calendar" and "the default one" say no more."""
    said = " ".join(w.removesuffix(WITH_CALENDAR) or w for w in text.split()) if text.isascii() else text
    hint = read_words(said if words(said) else text, concepts_of, FILLERS)
    if hint.words and (DEFAULT | FILLERS).issuperset(hint.words):
        return replace(hint, text=text, traits=hint.traits | {UNSAID})
    return replace(hint, text=text)


def entry(calendar: Calendar) -> Entry:
    """The name, alone and after the firm of the account; the account describes it."""
    said = words(calendar.name)
    concepts = {c for w in said for c in concepts_of(w)}
    firms = [part for part in calendar.account.rpartition("@")[2].lower().split(".")[:-1] if part not in PUBLIC_MAIL]
    names = (calendar.name, f"{' '.join(firms)} {calendar.name}") if firms else (calendar.name,)
    return Entry(names, (calendar.account,), frozenset(concepts))


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
