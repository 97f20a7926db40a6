from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starebrain._tables import PHONE, TABLES, tables_of
from starebrain.dataset import (
    MANIFEST,
    DatasetWriter,
    Label,
    LabelledIntent,
    LabelledPhone,
    Manifest,
    Split,
    open_dataset,
)
from starebrain.device import Contact, DeviceContext, Owner, SavedLocation
from starebrain.errors import InvalidInput
from starebrain.intent import ActionIntent, Parameter, ParameterKind
from tests import strategies

NOON = datetime(2025, 3, 3, 12, tzinfo=UTC)


def phone(device_id: str, split: Split = Split.TRAIN, contacts: int = 2) -> LabelledPhone:
    """A phone with a few contacts and one labelled intent."""
    people = tuple(Contact(f"c{i}", f"Ana {i}", phones=("1",)) for i in range(contacts))
    device = DeviceContext(NOON, "Europe/Berlin", "de_DE", Owner("Ina"), people)
    asked = ActionIntent("i", "call", "call Ana 0", (Parameter("who", ParameterKind.CONTACT, "Ana 0"),))
    label = Label(("c0",) if contacts else (), ("c0",) if contacts else (), "full", device_id)
    return LabelledPhone(device_id, split, device, (LabelledIntent(asked, (label,)),))


def write(path: Path, *blocks: list[LabelledPhone], force: bool = False) -> Manifest:
    """A dataset with one row group for each block."""
    with DatasetWriter(path, "small", seed=7, scenario={"a": 1}, versions={"pyarrow": "x"}, force=force) as writer:
        for block in blocks:
            writer.write(tables_of(block))
    return writer.manifest


def write_tables(path: Path, blocks: Iterator[dict[str, pa.Table]], force: bool = False) -> None:
    """A dataset of blocks that need not be sound."""
    with DatasetWriter(path, "new", force=force) as writer:
        for block in blocks:
            writer.write(block)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A dataset of three phones in two blocks."""
    write(tmp_path / "small", [phone("d1"), phone("d2", Split.TEST)], [phone("d3", Split.TEST, 0)])
    return tmp_path / "small"


def hidden(folder: Path) -> list[str]:
    """What writing left beside a dataset."""
    return [name for name in os.listdir(folder) if name.startswith(".")]


def test_every_field_of_a_record_has_its_column() -> None:
    for table, (_, record) in PHONE.items():
        names = [f.name for f in fields(record)]
        if record is SavedLocation:
            names[-1:] = ["latitude", "longitude"]
        assert TABLES[table].names == ["device_id", *names]


labels = st.builds(
    Label, strategies.tuples(strategies.ids), strategies.tuples(strategies.ids), strategies.texts, strategies.texts
)


@st.composite
def labelled_phones(draw: st.DrawFn) -> list[LabelledPhone]:
    """At most three phones in the order of their ids, with up to two labelled intents each."""
    names = draw(st.lists(st.text(min_size=1, max_size=4), min_size=1, max_size=3, unique=True).map(sorted))
    asked = st.lists(strategies.intents, max_size=2, unique_by=lambda i: i.intent_id)
    phones = []
    for name in names:
        intents = [LabelledIntent(i, tuple(draw(labels) for _ in i.required_parameters)) for i in draw(asked)]
        phones.append(LabelledPhone(name, draw(st.sampled_from(Split)), draw(strategies.devices(2)), tuple(intents)))
    return phones


@given(phones=labelled_phones())
@settings(max_examples=40)
def test_phones_come_back_equal(tmp_path_factory: pytest.TempPathFactory, phones: list[LabelledPhone]) -> None:
    path = tmp_path_factory.mktemp("round") / "trip"
    write(path, *([p] for p in phones))
    dataset = open_dataset(path, verify=True)
    assert list(dataset.phones()) == phones
    for split in Split:
        assert list(dataset.phones(split)) == [p for p in phones if p.split == split]
        assert dataset.manifest.counts[split] == sum(p.split == split for p in phones)


def test_instants_have_the_offset_of_the_phone_even_where_clocks_are_set_back(tmp_path: Path) -> None:
    first = datetime(2025, 10, 26, 0, 30, tzinfo=UTC)  # 02:30 in Berlin, summer time
    contacts = tuple(Contact(f"c{i}", last_contacted_at=first + timedelta(hours=i)) for i in range(2))
    device = DeviceContext(first, "Europe/Berlin", contacts=contacts)
    write(tmp_path / "d", [LabelledPhone("d", Split.TRAIN, device, ())])
    (read,) = open_dataset(tmp_path / "d").phones()
    assert read.device == device
    assert [str(c.last_contacted_at) for c in read.device.contacts] == [
        "2025-10-26 02:30:00+02:00",
        "2025-10-26 02:30:00+01:00",
    ]


def test_a_dataset_streams_one_block_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "d", *([phone(f"d{i}")] for i in range(9)))
    read: list[int] = []
    whole = pq.ParquetFile.read_row_group
    monkeypatch.setattr(pq.ParquetFile, "read_row_group", lambda self, i, **k: (read.append(i), whole(self, i, **k))[1])
    assert [p.device_id for p in islice(open_dataset(tmp_path / "d").phones(), 2)] == ["d0", "d1"]
    assert set(read) <= {0, 1}


def test_blocks_without_a_phone_of_the_split_are_not_read(small: Path) -> None:
    dataset = open_dataset(small)
    assert [b["contacts"].num_rows for b in dataset.blocks(tables=["contacts"])] == [4, 0]
    assert [b["contacts"].num_rows for b in dataset.blocks(Split.TRAIN, ["contacts"])] == [4]
    assert dataset.table("intents").num_rows == 3
    assert dataset.name == "small"


def test_the_manifest_says_what_is_there(small: Path) -> None:
    manifest = open_dataset(small, verify=True).manifest
    assert (manifest.seed, manifest.scenario, manifest.versions) == (7, {"a": 1}, {"pyarrow": "x"})
    assert manifest.counts == {"train": 1, "calibration": 0, "test": 2}
    assert manifest.tables["contacts"].rows == 4
    assert manifest.tables["contacts"].bytes == (small / "contacts.parquet").stat().st_size
    assert {p.name for p in small.iterdir()} == {MANIFEST, *(f"{t}.parquet" for t in TABLES)}
    assert json.loads((small / MANIFEST).read_text())["format"] == "starebrain.dataset/1"


def test_the_same_phones_give_the_same_bytes(small: Path, tmp_path: Path) -> None:
    write(tmp_path / "again", [phone("d1"), phone("d2", Split.TEST)], [phone("d3", Split.TEST, 0)])
    for path in small.iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()


def _manifest(change: Callable[[dict], object]) -> Callable[[Path], object]:
    def broken(path: Path) -> None:
        tree = json.loads((path / MANIFEST).read_text())
        change(tree)
        (path / MANIFEST).write_text(json.dumps(tree))

    return broken


def _column(path: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    file = path / "contacts.parquet"
    pq.write_table(change(pq.read_table(file)), file, store_schema=False)


BROKEN: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "no manifest": (lambda p: (p / MANIFEST).unlink(), MANIFEST, "there is no such file"),
    "no JSON": (lambda p: (p / MANIFEST).write_text("{"), MANIFEST, "not valid JSON"),
    "newer format": (_manifest(lambda m: m.update(format="starebrain.dataset/2")), MANIFEST, "starebrain.dataset/2"),
    "unknown field": (_manifest(lambda m: m.update(sed=1)), MANIFEST, "dataset.sed: unknown field"),
    "wrong type": (_manifest(lambda m: m.update(seed="1")), MANIFEST, "dataset.seed"),
    "table not listed": (_manifest(lambda m: m["tables"].pop("apps")), MANIFEST, "dataset.tables.apps"),
    "unknown table": (
        _manifest(lambda m: m["tables"].update(pets=m["tables"]["apps"])),
        MANIFEST,
        "dataset.tables.pets",
    ),
    "rows": (
        _manifest(lambda m: m["tables"]["apps"].update(rows=9)),
        "apps.parquet",
        "0 rows, and dataset.json says 9",
    ),
    "missing table": (lambda p: (p / "events.parquet").unlink(), "events.parquet", "the table is missing"),
    "directory": (
        lambda p: ((p / "apps.parquet").unlink(), (p / "apps.parquet").mkdir()),
        "apps.parquet",
        "no whole Parquet file",
    ),
    "truncated": (
        lambda p: (p / "contacts.parquet").write_bytes((p / "contacts.parquet").read_bytes()[:-9]),
        "contacts.parquet",
        "no whole Parquet file",
    ),
    "column missing": (lambda p: _column(p, lambda t: t.drop(["starred"])), "contacts.parquet", "'starred' is missing"),
    "column unknown": (
        lambda p: _column(p, lambda t: t.append_column("age", pa.array([1] * t.num_rows))),
        "contacts.parquet",
        "'age' is unknown",
    ),
    "column type": (
        lambda p: _column(p, lambda t: t.set_column(1, "contact_id", pa.array(range(t.num_rows)))),
        "contacts.parquet",
        "'contact_id' is int64, and should be string",
    ),
    "column order": (
        lambda p: _column(p, lambda t: t.select([*t.column_names[1:], t.column_names[0]])),
        "contacts.parquet",
        "another order",
    ),
    "row groups": (lambda p: _column(p, lambda t: t), "contacts.parquet", "1 row groups, and other tables have 2"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_amiss_is_said_with_the_file(small: Path, case: str) -> None:
    spoil, file, fact = BROKEN[case]
    spoil(small)
    with pytest.raises(InvalidInput) as error:
        open_dataset(small)
    assert Path(error.value.file or "").name == file
    assert fact in str(error.value)


@pytest.mark.parametrize(("name", "fact"), [("nowhere", "there is no such folder"), ("file", "this is a file")])
def test_a_dataset_is_a_folder(tmp_path: Path, name: str, fact: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput, match=fact):
        open_dataset(tmp_path / name)


def test_a_changed_byte_is_found_where_asked_for(small: Path) -> None:
    path = small / "contacts.parquet"
    content = bytearray(path.read_bytes())
    content[10] ^= 1
    path.write_bytes(bytes(content))
    assert open_dataset(small).manifest.tables["contacts"].rows == 4
    with pytest.raises(InvalidInput, match="SHA-256"):
        open_dataset(small, verify=True)


def rewritten(path: Path, table: str, change: Callable[[list[dict]], object]) -> None:
    """Change the rows of a table in place, in one row group, and those of no other."""
    file = path / f"{table}.parquet"
    rows = pq.read_table(file).to_pylist()
    change(rows)
    pq.write_table(pa.Table.from_pylist(rows, TABLES[table]), file, store_schema=False)


@pytest.mark.parametrize(
    ("table", "change", "fact"),
    [
        ("contacts", lambda rows: rows.reverse(), "where the devices table has that phone"),
        ("contacts", lambda rows: rows[0].update(device_id="d9"), "where the devices table has that phone"),
        ("contacts", lambda rows: rows[1].update(contact_id="c0"), "device d1: contacts[1].contact_id"),
        ("devices", lambda rows: rows[0].update(timezone="Mars/Base"), "device d1: timezone"),
        ("devices", lambda rows: rows[0].update(split="tests"), "device d1: 'tests' is not a valid Split"),
        ("parameters", lambda rows: rows[0].update(kind="pet"), "device d1: 'pet' is not a valid ParameterKind"),
        ("parameters", lambda rows: rows[0].update(intent_id="j"), "there is no intent 'j'"),
    ],
)
def test_rows_that_break_a_rule_are_named(
    tmp_path: Path, table: str, change: Callable[[list[dict]], object], fact: str
) -> None:
    write(tmp_path / "d", [phone("d1"), phone("d2")])
    rewritten(tmp_path / "d", table, change)
    with pytest.raises(InvalidInput) as error:
        list(open_dataset(tmp_path / "d").phones())
    assert fact in str(error.value)


def test_the_writer_refuses_what_no_dataset_holds(tmp_path: Path) -> None:
    def fails(*blocks: dict[str, pa.Table]) -> str:
        with pytest.raises(InvalidInput) as error:
            write_tables(tmp_path / "d", iter(blocks))
        assert not (tmp_path / "d").exists()
        assert hidden(tmp_path) == []
        return str(error.value)

    whole = tables_of([phone("d1")])
    assert "there is no table 'pets'" in fails({**whole, "pets": whole["apps"]})
    assert "contacts: the column 'starred' is missing" in fails(
        {**whole, "contacts": whole["contacts"].drop(["starred"])}
    )
    assert "'d1' does not come after 'd1'" in fails(whole, whole)
    assert "'d0' does not come after 'd1'" in fails(whole, tables_of([phone("d0")]))


def test_a_folder_that_is_no_dataset_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("dear")
    (tmp_path / "file").write_text("dear")
    (tmp_path / "link").symlink_to(tmp_path / "mine")
    for name, fact in (("mine", "is no dataset"), ("file", "this is not a folder"), ("link", "this is not a folder")):
        for force in (False, True):
            with pytest.raises(InvalidInput, match=fact):
                write(tmp_path / name, [phone("d1")], force=force)
    assert (tmp_path / "mine" / "notes.txt").read_text() == "dear"
    assert hidden(tmp_path) == []


def test_a_dataset_is_replaced_only_by_force(small: Path) -> None:
    before = (small / MANIFEST).read_bytes()
    with pytest.raises(InvalidInput, match="--force"):
        write(small, [phone("d9")])
    assert (small / MANIFEST).read_bytes() == before
    write(small, [phone("d9")], force=True)
    assert [p.device_id for p in open_dataset(small, verify=True).phones()] == ["d9"]
    assert hidden(small.parent) == []


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_an_error_while_writing_leaves_what_was_there(small: Path, error: type[BaseException]) -> None:
    before = (small / MANIFEST).read_bytes()

    def blocks() -> Iterator[list[LabelledPhone]]:
        yield [phone("d1")]
        raise error

    with pytest.raises(error):
        write_tables(small, map(tables_of, blocks()), force=True)
    assert (small / MANIFEST).read_bytes() == before
    assert hidden(small.parent) == []


def test_a_folder_made_meanwhile_is_not_clobbered(tmp_path: Path) -> None:
    def blocks() -> Iterator[dict[str, pa.Table]]:
        yield tables_of([phone("d1")])
        (tmp_path / "d").mkdir()

    with pytest.raises(InvalidInput, match="is no dataset"):
        write_tables(tmp_path / "d", blocks())
    assert list((tmp_path / "d").iterdir()) == []


def test_a_killed_writer_leaves_the_whole_dataset_or_none(small: Path) -> None:
    program = (
        "import os, signal, sys\n"
        "from starebrain.dataset import DatasetWriter\n"
        "from starebrain._tables import TABLES\n"
        "writer = DatasetWriter(sys.argv[1], 'new', force=True)\n"
        "with writer:\n"
        "    writer.write({name: schema.empty_table() for name, schema in TABLES.items()})\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    for path in (small, small.parent / "new"):
        done = subprocess.run([sys.executable, "-c", program, str(path)], check=False)
        assert done.returncode == -signal.SIGKILL
    assert open_dataset(small, verify=True).manifest.name == "small"
    assert not (small.parent / "new").exists()


def test_others_may_read_a_dataset_as_the_mask_says(small: Path) -> None:
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(small.stat().st_mode) == 0o777 & ~mask


def test_a_dataset_may_lie_in_folders_that_are_not_there_yet(tmp_path: Path) -> None:
    write(tmp_path / "a" / "b", [phone("d1")])
    assert open_dataset(tmp_path / "a" / "b").manifest.counts["train"] == 1


def test_an_unwritable_place_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput, match="cannot be written"):
        write(tmp_path / "file" / "d", [phone("d1")])


def test_ambiguous_and_unanswerable() -> None:
    assert Label((), (), "absent", "d").unanswerable
    assert not Label(("a", "b"), ("a", "b"), "full", "d").ambiguous  # two records of one person
    assert Label(("a",), ("a", "b"), "first", "d").ambiguous
    assert Label((), ("a", "b"), "first", "d").ambiguous
