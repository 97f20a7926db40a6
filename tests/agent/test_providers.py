from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given

from starebrain.agent import Providers, State, capture, providers_of, verify
from starebrain.agent.providers import WATCHED
from starebrain.device import Contact, DeviceContext
from starebrain.errors import InvalidInput, TornSnapshot
from starebrain.simulate import Cause, Change, ChangeType, timeline_of
from tests import strategies
from tests.agent.phones import ALEX, CONTACT, EVIDENCE, KEY, LATER, MOM, NOW, PHONE, STANDUP, approved, asked


@given(strategies.devices())
def test_a_phone_that_stays_as_it_is_is_captured_as_it_is(device: DeviceContext) -> None:
    assert capture(providers_of(device, lambda: LATER), device.captured_at) == device


def test_every_field_of_a_snapshot_has_a_source_that_is_watched() -> None:
    fields = [name for names in WATCHED.values() for name in names]
    assert sorted(fields) == sorted(set(DeviceContext.__dataclass_fields__) - {"captured_at", "format", "IDS"})


class Syncing:
    """A phone that renames a contact at each of some instants."""

    def __init__(self, *changes: datetime) -> None:
        self.changes = changes

    def at(self, instant: datetime) -> DeviceContext:
        done = sum(change <= instant for change in self.changes)
        return replace(PHONE, captured_at=instant, contacts=(replace(MOM, display_name=f"Mom {done}"), ALEX))


class Clock:
    """A clock that goes on by a second whenever it is looked at."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> datetime:
        self.looks += 1
        return NOW + timedelta(seconds=self.looks)


LOOKS = 6 + 12 + 6
"""How often one try looks at the clock: six revisions, twelve fields, six revisions."""


def in_try(number: int, look: int = 9) -> datetime:
    return NOW + timedelta(seconds=(number - 1) * LOOKS + look)


@pytest.mark.parametrize(
    ("changes", "tries", "named"),
    [
        ((), 1, "Mom 0"),
        ((in_try(1),), 2, "Mom 1"),
        ((in_try(1), in_try(2)), 3, "Mom 2"),
        ((in_try(1, 1),), 1, "Mom 1"),
        ((in_try(2, 1),), 1, "Mom 0"),
    ],
)
def test_a_torn_snapshot_is_taken_again(changes: tuple[datetime, ...], tries: int, named: str) -> None:
    clock = Clock()
    device = capture(providers_of(Syncing(*changes), clock), LATER)
    assert clock.looks == tries * LOOKS
    assert (device.captured_at, device.contacts[0].display_name) == (LATER, named)


def test_a_change_anywhere_between_the_first_look_at_a_source_and_the_last_is_noticed() -> None:
    contacts = list(WATCHED).index("contacts") + 1
    for look in range(1, LOOKS + 1):
        clock = Clock()
        capture(providers_of(Syncing(in_try(1, look)), clock), LATER)
        torn = contacts < look <= LOOKS - 6 + contacts
        assert clock.looks == (2 if torn else 1) * LOOKS, look


def test_a_phone_that_never_rests_is_an_error_that_names_the_source() -> None:
    with pytest.raises(TornSnapshot) as torn:
        capture(providers_of(Syncing(*map(in_try, range(1, 9))), Clock()), LATER)
    assert str(torn.value) == (
        "contacts changed while the phone was being read, 3 times in a row. "
        "Try again when the phone has finished syncing."
    )
    assert capture(providers_of(Syncing(*map(in_try, range(1, 9))), Clock()), LATER, attempts=9)
    with pytest.raises(InvalidInput, match="0 attempts take no snapshot"):
        capture(providers_of(PHONE, Clock()), LATER, attempts=0)


def test_a_simulated_phone_is_captured_verified_and_dispatched_on_as_time_passes() -> None:
    renumbered = replace(MOM, phones=("+4930999999",))
    timeline = timeline_of(PHONE, [Change(LATER, ChangeType.EDIT, Cause.OWNER, put=(renumbered,))])
    approval = approved(asked(CONTACT, "mom", capture(providers_of(timeline, lambda: NOW), NOW)))
    for now, state in ((LATER - timedelta(seconds=1), State.VALID), (LATER, State.CHANGED)):
        device = capture(providers_of(timeline, lambda now=now: now), now)  # type: ignore[misc]
        assert device == timeline.at(now)
        assert verify(approval, device, now=now, key=KEY, resolver=EVIDENCE)["it"].state is state


def test_a_program_of_ones_own_can_be_a_source() -> None:
    class Book:
        """An address book with a counter of changes, one of which happens while it is read."""

        changes = 0

        def revision(self) -> object:
            return self.changes

        def contacts(self) -> Iterable[Contact]:
            yield MOM
            if not self.changes:
                self.changes += 1
                yield replace(MOM, display_name="Mum")  # an id that occurs twice, because the book was torn
            yield ALEX

    sources = providers_of(PHONE, lambda: NOW)
    assert capture(replace(sources, contacts=Book()), LATER).contacts == (MOM, ALEX)
    assert isinstance(sources, Providers)


def test_a_capture_reads_what_a_timeline_has_at_the_instant_of_the_clock() -> None:
    device = capture(providers_of(Syncing(NOW), lambda: NOW), LATER)
    assert device == replace(Syncing(NOW).at(NOW), captured_at=LATER)
    assert device.upcoming_events[0] is STANDUP
