"""Every loader on small files of its format."""

from __future__ import annotations

from pathlib import Path

import pytest

from starebrain.benchmarks import BENCHMARKS, load
from starebrain.benchmarks.base import BenchmarkSource, split_of
from starebrain.benchmarks.slurp import spelling
from starebrain.dataset import LabelledPhone, Split
from starebrain.errors import InvalidInput
from tests.benchmarks_data import toys

NOT_IN_BOOK = '{"id": "a", "hint": "b", "nickname": true, "names": [], "intended": "x"}'

Asked = tuple[str, str | None, tuple[str, ...], str]
"""Hint, what is meant, everything that fits, family."""


def asked(source: BenchmarkSource) -> list[Asked]:
    """What is asked of the phones of a source, in words."""
    found = []
    for phone in source.phones():
        names = names_of(phone)
        for one in phone.intents:
            (parameter,), (label,) = one.intent.required_parameters, one.labels
            meant = names[label.intended[0]] if label.intended else None
            found.append((parameter.hint or "", meant, tuple(names[key] for key in label.compatible), label.family))
    return found


def names_of(phone: LabelledPhone) -> dict[str, str]:
    contacts = {c.contact_id: c.display_name for c in phone.device.contacts}
    return contacts | {place.location_id: place.label for place in phone.device.saved_locations}


def test_slurp_aligns_transcripts_with_sentences(tmp_path: Path) -> None:
    toys.slurp(tmp_path)
    source = load("slurp_person", tmp_path)
    assert asked(source) == [
        ("zoe quill", "zoe quill", ("zoe quill",), "same_words"),
        ("joey quill", "zoe quill", ("zoe quill",), "other_words"),
        ("zoe", "zoe", ("zoe",), "same_words"),
        ("zoe", "ivo", ("ivo", "zoe"), "other_words"),
    ]
    assert [phone.device_id for phone in source.phones()] == ["slurp:7", "slurp:12", "slurp:15"]
    assert {id(phone.device) for phone in source.phones()} == {id(next(source.phones()).device)}
    first = next(source.phones()).intents[0].intent
    assert (first.action, first.utterance) == ("email_sendemail", "send male to zoe quill 's boss")
    assert asked(load("slurp_place", tmp_path)) == [("elm", "port elm", ("port elm",), "fewer_words")]


def test_slurp_takes_aligned_files_where_they_are_there(tmp_path: Path) -> None:
    toys.slurp(tmp_path)
    toys.aligned(tmp_path, {"gold": "zoe"}, {"hint": " ", "gold": "lost"}, {"slot": "event_name"})
    toys.aligned(tmp_path, {"slurp_id": 2, "hint": "zoe", "gold": "zoe quill"}, name="aligned_more.jsonl")
    source = load("slurp_person", tmp_path)
    assert asked(source) == [
        ("zoe", "zoe", ("zoe",), "same_words"),
        ("zoe", "zoe quill", ("zoe", "zoe quill"), "fewer_words"),
    ]
    assert sorted(source.sums) == ["aligned_more.jsonl", "aligned_toy.jsonl"]
    assert sorted(names_of(next(source.phones())).values()) == ["lost", "zoe", "zoe quill"]


def test_slurp_lists_businesses_as_contacts_and_places_as_places(tmp_path: Path) -> None:
    toys.aligned(tmp_path, {"slot": "business_name"}, {"slot": "place_name"})
    assert next(load("slurp_business", tmp_path).phones()).device.contacts[0].display_name == "zoe"
    assert next(load("slurp_place", tmp_path).phones()).device.saved_locations[0].label == "zoe"


def test_spellings_of_one_place_are_one_answer(tmp_path: Path) -> None:
    golds = ("ny", "new york", "new york city", "york")
    toys.aligned(tmp_path, *({"slot": "place_name", "gold": gold, "hint": "New York"} for gold in golds))
    first, *_, last = next(load("slurp_place", tmp_path).phones()).intents
    assert [len(one.labels[0].intended) for one in (first, last)] == [3, 1]
    assert not first.labels[0].ambiguous
    assert last.labels[0].ambiguous
    left = [sorted(names_of(phone).values()) for phone in load("slurp_place_removed", tmp_path).phones()]
    assert left == [["york"]] * 3 + [["new york", "new york city", "ny"]]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("the library", "library", True),
        ("Miami, Florida", "miami", True),
        ("dallas tx", "dallas", True),
        ("@comcast", "comcastcom", True),
        ("papa johns", "papa john", True),
        ("usa", "united states", True),
        ("washington", "", False),
        ("kansas", "kansas city", False),
        ("paris texas", "paris", True),
        ("texas", "paris", False),
        ("us", "u", False),
    ],
)
def test_what_is_another_spelling(one: str, other: str, same: bool) -> None:
    assert (spelling(one) == spelling(other)) is same


def test_ancestry_reads_address_books(tmp_path: Path) -> None:
    toys.books(
        tmp_path,
        {},
        {"id": "good-1", "hint": "poe", "names": ["jo poe", "ana poe"], "intended": "ana poe", "nickname": True},
        {"id": "bad-2", "hint": "mika", "intended": None},
    )
    toys.books(tmp_path, {"hint": "ann", "intended": "ana poe"}, name="books_z.jsonl")
    source = load("ancestry", tmp_path)
    assert asked(source) == [
        ("mikel", "mike roe", ("mike roe",), "variant"),
        ("poe", "ana poe", ("jo poe", "ana poe"), "nickname"),
        ("mika", None, (), "bad_pair"),
        ("ann", "ana poe", ("ana poe",), "variant"),
    ]
    assert [item.cluster for item in source.items] == [f"ancestry:{name}" for name in ("mike", "ana", "mika", "ana")]
    assert len({phone.device_id for phone in source.phones()}) == 4


def test_ancestry_draws_address_books_from_pairs(tmp_path: Path) -> None:
    toys.ancestry(tmp_path)
    source = load("ancestry", tmp_path)
    again = load("ancestry", tmp_path)
    assert [(i.hint, i.book.names) for i in source.items] == [(i.hint, i.book.names) for i in again.items]
    by_family = {
        family: [i for i in source.items if i.family == family] for family in ("variant", "nickname", "bad_pair")
    }
    assert [len(items) for items in by_family.values()] == [30, 1, 20]
    assert all(len(set(item.book.names)) == 100 for item in source.items)
    for item in source.items:
        given = [name.split()[0] for name in item.book.names]
        assert len(set(given)) == 100
        assert item.hint not in given
    for item in by_family["variant"]:
        (meant,) = item.intended
        assert item.book.names[meant].split()[0] == item.hint.replace("nayme", "name")
    for item in by_family["bad_pair"]:
        assert item.intended == ()
        assert item.hint.replace("other", "name") in [name.split()[0] for name in item.book.names]
    ranks = [int(name.split()[0].removeprefix("name")) for item in source.items for name in item.book.names]
    assert sum(rank < 100 for rank in ranks) > sum(rank >= 200 for rank in ranks), "common names are common"


def test_nicknames_of_several_names_are_ambiguous(tmp_path: Path) -> None:
    fillers = [(f"filler{at}", f"fill{at}") for at in range(80)]
    toys.nicknames(
        tmp_path, ("robert", "bob"), ("alexander", "alex"), ("alexandra", "alex"), ("bobby", "rob"), *fillers
    )
    found = {item.hint: item for item in load("nicknames", tmp_path).items}
    assert set(found) == {"bob", "alex", "rob", *(nickname for _, nickname in fillers)}
    bob, alex = found["bob"], found["alex"]
    assert (bob.family, [bob.book.names[at] for at in bob.compatible]) == ("one_name", ["robert"])
    assert bob.intended == bob.compatible
    assert "bobby" not in bob.book.names, "begins with the nickname"
    assert (alex.family, {alex.book.names[at] for at in alex.compatible}) == (
        "several_names",
        {"alexander", "alexandra"},
    )
    assert len(alex.intended) == 1
    assert set(alex.intended) < set(alex.compatible)
    assert {len(item.book.names) for item in found.values()} == {50}


def test_sgd_collects_venues_with_their_addresses(tmp_path: Path) -> None:
    result = {"restaurant_name": "Oak Grill", "street_address": "1 Elm St", "city": "Ukiah"}
    other = {"attraction_name": "Oak Park", "location": "Napa"}
    toys.sgd(
        tmp_path,
        toys.dialogue(
            "1_0",
            toys.turn(toys.act("restaurant_name", "oak", "Oak Grill"), toys.act("city", "ukiah, ca", "Ukiah")),
            toys.turn(speaker="SYSTEM", service_results=[result, other]),
            toys.turn(
                toys.act("restaurant_name", "Oak grill", "Oak Grill"), toys.act("restaurant_name", "any", "dontcare")
            ),
        ),
        toys.dialogue(
            "1_1", toys.turn(toys.act("hotel_name", "the grill", "Grill Inn"), state={"active_intent": "Find"})
        ),
    )
    source = load("sgd_venues", tmp_path)
    assert asked(source) == [
        ("oak", "Oak Grill", ("Oak Grill", "Oak Park"), "fewer_words"),
        ("Oak grill", "Oak Grill", ("Oak Grill",), "same_words"),
        ("the grill", "Grill Inn", ("Grill Inn",), "other_words"),
    ]
    places = {p.label: p.address for p in next(source.phones()).device.saved_locations}
    assert places == {"Grill Inn": "", "Oak Grill": "1 Elm St, Ukiah", "Oak Park": "Napa"}
    assert [len(phone.intents) for phone in source.phones()] == [2, 1]
    assert [i.intent.action for phone in source.phones() for i in phone.intents] == ["Restaurants_1"] * 2 + ["Find"]


def test_sgd_cities_leave_out_street_addresses(tmp_path: Path) -> None:
    toys.sgd(
        tmp_path,
        toys.dialogue(
            "1_0",
            toys.turn(toys.act("city", "LA", "Los Angeles"), toys.act("from_location", "la mesa", "La Mesa")),
            toys.turn(toys.act("destination", "1 Elm St", "1 Elm St"), service="RideSharing_2"),
            toys.turn(toys.act("city", "L.A.", "Los Angeles")),
        ),
    )
    assert asked(load("sgd_cities", tmp_path)) == [
        ("LA", "Los Angeles", ("Los Angeles",), "other_words"),
        ("la mesa", "La Mesa", ("La Mesa",), "same_words"),
        ("L.A.", "Los Angeles", ("Los Angeles",), "other_words"),
    ]


@pytest.mark.parametrize("name", [name for name, benchmark in BENCHMARKS.items() if benchmark.removable])
def test_with_the_answer_removed_nobody_is_right(name: str, tmp_path: Path) -> None:
    toys.slurp(tmp_path)
    toys.aligned(tmp_path, {}, {"gold": "joe"}, {"slot": "place_name"}, {"slot": "business_name"})
    toys.books(tmp_path, {}, {"id": "bad-2", "intended": None})
    toys.nicknames(tmp_path, ("robert", "bob"), ("roberta", "bob"), ("ana", "annie"))
    toys.sgd(
        tmp_path, toys.dialogue("1", toys.turn(toys.act("city", "LA", "Los Angeles"), toys.act("venue", "x", "X")))
    )
    plain, removed = load(name, tmp_path), load(f"{name}_removed", tmp_path)
    assert removed.name == f"{name}_removed"
    meant = {item.item_id: {item.book.names[at] for at in item.intended} for item in plain.items if item.intended}
    seen = []
    for phone in removed.phones():
        names = names_of(phone)
        for one in phone.intents:
            (label,) = one.labels
            assert label.unanswerable
            assert set(label.compatible) <= set(names)
            assert meant[one.intent.intent_id].isdisjoint(names.values())
            seen.append(one.intent.intent_id)
    assert sorted(seen) == sorted(meant)
    assert len({phone.device_id for phone in removed.phones()}) == len(list(removed.phones()))


def test_splits_hold_together_what_belongs_together(tmp_path: Path) -> None:
    toys.aligned(tmp_path, *({"slurp_id": at // 2, "file": f"{at}.flac", "gold": f"g{at % 7}"} for at in range(600)))
    source = load("slurp_person", tmp_path)
    parts = {split: [phone.device_id for phone in source.phones(split)] for split in Split}
    assert sorted(name for part in parts.values() for name in part) == sorted(p.device_id for p in source.phones())
    assert len({name for part in parts.values() for name in part}) == 300
    assert [len(parts[split]) for split in Split] == pytest.approx([120, 60, 120], abs=30)
    assert all(phone.split is split for split in Split for phone in source.phones(split))
    assert split_of("slurp:16642") is Split.TEST, "the same on every machine"
    assert [split_of(f"slurp:{at}").value for at in range(5)] == ["test", "train", "train", "test", "test"]


@pytest.mark.parametrize(
    ("name", "file", "text", "said"),
    [
        ("slurp_person", "slurp/aligned_x.jsonl", "{]\n", r"aligned_x\.jsonl: line 1: this is not JSON"),
        ("slurp_person", "slurp/aligned_x.jsonl", '\n{"slurp_id": "7"}\n', "line 2: 'slurp_id' is missing"),
        ("slurp_person", "slurp/aligned_x.jsonl", "[1]\n", "line 1: 'slurp_id' is missing"),
        ("slurp_person", "slurp/aligned_x.jsonl", "", "not a single hint"),
        ("slurp_person", "slurp/aligned_x.jsonl", "[" * 100_000, "this is not JSON"),
        ("slurp_person", "slurp/aligned_x.jsonl", b"\xff\xfe", "UTF-8"),
        ("ancestry", "ancestry/books.jsonl", NOT_IN_BOOK, "a: the id occurs twice, or who is meant is not in the book"),
        ("ancestry", "ancestry/books.jsonl", '{"id": "a", "hint": "b"}', "'nickname' is missing"),
        ("nicknames", "nicknames/names.csv", "a,b,c\n", r"names\.csv: line 1: the first line does not name name1"),
        ("nicknames", "nicknames/names.csv", "name1,relationship,name2\nx,y\n", "line 2: 2 fields"),
        ("nicknames", "nicknames/names.csv", "name1,relationship,name2\n", "not a single hint"),
        ("sgd_venues", "sgd/dialogues_1.json", "{}", "not a single hint"),
        ("sgd_venues", "sgd/dialogues_1.json", "[1]", "no file of schema-guided dialogues"),
        ("sgd_venues", "sgd/dialogues_1.json", '[{"dialogue_id": "1", "turns": [{}]}]', "no file of schema-guided"),
        ("sgd_cities", "sgd/dialogues_1.json", "x", "no file of schema-guided dialogues"),
    ],
)  # fmt: skip
def test_a_file_that_is_not_what_it_should_be_is_said(
    name: str, file: str, text: str | bytes, said: str, tmp_path: Path
) -> None:
    path = tmp_path / file
    path.parent.mkdir()
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InvalidInput, match=said):
        load(name, tmp_path)


def test_upstream_files_that_are_damaged_are_said(tmp_path: Path) -> None:
    toys.slurp(tmp_path)
    toys.lines(
        tmp_path / "slurp" / "test_toy.jsonl",
        {"slurp_id": 7, "intent": "x", "tokens": [{"id": 1}], "entities": [], "recordings": []},
    )
    with pytest.raises(InvalidInput, match="slurp_id 7: tokens, entities or recordings are not as SLURP writes them"):
        load("slurp_person", tmp_path)
    toys.ancestry(tmp_path)
    (tmp_path / "ancestry" / "AncestryGivennamePairs.csv").write_text("a,b\n")
    with pytest.raises(InvalidInput, match="line 1: the first line does not name Bad, Nickname, HeadName"):
        load("ancestry", tmp_path)
