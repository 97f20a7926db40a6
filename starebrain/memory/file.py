"""The file of a memory: made whole, opened checked, set aside where it is damaged, wiped of what was deleted."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from glob import escape
from pathlib import Path

from starebrain.errors import InvalidInput
from starebrain.memory.schema import APPLICATION_ID, MIGRATIONS

BUSY_SECONDS = 10.0
"""How long a process waits for another that is writing."""
DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
"""SQLite's codes for a file that is not what it should be; others (busy, full, read-only) pass or can be mended."""
TRIES = 3
"""How many damaged files are set aside in a row before it is the disk's fault."""
SIDE_FILES = ("-wal", "-shm")
"""What SQLite keeps beside a file while it is in use: the log, and its index."""


class _Damaged(Exception):
    """The file is not what it should be."""


class MemoryFile:
    """A checked SQLite file of mode 0600, in WAL mode, with secure deletion; one thread of one process uses it.

    A damaged file is moved aside, `tell` is told where, and an empty one takes its place. `InvalidInput` where the file
    is another program's, of a newer version, or cannot be used.
    """

    def __init__(self, path: Path, tell: Callable[[str], None]) -> None:
        self.path = Path(os.path.realpath(path))  # what SQLite keeps beside it lies beside what a link points to
        self._tell = tell
        self._opened_times = self._written = 0
        self._connection, self._identity = self._opened()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def version(self) -> tuple[int, int, int]:
        """What changes whenever the content may have changed: by this process, by another, by another file."""
        seen = self._run(lambda connection: _pragma(connection, "data_version"))
        return self._opened_times, self._written, seen

    def read[T](self, query: Callable[[sqlite3.Connection], T]) -> T:
        """What a single statement finds."""
        return self._run(query)

    def write[T](self, change: Callable[[sqlite3.Connection], T]) -> T:
        """Make a change whole or not at all, with nobody else writing."""
        self._written += 1
        return self._run(lambda connection: _whole(connection, change))

    def wipe(self) -> bool:
        """Rewrite the file without what was deleted and empty its log; False where another process prevents it."""

        def clear(connection: sqlite3.Connection) -> bool:
            try:
                connection.execute("VACUUM")
                busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except sqlite3.OperationalError as error:
                if _code(error) not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                    raise
                return False
            return not busy

        return self._run(clear)

    def _run[T](self, work: Callable[[sqlite3.Connection], T]) -> T:
        for _ in range(TRIES):
            if _identity(self.path) != self._identity:  # moved aside or deleted by somebody else
                self._reopen()
            try:
                return work(self._connection)
            except sqlite3.DatabaseError as error:
                if _code(error) not in DAMAGE:
                    raise self._refused(str(error)) from error
                self._connection.close()
                self._set_aside(self._identity, str(error))
        raise self._hopeless()

    def _reopen(self) -> None:
        self._connection.close()
        self._connection, self._identity = self._opened()

    def _opened(self) -> tuple[sqlite3.Connection, tuple[int, int] | None]:
        self._opened_times += 1
        for _ in range(TRIES):
            identity = self._made()
            try:
                return self._checked(), identity
            except _Damaged as error:
                self._set_aside(identity, str(error))
            except sqlite3.Error as error:
                raise self._refused(str(error)) from error
        raise self._hopeless()

    def _made(self) -> tuple[int, int] | None:
        """The identity of the file, which is made, whole, where there is none."""
        identity = _identity(self.path)
        if identity is not None:
            return identity
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with _locked(self.path.parent):
                if not self.path.exists():
                    for side in SIDE_FILES:  # of a file that was deleted: its log must not be played into the new one
                        Path(f"{self.path}{side}").unlink(missing_ok=True)
                    folder = Path(f"{self.path}-new")
                    shutil.rmtree(folder, ignore_errors=True)  # of a process that was killed
                    folder.mkdir(mode=0o700)
                    _make(folder / "whole")
                    (folder / "whole").rename(self.path)
                    shutil.rmtree(folder, ignore_errors=True)
        except OSError as error:
            raise self._refused(error.strerror) from error
        except sqlite3.Error as error:
            raise self._refused(str(error)) from error
        return _identity(self.path)

    def _checked(self) -> sqlite3.Connection:
        """A connection to a file that is a sound memory of this version; `_Damaged` where it is not sound."""
        connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            _prepare(connection)
            self._check(connection)
            self._close_to_others()
        except sqlite3.DatabaseError as error:
            connection.close()
            if _code(error) in DAMAGE:
                raise _Damaged(str(error)) from error
            raise
        except BaseException:
            connection.close()
            raise
        return connection

    def _check(self, connection: sqlite3.Connection) -> None:
        tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if not tables:
            raise _Damaged("it is empty")
        if _pragma(connection, "application_id") != APPLICATION_ID:
            raise InvalidInput("this is another program's file", file=self.path, remedy="Name another file.")
        version = _pragma(connection, "user_version")
        if version > len(MIGRATIONS):
            remedy = "Update starebrain, or name another file."
            raise InvalidInput("a newer starebrain wrote this memory", file=self.path, remedy=remedy)
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise _Damaged(found)
        if version < len(MIGRATIONS):
            _whole(connection, _migrate)

    def _close_to_others(self) -> None:
        try:
            for part in ("", *SIDE_FILES):
                with suppress(FileNotFoundError):
                    os.chmod(f"{self.path}{part}", 0o600)
        except OSError as error:
            raise self._refused(error.strerror) from error

    def _set_aside(self, damaged: tuple[int, int] | None, why: str) -> None:
        """Move the damaged file away, its log first, unless another process has done so."""
        try:
            with _locked(self.path.parent):
                if _identity(self.path) != damaged:
                    return
                at = 1
                while (aside := Path(f"{self.path}.damaged-{at}")).exists():
                    at += 1
                for side in (*SIDE_FILES, ""):
                    with suppress(FileNotFoundError):
                        os.rename(f"{self.path}{side}", f"{aside}{side}")
        except OSError as error:
            raise self._refused(f"it is damaged ({why}) and cannot be set aside ({error.strerror})") from error
        self._tell(f"{self.path}: the memory is damaged ({why}); it was set aside as {aside.name}, an empty one begins")

    def _hopeless(self) -> InvalidInput:
        return InvalidInput("the memory is damaged as soon as it is made", file=self.path, remedy="Check the disk.")

    def _refused(self, why: str | None) -> InvalidInput:
        remedy = "Check its disk and its rights."
        return InvalidInput(f"the memory cannot be used: {why}", file=self.path, remedy=remedy)


def set_aside(path: Path) -> list[Path]:
    """The damaged files that were set aside from `path` and are still there."""
    path = Path(os.path.realpath(path))
    return sorted(path.parent.glob(f"{escape(path.name)}.damaged-*[0-9]"))


def _make(path: Path) -> None:
    """A new file with every migration, its log played in."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        _whole(connection, _migrate)


def _prepare(connection: sqlite3.Connection) -> None:
    """What holds for a connection, not for a file."""
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA temp_store = MEMORY")  # or VACUUM would leave a copy on some other disk


def _migrate(connection: sqlite3.Connection) -> None:
    """Apply the migrations that the file does not have yet."""
    for at in range(_pragma(connection, "user_version"), len(MIGRATIONS)):
        for statement in MIGRATIONS[at][1]:
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def _whole[T](connection: sqlite3.Connection, change: Callable[[sqlite3.Connection], T]) -> T:
    connection.execute("BEGIN IMMEDIATE")
    try:
        made = change(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return made


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file is at `path` now: device and inode, None where there is none."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InvalidInput(f"the memory cannot be used: {error.strerror}", file=path, remedy="Name a file.") from error
    if not stat.S_ISREG(found.st_mode):
        raise InvalidInput("the memory cannot be used: it is no ordinary file", file=path, remedy="Name a file.")
    return found.st_dev, found.st_ino


def _code(error: sqlite3.Error) -> int | None:
    """SQLite's primary result code."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Alone in `folder` among the processes that make memory files or set them aside; a killed one lets go."""
    import fcntl  # where there is none, memory cannot be used, and all else can

    at = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(at, fcntl.LOCK_EX)
        yield
    finally:
        os.close(at)
