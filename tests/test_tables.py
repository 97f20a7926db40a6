"""A new kind, resolver, importer, benchmark, metric or notebook is one new file and one line in a visible table."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

HELPERS = {
    "kinds": "base",
    "resolve": "__main__ base changes scoring times",
    "importers": ("android_events base components content dump places recurrence report rules series source xml zones"),
    "benchmarks": "about base labels moments",
    "evaluate/metrics": "",
}
"""Modules of each folder that are no entry of its table, but serve those that are."""

TABLES = {
    "kinds": "KINDS",
    "resolve": "RESOLVERS",
    "importers": "IMPORTERS",
    "benchmarks": "BENCHMARKS",
    "evaluate/metrics": "METRICS",
}


def entries(folder: str, table: str) -> set[str]:
    """The modules of a package that its table is made of, whether they are named there or something of theirs."""
    package = "starebrain." + folder.replace("/", ".")
    origins: dict[str, str] = {}
    values: dict[str, ast.expr] = {}
    for node in ast.parse((ROOT / "starebrain" / folder / "__init__.py").read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.module == package:
            origins |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(f"{package}."):
            module = node.module.removeprefix(f"{package}.")
            origins |= {alias.asname or alias.name: module for alias in node.names}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            values[node.target.id] = node.value
        elif isinstance(node, ast.Assign):
            values |= {target.id: node.value for target in node.targets if isinstance(target, ast.Name)}
    found, pending = set(), [values[table]]
    while pending:
        for name in (node.id for node in ast.walk(pending.pop()) if isinstance(node, ast.Name)):
            if name in origins:
                found.add(origins[name])
            elif name in values:
                pending.append(values[name])
    return found


def modules(folder: str) -> set[str]:
    return {path.stem for path in (ROOT / "starebrain" / folder).glob("*.py")} - {"__init__"}


@pytest.mark.parametrize("folder", TABLES)
def test_every_file_is_in_the_table_of_its_folder(folder: str) -> None:
    helpers = set(HELPERS[folder].split())
    assert entries(folder, TABLES[folder]) == modules(folder) - helpers
    assert helpers <= modules(folder), "a helper that is gone"


def test_every_notebook_is_in_the_table_of_the_report() -> None:
    from starebrain.report.profiles import NOTEBOOKS

    assert [n.name for n in NOTEBOOKS] == sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))


def test_names_in_a_table_are_those_of_its_entries() -> None:
    from starebrain.benchmarks import BENCHMARKS
    from starebrain.evaluate.metrics import METRICS
    from starebrain.importers import IMPORTERS
    from starebrain.kinds import KINDS
    from starebrain.resolve import RESOLVERS

    for table in (KINDS, RESOLVERS, IMPORTERS, BENCHMARKS, METRICS):
        assert table
        assert all(entry.name == name for name, entry in table.items())  # type: ignore[attr-defined]
