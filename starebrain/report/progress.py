"""How far a report is: bars on a terminal, a line where a part has ended elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from starebrain.report.notebooks import Tell


@contextmanager
def progress(stream: TextIO) -> Iterator[Tell]:
    """A function to tell of progress with, shown on `stream` while the context lasts."""
    if not stream.isatty():
        yield lambda name, done, steps: print(f"{name}: done", file=stream, flush=True) if done == steps else None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=Console(file=stream)) as bars:

        def tell(name: str, done: int, steps: int) -> None:
            if name not in tasks:
                tasks[name] = bars.add_task(name, total=steps)
            bars.update(tasks[name], completed=done, total=steps)

        yield tell
