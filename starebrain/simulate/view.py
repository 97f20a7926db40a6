"""One phone of a block as its speaker sees it, and the dice that the speaker throws."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from starebrain.device import zone
from starebrain.simulate.agenda import Agenda
from starebrain.simulate.distortions import fold
from starebrain.simulate.language import LOCALES, Language, Locale, language
from starebrain.simulate.people import People
from starebrain.simulate.phones import Phones
from starebrain.simulate.pools import Pools
from starebrain.simulate.surroundings import Apps, Places
from starebrain.simulate.vocabulary import Index

if TYPE_CHECKING:
    from starebrain.simulate.scenario import Speakers

T = TypeVar("T")


class Dice:
    """Uniform numbers of one parameter, thrown one after the other."""

    def __init__(self, numbers: Sequence[float]) -> None:
        self._numbers, self._next = numbers, 0

    def __call__(self) -> float:
        """The next number, 0 to below 1."""
        number = self._numbers[self._next % len(self._numbers)]
        self._next += 1
        return number

    def pick(self, things: Sequence[T]) -> T:
        """One of `things`, each as likely."""
        return things[int(self() * len(things))]

    def weighted(self, things: Index, weights: np.ndarray) -> int:
        """One of `things` in proportion to `weights`."""
        total = np.cumsum(weights)
        return int(things[np.searchsorted(total, self() * total[-1], side="right")])


@dataclass(frozen=True, slots=True)
class Said:
    """What a speaker said for one parameter, the keys of what they meant, and of all that the words fit as well."""

    hint: str | None
    intended: tuple[str, ...]
    compatible: tuple[str, ...]


NOTHING = ()
"""The keys of what the phone does not have."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of phones as columns."""

    pools: Pools
    phones: Phones
    people: People
    places: Places
    agenda: Agenda
    apps: Apps


class View:
    """One phone of a block, how speakers speak, and the action that is being asked for.

    Rows of people are numbered from 0 in the phone, as their ids are.
    """

    def __init__(self, block: Block, at: int, speakers: Speakers) -> None:
        self.block, self.at, self.speakers, self.action = block, at, speakers, ""
        self.locale: Locale = LOCALES[block.pools.locales[block.phones.locale[at]]]
        self.speech: Language = language(self.locale.language)
        self.texts = block.pools.words.texts
        start, count = block.people.rows.start[at], block.people.rows.counts[at]
        self.first, self.size = int(start), int(count)
        self._here = slice(self.first, self.first + self.size)

    # People

    def of(self, column: Any) -> Any:
        """A column of `People`, cut to this phone."""
        return column[self._here]

    @cached_property
    def called(self) -> Index:
        """Given names as stored."""
        return self.of(self.block.people.called)

    @cached_property
    def family(self) -> Index:
        """Family names as stored."""
        return self.of(self.block.people.family)

    @cached_property
    def business(self) -> np.ndarray:
        """Which contacts are businesses."""
        return self.of(self.block.people.business)

    @cached_property
    def kin(self) -> Index:
        """Relations that the phone knows."""
        return np.where(self.of(self.block.people.sayable), self.of(self.block.people.kin), -1)

    @cached_property
    def persons(self) -> list[int]:
        """The row of the block that stands for each contact's person."""
        return self.of(self.block.people.person).tolist()

    @cached_property
    def weight(self) -> np.ndarray:
        """How often each contact is spoken of, in proportion: as often as it is contacted, and one more."""
        return self.of(self.block.people.times) + 1.0

    @cached_property
    def houses(self) -> Index:
        """The addresses of contacts, as texts."""
        return self.of(self.block.people.house)

    @cached_property
    def displays(self) -> list[str]:
        """The names under which contacts are stored."""
        return self.block.people.display.slice(self.first, self.size).to_pylist()

    @cached_property
    def whole_elsewhere(self) -> np.ndarray:
        """For which contacts the given name, as stored, is the whole stored name of some contact, maybe their own."""
        stored = set(map(fold, self.displays))
        return np.array([c >= 0 and fold(self.texts[c]) in stored for c in self.called.tolist()], bool)

    @cached_property
    def words(self) -> dict[str, set[int]]:
        """For each word of a stored name, nickname or part of a name (folded) the contacts that have it."""
        people, split = self.block.people, self.block.pools.words.split
        columns = (*people.written, people.called, people.family, people.nickname)
        rows: dict[str, set[int]] = {}
        for row, numbers in enumerate(zip(*(self.of(column).tolist() for column in columns), strict=True)):
            for number in set(numbers):
                for word in split[number]:
                    rows.setdefault(word, set()).add(row)
        return rows

    def bearers(self, text: str) -> list[int]:
        """The contacts that have every word of `text` in their names."""
        words = [self.words.get(word, set()) for word in fold(text).split()]
        return sorted(set.intersection(*words)) if words else []

    def same_name(self, row: int) -> Index:
        """The contacts with the given and family names of `row`, however written; for a business its whole name."""
        if self.business[row]:
            wanted = fold(self.displays[row])
            return np.array([r for r, name in enumerate(self.displays) if fold(name) == wanted])
        folded = self.block.pools.words.folded
        given, last = folded[self.called[row]], folded[self.family[row]]
        named = (self.called >= 0) & (self.family >= 0) & ~self.business
        return np.flatnonzero(named & (folded[self.called] == given) & (folded[self.family] == last))

    def people(self, rows: Iterable[int]) -> tuple[str, ...]:
        """The keys of contacts, with all other records of the same people, in the phone's order."""
        persons = {self.persons[row] for row in rows}
        return tuple(f"c{row}" for row, person in enumerate(self.persons) if person in persons)

    def meant(self, dice: Dice, eligible: np.ndarray) -> int | None:
        """One of the contacts for which `eligible` holds; None where there is none."""
        rows = np.flatnonzero(eligible)
        return dice.weighted(rows, self.weight[rows]) if len(rows) else None

    # Places, events, calendars, apps

    @cached_property
    def places(self) -> list[dict[str, Any]]:
        """The saved places with their sort, and the contact (a row of the block) whose they are."""
        places = self.block.places
        start, count = int(places.rows.start[self.at]), int(places.rows.counts[self.at])
        here = slice(start, start + count)
        rows = places.table.select(["location_id", "label", "address"]).slice(start, count).to_pylist()
        columns = (places.sort[here].tolist(), places.contact[here].tolist())
        return [row | {"sort": s, "contact": c} for row, s, c in zip(rows, *columns, strict=True)]

    @cached_property
    def events(self) -> list[dict[str, Any]]:
        """The events with start and end (seconds since 1970) and their series."""
        agenda = self.block.agenda
        start, count = int(agenda.rows.start[self.at]), int(agenda.rows.counts[self.at])
        here = slice(start, start + count)
        rows = agenda.table.select(["event_id", "title", "location", "all_day", "response"])
        return [
            row | {"start": s, "end": e, "series": r, "place": p}
            for row, s, e, r, p in zip(
                rows.slice(start, count).to_pylist(),
                *(column[here].tolist() for column in (agenda.start, agenda.end, agenda.series, agenda.place)),
                strict=True,
            )
        ]

    @cached_property
    def calendars(self) -> list[dict[str, Any]]:
        """The calendars."""
        agenda = self.block.agenda
        counts = (agenda.calendars >= 0).sum(axis=1)
        return agenda.calendar_table.slice(int(counts[: self.at].sum()), int(counts[self.at])).to_pylist()

    @cached_property
    def apps(self) -> list[int]:
        """Places in the catalogue of the apps on the phone."""
        return np.flatnonzero(self.block.apps.present[self.at]).tolist()

    # Time

    @cached_property
    def zone(self) -> tzinfo:
        """The phone's time zone."""
        return zone(self.block.phones.zones[self.block.phones.zone[self.at]])

    @cached_property
    def now(self) -> datetime:
        """The instant of the snapshot on the phone's clock."""
        return self.clock(int(self.block.phones.now[self.at]))

    def clock(self, seconds: int) -> datetime:
        """An instant (seconds since 1970) on the phone's clock."""
        return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).astimezone(self.zone)

    def wall(self, day: int, hour: int, minute: int) -> datetime:
        """The time `day` days from today on the phone's clock."""
        date = self.now.date() + timedelta(days=day)
        return datetime(date.year, date.month, date.day, hour, minute, tzinfo=self.zone)
