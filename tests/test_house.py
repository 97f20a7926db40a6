from __future__ import annotations

import ast
import fnmatch
import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PROJECT["project"]["optional-dependencies"]
PINS = dict(
    line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")
)
HEAVY = {
    "pandas",
    "matplotlib",
    "faker",
    "papermill",
    "scipy",
    "pyarrow",
    "icalendar",
    "vobject",
    "jupyter_core",
    "rich",
}


def tracked() -> list[Path]:
    """Every file under version control that is there."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is no git checkout")
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


def test_no_file_names_a_package_registry() -> None:
    hosts = re.compile(r"pypi\.(?:org|io)|pythonhosted\.org|npmjs\.(?:org|com)|deb\.debian\.org|conda\.anaconda\.org")
    assert [str(path) for path in tracked() if hosts.search(text_of(path))] == []


def test_no_file_holds_a_path_of_the_machine_it_was_written_on() -> None:
    places = re.compile(rf"(?<![\w./$}}])(?:/(?:work|root)/|{re.escape(str(Path.home()))}/|{re.escape(str(ROOT))})")
    assert [str(path) for path in tracked() if places.search(text_of(path))] == []


def test_constraints_are_exact_and_hold_no_address() -> None:
    assert len(PINS) > 100
    for name, pin in PINS.items():
        assert re.fullmatch(r"[A-Za-z0-9._-]+", name), name
        assert re.fullmatch(r"[0-9][A-Za-z0-9.+!]*", pin), pin


def test_every_dependency_of_workbench_and_tests_is_pinned_within_its_bounds() -> None:
    pins = {canonicalize_name(name): pin for name, pin in PINS.items()}
    for line in [*PROJECT["project"]["dependencies"], *EXTRAS["workbench"], *EXTRAS["dev"]]:
        wanted = Requirement(line)
        assert wanted.specifier.contains(pins[canonicalize_name(wanted.name)], prereleases=True), line


def test_faker_is_pinned_exactly_since_its_names_change_with_patches() -> None:
    assert any(re.fullmatch(r"faker==[0-9.]+", line) for line in EXTRAS["workbench"])


def imports_of(path: Path) -> set[str]:
    """Top-level names that a module imports from outside, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found - set(sys.stdlib_module_names) - {"starebrain"}


def names(*lines: str) -> set[str]:
    """The names of required distributions."""
    return {canonicalize_name(Requirement(line).name) for line in lines}


def brought_by(module: str) -> set[str]:
    """The distributions that a top-level module may come from."""
    return {canonicalize_name(name) for name in DISTRIBUTIONS.get(module, [module])}


DISTRIBUTIONS = packages_distributions()
LIGHT_INSTALL = names(*PROJECT["project"]["dependencies"])
WORKBENCH = LIGHT_INSTALL | names(*EXTRAS["workbench"])


def test_every_import_is_a_declared_dependency_and_light_ones_come_with_the_light_install() -> None:
    undeclared = [
        f"{path.relative_to(ROOT)}: {module}"
        for path in sorted((ROOT / "starebrain").rglob("*.py"))
        for module in imports_of(path) - PART_OF
        if not brought_by(module)
        & (LIGHT_INSTALL if path.relative_to(ROOT / "starebrain").parts[0] in LIGHT else WORKBENCH)
    ]
    undeclared += [
        f"{path.relative_to(ROOT)}: {module}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for module in imports_of(path) - PART_OF - {"tests"}
        if not brought_by(module) & (WORKBENCH | names(*EXTRAS["dev"]))
    ]
    assert undeclared == []


def test_every_dependency_is_imported_or_has_a_reason() -> None:
    imported = {
        name for path in (ROOT / "starebrain").rglob("*.py") for m in imports_of(path) for name in brought_by(m)
    }
    assert WORKBENCH - imported == set(NOT_IMPORTED)


NOT_IMPORTED = {
    "chrono-python": "one of its languages is imported by name",
    "ipykernel": "papermill runs notebooks with it",
    "jupyterlab": "`make lab` opens it",
    "tzdata": "zoneinfo reads it where the system has no zones",
}

PART_OF = {"pydantic_core", "ms_recognizers_text"}
"""Come with a dependency that is declared, and belong to it."""

LIGHT = {
    *("errors.py", "device.py", "intent.py", "resolution.py", "recall.py", "formats.py", "explain.py"),
    *("matching", "kinds", "resolve", "memory", "agent"),
}
"""What an agent carries."""


def test_the_installed_package_carries_every_data_file() -> None:
    patterns = PROJECT["tool"]["setuptools"]["package-data"]["starebrain"]
    data = [
        path.relative_to(ROOT / "starebrain").as_posix()
        for path in tracked()
        if path.is_relative_to(ROOT / "starebrain") and path.suffix != ".py"
    ]
    assert "py.typed" in data
    assert [
        name for name in data if not any(fnmatch.fnmatch(f"/{name}", f"*/{p.rpartition('/')[2]}") for p in patterns)
    ] == []


def test_every_folder_with_modules_is_a_package() -> None:
    folders = {path.parent for path in tracked() if path.suffix == ".py" and path.is_relative_to(ROOT / "starebrain")}
    assert [str(folder) for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


def test_notebooks_carry_no_outputs_and_one_cell_of_parameters() -> None:
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        cells = json.loads(path.read_text())["cells"]
        assert all(not c.get("outputs") and c.get("execution_count") is None for c in cells), path
        assert sum("parameters" in c["metadata"].get("tags", ()) for c in cells) == 1, path


def imported_by(program: str) -> set[str]:
    """Top-level modules that are loaded after a Python program ran."""
    tail = "\nimport sys; print('\\n' + ' '.join(sorted({name.partition('.')[0] for name in sys.modules})))"
    done = subprocess.run([sys.executable, "-c", program + tail], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_help_imports_nothing_heavy() -> None:
    program = "from starebrain.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass"
    loaded = imported_by(program)
    assert {"click", "starebrain"} <= loaded
    assert loaded & (HEAVY | {"pydantic", "numpy", "rapidfuzz"}) == set()


def test_importing_the_package_costs_nothing() -> None:
    assert imported_by("import starebrain") & (HEAVY | {"click", "pydantic", "numpy", "rapidfuzz"}) == set()


def test_the_resolver_imports_nothing_of_the_workbench() -> None:
    program = "import starebrain\nfor name in starebrain.__all__: getattr(starebrain, name)"
    loaded = imported_by(program)
    assert {"pydantic", "rapidfuzz", "numba"} <= loaded
    assert loaded & HEAVY <= {"scipy"}  # where it is installed, numba looks for its BLAS


def test_every_public_name_is_there_and_unknown_ones_are_not() -> None:
    import starebrain

    assert all(getattr(starebrain, name) for name in starebrain.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = starebrain.nothing


def test_the_version_is_that_of_the_installation() -> None:
    import starebrain

    assert version("starebrain") == starebrain.__version__
