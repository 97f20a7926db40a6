"""A phone through time: its snapshot at any instant, and what changed between two."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from starebrain.device import DeviceContext
from starebrain.errors import InvalidInput, require_instant
from starebrain.simulate.changes import Change, applied, at_instant


@dataclass(frozen=True, slots=True)
class Timeline:
    """A snapshot of a phone, and what happens to it afterwards, in order of time.

    `timeline_of` sorts changes; `InvalidInput` for changes that are not in order, or before the snapshot. States that
    were asked for are kept, and a later one is made from the nearest: asking at rising instants, each change is made
    once. Not for several threads at once.
    """

    device: DeviceContext
    changes: tuple[Change, ...] = ()
    _times: list[datetime] = field(init=False, repr=False, compare=False)
    _states: dict[int, DeviceContext] = field(init=False, repr=False, compare=False)
    _known: list[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        times = [change.at for change in self.changes]
        last = self.device.captured_at
        for i, at in enumerate(times):
            if at < last:
                before = "the snapshot" if i == 0 else "the one before it"
                fact = f"a change at {at.isoformat()} is earlier than {before}"
                raise InvalidInput(fact, place=f"changes[{i}].at", remedy="Make timelines with timeline_of.")
            last = at
        object.__setattr__(self, "_times", times)
        object.__setattr__(self, "_states", {0: self.device})
        object.__setattr__(self, "_known", [0])

    def at(self, instant: datetime) -> DeviceContext:
        """The phone at `instant`: every change up to and including that instant is made, and no other.

        What did not change is the very same object as in the snapshot, records and whole tuples alike; two instants
        without a change between them have all tuples in common. `captured_at` is `instant`. `InvalidInput` for an
        instant without an offset, or before the snapshot, where the phone is not known.
        """
        return at_instant(self._state(self.index(instant)), instant)

    def between(self, after: datetime, until: datetime) -> tuple[Change, ...]:
        """The changes later than `after`, up to and including `until`: what `at(until)` has and `at(after)` has not."""
        return self.changes[self.index(after) : self.index(until)]

    def index(self, instant: datetime) -> int:
        """How many changes there are up to and including `instant`: equal numbers mean equal states."""
        require_instant(instant, "instant")
        if instant < self.device.captured_at:
            fact = f"{instant.isoformat()} is before the snapshot at {self.device.captured_at.isoformat()}"
            raise InvalidInput(fact, place="instant", remedy="Ask for the snapshot's instant, or a later one.")
        return bisect_right(self._times, instant)

    def _state(self, count: int) -> DeviceContext:
        """The phone after the first `count` changes."""
        known = self._states.get(count)
        if known is None:
            place = bisect_right(self._known, count)
            nearest = self._known[place - 1]
            known = applied(self._states[nearest], self.changes[nearest:count])
            self._states[count] = known
            self._known.insert(place, count)
        return known


def timeline_of(device: DeviceContext, changes: Iterable[Change]) -> Timeline:
    """The timeline of `changes` in any order; changes of one instant stay in the order in which they are given."""
    return Timeline(device, tuple(sorted(changes, key=lambda change: change.at)))
