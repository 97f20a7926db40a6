"""What the README and CONTRIBUTING say can be done, can be done."""

from __future__ import annotations

import json
import re
import shlex
from base64 import b64decode
from pathlib import Path
from typing import Any

import click
import pytest

from starebrain.cli import main
from starebrain.resolution import ContactValue

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()
TEXT = README + (ROOT / "CONTRIBUTING.md").read_text()
LINES = [
    line for block in re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL) for line in block.replace("\\\n", "").split("\n")
]
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def test_every_make_target_that_is_named_is_there() -> None:
    named = set(re.findall(r"(?:^|`)make ([a-z]+)", TEXT, re.MULTILINE))
    assert {"report", "test", "lab", "reference"} <= named <= TARGETS


def test_every_make_target_says_what_it_is_for() -> None:
    described = set(re.findall(r"^([a-z]+):.*## \S", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert described >= TARGETS - {"style", "types", "contract"}


@pytest.mark.parametrize("line", [line for line in LINES if line.startswith("starebrain ")])
def test_every_command_that_is_shown_is_understood(line: str) -> None:
    _, name, *arguments = shlex.split(line)
    command = main.commands[name]
    while isinstance(command, click.Group):
        command = command.commands[arguments.pop(0)]
    command.make_context(name, arguments, resilient_parsing=False)


def test_every_command_that_is_mentioned_is_there() -> None:
    mentioned = set(re.findall(r"`starebrain ([a-z]+)", TEXT))
    assert {"benchmark"} <= mentioned <= set(main.commands)


def test_every_file_that_is_linked_or_named_is_there() -> None:
    linked = set(re.findall(r"\]\(([^)#]+)\)", TEXT))
    named = set(re.findall(r"`((?:starebrain|tests|notebooks|datasets|reports)/[\w./]+)`", TEXT))
    assert len(linked) >= 3
    named -= {name for name in named if "NAME" in name or "NN_" in name or "latest" in name}
    assert [name for name in sorted(linked | named) if not (ROOT / name).exists()] == []


def test_the_python_that_is_shown_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device = {
        "captured_at": "2026-11-05T09:30:00Z",
        "timezone": "UTC",
        "contacts": [{"contact_id": "c-1", "display_name": "Mom"}, {"contact_id": "c-2", "display_name": "Alex"}],
    }
    (tmp_path / "phone.json").write_text(json.dumps(device))
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for program in re.findall(r"```python\n(.*?)```", README, re.DOTALL):
        exec(program, names)
        assert names["context"].auto_filled_parameters == {"who": ContactValue("c-1", "Mom")}
    assert names["outcome"].observation.values == {"who": ContactValue("c-1", "Mom")}
    assert names["context"].known_pattern.intent_type == "send_message"


def test_the_picture_is_that_of_the_reference_report() -> None:
    """`make reference` draws both."""
    notebook = json.loads((ROOT / "reports/reference/01_confidence_tiers.ipynb").read_text())
    shown = [o["data"] for cell in notebook["cells"] for o in cell.get("outputs", ()) if "data" in o]
    first = next(data["image/png"] for data in shown if "image/png" in data)
    assert (ROOT / "reports/report.png").read_bytes() == b64decode("".join(first))
