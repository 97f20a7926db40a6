"""What an outside benchmark is: where it comes from, how its files are checked, and its hints as labelled phones."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from starebrain import formats
from starebrain.dataset import Label, LabelledIntent, LabelledPhone, Split
from starebrain.device import Contact, DeviceContext, SavedLocation
from starebrain.errors import InvalidInput, MissingData
from starebrain.intent import ActionIntent, Parameter, ParameterKind

VARIABLE = "STAREBRAIN_BENCHMARKS"
"""The environment variable that names the folder of benchmark data."""
REMOVED = "_removed"
"""What is added to a benchmark's name where the right answer is removed from every phone."""
SHARES = ((0.4, Split.TRAIN), (0.6, Split.CALIBRATION), (1.0, Split.TEST))
"""Splits by upper bounds of a cluster's hash as a share of all: 40% train, 20% calibration, 40% test."""
CAPTURED_AT = datetime(2020, 1, 1, 12, tzinfo=UTC)
"""The instant of every snapshot: nothing in these benchmarks depends on time."""

Files = Mapping[str, Sequence[Path]]
"""For every pattern of file names, the files that fit it, by name."""


@dataclass(frozen=True, slots=True, eq=False)
class Book:
    """The contacts or saved places of one phone, by name; `addresses` beside them where they are places.

    The record at position i has the id ``c000i`` or ``p000i``.
    """

    kind: ParameterKind
    names: tuple[str, ...]
    addresses: tuple[str, ...] = ()

    def key(self, at: int) -> str:
        """The id of the record at a position."""
        return f"{'c' if self.kind is ParameterKind.CONTACT else 'p'}{at:04}"

    def device(self, without: tuple[int, ...] = ()) -> DeviceContext:
        """The snapshot of a phone that knows these and nothing else; `without` leaves records out."""
        kept = [at for at in range(len(self.names)) if at not in without]
        if self.kind is ParameterKind.CONTACT:
            contacts = tuple(Contact(self.key(at), self.names[at]) for at in kept)
            return DeviceContext(CAPTURED_AT, "UTC", "en_US", contacts=contacts)
        addresses = self.addresses or ("",) * len(self.names)
        places = tuple(SavedLocation(self.key(at), self.names[at], addresses[at]) for at in kept)
        return DeviceContext(CAPTURED_AT, "UTC", "en_US", saved_locations=places)


@dataclass(frozen=True, slots=True)
class Item:
    """One hint and its gold; positions are those of `book`.

    `phone` names the phone that it is asked of, `cluster` the sentence, dialogue or name that it shares with others:
    these go to one split. `intended` is what is meant, several only where they are the same person or place, the first
    as the data names it; empty where nobody and nothing on the phone is meant. `split` is the split where something
    else than the cluster's hash decides it.
    """

    item_id: str
    phone: str
    cluster: str
    book: Book
    hint: str
    intended: tuple[int, ...]
    compatible: tuple[int, ...]
    family: str
    action: str
    utterance: str | None = None
    split: Split | None = None

    @property
    def part(self) -> Split:
        """The split it belongs to."""
        return self.split or split_of(self.cluster)


@dataclass(frozen=True, slots=True)
class Benchmark:
    """An outside benchmark: `path` inside `repository` (an address) at `commit`, under `licence`.

    Its files lie in `folder` of the folder that `STAREBRAIN_BENCHMARKS` names. `sources` are alternative sets of file
    name patterns, of which the first that is there whole is read; `known` are the SHA-256 sums of files that were seen,
    and what they are. `read` makes items of them, in a fixed order. `removable` says that the right answer is something
    on the phone, which can be removed from it.
    """

    name: str
    about: str
    repository: str
    commit: str
    path: str
    licence: str
    folder: str
    sources: tuple[tuple[str, ...], ...]
    known: Mapping[str, str]
    read: Callable[[Files], Sequence[Item]]
    removable: bool = True

    @property
    def variants(self) -> tuple[str, ...]:
        """Its name, and that of its variant in which nothing on the phone is right, where it has one."""
        return (self.name, self.name + REMOVED) if self.removable else (self.name,)

    def find(self, root: str | Path | None = None) -> Files:
        """The files to read below `root` (by default the folder that the variable names).

        Raises `MissingData`, which says how to get them, where no set of files is there whole.
        """
        folder = benchmarks_folder(root) / self.folder
        for patterns in self.sources:
            found = {pattern: sorted(p for p in folder.glob(pattern) if p.is_file()) for pattern in patterns}
            if all(found.values()):
                return found
        wanted = ", or ".join(" and ".join(patterns) for patterns in self.sources)
        raise MissingData(f"{wanted} is not here", file=folder, place=self.name, remedy=self._remedy(folder))

    def is_here(self, root: str | Path | None = None) -> bool:
        """Whether the files are there."""
        try:
            return bool(self.find(root))
        except MissingData:
            return False

    def load(self, root: str | Path | None = None, *, answer_removed: bool = False) -> BenchmarkSource:
        """The benchmark as a `LabelledSource`; with `answer_removed`, its variant in which nothing on the phone is
        right.

        A file whose checksum is unknown (another half, the whole upstream file, a newer version) is read, and a doubt.
        Raises `MissingData` where files are missing and `InvalidInput` where they are not what they should be, or where
        there is no such variant.
        """
        if answer_removed and not self.removable:
            raise InvalidInput(f"{self.name} has no variant without the right answer", remedy="Leave out _removed.")
        found = self.find(root)
        paths = sorted({path for paths in found.values() for path in paths})
        sums = {path.name: hashlib.sha256(formats.read_bytes(path)).hexdigest() for path in paths}
        doubts = tuple(
            f"{name}: the SHA-256 {digest[:16]}… is unknown, so figures may differ from published ones"
            for name, digest in sums.items()
            if digest not in self.known
        )
        items = tuple(self.read(found))
        if not items:
            raise InvalidInput("there is not a single hint in these files", file=paths[0].parent, place=self.name)
        if answer_removed:
            items = tuple(sorted((item for item in items if item.intended), key=_without))
        return BenchmarkSource(self, items, sums, doubts, answer_removed)

    def _remedy(self, folder: Path) -> str:
        return (
            f"Get {self.path} of {self.repository} at {self.commit} ({self.licence}) into {folder}, "
            f"in the folder that {VARIABLE} names."
        )


@dataclass(frozen=True, slots=True)
class BenchmarkSource:
    """A loaded benchmark, a `LabelledSource`.

    `sums` are the SHA-256 sums of its files by name, `doubts` what is not certain about them.
    """

    benchmark: Benchmark
    items: tuple[Item, ...]
    sums: Mapping[str, str]
    doubts: tuple[str, ...]
    answer_removed: bool = False

    @property
    def name(self) -> str:
        """See `LabelledSource`; ``slurp_person_removed`` for the variant."""
        return self.benchmark.name + (REMOVED if self.answer_removed else "")

    def phones(self, split: Split | None = None) -> Iterator[LabelledPhone]:
        """See `LabelledSource`; phones that know the same things share one snapshot."""
        for (phone, book, without), items in groupby(self.items, key=self._phone):
            asked = list(items)
            of = asked[0].part
            if split not in (None, of):
                continue
            name = f"{phone} without {book.key(without[0])}" if without else phone
            intents = tuple(self._labelled(item) for item in asked)
            yield LabelledPhone(name, of, _device(book, without), intents)

    def _phone(self, item: Item) -> tuple[str, Book, tuple[int, ...]]:
        return item.phone, item.book, item.intended if self.answer_removed else ()

    def _labelled(self, item: Item) -> LabelledIntent:
        parameter = Parameter(item.book.kind.value, item.book.kind, item.hint)
        intent = ActionIntent(item.item_id, item.action, item.utterance, (parameter,))
        gone = item.intended if self.answer_removed else ()
        intended, compatible = (
            tuple(item.book.key(at) for at in which if at not in gone) for which in (item.intended, item.compatible)
        )
        return LabelledIntent(intent, (Label(intended, compatible, item.family, item.cluster),))


@lru_cache(maxsize=4)
def _device(book: Book, without: tuple[int, ...]) -> DeviceContext:
    return book.device(without)


def _without(item: Item) -> tuple[tuple[int, ...], str]:
    """The order in which phones with the same records removed come together."""
    return item.intended, item.phone


def benchmarks_folder(root: str | Path | None = None) -> Path:
    """`root`, or the folder that `STAREBRAIN_BENCHMARKS` names, as an absolute path.

    Raises `MissingData` where neither names one.
    """
    named = root or os.environ.get(VARIABLE)
    if not named:
        raise MissingData(
            "no folder of benchmark data is named",
            place=VARIABLE,
            remedy=f"Set {VARIABLE} to a folder; `starebrain benchmark show NAME` says what belongs into it.",
        )
    return Path(named).absolute()


def split_of(cluster: str) -> Split:
    """The split that a cluster belongs to, by the SHA-256 of its name: the same on every machine, whatever else is
    there."""
    share = int.from_bytes(hashlib.sha256(cluster.encode("utf-8", "surrogatepass")).digest()[:8]) / 2**64
    return next(split for bound, split in SHARES if share < bound)


def json_lines(path: Path, **fields: type | tuple[type, ...]) -> Iterator[dict]:
    """The objects of a JSON Lines file, each with at least `fields` of those types; blank lines are passed over.

    Raises `InvalidInput` with file, line and field.
    """
    for number, line in enumerate(formats.read_text(path).splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InvalidInput(f"this is not JSON ({error})", file=path, place=f"line {number}") from None
        for name, of in fields.items():
            if not isinstance(row, dict) or not isinstance(row.get(name), of):
                raise InvalidInput(f"{name!r} is missing or of a wrong type", file=path, place=f"line {number}")
        yield row
