"""The file survives what happens to it: damage, other processes, and being killed at any moment."""

from __future__ import annotations

import random
import signal
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from starebrain.errors import InvalidInput
from starebrain.memory import ARTICLE, MemoryStore
from starebrain.memory import file as file_module
from tests.memory.toys import NOW, WHATSAPP, step, task
from tests.memory.writers import SERVER, SKIPPED, open_damaged, record_until_killed, write


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
    mode = tmp_path.stat().st_mode
    for place in (tmp_path, tmp_path / "file" / "memory.sqlite"):
        with pytest.raises(InvalidInput, match="the memory cannot be"):
            MemoryStore(place)
    assert tmp_path.stat().st_mode == mode


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


def killed_after(seconds: float, path: Path) -> list[bytes]:
    """What a process told from its beginning until it was killed."""
    here, there = SERVER.Pipe(duplex=False)
    process = SERVER.Process(target=record_until_killed, args=(path, there.send_bytes))
    process.start()
    there.close()
    assert here.recv_bytes() == b"begin"
    time.sleep(seconds)
    process.kill()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    told = []
    try:
        while True:
            told.append(here.recv_bytes())
    except (EOFError, OSError):  # killed while it was telling: the pipe ends within a message
        return told


def test_killed_200_times_while_writing_a_store_is_sound_and_lost_at_most_the_task_in_flight(
    tmp_path: Path, record_property: pytest.RecordProperty
) -> None:
    moment, recorded, in_flight, unmade = random.Random(6), 0, 0, 0
    for turn in range(200):
        path = tmp_path / f"memory-{turn // 20}.sqlite"  # every twentieth kill may fall into the making of the file
        before = count(path) if path.exists() else 0
        told = killed_after(moment.uniform(0.0, 0.02), path)
        assert set(told) <= {b"."}, "nothing was damaged"
        unmade += not path.exists()
        more = (count(path) if path.exists() else 0) - before
        assert more - len(told) in (0, 1)
        recorded, in_flight = recorded + more, in_flight + more - len(told)
    record_property("recorded", recorded)
    record_property("recorded but not told", in_flight)
    record_property("killed before the file was made", unmade)
    assert recorded > 200
    for path in tmp_path.glob("*.sqlite"):
        with MemoryStore(path, ARTICLE, pytest.fail) as store:
            assert store.record(task(step(WHATSAPP)), NOW)
