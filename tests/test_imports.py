from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache", "--no-logo"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package and its contract that a test may break."""
    shutil.copytree(ROOT / "starebrain", tmp_path / "starebrain", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_contract_is_kept(copy: Path) -> None:
    done = lint(copy)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("module", "line", "said"),
    [
        ("errors", "import starebrain.device", "Imports point one way BROKEN"),
        ("kinds/contact", "import starebrain.resolve", "Imports point one way BROKEN"),
        ("resolve/base", "import starebrain.dataset", "imports dataset, simulate or benchmarks BROKEN"),
        (
            "dataset",
            "def late():\n    import starebrain.matching.text",
            "knows nothing of how hints are matched BROKEN",
        ),
        ("agent/context", "def late():\n    import pandas", "The resolver alone installs light BROKEN"),
        ("unplaced", "", "not listed as layers: - starebrain.unplaced"),
    ],
)
def test_the_contract_breaks_where_it_is_broken(copy: Path, module: str, line: str, said: str) -> None:
    with open(copy / "starebrain" / f"{module}.py", "a") as f:
        f.write(f"\n{line}\n")
    done = lint(copy)
    assert done.returncode == 1
    assert said in " ".join(done.stdout.split()), done.stdout
