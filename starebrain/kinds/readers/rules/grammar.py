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
    """`pattern` over class names; `build` turns the values of its groups into one of class `gives`, or None to decline.

    Where `gives` is "", `build` returns the classes and values itself.

    A group stands for one node; its value is that of the first class named in the group which the node belongs to, None
    where an optional group matched nothing. `name` is the family, as reports show it.
    """

    name: str
    pattern: str
    build: Callable[..., Any]
    gives: str = "WHEN"


def character(classes: frozenset[str]) -> str:
    """The character that stands for a set of classes, always the same one within a process."""
    return _CHARACTERS.setdefault(classes, chr(0x4E00 + len(_CHARACTERS)))


def reduced(nodes: Sequence[Node], rules: Sequence[Rule]) -> tuple[list[Node], tuple[str, ...]]:
    """The nodes after every rule in turn has been applied, each as often as it fits, and the families that did."""
    row = list(nodes)
    text = "".join(character(frozenset(n.values)) for n in row)
    used: list[str] = []
    for rule in rules:
        at = 0
        pattern, groups = _compiled(rule.pattern, len(_CHARACTERS))
        while (match := pattern.search(text, at)) is not None:
            first, last = match.span()
            value = rule.build(*(_value(row, match, group, names) for group, names in groups)) if last > first else None
            if value is None:
                at = first + 1
                continue
            node = Node(value if rule.gives == "" else {rule.gives: value}, row[first].start, row[last - 1].end)
            row[first:last] = [node]
            text = text[:first] + character(frozenset(node.values)) + text[last:]
            pattern, groups = _compiled(rule.pattern, len(_CHARACTERS))
            used.append(rule.name)
            at = first if last - first > 1 else first + 1
    return row, tuple(used)


def fits(nodes: Sequence[Node], pattern: str) -> re.Match[str] | None:
    """The match of a pattern with the whole row."""
    return _compiled(pattern, len(_CHARACTERS))[0].fullmatch("".join(character(frozenset(n.values)) for n in nodes))


def _value(row: Sequence[Node], match: re.Match[str], group: int, names: tuple[str, ...]) -> Any:
    at = match.start(group)
    if at < 0 or at == match.end(group):
        return None
    return next(row[at].values[name] for name in names if name in row[at].values)


@lru_cache(maxsize=4096)
def _compiled(pattern: str, characters: int) -> tuple[re.Pattern[str], tuple[tuple[int, tuple[str, ...]], ...]]:
    """The regular expression of a pattern, and the class names in each of its groups; one for each size of alphabet."""

    def of_class(match: re.Match[str]) -> str:
        inside = "".join(c for classes, c in _CHARACTERS.items() if match.group() in classes)
        return f"[{inside}]" if inside else r"[^\s\S]"

    groups = re.findall(r"\((?!\?)([^)]*)\)", pattern)
    numbered = tuple((i, tuple(re.findall(r"[A-Z_]+", names))) for i, names in enumerate(groups, 1))
    return re.compile(re.sub(r"[A-Z_]+", of_class, pattern).replace(" ", "")), numbered
