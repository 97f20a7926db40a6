"""Labelled phones: what a speaker meant beside what they said, and datasets of them on disk."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

from starebrain import formats
from starebrain.device import DeviceContext
from starebrain.errors import InvalidInput
from starebrain.intent import ActionIntent

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

FORMAT = "starebrain.dataset/1"
MANIFEST = "dataset.json"


class Split(StrEnum):
    """Which part of the work a phone may be used for; splits are by phone."""

    TRAIN = "train"
    CALIBRATION = "calibration"
    TEST = "test"


@dataclass(frozen=True, slots=True)
class Label:
    """The gold of one parameter; things are named as `starebrain.resolution.key_of` names them.

    `intended` is the one thing that the speaker meant (several keys only where records are the same person or place;
    empty where the phone does not have it); `compatible` is everything on the phone that the words fit equally well.
    `family` is the way of referring ("nickname"); rows that share a `cluster` (a device, a sentence, a dialogue) are
    not independent.
    """

    intended: tuple[str, ...]
    compatible: tuple[str, ...]
    family: str
    cluster: str

    @property
    def unanswerable(self) -> bool:
        """Whether the phone does not have what was meant."""
        return not self.intended

    @property
    def ambiguous(self) -> bool:
        """Whether the words fit more than one thing."""
        return bool(set(self.compatible) - set(self.intended)) if self.intended else len(self.compatible) > 1


@dataclass(frozen=True, slots=True)
class LabelledIntent:
    """An intent, and the gold of its required parameters in their order."""

    intent: ActionIntent
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class LabelledPhone:
    """A snapshot and the labelled intents that were asked of it."""

    device_id: str
    split: Split
    device: DeviceContext
    intents: tuple[LabelledIntent, ...]


class LabelledSource(Protocol):
    """Where labelled phones come from: a dataset on disk, or a benchmark."""

    @property
    def name(self) -> str:
        """The name in tables of results."""
        ...

    def phones(self, split: Split | None = None) -> Iterator[LabelledPhone]:
        """The phones of one split, or all, one after the other, in a fixed order."""
        ...


@dataclass(frozen=True, slots=True)
class TableFile:
    """One Parquet file of a dataset: its rows, its bytes, its SHA-256 in hexadecimal."""

    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What ``dataset.json`` says: where a dataset comes from, and what is in it.

    `scenario` is the whole scenario as plain data, `seed` the seed it was made with (None: not made from one),
    `versions` those of the packages that decide its bytes, `counts` the phones by split, `tables` one file a table.
    """

    name: str
    seed: int | None
    scenario: Mapping[str, Any]
    versions: Mapping[str, str]
    counts: Mapping[str, int]
    tables: Mapping[str, TableFile]
    format: str = FORMAT

    @property
    def json(self) -> str:
        """The text of ``dataset.json``."""
        return json.dumps(asdict(self), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


with_config(ConfigDict(extra="forbid"))(TableFile)
with_config(ConfigDict(extra="forbid"))(Manifest)


def open_dataset(path: str | Path, verify: bool = False) -> Dataset:
    """The dataset in the folder `path`, checked: format version, tables, columns, numbers of rows.

    `verify` reads every byte and compares SHA-256 sums as well. `InvalidInput` says what is amiss and where.
    """
    from starebrain._tables import TABLES

    folder = Path(path)
    if not folder.is_dir():
        fact = "this is a file, and a dataset is a folder" if folder.exists() else "there is no such folder"
        raise InvalidInput(fact, file=folder, remedy="Make a dataset with `starebrain simulate`.")
    manifest = _read_manifest(folder / MANIFEST)
    for absent in [t for t in TABLES if t not in manifest.tables]:
        raise InvalidInput("the table is not listed", file=folder / MANIFEST, place=f"dataset.tables.{absent}")
    for table in manifest.tables:
        if table not in TABLES:
            raise InvalidInput("this is no table", file=folder / MANIFEST, place=f"dataset.tables.{table}")
    dataset = Dataset(folder, manifest)
    dataset._check(verify)
    return dataset


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset on disk, a `LabelledSource`; `open_dataset` makes one."""

    path: Path
    manifest: Manifest

    @property
    def name(self) -> str:
        """See `LabelledSource`."""
        return self.manifest.name

    def phones(self, split: Split | None = None) -> Iterator[LabelledPhone]:
        """See `LabelledSource`; one row group of each table is in memory at a time."""
        from starebrain._tables import phones_of

        for block in self.blocks(split):
            try:
                yield from phones_of(block, split)
            except InvalidInput as error:
                raise InvalidInput(error.fact, file=self.path, place=error.place, remedy=error.remedy) from None

    def blocks(self, split: Split | None = None, tables: Iterable[str] | None = None) -> Iterator[dict[str, pa.Table]]:
        """Some phones at a time as Arrow tables, all or only some; blocks without a phone of `split` are left out."""
        from starebrain._tables import TABLES

        names = tuple(TABLES if tables is None else tables)
        with ExitStack() as stack:
            files = {name: stack.enter_context(self._open(name)) for name in {*names, "devices"}}
            for group in range(files["devices"].num_row_groups):
                if split is not None:
                    splits = files["devices"].read_row_group(group, columns=["split"]).column("split")
                    if split.value not in splits.to_pylist():
                        continue
                yield {name: files[name].read_row_group(group) for name in names}

    def table(self, name: str) -> pa.Table:
        """One whole table, for those that are small: `devices`, `intents`, `parameters`."""
        with self._open(name) as file:
            return file.read()

    def file(self, table: str) -> Path:
        """Where a table is."""
        return self.path / f"{table}.parquet"

    def _open(self, table: str) -> pq.ParquetFile:
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = self.file(table)
        try:
            return pq.ParquetFile(path)
        except FileNotFoundError:
            raise InvalidInput("the table is missing", file=path, remedy="Make the dataset again.") from None
        except (pa.ArrowException, OSError) as error:
            raise InvalidInput(f"this is no whole Parquet file ({error})", file=path) from None

    def _check(self, verify: bool) -> None:
        from starebrain._tables import TABLES

        groups = None
        for table, of in self.manifest.tables.items():
            path = self.file(table)
            with self._open(table) as file:
                if fault := _difference(TABLES[table], file.schema_arrow):
                    raise InvalidInput(fault, file=path, remedy="Make the dataset again with this version.")
                if file.metadata.num_rows != of.rows:
                    raise InvalidInput(f"{file.metadata.num_rows} rows, and {MANIFEST} says {of.rows}", file=path)
                if groups not in (None, file.num_row_groups):
                    raise InvalidInput(f"{file.num_row_groups} row groups, and other tables have {groups}", file=path)
                groups = file.num_row_groups
            if verify and (found := _sha256(path)) != of.sha256:
                fact = f"the SHA-256 is {found[:16]}…, and {MANIFEST} says {of.sha256[:16]}…"
                raise InvalidInput(fact, file=path, remedy="The file was changed: make the dataset again.")


class DatasetWriter:
    """Writes a dataset block by block; the folder appears at the end, whole.

    Use it as a context manager. Each `write` takes some phones whole and becomes one row group of every table; memory
    stays that of a block. Everything goes to a hidden neighbour of `path`, which takes its place when the context ends
    without an error. What is there already is replaced only with `force`, and only if it is a dataset. The parameters
    are those of `Manifest`; `manifest` is there when the context has ended.
    """

    def __init__(
        self,
        path: str | Path,
        name: str,
        *,
        seed: int | None = None,
        scenario: Mapping[str, Any] | None = None,
        versions: Mapping[str, str] | None = None,
        force: bool = False,
    ) -> None:
        self.path = Path(path).absolute()
        self.force = force
        self._source = (name, seed, dict(scenario or {}), dict(versions or {}))
        self._counts: dict[str, int] = {split.value: 0 for split in Split}
        self._last = ""

    def __enter__(self) -> DatasetWriter:
        import pyarrow.parquet as pq

        from starebrain._tables import TABLES, TEXT, VARIED

        self._check_target()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._neighbour = tempfile.TemporaryDirectory(dir=self.path.parent, prefix=f".{self.path.name}-")
        except OSError as error:
            raise InvalidInput(f"the folder cannot be written ({error.strerror})", file=self.path) from None
        self._whole = Path(self._neighbour.name) / "whole"
        self._whole.mkdir()
        self._files = {
            table: pq.ParquetWriter(
                self._whole / f"{table}.parquet",
                schema,
                compression="zstd",
                use_dictionary=[of.name for of in schema if of.type == TEXT and of.name not in VARIED],
                write_statistics=False,
                store_schema=False,
            )
            for table, schema in TABLES.items()
        }
        return self

    def write(self, block: Mapping[str, pa.Table]) -> None:
        """Append some phones whole; a table that is not in `block` has no rows for them.

        The rows of every table follow the order of `devices`, whose ids rise from block to block. `InvalidInput` for a
        table or columns that a dataset does not have, and for ids that do not rise.
        """
        from starebrain._tables import TABLES

        for table in block:
            if table not in TABLES:
                raise InvalidInput(f"there is no table {table!r}", remedy=f"Write {', '.join(TABLES)}.")
        for device_id in block["devices"].column("device_id").to_pylist():
            if device_id <= self._last:
                fact = f"{device_id!r} does not come after {self._last!r}"
                raise InvalidInput(fact, place="devices.device_id", remedy="Sort the phones by id; ids are unique.")
            self._last = device_id
        for split in block["devices"].column("split").to_pylist():
            self._counts[Split(split)] += 1
        for table, schema in TABLES.items():
            rows = block.get(table, schema.empty_table())
            if fault := _difference(schema, rows.schema):
                raise InvalidInput(fault, place=table)
            self._files[table].write_table(rows, row_group_size=max(1, rows.num_rows))

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        with self._neighbour:
            for file in self._files.values():
                file.close()
            if kind is None:
                self.manifest = Manifest(*self._source, self._counts, {t: self._made(t) for t in self._files})
                (self._whole / MANIFEST).write_text(self.manifest.json, encoding="utf-8")
                self._check_target()
                if self.path.exists():
                    os.replace(self.path, Path(self._neighbour.name) / "old")
                os.replace(self._whole, self.path)

    def _made(self, table: str) -> TableFile:
        import pyarrow.parquet as pq

        path = self._whole / f"{table}.parquet"
        return TableFile(pq.read_metadata(path).num_rows, path.stat().st_size, _sha256(path))

    def _check_target(self) -> None:
        """Refuse to replace anything but a dataset, and that only with `force`."""
        if not os.path.lexists(self.path):
            return
        if not self.path.is_dir() or self.path.is_symlink():
            raise InvalidInput("this is not a folder", file=self.path, remedy="Choose another name.")
        known = self.path / MANIFEST
        if not known.is_file():
            raise InvalidInput("the folder is there, and is no dataset", file=self.path, remedy="Choose another name.")
        _read_manifest(known)
        if not self.force:
            raise InvalidInput("the dataset is there already", file=self.path, remedy="Replace it with --force.")


def _read_manifest(path: Path) -> Manifest:
    text = formats.read_text(path)
    try:
        named = json.loads(text).get("format")
    except (ValueError, AttributeError):
        named = FORMAT
    if named != FORMAT:
        fact = f"the format is {named!r}, and this version reads {FORMAT!r}"
        raise InvalidInput(fact, file=path, place="dataset.format", remedy="Update starebrain, or make it again.")
    try:
        return TypeAdapter(Manifest).validate_json(text, strict=True)
    except ValidationError as error:
        raise formats.refuse(error, "dataset", path) from None


def _difference(wanted: pa.Schema, found: pa.Schema) -> str:
    """What keeps the columns `found` from being those `wanted`; empty where nothing does."""
    for name in wanted.names:
        if name not in found.names:
            return f"the column {name!r} is missing"
        if found.field(name).type != wanted.field(name).type:
            return f"the column {name!r} is {found.field(name).type}, and should be {wanted.field(name).type}"
    extra = [name for name in found.names if name not in wanted.names]
    if extra:
        return f"the column {extra[0]!r} is unknown"
    return "" if found.names == wanted.names else "the columns are in another order"


def _sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
