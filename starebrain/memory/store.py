"""What one rule has learned from finished tasks, kept in one file that its owner alone can read."""

from __future__ import annotations

import sqlite3
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import Self

from starebrain.errors import InvalidInput, require_instant
from starebrain.intent import AgentTask
from starebrain.memory.file import MemoryFile
from starebrain.memory.learning import RETENTION, Learned, Posterior, Rule, observe
from starebrain.recall import ConfirmationHistory, IntentType, Recall, SessionPattern

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
LATEST = (datetime(9999, 1, 1, tzinfo=UTC) - EPOCH) // MICROSECOND - 1
"""The last instant that is read, in microseconds since 1970, whatever is stored."""

_COLUMNS = "intent_type, last_seen, tasks, steps, approved, edited, declined, confirmed, skipped"
_READ = f"""SELECT {_COLUMNS}, package, weight FROM patterns LEFT JOIN packages USING (rule, intent_type)
    WHERE rule = ? ORDER BY intent_type, weight DESC, package"""
_WRITE = f"INSERT OR REPLACE INTO patterns (rule, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_WRITE_PACKAGE = "INSERT INTO packages (rule, intent_type, package, weight) VALUES (?, ?, ?, ?)"
_DELETE_PACKAGES = "DELETE FROM packages WHERE rule = ? AND intent_type = ?"
_DELETE = "DELETE FROM patterns WHERE rule = ? AND intent_type = ?"


def warn(message: str) -> None:
    """Say it as a Python warning."""
    warnings.warn(message, stacklevel=2)


class Patterns(Mapping[IntentType, SessionPattern]):
    """What was known at one instant, each pattern read when it is asked for."""

    __slots__ = ("_known", "_now", "_rule")

    def __init__(self, known: Mapping[IntentType, Learned], rule: Rule, now: datetime) -> None:
        self._known, self._rule, self._now = known, rule, now

    def __getitem__(self, intent_type: IntentType) -> SessionPattern:
        return self._rule.read(self._known[intent_type], self._now)

    def __iter__(self) -> Iterator[IntentType]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def __repr__(self) -> str:
        return repr(dict(self))


class MemoryStore:
    """The patterns of one rule in one file (`MemoryFile` says what it survives and refuses).

    Several processes may use a file at once; one store belongs to one thread of one process. Each task is recorded in a
    transaction of its own, so that a process that is killed loses at most the task in flight.
    """

    def __init__(self, path: str | Path, rule: Rule | None = None, tell: Callable[[str], None] = warn) -> None:
        self.rule: Rule = Posterior() if rule is None else rule
        self._file = MemoryFile(Path(path), tell)
        self._known: tuple[object, Mapping[IntentType, Learned]] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def record(self, task: AgentTask, now: datetime) -> bool:
        """Learn from a task that has ended as completed; False, and nothing is written, for any other."""
        return self.record_all((task,), now) == 1

    def record_all(self, tasks: Iterable[AgentTask], now: datetime) -> int:
        """Learn from tasks in order, from all or from none; how many of them were completed.

        A task that says it ended after `now` ended now, and a pattern that was last seen after `now` was seen now: a
        clock that ran ahead makes nothing outlive its time once it has been set right. `InvalidInput` for a `now`
        without an offset.
        """
        now = _instant(now)
        seen = [one for task in tasks if (one := observe(task, self.rule.intent_type)) is not None]
        if not seen:
            return 0

        def learn(connection: sqlite3.Connection) -> None:
            known = {
                of: replace(k, last_seen=min(k.last_seen, now))
                for of, k in self._load(connection).items()
                if now - k.last_seen <= RETENTION
            }
            for one in seen:
                timed = one if one.at <= now else replace(one, at=now)
                known[one.intent_type] = self.rule.learn(known.get(one.intent_type), timed)
            for of in {one.intent_type for one in seen}:
                self._save(connection, known[of])

        self._file.write(learn)
        return len(seen)

    def recall(self, now: datetime) -> Recall:
        """What is known at `now`; a pattern that is more than 30 days old is deleted, and not returned.

        `InvalidInput` for a `now` without an offset.
        """
        now = _instant(now)
        learned = self._current()
        current = {of: known for of, known in learned.items() if now - known.last_seen <= RETENTION}
        if len(current) < len(learned):
            self._drop(lambda known: now - known.last_seen > RETENTION)
        return Recall(Patterns(current, self.rule, now))

    def learned(self) -> tuple[Learned, ...]:
        """Everything that is stored, as it is stored, in order of type."""
        return tuple(self._current().values())

    def forget(self, intent_type: IntentType | None = None) -> tuple[IntentType, ...]:
        """Delete what is known of one type, or of all, and every trace of it in the file; the types that there were.

        `InvalidInput` where another process keeps traces in the log: the patterns are deleted, their bytes remain.
        """
        gone, wiped = self._drop(lambda known: intent_type in (None, known.intent_type))
        if not wiped:
            fact = "what was forgotten is deleted, but another program keeps traces of it in the log"
            raise InvalidInput(fact, file=self._file.path, remedy="Forget again when no other program uses the memory.")
        return gone

    def wipe(self) -> bool:
        """Bring the log into the file and leave nothing in either that was deleted; False where others prevent it."""
        return self._file.wipe()

    def _drop(self, goes: Callable[[Learned], bool]) -> tuple[tuple[IntentType, ...], bool]:
        def drop(connection: sqlite3.Connection) -> tuple[IntentType, ...]:
            gone = tuple(of for of, known in self._load(connection).items() if goes(known))
            for of in gone:
                for statement in (_DELETE_PACKAGES, _DELETE):
                    connection.execute(statement, (self.rule.name, of))
            return gone

        return self._file.write(drop), self._file.wipe()

    def _current(self) -> Mapping[IntentType, Learned]:
        """What the file holds, read again only where somebody has written since."""
        version = self._file.version()
        if self._known is None or self._known[0] != version:
            self._known = version, self._file.read(self._load)
        return self._known[1]

    def _load(self, connection: sqlite3.Connection) -> dict[IntentType, Learned]:
        found: dict[IntentType, Learned] = {}
        for of, group in groupby(connection.execute(_READ, (self.rule.name,)), itemgetter(0)):
            rows = list(group)
            _, seen, tasks, steps, *counts = rows[0][:-2]
            found[IntentType(of)] = Learned(
                IntentType(of),
                EPOCH + timedelta(microseconds=min(seen, LATEST)),
                tasks,
                steps,
                ConfirmationHistory(*counts),
                tuple([row[-2:] for row in rows if row[-1] is not None]),
            )
        return found

    def _save(self, connection: sqlite3.Connection, known: Learned) -> None:
        history, key = known.confirmations, (self.rule.name, known.intent_type)
        counts = (history.approved, history.edited, history.declined, history.confirmed, history.skipped)
        seen = (known.last_seen - EPOCH) // MICROSECOND
        connection.execute(_WRITE, (*key, seen, known.tasks, known.steps, *counts))
        connection.execute(_DELETE_PACKAGES, key)
        connection.executemany(_WRITE_PACKAGE, [(*key, *package) for package in known.packages])


def _instant(now: datetime) -> datetime:
    require_instant(now, "now")
    return now.astimezone(UTC)
