"""What a value depends on: the fields of its own record, and the population that it was chosen from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b, sha256
from typing import Any

from starebrain.device import DeviceContext
from starebrain.errors import require
from starebrain.formats import canonical_json
from starebrain.intent import Parameter, ParameterKind
from starebrain.kinds import KINDS
from starebrain.kinds.location import ContactPlace, EventPlace
from starebrain.resolution import AppValue, CalendarValue, ContactValue, LocationValue, TimeSlotValue, Value

Content = str | bool | float | datetime | tuple[str, ...] | tuple[float, ...] | None
"""What a field of a record holds."""

DEVICE = "device"
"""The source of what the snapshot itself says: its timezone."""

SOURCES: Mapping[ParameterKind, tuple[str, ...]] = {
    ParameterKind.CONTACT: ("contacts",),
    ParameterKind.LOCATION: ("saved_locations", "contacts", "upcoming_events"),
    ParameterKind.TIME_SLOT: ("upcoming_events",),
    ParameterKind.CALENDAR: ("calendars",),
    ParameterKind.APP: ("installed_apps",),
}
"""The lists of the snapshot that a hint of each kind is compared with."""

READ: Mapping[tuple[ParameterKind, str], tuple[str, ...]] = {
    (ParameterKind.CONTACT, "contacts"): ("display_name", "nickname", "relation", "organization", "phones", "emails"),
    (ParameterKind.LOCATION, "saved_locations"): ("label", "address", "coordinates"),
    (ParameterKind.LOCATION, "contacts"): ("display_name", "nickname", "relation", "addresses"),
    (ParameterKind.LOCATION, "upcoming_events"): ("title", "location", "response"),
    (ParameterKind.TIME_SLOT, "upcoming_events"): (
        "title",
        "start_time",
        "end_time",
        "all_day",
        "calendar_id",
        "response",
    ),
    (ParameterKind.TIME_SLOT, DEVICE): ("timezone",),
    (ParameterKind.CALENDAR, "calendars"): ("name", "account", "writable"),
    (ParameterKind.APP, "installed_apps"): ("label",),
}
"""The fields of a value's own record that it depends on: what it is called, and where it leads."""

UNSAID: Mapping[ParameterKind, tuple[str, ...]] = {ParameterKind.CALENDAR: ("is_default",)}
"""The fields that it depends on besides, where nothing was said."""

PERSON = ("display_name", "given_name", "family_name", "nickname", "relation", "organization")
EVENT = ("title", "start_time", "end_time", "all_day", "calendar_id", "location", "organizer", "response")

TOLD_APART: Mapping[str, tuple[str, ...]] = {
    "contacts": (*PERSON, "phones", "emails", "addresses"),
    "upcoming_events": EVENT,
    "saved_locations": ("label", "address", "coordinates"),
    "calendars": ("name", "account", "is_default", "writable"),
    "installed_apps": ("label",),
}
"""The fields by which a record may become a rival; how often somebody is called makes nobody a new one."""

CALLED: Mapping[str, tuple[str, ...]] = {**TOLD_APART, "contacts": PERSON}
"""Those of them that a hint is compared with; a number or an address only tells two of one name apart."""

USAGE: Mapping[str, Mapping[str, Any]] = {
    "contacts": {"starred": False, "times_contacted": 0, "last_contacted_at": None},
}
"""How a record looks that was never used: what weighs for a candidate, and is not in the words."""

LABEL: Mapping[str, str] = {
    "contacts": "display_name",
    "upcoming_events": "title",
    "saved_locations": "label",
    "calendars": "name",
    "installed_apps": "label",
}
"""The field that names a record of each source."""

LISTS_KEPT, RECORDS_KEPT = 64, 16_384
"""How many lists and records keep what was derived from them, for as long as they are the very same."""


@dataclass(frozen=True, slots=True)
class Read:
    """One field that a value depends on, with its `content` at the snapshot.

    `source` is the list of the snapshot that holds the record (``contacts``), or ``device`` for the snapshot itself.
    """

    source: str
    record_id: str
    field: str
    content: Content


@dataclass(frozen=True, slots=True)
class Population:
    """Everything of one `source` that a choice was made from, as a fingerprint of 16 bytes a record."""

    source: str
    fingerprints: frozenset[bytes]

    @property
    def digest(self) -> str:
        """SHA-256 of the fingerprints in order, in hexadecimal digits."""
        return sha256(b"".join(sorted(self.fingerprints))).hexdigest()


@dataclass(frozen=True, slots=True)
class _Same:
    """A value as a key that equals nothing but the very same object: no field is compared."""

    of: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.of is other.of

    def __hash__(self) -> int:
        return id(self.of)


def origin(value: Value) -> tuple[str, str] | None:
    """The source and the id of the record that a value names; None for a time that no event gives."""
    match value:
        case ContactValue():
            return "contacts", value.contact_id
        case LocationValue():
            if value.location_id is not None:
                return "saved_locations", value.location_id
            if value.event_id is not None:
                return "upcoming_events", value.event_id
            return "contacts", value.contact_id or ""
        case TimeSlotValue():
            return None if value.event_id is None else ("upcoming_events", value.event_id)
        case CalendarValue():
            return "calendars", value.calendar_id
        case AppValue():
            return "installed_apps", value.package


def record_of(device: DeviceContext, source: str, record_id: str) -> Any | None:
    """The record of that id, None where the phone has none."""
    if source == DEVICE:
        return device
    return _by_id(_Same(getattr(device, source)), DeviceContext.IDS[source]).get(record_id)


def read_set(parameter: Parameter, value: Value, device: DeviceContext) -> tuple[Read, ...]:
    """Every field that `value` depends on, with its content in the snapshot.

    `InvalidInput` where the snapshot does not have the record, or has it otherwise than `value` says.
    """
    source, record_id = origin(value) or (DEVICE, "")
    record = record_of(device, source, record_id)
    require(record is not None, parameter.name, f"the snapshot has no {record_id!r} among its {source}")
    told = isinstance(value, TimeSlotValue) or value == value_of(parameter.kind, source, record, device)
    require(told, parameter.name, f"the value says of {record_id!r} what the snapshot does not")
    names = READ[parameter.kind, source]
    if not (parameter.hint or "").strip():
        names += UNSAID.get(parameter.kind, ())
    return tuple(Read(source, record_id, name, getattr(record, name)) for name in names)


def value_of(kind: ParameterKind, source: str, record: Any, device: DeviceContext) -> Value | None:
    """The value that a record of `source` is for a parameter of this kind; None for a contact without an address."""
    listed = as_listed(kind, source, record)
    return None if listed is None else KINDS[kind].value(listed, device)


def as_listed(kind: ParameterKind, source: str, record: Any) -> Any | None:
    """A record as its kind lists it: a contact is where it lives to the kind of places, if the phone knows where."""
    if kind is not ParameterKind.LOCATION or source == "saved_locations":
        return record
    if source == "upcoming_events":
        return EventPlace((record,))
    return ContactPlace(record) if record.addresses else None


def population(device: DeviceContext, source: str) -> Population:
    """Everything that the snapshot has of one source."""
    return _population(_Same(getattr(device, source)), source)


def news(device: DeviceContext, source: str, known: Set[bytes]) -> Mapping[tuple[str, str], Any]:
    """The records whose fingerprints are not `known`, by source and id, in the order of the phone."""
    records = _Same(getattr(device, source))
    if _population(records, source).fingerprints <= known:
        return {}
    id_of = DeviceContext.IDS[source]
    found = [record for print_, record in _fingerprints(records, source).items() if print_ not in known]
    return {(source, getattr(record, id_of)): record for record in found}


@lru_cache(maxsize=LISTS_KEPT)
def _by_id(records: _Same, name: str) -> Mapping[str, Any]:
    return {getattr(record, name): record for record in records.of}


@lru_cache(maxsize=LISTS_KEPT)
def _population(records: _Same, source: str) -> Population:
    return Population(source, frozenset(_fingerprints(records, source)))


@lru_cache(maxsize=LISTS_KEPT)
def _fingerprints(records: _Same, source: str) -> Mapping[bytes, Any]:
    return {_fingerprint(_Same(record), source): record for record in records.of}


@lru_cache(maxsize=RECORDS_KEPT)
def _fingerprint(record: _Same, source: str) -> bytes:
    return _print_of(record.of, source, TOLD_APART[source])


def called(source: str, record: Any) -> bytes:
    """16 bytes that change with the id of a record and with what it is called."""
    return _print_of(record, source, CALLED[source])


def _print_of(record: Any, source: str, names: Sequence[str]) -> bytes:
    content = [getattr(record, name) for name in (DeviceContext.IDS[source], *names)]
    return blake2b(canonical_json(content), digest_size=16).digest()
