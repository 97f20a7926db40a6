"""The one place that knows papermill: notebooks run strictly, side by side, and come back without traces of the run."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from difflib import get_close_matches
from multiprocessing import connection
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
WIDGET = "application/vnd.jupyter.widget-view+json"
NOTE = "Here is a widget that answers in JupyterLab (make lab)."
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
    waiting, running, failed = list(runs), dict[Any, tuple[Run, Any]](), dict[str, Failure]()
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                run = waiting.pop(0)
                here, process = _started(run)
                running[here] = run, process
            for here in connection.wait(list(running)):
                run, process = running[here]
                said = _heard(here)
                if isinstance(said, tuple):
                    tell(run.source.name, *said)
                    continue
                if said is not None:
                    failed[run.source.name] = said
                del running[here]
                process.join()
    finally:
        for _, process in running.values():
            process.terminate()
    if failed:
        first, *others = (run.source.name for run in runs if run.source.name in failed)
        also = f"{', '.join(others)} failed as well. " if others else ""
        remedy = f"{also}Run it in JupyterLab (make lab) to see more."
        raise StarebrainError(failed[first].message, file=first, place=failed[first].place, remedy=remedy)


def normalised(notebook: Any) -> Any:
    """A copy of an executed notebook without what differs from run to run: times, random ids, widgets.

    In place of a widget stands its picture, where it has one, or a note.
    """
    clean = deepcopy(notebook)
    clean.metadata = nbformat.from_dict(METADATA)
    for at, cell in enumerate(clean.cells, 1):
        cell.id = f"cell-{at}"
        cell.metadata = nbformat.from_dict({name: value for name, value in cell.metadata.items() if name in KEPT})
        for output in cell.get("outputs", ()):
            if output.get("data", {}).pop(WIDGET, None) is not None:
                output.data["text/plain"] = NOTE
    return clean


def _started(run: Run) -> tuple[Any, Any]:
    """A process that runs a notebook, and where it says how far it is and at the end what failed."""
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe(duplex=False)
    process = spawn.Process(target=_run, args=(run, there), daemon=True)
    process.start()
    there.close()
    return here, process


def _heard(here: Any) -> tuple[int, int] | Failure | None:
    """The next word of a process: cells done of all, or its last: what failed, or None."""
    try:
        return here.recv()
    except EOFError:
        return Failure(None, "the process that ran it was ended from outside, perhaps for want of memory")


def _run(run: Run, there: Any) -> None:
    """Run one notebook in this process, which has nothing else to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one decides
    os.environ.update(run.environment)
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"  # of several kernels, that of this interpreter's environment
    papermill_engines.register("telling", Telling)
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
            tell=lambda *step: there.send(step),
            coalesce_streams=True,
            shutdown_kernel="immediate",
            config=SETTINGS,
        )
    except PapermillExecutionError as error:
        there.send(Failure(_place(source, run, error.cell_index), f"{error.ename}: {_one_line(error.evalue)}"))
    except Exception as error:
        there.send(Failure(None, f"{type(error).__name__}: {_one_line(error)}"))
    else:
        nbformat.write(normalised(executed), run.target)
        there.send(None)


class Telling(NBClientEngine):
    """papermill's engine, which also says how far it is."""

    @classmethod
    def execute_managed_notebook(cls, nb_man: Any, kernel_name: str, tell: Any = None, **kwargs: Any) -> None:
        """See papermill; `tell(done, cells)` is called as cells end."""
        complete = nb_man.cell_complete

        def cell_complete(cell: Any, cell_index: int = 0, **more: Any) -> None:
            complete(cell, cell_index=cell_index, **more)
            tell(cell_index + 1, len(nb_man.nb.cells))

        nb_man.cell_complete = cell_complete
        super().execute_managed_notebook(nb_man, kernel_name, **kwargs)


def _place(source: Any, run: Run, index: int) -> str:
    """The cell at `index` of the notebook as executed, counted as in its source, with the line it begins with."""
    at = next((i for i, cell in enumerate(source.cells) if "parameters" in cell.metadata.get("tags", ())), -1)
    index -= bool(run.parameters) and index > at + 1
    return f"cell {index + 1} ({source.cells[index].source.strip().partition('\n')[0]})"


def _one_line(error: object) -> str:
    """The words of an error without colours and line breaks."""
    return " ".join(re.sub(r"\x1b\[[0-9;]*m", "", str(error)).split()) or "no message"
