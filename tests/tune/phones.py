"""Small labelled phones, and what a resolver answers on them, for the tests of tuning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from starebrain.dataset import Label, LabelledIntent, LabelledPhone, Split
from starebrain.device import App, Calendar, Contact, DeviceContext, Event, Owner, Response, SavedLocation
from starebrain.intent import ActionIntent, Parameter, ParameterKind

NOW = datetime(2026, 11, 5, 9, 30, tzinfo=UTC)
LONG_AGO = NOW - timedelta(days=900)
CONTACT, LOCATION, TIME_SLOT, CALENDAR, APP = ParameterKind

Asked = tuple[ParameterKind, str | None, str, tuple[str, ...], tuple[str, ...]]
"""Kind, hint, action, intended, compatible."""


@dataclass(frozen=True)
class Listed:
    """A labelled source in memory."""

    listed: Sequence[LabelledPhone]
    name: str = "listed"

    def phones(self, split: Split | None = None) -> Iterator[LabelledPhone]:
        """See `LabelledSource`."""
        return (phone for phone in self.listed if split in (None, phone.split))


def labelled(
    device: DeviceContext, asked: Sequence[Asked], name: str = "d", split: Split = Split.TRAIN
) -> LabelledPhone:
    """One phone; every question is an intent of its own, and all share the phone's cluster."""
    intents = [
        LabelledIntent(
            ActionIntent(f"{name}-{at}", action, None, (Parameter("it", kind, hint),)),
            (Label(intended, compatible, "any", name),),
        )
        for at, (kind, hint, action, intended, compatible) in enumerate(asked)
    ]
    return LabelledPhone(name, split, device, tuple(intents))


def person(contact_id: str, name: str, **fields: object) -> Contact:
    return Contact(contact_id, name, **{"added_at": LONG_AGO, "times_contacted": 20} | fields)  # type: ignore[arg-type]


def phone(*contacts: Contact, **records: object) -> DeviceContext:
    return DeviceContext(NOW, "UTC", "en_US", contacts=contacts, **records)  # type: ignore[arg-type]


def event(event_id: str, title: str, days: int = 1, **fields: object) -> Event:
    start = NOW + timedelta(days=days)
    given = {"response": Response.ACCEPTED, "title": title} | fields
    return Event(event_id, start, start + timedelta(hours=1), **given)  # type: ignore[arg-type]


FRIENDS = phone(
    person("mom", "Mom", relation="mother", starred=True),
    person("kj1", "Katherine Johnson", phones=("+1 212 555 0115",), times_contacted=60),
    person("kj2", "Kate Johnson", phones=("(212) 555-0115",)),
    person("ann", "Ann Lee"),
    person("jo", "Joanne Lee", emails=("jo@acme.example",)),
    person("new", "Zebulon Quist", added_at=NOW - timedelta(minutes=5)),
    owner=Owner("Me", ("me@acme.example",)),
    calendars=(Calendar("w", "Work", "me@acme.example", True, True), Calendar("h", "Holidays", "x@y.example")),
    saved_locations=(
        SavedLocation("home", "Home", "88 Willow Ave"),
        SavedLocation("sf", "San Francisco Gym", "7 Canal St"),
    ),
    installed_apps=(App("com.whatsapp", "WhatsApp"), App("com.spotify.music", "Spotify")),
    upcoming_events=(event("dentist", "Dentist"), event("party", "Party", 2, response=Response.NEEDS_ACTION)),
)

ASKED: tuple[Asked, ...] = (
    (CONTACT, "Mom", "call", ("mom",), ("mom",)),
    (CONTACT, "mother", "payment", ("mom",), ("mom",)),
    (CONTACT, "Katherine Johnson", "call", ("kj1", "kj2"), ("kj1", "kj2")),
    (CONTACT, "Lee", "call", ("ann",), ("ann", "jo")),
    (CONTACT, "Lee from work", "call", ("jo",), ("jo",)),
    (CONTACT, "Zebulon Quist", "call", ("new",), ("new",)),
    (CONTACT, "Xavier", "call", (), ()),
    (CONTACT, "him", "call", ("ann",), ("ann",)),
    (CONTACT, "jo@acme.example", "call", ("jo",), ("jo",)),
    (LOCATION, "SF gym", "navigate", ("sf",), ("sf",)),
    (LOCATION, "home", "navigate", ("home",), ("home",)),
    (CALENDAR, None, "create_event", ("w",), ("w",)),
    (CALENDAR, "holidays", "create_event", ("h",), ("h",)),
    (APP, "spotify", "open", ("com.spotify.music",), ("com.spotify.music",)),
    (APP, None, "open", (), ()),
    (TIME_SLOT, "after the dentist", "create_event", ("2026-11-06T10:30:00+00:00",), ("2026-11-06T10:30:00+00:00",)),
    (TIME_SLOT, "tomorrow at 3pm", "create_event", ("2026-11-06T15:00:00+00:00",), ("2026-11-06T15:00:00+00:00",)),
    (TIME_SLOT, "the party", "create_event", ("2026-11-07T09:30:00+00:00",), ("2026-11-07T09:30:00+00:00",)),
    (TIME_SLOT, "blah", "create_event", (), ()),
)
