"""Hints that lean on an event: "an hour before lunch with Alex", "tomorrow after yoga", "the dentist appointment"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from starebrain.kinds.readers.hint import Hint, flags_of
from starebrain.kinds.readers.reading import Anchor, Flag, Reading, Relation
from starebrain.kinds.readers.rules.amounts import AMOUNTS, NUMBERS
from starebrain.kinds.readers.rules.clock import CLOCKS
from starebrain.kinds.readers.rules.grammar import Node, reduced
from starebrain.kinds.readers.rules.lexicon import lexicon
from starebrain.kinds.readers.rules.reader import NoTime, Parse, parsed
from starebrain.kinds.readers.rules.resolve import SECONDS

MAX_NODES = 24
"""Words of the longest hint that is searched for an event."""

_RELATIONS = (
    ("AFTER", Relation.AFTER),
    ("BEFORE", Relation.BEFORE),
    ("DURING", Relation.DURING),
    ("WHEN_EVENT", Relation.WHEN),
)

Resolve = Callable[[Parse], tuple[Reading, ...]]


def anchor(hint: Hint, resolve: Resolve) -> Anchor | None:
    """The event that a hint leans on, or None where it names none; `resolve` reads the time that stands beside it."""
    nodes = [n for n in hint.nodes if set(n.values) != {"STOP"}]
    if not 0 < len(nodes) <= MAX_NODES:
        return None
    for at, node in enumerate(nodes):
        relation = next((r for name, r in _RELATIONS if name in node.values), None)
        if relation is not None:
            return _related(hint, nodes, at, relation, resolve)
    event, time = _split(hint, nodes)
    if not event:
        return None
    return Anchor(Relation.AT, None, event, resolve(time) if time else (), _beside(hint, nodes, event))


def _related(hint: Hint, nodes: list[Node], at: int, relation: Relation, resolve: Resolve) -> Anchor | None:
    offset, before = _offset(nodes[:at])
    if before is None:
        return None
    event, time = _split(hint, nodes[at + 1 :])
    if not event and (offset is None or nodes[at + 1 :]):
        return None
    if before and (time is not None or (time := _parse(before)) is None):
        return None
    return Anchor(relation, offset, event, resolve(time) if time else (), _beside(hint, nodes, event))


def _beside(hint: Hint, nodes: Sequence[Node], event: str) -> frozenset[Flag]:
    """What the words around the event's demand ("*not* during yoga"); its own words are a name ("the daily")."""
    first = hint.text.find(event) if event else len(hint.text)
    return flags_of(n for n in nodes if n.end <= first or n.start >= first + len(event))


def _offset(nodes: list[Node]) -> tuple[timedelta | None, list[Node] | None]:
    """How long before or after, and the words before that; the words are None where they make no sense."""
    if nodes and "RIGHT" in nodes[-1].values:
        return timedelta(0), nodes[:-1]
    for size in range(len(nodes), 0, -1):
        row = reduced(nodes[len(nodes) - size :], (*NUMBERS, *CLOCKS, *AMOUNTS))
        if len(row) == 1 and "AMOUNT" in row[0].values:
            offset = _timedelta(row[0].values["AMOUNT"])
            return (offset, nodes[: len(nodes) - size]) if offset is not None else (None, None)
    return None, nodes


def _timedelta(amounts: Any) -> timedelta | None:
    if any(unit not in SECONDS for unit, _ in amounts):
        return None
    return timedelta(seconds=float(sum(n * SECONDS[unit] for unit, n in amounts)))


def _split(hint: Hint, nodes: Sequence[Node]) -> tuple[str, Parse | None]:
    """The words of the event, and the time that stands before or after them."""
    for first in range(1, len(nodes)):
        if (time := _parse(nodes[first:])) is not None and (event := _event(hint, nodes[:first])):
            return event, time
    for last in range(len(nodes) - 1, 0, -1):
        time = _parse(nodes[:last])
        if time is not None and _of_a_day(time) and (event := _event(hint, nodes[last:])):
            return event, time
    return _event(hint, nodes), None


def _of_a_day(time: Parse) -> bool:
    """Whether a time is one of a day or an hour: "Friday's standup" has one, "the Q3 review" is a name."""
    first = time.said[0].first
    said = first and (first.days, first.weekday, first.day, first.hour)
    return any(said is not None for said in said or ())


def _parse(nodes: Sequence[Node]) -> Parse | None:
    if any("MEAL" in n.values for n in nodes):
        return None
    first = next((at for at, n in enumerate(nodes) if "AT" in n.values or not ("LINK" in n.values or _empty(n))), 0)
    try:
        return parsed(nodes[first:])
    except (NoTime, ValueError):
        return None


def _event(hint: Hint, nodes: Sequence[Node]) -> str:
    """The event's words as they stand in the hint, without articles, possessives and prepositions around them.

    "" where no word is left that could name an event: times, numbers and punctuation do not.
    """
    skipped = lexicon(hint.language).determiners
    kept = list(nodes)
    while kept and (kept[0].text in skipped or _empty(kept[0])):
        kept.pop(0)
    while kept and _empty(kept[-1]):
        kept.pop()
    if not any("WORD" in n.values or "MEAL" in n.values for n in kept) or not any(
        c.isalpha() for n in kept for c in n.text
    ):
        return ""
    return hint.text[kept[0].start : kept[-1].end]


def _empty(node: Node) -> bool:
    return bool(node.values) and set(node.values) <= {
        "LINK",
        "STOP",
        "COMMA",
        "AT",
        "THE",
        "DAY_MARK",
        "OF",
        "A",
        "FOR",
        "IN",
        "DASH",
    }
