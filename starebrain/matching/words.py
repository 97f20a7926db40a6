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
NEGATIONS = frozenset(_TABLES["negations"]["words"])
OFFERS = frozenset(_TABLES["offers"]["words"])
STREETS: Mapping[str, str] = {short: long for long, shorts in _TABLES["streets"].items() for short in shorts}
CONCEPT_BITS: Mapping[str, int] = {
    concept: 1 << at for at, concept in enumerate([*_TABLES["relations"], *_TABLES["places"]])
}
"""The relations and places (64 at most), as bits: what owners write as the name of somebody or something."""


MOST_SORTS = 63
_SORTS = {
    sort: 1 << at % MOST_SORTS for at, sort in enumerate([*_TABLES["relations"], *_TABLES["places"], *_TABLES["roles"]])
}
"""As bits, of which the last roles share theirs with the first relations."""


def _as_bits(table: Mapping[str, frozenset[str]]) -> Mapping[str, int]:
    return {word: sum(CONCEPT_BITS[concept] for concept in concepts) for word, concepts in table.items()}


RELATION_BITS = _as_bits(RELATIONS)
"""From each word to the relations that it names, as bits."""
MEANT_BITS: Mapping[str, int] = {
    word: RELATION_BITS.get(word, 0) | places
    for word, places in (dict.fromkeys(RELATION_BITS, 0) | dict(_as_bits(PLACES))).items()
}
"""The same with places."""
SORT_BITS: Mapping[str, int] = {
    word: sum(_SORTS[sort] for table in (RELATIONS, PLACES, ROLES) for sort in table.get(word, ()))
    for word in {*RELATIONS, *PLACES, *ROLES}
}
"""The same with roles: words of which each names another sort are not alike, whatever their letters."""
DIMINUTIVES, SHORTEST_STEM = ("cito", "cita", "zinho", "zinha", "ito", "ita", "inho", "inha"), 3
"""Endings of diminutives, and the least letters before them."""


def street_of(word: str) -> str:
    """A word of an address in full: "ave" as "avenue", "torstr" as "torstrasse"; another word as it is."""
    return STREETS.get(word) or (f"{word}asse" if word.endswith("str") else word)


@lru_cache(maxsize=1)
def _nicknames() -> Mapping[str, frozenset[str]]:
    """From every name to the names it may stand for, both ways, English ones from the `nicknames` package."""
    from nicknames import NickNamer  # 4 ms: on first use

    pairs: dict[str, set[str]] = defaultdict(set)
    for canonical, shorts in NickNamer().nickname_lookup.items():
        for short in shorts:
            pairs[short].add(canonical)
            pairs[canonical].add(short)
    for name, others in _TABLES["no_nicknames"].items():
        for other in others:
            pairs[name].discard(other)
            pairs[other].discard(name)
    for short, canonicals in _TABLES["nicknames"].items():
        for canonical in canonicals:
            pairs[short].add(canonical)
            pairs[canonical].add(short)
    return {name: frozenset(others) for name, others in pairs.items()}


@lru_cache(maxsize=65_536)
def nicknames_of(name: str) -> frozenset[str]:
    """The names that a speaker may mean by `name`: full names of a nickname, nicknames of a full name.

    Spanish and Portuguese diminutives go by their endings: "Luisito" and "Paulinho".
    """
    known = _nicknames().get(name, frozenset())
    if not name.endswith(DIMINUTIVES):
        return known
    stem = next(name.removesuffix(ending) for ending in DIMINUTIVES if name.endswith(ending))
    return known | {stem, stem + "o", stem + "a"} if len(stem) >= SHORTEST_STEM else known
