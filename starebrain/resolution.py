"""What became of a parameter: its value, the tier that decides what the user sees, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from math import isfinite
from typing import Any

from starebrain.errors import InvalidInput, require, require_instant
from starebrain.intent import ParameterKind


class ResolutionConfidence(StrEnum):
    """The tier: HIGH is filled in silently, MEDIUM suggested, LOW and UNRESOLVABLE asked. Ordered by `rank`."""

    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"
    UNRESOLVABLE = "UNRESOLVABLE"

    @property
    def rank(self) -> int:
        """3 for HIGH down to 0 for UNRESOLVABLE."""
        return RANK[self]


RANK = {tier: 3 - at for at, tier in enumerate(ResolutionConfidence)}


class ContextSource(StrEnum):
    """Where a value came from; `user_provided` also where only the user can provide it."""

    DEVICE_CALENDAR = "device_calendar"
    SAVED_LOCATIONS = "saved_locations"
    RECENT_CONTACTS = "recent_contacts"
    NOTIFICATIONS = "notifications"
    RECENT_APPS = "recent_apps"
    USER_PROVIDED = "user_provided"
    SESSION_MEMORY = "session_memory"
    INFERRED = "inferred"


class Grain(StrEnum):
    """How precisely the user spoke of a time."""

    MINUTE = "minute"
    HOUR = "hour"
    DAY_PART = "day_part"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class ContactValue:
    """A contact of the phone."""

    contact_id: str
    display_name: str


@dataclass(frozen=True, slots=True)
class LocationValue:
    """A place: a saved one, or one of an event (`event_id`) or a contact (`contact_id`)."""

    location_id: str | None
    label: str
    address: str
    coordinates: tuple[float, float] | None = None
    event_id: str | None = None
    contact_id: str | None = None

    def __post_init__(self) -> None:
        origins = (self.location_id, self.event_id, self.contact_id)
        require(any(origin is not None for origin in origins), "location_id", "a place needs one of its three ids")


@dataclass(frozen=True, slots=True)
class TimeSlotValue:
    """A time, with the offset of the phone's zone at that instant; `end` is exclusive, None where it was left open."""

    start: datetime
    end: datetime | None
    grain: Grain
    event_id: str | None = None

    def __post_init__(self) -> None:
        require_instant(self.start, "start")
        require_instant(self.end, "end")
        require(self.end is None or self.end >= self.start, "end", "the slot ends before it starts")


@dataclass(frozen=True, slots=True)
class CalendarValue:
    """A calendar of the phone."""

    calendar_id: str
    name: str


@dataclass(frozen=True, slots=True)
class AppValue:
    """An installed app."""

    package: str


Value = ContactValue | LocationValue | TimeSlotValue | CalendarValue | AppValue

MAX_ALTERNATIVES = 5

VALUES: Mapping[ParameterKind, type] = {
    ParameterKind.CONTACT: ContactValue,
    ParameterKind.LOCATION: LocationValue,
    ParameterKind.TIME_SLOT: TimeSlotValue,
    ParameterKind.CALENDAR: CalendarValue,
    ParameterKind.APP: AppValue,
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One comparison of the hint with the chosen candidate; `bits` is its weight, log2 of the likelihood ratio."""

    name: str
    bits: float
    detail: str = ""

    def __post_init__(self) -> None:
        if not isfinite(self.bits):
            raise InvalidInput(f"{self.bits} is not a finite number", place="bits")


@dataclass(frozen=True, slots=True)
class Cap:
    """A rule that held the tier down to at most `tier`, whatever the probability."""

    rule: str
    tier: ResolutionConfidence
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Warn:
    """Something that holds no tier down, but that the user should see when confirming."""

    rule: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A runner-up; `probability` as in `ParameterValue`."""

    value: Value
    probability: float | None
    source: ContextSource


@dataclass(frozen=True, slots=True)
class ParameterValue:
    """What a resolver says of one parameter.

    `probability` (0 to 1) is that of `value` being what the user meant, None where a resolver has none. At most five
    `alternatives`, most probable first, without `value` itself. `value` is None where `confidence` is UNRESOLVABLE; LOW
    may have one, MEDIUM and HIGH must.
    """

    kind: ParameterKind
    value: Value | None
    confidence: ResolutionConfidence
    source: ContextSource
    probability: float | None = None
    alternatives: tuple[Alternative, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    caps: tuple[Cap, ...] = ()
    warnings: tuple[Warn, ...] = ()

    def __post_init__(self) -> None:
        confidence, of = self.confidence, VALUES[self.kind]
        if self.value is None:
            if confidence not in (ResolutionConfidence.LOW, ResolutionConfidence.UNRESOLVABLE):
                raise InvalidInput(f"{confidence} needs a value", place="value")
        elif confidence is ResolutionConfidence.UNRESOLVABLE:
            raise InvalidInput("UNRESOLVABLE has no value", place="value")
        if len(self.alternatives) > MAX_ALTERNATIVES:
            raise InvalidInput(f"more than {MAX_ALTERNATIVES}", place="alternatives")
        for value in (self.value, *[other.value for other in self.alternatives]):
            if value is not None and not isinstance(value, of):
                raise InvalidInput(f"not a value of kind {self.kind}", place="value")
        for probability in (self.probability, *[other.probability for other in self.alternatives]):
            if probability is not None and not 0 <= probability <= 1:
                raise InvalidInput(f"{probability} is outside 0 to 1", place="probability")


def unresolvable(kind: ParameterKind, alternatives: tuple[Alternative, ...] = (), **fields: Any) -> ParameterValue:
    """The answer where the phone does not have it, and only the user can provide it."""
    return ParameterValue(
        kind, None, ResolutionConfidence.UNRESOLVABLE, ContextSource.USER_PROVIDED, alternatives=alternatives, **fields
    )


@dataclass(frozen=True, slots=True)
class Resolution:
    """What became of one intent; the three lists hold parameter names in the order of the intent."""

    intent_id: str
    action: str
    captured_at: datetime
    resolved_parameters: Mapping[str, ParameterValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        require_instant(self.captured_at, "captured_at")

    def _names(self, *tiers: ResolutionConfidence) -> tuple[str, ...]:
        return tuple(name for name, got in self.resolved_parameters.items() if got.confidence in tiers)

    @property
    def pending_parameters(self) -> tuple[str, ...]:
        """Names of what the user has to be asked (LOW and UNRESOLVABLE)."""
        return self._names(ResolutionConfidence.LOW, ResolutionConfidence.UNRESOLVABLE)

    @property
    def suggested_parameters(self) -> tuple[str, ...]:
        """Names of what is suggested for confirmation (MEDIUM)."""
        return self._names(ResolutionConfidence.MEDIUM)

    @property
    def auto_filled_parameters(self) -> tuple[str, ...]:
        """Names of what is filled in silently (HIGH)."""
        return self._names(ResolutionConfidence.HIGH)


def key_of(value: Value) -> str:
    """The identity of a value, as gold labels spell it.

    An id of the phone; ``event:ID`` or ``contact:ID`` for a place that comes from one; ``START/END`` in ISO 8601 (or
    ``START`` where the end is open) for a time.
    """
    match value:
        case ContactValue():
            return value.contact_id
        case LocationValue():
            if value.location_id is not None:
                return value.location_id
            return f"event:{value.event_id}" if value.event_id is not None else f"contact:{value.contact_id}"
        case TimeSlotValue():
            return value.start.isoformat() + ("" if value.end is None else f"/{value.end.isoformat()}")
        case CalendarValue():
            return value.calendar_id
        case AppValue():
            return value.package


GRAINS: Mapping[str, tuple[int, timedelta]] = {
    "year": (4, timedelta(days=366)),
    "month": (7, timedelta(days=31)),
    "week": (10, timedelta(days=7)),
    "day": (10, timedelta(days=1)),
    "hour": (13, timedelta(hours=1)),
    "minute": (16, timedelta(minutes=1)),
    "second": (19, timedelta(seconds=1)),
}
"""How far times are compared where a label names a grain: characters of an ISO 8601 start, tolerance of an end."""


def is_one_of(value: Value | None, keys: Iterable[str]) -> bool:
    """Whether `value` is what one of `keys` names; times as `is_time_of` compares them."""
    if value is None:
        return False
    return is_time_of(value.start, value.end, keys) if isinstance(value, TimeSlotValue) else key_of(value) in keys


def is_time_of(start: datetime, end: datetime | None, keys: Iterable[str]) -> bool:
    """Whether two instants are what one of `keys` names: ``START``, ``START/END``, either with a grain, ``START@day``.

    Without a grain they have to be equal, the end only where the key names one. With one of `GRAINS`, starts compare as
    far as it reaches, in the offset of the key, and two ends may differ by one of it, since some include the last unit
    and others do not.
    """
    return any(_fits(start, end, *key.partition("@")[::2]) for key in keys)


def _fits(start: datetime, end: datetime | None, times: str, grain: str) -> bool:
    first, _, last = times.partition("/")
    expected, until = datetime.fromisoformat(first), datetime.fromisoformat(last) if last else None
    if not grain:
        return expected == start and until in (None, end)
    reach, tolerance = GRAINS[grain]
    if expected.isoformat()[:reach] != start.astimezone(expected.tzinfo).isoformat()[:reach]:
        return False
    return until is None or end is None or abs(until - end) <= tolerance
