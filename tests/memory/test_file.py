"""The file survives what happens to it: damage, other processes, and being killed at any moment."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from starebrain.errors import InvalidInput
from starebrain.memory import ARTICLE, MemoryStore
from starebrain.memory import file as file_module
from starebrain.recall import IntentType
from tests.memory.toys import NOW, WHATSAPP, step, task
from tests.memory.writers import (
    SERVER,
    SKIPPED,
    open_damaged,
    open_without_rights,
    record_until_killed,
    write,
)


def filled(path: Path, tasks: int = 3) -> None:
    with MemoryStore(path, ARTICLE) as store:
        for _ in range(tasks):
            store.record(SKIPPED, NOW)


def count(path: Path) -> int:
    """How many tasks the file knows, as the article counts; the file must be sound."""
    connection = sqlite3.connect(path)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return connection.execute("SELECT coalesce(sum(skipped), 0) FROM patterns").fetchone()[0]
    finally:
        connection.close()


def overwrite(at: int, what: bytes) -> Callable[[bytes], bytes]:
    return lambda content: content[:at] + what + content[at + len(what) :]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "noise": lambda content: random.Random(1).randbytes(len(content)),
    "text": lambda content: b"Dear diary, today I called Anna.\n" * 99,
    "empty": lambda content: b"",
    "cut": lambda content: content[: len(content) // 2],
    "header": overwrite(0, b"SQLite format 4\0"),
    "schema page": overwrite(100, b"\xff" * 500),
    "table page": overwrite(4096, b"\xff" * 500),
    "end of last page": lambda content: content[:-300] + b"\x07" * 300,
}


@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_file_is_set_aside_with_a_message_and_an_empty_one_begins(tmp_path: Path, how: str) -> None:
    path, told = tmp_path / "memory.sqlite", list[str]()
    filled(path)
    damaged = DAMAGE[how](path.read_bytes())
    assert damaged != path.read_bytes()
    path.write_bytes(damaged)
    with MemoryStore(path, ARTICLE, told.append) as store:
        assert store.recall(NOW).patterns == {}
        assert store.record(SKIPPED, NOW)
    assert (tmp_path / "memory.sqlite.damaged-1").read_bytes() == damaged
    assert len(told) == 1
    assert f"{path}: the memory is damaged (" in told[0]
    assert told[0].endswith("it was set aside as memory.sqlite.damaged-1, an empty one begins")
    assert count(path) == 1


def test_damage_is_a_warning_where_nobody_is_named_to_be_told(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    path.write_bytes(b"nonsense")
    with pytest.warns(UserWarning, match=r"set aside as memory\.sqlite\.damaged-1"):
        MemoryStore(path).close()


def test_what_was_set_aside_before_is_never_overwritten(tmp_path: Path) -> None:
    path, told = tmp_path / "memory.sqlite", list[str]()
    for content in (b"one", b"two"):
        path.write_bytes(content)
        MemoryStore(path, tell=told.append).close()
    assert [(tmp_path / f"memory.sqlite.damaged-{n}").read_bytes() for n in (1, 2)] == [b"one", b"two"]
    assert len(told) == 2


def test_damage_while_a_store_is_open_is_found_and_told(tmp_path: Path) -> None:
    path, told = tmp_path / "memory.sqlite", list[str]()
    with MemoryStore(path, ARTICLE, told.append) as store:
        store.record(SKIPPED, NOW)
        store.wipe()
        with open(path, "r+b") as file:  # the pages of the tables, which another process would read
            file.seek(4096)
            file.write(b"\xff" * (path.stat().st_size - 4096))
        other = MemoryStore(path, ARTICLE, told.append)
        other.record(SKIPPED, NOW)
        other.close()
        assert store.record(SKIPPED, NOW), "the store goes on with the file that took its place"
    assert len(told) == 1
    assert count(path) == 2


def test_a_log_without_its_file_is_not_played_into_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    store = MemoryStore(path, ARTICLE)
    store.record(SKIPPED, NOW)
    log = Path(f"{path}-wal").read_bytes()
    store.close()
    path.unlink()
    Path(f"{path}-wal").write_bytes(log)
    assert log
    MemoryStore(path).close()
    assert count(path) == 0


def test_a_file_that_was_deleted_while_open_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    with MemoryStore(path, ARTICLE) as store:
        store.record(SKIPPED, NOW)
        for part in tmp_path.iterdir():
            part.unlink()
        assert store.recall(NOW).patterns == {}
        store.record(SKIPPED, NOW)
    assert count(path) == 1


def test_another_programs_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE notes (text)")
    connection.close()
    path.chmod(0o644)
    before = path.read_bytes()
    with pytest.raises(InvalidInput, match="this is another program's file"):
        MemoryStore(path)
    assert path.read_bytes() == before
    assert path.stat().st_mode & 0o777 == 0o644
    assert list(tmp_path.iterdir()) == [path]


def test_places_where_no_file_can_be_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    before = {part: part.lstat().st_mode for part in (tmp_path, *tmp_path.iterdir())}
    below_a_file = tmp_path / "file" / "memory.sqlite"
    for place in (tmp_path, below_a_file, tmp_path / "pipe", tmp_path / "loop", Path(os.devnull)):
        with pytest.raises(InvalidInput, match="the memory cannot be used: ") as caught:
            MemoryStore(place)
        assert caught.value.remedy == "Name a file."
    assert {part: part.lstat().st_mode for part in (tmp_path, *tmp_path.iterdir())} == before


def test_a_link_is_followed_and_what_it_points_to_is_set_aside(tmp_path: Path) -> None:
    real, link, told = tmp_path / "elsewhere" / "real", tmp_path / "link", list[str]()
    link.symlink_to(real)
    filled(link)
    assert count(real) == 3
    real.write_bytes(b"nonsense")
    MemoryStore(link, tell=told.append).close()
    assert link.readlink() == real
    assert (real.parent / "real.damaged-1").read_bytes() == b"nonsense"
    assert len(told) == 1


def test_what_a_killed_process_left_of_making_a_file_is_cleared_away(tmp_path: Path) -> None:
    left = tmp_path / "memory.sqlite-new"
    left.mkdir()
    (left / "whole").write_bytes(b"half")
    filled(tmp_path / "memory.sqlite")
    assert count(tmp_path / "memory.sqlite") == 3
    assert not left.exists()


def test_a_full_disk_is_told_and_what_was_known_is_kept(tmp_path: Path) -> None:
    with MemoryStore(tmp_path / "memory.sqlite") as store:
        store.record(task(), NOW)
        known = store.learned()
        pages = store._file.read(lambda c: c.execute("PRAGMA max_page_count = 3").fetchone()[0])
        assert pages == 3
        many = [task(step(f"com.app{n}.{'x' * 110}"), description=of) for of in IntentType for n in range(5)]
        with pytest.raises(InvalidInput, match=r"the memory cannot be used: database or disk is full\. Check its disk"):
            store.record_all(many, NOW)
        assert store.learned() == known
        assert store.record(task(), NOW)


def test_without_rights_a_file_is_left_as_it_is() -> None:
    with TemporaryDirectory() as name:
        folder, told = Path(name), SERVER.SimpleQueue()
        (folder / "damaged").write_bytes(b"nonsense")
        filled(folder / "sound")
        before = {part.name: part.read_bytes() for part in folder.iterdir()}
        for part in folder.iterdir():
            part.chmod(0o444)
        folder.chmod(0o555)
        process = SERVER.Process(target=open_without_rights, args=(folder, told.put))
        process.start()
        process.join(60)
        folder.chmod(0o755)
        assert process.exitcode == 0
        assert "it is damaged (file is not a database) and cannot be set aside (Permission denied)" in told.get()
        assert "the memory cannot be used: attempt to write a readonly database" in told.get()
        assert "the memory cannot be used: Permission denied. Check its disk and its rights." in told.get()
        assert {part.name: part.read_bytes() for part in folder.iterdir()} == before


def test_a_file_that_another_process_keeps_locked_is_refused_after_a_while(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(file_module, "BUSY_SECONDS", 0.05)
    path = tmp_path / "memory.sqlite"
    store = MemoryStore(path, ARTICLE)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(InvalidInput, match="the memory cannot be used: database is locked"):
        store.record(SKIPPED, NOW)
    assert store.recall(NOW).patterns == {}
    holder.execute("ROLLBACK")
    assert store.record(SKIPPED, NOW)
    store.close()
    holder.close()


# Several processes


def test_several_processes_lose_nothing_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    running = [SERVER.Process(target=write, args=(path, 40)) for _ in range(4)]
    for one in running:
        one.start()
    for one in running:
        one.join(60)
    assert [one.exitcode for one in running] == [0] * 4
    assert count(path) == 160


def test_of_several_processes_one_sets_a_damaged_file_aside(tmp_path: Path) -> None:
    path, told = tmp_path / "memory.sqlite", SERVER.SimpleQueue()
    path.write_bytes(b"nonsense" * 1000)
    running = [SERVER.Process(target=open_damaged, args=(path, told.put)) for _ in range(6)]
    for one in running:
        one.start()
    for one in running:
        one.join(60)
    assert [one.exitcode for one in running] == [0] * 6
    assert "set aside" in told.get()
    assert told.empty()
    assert sorted(p.name for p in tmp_path.glob("*damaged*")) == ["memory.sqlite.damaged-1"]
    assert count(path) == 0


# Killed


def killed_after(tasks: int, seconds: float, path: Path) -> list[bytes]:
    """What a process told until it was killed, so many `seconds` after it had recorded so many `tasks`."""
    here, there = SERVER.Pipe(duplex=False)
    process = SERVER.Process(target=record_until_killed, args=(path, there.send_bytes))
    process.start()
    there.close()
    assert here.recv_bytes() == b"begin"
    told = [here.recv_bytes() for _ in range(tasks)]
    time.sleep(seconds)
    process.kill()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    try:
        while True:
            told.append(here.recv_bytes())
    except (EOFError, OSError):  # killed while it was telling: the pipe ends within a message
        return told


@pytest.fixture
def in_memory(tmp_path: Path) -> Iterator[Path]:
    """A folder without a disk, where there is one: it is quicker, and a kill is no power cut."""
    shared = Path("/dev/shm")
    with TemporaryDirectory(dir=shared if os.access(shared, os.W_OK) else tmp_path) as folder:
        yield Path(folder)


def spans(path: Path) -> tuple[float, float]:
    """The seconds that it takes here to make a store and to record a task."""
    begin = time.perf_counter()
    with MemoryStore(path, ARTICLE) as store:
        made = time.perf_counter()
        store.record(SKIPPED, NOW)
        return made - begin, time.perf_counter() - made


def test_killed_200_times_while_writing_a_store_is_sound_and_lost_at_most_the_task_in_flight(
    in_memory: Path, record_property: pytest.RecordProperty
) -> None:
    moment, recorded, in_flight, unmade = random.Random(6), 0, 0, 0
    making, recording = spans(in_memory / "measured")
    for turn in range(200):
        path = in_memory / f"memory-{turn // 20}.sqlite"  # every twentieth kill may fall into the making of the file
        before = count(path) if path.exists() else 0
        tasks = moment.randrange(5)
        told = killed_after(tasks, moment.uniform(0.0, 1.5) * (recording if tasks else making), path)
        assert set(told) <= {b"."}, "nothing was damaged"
        unmade += not path.exists()
        more = (count(path) if path.exists() else 0) - before
        assert more - len(told) in (0, 1)
        recorded, in_flight = recorded + more, in_flight + more - len(told)
    record_property("recorded", recorded)
    record_property("recorded but not told", in_flight)
    record_property("killed before the file was made", unmade)
    assert recorded > 200
    for path in in_memory.glob("*.sqlite"):
        with MemoryStore(path, ARTICLE, pytest.fail) as store:
            assert store.record(task(step(WHATSAPP)), NOW)
