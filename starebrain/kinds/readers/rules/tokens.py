"""How a hint is cut into classified nodes: dates and times as they are written, and the words of a language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from starebrain.kinds.readers.rules.grammar import Node
from starebrain.kinds.readers.rules.lexicon import Lexicon, folded, lexicon, number_values
from starebrain.kinds.readers.rules.when import AM, PM, When

Values = Mapping[str, Any]
Build = Callable[[re.Match[str], "Writing"], Values | None]

IMPOSSIBLE: Values = {"IMPOSSIBLE": True}
"""A written date or time that does not exist."""

WORD: Values = {"WORD": True}
"""A word that no words file knows."""

_ALIKE = str.maketrans(
    dict.fromkeys(map(chr, (0x2018, 0x2019, 0x201B, 0x0060, 0x00B4, 0x02BC, 0xFF07)), "'")
    | dict.fromkeys(map(chr, (0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0xFE58, 0xFF0D)), "-")
    | dict.fromkeys(map(chr, (0x00A0, 0x2002, 0x2003, 0x2007, 0x2009, 0x202F, 0x3000, 0x09, 0x0A, 0x0D)), " ")
    | {chr(0xFF10 + i): str(i) for i in range(10)}
    | {chr(0xFF1A): ":", chr(0x2236): ":", chr(0x223C): "~", chr(0xFF0F): "/", chr(0xFF0C): ",", chr(0xFF0E): "."}
)
"""Quotes, dashes, blanks and wide digits that stand for plain ones; one for one, so that places stay."""

_SEPARATORS: Mapping[str, Values] = {
    "/": {"SLASH": True},
    ",": {"COMMA": True},
    ".": {"COMMA": True},
    ";": {"COMMA": True},
    "+": {"PLUS": True},
    "~": {"DASH": True, "APPROX": True},
}
_FULL_STOP = re.compile(r"\.(?!\d)")
_SILENT = frozenset("()[]\"!?'`*_:·…")


@dataclass(frozen=True, slots=True)
class Writing:
    """How a hint is written: its text, its language, and whether 3/4 is the fourth of March."""

    text: str
    words: Lexicon
    month_first: bool


def cuts(text: str, language: str, month_first: bool) -> list[Node]:
    """A hint as classified nodes, longest phrases first; unknown words have the class WORD."""
    words = lexicon(language)
    pieces = list(_pieces(Writing(text.translate(_ALIKE), words, month_first)))
    found: list[Node] = []
    at = 0
    while at < len(pieces):
        size, values = _phrase(pieces, at, words)
        if "HALF_ALONE" in values and month_first:  # Americans do not say "half seven"
            values = {k: v for k, v in values.items() if k != "HALF_ALONE"}
        phrase = pieces[at : at + size]
        found.append(Node(values, phrase[0].start, phrase[-1].end, " ".join(p.text for p in phrase)))
        at += size
    return found


def _phrase(pieces: list[Node], at: int, words: Lexicon) -> tuple[int, Values]:
    """How many pieces the longest known phrase at a place has, and its classes; a number stands for itself."""
    for size in range(min(words.longest, len(pieces) - at), 0, -1):
        known = words.phrases.get(tuple(p.text for p in pieces[at : at + size]))
        if known is not None and (size > 1 or "WORD" in pieces[at].values):
            return size, known
    return 1, pieces[at].values


def _pieces(writing: Writing) -> Iterator[Node]:
    at, text = 0, writing.text
    while at < len(text):
        for pattern, build in FORMS:
            match = pattern.match(text, at)
            if match is not None and (values := build(match, writing)) is not None:
                if values:
                    yield Node(values, at, match.end(), folded(match.group()))
                at = match.end()
                break


# Written forms ------------------------------------------------------------------------------------------------------


def _date_of(year: int | None, month: int, day: int) -> When | None:
    return When(year, month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def _ordered(a: int, b: int, month_first: bool, year: int | None = None) -> When | None:
    """A date of two numbers in the locale's order, in the other one where only that is a date; None where neither."""
    return _date_of(year, *((a, b) if month_first else (b, a))) or _date_of(year, *((b, a) if month_first else (a, b)))


def _date(when: When | None, **more: Any) -> Values:
    return IMPOSSIBLE if when is None else {"DATE": when, "WHEN": when, **more}


def _full_year(digits: str) -> int:
    """A year; of two digits that of 1950 to 2049."""
    year = int(digits)
    return year if len(digits) > 2 else year + (2000 if year < 50 else 1900)


def _iso(match: re.Match[str], writing: Writing) -> Values:
    return _date(_ordered(int(match["m"]), int(match["d"]), True, int(match["y"])), ISO=True)


def _numeric(match: re.Match[str], writing: Writing) -> Values:
    a, b, dots = int(match["a"]), int(match["b"]), match["sep"] == "."
    when = _ordered(a, b, writing.month_first and not dots, _full_year(match["y"]))
    return _date(when, **({"DOTTED_DATE": True} if dots and a <= 12 and b <= 12 and a != b else {}))


def _spaced(match: re.Match[str], writing: Writing) -> Values | None:
    """ "18 08 1978"; in English only with a full year."""
    if writing.words.language == "en" and len(match["y"]) == 2:
        return None
    return _date(_ordered(int(match["a"]), int(match["b"]), writing.month_first, _full_year(match["y"])))


def _clock(match: re.Match[str], writing: Writing) -> Values:
    exact = match["h"].startswith("0") or None
    return _time(match["h"], match["m"], match["s"], exact)


def _exact_clock(match: re.Match[str], writing: Writing) -> Values:
    return _time(match["h"], match["m"], match.groupdict().get("s"), True)


def _time(hour: str, minute: str, second: str | None, exact: bool | None) -> Values:
    if int(hour) > 24 or int(minute) > 59 or int(second or 0) > 59:
        return IMPOSSIBLE
    when = When(hour=int(hour), minute=int(minute), second=None if second is None else int(second), exact=exact)
    return {"CLOCK": when, "WHEN": when}


def _dotted(match: re.Match[str], writing: Writing) -> Values:
    a, b = int(match["a"]), int(match["b"])
    values = {"DOTTED": (a, b), "DECIMAL": f"{a}.{match['b']}"}
    day = _date_of(None, b, a) if writing.words.language == "de" else None
    return values if day is None else {**values, "DATE": day, "WHEN": day}


def _slashed(match: re.Match[str], writing: Writing) -> Values:
    a, b = int(match["a"]), int(match["b"])
    if b > 999:
        when = When(year=b, month=a) if 1 <= a <= 12 else None
        return WORD if when is None else _date(when)
    return {"SLASHED": (a, b), **_date(_ordered(a, b, writing.month_first))}


def _decimal(match: re.Match[str], writing: Writing) -> Values:
    return {"DECIMAL": match.group().replace(",", ".")}


def _short_year(match: re.Match[str], writing: Writing) -> Values:
    return {"YY": _full_year(match["y"])}


def _number(match: re.Match[str], writing: Writing) -> Values:
    """A whole number of at most six digits; in German also the ordinal that a full stop makes of it."""
    if len(match.group()) > 6:
        return WORD
    number = int(match.group())
    values = number_values(number, len(match.group()))
    dot = writing.words.language == "de" and _FULL_STOP.match(writing.text, match.end())
    if dot and 1 <= number <= 31:
        return values | {"ORD": number} | ({"MONTH_ORD": number} if number <= 12 else {})
    return values


def _suffix(match: re.Match[str], writing: Writing) -> Values | None:
    return {"SUFFIX": True} if folded(match.group()) in writing.words.suffixes else None


def _glued_half(match: re.Match[str], writing: Writing) -> Values | None:
    return {"AMPM": AM if match.group() in "aA" else PM} if writing.words.language == "en" else None


def _half(match: re.Match[str], writing: Writing) -> Values | None:
    """am and pm in all spellings; German "am" is a preposition."""
    if writing.words.language == "de" and len(match.group()) == 2:
        return None
    return {"AMPM": AM if match.group()[0] in "aA" else PM}


def _elided(match: re.Match[str], writing: Writing) -> Values | None:
    return WORD if writing.words.language in ("fr", "pt") else None


def _word(match: re.Match[str], writing: Writing) -> Values:
    return WORD


def _dash(match: re.Match[str], writing: Writing) -> Values:
    """A dash; nothing between two letters ("week-end")."""
    before, after = writing.text[match.start() - 1 : match.start()], writing.text[match.end() : match.end() + 1]
    if before.isalpha() and after.isalpha():
        return {}
    return {"DASH": True, "HYPHEN": True} if before.strip() and after.strip() else {"DASH": True}


def _mark(match: re.Match[str], writing: Writing) -> Values:
    mark, before = match.group(), writing.text[match.start() - 1 : match.start()]
    if mark in _SILENT or mark.isspace() or (mark == "." and writing.words.language == "de" and before.isdigit()):
        return {}
    return _SEPARATORS.get(mark, WORD)


FORMS: tuple[tuple[re.Pattern[str], Build], ...] = tuple(
    (re.compile(pattern), build)
    for pattern, build in (
        (r"\s+", _mark),
        (r"(?<![\d/.-])(?P<y>\d{4})(?P<sep> ?[-/.] ?| )(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})(?![\d/-]|\.\d)", _iso),
        (
            r"(?<![\d/.])(?<!-(?=\d{1,2}-))(?P<a>\d{1,2}) ?(?P<sep>[-/.]) ?(?P<b>\d{1,2}) ?(?P=sep) ?(?P<y>\d{4}|\d\d)"
            r"(?![\d/-]|\.\d|:)",
            _numeric,
        ),
        (r"(?<![\d/.-])(?P<a>\d\d) (?P<b>\d\d) (?P<y>\d{4}|\d\d)(?![\d/:.-])", _spaced),
        (r"(?<!\d)(?P<y>(?:19|20)\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>[0-3]\d)(?![\d/-])", _iso),
        (r"(?<![\d:.,/-])(?P<h>\d{1,2}): ?(?P<m>\d\d)(?::(?P<s>\d\d)(?:[.,]\d+)?)?(?!\d|:\d)", _clock),
        (r"(?<=\d)[tT](?P<h>\d\d):?(?P<m>\d\d)(?::?(?P<s>\d\d)(?:[.,]\d+)?)?(?!\d)", _exact_clock),
        (r"(?<![\d:.,/-])(?P<h>\d{1,2}) ?[hH] ?(?P<m>\d\d)(?!\d| ?[hH:.])", _exact_clock),
        (r"(?<![\d:.,/-])(?P<a>\d{1,2})\.(?P<b>\d\d|\d(?=\.(?:\s|$)))(?:\.(?=\s|$))?(?![\d/:-]|\.\d)", _dotted),
        (r"(?<![\d:.,/])(?P<a>\d{1,2}) ?/ ?(?P<b>\d{4}|\d{1,2})(?![\d/.:])", _slashed),
        (r"(?<![\d:.,/-])\d{1,4}[.,]\d{1,3}(?![\d:.,/])", _decimal),
        (r"'(?P<y>\d\d)(?!\d)", _short_year),
        (r"(?<![^\W_])[qQhHtT][1-4](?![^\W_])", _word),
        (r"\d+", _number),
        (r"(?<=\d)[aApP](?![^\W\d_])", _glued_half),
        (r"(?<=\d)[^\W\d_]+(?![^\W\d_])", _suffix),
        (r"(?<![^\W\d_])[aApP] ?\.? ?[mM](?![^\W\d_])(?: ?\.)?", _half),
        (r"(?<![^\W\d_])(?i:l|d|j|n|s|c|qu|jusqu|lorsqu)'(?=.)", _elided),
        (r"[^\W\d_]+(?:'[^\W\d_]+)*", _word),
        (r"-", _dash),
        (r".", _mark),
    )
)
"""What is tried at each place of a hint, in this order."""
