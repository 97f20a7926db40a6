"""A small phone, intents on it, and the user's side of a confirmation, for the tests of this folder."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from starebrain.agent import AgentContext, Approval, build_agent_context, confirm
from starebrain.device import App, Calendar, Contact, DeviceContext, Event, Response, SavedLocation
from starebrain.intent import ActionIntent, Parameter, ParameterKind
from starebrain.resolution import Value
from starebrain.resolve import RESOLVERS

NOW = datetime(2026, 11, 5, 9, 30, tzinfo=UTC)
SHOWN = NOW + timedelta(seconds=20)
LATER = NOW + timedelta(minutes=3)
KEY = b"a key of at least thirty-two bytes"
EVIDENCE = RESOLVERS["evidence"]


def at(hour: int, minute: int = 0, day: int = 6) -> datetime:
    """An instant of the days around the snapshot."""
    return datetime(2026, 11, day, hour, minute, tzinfo=UTC)


MOM = Contact("c-mom", "Mom", phones=("+4930111111",), emails=("mom@example.org",), addresses=("1 Elm Road",))
ALEX = Contact("c-alex", "Alexander Ashworth", phones=("+4930222222",), times_contacted=80)
BOB = Contact("c-bob", "Bob Birch", phones=("+4930333333",), added_at=NOW - timedelta(hours=1))
"""Who appeared just now is suggested, never filled in silently."""
STANDUP = Event("e-standup", at(9), at(9, 15), "k-work", "Standup", response=Response.ACCEPTED)
LUNCH = Event("e-lunch", at(12), at(13), "k-work", "Lunch", location="Nonna, 5 Oak Street", response=Response.ACCEPTED)
GYM = SavedLocation("l-gym", "Gym", "3 Pine Street", (52.5, 13.4))
WORK = Calendar("k-work", "Work", "me@example.org", is_default=True, writable=True)
PRIVATE = Calendar("k-private", "Private", "me@example.org", writable=True)
MAPS = App("com.example.maps", "Maps")

PHONE = DeviceContext(
    NOW,
    "UTC",
    "en_GB",
    contacts=(MOM, ALEX, BOB),
    calendars=(WORK, PRIVATE),
    upcoming_events=(STANDUP, LUNCH),
    saved_locations=(GYM,),
    installed_apps=(MAPS, App("com.example.mail", "Mail")),
)

CONTACT, LOCATION, TIME_SLOT, CALENDAR, APP = ParameterKind


def asked(kind: ParameterKind, hint: str | None, device: DeviceContext = PHONE) -> AgentContext:
    """The context of an intent with the one parameter ``it``."""
    return asked_all(device, it=(kind, hint))


def asked_all(device: DeviceContext = PHONE, **hints: tuple[ParameterKind, str | None]) -> AgentContext:
    """The context of an intent with these parameters."""
    parameters = tuple(Parameter(name, kind, hint) for name, (kind, hint) in hints.items())
    return build_agent_context(ActionIntent("i-1", "create_event", None, parameters), device, EVIDENCE)


def approved(context: AgentContext, token: str = "t-1", **answers: Value | None) -> Approval:
    """What the user approved who accepted every suggestion as it was shown, bar these answers."""
    given: dict[str, Any] = {**context.suggested_parameters, **answers}
    return confirm(context, given, now=SHOWN, key=KEY, token=token)


def with_record(device: DeviceContext, source: str, record: Any) -> DeviceContext:
    """The phone with one record more, or with that record instead of the one of its id."""
    name = DeviceContext.IDS[source]
    kept = [r for r in getattr(device, source) if getattr(r, name) != getattr(record, name)]
    return replace(device, captured_at=LATER, **{source: (*kept, record)})


def without_record(device: DeviceContext, source: str, record: Any) -> DeviceContext:
    """The phone without that record."""
    kept = tuple(r for r in getattr(device, source) if r != record)
    return replace(device, captured_at=LATER, **{source: kept})
