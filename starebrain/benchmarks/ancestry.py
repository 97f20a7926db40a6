"""Ancestry: variants of given names that genealogists paired, each asked of an address book of 100 full names.

A hint is a variant ("arther"); the contact that is meant bears the head name it was paired with ("arthur rathbun"). Bad
pairs were judged not to be the same name: nobody on the phone is meant, although a name much like the hint is there.
Address books come ready (``books*.jsonl``); without them they are drawn from the pairs and the lists of common names,
reproducibly, but not the same ones. The cluster is the head name, for bad pairs the hint.
"""

from __future__ import annotations

import csv
import hashlib
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path

from starebrain import formats
from starebrain.benchmarks.base import Benchmark, Book, Files, Item, json_lines
from starebrain.benchmarks.labels import Fitting
from starebrain.errors import InvalidInput
from starebrain.intent import ParameterKind

BOOKS, PAIRS = "books*.jsonl", "AncestryGivennamePairs*.csv"
GIVEN, FAMILY = "givenname_common*.txt", "surname_common*.txt"
COLUMNS = ["Bad", "Nickname", "HeadName", "VariantName"]
SIZE = 100
"""Contacts in an address book."""
GOOD, BAD = 1200, 600
"""How many variants and bad pairs are drawn where the address books do not come ready."""
MOST_GIVEN, MOST_FAMILY = 2000, 5000
"""How many of the most common given names and surnames address books are drawn from."""

Drawn = tuple[str, str, str, list[str], str | None]
"""Id, hint, family, full names, and the one that is meant."""


def read(files: Files) -> list[Item]:
    """An item a variant or bad pair, in the order of the files."""
    rows = _ready(files[BOOKS]) if BOOKS in files else draw(files[PAIRS], files[GIVEN], files[FAMILY])
    return [_item(*row) for row in rows]


def _item(item_id: str, hint: str, family: str, names: list[str], intended: str | None) -> Item:
    book = Book(ParameterKind.CONTACT, tuple(names))
    at = () if intended is None else (names.index(intended),)
    cluster = f"ancestry:{hint if intended is None else intended.split()[0]}"
    return Item(item_id, item_id, cluster, book, hint, at, Fitting(names).fits(hint, at), family, "call")


def _ready(paths: Sequence[Path]) -> Iterable[Drawn]:
    seen: set[str] = set()
    for path in paths:
        for row in json_lines(path, id=str, hint=str, nickname=bool, names=list, intended=(str, type(None))):
            intended, names = row["intended"], [str(name) for name in row["names"]]
            item_id = row["id"] if row["id"] not in seen else f"{path.stem}:{row['id']}"
            if item_id in seen or (intended is not None and intended not in names):
                raise InvalidInput("the id occurs twice, or who is meant is not in the book", file=path, place=item_id)
            seen.add(item_id)
            family = "bad_pair" if intended is None else "nickname" if row["nickname"] else "variant"
            yield item_id, row["hint"], family, names, intended


def draw(pairs: Sequence[Path], given: Sequence[Path], family: Sequence[Path]) -> Iterable[Drawn]:
    """Draw pairs and address books by hash.

    Heads are common given names; given names are drawn with chances as 1 / (rank + 100), none twice in a book and none
    that is paired with the hint but the one that is meant (or was mispaired); surnames evenly.
    """
    first, last = _common(given)[:MOST_GIVEN], _common(family)[:MOST_FAMILY]
    chances = list(accumulate(1 / (rank + 100) for rank in range(len(first))))
    rows, linked = _pairs(pairs, frozenset(first)), defaultdict(set)
    for head, variant, _ in rows:
        linked[variant].add(head)
        linked[head].add(variant)
    rows.sort(key=lambda row: hashlib.sha256(" ".join(row).encode()).digest())
    good = [row for row in rows if row[2] != "bad_pair"][:GOOD]
    bad = [row for row in rows if row[2] == "bad_pair"][:BAD]
    for number, (head, variant, how) in enumerate(good + bad):
        rng = random.Random(f"{head} {variant}")
        names = [head]
        while len(names) < min(SIZE, len(first) // 2):
            name = rng.choices(first, cum_weights=chances)[0]
            if name not in names and name != variant and name not in linked[variant]:
                names.append(name)
        full = [f"{name} {rng.choice(last)}" for name in names]
        intended = None if how == "bad_pair" else full[0]
        rng.shuffle(full)
        yield f"{how}-{number}", variant, how, full, intended


def _common(paths: Sequence[Path]) -> list[str]:
    """Names by rank, one a line; what follows a comma or tab is left out."""
    lines = (line for path in paths for line in formats.read_text(path).splitlines())
    names = (line.replace("\t", ",").partition(",")[0].strip().lower() for line in lines)
    return list(dict.fromkeys(filter(None, names)))


def _pairs(paths: Sequence[Path], heads: frozenset[str]) -> list[tuple[str, str, str]]:
    """(head, variant, family) of every pair of two different names whose judgement is plain."""
    rows = []
    for path in paths:
        reader = csv.reader(formats.read_text(path).splitlines())
        if next(reader, [])[: len(COLUMNS)] != COLUMNS:
            raise InvalidInput(f"the first line does not name {', '.join(COLUMNS)}", file=path, place="line 1")
        for row in reader:
            bad, nickname, head, variant = (field.strip().lower() for field in row[: len(COLUMNS)])
            if head in heads and variant and variant != head and bad in ("", "1", "11"):
                rows.append((head, variant, "bad_pair" if bad else "nickname" if nickname else "variant"))
    return rows


BENCHMARKS = (
    Benchmark(
        name="ancestry",
        about="variants of given names in books of 100; bad pairs, whose answer is nobody",
        repository="https://github.com/tfmorris/Names",
        commit="7218ee8",
        path="eval/src/main/resources/AncestryGivennamePairs.csv, givenname_common.txt and surname_common.txt",
        licence="Apache-2.0",
        folder="ancestry",
        sources=((BOOKS,), (PAIRS, GIVEN, FAMILY)),
        known={
            "67b94b84ff722a80f96fb84aee188b182a03edd00f9e678797687125d80c3dea": "address books, half of the head names",
            "10bcf4fd0086023d11bf7824873036120c7568cbb74d5f59973d01d99c4a54be": "pairs, half of the head names",
            "0f487c22b3b2960dda3eee1d180a9a9e5282c776234796ff5495187b8ef50936": "2,000 common given names",
            "c1044841d32771ea6a61a54b2b75dc60dfc54d8161cb6a3800c770bffb038e6a": "5,000 common surnames",
        },
        read=read,
    ),
)
