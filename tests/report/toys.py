"""Toy notebooks for tests, and texts that mean harm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=http://evil.example/x.png onerror=alert(1)>",
    "</pre></details></style><svg onload=alert(1)>",
    "{{ 7 * 7 }}{% raw %}",
    "\u202eevil\u202c \u200b\u2066x\u2069",
    "bell \x07 null \x00 escape \x1b[31m \x9b31m",
    "'\" onmouseover='alert(1)' x=\"",
    "@import 'http://evil.example/a.css'; url(http://evil.example/b)",
    "[link](javascript:alert(1)) <http://evil.example/c>",
    "x" * 10_000,
    "\ud800 unpaired",
)


def notebook(*cells: str) -> Any:
    """A notebook of cells: those that begin with ``#md`` are text, one that begins with ``# parameters`` is tagged."""
    made = []
    for source in cells:
        if source.startswith("#md "):
            made.append(new_markdown_cell(source.removeprefix("#md ")))
        else:
            made.append(new_code_cell(source))
            if source.startswith("# parameters"):
                made[-1].metadata["tags"] = ["parameters"]
    return new_notebook(cells=made, metadata=METADATA)


def written(path: Path, *cells: str) -> Path:
    """The path of such a notebook as a file."""
    nbformat.write(notebook(*cells), path)
    return path
