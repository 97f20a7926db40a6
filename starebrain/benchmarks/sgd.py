"""Schema-guided dialogues: how users of an assistant name venues and cities, against canonical values.

A hint is what the user said for a slot in one turn; what is meant is the canonical value that the dialogue's annotators
gave. One phone has saved every venue that the files name (restaurants, hotels, theatres, …, those that only the
assistant mentions as well), with an address where the dialogues have one; another has every city. Turns of one dialogue
are a cluster. Two venues of one name are one record here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from starebrain import formats
from starebrain.benchmarks.base import Benchmark, Book, Files, Item
from starebrain.benchmarks.labels import Fitting, family_of, words_of
from starebrain.errors import InvalidInput
from starebrain.intent import ParameterKind

DIALOGUES = "dialogues*.json"
VENUES = frozenset(
    ("restaurant_name", "hotel_name", "place_name", "theater_name", "attraction_name", "property_name", "venue")
)
CITIES = frozenset(
    (
        *("city", "location", "destination", "area", "where_to", "city_of_event", "pickup_city", "from", "to"),
        *("from_location", "to_location", "from_city", "to_city", "origin", "origin_city", "destination_city"),
    )
)
"""Slots that hold the names of cities; `NO_CITIES` are services where one of them holds a street address."""
NO_CITIES = ("RideSharing",)
STREETS = ("street_address", "venue_address", "address")
WHERE = ("city", "location", "destination", "area")
NOTHING = frozenset(("", "dontcare"))


@dataclass(frozen=True, slots=True)
class Said:
    """What a user said for a slot, and its canonical value."""

    item_id: str
    dialogue: str
    hint: str
    value: str
    action: str
    utterance: str


@dataclass(frozen=True, slots=True)
class Found:
    """All that users said, and every value with its address ("" where none was told)."""

    said: list[Said] = field(default_factory=list)
    addresses: dict[str, str] = field(default_factory=dict)


def read(slots: frozenset[str], files: Files) -> list[Item]:
    """An item for every time that a user named a value of `slots`, in the order of dialogues."""
    found = Found()
    for path in files[DIALOGUES]:
        try:
            for dialogue in json.loads(formats.read_text(path)):
                _collect(dialogue, slots, found)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise InvalidInput(f"this is no file of schema-guided dialogues ({error!r})", file=path) from None
    book = Book(
        ParameterKind.LOCATION,
        tuple(sorted(found.addresses)),
        tuple(found.addresses[n] for n in sorted(found.addresses)),
    )
    at, fitting = {name: i for i, name in enumerate(book.names)}, Fitting(book.names)
    meant: dict[tuple[str, ...], set[int]] = {}
    for one in found.said:
        meant.setdefault(words_of(one.hint), set()).add(at[one.value])
    items = []
    for one in sorted(found.said, key=lambda one: one.dialogue):
        intended = (at[one.value],)
        compatible = fitting.fits(one.hint, intended, meant[words_of(one.hint)])
        family = family_of(one.hint, one.value)
        said = (one.hint, intended, compatible, family, one.action, one.utterance)
        items.append(Item(one.item_id, one.dialogue, one.dialogue, book, *said))
    return items


def _collect(dialogue: Mapping[str, Any], slots: frozenset[str], found: Found) -> None:
    name = f"sgd:{dialogue['dialogue_id']}"
    for number, turn in enumerate(dialogue["turns"]):
        for frame in turn["frames"]:
            here = frozenset() if slots is CITIES and frame["service"].startswith(NO_CITIES) else slots
            for slot, said, value in _values(frame, here):
                found.addresses.setdefault(value, "")
                if turn["speaker"] == "USER" and said.strip():
                    item_id = f"{dialogue['dialogue_id']}-{number}-{slot}-{len(found.said)}"
                    action = frame.get("state", {}).get("active_intent") or frame["service"]
                    found.said.append(Said(item_id, name, said, value, action, turn["utterance"]))
            for result in frame.get("service_results", ()):
                for slot in here & result.keys():
                    if result[slot] not in NOTHING and not found.addresses.get(result[slot]):
                        found.addresses[result[slot]] = _address(result) if slots is VENUES else ""


def _values(frame: Mapping[str, Any], slots: frozenset[str]) -> Iterator[tuple[str, str, str]]:
    """(slot, words, canonical value) of the acts of one frame."""
    for act in frame["actions"]:
        values, canonical = act["values"], act.get("canonical_values", ())
        if act["slot"] in slots and len(values) == len(canonical):
            yield from ((act["slot"], v, c) for v, c in zip(values, canonical, strict=True) if c not in NOTHING)


def _address(result: Mapping[str, str]) -> str:
    parts = (next((result[name] for name in names if result.get(name)), "") for names in (STREETS, WHERE))
    return ", ".join(filter(None, parts))


BENCHMARKS = tuple(
    Benchmark(
        name=name,
        about=f"users' words for {what} in dialogues, against canonical values",
        repository="https://github.com/google-research-datasets/dstc8-schema-guided-dialogue",
        commit="e852981",
        path="train/dialogues_*.json (013, 064, 091, 105, 106 were seen; any are read)",
        licence="CC BY-SA 4.0",
        folder="sgd",
        sources=((DIALOGUES,),),
        known={
            "c6592a97753a8d3be8bae0099b3877e21f293a12d8daf9bcdcbec7289d5f1be3": "train/dialogues_013.json",
            "ac2fac08f9f1673be6bd1cf6cec44dbd8d35861f658567313ef8d7b7f8c1908c": "train/dialogues_064.json",
            "c80f229312047567f61db69223c79e1921662f88f63f9718a1ec51b5204612b0": "train/dialogues_091.json",
            "fdf5795a36fe9b59721df5a3d35fe37efdc5d555573ee4f9a939409d737c7376": "train/dialogues_105.json",
            "98b72cb9cea0b320fbc58e80977d48879005159156d4e7c19b7905a6723f3d5f": "train/dialogues_106.json",
        },
        read=partial(read, slots),
    )
    for name, what, slots in (("sgd_venues", "venues", VENUES), ("sgd_cities", "cities", CITIES))
)
