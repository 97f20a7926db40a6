"""The words of each language (``words/*.toml``), and how a hint is cut into classified nodes."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from starebrain.kinds.readers.rules.grammar import Node
from starebrain.kinds.readers.rules.when import AM, PM, Part, When

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
"""Parts of the day, from whole hours to whole hours. Corpora disagree on them (an evening from 16 or 18 o'clock), so that
a part of the day is only ever a suggestion; these are the middle of what people write in calendars."""

MEALS: Mapping[str, tuple[int, int]] = {"breakfast": (8, 9), "lunch": (12, 13), "dinner": (19, 20)}
"""When a meal is, in whole hours, where the calendar has none by that name."""

_ONE_TO_ONE = str.maketrans(
    dict.fromkeys(map(chr, (0x2018, 0x2019, 0x201B, 0x0060, 0x00B4, 0x02BC, 0xFF07)), "'")
    | dict.fromkeys(map(chr, (0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0xFE58, 0xFF0D)), "-")
    | dict.fromkeys(map(chr, (0x00A0, 0x2002, 0x2003, 0x2007, 0x2009, 0x202F, 0x3000, 0x09, 0x0A, 0x0D)), " ")
    | {chr(0xFF10 + i): str(i) for i in range(10)}
    | {chr(0xFF1A): ":", chr(0x2236): ":", chr(0x223C): "~", chr(0xFF0F): "/", chr(0xFF0C): ",", chr(0xFF0E): "."}
)

_TOKEN = re.compile(
    r"""
      (?P<ymd>(?<![\d/.-])(?P<y>\d{4})(?P<s>\ ?[-/.]\ ?|\ )(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?![\d/-]|\.\d))
    | (?P<dmy>(?<![\d/.])(?<!-(?=\d{1,2}-))(?P<a>\d{1,2})\ ?(?P<t>[-/.])\ ?(?P<b>\d{1,2})\ ?(?P=t)\ ?(?P<c>\d{4}|\d{2})(?![\d/-]|\.\d|:))
    | (?P<spaced>(?<![\d/.-])(?P<sa>\d{2})\ (?P<sb>\d{2})\ (?P<sc>\d{4}|\d{2})(?![\d/:.-]))
    | (?P<packed>(?<!\d)(?P<py>(?:19|20)\d\d)(?P<pm>0[1-9]|1[0-2])(?P<pd>[0-3]\d)(?![\d/-]))
    | (?P<clock>(?<![\d:.,/-])(?P<ch>\d{1,2}):\ ?(?P<cm>\d{2})(?::(?P<cs>\d{2})(?:[.,]\d+)?)?(?!\d|:\d))
    | (?P<tclock>(?<=\d)[tT](?P<th>\d{2}):?(?P<tm>\d{2})(?::?(?P<ts>\d{2})(?:[.,]\d+)?)?(?!\d))
    | (?P<hclock>(?<![\d:.,/-])(?P<hh>\d{1,2})\ ?[hH]\ ?(?P<hm>\d{2})(?!\d|\ ?[hH:.]))
    | (?P<dotted>(?<![\d:.,/-])(?P<da>\d{1,2})\.(?P<db>\d{2}|\d(?=\.(?:\s|$)))(?:\.(?=\s|$))?(?![\d/:-]|\.\d))
    | (?P<slashed>(?<![\d:.,/])(?P<la>\d{1,2})\ ?/\ ?(?P<lb>\d{4}|\d{1,2})(?![\d/.:]))
    | (?P<decimal>(?<![\d:.,/-])\d{1,4}[.,]\d{1,3}(?![\d:.,/]))
    | (?P<yy>'\d\d(?!\d))
    | (?P<tagged>(?<![^\W_])[qQhHtT][1-4](?![^\W_]))
    | (?P<number>\d+)
    | (?P<meridiem>(?<![^\W\d_])[aApP]\ ?\.?\ ?[mM](?![^\W\d_])(?:\ ?\.)?)
    | (?P<word>[^\W\d_]+(?:'[^\W\d_]+)*)
    | (?P<other>[^\s])
    """,
    re.VERBOSE,
)

_SEPARATORS = {"-": "DASH", "/": "SLASH", ",": "COMMA", "+": "PLUS", ".": "COMMA", ";": "COMMA"}
_SILENT = frozenset("()[]\"!?'`*_:·…")
_ELIDED = re.compile(r"^(l|d|j|n|s|c|qu|jusqu|lorsqu|a)'(?=.)")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """One language: from folded phrases to classes and values."""

    language: str
    phrases: Mapping[tuple[str, ...], Mapping[str, Any]]
    longest: int
    suffixes: frozenset[str]
    weekdays: frozenset[str]
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
    return Lexicon(
        language,
        found,
        max(map(len, found)),
        frozenset(table["ordinal_suffix"]["all"]),
        frozenset(folded(w).rpartition(" ")[2] for said in table["weekday"].values() for w in said),
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
        units |= {str(p): n for p, n in table.get("compound_unit", {}).items()}
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
        yield phrase, {"ORD": number} | ({"MONTH_ORD": number} if table.get("months_by_number") and number <= 12 else {})
    for name, convert in _SECTIONS.items():
        for key, said in table.get(name, {}).items():
            for phrase in said:
                value = convert(key)
                yield phrase, {name.upper(): value} | {also: value for also in _ALSO.get(name, ())}
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
    "ampm": str,
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
}


_ALSO = {"part": ("WHEN",), "meal": ("WHEN",), "now": ("WHEN",), "weekdays": ("WEEKDAY",)}
"""Classes that the words of a section belong to beside their own."""


def cuts(text: str, language: str, month_first: bool) -> list[Node]:
    """A hint as classified pieces; `month_first` decides what 3/4 means. Unknown words have the class WORD."""
    words = lexicon(language)
    pieces = list(_pieces(text.translate(_ONE_TO_ONE), words, month_first))
    found: list[Node] = []
    at = 0
    while at < len(pieces):
        size = next(
            (
                n
                for n in range(min(words.longest, len(pieces) - at), 0, -1)
                if (values := words.phrases.get(tuple(p.text for p in pieces[at : at + n]))) is not None
                and (n > 1 or not pieces[at].values or "WORD" in pieces[at].values)
            ),
            0,
        )
        if size:
            values = words.phrases[tuple(p.text for p in pieces[at : at + size])]
            if language == "en" and month_first and "HALF_ALONE" in values:  # Americans do not say "half seven"
                values = {k: v for k, v in values.items() if k != "HALF_ALONE"}
            text_of = " ".join(p.text for p in pieces[at : at + size])
            found.append(Node(values, pieces[at].start, pieces[at + size - 1].end, text_of))
        elif pieces[at].values:
            found.append(pieces[at])
        at += max(size, 1)
    return found


def _pieces(text: str, words: Lexicon, month_first: bool) -> Iterator[Node]:
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        kind = next(k for k in _KINDS if match.group(k) is not None)
        raw = match.group()
        if kind in ("word", "tagged"):
            yield from _word(raw, start, words, text)
        elif kind == "meridiem":
            meridiem = AM if raw[0] in "aA" else PM
            bare = len(raw) == 2 and words.language == "de"
            yield Node({"ON": True, "LINK": True} if bare else {"AMPM": meridiem}, start, end, folded(raw))
        elif kind == "other":
            if not (
                raw in _SILENT
                or (raw == "." and words.language == "de" and text[start - 1 : start].isdigit())
                or (raw == "-" and text[start - 1 : start].isalpha() and text[end : end + 1].isalpha())
            ):
                yield _other(raw, start, text)
        elif kind == "number":
            yield _number(raw, start, end, text, words)
        else:
            values = _numeric(kind, match, words, month_first)
            yield Node(values, start, end, raw)


_KINDS = ("ymd", "dmy", "spaced", "packed", "clock", "tclock", "hclock", "dotted", "slashed", "decimal", "yy", "tagged", "number",
          "meridiem", "word", "other")  # fmt: skip


def _word(raw: str, start: int, words: Lexicon, text: str) -> Iterator[Node]:
    glued = start > 0 and text[start - 1].isdigit()
    if glued and words.language == "en" and raw in ("a", "p", "A", "P"):
        yield Node({"AMPM": AM if raw in "aA" else PM}, start, start + len(raw), folded(raw))
        return
    if glued and folded(raw) in words.suffixes:
        yield Node({"SUFFIX": True}, start, start + len(raw), folded(raw))
        return
    if words.language in ("fr", "pt") and (elided := _ELIDED.match(raw.casefold())):
        yield Node({"WORD": True}, start, start + elided.end(), folded(elided.group()))
        yield from _word(raw[elided.end() :], start + elided.end(), words, text)
        return
    yield Node({"WORD": True}, start, start + len(raw), folded(raw))


def _other(raw: str, start: int, text: str) -> Node:
    before, after = text[start - 1 : start], text[start + 1 : start + 2]
    if raw == "~":
        return Node({"DASH": True, "APPROX": True}, start, start + 1, raw)
    if raw in _SEPARATORS:
        values: dict[str, Any] = {_SEPARATORS[raw]: True}
        if raw == "-" and before.strip() and after.strip():
            values["HYPHEN"] = True
        return Node(values, start, start + 1, raw)
    return Node({"WORD": True}, start, start + 1, raw)


def _number(raw: str, start: int, end: int, text: str, words: Lexicon) -> Node:
    number = int(raw) if len(raw) <= 6 else -1
    values = number_values(number, len(raw)) if number >= 0 else {"WORD": True}
    if (
        text[end : end + 1] == "."
        and words.language == "de"
        and 1 <= number <= 31
        and not text[end + 1 : end + 2].isdigit()
    ):
        values = values | {"ORD": number} | ({"MONTH_ORD": number} if number <= 12 else {})
    return Node(values, start, end, raw)


def _numeric(kind: str, match: re.Match[str], words: Lexicon, month_first: bool) -> Mapping[str, Any]:
    group = match.group
    if kind in ("ymd", "packed"):
        names = ("y", "m", "d") if kind == "ymd" else ("py", "pm", "pd")
        year, month, day = (int(group(n)) for n in names)
        when = _ordered(month, day, month_first=True, year=year)
        return {"IMPOSSIBLE": True} if when is None else {"DATE": when, "WHEN": when, "ISO": True}
    if kind in ("dmy", "spaced"):
        a, b, c = (int(group(n)) for n in (("a", "b", "c") if kind == "dmy" else ("sa", "sb", "sc")))
        if kind == "spaced" and len(group("sc")) == 2 and words.language == "en":
            return {"WORD": True}
        when = _ordered(a, b, month_first and group("t") != ".", c if c > 99 else c + (2000 if c < 50 else 1900))
        if when is None:
            return {"IMPOSSIBLE": True}
        dots = {"DOTTED_DATE": True} if group("t") == "." and a <= 12 and b <= 12 and a != b else {}
        return {"DATE": when, "WHEN": when} | dots
    if kind in ("clock", "tclock", "hclock"):
        names = {"clock": ("ch", "cm", "cs"), "tclock": ("th", "tm", "ts"), "hclock": ("hh", "hm", "")}[kind]
        hour, minute = int(group(names[0])), int(group(names[1]))
        if hour > 24 or minute > 59:
            return {"IMPOSSIBLE": True}
        second = int(group(names[2])) if names[2] and group(names[2]) else None
        exact = True if kind != "clock" or hour == 0 or (group("ch").startswith("0")) else None
        clock = When(hour=hour, minute=minute, second=second, exact=exact)
        values: dict[str, Any] = {"CLOCK": clock, "WHEN": clock}
        if kind == "hclock":
            values["HCLOCK"] = (hour, minute)
        return values
    if kind == "dotted":
        a, b = int(group("da")), int(group("db"))
        values = {"DOTTED": (a, b), "DECIMAL": f"{a}.{group('db')}"}
        day = When(month=b, day=a)
        return values | ({"DATE": day, "WHEN": day} if words.language == "de" and 1 <= a <= 31 and 1 <= b <= 12 else {})
    if kind == "slashed":
        a, b = int(group("la")), int(group("lb"))
        if b > 999:
            when = When(year=b, month=a)
            return {"DATE": when, "WHEN": when} if 1 <= a <= 12 else {"WORD": True}
        when = _ordered(a, b, month_first)
        return {"SLASHED": (a, b)} | ({"IMPOSSIBLE": True} if when is None else {"DATE": when, "WHEN": when})
    if kind == "decimal":
        return {"DECIMAL": group().replace(",", ".")}
    return {"YY": (2000 if int(group()[1:]) < 50 else 1900) + int(group()[1:])}


def _ordered(a: int, b: int, month_first: bool, year: int | None = None) -> When | None:
    """A date of two numbers in the locale's order, in the other one where only that is a date; None where neither is."""
    month, day = (a, b) if month_first else (b, a)
    if month > 12 >= day:
        month, day = day, month
    return When(year, month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None
