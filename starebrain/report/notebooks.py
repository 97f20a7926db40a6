"""The one place that knows papermill: notebooks run strictly, side by side, and come back without traces of the run."""

from __future__ import annotations

import multiprocessing
import os
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from copy import deepcopy
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import nbformat
import papermill  # type: ignore[import-untyped]
from papermill.engines import NBClientEngine, papermill_engines  # type: ignore[import-untyped]
from papermill.exceptions import PapermillExecutionError  # type: ignore[import-untyped]
from traitlets.config import Config

from starebrain.errors import InvalidInput, StarebrainError

KERNEL = "python3"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": KERNEL},
    "language_info": {"name": "python"},
}
"""Metadata of every executed notebook."""
SETTINGS = Config({"KernelManager": {"transport_encryption": "auto"}})
"""What passes between notebook and kernel may be text from a phone: other users of the machine cannot listen."""
KEPT = frozenset({"tags", "name"})
"""Metadata of a cell that comes from its author; the rest (times, widgets, folds of an editor) is dropped."""

Tell = Callable[[str, int, int], None]
"""`tell(notebook, done, cells)` is called as cells end."""


@dataclass(frozen=True, slots=True)
class Run:
    """One notebook to run: where it is, what it is given, where the executed one goes.

    `environment` is added to that of this process.
    """

    source: Path
    parameters: Mapping[str, Any]
    target: Path
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong in a notebook; `place` names the cell as its author counts, from 1, where one raised."""

    notebook: str
    place: str | None
    message: str


def declared(notebook: Path) -> tuple[str, ...]:
    """The names in the notebook's parameters cell; `InvalidInput` where the file is no notebook."""
    plain = str(notebook).replace("{", "{{").replace("}", "}}")  # papermill formats paths with parameters
    try:
        return tuple(papermill.inspect_notebook(plain))
    except Exception as error:
        raise InvalidInput(f"no notebook can be read here: {_one_line(error)}", file=notebook) from error


def check_parameters(notebook: Path, parameters: Mapping[str, Any]) -> None:
    """Raise `InvalidInput` for a parameter that the notebook does not declare, naming the nearest that it does."""
    names = declared(notebook)
    for name in parameters:
        if name not in names:
            near = get_close_matches(name, names, n=1, cutoff=0.0)
            remedy = f"Did you mean {near[0]!r}? It takes {', '.join(names)}." if near else "It takes no parameters."
            raise InvalidInput(f"there is no parameter {name!r}", file=notebook.name, remedy=remedy)


def execute(runs: Sequence[Run], *, jobs: int, tell: Tell) -> None:
    """Run notebooks in up to `jobs` processes, each in the folder it lies in, and write each to its target.

    Parameters are checked before anything runs. Where notebooks fail, the others still run to their end, and then a
    `StarebrainError` names the first: notebook, cell and message.
    """
    for run in runs:
        check_parameters(run.source, run.parameters)
    context = multiprocessing.get_context("spawn")
    told = context.SimpleQueue()
    with ProcessPoolExecutor(max(1, min(jobs, len(runs))), context, _begin, (told,)) as pool:
        futures = [pool.submit(_execute, run) for run in runs]
        pending: set[Future[Failure | None]] = set(futures)
        while pending:
            _, pending = wait(pending, timeout=0.1, return_when=FIRST_COMPLETED)
            while not told.empty():
                tell(*told.get())
        failures = [failure for run, future in zip(runs, futures, strict=True) if (failure := _outcome(run, future))]
    if failures:
        first, *others = failures
        also = f"{', '.join(f.notebook for f in others)} failed as well. " if others else ""
        remedy = f"{also}Run it in JupyterLab (make lab) to see more."
        raise StarebrainError(first.message, file=first.notebook, place=first.place, remedy=remedy)


def normalised(notebook: Any) -> Any:
    """A copy of an executed notebook without what differs from run to run: times, random ids, state of widgets."""
    clean = deepcopy(notebook)
    clean.metadata = nbformat.from_dict(METADATA)
    for at, cell in enumerate(clean.cells, 1):
        cell.id = f"cell-{at}"
        cell.metadata = nbformat.from_dict({name: value for name, value in cell.metadata.items() if name in KEPT})
    return clean


_told: Any = None
"""In a process that runs notebooks: where it says which cells have ended."""


def _outcome(run: Run, future: Future[Failure | None]) -> Failure | None:
    try:
        return future.result()
    except BrokenProcessPool:
        return Failure(
            run.source.name, None, "the process that ran it was ended from outside, perhaps for want of memory"
        )


def _begin(told: Any) -> None:
    """Set up a process that runs notebooks."""
    global _told
    _told = told
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"  # of several kernels, that of this interpreter's environment
    papermill_engines.register("telling", Telling)


class Telling(NBClientEngine):
    """papermill's engine, which also says how far it is."""

    @classmethod
    def execute_managed_notebook(cls, nb_man: Any, kernel_name: str, title: str = "", **kwargs: Any) -> None:
        """See papermill; `title` is the name of the notebook."""
        complete = nb_man.cell_complete

        def cell_complete(cell: Any, cell_index: int = 0, **more: Any) -> None:
            complete(cell, cell_index=cell_index, **more)
            _told.put((title, cell_index + 1, len(nb_man.nb.cells)))

        nb_man.cell_complete = cell_complete
        super().execute_managed_notebook(nb_man, kernel_name, **kwargs)


def _execute(run: Run) -> Failure | None:
    """Run one notebook in this process."""
    title = run.source.name
    os.environ.update(run.environment)
    source = nbformat.read(run.source, as_version=4)
    try:
        executed = papermill.execute_notebook(
            source,
            None,
            dict(run.parameters),
            engine_name="telling",
            kernel_name=KERNEL,
            language="python",
            progress_bar=False,
            cwd=run.source.parent,
            title=title,
            coalesce_streams=True,
            config=SETTINGS,
        )
    except PapermillExecutionError as error:
        return Failure(title, _place(source, run, error.cell_index), f"{error.ename}: {_one_line(error.evalue)}")
    except Exception as error:
        return Failure(title, None, f"{type(error).__name__}: {_one_line(error)}")
    nbformat.write(normalised(executed), run.target)
    return None


def _place(source: Any, run: Run, index: int) -> str:
    """The cell at `index` of the notebook as executed, counted as in its source, with the line it begins with."""
    at = next((i for i, cell in enumerate(source.cells) if "parameters" in cell.metadata.get("tags", ())), -1)
    index -= bool(run.parameters) and index > at + 1
    return f"cell {index + 1} ({source.cells[index].source.strip().partition('\n')[0]})"


def _one_line(error: object) -> str:
    """The words of an error without colours and line breaks."""
    return " ".join(re.sub(r"\x1b\[[0-9;]*m", "", str(error)).split()) or "no message"
