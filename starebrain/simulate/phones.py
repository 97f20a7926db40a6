"""Phones before anything is on them: locale, zone, instant, owner, and how many records of each sort there will be."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from starebrain.dataset import Split
from starebrain.device import zone
from starebrain.simulate.layout import Rows, rows_of, sized
from starebrain.simulate.pools import CITIES, COMPANIES, GRAIN, Pools
from starebrain.simulate.streams import Streams
from starebrain.simulate.vocabulary import Index

if TYPE_CHECKING:
    from starebrain.simulate.scenario import Scenario

MINUTE, HOUR, DAY = 60, 3_600, 86_400
EPOCH = date(1970, 1, 1)
LONGEST = 30
"""Days that an event lasts at most."""


@dataclass(frozen=True, slots=True)
class Phones:
    """A block of phones as columns, a row each; `span` are days since 1970 between which everything happens.

    `now` is the instant of capture and `today` the local midnight before it, in seconds since 1970 in UTC; `day` counts
    local days since 1970, `minute` the minutes of the local day. `given`, `family` (position), `sex` are the owner's,
    `firm` is the employer's place among the companies of the locale, `town` the home town's.
    """

    first: int
    locale: Index
    zone: Index
    zones: tuple[str, ...]
    span: tuple[int, int]
    split: Index
    day: Index
    minute: Index
    now: Index
    sex: Index
    given: Index
    family: Index
    firm: Index
    town: Index
    contacts: Rows
    sizes: dict[str, Index]

    @property
    def ids(self) -> list[str]:
        """The device ids: rising, of equal length."""
        return [f"d{self.first + i:07d}" for i in range(len(self.locale))]

    def utc(self, phone: Index, day: Index, minute: Index) -> Index:
        """The instants (seconds since 1970) of local days since 1970 and minutes of the day on the given phones."""
        wall = day * DAY + minute * MINUTE
        if not len(wall):
            return wall
        shown = np.empty(len(wall), np.int64)
        zones = self.zone[phone]
        for at in np.unique(zones).tolist():
            here = zones == at
            starts, offsets = _offsets(self.zones[at], *self.span)
            shown[here] = wall[here] - offsets[np.searchsorted(starts + offsets, wall[here], side="right") - 1]
        return shown


def phones_of(scenario: Scenario, pools: Pools, streams: Streams, first: int, size: int) -> Phones:
    """The phones numbered `first` to `first + size` - 1."""
    rng = streams("phones")
    shares = np.array([scenario.locales[name] for name in pools.locales])
    locale = rng.choice(len(shares), size, p=shares / shares.sum())
    zones = tuple(dict.fromkeys(z for at in pools.tables for z in at.zones))
    here = [[zones.index(z) for z in at.zones] for at in pools.tables]
    chosen = rng.random(size)
    start = (scenario.start - EPOCH).days
    day = start + rng.integers(0, scenario.days, size)
    minute = rng.integers(7 * 60, 22 * 60, size)
    bounds = np.cumsum([scenario.splits.get(split, 0.0) for split in Split])
    rank = np.argsort(streams("splits").random(size)) + 0.5
    sex = rng.integers(0, 2, size)
    sizes = scenario.sizes
    phones = Phones(
        first=first,
        locale=locale,
        zone=np.array([here[at][int(u * len(here[at]))] for at, u in zip(locale, chosen, strict=True)]),
        zones=zones,
        span=(start - 2, start + scenario.days + scenario.events.horizon_days + LONGEST),
        split=np.minimum(np.searchsorted(bounds * size, rank), len(Split) - 1),
        day=day,
        minute=minute,
        now=np.zeros(size, np.int64),
        sex=sex,
        given=pools.given[locale, sex, rng.integers(0, GRAIN, size)],
        family=pools.family[locale, rng.integers(0, GRAIN, size)],
        firm=rng.integers(0, COMPANIES, size),
        town=rng.integers(0, CITIES, size),
        contacts=rows_of(sized(streams("contacts"), sizes.contacts, size)),
        sizes={n: sized(streams(n), getattr(sizes, n), size) for n in ("events", "places", "notifications")},
    )
    phones.now[:] = phones.utc(np.arange(size), day, minute)
    return phones


@cache
def _offsets(name: str, first: int, last: int) -> tuple[Index, Index]:
    """From when (seconds since 1970) which offset from UTC (seconds) holds, between two days since 1970."""
    starts, offsets = [first * DAY], [_offset(name, first * DAY)]
    for at in range(first * DAY, last * DAY, DAY):
        if (later := _offset(name, at + DAY)) != offsets[-1]:
            low, high = at, at + DAY
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if _offset(name, middle) == offsets[-1] else (low, middle)
            starts.append(high)
            offsets.append(later)
    return np.array(starts), np.array(offsets)


def _offset(name: str, seconds: int) -> int:
    there = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).astimezone(zone(name)).utcoffset()
    assert there is not None
    return int(there.total_seconds())
