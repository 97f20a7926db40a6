"""What must never happen to session memory: poisoning budgets, and words that can be read in its file."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from pathlib import Path

from starebrain.intent import AgentStep, AgentTask, Answer, AskedBy, Confirmation, TaskStatus
from starebrain.memory.learning import Learned, Rule, observe
from starebrain.memory.store import MemoryStore
from starebrain.recall import SessionPattern
from starebrain.simulate.habits import BEGIN, EVIL, Habits, occasions


@dataclass(frozen=True, slots=True)
class Budget:
    """How many tasks an attacker needs (None: more than were tried) against a user of `honest` tasks, three a day.

    To have their app preferred, and to have no app preferred any more; where nothing is remembered yet, to have the
    confirmation left out by tasks that nobody was asked about, and by tasks that the user approved without looking.
    """

    rule: str
    honest: int
    preferred: int | None
    unseated: int | None
    skipped_unasked: int | None
    skipped_approved: int | None


def budget(rule: Rule, honest: int, most: int = 2_000) -> Budget:
    """The poisoning budget of a rule; honest tasks are messages by one app, the attacker's all happen at their end."""
    own = "com.whatsapp"

    def task(package: str, shown: bool, day: float) -> AgentTask:
        asked = Confirmation(AskedBy.MODEL, Answer.APPROVED) if shown else None
        last = AgentStep("confirm", package, TaskStatus.COMPLETED, asked)
        steps = (*[AgentStep("tap", package, TaskStatus.COMPLETED)] * 7, last)
        return AgentTask("1", "send a message", TaskStatus.COMPLETED, steps, BEGIN + timedelta(days=day))

    def learned(known: Learned | None, package: str, shown: bool, day: float) -> Learned:
        seen = observe(task(package, shown, day), rule.intent_type)
        assert seen is not None
        return rule.learn(known, seen)

    def tasks_until(
        known: Learned | None, package: str, shown: bool, holds: Callable[[SessionPattern], bool]
    ) -> int | None:
        for count in range(1, most + 1):
            known = learned(known, package, shown, honest / 3)
            if holds(rule.read(known, BEGIN + timedelta(days=honest / 3))):
                return count
        return None

    before: Learned | None = None
    for at in range(honest):
        before = learned(before, own, True, at / 3)
    return Budget(
        rule.name,
        honest,
        tasks_until(before, EVIL, False, lambda pattern: pattern.preferred_package == EVIL),
        tasks_until(before, EVIL, False, lambda pattern: pattern.preferred_package != own),
        tasks_until(None, EVIL, False, lambda pattern: pattern.may_skip),
        tasks_until(None, EVIL, True, lambda pattern: pattern.may_skip),
    )


@dataclass(frozen=True, slots=True)
class Leakage:
    """How many `tasks` were recorded, how many `words` were looked for, and those that were found (none, one hopes)."""

    tasks: int
    words: int
    found: tuple[str, ...]


def leakage(store: MemoryStore, path: Path, habits: Habits, tasks: int) -> Leakage:
    """Record simulated tasks and look for what was planted in them, before and after forgetting them all.

    The words are looked for in every file whose name begins with that of `path`: as they are, in any case, in UTF-16,
    hexadecimal and Base64, and backwards.
    """
    asked = list(islice((one for user in range(habits.users) for one in occasions(habits, user)), tasks))
    planted = sorted({word for one in asked for text in one.planted for word in text.split()[-1:]})
    last = max(one.at for one in asked)
    for at in range(0, len(asked), 50):
        store.record_all([one.task(shown=bool(at % 100)) for one in asked[at : at + 50]], last)
    found = traces(path, planted)
    store.recall(last)
    store.forget()
    return Leakage(len(asked), len(planted), tuple(sorted(found | traces(path, planted))))


def traces(path: Path, words: Iterable[str]) -> set[str]:
    """Which of the `words` (of ASCII letters) can be read in the files whose names begin with that of `path`."""
    raw = b"\n".join(file.read_bytes() for file in sorted(path.parent.glob(f"{path.name}*")) if file.is_file())
    wanted = {word.lower().encode(): word for word in words}
    lengths = {len(word) for word in wanted}
    runs = {run for view in _views(raw) for run in re.findall(rb"[a-z]{%d,}" % min(lengths, default=1), view.lower())}
    seen = {run[at : at + length] for run in runs for length in lengths for at in range(len(run) - length + 1)}
    return {word for coded, word in wanted.items() if coded in seen}


def _views(raw: bytes) -> Iterator[bytes]:
    """The bytes as they are, backwards, as UTF-16, and what is hexadecimal or Base64 in them, decoded."""
    yield raw
    yield raw[::-1]
    yield raw.replace(b"\0", b"")
    for run in re.findall(rb"[0-9A-Fa-f]{8,}", raw):
        yield from (bytes.fromhex(run[at : at + (len(run) - at) // 2 * 2].decode()) for at in range(2))
    for run in re.findall(rb"[A-Za-z0-9+/_-]{8,}", raw):
        whole = run.translate(bytes.maketrans(b"-_", b"+/"))
        yield from (b64decode(whole[at : at + (len(run) - at) // 4 * 4]) for at in range(4))
