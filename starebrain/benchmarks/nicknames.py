"""Nicknames: which given names a nickname stands for, asked of address books of 50 given names.

The book holds every name that the list links with the nickname, and others by hash that it does not and that do not
begin with it. A nickname of one name is answerable; of a nickname that stands for several names one is meant, drawn by
hash, and only a question or a suggestion does justice to it; with the answer removed, the others still fit (see the
family ``several_names``). A resolver whose own table is this list (as the evidence resolver's is, by way of the
`nicknames` package) shows here whether it uses the table well, not how far it reaches.
"""

from __future__ import annotations

import csv
import random
from collections import defaultdict

from starebrain import formats
from starebrain.benchmarks.base import Benchmark, Book, Files, Item
from starebrain.errors import InvalidInput
from starebrain.intent import ParameterKind

LIST = "names*.csv"
COLUMNS = ["name1", "relationship", "name2"]
SIZE = 50
"""Contacts in an address book."""


def read(files: Files) -> list[Item]:
    """An item a nickname, in alphabetical order."""
    names_of: dict[str, set[str]] = defaultdict(set)
    for path in files[LIST]:
        reader = csv.reader(formats.read_text(path).splitlines())
        if next(reader, None) != COLUMNS:
            raise InvalidInput(f"the first line does not name {', '.join(COLUMNS)}", file=path, place="line 1")
        for number, row in enumerate(reader, 2):
            if len(row) != len(COLUMNS):
                raise InvalidInput(f"{len(row)} fields, and there should be 3", file=path, place=f"line {number}")
            if row[1] == "has_nickname":
                names_of[row[2].strip().lower()].add(row[0].strip().lower())
    everyone = sorted({name for names in names_of.values() for name in names})
    return [_item(nickname, sorted(names), everyone) for nickname, names in sorted(names_of.items())]


def _item(nickname: str, meant: list[str], everyone: list[str]) -> Item:
    rng = random.Random(nickname)
    others = [name for name in everyone if name not in meant and not name.startswith(nickname)]
    names = meant + rng.sample(others, min(len(others), max(0, SIZE - len(meant))))
    intended = rng.choice(meant)
    rng.shuffle(names)
    compatible = tuple(sorted(names.index(name) for name in meant))
    family = "one_name" if len(meant) == 1 else "several_names"
    book = Book(ParameterKind.CONTACT, tuple(names))
    cluster = f"nicknames:{nickname}"
    return Item(nickname, cluster, cluster, book, nickname, (names.index(intended),), compatible, family, "call")


BENCHMARKS = (
    Benchmark(
        name="nicknames",
        about="English nicknames in books of 50; two in five stand for several names",
        repository="https://github.com/carltonnorthern/nicknames",
        commit="21d7505",
        path="names.csv",
        licence="Apache-2.0",
        folder="nicknames",
        sources=((LIST,),),
        known={"f370c99f12a564f4f074192ba690f242b7857d53a4ea60257366e365cc63a276": "the whole list"},
        read=read,
    ),
)
