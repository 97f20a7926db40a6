"""An evaluation as files: every answer, the figures, and what they were made from."""

from __future__ import annotations

import hashlib
import json
import math
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd

from starebrain.errors import InvalidInput
from starebrain.evaluate.intervals import LEVEL, REPLICATES, SEED, Estimate
from starebrain.evaluate.metrics import METRICS
from starebrain.evaluate.sources import Opened
from starebrain.formats import read_bytes

RESULTS, FIGURES, PROVENANCE = FILES = ("results.parquet", "metrics.json", "provenance.json")
FORMAT = "starebrain.metrics/1"
PACKAGES = ("starebrain", "numpy", "pandas", "rapidfuzz", "scipy")
DIGITS = 6
"""Decimals of figures, so that processors agree on the bytes."""


def write(
    folder: str | Path,
    frame: pd.DataFrame,
    estimates: pd.DataFrame,
    opened: Sequence[Opened],
    split: str | None = None,
    **facts: Any,
) -> None:
    """Write `FILES` to `folder`, all or none; the same inputs give the same bytes.

    `facts` go into the provenance. A folder is replaced only where an evaluation wrote all that is in it, else
    `InvalidInput`.
    """
    folder = Path(folder).absolute()
    _check(folder)
    inputs = {one.source.name: one.sha256(split) for one in opened}
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as neighbour:
            whole = Path(neighbour) / "whole"
            whole.mkdir()
            frame.to_parquet(whole / RESULTS, index=False)
            (whole / FIGURES).write_text(figures_json(estimates, inputs), "utf-8")
            (whole / PROVENANCE).write_text(_json(provenance(opened, split=split, **facts)), "utf-8")
            if folder.exists():
                os.replace(folder, Path(neighbour) / "old")
            os.replace(whole, folder)
    except OSError as error:
        raise InvalidInput(f"the folder cannot be written ({error.strerror})", file=folder) from None


def figures_json(estimates: pd.DataFrame, sources: Mapping[str, str]) -> str:
    """Estimates as the text of ``metrics.json``, in the format of a report's: one figure a line, keys sorted.

    `sources` has the SHA-256 of each source (`Opened.sha256`). Floats are rounded to six digits; no data is null. Which
    way is better is said by `METRICS`, or by a column `better` for metrics that are not in that table.
    """
    names = [field.name for field in fields(Estimate)]
    rows = estimates.sort_values(["source", "metric", "resolver", "cut"], kind="stable")[names].to_dict("records")
    lines = ",\n  ".join(json.dumps({str(k): _rounded(v) for k, v in row.items()}, sort_keys=True) for row in rows)
    better = {name: metric.better for name, metric in METRICS.items()}
    if "better" in estimates:
        said = estimates.dropna(subset="better")
        better |= dict(zip(said["metric"], said["better"], strict=True))
    head = _json({"format": FORMAT, "better": better, "sources": dict(sources)}).removesuffix("\n}\n")
    return f'{head},\n "figures": [\n  {lines}\n ]\n}}\n'


def provenance(opened: Sequence[Opened], **facts: Any) -> dict[str, Any]:
    """What an evaluation was made from: sources, checksums, doubts, versions, how intervals were drawn."""
    sources = {o.source.name: {"files": dict(o.sums), "doubts": list(o.doubts)} for o in opened}
    intervals = {"level": LEVEL, "replicates": REPLICATES, "seed": SEED}
    versions = {name: version(name) for name in PACKAGES}
    return {"sources": sources, "intervals": intervals, "versions": versions, **facts}


def sha256(path: str | Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(read_bytes(path)).hexdigest()


def _check(folder: Path) -> None:
    if not os.path.lexists(folder):
        return
    if not folder.is_dir() or folder.is_symlink():
        raise InvalidInput("this is not a folder", file=folder, remedy="Choose another name.")
    strange = sorted(path.name for path in folder.iterdir() if path.name not in FILES)
    if strange:
        fact = f"the folder holds {strange[0]!r}, which no evaluation wrote"
        raise InvalidInput(fact, file=folder, remedy="Choose another folder: it is replaced whole.")


def _json(facts: Mapping[str, Any]) -> str:
    return json.dumps(facts, indent=1, sort_keys=True) + "\n"


def _rounded(value: Any) -> Any:
    """Numbers at six decimals, whole ones without; NaN as null; anything else as it is."""
    if isinstance(value, str) or value is None:
        return value
    if math.isnan(value):
        return None
    number = round(float(value), DIGITS)
    return int(number) if number.is_integer() else number
