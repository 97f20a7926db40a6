"""What other processes do with a memory file in tests; they are forked from a process that has loaded this module."""

from __future__ import annotations

import os
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

from starebrain.errors import InvalidInput
from starebrain.memory import ARTICLE, MemoryStore
from starebrain.recall import IntentType
from tests.memory.toys import NOW, step, task

SERVER = get_context("forkserver")
SERVER.set_forkserver_preload([__name__])
SKIPPED = task(step())
"""A task that adds one to the article's skip count."""


def write(path: Path, tasks: int) -> None:
    """Record and recall; damage ends the process with status 7."""
    with MemoryStore(path, ARTICLE, lambda message: os._exit(7)) as store:
        for _ in range(tasks):
            store.record(SKIPPED, NOW)
            assert store.recall(NOW).pattern(IntentType.SEND_MESSAGE) is not None


def open_damaged(path: Path, tell: Callable[[str], None]) -> None:
    """Open a file that is damaged."""
    MemoryStore(path, ARTICLE, tell).close()


def open_without_rights(folder: Path, tell: Callable[[str], None]) -> None:
    """Open three files of a folder in which nothing may be written, and tell why each one is refused."""
    if os.getuid() == 0:  # whom no mode holds back
        os.setuid(65534)
    for name in ("damaged", "sound", "missing"):
        try:
            MemoryStore(folder / name, ARTICLE, tell)
        except InvalidInput as error:
            tell(str(error))


def record_until_killed(path: Path, tell: Callable[[bytes], None]) -> None:
    """Say that it begins, then record tasks, and tell of each one after it is recorded."""
    tell(b"begin")
    with MemoryStore(path, ARTICLE, lambda message: tell(message.encode())) as store:
        while True:
            store.record(SKIPPED, NOW)
            tell(b".")
