"""Times: so far those of the phone's events, named by their titles."""

from __future__ import annotations

from starebrain.device import DeviceContext, Event, Response
from starebrain.intent import ParameterKind
from starebrain.kinds.base import Fact, Hint, Kind, Phone, cached, read_words
from starebrain.matching.index import Entry
from starebrain.matching.text import words
from starebrain.matching.words import ROLES
from starebrain.resolution import ContextSource, Grain, TimeSlotValue

FILLERS = frozenset(
    {
        "appointment",
        "appt",
        "event",
        "termin",
        "termine",
        "rendez",
        "vous",
        "rdv",
        "cita",
        "evento",
        "compromisso",
        "evenement",
    }
)


def concepts_of(word: str) -> frozenset[str]:
    """The roles that a word names ("dentist", "Zahnarzt")."""
    return ROLES.get(word, frozenset())


@cached
def read(text: str) -> Hint:
    """The hint as words, "appointment" in any language apart."""
    return read_words(text, concepts_of, FILLERS)


def entry(event: Event) -> Entry:
    """The title; the place describes it."""
    concepts = {c for w in words(event.title) for c in concepts_of(w)}
    return Entry((event.title,), (event.location,) if event.location else (), frozenset(concepts))


def value(event: Event, device: DeviceContext) -> TimeSlotValue:
    """The event's slot in the phone's zone; an all-day event has the grain of a day."""
    return TimeSlotValue(
        event.start_time.astimezone(device.zone),
        event.end_time.astimezone(device.zone),
        Grain.DAY if event.all_day else Grain.MINUTE,
        event.event_id,
    )


def context(event: Event, phone: Phone, traits: frozenset[str]) -> list[Fact]:
    """Invitations that were not accepted are meant less often, and events that are over."""
    facts = []
    if event.response is not Response.ACCEPTED:
        facts.append(Fact("invitation", f"the invitation is {event.response}"))
    if event.end_time <= phone.device.captured_at:
        facts.append(Fact("over", "the event is over"))
    return facts


def caps(event: Event, phone: Phone, new_hours: float) -> list[Fact]:
    """*provenance*: an event that its owner has not accepted; *no_time*: an event of whole days."""
    held = []
    if event.response is not Response.ACCEPTED:
        held.append(Fact("provenance", f"the invitation is not accepted ({event.response})"))
    if event.all_day:
        held.append(Fact("no_time", "the event lasts whole days"))
    if event.end_time <= phone.device.captured_at:
        held.append(Fact("past", "the event is over"))
    return held


def identities(event: Event, phone: Phone) -> frozenset[tuple[str, ...]]:
    """The title in words: occurrences of a repeated event share it, and the next one is meant."""
    return frozenset((words(event.title),))


def compatible(a: Event, b: Event) -> bool:
    """Whether two events can be occurrences of one: same calendar, response and organizer."""
    return (a.calendar_id, a.response, a.organizer, a.all_day) == (b.calendar_id, b.response, b.organizer, b.all_day)


TIME_SLOT = Kind(
    name=ParameterKind.TIME_SLOT,
    listed=lambda device: device.upcoming_events,
    label=lambda event: event.title,
    value=value,
    source=lambda event: ContextSource.DEVICE_CALENDAR,
    entry=entry,
    records=lambda device: device.upcoming_events,
    read=read,
    context=context,
    caps=caps,
    identities=identities,
    compatible=compatible,
)
