from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from starebrain.dataset import LabelledPhone, Split, open_dataset
from starebrain.device import Contact, DeviceContext, Event, SavedLocation
from starebrain.formats import device_json, parse_device
from starebrain.simulate import ChangeType, Life, Scenario, life_of, read_scenario, simulate_timelines, streams_of
from starebrain.simulate.adversary import ATTACKS
from starebrain.simulate.asked import asked_about
from starebrain.simulate.changes import FIELDS, Cause
from starebrain.simulate.novelties import MOST_SHOWN
from starebrain.simulate.sections import Adversary, Bursts, Changes, Focus, Users

ROOT = Path(__file__).resolve().parents[2]
SCENARIO = read_scenario(ROOT / "datasets" / "scenarios" / "quick.toml")
QUIET = dict.fromkeys(ChangeType, 0.0)
NO_BURSTS = Bursts(rate=0.0)


@pytest.fixture(scope="module")
def phones() -> list[LabelledPhone]:
    return list(open_dataset(ROOT / "datasets" / "quick").phones())


def lived(phones: Iterable[LabelledPhone], scenario: Scenario = SCENARIO, lives: int = 1) -> list[Life]:
    return list(simulate_timelines(scenario, phones, lives=lives))


def under(**changes: object) -> Scenario:
    """The scenario with nothing happening but what is given."""
    return replace(SCENARIO, timeline=Changes(**{**QUIET, "bursts": NO_BURSTS, **changes}))  # type: ignore[arg-type]


def counts(lives: Iterable[Life]) -> Counter[ChangeType]:
    return Counter(change.type for life in lives for change in life.timeline.changes)


def test_lives_are_the_same_on_every_python(phones: list[LabelledPhone], golden: Callable[[str, str], None]) -> None:
    scenario = replace(SCENARIO, timeline=Changes(focus=Focus(30, 30, 30)), adversary=Adversary(phones=0.5))
    lines = []
    for life in lived(phones[:40], scenario):
        digest = hashlib.sha256(repr((life.timeline.changes, life.user)).encode()).hexdigest()
        lines.append(f"{life.phone.device_id} {len(life.timeline.changes)} {digest[:16]}\n")
    golden("lives.txt", "".join(lines))


def test_a_life_depends_on_seed_phone_and_number_and_on_nothing_before_it(phones: list[LabelledPhone]) -> None:
    alone = life_of(phones[7], SCENARIO)
    assert lived(phones[:8])[-1] == alone
    assert lived([phones[7]], lives=3)[0] == alone
    seeded = replace(SCENARIO, seed=1)
    for other in (life_of(phones[7], SCENARIO, 1), life_of(phones[7], seeded), life_of(phones[8], SCENARIO)):
        assert other.timeline.changes != alone.timeline.changes
        assert other.user != alone.user


def test_the_phones_of_the_scenario_itself_are_those_of_its_dataset(phones: list[LabelledPhone]) -> None:
    assert [life.phone for life in simulate_timelines(SCENARIO, split=Split.TEST)] == [
        phone for phone in phones if phone.split is Split.TEST
    ]


@pytest.mark.parametrize("of", [type_ for type_ in ChangeType if type_ not in (ChangeType.MERGE, ChangeType.RELABEL)])
def test_types_have_streams_of_their_own(phones: list[LabelledPhone], of: ChangeType) -> None:
    without = replace(SCENARIO, timeline=replace(SCENARIO.timeline, **{of: 0.0}))
    usual, less = lived(phones[:12]), lived(phones[:12], without)
    assert counts(less)[of] < counts(usual)[of]
    for one, other in zip(usual, less, strict=True):
        assert one.user == other.user
        assert elsewhere(one, of) == elsewhere(other, of)


def elsewhere(life: Life, of: ChangeType) -> list[tuple[ChangeType, datetime]]:
    """When something happens to records of other sorts."""
    return [(change.type, change.at) for change in life.timeline.changes if change.field != FIELDS[of]]


def test_rates_are_kept(phones: list[LabelledPhone]) -> None:
    many = lived(phones, under(add=0.5, move=0.002, notify=1.0, relabel=0.01, edit=0.001), lives=2)
    hours = 48 * len(many)
    found = counts(many)
    assert found[ChangeType.ADD] == pytest.approx(0.5 * hours, rel=0.05)
    assert found[ChangeType.NOTIFY] == pytest.approx(1.0 * hours, rel=0.05)
    coming = sum(e.start_time > p.device.captured_at for p in phones for e in p.device.upcoming_events)
    assert found[ChangeType.MOVE] == pytest.approx(0.002 * 48 * 2 * coming, rel=0.1)
    places = sum(len(p.device.saved_locations) for p in phones)
    assert found[ChangeType.RELABEL] == pytest.approx(0.01 * 48 * 2 * places, rel=0.1)
    contacts = sum(len(p.device.contacts) for p in phones)
    assert found[ChangeType.EDIT] == pytest.approx(0.001 * 48 * 2 * contacts, rel=0.1)
    assert set(found) == {"add", "notify", "move", "relabel", "edit"}


@pytest.mark.parametrize("factor", [1.0, 20.0])
def test_focus_multiplies_how_often_what_is_asked_about_changes(phones: list[LabelledPhone], factor: float) -> None:
    scenario = under(edit=1e-4, relabel=1e-4, focus=Focus(factor, 1.0, factor))
    asked = others = hit = missed = 0
    for life in lived(phones, scenario, lives=5):
        wanted = asked_about(life.phone)
        device = life.phone.device
        ids = {c.contact_id for c in device.contacts} | {p.location_id for p in device.saved_locations}
        asked, others = asked + len(ids & wanted.keys()), others + len(ids - wanted.keys())
        touched = [id for change in life.timeline.changes for id in change.ids]
        hit, missed = hit + sum(id in wanted for id in touched), missed + sum(id not in wanted for id in touched)
    assert missed / others == pytest.approx(48e-4, rel=0.15)
    assert hit / asked == pytest.approx(48e-4 * factor, rel=0.4 if factor == 1.0 else 0.1)


def test_bursts_bring_several_changes_of_a_synchronisation_at_once(phones: list[LabelledPhone]) -> None:
    bursts = Bursts(rate=0.1, median=5, shares={"add": 0.5, "edit": 0.5})
    sizes: Counter[int] = Counter()
    for life in lived(phones[:40], under(bursts=bursts)):
        assert {change.cause for change in life.timeline.changes} <= {Cause.SYNC}
        assert {change.type for change in life.timeline.changes} <= {ChangeType.ADD, ChangeType.EDIT}
        sizes.update(Counter(change.at for change in life.timeline.changes).values())
    assert 40 * 48 * 0.1 * 0.7 < sizes.total() < 40 * 48 * 0.1 * 1.3
    assert sorted(sizes.elements())[sizes.total() // 2] in (4, 5, 6)


def one_of_each(life: Life) -> None:
    """What every change of a life must be, given the phone just before it."""
    device = life.phone.device
    for n, change in enumerate(life.timeline.changes):
        before = life.timeline._state(n)
        name = DeviceContext.IDS[change.field]
        old = {getattr(record, name): record for record in getattr(before, change.field)}
        assert device.captured_at < change.at <= device.captured_at + timedelta(hours=48)
        assert set(change.drop) <= set(old)
        for record in change.put:
            was = old.get(getattr(record, name))
            assert record != was or change.drop
            match change.type:
                case ChangeType.ADD | ChangeType.INVITE | ChangeType.NOTIFY:
                    assert was is None
                case ChangeType.MOVE:
                    assert isinstance(was, Event)
                    assert isinstance(record, Event)
                    assert was.start_time > change.at
                    assert record.start_time > change.at
                    assert record.end_time - record.start_time == was.end_time - was.start_time
                    assert replace(record, start_time=was.start_time, end_time=was.end_time) == was
                case ChangeType.REACH:
                    assert isinstance(was, Contact)
                    grown = replace(was, times_contacted=was.times_contacted + 1, last_contacted_at=change.at)
                    assert record == grown
                case ChangeType.RELABEL:
                    assert isinstance(was, SavedLocation)
                    assert isinstance(record, SavedLocation)
                    assert (record.label == was.label) != (record.address == was.address)
                case ChangeType.MERGE:
                    other = old[change.drop[0]]
                    assert isinstance(was, Contact)
                    assert isinstance(other, Contact)
                    assert isinstance(record, Contact)
                    assert set(was.phones) | set(other.phones) == set(record.phones)
                    assert set(was.phones + was.emails) & set(other.phones + other.emails)
                case ChangeType.EDIT:
                    assert was is not None
        if change.type is ChangeType.NOTIFY:
            shown = life.timeline._state(n + 1).active_notifications
            assert len(shown) <= max(MOST_SHOWN, len(device.active_notifications))


def test_changes_are_what_their_types_say_on_a_phone_that_stays_valid(phones: list[LabelledPhone]) -> None:
    busy = Changes(
        *(48.0, 0.1, 2e-3, 2e-3, 0.05, 0.4, 0.1, 4e-3, 2e-3, 0.02, 1.0),
        bursts=Bursts(rate=0.05),
        focus=Focus(3, 3, 3),
    )
    seen = Counter[ChangeType]()
    for life in lived(phones[:30], replace(SCENARIO, timeline=busy)):
        one_of_each(life)
        seen += counts([life])
        device = life.timeline.at(life.phone.device.captured_at + timedelta(hours=48))
        assert replace(device) == device  # the checks of a snapshot hold
        assert parse_device(device_json(device)) == device
    assert set(seen) == set(ChangeType)


def test_a_phone_without_anything_lives_too() -> None:
    phone = next(open_dataset(ROOT / "datasets" / "quick").phones())
    empty = LabelledPhone("d9", Split.TEST, DeviceContext(phone.device.captured_at, "UTC", "xx_XX"), ())
    busy = under(**dict.fromkeys(ChangeType, 0.5), bursts=Bursts(rate=0.5))
    (life,) = lived([empty], replace(busy, adversary=Adversary(phones=1.0)))
    assert {"add", "invite", "notify"} <= set(counts([life]))
    one_of_each(life)


def test_the_adversary_attacks_the_share_of_phones_that_the_scenario_says(phones: list[LabelledPhone]) -> None:
    assert counts(lived(phones[:30], under())) == Counter()
    half = lived(phones, replace(under(), adversary=Adversary(phones=0.5)), lives=3)
    attacked = [life for life in half if life.timeline.changes]
    assert len(attacked) / len(half) == pytest.approx(0.5, abs=0.08)
    for life in attacked:
        first = life.timeline.changes[0]
        assert {change.cause for change in life.timeline.changes} == {Cause.ATTACK}
        assert timedelta(0) < first.at - life.phone.device.captured_at <= timedelta(hours=1)
    assert {c.type for life in attacked for c in life.timeline.changes} == {"add", "reach", "invite", "notify"}
    for name in ATTACKS:
        alone = lived(phones[:4], replace(under(), adversary=Adversary(1.0, attacks={name: 1.0})))
        assert all(life.timeline.changes for life in alone)


def test_users_are_those_of_the_scenario(phones: list[LabelledPhone]) -> None:
    patient = replace(under(), users=Users(delay=3_600, spread_between=0.0, attention=1.0, needless=0.5))
    for life in lived(phones[:3], patient):
        assert (life.user.delay, life.user.attention, life.user.needless) == (3_600, 1.0, 0.5)


def test_what_the_evaluation_draws_has_streams_apart_from_those_of_changes(phones: list[LabelledPhone]) -> None:
    streams = streams_of(phones[0].device_id, SCENARIO.seed)
    answers = streams("answers").random(4).tolist()
    assert answers != streams("user").random(4).tolist()
    assert answers == streams_of(phones[0].device_id, SCENARIO.seed)("answers").random(4).tolist()
    assert answers != streams_of(phones[0].device_id, SCENARIO.seed, 1)("answers").random(4).tolist()


def test_what_is_asked_about(phones: list[LabelledPhone]) -> None:
    for phone in phones[:20]:
        device, asked = phone.device, asked_about(phone)
        meant = {key.rpartition(":")[2] for one in phone.intents for label in one.labels for key in label.intended}
        records = {c.contact_id for c in device.contacts} | {p.location_id for p in device.saved_locations}
        assert meant & records <= asked.keys()
        slots = {
            f"{event.start_time.isoformat()}/{event.end_time.isoformat()}"
            for event in device.upcoming_events
            if event.event_id in asked
        }
        said = [label for one in phone.intents for label in one.labels if label.family == "event"]
        assert all(slots & set(label.compatible) for label in said)
