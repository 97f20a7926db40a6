"""Hypothesis strategies for the values: phones, intents and resolutions, with the text that real phones hold.

Every record that a strategy makes is valid; texts are hostile on purpose (controls, bidirectional marks, emoji, other
scripts, markup, U+2028), but never hold unpaired surrogates, which UTF-8 cannot carry.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from hypothesis import strategies as st

from starebrain.device import (
    App,
    AppSwitch,
    Calendar,
    Contact,
    DeviceContext,
    Event,
    Notification,
    Owner,
    Response,
    SavedLocation,
)
from starebrain.intent import ActionIntent, Parameter, ParameterKind
from starebrain.resolution import (
    MAX_ALTERNATIVES,
    Alternative,
    AppValue,
    CalendarValue,
    Cap,
    ContactValue,
    ContextSource,
    Evidence,
    Grain,
    LocationValue,
    ParameterValue,
    Resolution,
    ResolutionConfidence,
    TimeSlotValue,
    Value,
    Warn,
)

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "line\nbreak\ttab\r\x00nul\x1b[31mred",
    "\u202eesrever\u202c",
    "a\u2028b\u2029c\x85d",
    "\u0645\u0631\u064a\u0645",
    "\u5c71\u7530\u3000\u592a\u90ce",
    "\U0001f469\u200d\U0001f467 Mum",
    "=cmd|' /C calc'!A0",
    "${HOME} {{ 7*7 }} %s \\u0041",
    "e\u0301",
    "   ",
    "Ana " * 2500,
)
"""Text that has broken programs of this kind; the last is 10 kB long."""

texts = st.text(max_size=12) | st.sampled_from(HOSTILE[:-1]) | st.sampled_from(("Mom", "Ana", "Gym", "Dentist", ""))
ids = st.text(min_size=1, max_size=8) | st.sampled_from(("c-1", "e-1", "com.example"))
zones = st.sampled_from(("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"))
locales = st.sampled_from(("en_US", "en_GB", "en_IN", "de_DE", "es_ES", "fr_FR", "pt_BR", ""))
offsets = st.integers(-12 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
instants = st.datetimes(datetime(1970, 1, 2), datetime(2100, 1, 1), timezones=offsets)
lengths = st.timedeltas(timedelta(0), timedelta(days=400))
coordinates = st.tuples(st.floats(-90, 90), st.floats(-180, 180))
probabilities = st.none() | st.floats(0, 1).map(lambda p: round(p, 6))
kinds = st.sampled_from(ParameterKind)
tiers = st.sampled_from(ResolutionConfidence)
sources = st.sampled_from(ContextSource)


def tuples(of: st.SearchStrategy, max_size: int = 3, unique_by=None) -> st.SearchStrategy[tuple]:
    """Tuples of at most `max_size` things."""
    return st.lists(of, max_size=max_size, unique_by=unique_by).map(tuple)


owners = st.builds(Owner, name=texts, emails=tuples(texts))

contacts = st.builds(
    Contact,
    contact_id=ids,
    display_name=texts,
    given_name=st.none() | texts,
    family_name=st.none() | texts,
    nickname=st.none() | texts,
    relation=st.none() | texts,
    organization=st.none() | texts,
    phones=tuples(texts),
    emails=tuples(texts),
    addresses=tuples(texts),
    starred=st.booleans(),
    times_contacted=st.integers(0, 10_000),
    last_contacted_at=st.none() | instants,
    added_at=st.none() | instants,
)

calendars = st.builds(
    Calendar, calendar_id=ids, name=texts, account=texts, is_default=st.booleans(), writable=st.booleans()
)


@st.composite
def events(draw: st.DrawFn) -> Event:
    """An event of 0 to 400 days."""
    start = draw(instants)
    return Event(
        event_id=draw(ids),
        start_time=start,
        end_time=start + draw(lengths),
        calendar_id=draw(texts),
        title=draw(texts),
        all_day=draw(st.booleans()),
        location=draw(st.none() | texts),
        attendees=draw(tuples(texts)),
        organizer=draw(st.none() | texts),
        response=draw(st.sampled_from(Response)),
    )


locations = st.builds(SavedLocation, location_id=ids, label=texts, address=texts, coordinates=st.none() | coordinates)
apps = st.builds(App, package=ids, label=texts)
app_switches = st.builds(AppSwitch, from_package=texts, to_package=texts, at=instants)
notifications = st.builds(
    Notification,
    notification_id=ids,
    posted_at=instants,
    package=texts,
    title=texts,
    text=texts,
    sender_contact_id=st.none() | ids,
)


def devices(max_size: int = 3) -> st.SearchStrategy[DeviceContext]:
    """Phones with at most `max_size` records of each sort."""
    return st.builds(
        DeviceContext,
        captured_at=instants,
        timezone=zones,
        locale=locales,
        owner=owners,
        contacts=tuples(contacts, max_size, lambda r: r.contact_id),
        calendars=tuples(calendars, max_size, lambda r: r.calendar_id),
        upcoming_events=tuples(events(), max_size, lambda r: r.event_id),
        saved_locations=tuples(locations, max_size, lambda r: r.location_id),
        installed_apps=tuples(apps, max_size, lambda r: r.package),
        recent_apps=tuples(texts, max_size),
        active_package=st.none() | texts,
        app_switches=tuples(app_switches, max_size),
        active_notifications=tuples(notifications, max_size, lambda r: r.notification_id),
    )


parameters = st.builds(Parameter, name=ids, kind=kinds, hint=st.none() | texts)
intents = st.builds(
    ActionIntent,
    intent_id=ids,
    action=texts,
    utterance=st.none() | texts,
    required_parameters=tuples(parameters, unique_by=lambda p: p.name),
)


@st.composite
def location_values(draw: st.DrawFn) -> LocationValue:
    """A place of the saved list, an event or a contact."""
    origin = draw(st.sampled_from(("location_id", "event_id", "contact_id")))
    origins = {"location_id": None} | {origin: draw(ids)}
    return LocationValue(label=draw(texts), address=draw(texts), coordinates=draw(st.none() | coordinates), **origins)


@st.composite
def time_slot_values(draw: st.DrawFn) -> TimeSlotValue:
    """A slot with an open end, or one of 0 to 400 days."""
    start = draw(instants)
    end = draw(st.none() | lengths.map(lambda length: start + length))
    return TimeSlotValue(start, end, draw(st.sampled_from(Grain)), draw(st.none() | ids))


VALUES: dict[ParameterKind, st.SearchStrategy] = {
    ParameterKind.CONTACT: st.builds(ContactValue, contact_id=ids, display_name=texts),
    ParameterKind.LOCATION: location_values(),
    ParameterKind.TIME_SLOT: time_slot_values(),
    ParameterKind.CALENDAR: st.builds(CalendarValue, calendar_id=ids, name=texts),
    ParameterKind.APP: st.builds(AppValue, package=ids),
}


def values(kind: ParameterKind) -> st.SearchStrategy[Value]:
    """Values of one kind."""
    return VALUES[kind]


@st.composite
def parameter_values(draw: st.DrawFn) -> ParameterValue:
    """What some resolver might say of one parameter: probabilities have six digits and bits four, as in the format."""
    kind, confidence = draw(kinds), draw(tiers)
    value = None if confidence is ResolutionConfidence.UNRESOLVABLE else draw(values(kind))
    return ParameterValue(
        kind,
        value,
        confidence,
        draw(sources),
        probability=draw(probabilities),
        alternatives=draw(tuples(st.builds(Alternative, values(kind), probabilities, sources), MAX_ALTERNATIVES)),
        evidence=draw(tuples(st.builds(Evidence, texts, st.floats(-99, 99).map(lambda b: round(b, 4)), texts))),
        caps=draw(tuples(st.builds(Cap, texts, tiers, texts))),
        warnings=draw(tuples(st.builds(Warn, texts, texts))),
    )


resolutions = st.builds(
    Resolution,
    intent_id=ids,
    action=texts,
    captured_at=instants,
    resolved_parameters=st.dictionaries(ids, parameter_values(), max_size=3),
)
