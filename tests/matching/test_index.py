"""The compiled comparison beside the slow plain one, on random phones and hints."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from starebrain.device import Contact, DeviceContext, SavedLocation
from starebrain.intent import Parameter, ParameterKind
from starebrain.matching.kernels import LONGEST, MOST_WORDS
from starebrain.resolve.context_resolver import EvidenceResolver
from tests.matching import plain_index
from tests.strategies import devices, texts

RESOLVER = EvidenceResolver()
KINDS = (ParameterKind.CONTACT, ParameterKind.LOCATION, ParameterKind.CALENDAR, ParameterKind.APP)
NOW = datetime(2026, 11, 5, 9, 30, tzinfo=UTC)
WORDS = (
    *(
        "ann",
        "anne",
        "anna",
        "hannah",
        "lee",
        "li",
        "leigh",
        "jon",
        "john",
        "johnson",
        "bob",
        "robert",
        "smith",
        "smyth",
    ),
    *(
        "mom",
        "mutter",
        "mama",
        "grandma",
        "grandpas",
        "sister",
        "boss",
        "doctor",
        "dentist",
        "the",
        "das",
        "s",
        "j",
        "x",
    ),
    *("home", "Müller", "mueller", "Bäcker", "two", "2", "2nd", "blue", "bottle", "Bluebottle", "Йван", "李", "o'neil"),
)
names = st.lists(st.sampled_from(WORDS), min_size=0, max_size=4).map(" ".join) | st.text("abjmn ", max_size=12)
contacts = st.builds(
    Contact,
    contact_id=st.uuids().map(str),
    display_name=names,
    nickname=st.none() | names,
    given_name=st.none() | st.sampled_from(WORDS),
    family_name=st.none() | st.sampled_from(WORDS),
    relation=st.none() | st.sampled_from(("mother", "boss", "Schwester", "plumber")),
    organization=st.none() | st.sampled_from(("Blue Bottle", "Smith Dental", "the")),
)
hints = st.lists(st.sampled_from((*WORDS, "from work", "bluebottle", "johnsmith", "annlee")), min_size=1, max_size=4)


places = st.builds(SavedLocation, location_id=st.uuids().map(str), label=names, address=names)


def assert_as_in_the_plain_version(device: DeviceContext, kind: ParameterKind, text: str) -> None:
    here = RESOLVER.on(device).of(kind)
    entries = [here.kind.entry(record) for record in here.records]
    hint, bits = here.kind.read(text), here.weights.numbers.words.tolist()
    for reading in (hint, hint.otherwise):
        if reading is not None and reading.words and not here.kind.identified(text, here.records):
            found = {one.candidate: one for one in here.compare(reading)}
            assert found == plain_index.compare(entries, reading, RESOLVER.bands, bits)


@settings(max_examples=400)
@given(st.lists(contacts, max_size=12), hints.map(" ".join))
@example([Contact("a", "Ann Lee"), Contact("b", "Ann")], "ann")
@example([Contact("a", "Blue Bottle Coffee"), Contact("b", "Bluebottle")], "blue bottle")
@example([Contact("a", "Mom", relation="mother"), Contact("b", "Mutter Beimer")], "my mother")
@example([Contact("a", "Grandpa"), Contact("b", "Grandma")], "grandma's")
@example([Contact("a", "Müller"), Contact("b", "Mueller")], "müller")
@example([Contact("a", "John"), Contact("b", "Jon"), Contact("c", "Jon Lee")], "john")
@example([Contact("a", "Mr. Angela"), Contact("b", "Angela Lee")], "angela")
@example([Contact("a", "Kate Middleton"), Contact("b", "Jess Garrison")], "keep middle to")
@example([Contact("a", "Jess Garrison")], "james garrison")
def test_people_compare_as_in_the_plain_version(listed: list[Contact], text: str) -> None:
    assert_as_in_the_plain_version(
        DeviceContext(NOW, "UTC", "en_US", contacts=tuple(listed)), ParameterKind.CONTACT, text
    )


@settings(max_examples=150)
@given(st.lists(places, max_size=8), st.lists(contacts, max_size=4), hints.map(" ".join))
@example([SavedLocation("a", "Mom's house", "1 Elm St"), SavedLocation("b", "Gym", "2 Elm St")], [], "mom's place")
def test_places_compare_as_in_the_plain_version(saved: list[SavedLocation], listed: list[Contact], text: str) -> None:
    device = DeviceContext(NOW, "UTC", "en_US", contacts=tuple(listed), saved_locations=tuple(saved))
    assert_as_in_the_plain_version(device, ParameterKind.LOCATION, text)


@settings(max_examples=150)
@given(devices(max_size=6), st.sampled_from(KINDS), texts)
def test_hostile_phones_compare_as_in_the_plain_version(device: DeviceContext, kind: ParameterKind, text: str) -> None:
    assert_as_in_the_plain_version(device, kind, text)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("a" * (LONGEST - 1) + "b", "a" * (LONGEST - 2) + "b"),
        ("a" * LONGEST + "bc", "a" * (LONGEST - 1) + "b"),
        ("b" + "a" * 200, "b" + "a" * 150),
        (" ".join(f"w{at}" for at in range(MOST_WORDS)), f"w{MOST_WORDS - 2} w{MOST_WORDS - 1}"),
        (" ".join(f"w{at}" for at in range(MOST_WORDS)), " ".join(f"w{at}" for at in range(MOST_WORDS))),
        ("x", " ".join(f"w{at}" for at in range(300)) + " x"),
    ],
)
def test_long_words_and_names_compare_as_in_the_plain_version(name: str, hint: str) -> None:
    device = DeviceContext(NOW, "UTC", "en_US", contacts=(Contact("a", name), Contact("b", "Ann Lee")))
    assert_as_in_the_plain_version(device, ParameterKind.CONTACT, hint)


def test_a_word_beyond_the_longest_is_like_no_other_and_still_itself() -> None:
    long = "a" * (LONGEST + 1)
    device = DeviceContext(NOW, "UTC", "en_US", contacts=(Contact("a", long), Contact("b", long[:-2] + "b")))
    here = RESOLVER.on(device).of(ParameterKind.CONTACT)
    assert [one.candidate for one in here.compare(here.kind.read(long))] == [0]
    assert here.compare(here.kind.read(long[:-1] + "c")) == []


def test_words_of_a_name_beyond_the_most_are_not_compared() -> None:
    words = [*(f"w{at}" for at in range(MOST_WORDS)), "zebra"]
    device = DeviceContext(NOW, "UTC", "en_US", contacts=(Contact("a", " ".join(words)),))
    here = RESOLVER.on(device).of(ParameterKind.CONTACT)
    assert here.compare(here.kind.read(words[0]))
    assert here.compare(here.kind.read(words[-1])) == []
    got = RESOLVER.on(device).resolve(Parameter("it", ParameterKind.CONTACT, words[-1]), "call")
    assert got.value is None
