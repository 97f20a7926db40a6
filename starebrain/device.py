"""What a phone knows at one instant: `DeviceContext` and its records, all frozen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import ClassVar
from zoneinfo import ZoneInfo

from starebrain.errors import InvalidInput, require, require_instant

FORMAT = "starebrain.device/1"


class Response(StrEnum):
    """The owner's answer to an invitation; events that the owner made count as accepted."""

    ACCEPTED = "accepted"
    TENTATIVE = "tentative"
    NEEDS_ACTION = "needs_action"
    DECLINED = "declined"


@dataclass(frozen=True, slots=True)
class Owner:
    """The phone's user."""

    name: str = ""
    emails: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Contact:
    """A person or business in the address book; `relation` is what they are to the owner ("mother")."""

    contact_id: str
    display_name: str = ""
    given_name: str | None = None
    family_name: str | None = None
    nickname: str | None = None
    relation: str | None = None
    organization: str | None = None
    phones: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    starred: bool = False
    times_contacted: int = 0
    last_contacted_at: datetime | None = None
    added_at: datetime | None = None

    def __post_init__(self) -> None:
        require(bool(self.contact_id), "contact_id", "a contact needs a non-empty id")
        require(0 <= self.times_contacted < 2**63, "times_contacted", f"{self.times_contacted} is no 64-bit count")
        require_instant(self.last_contacted_at, "last_contacted_at")
        require_instant(self.added_at, "added_at")


@dataclass(frozen=True, slots=True)
class Calendar:
    """A calendar of one account; a calendar that is not `writable` cannot take an event."""

    calendar_id: str
    name: str = ""
    account: str = ""
    is_default: bool = False
    writable: bool = False

    def __post_init__(self) -> None:
        require(bool(self.calendar_id), "calendar_id", "a calendar needs a non-empty id")


@dataclass(frozen=True, slots=True)
class Event:
    """One occurrence of an event; `end_time` is exclusive and not before `start_time`.

    Where `response` is absent it is `needs_action`, the careful reading: such an event is never used silently.
    """

    event_id: str
    start_time: datetime
    end_time: datetime
    calendar_id: str = ""
    title: str = ""
    all_day: bool = False
    location: str | None = None
    attendees: tuple[str, ...] = ()
    organizer: str | None = None
    response: Response = Response.NEEDS_ACTION

    def __post_init__(self) -> None:
        require(bool(self.event_id), "event_id", "an event needs a non-empty id")
        require_instant(self.start_time, "start_time")
        require_instant(self.end_time, "end_time")
        require(self.end_time >= self.start_time, "end_time", "the event ends before it starts")


@dataclass(frozen=True, slots=True)
class SavedLocation:
    """A saved place; `coordinates` are latitude and longitude in degrees (WGS 84), or None."""

    location_id: str
    label: str = ""
    address: str = ""
    coordinates: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        require(bool(self.location_id), "location_id", "a place needs a non-empty id")
        if self.coordinates is not None:
            latitude, longitude = self.coordinates
            require(-90 <= latitude <= 90, "coordinates", f"latitude {latitude} is outside -90 to 90 degrees")
            require(-180 <= longitude <= 180, "coordinates", f"longitude {longitude} is outside -180 to 180 degrees")


@dataclass(frozen=True, slots=True)
class App:
    """An installed app."""

    package: str
    label: str = ""

    def __post_init__(self) -> None:
        require(bool(self.package), "package", "an app needs a non-empty package name")


@dataclass(frozen=True, slots=True)
class AppSwitch:
    """One change of the app in front."""

    from_package: str
    to_package: str
    at: datetime

    def __post_init__(self) -> None:
        require_instant(self.at, "at")


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification on the screen: text that anyone may have sent."""

    notification_id: str
    posted_at: datetime
    package: str = ""
    title: str = ""
    text: str = ""
    sender_contact_id: str | None = None

    def __post_init__(self) -> None:
        require(bool(self.notification_id), "notification_id", "a notification needs a non-empty id")
        require_instant(self.posted_at, "posted_at")


@dataclass(frozen=True, slots=True, weakref_slot=True)
class DeviceContext:
    """A snapshot of one phone at `captured_at`, in the phone's own `timezone` (IANA name) and `locale` (``en_US``).

    Raises `InvalidInput`, with the place inside the snapshot, for an id that occurs twice, an unknown timezone or an
    instant without an offset. There is no screen content: no kind of parameter needs it.
    """

    captured_at: datetime
    timezone: str
    locale: str = ""
    owner: Owner = Owner()
    contacts: tuple[Contact, ...] = ()
    calendars: tuple[Calendar, ...] = ()
    upcoming_events: tuple[Event, ...] = ()
    saved_locations: tuple[SavedLocation, ...] = ()
    installed_apps: tuple[App, ...] = ()
    recent_apps: tuple[str, ...] = ()
    active_package: str | None = None
    app_switches: tuple[AppSwitch, ...] = ()
    active_notifications: tuple[Notification, ...] = ()
    format: str = FORMAT

    IDS: ClassVar = {
        "contacts": "contact_id",
        "calendars": "calendar_id",
        "upcoming_events": "event_id",
        "saved_locations": "location_id",
        "installed_apps": "package",
        "active_notifications": "notification_id",
    }

    def __post_init__(self) -> None:
        if self.format != FORMAT:
            raise InvalidInput(
                f"the format is {self.format!r}, and this version reads {FORMAT!r}",
                place="format",
                remedy="Update starebrain, or write the older format.",
            )
        require_instant(self.captured_at, "captured_at")
        zone(self.timezone)
        for records, name in self.IDS.items():
            _unique((getattr(r, name) for r in getattr(self, records)), records, name)

    @property
    def zone(self) -> ZoneInfo:
        """The phone's time zone."""
        return zone(self.timezone)


@cache
def zone(name: str) -> ZoneInfo:
    """The zone of an IANA name such as ``Europe/Berlin``; `InvalidInput` where there is none.

    Names that mean another zone on another machine (``localtime``) or count leap seconds (``right/UTC``) are refused.
    """
    try:
        if name.startswith(("localtime", "posix", "right/")):
            raise KeyError(name)
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise InvalidInput(
            f"{name!r} is not a known timezone", place="timezone", remedy="Use an IANA name such as 'Europe/Berlin'."
        ) from None


def _unique(ids: Iterable[str], records: str, name: str) -> None:
    ids = list(ids)
    if len(set(ids)) == len(ids):
        return
    twice = next(i for i, n in Counter(ids).items() if n > 1)
    second = [at for at, i in enumerate(ids) if i == twice][1]
    raise InvalidInput(f"the id {twice!r} occurs twice", place=f"{records}[{second}].{name}")
