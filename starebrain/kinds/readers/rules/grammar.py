"""Patterns over classified words: a hint becomes a row of nodes, and rules replace stretches of it by larger nodes.

A node belongs to one or more classes ("second" is a UNIT and an ORD), with a value for each. Each set of classes is one
character, so that a rule's pattern, written with class names, is an ordinary regular expression over a short string.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_CHARACTERS: dict[frozenset[str], str] = {}
_FIRST = 0x4E00

UNIONS: Mapping[str, tuple[str, ...]] = {
    "SEP": ("DASH", "SLASH", "COMMA", "LINK"),
    "THROUGH": ("UNTIL", "DASH"),
    "JOINT": ("LINK", "COMMA", "STOP"),
    "DAY": ("DOM", "ORD"),
    "TIME": ("WHEN", "HOUR"),
}
"""Short names for several classes."""


@dataclass(frozen=True, slots=True)
class Node:
    """A word, or what rules made of several: the value for each class it belongs to, and its [start, end) in the hint.

    `text` is a word as it was looked up, "" for a larger node.
    """

    values: Mapping[str, Any]
    start: int
    end: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """`pattern` over class names; `build` makes the value of one node of class `gives` of it, or declines with None.

    A pattern is a regular expression in which a class name stands for one node of that class. A labelled group, such as
    ``d:(DOM|ORD)``, stands for one node, whose value goes to `build` as the argument of that name: that of the first
    class named in the group which the node belongs to, None where an optional group matched nothing. Where `gives` is
    "", `build` returns all classes and values of the new node.
    """

    pattern: str
    build: Callable[..., Any]
    gives: str = ""


def character(classes: frozenset[str]) -> str:
    """The character that stands for a set of classes, always the same one within a process."""
    return _CHARACTERS.setdefault(classes, chr(_FIRST + len(_CHARACTERS)))


def reduced(nodes: Sequence[Node], rules: Sequence[Rule]) -> list[Node]:
    """The nodes after every rule in turn has been applied, each as often as it fits."""
    row = list(nodes)
    text = "".join(character(frozenset(n.values)) for n in row)
    for rule in rules:
        at = 0
        pattern, groups = _compiled(rule.pattern, len(_CHARACTERS))
        while (match := pattern.search(text, at)) is not None:
            first, last = match.span()
            value = None
            if last > first:
                value = rule.build(**{label: _value(row, match, label, names) for label, names in groups})
            if value is None:
                at = first + 1
                continue
            node = Node(value if rule.gives == "" else {rule.gives: value}, row[first].start, row[last - 1].end)
            row[first:last] = [node]
            text = text[:first] + character(frozenset(node.values)) + text[last:]
            pattern, groups = _compiled(rule.pattern, len(_CHARACTERS))
            at = first if last - first > 1 else first + 1
    return row


def _value(row: Sequence[Node], match: re.Match[str], label: str, names: tuple[str, ...]) -> Any:
    at = match.start(label)
    return None if at < 0 else next(row[at].values[name] for name in names if name in row[at].values)


@lru_cache(maxsize=4_096)
def _compiled(pattern: str, characters: int) -> tuple[re.Pattern[str], tuple[tuple[str, tuple[str, ...]], ...]]:
    """The regular expression of a pattern, and the class names in each of its groups; one for each size of alphabet."""
    labels = tuple(
        (label, tuple(name for part in re.findall("[A-Z_]+", inside) for name in UNIONS.get(part, (part,))))
        for label, inside in re.findall(r"([a-z]+):\(([^)]*)\)", pattern)
    )
    named = re.sub(r"([a-z]+):\(", r"(?P<\1>", pattern)
    classes = re.sub(r"(?<!<)[A-Z][A-Z_]+|(?<![A-Za-z<])A(?![A-Za-z])", _of_class, named)
    return re.compile(classes.replace(" ", "")), labels


def _of_class(match: re.Match[str]) -> str:
    names = UNIONS.get(match.group(), (match.group(),))
    inside = "".join(c for classes, c in _CHARACTERS.items() if not classes.isdisjoint(names))
    return f"[{inside}]" if inside else r"[^\s\S]"
