"""What a report was made from: data, seed, heuristics, versions, commit."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import starebrain
from starebrain.dataset import Dataset
from starebrain.evaluate.intervals import LEVEL, REPLICATES, SEED
from starebrain.evaluate.output import sha256
from starebrain.report.profiles import Profile

PACKAGES = ("matplotlib", "numpy", "pandas", "rapidfuzz", "scipy")
"""Packages that decide figures and what pictures look like, besides our own."""
HEURISTICS = Path(starebrain.__file__).parent / "matching" / "default.toml"
NO_CHECKOUT = "not a git checkout"


def facts(profile: Profile, dataset: Dataset, root: Path, sources: Mapping[str, str]) -> dict[str, Any]:
    """Everything about a report that its figures depend on, as plain data.

    `root` is the checkout that the package is run from; `sources` have the SHA-256 of each source as in `metrics.json`.
    """
    return {
        "profile": profile.name,
        "about": profile.about,
        "dataset": {
            "name": dataset.name,
            "seed": dataset.manifest.seed,
            "phones": dict(dataset.manifest.counts),
            "versions": dict(dataset.manifest.versions),
        },
        "sources": dict(sources),
        "intervals": {"level": LEVEL, "replicates": REPLICATES, "seed": SEED},
        "heuristics": {"sha256": sha256(HEURISTICS)},
        "versions": {
            "starebrain": starebrain.__version__,
            "python": platform.python_version(),
            **{name: version(name) for name in PACKAGES},
        },
        "commit": commit(root),
    }


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
