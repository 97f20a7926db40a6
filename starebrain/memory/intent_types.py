"""From the words of a task to its intent type: the article's buckets, and a rule over whole words in five languages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

from starebrain.matching.text import words
from starebrain.recall import IntentType

ARTICLE = (
    ("send", IntentType.SEND_MESSAGE),
    ("schedule", IntentType.CREATE_EVENT),
    ("calendar", IntentType.CREATE_EVENT),
    ("open", IntentType.OPEN_FILE),
    ("pay", IntentType.PAYMENT),
    ("transfer", IntentType.PAYMENT),
)
"""The article's tests, in its order: the text contains the word, wherever it stands."""

LONGEST = 40
"""Words of a description that are looked at: what a task is stands at its beginning."""

_CURRENCY = re.compile(r"[$€£¥₹₽]|\bR\$")
_SIGN = "currencysign"


def article_type(description: str) -> IntentType:
    """The article's literal rule: "resend" is a message, "payload" a payment, and the first test that holds decides."""
    said = description.lower()
    return next((found for word, found in ARTICLE if word in said), IntentType.GENERAL)


def intent_type(description: str) -> IntentType:
    """The intent type by whole words and inflections in English, German, Spanish, French and Portuguese.

    The words and the order of the rules are in ``intent_types.toml``. Questions, and orders to look something up or to
    undo something, are `general`; so is whatever no rule knows. The name of a type is of that type.
    """
    if description in IntentType:
        return IntentType(description)
    said = words(description)[:LONGEST]
    tables = _tables()
    met = 0
    of = tables.classes
    for word in said:
        met |= of.get(word, 0)
    for pair in pairwise(said):
        met |= of.get(pair, 0)
    if _CURRENCY.search(description):
        met |= of[_SIGN]
    met &= ~tables.at_start
    first = next((at for at, word in enumerate(said) if not of.get(word, 0) & tables.polite), None)
    start = 0
    if first is not None:
        start = of.get(said[first], 0) | of.get(said[first : first + 2], 0)
        met |= start & tables.at_start
    for rule in tables.rules:
        if met & rule.all == rule.all and not met & rule.none and (not rule.first or start & rule.first):
            return rule.type
    return IntentType.GENERAL


@dataclass(frozen=True, slots=True)
class _Rule:
    """One rule; classes are bits."""

    type: IntentType
    all: int
    none: int
    first: int


@dataclass(frozen=True, slots=True)
class _Tables:
    """`classes` has the bits of each word, and of each pair of words."""

    classes: Mapping[str | tuple[str, ...], int]
    rules: tuple[_Rule, ...]
    polite: int
    at_start: int


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    table: dict[str, Any] = tomllib.loads(
        files("starebrain.memory").joinpath("intent_types.toml").read_text(encoding="utf-8")
    )
    bit = {name: 1 << at for at, name in enumerate(table["classes"])}
    classes: dict[str | tuple[str, ...], int] = {}
    for name, entries in table["classes"].items():
        for entry in entries:
            parts = tuple(entry.split())
            key = parts if len(parts) > 1 else entry
            classes[key] = classes.get(key, 0) | bit[name]

    def bits(names: list[str]) -> int:
        return sum(bit[name] for name in names)

    rules = tuple(
        _Rule(
            IntentType(rule["type"]),
            bits(rule["all"]),
            bits(rule.get("none", [])),
            bits([rule["first"]] if "first" in rule else []),
        )
        for rule in table["rules"]
    )
    return _Tables(classes, rules, bit["polite"], bit["question"] | bit["ask"])
