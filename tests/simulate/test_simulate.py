from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from starebrain._tables import TABLES
from starebrain.dataset import LabelledPhone, Split, open_dataset
from starebrain.device import Contact
from starebrain.errors import InvalidInput
from starebrain.simulate import Scenario, generate, read_scenario, run, simulate
from starebrain.simulate.language import LOCALES as KNOWN
from starebrain.simulate.language import language
from starebrain.simulate.scenario import Contacts, Events, Size, Sizes, Speakers
from tests.simulate.conftest import LOCALES

ROOT = Path(__file__).resolve().parents[2]
SMALL = Scenario("small", 3, 12, {"en_US": 0.5, "de_DE": 0.5}, sizes=Sizes(contacts=Size(20, 0.5)))


def tables(scenario: Scenario) -> Mapping[str, pa.Table]:
    """All phones of a scenario."""
    blocks = list(generate(scenario))
    return {name: pa.concat_tables(block[name] for block in blocks) for name in TABLES}


def test_the_committed_dataset_is_what_its_scenario_gives(tmp_path: Path) -> None:
    committed = open_dataset(ROOT / "datasets" / "quick", verify=True)
    scenario = read_scenario(ROOT / "datasets" / "scenarios" / "quick.toml")
    made = simulate(scenario, tmp_path / "quick")
    assert committed.manifest.scenario == scenario.plain
    assert committed.manifest.counts == made.counts
    makers = {name: version(name) for name in ("faker", "numpy", "pyarrow")}
    if makers.items() <= committed.manifest.versions.items():
        assert committed.manifest.tables == made.tables
    else:  # other versions may pack the same rows otherwise; pinned ones may not
        for name in TABLES:
            assert committed.table(name).equals(pq.read_table(tmp_path / "quick" / f"{name}.parquet")), name


def test_the_committed_dataset_is_small() -> None:
    assert sum(path.stat().st_size for path in (ROOT / "datasets" / "quick").iterdir()) < 1.5e6


def test_another_seed_gives_another_dataset() -> None:
    one, other = tables(SMALL), tables(replace(SMALL, seed=4))
    for name in TABLES:
        assert name == "changes" or not one[name].equals(other[name]), name


CHANGES: list[tuple[Callable[[Scenario], Scenario], set[str]]] = [
    (lambda s: replace(s, speakers=Speakers(unanswerable=0.5)), {"parameters", "intents"}),
    (lambda s: replace(s, speakers=Speakers(intents=3)), {"parameters", "intents"}),
    (lambda s: replace(s, splits={"train": 1.0}), {"devices", "intents", "parameters"}),
    (lambda s: replace(s, events=Events(series=0.0)), {"events", "intents", "parameters"}),
    (lambda s: replace(s, sizes=replace(s.sizes, places=Size(3, 0.1, 0, 9))), {"locations", "events"}),
    (lambda s: replace(s, contacts=Contacts(starred=0.9)), {"contacts", "intents", "parameters"}),
]


@pytest.mark.parametrize(("change", "touched"), CHANGES, ids=[", ".join(sorted(t)) for _, t in CHANGES])
def test_streams_are_independent(change: Callable[[Scenario], Scenario], touched: set[str]) -> None:
    one, other = tables(SMALL), tables(change(SMALL))
    differ = {name for name in TABLES if not one[name].equals(other[name])}
    assert differ & touched, "the change does nothing"
    assert differ <= touched | {"intents", "parameters"}


def test_memory_does_not_grow_with_the_number_of_phones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "PHONES", 4)
    held = []
    for block in generate(replace(SMALL, devices=64, sizes=Sizes(contacts=Size(200, 0.0)))):
        held.append(pa.total_allocated_bytes())
        del block
    assert len(held) == 16
    assert max(held[8:]) < 1.2 * max(held[:8])


def test_progress_counts_phones_and_the_manifest_says_what_was_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "PHONES", 5)
    seen: list[int] = []
    manifest = simulate(SMALL, tmp_path / "d", progress=seen.append)
    assert seen == [5, 10, 12]
    assert (manifest.name, manifest.seed, manifest.scenario) == ("small", 3, json.loads(json.dumps(SMALL.plain)))
    assert set(manifest.versions) == {"starebrain", "faker", "numpy", "pyarrow"}
    assert manifest == open_dataset(tmp_path / "d", verify=True).manifest
    with pytest.raises(InvalidInput, match="--force"):
        simulate(SMALL, tmp_path / "d")


@pytest.mark.parametrize(
    "change",
    [
        {"sizes": Sizes(*(Size(1, 0.0, 0, 0) for _ in range(4)))},
        {"sizes": Sizes(contacts=Size(1, 0.0, 1, 1)), "events": Events(series=0.0)},
        {"devices": 1},
        {"locales": {"ja_JP": 1.0}},
        {"speakers": Speakers(intents=0)},
        {"events": Events(located=0.0, series=10.0), "start": __import__("datetime").date(2024, 2, 28), "days": 1},
    ],
    ids=["empty phones", "one contact", "one phone", "one locale", "silent", "full calendars"],
)
def test_odd_scenarios_work(tmp_path: Path, change: dict[str, Any]) -> None:
    scenario = replace(SMALL, **change)
    simulate(scenario, tmp_path / "d")
    phones = list(open_dataset(tmp_path / "d", verify=True).phones())
    assert len(phones) == scenario.devices
    for phone in phones:
        assert len(phone.intents) == scenario.speakers.intents


def test_locales_and_splits_have_their_shares(crowd: list[LabelledPhone], scenario: Scenario) -> None:
    found = Counter(phone.device.locale for phone in crowd)
    for name, share in LOCALES.items():
        assert abs(found[name] / len(crowd) - share) < 0.06, name
    counts = Counter(phone.split for phone in crowd)
    for split in Split:
        assert abs(counts[split] - len(crowd) * scenario.splits[split]) <= 2


def test_sizes_have_a_long_tail() -> None:
    size = Size(300, 1.2, 3, 5_000)
    rows = tables(Scenario("long", 1, 256, {"en_US": 1.0}, sizes=Sizes(contacts=size), speakers=Speakers(intents=0)))
    counts = sorted(Counter(rows["contacts"]["device_id"].to_pylist()).values())
    assert 220 < counts[len(counts) // 2] < 400
    assert counts[-1] > 3_000
    assert counts[0] < 40
    assert counts[-1] <= 5_000


def contacts(crowd: list[LabelledPhone], locale: str = "") -> list[Contact]:
    return [c for phone in crowd if phone.device.locale.startswith(locale) for c in phone.device.contacts]


def test_common_names_are_common(crowd: list[LabelledPhone]) -> None:
    found = Counter(c.given_name for c in contacts(crowd, "en_US") if c.given_name)
    (_, most), total = found.most_common(1)[0], sum(found.values())
    assert 0.008 < most / total < 0.06
    assert len(found) > 200


def test_contacts_are_of_many_sorts(crowd: list[LabelledPhone]) -> None:
    people = contacts(crowd)
    sorts = {
        "label alone": lambda c: c.display_name in ("Mom", "Mama", "Мама", "お母さん"),
        "relation field": lambda c: c.relation == "mother",
        "no given name": lambda c: c.given_name is None,
        "no family name": lambda c: c.given_name and not c.family_name,
        "family name first": lambda c: "," in c.display_name,
        "initial": lambda c: (c.family_name or "").endswith("."),
        "nickname": lambda c: c.nickname,
        "role": lambda c: "(plumber)" in c.display_name,
        "title": lambda c: c.display_name.startswith("Dr."),
        "emoji": lambda c: "🎸" in c.display_name,
        "organization": lambda c: c.organization,
        "two numbers": lambda c: len(c.phones) == 2,
        "mail": lambda c: c.emails,
        "address": lambda c: c.addresses,
        "starred": lambda c: c.starred,
        "never reached": lambda c: c.times_contacted == 0 and c.last_contacted_at is None,
        "often reached": lambda c: c.times_contacted > 500,
    }
    counts = {name: sum(bool(holds(c)) for c in people) for name, holds in sorts.items()}
    assert min(counts.values()) >= 3, counts


def test_numbers_and_mails_tell_people_apart(crowd: list[LabelledPhone]) -> None:
    """Two contacts share a number only as records of one person or as a couple, and a mail only as one person."""
    shared: Counter[str] = Counter()
    for phone in crowd:
        by_number: dict[str, list[Contact]] = {}
        by_mail: dict[str, list[Contact]] = {}
        for contact in phone.device.contacts:
            for number in contact.phones:
                by_number.setdefault("".join(filter(str.isdigit, number))[-8:], []).append(contact)
            for mail in contact.emails:
                by_mail.setdefault(mail, []).append(contact)
        for several in by_number.values():
            names = {(c.given_name, c.family_name) for c in several}
            shared["one" if len(several) == 1 else "family" if len({f for _, f in names}) == 1 else "records"] += 1
            assert len(several) <= 6
        assert all(len(several) <= 5 for several in by_mail.values())
    assert shared["family"] > 50
    assert shared["records"] > 50
    assert shared["one"] > 20 * shared["family"]


def test_colleagues_share_the_owners_firm_and_domain(crowd: list[LabelledPhone]) -> None:
    for phone in crowd:
        work = phone.device.owner.emails[1].partition("@")[2]
        same = [c for c in phone.device.contacts if c.emails and c.emails[0].endswith(f"@{work}")]
        assert len({c.organization for c in same}) <= 1
        assert work.endswith(".example")


def test_calendars_events_and_places_are_as_phones_have_them(crowd: list[LabelledPhone]) -> None:
    found: Counter[str] = Counter()
    for phone in crowd:
        device = phone.device
        by_id = {c.calendar_id: c for c in device.calendars}
        defaults = [c for c in device.calendars if c.is_default]
        assert len(defaults) == 1
        assert defaults[0].writable
        found["default not first"] += device.calendars[0] is not defaults[0]
        found["read only"] += any(not c.writable for c in device.calendars)
        found["homes"] += any(p.coordinates is None for p in device.saved_locations)
        assert len({p.address for p in device.saved_locations}) == len(device.saved_locations)
        titles: Counter[str] = Counter()
        for event in device.upcoming_events:
            assert event.calendar_id in by_id
            titles[event.title] += 1
            found["all day"] += event.all_day
            found[event.response] += 1
            found["located"] += event.location is not None
            if event.all_day:
                midnight = event.start_time.astimezone(device.zone)
                assert (midnight.hour, midnight.minute) == (0, 0)
            if event.response != "accepted":
                assert event.attendees == (device.owner.emails[0],)
        found["repeated"] += any(n >= 3 for n in titles.values())
    assert all(found[key] > 20 for key in ("default not first", "read only", "all day", "located", "repeated")), found
    assert all(found[key] > 20 for key in ("accepted", "tentative", "needs_action", "declined")), found


def test_occurrences_of_a_series_are_alike() -> None:
    rows = tables(replace(SMALL, sizes=Sizes(events=Size(1, 0.0, 0, 0)), events=Events(series=1.0)))[
        "events"
    ].to_pylist()
    by_title: dict[tuple[str, str], set[tuple[Any, ...]]] = {}
    for row in rows:
        shape = (row["location"], row["response"], row["calendar_id"], row["end_time"] - row["start_time"])
        by_title.setdefault((row["device_id"], row["title"]), set()).add(shape)
    assert len(rows) > 3 * len(by_title)
    assert sum(map(len, by_title.values())) < 1.3 * len(by_title)  # two series may have one title


def test_apps_are_used_where_they_are_installed(crowd: list[LabelledPhone]) -> None:
    for phone in crowd:
        device = phone.device
        installed = {app.package for app in device.installed_apps}
        assert set(device.recent_apps) <= installed
        assert device.active_package == (device.recent_apps[0] if device.recent_apps else None)
        assert all({s.from_package, s.to_package} <= installed for s in device.app_switches)
        assert [s.at for s in device.app_switches] == sorted((s.at for s in device.app_switches), reverse=True)
        known = {c.contact_id for c in device.contacts}
        assert all(n.sender_contact_id in {None, *known} for n in device.active_notifications)
        assert all(n.posted_at < device.captured_at for n in device.active_notifications)


def test_every_language_has_the_same_tables() -> None:
    def shape(tree: Any) -> Any:
        return {key: shape(value) for key, value in tree.items()} if isinstance(tree, dict) else None

    def shapes(name: str) -> dict[str, Any]:
        words = {k: v for k, v in language(name).items() if k != "diminutives"}
        optional = {"open_hour", "open_hour_tomorrow", "next_weekday"}
        words["time"] = {**words["time"], "phrases": {k: 0 for k in words["time"]["phrases"] if k not in optional}}
        return shape(words)

    names = {locale.language for locale in KNOWN.values()}
    assert len(names) == 7
    for name in names:
        assert shapes(name) == shapes("en"), name
        assert len(language(name)["places"]["labels"]) == len(set(language(name)["places"]["labels"])) == 23
        assert len(language(name)["people"]["roles"]) == 14
