"""Draws what happens to a phone: how many changes of each type, when, and what each is, one after the other in time.

Each type of change has a stream of its own, so that another rate for one moves no other. What a change is depends on
the phone as it is then: what was removed is not edited, what was moved is moved from where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta

import numpy as np

from starebrain.device import DeviceContext
from starebrain.simulate import novelties
from starebrain.simulate.changes import Cause, Change, ChangeType
from starebrain.simulate.layout import log_normal
from starebrain.simulate.phone_now import Choice, PhoneNow
from starebrain.simulate.sections import IN_BURSTS, Changes
from starebrain.simulate.streams import Streams
from starebrain.simulate.view import Dice

THROWS = 12
"""Uniform numbers for each change."""

Make = Callable[[PhoneNow, Dice], Change | None]
Counted = Callable[[PhoneNow], Choice] | None

HAPPENINGS: Mapping[ChangeType, tuple[Counted, Make]] = {
    ChangeType.ADD: (None, novelties.add),
    ChangeType.EDIT: (PhoneNow.anybody, novelties.edit),
    ChangeType.REMOVE: (PhoneNow.anybody, novelties.remove),
    ChangeType.MERGE: (PhoneNow.twins, novelties.merge),
    ChangeType.REACH: (None, novelties.reach),
    ChangeType.INVITE: (None, novelties.invite),
    ChangeType.MOVE: (PhoneNow.coming, novelties.move),
    ChangeType.CANCEL: (PhoneNow.coming, novelties.cancel),
    ChangeType.RELABEL: (PhoneNow.anywhere, novelties.relabel),
    ChangeType.NOTIFY: (None, novelties.notify),
}
"""For each type of change what its rate counts (None: the phone), and what makes one if the phone allows any."""


def drawn(device: DeviceContext, of: Changes, asked: Mapping[str, None], streams: Streams) -> list[Change]:
    """The changes of a phone in order of time, from its snapshot on for ``of.horizon`` hours.

    Counts are Poisson, instants even; `asked` are the ids whose records change as ``of.focus`` says.
    """
    now = PhoneNow(device, of, asked)
    due: list[tuple[int, ChangeType, Dice, bool]] = []
    for type_, (counted, _) in HAPPENINGS.items():
        rng = streams(f"changes {type_}")
        records = 1.0 if counted is None else counted(now).mass
        due += _due(rng, type_, getattr(of, type_) * records, of.horizon)
    rng, bursts = streams("changes in bursts"), of.bursts
    shares = np.cumsum([bursts.shares.get(type_, 0.0) for type_ in IN_BURSTS])
    sizes = np.clip(log_normal(bursts.median, bursts.spread), 1, bursts.most)
    for at, *_ in _due(rng, ChangeType.ADD, bursts.rate, of.horizon):
        size = sizes[rng.integers(0, len(sizes))]
        kinds = np.searchsorted(shares, rng.random(size) * shares[-1], side="right")
        due += [
            (at, IN_BURSTS[kind], Dice(throws), True)
            for kind, throws in zip(kinds.tolist(), rng.random((size, THROWS)).tolist(), strict=True)
        ]
    changes = []
    for at, type_, dice, in_burst in sorted(due, key=lambda one: one[0]):
        now.at = device.captured_at + timedelta(microseconds=at)
        change = HAPPENINGS[type_][1](now, dice)
        if change is not None:
            changes.append(now.made(change, Cause.SYNC if in_burst else None))
    return changes


def _due(
    rng: np.random.Generator, type_: ChangeType, rate: float, hours: float
) -> list[tuple[int, ChangeType, Dice, bool]]:
    """When changes of a type are due, in microseconds from the snapshot, and the dice of each."""
    count = int(rng.poisson(rate * hours))
    at = 1 + np.floor(rng.random(count) * hours * 3_600e6).astype(np.int64)
    throws = rng.random((count, THROWS)).tolist()
    return [(one, type_, Dice(dice), False) for one, dice in zip(at.tolist(), throws, strict=True)]
