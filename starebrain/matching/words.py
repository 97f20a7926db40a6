"""The words that mean something to a resolver: fillers, relations, roles, places, nicknames (``words.toml``)."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

_TABLES = tomllib.loads(files("starebrain.matching").joinpath("words.toml").read_text(encoding="utf-8"))


def _inverted(table: Mapping[str, list[str]]) -> Mapping[str, frozenset[str]]:
    """From each word to the concepts it stands for."""
    found: dict[str, set[str]] = defaultdict(set)
    for concept, names in table.items():
        for name in names:
            found[name].add(concept)
    return {word: frozenset(concepts) for word, concepts in found.items()}


FILLERS = frozenset(_TABLES["fillers"])
DEIXIS = frozenset(_TABLES["deixis"])
EMPLOYER = frozenset(_TABLES["employer"])
RELATIONS = _inverted(_TABLES["relations"])
ROLES = _inverted(_TABLES["roles"])
APPS = _inverted(_TABLES["apps"])
PLACES = _inverted(_TABLES["places"])
DWELLING = frozenset(_TABLES["dwelling"]["words"])
REGIONS = frozenset(_TABLES["regions"]["words"])
SHORTENED: Mapping[str, str] = _TABLES["shortened"]
NUMBERS: Mapping[str, str] = _TABLES["numbers"]


@lru_cache(maxsize=65_536)
def meanings_of(word: str) -> frozenset[str]:
    """The relations and places that a word stands for: what owners write as the name of somebody or something."""
    return RELATIONS.get(word, frozenset()) | PLACES.get(word, frozenset())


@lru_cache(maxsize=1)
def _nicknames() -> Mapping[str, frozenset[str]]:
    """From every name to the names it may stand for, both ways, English ones from the `nicknames` package."""
    from nicknames import NickNamer  # 4 ms: on first use

    pairs: dict[str, set[str]] = defaultdict(set)
    for canonical, shorts in NickNamer().nickname_lookup.items():
        for short in shorts:
            pairs[short].add(canonical)
            pairs[canonical].add(short)
    for short, canonicals in _TABLES["nicknames"].items():
        for canonical in canonicals:
            pairs[short].add(canonical)
            pairs[canonical].add(short)
    return {name: frozenset(others) for name, others in pairs.items()}


def nicknames_of(name: str) -> frozenset[str]:
    """The names that a speaker may mean by `name`: full names of a nickname, nicknames of a full name."""
    return _nicknames().get(name, frozenset())
