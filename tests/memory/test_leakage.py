"""Nothing of what was said or seen is in the file, its log or its freed pages; a store that keeps some is caught."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

import pytest

from starebrain.evaluate.memory_safety import leakage, traces
from starebrain.intent import AgentTask
from starebrain.memory import ARTICLE, MemoryStore, Posterior
from starebrain.simulate.habits import Habits

HABITS = Habits(users=12, weeks=16, tasks_per_day=9.0)
TASKS = 10_000


@pytest.mark.parametrize("rule", [ARTICLE, Posterior()], ids=lambda rule: rule.name)
def test_nothing_leaks_from_ten_thousand_tasks(
    tmp_path: Path, rule: Posterior, record_property: pytest.RecordProperty
) -> None:
    path = tmp_path / "memory.sqlite"
    with MemoryStore(path, rule) as store:
        found = leakage(store, path, HABITS, TASKS)
    record_property("words", found.words)
    assert found.tasks == TASKS
    assert found.words == 4 * TASKS
    assert found.found == ()


class Keeping(MemoryStore):
    """A store that keeps what it should not: some text of every task, in one table more."""

    def __init__(self, path: Path, text_of: Callable[[AgentTask], object]) -> None:
        super().__init__(path)
        self.text_of = text_of
        self._file.write(lambda connection: connection.execute("CREATE TABLE IF NOT EXISTS kept (text)"))

    def record_all(self, tasks: Iterable[AgentTask], now: datetime) -> int:
        tasks = tuple(tasks)
        texts = [(self.text_of(one),) for one in tasks]
        self._file.write(lambda connection: connection.executemany("INSERT INTO kept VALUES (?)", texts))
        return super().record_all(tasks, now)


class Deleting(Keeping):
    """A store that deletes it again, without secure deletion."""

    def record_all(self, tasks: Iterable[AgentTask], now: datetime) -> int:
        self._file.read(lambda connection: connection.execute("PRAGMA secure_delete = OFF"))
        recorded = super().record_all(tasks, now)
        self._file.write(lambda connection: connection.execute("DELETE FROM kept"))
        return recorded


def coded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "text_of",
    [
        lambda task: task.description,
        lambda task: task.task_id,
        lambda task: task.steps[0].description,
        lambda task: task.description.upper(),
        lambda task: task.description.casefold(),
        lambda task: task.description[::-1],
        lambda task: task.description.encode("utf-16-le"),
        lambda task: task.description.encode().hex(),
        lambda task: coded(task.description),
        lambda task: coded("x" + task.description.lower()),
    ],
    ids=["description", "id", "screen", "upper", "folded", "backwards", "utf16", "hex", "base64", "base64_shifted"],
)
def test_a_store_that_keeps_text_is_caught(tmp_path: Path, text_of: Callable[[AgentTask], object]) -> None:
    path = tmp_path / "memory.sqlite"
    with Keeping(path, text_of) as store:
        assert leakage(store, path, HABITS, 50).found


def test_a_store_that_deletes_text_carelessly_is_caught(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    with Deleting(path, lambda task: task.description) as store:
        assert leakage(store, path, HABITS, 50).found


@pytest.mark.parametrize(("content", "found"), [(b"a QUARzel b", {"Quarzel"}), (b"quartz", set()), (b"", set())])
def test_traces(tmp_path: Path, content: bytes, found: set[str]) -> None:
    (tmp_path / "memory.sqlite-wal").write_bytes(content)
    assert traces(tmp_path / "memory.sqlite", ["Quarzel", "Zelquar"]) == found
