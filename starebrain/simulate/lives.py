"""What comes after the snapshot, for one phone after the other: its timeline and its user, from scenario and seed.

Timelines are not on disk: the table `changes` of a dataset stays empty. They are made from a phone when they are
needed, in milliseconds, whatever the phone comes from: a scenario, a dataset, a benchmark. A life depends on the
scenario's seed and its sections on what comes after the snapshot, on the phone's id and records, and on the number of
the life; so a phone lives the same life whatever phones come before it, and one small dataset gives as many lives as
are needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from hashlib import blake2s
from typing import NamedTuple

import numpy as np

from starebrain._tables import phones_of
from starebrain.dataset import LabelledPhone, Split
from starebrain.simulate.adversary import ATTACKS, attack, targets
from starebrain.simulate.asked import asked_about
from starebrain.simulate.changes import Change
from starebrain.simulate.happenings import drawn
from starebrain.simulate.run import generate
from starebrain.simulate.scenario import Adversary, Scenario
from starebrain.simulate.streams import Streams
from starebrain.simulate.timeline import Timeline, timeline_of
from starebrain.simulate.users import UserTraits, traits_of
from starebrain.simulate.view import Dice


class Life(NamedTuple):
    """A phone with what was asked of it, what happens to it, and who holds it."""

    phone: LabelledPhone
    timeline: Timeline
    user: UserTraits


def simulate_timelines(
    scenario: Scenario,
    phones: Iterable[LabelledPhone] | None = None,
    *,
    split: Split | None = None,
    lives: int = 1,
) -> Iterator[Life]:
    """The lives of phones, one after the other; memory stays that of a block of phones.

    `phones` come from anywhere; None: those of the scenario itself, or of one `split` of it. With `lives` above 1 each
    phone lives so many times, in a row, each time with other changes and another user; lives of one phone share its
    `device_id`, by which intervals cluster.
    """
    for phone in _phones(scenario, split) if phones is None else phones:
        for number in range(lives):
            yield life_of(phone, scenario, number)


def _phones(scenario: Scenario, split: Split | None) -> Iterator[LabelledPhone]:
    for block in generate(scenario):
        yield from phones_of(block, split)


def life_of(phone: LabelledPhone, scenario: Scenario, number: int = 0) -> Life:
    """One life of a phone; the same phone, scenario and `number` give the same one."""
    streams = streams_of(phone.device_id, scenario.seed, number)
    asked = asked_about(phone)
    changes = drawn(phone.device, scenario.timeline, asked, streams)
    changes += attacks(phone, scenario.adversary, asked, streams)
    return Life(phone, timeline_of(phone.device, changes), traits_of(scenario.users, streams("user")))


def streams_of(device_id: str, seed: int, number: int = 0) -> Streams:
    """The streams of one life of a phone; those called "changes …", "attack" and "user" are taken."""
    life = blake2s(f"{number} {device_id}".encode(), digest_size=8)
    return Streams(seed, int.from_bytes(life.digest()))


def attacks(phone: LabelledPhone, of: Adversary, asked: Iterable[str], streams: Streams) -> list[Change]:
    """The changes by which the scenario's adversary attacks a phone: none on those that are left alone."""
    dice = Dice(streams("attack").random(6).tolist())
    if dice() >= of.phones:
        return []
    names = [name for name in ATTACKS if of.attacks.get(name, 0) > 0]
    name = names[dice.weighted(np.arange(len(names)), np.array([of.attacks[name] for name in names]))]
    possible = targets(name, phone.device, list(asked))
    if not possible:
        return []
    at = phone.device.captured_at + timedelta(seconds=int(dice() * of.hours * 3_600) + 1)
    return list(attack(name, phone.device, dice.pick(possible), at, adaptive=dice() < of.adaptive))
