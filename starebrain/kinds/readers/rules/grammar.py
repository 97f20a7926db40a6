"""Patterns over classified words: a hint becomes a row of nodes, and rules replace stretches of it by larger nodes.

A node belongs to one or more classes ("second" is a UNIT and an ORD), with a value for each. Each set of classes is one
character, so that a rule's pattern, written with class names, is an ordinary regular expression over a short string.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

_CHARACTERS: dict[frozenset[str], str] = {}
_MEMBERS: dict[str, str] = {}
"""From a class to the characters of all sets that it is in."""
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
    known = _CHARACTERS.get(classes)
    if known is None:
        known = _CHARACTERS[classes] = chr(_FIRST + len(_CHARACTERS))
        for name in classes:
            _MEMBERS[name] = _MEMBERS.get(name, "") + known
    return known


def reduced(nodes: Sequence[Node], rules: Sequence[Rule]) -> list[Node]:
    """The nodes after every rule in turn has been applied, each as often as it fits."""
    row = list(nodes)
    text = "".join(character(frozenset(n.values)) for n in row)
    for rule in rules:
        at = 0
        pattern, groups = _ready(rule.pattern)
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
            pattern, groups = _ready(rule.pattern)
            at = first if last - first > 1 else first + 1
    return row


def _value(row: Sequence[Node], match: re.Match[str], label: str, names: tuple[str, ...]) -> Any:
    at = match.start(label)
    return None if at < 0 else next(row[at].values[name] for name in names if name in row[at].values)


Groups = tuple[tuple[str, tuple[str, ...]], ...]
"""The labels of a pattern's groups, and the classes that are named in each."""

_READY: dict[str, tuple[int, re.Pattern[str], Groups]] = {}
"""By pattern: how many characters there were when it was last looked at, and what it was then."""

_CLASS = re.compile(r"(?<!<)[A-Z][A-Z_]+|(?<![A-Za-z<])A(?![A-Za-z])")
"""A class name in a pattern whose groups are named as `re` names them."""


def _ready(pattern: str) -> tuple[re.Pattern[str], Groups]:
    """The regular expression of a pattern over the characters that there are, and its groups."""
    known = _READY.get(pattern)
    if known is None or known[0] != len(_CHARACTERS):
        regex, groups, names = _split(pattern)
        compiled = _compiled(regex, tuple("".join(_MEMBERS.get(n, "") for n in of) for of in names))
        known = _READY[pattern] = (len(_CHARACTERS), compiled, groups)
    return known[1], known[2]


@cache
def _split(pattern: str) -> tuple[str, Groups, tuple[tuple[str, ...], ...]]:
    """A pattern with groups as `re` names them, its groups, and the classes that it names one after the other."""
    groups = tuple(
        (label, tuple(name for part in re.findall("[A-Z_]+", inside) for name in UNIONS.get(part, (part,))))
        for label, inside in re.findall(r"([a-z]+):\(([^)]*)\)", pattern)
    )
    named = re.sub(r"([a-z]+):\(", r"(?P<\1>", pattern)
    return named, groups, tuple(UNIONS.get(name, (name,)) for name in _CLASS.findall(named))


@lru_cache(maxsize=1_024)
def _compiled(named: str, members: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern with each class in turn as a set of characters; compiled anew where a class has got another one."""
    sets = iter(members)
    return re.compile(_CLASS.sub(lambda _: f"[{m}]" if (m := next(sets)) else r"[^\s\S]", named).replace(" ", ""))
