"""Everything that is stored, for its owner to read, to take away and to forget."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starebrain.errors import InvalidInput
from starebrain.memory.file import set_aside
from starebrain.memory.learning import ARTICLE, Learned, Posterior, Rule
from starebrain.memory.store import MemoryStore
from starebrain.recall import IntentType

Stored = Mapping[str, tuple[Rule, Sequence[Learned]]]
"""By the name of a rule: the rule, and all that it has learned."""

FORMAT = "starebrain.memory/1"
HEAD = (
    *("intent type", "last seen (UTC)", "tasks", "steps"),
    *("approved", "edited", "declined", "confirmed", "skipped", "may skip"),
)


def default_path() -> Path:
    """Where the memory is unless another place is named: ``starebrain/memory.sqlite`` below ``XDG_DATA_HOME``."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "starebrain" / "memory.sqlite"


def stored(path: Path, now: datetime, tell: Callable[[str], None]) -> Stored:
    """What the file holds at `now`, expired patterns deleted; no file is made where there is none."""
    found = {}
    for rule in _rules() if path.exists() else ():
        with MemoryStore(path, rule, tell) as store:
            store.recall(now)
            if learned := store.learned():
                found[rule.name] = rule, learned
    return found


def forget(path: Path, intent_type: IntentType | None, tell: Callable[[str], None]) -> tuple[IntentType, ...]:
    """Forget one type, or all, whatever rule learned it; the types that there were.

    `tell` hears of damaged files that were set aside: they may hold what was forgotten, and are left to their owner.
    """
    gone: set[IntentType] = set()
    kept: InvalidInput | None = None
    for rule in _rules() if path.exists() else ():
        with MemoryStore(path, rule, tell) as store:
            try:
                gone.update(store.forget(intent_type))
            except InvalidInput as error:  # deleted, but not yet wiped out: the other rule's patterns must go as well
                kept = error
    for left in set_aside(path):
        tell(f"{left}: this damaged memory was set aside and may hold what was forgotten; delete it if nobody needs it")
    if kept is not None:
        raise kept
    return tuple(sorted(gone))


def _rules() -> tuple[Rule, ...]:
    return Posterior(), ARTICLE


def memory_table(stored: Stored, now: datetime) -> str:
    """What each rule has stored: a line an intent type, and one with its apps, the preferred one marked."""
    if not stored:
        return "Nothing is remembered."
    lines = []
    for name, (rule, learned) in stored.items():
        rows = [HEAD, *(_row(known, rule, now) for known in learned)]
        widths = [max(len(row[at]) for row in rows) for at in range(len(HEAD))]
        texts = ["  ".join(_aligned(row, widths)).rstrip() for row in rows]
        apps = ["", *(_apps(known, rule, now) for known in learned)]
        lines.append(f"What the rule {name!r} remembers; nothing else is stored.")
        lines += [line for both in zip(texts, apps, strict=True) for line in both if line]
    return "\n".join(lines)


def memory_json(stored: Stored) -> str:
    """The same as one JSON object, numbers as they are stored."""
    patterns = [_record(name, known) for name, (_, learned) in stored.items() for known in learned]
    return json.dumps({"format": FORMAT, "patterns": patterns}, indent=1)


def _row(known: Learned, rule: Rule, now: datetime) -> tuple[str, ...]:
    history = known.confirmations
    weights = (known.tasks, known.steps / known.tasks if known.tasks else 0.0)
    answers = (history.approved, history.edited, history.declined)
    return (
        known.intent_type.value,
        f"{known.last_seen.astimezone(UTC):%Y-%m-%d %H:%M}",
        *(f"{number:.1f}" for number in (*weights, *answers)),
        *(str(count) for count in (history.confirmed, history.skipped)),
        "yes" if rule.read(known, now).may_skip else "no",
    )


def _aligned(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    return [text.ljust(w) if at < 2 else text.rjust(w) for at, (text, w) in enumerate(zip(row, widths, strict=True))]


def _apps(known: Learned, rule: Rule, now: datetime) -> str:
    preferred = rule.read(known, now).preferred_package
    said = (f"{name} {weight:.1f}{' (preferred)' if name == preferred else ''}" for name, weight in known.packages)
    return f"    {', '.join(said)}" if known.packages else ""


def _record(rule: str, known: Learned) -> dict[str, Any]:
    history = known.confirmations
    return {
        "rule": rule,
        "intent_type": known.intent_type.value,
        "last_seen": known.last_seen.isoformat(),
        "tasks": known.tasks,
        "steps": known.steps,
        "approved": history.approved,
        "edited": history.edited,
        "declined": history.declined,
        "confirmed": history.confirmed,
        "skipped": history.skipped,
        "packages": [{"package": name, "weight": weight} for name, weight in known.packages],
    }
