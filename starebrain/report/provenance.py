"""What a report was made from: data, seed, heuristics, versions, commit."""

from __future__ import annotations

import hashlib
import platform
import subprocess
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from starebrain import __version__
from starebrain.dataset import MANIFEST, Dataset
from starebrain.report.profiles import Profile

PACKAGES = ("matplotlib", "numpy", "pandas", "rapidfuzz", "scipy")
"""Packages that decide figures and what pictures look like, besides our own."""
NO_CHECKOUT = "not a git checkout"


def facts(profile: Profile, dataset: Dataset, root: Path) -> dict[str, Any]:
    """Everything about a report that its figures depend on, as plain data; `root` is the checkout."""
    return {
        "profile": profile.name,
        "about": profile.about,
        "dataset": {
            "name": dataset.name,
            "sha256": sha256(dataset),
            "seed": dataset.manifest.seed,
            "phones": dict(dataset.manifest.counts),
            "versions": dict(dataset.manifest.versions),
        },
        "heuristics": {"sha256": _sha256(files("starebrain.matching").joinpath("default.toml").read_bytes())},
        "versions": {
            "starebrain": __version__,
            "python": platform.python_version(),
            **{name: version(name) for name in PACKAGES},
        },
        "commit": commit(root),
    }


def sha256(dataset: Dataset) -> str:
    """SHA-256 of a dataset's manifest, which holds that of every table."""
    return _sha256((dataset.path / MANIFEST).read_bytes())


def commit(root: Path) -> str:
    """The commit of the checkout at `root`, and whether files other than reports differ from it."""
    head = _git(root, "rev-parse", "HEAD")
    if not head or _git(root, "rev-parse", "--show-cdup") != "":
        return NO_CHECKOUT
    changed = _git(root, "status", "--porcelain", "--untracked-files=no", "--", ".", ":!reports")
    return f"{head} with changes" if changed else head


def _git(root: Path, *arguments: str) -> str | None:
    command = ["git", "-c", "core.fsmonitor=false", "-C", str(root), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
