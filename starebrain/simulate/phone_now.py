"""A phone while changes are drawn for it: its records as they are now, and whom the next change may hit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from functools import cache, cached_property
from itertools import islice

from faker import Faker

from starebrain.device import App, Contact, DeviceContext, Event, SavedLocation
from starebrain.simulate.changes import Cause, Change, Record
from starebrain.simulate.distortions import fold
from starebrain.simulate.language import LOCALES, Language, Locale, catalogue, language
from starebrain.simulate.sections import Changes
from starebrain.simulate.view import Dice

NAMES = 400
"""Given and family names that newcomers draw from, in each locale: Faker's, common ones more often."""
ELSEWHERE = "en_US"
"""The locale whose words are used on phones of a locale that the simulator does not know."""


@dataclass(frozen=True, slots=True)
class Choice[R: (Contact, Event, SavedLocation)]:
    """Records of which a change may hit one: those that are `asked` about are `focus` times as likely as others."""

    records: Mapping[str, R]
    asked: Mapping[str, None]
    focus: float

    @property
    def wanted(self) -> list[str]:
        """The ids that are asked about."""
        return [id for id in self.asked if id in self.records]

    @property
    def mass(self) -> float:
        """How many records there are, those that are asked about counted `focus` times."""
        return len(self.records) + (self.focus - 1) * len(self.wanted)

    def hit(self, dice: Dice) -> R | None:
        """One of the records; None where there are none."""
        drawn = dice() * self.mass
        if drawn < len(self.records):
            return next(islice(self.records.values(), int(drawn), None))
        wanted = self.wanted
        return self.records[wanted[int((drawn - len(self.records)) / (self.focus - 1))]] if wanted else None


class PhoneNow:
    """The records of a phone by id as of the instant `at`, changed as changes are drawn."""

    def __init__(self, device: DeviceContext, rates: Changes, asked: Mapping[str, None]) -> None:
        self.device, self.rates, self.asked, self.at = device, rates, asked, device.captured_at
        self.contacts = {record.contact_id: record for record in device.contacts}
        self.events = {record.event_id: record for record in device.upcoming_events}
        self.places = {record.location_id: record for record in device.saved_locations}
        shown = sorted(device.active_notifications, key=lambda record: record.posted_at)
        self.notifications = {record.notification_id: record for record in shown}
        self._by_field: Mapping[str, dict[str, Record]] = {
            "contacts": self.contacts,  # type: ignore[dict-item]
            "upcoming_events": self.events,  # type: ignore[dict-item]
            "saved_locations": self.places,  # type: ignore[dict-item]
            "active_notifications": self.notifications,  # type: ignore[dict-item]
        }
        self._taken = {id for records in self._by_field.values() for id in records}
        self._new = 0

    def made(self, change: Change, cause: Cause | None) -> Change:
        """The change, made; brought about by `cause` where that is given."""
        records = self._by_field[change.field]
        records |= dict(zip(change.ids, change.put, strict=False))
        for gone in change.drop:
            del records[gone]
        return change if cause is None else replace(change, cause=cause)

    def new_id(self) -> str:
        """An id that no record has had."""
        while True:
            self._new += 1
            if (id := f"y{self._new}") not in self._taken:
                return id

    # Whom it may hit

    def anybody(self) -> Choice[Contact]:
        """The contacts."""
        return Choice(self.contacts, self.asked, self.rates.focus.contacts)

    def anywhere(self) -> Choice[SavedLocation]:
        """The saved places."""
        return Choice(self.places, self.asked, self.rates.focus.places)

    def coming(self) -> Choice[Event]:
        """The events that have not begun."""
        coming = {id: event for id, event in self.events.items() if event.start_time > self.at}
        return Choice(coming, self.asked, self.rates.focus.events)

    def twins(self) -> Choice[Contact]:
        """The first ones of `pairs`."""
        first = {one.contact_id: one for one, _ in self.pairs()}
        return Choice(first, self.asked, self.rates.focus.contacts)

    def pairs(self) -> list[tuple[Contact, Contact]]:
        """Contacts that a synchronisation would take for one: they share a mail address, or a number and an initial."""
        first: dict[tuple[str, str], Contact] = {}
        found: dict[tuple[str, str], tuple[Contact, Contact]] = {}
        for contact in self.contacts.values():
            initial = fold(contact.display_name)[:1]
            for key in [*((mail, "") for mail in contact.emails), *((phone, initial) for phone in contact.phones)]:
                other = first.setdefault(key, contact)
                if other is not contact:
                    found[other.contact_id, contact.contact_id] = other, contact
        return list(found.values())

    # What newcomers are called

    @cached_property
    def locale(self) -> Locale:
        """How people write here."""
        return LOCALES[self.locale_name]

    @cached_property
    def locale_name(self) -> str:
        """The phone's locale, or the nearest that the simulator knows."""
        name = self.device.locale
        alike = (known for known in LOCALES if name and known.startswith(name.partition("_")[0]))
        return name if name in LOCALES else next(alike, ELSEWHERE)

    @cached_property
    def speech(self) -> Language:
        """The words of the phone's language."""
        return language(self.locale.language)

    @property
    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Given and family names of newcomers."""
        return _names(self.locale_name)

    @property
    def zone(self) -> tzinfo:
        """The phone's time zone."""
        return self.device.zone

    def pick(self, section: str, key: str, dice: Dice) -> str:
        """One of a list of the language's table."""
        return dice.pick(self.speech[section][key])

    @cached_property
    def talking(self) -> list[App]:
        """The apps whose notifications are messages; all apps where there is none."""
        able = {app["package"] for app in catalogue() if "send_message" in app.get("actions", ())}
        return [a for a in self.device.installed_apps if a.package in able] or list(self.device.installed_apps)

    def digits(self, pattern: str, dice: Dice) -> str:
        """`pattern` with a digit in place of each ``#``."""
        return "".join(str(int(10 * dice())) if c == "#" else c for c in pattern)

    def clock(self, instant: datetime) -> datetime:
        """The instant on the phone's clock, whose days have 24 hours."""
        return instant.astimezone(self.zone)


@cache
def _names(locale: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    faker = Faker(locale, use_weighting=True)
    faker.seed_instance(0)
    given = (faker.first_name_female, faker.first_name_male)
    return (
        tuple(given[i % 2]() for i in range(NAMES)),
        tuple(faker.last_name() for _ in range(NAMES)),
    )
