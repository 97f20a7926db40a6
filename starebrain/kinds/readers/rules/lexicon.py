"""The words of each language, from ``words/*.toml``."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from starebrain.kinds.readers.rules.grammar import character
from starebrain.kinds.readers.rules.when import Part, When

LANGUAGES = ("en", "de", "fr", "es", "pt")

PARTS: Mapping[str, When] = {
    "early_morning": When(part=Part("early_morning", 6, 9, tuple(range(1, 12)))),
    "morning": When(part=Part("morning", 8, 12, tuple(range(1, 12)))),
    "forenoon": When(part=Part("morning", 9, 12, tuple(range(7, 12)))),
    "noonish": When(part=Part("noon", 12, 14, (11,), (12, 1, 2))),
    "afternoon": When(part=Part("afternoon", 12, 17, (), (12, 1, 2, 3, 4, 5, 6, 7))),
    "afternoon_or_evening": When(part=Part("afternoon", 12, 19, (), (12, 1, 2, 3, 4, 5, 6, 7, 8))),
    "late_afternoon": When(part=Part("late_afternoon", 15, 18, (), (3, 4, 5, 6))),
    "evening": When(part=Part("evening", 18, 22, (), (4, 5, 6, 7, 8, 9, 10, 11))),
    "late_evening": When(part=Part("evening", 20, 23, (), (8, 9, 10, 11))),
    "night": When(part=Part("night", 20, 24, (12, 1, 2, 3, 4, 5), (7, 8, 9, 10, 11))),
    "small_hours": When(part=Part("small_hours", 0, 6, (12, 1, 2, 3, 4, 5))),
    "tonight": When(days=0, part=Part("evening", 18, 24, (), (5, 6, 7, 8, 9, 10, 11))),
    "tonight_evening": When(days=0, part=Part("evening", 18, 22, (), (5, 6, 7, 8, 9, 10, 11))),
    "today_morning": When(days=0, part=Part("morning", 8, 12, tuple(range(1, 12)))),
    "tomorrow_morning": When(days=1, part=Part("morning", 8, 12, tuple(range(1, 12)))),
    "today_noon": When(days=0, part=Part("noon", 12, 14, (11,), (12, 1, 2))),
    "today_afternoon_or_evening": When(days=0, part=Part("afternoon", 12, 19, (), (12, 1, 2, 3, 4, 5, 6, 7, 8))),
    "today_afternoon": When(days=0, part=Part("afternoon", 12, 17, (), (12, 1, 2, 3, 4, 5, 6, 7))),
    "last_night": When(days=-1, part=Part("night", 20, 24, (), (6, 7, 8, 9, 10, 11))),
}
"""Parts of the day, and the days that some of them name.

Corpora disagree on the hours (an evening from 16 or 18 o'clock), and a part of the day is only ever a suggestion; these
are plain choices of ours.
"""

MEALS: Mapping[str, tuple[int, int]] = {"breakfast": (8, 9), "lunch": (12, 13), "dinner": (19, 20)}
"""When a meal is, in whole hours, where the calendar has none by that name."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """One language: from folded phrases to classes and values."""

    language: str
    phrases: Mapping[tuple[str, ...], Mapping[str, Any]]
    longest: int
    suffixes: frozenset[str]
    determiners: frozenset[str]


@lru_cache(maxsize=16_384)
def folded(word: str) -> str:
    """A word without case, accents and apostrophes."""
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in plain if not unicodedata.combining(c) and c != "'")


@cache
def lexicon(language: str) -> Lexicon:
    """The words of a language of `LANGUAGES`."""
    table = tomllib.loads(files("starebrain.kinds.readers.rules").joinpath(f"words/{language}.toml").read_text("utf-8"))
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for phrase, values in _entries(table):
        for spelled in {phrase, _digraphs(phrase)}:
            key = tuple(folded(word) for word in spelled.replace("-", " ").split())
            found.setdefault(key, {}).update(values)
    for values in found.values():
        character(frozenset(values))
    return Lexicon(
        language,
        found,
        max(map(len, found)),
        frozenset(table["ordinal_suffix"]["all"]),
        frozenset(folded(w) for w in table["determiner"]["all"]),
    )


def number_values(number: int, digits: int = 0) -> dict[str, Any]:
    """The classes of a whole number; `digits` is how many were written, 0 where it was spelled out."""
    values: dict[str, Any] = {"NUM": number, "DIGITS" if digits else "SPELLED": number}
    if number <= 24 and digits <= 2:
        values["HOUR"] = number
    if 1 <= number <= 31 and digits <= 2:
        values["DOM"] = number
    if 1 <= number <= 12 and digits <= 2:
        values["MONTH_NUM"] = number
    if number <= 59 and digits in (0, 2):
        values["MIN"] = number
    if 1000 <= number <= 2999 and digits in (0, 4):
        values["YEAR"] = number
    if digits in (3, 4) and number // 100 <= 23 and number % 100 <= 59 and not 1900 <= number <= 2099:
        values["PACKED_CLOCK"] = number
        if digits == 4 and number < 1000:
            values["LEADING_ZERO"] = number
    if 32 <= number <= 99 and digits in (0, 2):
        values["YY"] = 1900 + number
    if digits == 2 and number < 32:
        values["LOW_YY"] = 2000 + number
    return values


def _digraphs(phrase: str) -> str:
    return phrase.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")


def _entries(table: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every phrase of a words file with its classes and values."""
    numbers = {phrase: int(n) for n, said in table["number"].items() for phrase in said}
    ordinals = {phrase: int(n) for n, said in table["ordinal"].items() for phrase in said}
    tens = {p: n for p, n in numbers.items() if n % 10 == 0 and n >= 20}
    units = {p: n for p, n in numbers.items() if 1 <= n <= 9 and " " not in p}
    shapes = table.get("compound", {})
    if "tens_unit" in shapes:
        numbers |= {shapes["tens_unit"].format(tens=t, unit=u): tens[t] + n for t in tens for u, n in units.items()}
    if "tens_ordinal" in shapes:
        numbered = {p: n for p, n in ordinals.items() if 1 <= n <= 9}
        ordinals |= {
            shapes["tens_ordinal"].format(tens=t, ordinal=o): tens[t] + n
            for t in tens
            for o, n in numbered.items()
            if tens[t] <= 30
        }
    for phrase, number in numbers.items():
        yield phrase, number_values(number)
    for phrase, number in ordinals.items():
        yield (
            phrase,
            {"ORD": number} | ({"MONTH_ORD": number} if table.get("months_by_number") and number <= 12 else {}),
        )
    for name, convert in _SECTIONS.items():
        for key, said in table.get(name, {}).items():
            for phrase in said:
                yield phrase, dict.fromkeys(_CLASSES.get(name, (name.upper(),)), convert(key))
    for key, said in table.get("weekday_part", {}).items():
        for day, names in table["weekday"].items():
            for phrase in (name + part for name in names if len(name) > 2 for part in said):
                yield phrase, {"WHEN": replace(PARTS[key], weekday=int(day))}
    for key, said in table["word"].items():
        for phrase in said:
            yield phrase, {key: True}


_SECTIONS: Mapping[str, Any] = {
    "weekday": int,
    "weekdays": int,
    "month": int,
    "unit": str,
    "weekend": int,
    "days": int,
    "turn": int,
    "turn_after": int,
    "part": PARTS.__getitem__,
    "noon": int,
    "edge": str,
    "span_word": lambda key: tuple(key.split()),
    "holiday": str,
    "meal": lambda key: When(part=Part(key, *MEALS[key])),
    "now": lambda key: When(now=True),
    "quarter_number": int,
    "half_number": int,
    "century": int,
    "decimal": str,
    "fraction": int,
    "some": int,
}


_CLASSES: Mapping[str, tuple[str, ...]] = {
    "some": ("NUM",),
    "part": ("PART", "WHEN"),
    "meal": ("MEAL", "WHEN"),
    "now": ("NOW", "WHEN"),
    "weekdays": ("WEEKDAYS", "WEEKDAY"),
}
"""Classes of the words of a section where they are not the section's name alone."""
