"""Gold is checked against what a reader of the phone alone can see, by rules written for these tests."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from rapidfuzz.distance import OSA

from starebrain._tables import phones_of
from starebrain.dataset import LabelledPhone, Split
from starebrain.device import Contact, DeviceContext, Event
from starebrain.intent import ParameterKind
from starebrain.simulate import Scenario, generate
from starebrain.simulate.distortions import fold
from starebrain.simulate.families import FAMILIES, UNANSWERABLE
from starebrain.simulate.families.app import FAMILIES as APPS
from starebrain.simulate.language import catalogue
from starebrain.simulate.scenario import Speakers
from tests.simulate.conftest import LOCALES, Asked

CONTACT, LOCATION, TIME = ParameterKind.CONTACT, ParameterKind.LOCATION, ParameterKind.TIME_SLOT


def plain(text: str | None) -> tuple[str, ...]:
    """The words of a text, without case and marks."""
    kept = unicodedata.normalize("NFKD", (text or "").casefold())
    kept = "".join(c for c in kept if not unicodedata.combining(c) or c in "\u3099\u309a")
    return tuple(re.findall(r"\w+", unicodedata.normalize("NFC", kept)))


def words_of(contact: Contact) -> set[str]:
    """Every word of every name of a contact."""
    names = (contact.display_name, contact.given_name, contact.family_name, contact.nickname)
    return {word for name in names for word in plain(name)}


def bearing(device: DeviceContext, words: Iterable[str]) -> set[str]:
    """The ids of contacts in whose names all these words are."""
    wanted = set(words)
    return {c.contact_id for c in device.contacts if wanted <= words_of(c)}


def of(asked: list[Asked], kind: ParameterKind, *families: str) -> list[Asked]:
    """The parameters of a kind and some of its families (all, where none is named)."""
    found = [a for a in asked if a.parameter.kind is kind and (not families or a.label.family in families)]
    assert found
    return found


def records(device: DeviceContext) -> dict[str, Contact]:
    return {c.contact_id: c for c in device.contacts}


def test_every_family_is_defined_and_occurs(asked: list[Asked]) -> None:
    counts = Counter((a.parameter.kind, a.label.family) for a in asked)
    for kind, families in FAMILIES.items():
        assert abs(sum(f.share for f in families.values()) - 1) < 1e-9
        for name, family in families.items():
            assert counts[kind, name], (kind, name)
            assert family.way.__doc__
        for name in UNANSWERABLE:
            assert counts[kind, name] >= 5 or (kind, name) == (ParameterKind.CALENDAR, "unsaid")
    assert len(FAMILIES[CONTACT]) + len(UNANSWERABLE) >= 12


def test_gold_is_consistent(asked: list[Asked]) -> None:
    for a in asked:
        label = a.label
        assert label.unanswerable == (label.family in UNANSWERABLE)
        assert set(label.intended) <= set(label.compatible)
        assert len(set(label.compatible)) == len(label.compatible)
        assert (a.parameter.hint is None) == (label.family in ("unsaid", "default"))
        assert a.parameter.hint is None or a.parameter.hint.strip()
        assert a.parameter.hint is None or a.parameter.hint in a.utterance


def test_gold_is_on_the_phone(asked: list[Asked]) -> None:
    for a in asked:
        device = a.device
        keys = {
            CONTACT: set(records(device)),
            ParameterKind.CALENDAR: {c.calendar_id for c in device.calendars},
            ParameterKind.APP: {app.package for app in device.installed_apps},
            LOCATION: {
                *(p.location_id for p in device.saved_locations),
                *(f"contact:{c.contact_id}" for c in device.contacts if c.addresses),
                *(f"event:{e.event_id}" for e in device.upcoming_events if e.location),
            },
        }.get(a.parameter.kind)
        assert keys is None or set(a.label.compatible) <= keys


def test_gold_times_have_the_offset_of_the_phone(asked: list[Asked]) -> None:
    for a in of(asked, TIME):
        for key in a.label.compatible:
            for text in key.split("/"):
                instant = datetime.fromisoformat(text)
                assert instant.utcoffset() == instant.astimezone(a.device.zone).utcoffset()


def test_one_person_is_meant(asked: list[Asked]) -> None:
    """Several intended contacts are records of one person: they share a number."""
    several = [a for a in of(asked, CONTACT) if len(a.label.intended) > 1]
    assert len(several) > 20
    for a in several:
        own = [
            {"".join(filter(str.isdigit, n))[-7:] for n in records(a.device)[key].phones} for key in a.label.intended
        ]
        assert set.intersection(*own)


@pytest.mark.parametrize("family", ["first", "last", "vague"])
def test_one_word_fits_all_whose_names_have_it(asked: list[Asked], family: str) -> None:
    polite = {"ms", "mr", "frau", "herr", "senora", "senor", "madame", "monsieur", "dona", "seu", "госпожа", "господин"}
    for a in of(asked, CONTACT, family):
        words = [w.removesuffix("さん") for w in plain(a.parameter.hint) if w not in polite]
        fits = bearing(a.device, words)
        whole = {key for key in fits if fold(records(a.device)[key].display_name).split() == words}
        if set(a.label.intended) & whole:  # who is stored by just this word is meant before those who have others
            fits = whole
        assert fits <= set(a.label.compatible), a.parameter.hint
        persons_only = {key for key in a.label.compatible if key in bearing(a.device, words)}
        assert persons_only, a.parameter.hint
        assert a.label.intended[0] in a.label.compatible
    if family == "vague":
        assert all(a.label.ambiguous for a in of(asked, CONTACT, family))


def test_both_names_fit_all_who_bear_both(asked: list[Asked]) -> None:
    for a in of(asked, CONTACT, "full", "order"):
        meant = records(a.device)[a.label.intended[0]]
        if meant.given_name and meant.family_name and not meant.family_name.endswith("."):
            wanted = (plain(meant.given_name), plain(meant.family_name))
            twins = {c.contact_id for c in a.device.contacts if (plain(c.given_name), plain(c.family_name)) == wanted}
            assert twins <= set(a.label.compatible)
            squeezed = "".join(plain(a.parameter.hint))
            names = ["".join(wanted[0] + wanted[1]), "".join(wanted[1] + wanted[0])]
            known = [records(a.device)[key] for key in a.label.intended]
            assert squeezed in names or len(known) > 1 or plain(a.parameter.hint) == plain(meant.display_name)


def test_the_longer_name_is_of_somebody_stored_by_the_given_name(asked: list[Asked]) -> None:
    for a in of(asked, CONTACT, "longer"):
        stored = {records(a.device)[key] for key in a.label.intended}
        assert any(not c.family_name or c.family_name.endswith(".") for c in stored)
        assert not bearing(a.device, plain(a.parameter.hint)) - set(a.label.compatible)


def test_an_initial_fits_all_it_may_stand_for(asked: list[Asked]) -> None:
    for a in of(asked, CONTACT, "initial"):
        letter, *last = plain(a.parameter.hint)
        for c in a.device.contacts:
            if plain(c.family_name) == tuple(last) and plain(c.given_name)[0].startswith(letter):
                assert c.contact_id in a.label.compatible


def test_a_slip_fits_nobody_better_than_who_is_meant(asked: list[Asked]) -> None:
    for a in of(asked, CONTACT, "slip"):
        hint, by_id = " ".join(plain(a.parameter.hint)), records(a.device)

        def away(contact: Contact, hint: str = hint) -> int:
            given, last = (" ".join(plain(n)) for n in (contact.given_name, contact.family_name))
            return min(OSA.distance(hint, name) for name in (given, last, f"{given} {last}"))

        own = min(away(by_id[key]) for key in a.label.intended)
        assert own <= 2
        assert all(away(c) >= own or c.contact_id in a.label.compatible for c in a.device.contacts)


def test_a_relation_fits_all_who_have_it(asked: list[Asked]) -> None:
    for a in of(asked, CONTACT, "relation"):
        relations = {c.relation for c in a.device.contacts if c.contact_id in a.label.compatible} - {None}
        assert len(relations) <= 1
        for c in a.device.contacts:
            if c.relation in relations:
                assert c.contact_id in a.label.compatible


def test_a_role_fits_all_who_have_it_in_their_name(asked: list[Asked]) -> None:
    for a in of(asked, CONTACT, "role"):
        role = plain(a.parameter.hint)[-1] if not a.device.locale.startswith("ja") else ""
        assert not role or bearing(a.device, [role]) <= set(a.label.compatible)


def test_from_work_fits_colleagues_of_that_name(asked: list[Asked]) -> None:
    for a in of(asked, CONTACT, "work"):
        by_id = records(a.device)
        firms = {by_id[key].organization for key in a.label.intended}
        assert len(firms) == 1
        assert None not in firms
        assert all(by_id[key].organization in firms for key in a.label.compatible)


def test_other_letters_are_latin_ones(asked: list[Asked]) -> None:
    for a in of(asked, CONTACT, "other_script"):
        assert a.parameter.hint is not None
        assert a.parameter.hint.isascii()
        assert all(not records(a.device)[key].display_name.isascii() for key in a.label.intended)


def test_nobody_bears_the_name_of_somebody_absent(asked: list[Asked]) -> None:
    checked = 0
    for a in of(asked, CONTACT, "absent"):
        words = plain(a.parameter.hint)
        if not {"my", "the", "mein", "meine", "der", "mi", "el", "mon", "ma", "le", "o", "meu", "minha"} & set(words):
            checked += 1
            assert not bearing(a.device, words), a.parameter.hint
    assert checked > 30


def test_no_place_has_the_label_of_an_absent_one(asked: list[Asked]) -> None:
    for a in of(asked, LOCATION, "absent"):
        assert plain(a.parameter.hint) not in {plain(p.label) for p in a.device.saved_locations}
        assert plain(a.parameter.hint) not in {plain(e.location) for e in a.device.upcoming_events}


def test_a_label_fits_all_places_that_have_it(asked: list[Asked]) -> None:
    for a in of(asked, LOCATION, "label"):
        (own, *_) = (p for p in a.device.saved_locations if p.location_id in a.label.intended)
        same = {p.location_id for p in a.device.saved_locations if plain(p.label) == plain(own.label)}
        assert same == {key for key in a.label.compatible if re.fullmatch(r"l\d+", key)}
        held = {f"event:{e.event_id}" for e in a.device.upcoming_events if e.location == own.label}
        assert held <= set(a.label.compatible)
        assert held <= set(a.label.intended) or len(same) > 1


def test_part_of_a_label_fits_all_places_that_have_it(asked: list[Asked]) -> None:
    for a in of(asked, LOCATION, "partial"):
        words = set(plain(a.parameter.hint))
        fits = {p.location_id for p in a.device.saved_locations if words <= set(plain(p.label))}
        assert fits <= set(a.label.compatible)


def test_an_address_fits_all_that_is_there(asked: list[Asked]) -> None:
    for a in of(asked, LOCATION, "address"):
        hint = a.parameter.hint or ""
        at = {p.location_id for p in a.device.saved_locations if hint in p.address}
        at |= {f"contact:{c.contact_id}" for c in a.device.contacts if any(hint in where for where in c.addresses)}
        assert at <= set(a.label.compatible)


def test_the_home_of_a_contact_is_meant(asked: list[Asked]) -> None:
    for a in of(asked, LOCATION, "contact_place"):
        assert any(key.startswith("contact:") for key in a.label.intended)
        hosts = {key.removeprefix("contact:") for key in a.label.compatible if key.startswith("contact:")}
        assert all(records(a.device)[host].addresses for host in hosts)


def titles(events: Iterable[Event]) -> list[str]:
    return [e.title for e in events]


def test_an_event_is_meant_by_its_title(asked: list[Asked]) -> None:
    for a in of(asked, TIME, "event"):
        slots: dict[str, list[Event]] = {}
        for e in a.device.upcoming_events:
            slots.setdefault(f"{e.start_time.isoformat()}/{e.end_time.isoformat()}", []).append(e)
        hint = "".join(plain(a.parameter.hint))
        meant = next(e for e in slots[a.label.intended[0]] if "".join(plain(e.title)) in hint)
        assert meant.start_time > a.device.captured_at
        assert meant.response != "declined"
        assert all(plain(meant.title) in map(plain, titles(slots[key])) for key in a.label.compatible)
        same = [e for e in a.device.upcoming_events if plain(e.title) == plain(meant.title)]
        coming = min(e.start_time for e in same if e.start_time > a.device.captured_at)
        assert any(datetime.fromisoformat(key.split("/")[0]) == coming for key in a.label.compatible)


def test_times_about_events_start_at_their_end_or_before_their_start(asked: list[Asked]) -> None:
    for a in of(asked, TIME, "after_event"):
        ends = {e.end_time for e in a.device.upcoming_events}
        assert all(datetime.fromisoformat(key) in ends for key in a.label.compatible)
    for a in of(asked, TIME, "before_event"):
        minutes = int(re.findall(r"\d+", (a.parameter.hint or "").replace("1:1", ""))[0])
        if a.device.locale.startswith("ja"):
            minutes = int(re.findall(r"(\d+)分前", a.parameter.hint or "")[0])
        starts = {e.start_time for e in a.device.upcoming_events}
        assert all(datetime.fromisoformat(key) + timedelta(minutes=minutes) in starts for key in a.label.compatible)


DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def english(hint: str, now: datetime) -> datetime | None:
    """The reading of an English day and time, by rules of its own: wall time without offset."""
    clock = re.search(r"(\d+)(?::(\d\d))? ?(am|pm)", hint)
    assert clock, hint
    hour = int(clock[1]) % 12 + 12 * (clock[3] == "pm")
    day = next((i for i, name in enumerate(DAYS) if name in hint.lower()), None)
    if day is not None:
        ahead = (day - now.weekday() - 1) % 7 + 1
    else:
        ahead = 2 if "after tomorrow" in hint else 1 if "tomorrow" in hint else 0
    at = now.replace(hour=hour, minute=int(clock[2] or 0), tzinfo=None)
    return at + timedelta(days=ahead)


def test_english_days_and_times_are_read_as_people_read_them(asked: list[Asked]) -> None:
    spoken = [a for a in of(asked, TIME, "day_and_clock") if a.device.locale.startswith("en")]
    assert len(spoken) > 50
    for a in spoken:
        now = a.device.captured_at.astimezone(a.device.zone)
        (key,) = a.label.compatible
        assert datetime.fromisoformat(key).replace(tzinfo=None) == english(a.parameter.hint or "", now), a.parameter


@pytest.mark.parametrize(
    ("locale", "pattern", "order"),
    [("en_US", r"(\d+)/(\d+) at", "md"), ("en_GB", r"(\d+)/(\d+) at", "dm"), ("de_DE", r"am (\d+)\.(\d+)\. um", "dm")],
)
def test_dates_in_digits_follow_the_locale(asked: list[Asked], locale: str, pattern: str, order: str) -> None:
    found = 0
    for a in of(asked, TIME, "date"):
        digits = re.search(pattern, a.parameter.hint or "")
        if a.device.locale == locale and digits:
            found += 1
            at = datetime.fromisoformat(a.label.intended[0])
            assert [int(d) for d in digits.groups()] == ([at.month, at.day] if order == "md" else [at.day, at.month])
    assert found


def test_stretches_from_now_start_now(asked: list[Asked]) -> None:
    for a in of(asked, TIME, "from_now"):
        (key,) = a.label.compatible
        n = int(re.findall(r"\d+", a.parameter.hint or "")[0])
        away = datetime.fromisoformat(key) - a.device.captured_at
        assert away in (timedelta(minutes=n), timedelta(hours=n))


def test_two_readings_where_usage_differs(asked: list[Asked]) -> None:
    for a in of(asked, TIME, "next_weekday"):
        days = [datetime.fromisoformat(key).replace(tzinfo=None) for key in a.label.compatible]
        today = a.device.captured_at.astimezone(a.device.zone).replace(tzinfo=None)
        this_week = days[0].isocalendar()[:2] == today.isocalendar()[:2]
        assert [day - days[0] for day in days] == [timedelta(0), timedelta(days=7)][: 1 + this_week]
    for a in of(asked, TIME, "open_hour"):
        assert a.device.locale.startswith("en")
        times = [datetime.fromisoformat(key) for key in a.label.compatible]
        assert {t.hour % 12 for t in times} == {int(re.findall(r"\d+", a.parameter.hint or "")[0])}
        assert len({t.hour for t in times}) == 2
        assert all(t > a.device.captured_at for t in times)


def test_the_default_calendar_is_meant_where_nothing_is_said(asked: list[Asked]) -> None:
    for a in of(asked, ParameterKind.CALENDAR, "default"):
        assert a.label.intended == tuple(c.calendar_id for c in a.device.calendars if c.is_default)


def test_a_calendar_name_fits_all_that_have_it(asked: list[Asked]) -> None:
    for a in of(asked, ParameterKind.CALENDAR, "name", "filler"):
        (own,) = (c for c in a.device.calendars if c.calendar_id in a.label.intended)
        same = {c.calendar_id for c in a.device.calendars if plain(c.name) == plain(own.name)}
        assert set(a.label.compatible) == same
    for a in of(asked, ParameterKind.CALENDAR, "absent"):
        assert plain(a.parameter.hint) not in {plain(c.name) for c in a.device.calendars}


def test_an_app_label_fits_all_that_have_it(asked: list[Asked]) -> None:
    for a in of(asked, ParameterKind.APP, "label", "filler"):
        (own,) = (app for app in a.device.installed_apps if app.package in a.label.intended)
        same = {app.package for app in a.device.installed_apps if app.label == own.label}
        assert set(a.label.compatible) == same
        able = next(app.get("actions", ()) for app in catalogue() if app["package"] == own.package)
        assert a.action in ("open_app", *able)
    for a in of(asked, ParameterKind.APP, "absent"):
        assert plain(a.parameter.hint) not in {plain(app.label) for app in a.device.installed_apps}
    assert set(APPS) == {"label", "filler", "short", "package", "slip"}


def families(phones: Iterable[LabelledPhone]) -> Counter[str]:
    return Counter(label.family for phone in phones for one in phone.intents for label in one.labels)


def simulated(speakers: Speakers) -> list[LabelledPhone]:
    scenario = Scenario("s", 5, 120, LOCALES, speakers=speakers)
    return [phone for block in generate(scenario) for phone in phones_of(block)]


@pytest.mark.parametrize("share", [0.05, 0.2, 0.5])
def test_the_share_of_unanswerable_hints_is_the_scenarios(share: float) -> None:
    counts = families(simulated(Speakers(intents=10, unanswerable=share, unsaid=0.0)))
    assert counts["unsaid"] == 0
    assert abs(counts["absent"] / counts.total() - share) < 0.035


def test_held_out_families_are_spoken_on_test_phones_only() -> None:
    phones = simulated(Speakers(held_out=("misheard", "nickname", "partial")))
    by_split: defaultdict[bool, list[LabelledPhone]] = defaultdict(list)
    for phone in phones:
        by_split[phone.split is Split.TEST].append(phone)
    kept, test = families(by_split[False]), families(by_split[True])
    assert kept["misheard"] == kept["nickname"] == kept["partial"] == 0
    assert min(test["misheard"], test["nickname"], test["partial"]) > 0


def test_a_scenario_chooses_families_and_actions() -> None:
    phones = simulated(Speakers(contact={"full": 1.0}, actions={"call": 1.0}, unanswerable=0.0, unsaid=0.0))
    assert {one.intent.action for phone in phones for one in phone.intents} == {"call"}
    found = Counter(
        label.family
        for phone in phones
        for one in phone.intents
        for p, label in zip(one.intent.required_parameters, one.labels, strict=True)
        if p.kind is CONTACT
    )
    assert found["full"] > 0.97 * found.total()  # phones without a full name have nobody to call so


@pytest.mark.parametrize(("share", "least", "most"), [(0.0, 0, 0), (1.0, 15, 10_000)])
def test_the_whole_name_of_one_is_seldom_said_of_another(share: float, least: int, most: int) -> None:
    phones = simulated(Speakers(contact={"first": 1.0}, short_names=share, unanswerable=0.0))
    mixed = 0
    for phone in phones:
        by_id = records(phone.device)
        for one in phone.intents:
            for p, label in zip(one.intent.required_parameters, one.labels, strict=True):
                if p.kind is CONTACT and label.family == "first":
                    whole = {key for key in label.compatible if plain(by_id[key].display_name) == plain(p.hint)}
                    mixed += bool(whole) and not whole & set(label.intended)
    assert least <= mixed <= most


def test_hints_stand_in_sentences(asked: list[Asked]) -> None:
    assert [a.utterance for a in asked if re.search(r"[\[\]{}]", a.utterance) or not a.utterance] == []


def test_the_card_defines_every_family() -> None:
    card = (Path(__file__).resolve().parents[2] / "datasets" / "README.md").read_text(encoding="utf-8")
    for kind, families_of_kind in FAMILIES.items():
        for name, family in families_of_kind.items():
            assert f"| {kind.value} | `{name}` | {100 * family.share:.0f}% |" in card
        assert f"| {kind.value} | `absent` |" in card


def test_who_is_stored_by_both_names_as_well_fits_better_than_a_namesake_without() -> None:
    phones = simulated(Speakers(intents=60, contact={"longer": 1.0}, unanswerable=0.0, unsaid=0.0))
    with_both = 0
    for phone in phones:
        by_id = records(phone.device)
        for one in phone.intents:
            for p, label in zip(one.intent.required_parameters, one.labels, strict=True):
                if p.kind is CONTACT and label.family == "longer":
                    said = "".join(plain(p.hint))
                    both = {c.contact_id for c in by_id.values() if "".join(names_of(c)) == said}
                    if both & set(label.intended):
                        with_both += 1
                        assert set(label.compatible) - set(label.intended) <= both, p.hint
    assert with_both >= 15


def names_of(contact: Contact) -> tuple[str, ...]:
    """The words of given and family name."""
    return plain(f"{contact.given_name or ''} {contact.family_name or ''}")
