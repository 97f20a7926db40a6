"""Where a snapshot comes from: one small protocol a source of the phone, and a capture that notices a torn one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Protocol

from starebrain.device import (
    App,
    AppSwitch,
    Calendar,
    Contact,
    DeviceContext,
    Event,
    Notification,
    Owner,
    SavedLocation,
)
from starebrain.errors import TornSnapshot, require

ATTEMPTS = 3
"""How often a torn snapshot is taken again (our choice: a sync that lasts longer is better waited for)."""


class Revised(Protocol):
    """A source that can say whether it has changed."""

    def revision(self) -> object:
        """Something that equals an earlier answer only where nothing in the source changed in between."""
        ...


class CalendarProvider(Revised, Protocol):
    """The phone's calendars."""

    def calendars(self) -> Iterable[Calendar]:
        """Every calendar."""
        ...

    def events(self) -> Iterable[Event]:
        """The events to come, occurrence by occurrence."""
        ...


class LocationProvider(Revised, Protocol):
    """The saved places."""

    def locations(self) -> Iterable[SavedLocation]:
        """Every saved place."""
        ...


class ContactProvider(Revised, Protocol):
    """The address book."""

    def contacts(self) -> Iterable[Contact]:
        """Every contact."""
        ...


class AppProvider(Revised, Protocol):
    """The apps, and how the user moved between them."""

    def installed(self) -> Iterable[App]:
        """Every installed app."""
        ...

    def recent(self) -> Iterable[str]:
        """Package names, newest first."""
        ...

    def active(self) -> str | None:
        """The package in front."""
        ...

    def switches(self) -> Iterable[AppSwitch]:
        """How the user got there."""
        ...


class NotificationProvider(Revised, Protocol):
    """The notifications on the screen."""

    def notifications(self) -> Iterable[Notification]:
        """Every active notification."""
        ...


class SettingsProvider(Revised, Protocol):
    """What the phone says of itself."""

    def timezone(self) -> str:
        """The IANA name of its zone."""
        ...

    def locale(self) -> str:
        """Its locale, as ``en_US``."""
        ...

    def owner(self) -> Owner:
        """Its user."""
        ...


@dataclass(frozen=True, slots=True)
class Providers:
    """The sources of one phone."""

    calendar: CalendarProvider
    locations: LocationProvider
    contacts: ContactProvider
    apps: AppProvider
    notifications: NotificationProvider
    settings: SettingsProvider


def capture(providers: Providers, now: datetime, *, attempts: int = ATTEMPTS) -> DeviceContext:
    """The snapshot of every source at `now`: what all of them held at one and the same time.

    Revisions are read before the first source and after the last. Where one differs, a source changed while another was
    being read, and all of it is read again, at most `attempts` times in all; then `TornSnapshot` names the sources.
    """
    require(attempts >= 1, "attempts", f"{attempts} attempts take no snapshot")
    torn: list[str] = []
    for _ in range(attempts):
        before = _revisions(providers)
        held = _held(providers)
        after = _revisions(providers)
        torn = [name for name in before if before[name] != after[name]]
        if not torn:
            return DeviceContext(captured_at=now, **held)
    raise TornSnapshot(
        f"{', '.join(torn)} changed while the phone was being read, {attempts} times in a row",
        remedy="Try again when the phone has finished syncing.",
    )


def _revisions(providers: Providers) -> Mapping[str, object]:
    return {f.name: getattr(providers, f.name).revision() for f in fields(providers)}


def _held(providers: Providers) -> dict[str, Any]:
    """What every source holds, by the field of the snapshot; whether it fits together is not looked at yet."""
    settings, apps = providers.settings, providers.apps
    return {
        "timezone": settings.timezone(),
        "locale": settings.locale(),
        "owner": settings.owner(),
        "contacts": tuple(providers.contacts.contacts()),
        "calendars": tuple(providers.calendar.calendars()),
        "upcoming_events": tuple(providers.calendar.events()),
        "saved_locations": tuple(providers.locations.locations()),
        "installed_apps": tuple(apps.installed()),
        "recent_apps": tuple(apps.recent()),
        "active_package": apps.active(),
        "app_switches": tuple(apps.switches()),
        "active_notifications": tuple(providers.notifications.notifications()),
    }


class Timeline(Protocol):
    """A phone that changes."""

    def at(self, instant: datetime) -> DeviceContext:
        """What the phone knows at that instant."""
        ...


@dataclass(frozen=True, slots=True)
class PhoneProvider:
    """Every source of a simulated phone as it is when the `clock` is looked at; a snapshot is a phone that stays.

    Its revision is what the `watched` fields hold: a change that is undone before anybody looks has torn nothing.
    """

    phone: DeviceContext | Timeline
    clock: Callable[[], datetime]
    watched: tuple[str, ...]

    @property
    def _now(self) -> DeviceContext:
        return self.phone if isinstance(self.phone, DeviceContext) else self.phone.at(self.clock())

    def revision(self) -> object:
        """See `Revised`."""
        now = self._now
        return tuple(getattr(now, name) for name in self.watched)

    def calendars(self) -> Iterable[Calendar]:
        """See `CalendarProvider`."""
        return self._now.calendars

    def events(self) -> Iterable[Event]:
        """See `CalendarProvider`."""
        return self._now.upcoming_events

    def locations(self) -> Iterable[SavedLocation]:
        """See `LocationProvider`."""
        return self._now.saved_locations

    def contacts(self) -> Iterable[Contact]:
        """See `ContactProvider`."""
        return self._now.contacts

    def installed(self) -> Iterable[App]:
        """See `AppProvider`."""
        return self._now.installed_apps

    def recent(self) -> Iterable[str]:
        """See `AppProvider`."""
        return self._now.recent_apps

    def active(self) -> str | None:
        """See `AppProvider`."""
        return self._now.active_package

    def switches(self) -> Iterable[AppSwitch]:
        """See `AppProvider`."""
        return self._now.app_switches

    def notifications(self) -> Iterable[Notification]:
        """See `NotificationProvider`."""
        return self._now.active_notifications

    def timezone(self) -> str:
        """See `SettingsProvider`."""
        return self._now.timezone

    def locale(self) -> str:
        """See `SettingsProvider`."""
        return self._now.locale

    def owner(self) -> Owner:
        """See `SettingsProvider`."""
        return self._now.owner


WATCHED: Mapping[str, tuple[str, ...]] = {
    "calendar": ("calendars", "upcoming_events"),
    "locations": ("saved_locations",),
    "contacts": ("contacts",),
    "apps": ("installed_apps", "recent_apps", "active_package", "app_switches"),
    "notifications": ("active_notifications",),
    "settings": ("timezone", "locale", "owner"),
}
"""The fields of a snapshot that each source fills."""


def providers_of(phone: DeviceContext | Timeline, clock: Callable[[], datetime]) -> Providers:
    """The sources of a simulated phone: a snapshot, or anything with ``at(instant)``, read by `clock`."""
    return Providers(**{name: PhoneProvider(phone, clock, watched) for name, watched in WATCHED.items()})
