from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from starebrain import __version__, formats
from starebrain.agent import build_agent_context
from starebrain.cli import main
from starebrain.errors import printable
from starebrain.explain import WIDTH, clip, table
from starebrain.intent import ActionIntent, Parameter, ParameterKind
from starebrain.resolve import RESOLVERS
from tests import strategies
from tests.strategies import HOSTILE

DEVICE = {
    "captured_at": "2026-11-05T09:30:00-05:00",
    "timezone": "America/New_York",
    "contacts": [
        {"contact_id": "c-1", "display_name": "Mom"},
        {"contact_id": "c-2", "display_name": "Alex Ash"},
        {"contact_id": "c-3", "display_name": "Alex Birch"},
    ],
    "saved_locations": [{"location_id": "l-1", "label": "Gym", "address": "7 Canal St"}],
    "upcoming_events": [
        {
            "event_id": "e-1",
            "title": "Standup",
            "start_time": "2026-11-06T10:00:00-05:00",
            "end_time": "2026-11-06T15:15:00Z",
        }
    ],
}


@pytest.fixture
def device(tmp_path: Path) -> Path:
    path = tmp_path / "device.json"
    path.write_text(json.dumps(DEVICE))
    return path


@pytest.fixture
def intents(tmp_path: Path) -> Callable[..., Path]:
    def write(*records: dict[str, Any] | str) -> Path:
        path = tmp_path / "intents.jsonl"
        path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in records))
        return path

    return write


def intent(intent_id: str, **hints: str | None) -> dict[str, Any]:
    parameters = [{"name": kind, "kind": kind, "hint": hint} for kind, hint in hints.items()]
    return {"intent_id": intent_id, "action": "create_event", "required_parameters": parameters}


def run(*arguments: Any) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


def failure(*arguments: Any) -> str:
    """The one line of a command that must fail with status 2 and print nothing else."""
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr.rstrip("\n")


def test_a_hint_is_answered_with_tier_value_runners_up_and_why(device: Path) -> None:
    result = run("resolve", "alex", "--kind", "contact", "--device", device, "--resolver", "article")
    assert result.exit_code == 0
    assert result.stdout == (
        "contact (contact): “alex”\n"
        "  MEDIUM       Alex Ash  [c-2]  from recent_contacts\n"
        "  why           +0.00 bits  contains  the first of 2\n"
        "  or           Alex Birch  [c-3]\n"
    )


def test_intents_are_answered_line_by_line_in_their_order(device: Path, intents: Callable[..., Path]) -> None:
    path = intents(intent("i-2", contact="mom", location="pool"), "", intent("i-1", time_slot="standup"), intent("i-3"))
    result = run("resolve", "--device", device, "--intents", path, "--resolver", "article", "--json")
    assert result.exit_code == 0
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["intent_id"] for line in lines] == ["i-2", "i-1", "i-3"]
    assert lines[0] == {
        "intent_id": "i-2",
        "action": "create_event",
        "captured_at": "2026-11-05T09:30:00-05:00",
        "resolved_parameters": {
            "contact": {
                "kind": "contact",
                "value": {"contact_id": "c-1", "display_name": "Mom"},
                "confidence": "HIGH",
                "source": "recent_contacts",
                "probability": None,
                "alternatives": [],
                "evidence": [{"name": "equals", "bits": 0.0, "detail": "the first of 1"}],
                "caps": [],
                "warnings": [],
            },
            "location": {
                "kind": "location",
                "value": None,
                "confidence": "UNRESOLVABLE",
                "source": "user_provided",
                "probability": None,
                "alternatives": [],
                "evidence": [],
                "caps": [],
                "warnings": [],
            },
        },
        "pending_parameters": ["location"],
        "suggested_parameters": [],
        "auto_filled_parameters": ["contact"],
    }
    assert lines[1]["resolved_parameters"]["time_slot"]["value"] == {
        "start": "2026-11-06T10:00:00-05:00",
        "end": "2026-11-06T10:15:00-05:00",
        "grain": "minute",
        "event_id": "e-1",
    }
    for line in result.stdout.splitlines():
        formats.parse_resolution(line)


@pytest.mark.parametrize("resolver", sorted(RESOLVERS))
def test_every_resolver_can_be_named(resolver: str, device: Path) -> None:
    result = run("resolve", "mom", "--kind", "contact", "--device", device, "--resolver", resolver, "--json")
    assert result.exit_code == 0
    assert len(formats.parse_resolution(result.stdout).resolved_parameters) == 1


def test_an_unknown_resolver_is_answered_with_those_there_are(device: Path) -> None:
    message = failure("resolve", "mom", "--kind", "contact", "--device", device, "--resolver", "gut")
    assert message == f"starebrain: there is no resolver 'gut'. Choose one of {', '.join(RESOLVERS)}."


@pytest.mark.parametrize(
    "arguments",
    [[], ["mom"], ["--kind", "contact"], ["mom", "--kind", "contact", "--intents", "x"], ["mom", "--intents", "x"]],
)
def test_a_hint_comes_with_its_kind_or_intents_come_alone(device: Path, arguments: list[str]) -> None:
    message = failure("resolve", *arguments, "--device", device)
    assert message == "starebrain: resolve: give either HINT with --kind, or --intents"


def test_a_fault_in_a_late_line_leaves_nothing_half_written(device: Path, intents: Callable[..., Path]) -> None:
    path = intents(intent("i-1", contact="mom"), intent("i-2"), intent("i-3") | {"actoin": 1})
    message = failure("resolve", "--device", device, "--intents", path, "--json")
    assert message == f"starebrain: {path}: line 3: intent.actoin: unknown field. See `starebrain schema intent`."


def test_a_fault_in_the_phone_names_its_place(device: Path) -> None:
    device.write_text(json.dumps(DEVICE | {"contacts": [{"contact_id": "c", "nick_name": "x"}]}))
    message = failure("resolve", "mom", "--kind", "contact", "--device", device)
    assert message == (
        f"starebrain: {device}: device.contacts[0].nick_name: unknown field. See `starebrain schema device`."
    )


def test_a_phone_that_is_not_there_is_named(tmp_path: Path) -> None:
    message = failure("resolve", "mom", "--kind", "contact", "--device", tmp_path / "none.json")
    assert message == f"starebrain: {tmp_path / 'none.json'}: there is no such file. Check the path."


def test_a_full_disk_is_one_line_and_no_traceback(device: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    command = [sys.executable, "-m", "starebrain", "resolve", "mom", "--kind", "contact", "--device", str(device)]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.stderr == "starebrain: No space left on device\n"
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [(["evaluate", "datasets/quick"], "pandas"), (["report", "--out", "out"], "nbformat")],
)
def test_a_light_install_says_what_a_command_of_the_workbench_needs(arguments: list[str], missing: str) -> None:
    program = f"import sys; sys.modules[{missing!r}] = None; from starebrain.cli import main; main({arguments})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stderr == f"starebrain: {missing} is not installed. pip install 'starebrain[workbench]'\n"
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize("name", ["device", "intent", "resolution"])
def test_schemas_are_printed(name: str) -> None:
    result = run("schema", name)
    assert result.exit_code == 0
    assert json.loads(result.stdout) == formats.schema(name)


def test_the_version_is_that_of_the_package() -> None:
    assert run("--version").stdout == f"starebrain, version {__version__}\n"


class TestHostileText:
    """What a phone says is data: it shows as text, on its line, at a readable length."""

    @pytest.mark.parametrize("text", HOSTILE)
    @pytest.mark.parametrize("as_json", [False, True])
    def test_names_hints_and_ids_show_as_text(self, text: str, as_json: bool, tmp_path: Path) -> None:
        device = tmp_path / "device.json"
        contact = {"contact_id": text, "display_name": text}
        device.write_text(json.dumps(DEVICE | {"contacts": [contact]}))
        arguments = ["resolve", text, "--kind", "contact", "--device", device, "--resolver", "fill_all"]
        result = run(*arguments, *["--json"] * as_json)
        assert result.exit_code == 0, result.output
        if as_json:
            assert result.stdout.isascii()
            assert len(result.stdout.splitlines()) == 1
            value = json.loads(result.stdout)["resolved_parameters"]["contact"]["value"]
            assert value == contact
        else:
            lines = result.stdout.split("\n")
            assert len(lines) == 4
            assert lines[3] == ""
            assert all(printable(line) == line for line in lines)
            assert f"“{clip(text)}”" in lines[0]
            assert f"{clip(text)}  [{clip(text)}]" in lines[1]
            assert max(map(len, lines)) < 3 * WIDTH

    @pytest.mark.parametrize("text", HOSTILE)
    def test_a_name_in_an_error_shows_as_text(self, text: str, tmp_path: Path) -> None:
        device = tmp_path / "device.json"
        device.write_text(json.dumps(DEVICE | {text: 1}))
        message = failure("resolve", "mom", "--kind", "contact", "--device", device)
        assert printable(message) == message
        assert message.endswith("unknown field. See `starebrain schema device`.")
        assert len(message) < 2500

    @pytest.mark.parametrize("as_json", [False, True])
    def test_bytes_that_are_no_text_on_the_command_line_do_not_break_it(self, as_json: bool, device: Path) -> None:
        command = [sys.executable, "-m", "starebrain", "resolve", b"mom\xff", "--kind", "contact", "--device", device]
        done = subprocess.run([*command, *["--json"] * as_json], capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode().count("\n") >= 1

    @given(st.sampled_from(sorted(RESOLVERS)), strategies.devices(), strategies.intents)
    def test_the_table_is_plain_lines_whatever_the_phone_says(
        self, resolver: str, device: formats.DeviceContext, asked: ActionIntent
    ) -> None:
        text = table(build_agent_context(asked, device, RESOLVERS[resolver]))
        assert all(printable(line) == line for line in text.split("\n"))
        assert text.count("\n\n") == max(0, len(asked.required_parameters) - 1)

    def test_what_has_no_name_is_said_to_have_none(self) -> None:
        nameless = {
            "contacts": [{"contact_id": "it"}],
            "saved_locations": [{"location_id": "it"}],
            "calendars": [{"calendar_id": "it"}],
        }
        device = formats.parse_device(json.dumps(DEVICE | nameless))
        for kind in (ParameterKind.CONTACT, ParameterKind.LOCATION, ParameterKind.CALENDAR):
            asked = ActionIntent("i", "call", None, (Parameter("it", kind, "x"),))
            assert "(no name)  [it]" in table(build_agent_context(asked, device, RESOLVERS["fill_all"]))
