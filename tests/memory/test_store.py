"""What a store keeps, for how long, and what its file says of itself."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import stat
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from starebrain.errors import InvalidInput
from starebrain.intent import AgentTask, Answer, TaskStatus
from starebrain.memory import ARTICLE, RETENTION, MemoryStore, Posterior
from starebrain.memory import file as file_module
from starebrain.memory.schema import MIGRATIONS
from starebrain.recall import IntentType, SessionPattern
from tests import strategies
from tests.memory.toys import EVIL, NOW, SIGNAL, WHATSAPP, step, task

SEND, CALL = IntentType.SEND_MESSAGE, IntentType.CALL
INSTANT = timedelta(microseconds=1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[MemoryStore]:
    with MemoryStore(path) as opened:
        yield opened


def rows(path: Path, table: str = "patterns") -> list[tuple]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(f"SELECT * FROM {table}").fetchall()
    finally:
        connection.close()


def everything(path: Path) -> bytes:
    """Every byte of the file and what lies beside it."""
    return b"".join(part.read_bytes() for part in sorted(path.parent.glob(f"{path.name}*")))


def test_what_was_recorded_is_recalled(store: MemoryStore, path: Path) -> None:
    assert store.recall(NOW).pattern(SEND) is None
    assert [store.record(task(), NOW) for _ in range(5)] == [True] * 5
    pattern = store.recall(NOW).pattern(SEND)
    assert pattern is not None
    assert (pattern.preferred_package, pattern.typical_step_count, pattern.last_seen) == (WHATSAPP, 1, NOW)
    with MemoryStore(path) as another:
        assert another.recall(NOW) == store.recall(NOW)
        assert another.learned() == store.learned()


def test_several_tasks_at_once_are_the_same_as_one_by_one(tmp_path: Path) -> None:
    tasks = [
        task(step(SIGNAL if n % 3 else EVIL), description=d, days=n) for n in range(9) for d in ("send", "call Bo")
    ]
    now = NOW + timedelta(days=9)
    with MemoryStore(tmp_path / "a") as one, MemoryStore(tmp_path / "b") as all_at_once:
        assert sum(one.record(some, now) for some in tasks) == all_at_once.record_all(tasks, now) == 18
        assert one.learned() == all_at_once.learned()


@pytest.mark.parametrize("status", [status for status in TaskStatus if status is not TaskStatus.COMPLETED])
def test_only_completed_tasks_are_written(store: MemoryStore, path: Path, status: TaskStatus) -> None:
    before = everything(path)
    assert not store.record(task(status=status), NOW)
    assert everything(path) == before


@pytest.mark.parametrize("rule", [ARTICLE, Posterior()], ids=lambda rule: rule.name)
def test_at_exactly_thirty_days_a_pattern_is_still_there_and_after_that_it_is_deleted(
    tmp_path: Path, rule: Posterior
) -> None:
    path = tmp_path / "memory.sqlite"
    with MemoryStore(path, rule) as store:
        store.record(task(at=NOW + INSTANT), NOW + INSTANT)
        store.record(task(description="call Bob", days=1), NOW + timedelta(days=1))
        last = NOW + INSTANT + timedelta(days=30)
        kept = store.recall(last).pattern(SEND)
        assert kept is not None
        assert kept.last_seen == NOW + INSTANT
        assert store.recall(last + INSTANT).pattern(SEND) is None
        assert len(store.recall(last + INSTANT).patterns) == len(rows(path)) == 1
        assert store.recall(last).pattern(SEND) is None, "what is deleted does not come back with an earlier clock"
    assert timedelta(days=30) == RETENTION


def test_a_pattern_that_has_expired_gives_nothing_to_the_next_task(store: MemoryStore) -> None:
    for _ in range(40):
        store.record(task(), NOW)
    later = NOW + RETENTION + INSTANT
    store.record(task(step(SIGNAL), at=later), later)
    known = store.learned()
    assert [(one.packages, one.tasks) for one in known] == [(((SIGNAL, 1.0),), 1.0)]


def test_a_task_from_the_future_ended_now(store: MemoryStore) -> None:
    store.record(task(days=3650), NOW)
    assert store.learned()[0].last_seen == NOW
    assert store.recall(NOW + RETENTION + INSTANT).patterns == {}


def test_a_clock_that_ran_ahead_is_set_right_by_the_next_task(store: MemoryStore) -> None:
    ahead = NOW + timedelta(days=36500)
    store.record(task(at=ahead), ahead)
    assert store.recall(NOW).pattern(SEND) is not None
    store.record(task(), NOW)
    assert store.learned()[0].last_seen == NOW
    assert store.recall(NOW + RETENTION + INSTANT).patterns == {}


def test_an_instant_without_an_offset_is_refused(store: MemoryStore) -> None:
    naive = NOW.replace(tzinfo=None)
    for attempt in (lambda: store.record(task(), naive), lambda: store.recall(naive)):
        with pytest.raises(InvalidInput, match="has no offset") as caught:
            attempt()
        assert caught.value.place == "now"
    assert store.learned() == ()


def test_an_hour_that_occurs_twice_is_two_hours(tmp_path: Path) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    first, second = (datetime(2026, 10, 25, 2, 30, tzinfo=berlin, fold=fold) for fold in (0, 1))
    tasks = [replace(task(step(SIGNAL)), ended_at=first), replace(task(), ended_at=second)]
    with MemoryStore(tmp_path / "local") as local, MemoryStore(tmp_path / "utc") as utc:
        local.record_all(tasks, second)
        utc.record_all([replace(one, ended_at=one.ended_at.astimezone(UTC)) for one in tasks], second.astimezone(UTC))
        assert local.learned() == utc.learned()
        assert local.learned()[0].last_seen == second.astimezone(UTC)
        utc.forget()
        utc.record(tasks[1], first)
        assert utc.learned()[0].last_seen == first.astimezone(UTC), "it ended after now, so it ended now"


def test_the_offset_of_an_instant_does_not_matter(store: MemoryStore) -> None:
    local = NOW.astimezone(timezone(timedelta(hours=-7)))
    store.record(task(at=local), local)
    pattern = store.recall(local).pattern(SEND)
    assert pattern is not None
    assert pattern.last_seen == NOW


def test_rules_keep_apart_what_they_learn_in_one_file(path: Path) -> None:
    with MemoryStore(path, ARTICLE) as article, MemoryStore(path) as posterior:
        article.record(task(), NOW)
        assert posterior.recall(NOW).patterns == {}
        posterior.record(task(description="call Bob"), NOW)
        assert [one.intent_type for one in article.learned()] == [SEND]
        assert [one.intent_type for one in posterior.learned()] == [CALL]
        posterior.forget()
        assert [one.intent_type for one in article.learned()] == [SEND]


def test_what_another_process_writes_is_seen(path: Path) -> None:
    with MemoryStore(path) as one, MemoryStore(path) as other:
        for count in range(1, 6):
            one.record(task(), NOW)
            seen = other.recall(NOW).pattern(SEND)
            assert seen is not None
            assert seen == one.recall(NOW).pattern(SEND)
            assert (seen.preferred_package is not None) is (count >= 5)


def test_a_recall_does_not_change_when_the_store_does(store: MemoryStore) -> None:
    store.record(task(), NOW)
    recall = store.recall(NOW)
    before = recall.pattern(SEND)
    for _ in range(20):
        store.record(task(step(SIGNAL)), NOW)
    store.forget()
    assert recall.pattern(SEND) == before
    assert isinstance(before, SessionPattern)


def test_forgetting_one_type_or_all(store: MemoryStore) -> None:
    for description in ("send", "call Bob", "pay Bob"):
        store.record(task(description=description), NOW)
    assert store.forget(CALL) == (CALL,)
    assert store.forget(CALL) == ()
    assert store.forget() == (IntentType.PAYMENT, SEND)
    assert store.learned() == ()


@given(st.lists(st.from_regex(r"com\.[a-z]{20}", fullmatch=True), min_size=1, max_size=30, unique=True))
@settings(max_examples=20)
def test_nothing_of_what_was_forgotten_or_has_expired_stays_in_the_file_or_its_log(packages: list[str]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "memory.sqlite"
        with MemoryStore(path) as store:
            for at, package in enumerate(packages):
                store.record(task(step(package), description=("send", "call Bob", "navigate home")[at % 3]), NOW)
            assert packages[-1].encode() in everything(path)
            if len(packages) % 2:
                store.forget()
            else:
                store.recall(NOW + RETENTION + INSTANT)
            left = everything(path)
            assert not [package for package in packages if package.encode() in left]


def test_traces_that_another_program_keeps_are_reported(store: MemoryStore, path: Path, monkeypatch) -> None:
    monkeypatch.setattr(file_module, "BUSY_SECONDS", 0.01)
    store.record(task(), NOW)
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM patterns").fetchone()
    with MemoryStore(path) as impatient, pytest.raises(InvalidInput, match="another program keeps traces"):
        impatient.forget()
    assert store.learned() == ()
    reader.execute("COMMIT")
    reader.close()
    assert store.wipe()
    assert WHATSAPP.encode() not in everything(path)


def test_the_file_and_its_log_are_for_the_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        path = tmp_path / "new" / "memory.sqlite"
        with MemoryStore(path) as store:
            store.record(task(), NOW)
            parts = sorted(path.parent.iterdir())
            assert [part.name for part in parts] == ["memory.sqlite", "memory.sqlite-shm", "memory.sqlite-wal"]
            assert {stat.S_IMODE(part.stat().st_mode) for part in parts} == {0o600}
            assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        path.chmod(0o644)
        with MemoryStore(path) as store:
            store.record(task(), NOW)
            assert {stat.S_IMODE(part.stat().st_mode) for part in parts} == {0o600}
    finally:
        os.umask(before)


def test_the_file_is_in_wal_mode_and_deletes_securely(store: MemoryStore) -> None:
    def pragma(name: str) -> object:
        return store._file.read(lambda connection: connection.execute(f"PRAGMA {name}").fetchone()[0])

    assert (pragma("journal_mode"), pragma("secure_delete"), pragma("synchronous")) == ("wal", 1, 2)
    assert pragma("temp_store") == 2, "no copy is left on another disk when the file is rewritten"


# The schema holds no text


def test_the_vocabulary_of_the_schema_is_that_of_the_code(store: MemoryStore) -> None:
    for of in IntentType:
        store._file.write(lambda c, of=of: c.execute(PATTERN, ("posterior", of, 0, 0, 0, 0, 0, 0, 0, 0)))
    assert [one.intent_type for one in store.learned()] == sorted(IntentType)
    for rule in (ARTICLE, Posterior()):
        store._file.write(lambda c, rule=rule: c.execute(PACKAGE, (rule.name, SEND, WHATSAPP, 1.0)))


PATTERN = "INSERT INTO patterns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
PACKAGE = "INSERT INTO packages VALUES (?, ?, ?, ?)"
ROW = ("posterior", "call", 0, 1.0, 1.0, 1.0, 1.0, 1.0, 1, 1)


def refused(path: Path, statement: str, values: tuple) -> bool:
    connection = sqlite3.connect(path)
    try:
        connection.execute(statement, values)
    except (sqlite3.IntegrityError, sqlite3.DataError, OverflowError):
        return True
    finally:
        connection.rollback()
        connection.close()
    return False


@given(strategies.texts | st.binary(max_size=12), st.integers(0, 9))
def test_no_column_of_a_pattern_takes_a_text(made: Path, text: str | bytes, at: int) -> None:
    row = (*ROW[:at], text, *ROW[at + 1 :])
    assert refused(made, PATTERN, row) or is_number(text), "the text of a number is stored as the number"


def is_number(text: str | bytes) -> bool:
    try:
        return isinstance(text, str) and float(text) is not None
    except ValueError:
        return False


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "memory.sqlite"
    MemoryStore(path).close()
    assert not refused(path, PATTERN, ROW)
    assert not refused(path, PACKAGE, ("posterior", "call", WHATSAPP, 1.0))
    return path


WHOLE, TOO_MUCH = (2, 8, 9), {2: 10**18, 8: 2**63, 9: 2**63}


@pytest.mark.parametrize("at", range(2, 10))
def test_numbers_have_bounds(made: Path, at: int) -> None:
    below = -(10**18) if at == 2 else -1
    fractions = (0.5,) if at in WHOLE else ()
    for number in (below, TOO_MUCH.get(at, 1e16), float("inf"), float("nan"), None, *fractions):
        assert refused(made, PATTERN, (*ROW[:at], number, *ROW[at + 1 :])), number


@pytest.mark.parametrize("seen", [-62135596800000000, 253402300800000000])
def test_whatever_the_schema_takes_can_be_read(store: MemoryStore, seen: int) -> None:
    row = ("posterior", SEND, seen, *[1e15] * 5, 2**63 - 1, 2**63 - 1)
    store._file.write(lambda c: c.execute(PATTERN, row))
    store._file.write(lambda c: c.execute(PACKAGE, ("posterior", SEND, WHATSAPP, 1e15)))
    known = store.recall(NOW).pattern(SEND)
    assert (known is None) is (seen < 0)
    assert store.record(task(), NOW)
    assert store.learned()[0].last_seen == NOW


@pytest.mark.parametrize(
    "package",
    [
        "Anna Quarzel",
        "anna",
        "anna@quarzel.example",
        "+49 30 1234",
        "com.a b",
        "com.",
        ".com",
        "com..a",
        "com.1a",
        "1.a",
        "com.a-b",
        "com.a\n",
        "com.a\x00secret",
        "сom.a",
        "com.ä",
        "c" * 200 + ".a",
        "https://a.b",
        b"com.a",
        7,
        None,
    ],
)
def test_only_package_names_are_packages(made: Path, package: object) -> None:
    assert refused(made, PACKAGE, ("posterior", "call", package, 1.0))


@given(st.from_regex(r"[A-Za-z0-9_. \x00é-]{1,12}", fullmatch=True))
def test_the_schema_and_the_code_agree_on_package_names(made: Path, package: str) -> None:
    from starebrain.memory.learning import PACKAGE as PATTERN_OF_CODE

    assert refused(made, PACKAGE, ("posterior", "call", package, 1.0)) is not bool(PATTERN_OF_CODE.fullmatch(package))


# Migrations

RELEASED = {"patterns": "4cbc5eb5"}
"""Migrations that are out in the world, by the first digits of the SHA-256 of their statements."""


def test_released_migrations_are_never_edited_only_added_to() -> None:
    sums = {name: hashlib.sha256("\n".join(sql).encode()).hexdigest()[:8] for name, sql in MIGRATIONS}
    assert list(sums)[: len(RELEASED)] == list(RELEASED)
    assert {name: sums[name] for name in RELEASED} == RELEASED
    assert len(sums) == len(MIGRATIONS), "each has a name of its own"


def test_an_older_file_is_migrated_and_keeps_what_it_knows(path: Path, monkeypatch) -> None:
    with MemoryStore(path) as store:
        store.record(task(), NOW)
        known = store.learned()
    added = ("counts", ("CREATE TABLE counts (n INTEGER NOT NULL CHECK (n >= 0)) STRICT",))
    monkeypatch.setattr(file_module, "MIGRATIONS", (*MIGRATIONS, added))
    for _ in range(2):
        with MemoryStore(path) as store:
            assert store.learned() == known
            assert rows(path, "counts") == []


def test_a_newer_file_is_refused_and_left_alone(path: Path) -> None:
    MemoryStore(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(InvalidInput, match="a newer starebrain wrote this memory"):
        MemoryStore(path)
    assert path.read_bytes() == before


# Content does not matter

words = st.text(max_size=30) | st.sampled_from(strategies.HOSTILE)


@pytest.mark.parametrize("rule", [ARTICLE, Posterior()], ids=lambda rule: rule.name)
@given(st.lists(st.tuples(words, words, words, words), min_size=1, max_size=5))
@settings(max_examples=20)
def test_two_histories_that_differ_only_in_content_give_identical_files(
    rule: Posterior, texts: list[tuple[str, ...]]
) -> None:
    def told(names: tuple[str, ...]) -> AgentTask:
        title, screen, shown, other = names
        steps = tuple(replace(step(answer=Answer.APPROVED), description=text) for text in (screen, shown))
        return replace(task(*steps, description=f"send {title}"), task_id=f"t{other}")

    plain, varied = ([told(("",) * 4)] * len(texts), [told(names) for names in texts])
    assume({rule.intent_type(one.description) for one in varied} == {SEND})
    with TemporaryDirectory() as folder:
        written = []
        for name, tasks in (("a", plain), ("b", varied)):
            path = Path(folder) / name
            with MemoryStore(path, rule) as store:
                for one in tasks:
                    store.record(one, NOW)
            written.append(everything(path))
        assert written[0] == written[1]
