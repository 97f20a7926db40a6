from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from starebrain.cli import main
from starebrain.intent import Answer
from starebrain.memory import ARTICLE, MemoryStore
from starebrain.memory import file as file_module
from starebrain.memory.shown import default_path
from tests.memory.toys import SIGNAL, WHATSAPP, step, task


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A memory of thirteen tasks."""
    path, now = tmp_path / "memory.sqlite", datetime.now(UTC)
    with MemoryStore(path) as store:
        for _ in range(12):
            store.record(task(step(answer=Answer.APPROVED), step(), at=now), now)
        store.record(task(step(SIGNAL), description="call Anna Quarzel", at=now), now)
    return path


def run(*arguments: str | Path, **environment: str) -> Result:
    return CliRunner().invoke(main, ["memory", *map(str, arguments)], env=environment)


def test_show_shows_everything_in_one_screen(path: Path) -> None:
    shown = run("show", "--file", path)
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    assert lines[0] == "What the rule 'posterior' remembers; nothing else is stored."
    assert lines[1].split("  ")[0] == "intent type"
    assert [line.split()[0] for line in lines[2:]] == ["call", SIGNAL, "send_message", WHATSAPP]
    assert lines[5].endswith("(preferred)")
    assert lines[4].split()[-1] == "yes"
    assert lines[2].split()[-1] == "no"
    assert max(map(len, lines)) <= 110
    assert "Quarzel" not in shown.output


def test_export_is_everything_as_data(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    printed = run("export", "--file", path).stdout
    assert run("export", "--file", path, "--out", out).exit_code == 0
    assert out.read_text() == printed
    exported = json.loads(printed)
    assert exported["format"] == "starebrain.memory/1"
    assert [one["intent_type"] for one in exported["patterns"]] == ["call", "send_message"]
    assert [one["rule"] for one in exported["patterns"]] == ["posterior"] * 2
    assert exported["patterns"][0]["packages"] == [{"package": SIGNAL, "weight": 1.0}]


def test_forget_one_type_then_all(path: Path) -> None:
    assert run("forget", "--file", path, "--type", "call").stdout == "Forgot call.\n"
    assert run("forget", "--file", path).stdout == "Forgot send_message.\n"
    assert run("forget", "--file", path).stdout == "There was nothing to forget.\n"
    assert run("show", "--file", path).stdout == "Nothing is remembered.\n"
    assert WHATSAPP.encode() not in path.read_bytes()


def test_what_either_rule_learned_is_shown_and_forgotten(path: Path) -> None:
    now = datetime.now(UTC)
    with MemoryStore(path, ARTICLE) as store:
        store.record(task(at=now), now)
    assert "What the rule 'article' remembers" in run("show", "--file", path).stdout
    assert run("forget", "--file", path).stdout == "Forgot call, send_message.\n"


def test_both_rules_forget_even_while_another_program_keeps_traces(path: Path, monkeypatch) -> None:
    monkeypatch.setattr(file_module, "BUSY_SECONDS", 0.01)
    now = datetime.now(UTC)
    with MemoryStore(path, ARTICLE) as store:
        store.record(task(at=now), now)
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM patterns").fetchone()
    refused = run("forget", "--file", path)
    assert refused.exit_code == 2
    assert "another program keeps traces of it in the log. Forget again when" in refused.stderr
    reader.close()
    assert run("show", "--file", path).stdout == "Nothing is remembered.\n"


def test_forgetting_tells_of_damaged_files_that_may_hold_the_same(path: Path) -> None:
    aside = path.with_name("memory.sqlite.damaged-1")
    aside.write_bytes(path.read_bytes())
    path.with_name("memory.sqlite.damaged-1-wal").touch()
    forgot = run("forget", "--file", path)
    assert forgot.stdout == "Forgot call, send_message.\n"
    assert forgot.stderr.count("may hold what was forgotten; delete it if nobody needs it") == 1
    assert str(aside) in forgot.stderr
    assert aside.exists()


def test_what_has_expired_is_not_shown(tmp_path: Path) -> None:
    path, then = tmp_path / "memory.sqlite", datetime.now(UTC) - timedelta(days=31)
    with MemoryStore(path) as store:
        store.record(task(at=then), then)
    assert run("show", "--file", path).stdout == "Nothing is remembered.\n"


def test_a_memory_that_is_not_there_is_empty_and_is_not_made(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    assert run("show", STAREBRAIN_MEMORY=str(path)).stdout == "Nothing is remembered.\n"
    assert json.loads(run("export", "--file", path).stdout)["patterns"] == []
    assert run("forget", "--file", path).stdout == "There was nothing to forget.\n"
    assert not path.exists()


def test_the_place_of_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path() == tmp_path / "starebrain" / "memory.sqlite"
    monkeypatch.delenv("XDG_DATA_HOME")
    assert default_path() == Path.home() / ".local" / "share" / "starebrain" / "memory.sqlite"


def test_a_damaged_memory_is_told_on_standard_error(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    path.write_bytes(b"nonsense")
    shown = run("show", "--file", path)
    assert (shown.exit_code, shown.stdout) == (0, "Nothing is remembered.\n")
    assert "set aside as memory.sqlite.damaged-1" in shown.stderr
    assert (tmp_path / "memory.sqlite.damaged-1").read_bytes() == b"nonsense"


def test_an_unknown_type_is_refused(path: Path) -> None:
    refused = run("forget", "--file", path, "--type", "sending")
    assert refused.exit_code == 2
    assert "there is no intent type 'sending'. Choose one of send_message, " in refused.stderr
