"""What happens to words between a phone and a speaker: folding, slips of the fingers, mis-hearing, other letters.

The tables here are the simulator's own: a resolver that shared them would mark its own homework.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache

KEYBOARDS = (
    ("qwertyuiop", "asdfghjkl", "zxcvbnm"),
    ("йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"),
)
"""Rows of keys that slip into each other: Latin and Russian."""

NEIGHBOURS: Mapping[str, str] = {
    key: row[max(0, i - 1) : i] + row[i + 1 : i + 2] for rows in KEYBOARDS for row in rows for i, key in enumerate(row)
}

SOUNDS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "en": (
        ("f", "ph", "ff"),
        ("k", "ck", "c", "cc", "q"),
        ("s", "ss", "z"),
        ("t", "tt", "th"),
        ("n", "nn", "kn"),
        ("l", "ll"),
        ("r", "rr", "wr"),
        ("i", "y", "ie", "ee", "ey", "ea"),
        ("m", "mm"),
        ("d", "dd"),
        ("p", "pp"),
        ("o", "oh", "ow"),
        ("j", "g"),
    ),
    "de": (
        ("ai", "ei", "ay", "ey"),
        ("f", "v", "ph", "ff"),
        ("k", "ck", "c", "kk"),
        ("t", "th", "dt", "tt", "d"),
        ("z", "tz"),
        ("s", "ss", "ß"),
        ("ü", "ue", "y"),
        ("ö", "oe"),
        ("e", "ä", "ae"),
        ("n", "nn"),
        ("l", "ll"),
        ("m", "mm"),
        ("r", "rr", "rh"),
        ("i", "ie"),
    ),
    "es": (("b", "v"), ("s", "z"), ("ll", "y"), ("j", "g", "x"), ("k", "qu", "c"), ("n", "nn", "ñ"), ("i", "hi")),
    "fr": (
        ("o", "au", "eau", "ot"),
        ("e", "é", "er", "ez", "è", "ai"),
        ("f", "ph", "ff"),
        ("k", "c", "qu"),
        ("i", "y"),
        ("s", "ss", "ç"),
        ("t", "tt", "th"),
        ("n", "nn"),
        ("l", "ll"),
        ("an", "en"),
    ),
    "pt": (
        ("s", "z", "ss", "ç"),
        ("x", "ch"),
        ("i", "y"),
        ("f", "ph"),
        ("k", "c", "qu"),
        ("n", "nn"),
        ("l", "ll"),
        ("t", "th", "tt"),
        ("ou", "o"),
    ),
    "ru": (("о", "а"), ("и", "е"), ("ф", "в"), ("т", "д"), ("з", "с"), ("к", "г"), ("н", "нн"), ("л", "лл")),
}
"""Spellings that sound alike, by language; the first of each is the one that sounds are compared by."""

CYRILLIC = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
RUSSIAN: tuple[Mapping[str, str], ...] = tuple(
    dict(zip(CYRILLIC, written.replace("_", "").split(" "), strict=True))
    for written in (
        "a b v g d e e zh z i y k l m n o p r s t u f kh ts ch sh shch _ y _ e yu ya",
        "a b v g d e yo j z i j k l m n o p r s t u f h c ch sh sch _ y _ e iu ia",
    )
)
"""Two ways in which people write Russian in Latin letters: as passports do, and as chats do."""


NOT_WORD = re.compile("[^a-z0-9]+")
VOICING = "\u3099\u309a"
"""Marks that make another kana of one."""
LETTERS = VOICING + "\u0306"
"""Marks that make another letter of one, the Russian й among them."""


@lru_cache(maxsize=1 << 17)
def fold(text: str) -> str:
    """`text` as two people would call it the same: no case, no diacritics, no punctuation, single blanks."""
    if text.isascii():
        return NOT_WORD.sub(" ", text.lower()).strip()
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    kept = (c if c.isalnum() or c in VOICING else " " for c in plain if c in VOICING or not unicodedata.combining(c))
    return unicodedata.normalize("NFC", " ".join("".join(kept).split()))


def undotted(text: str) -> str:
    """`text` in lower case without diacritics, as hurried people type: "josé" becomes "jose"."""
    plain = unicodedata.normalize("NFKD", text.lower())
    return unicodedata.normalize("NFC", "".join(c for c in plain if not unicodedata.combining(c) or c in LETTERS))


@lru_cache(maxsize=1 << 16)
def sound(text: str, language: str) -> str:
    """A key that spellings which sound alike share; "" where the language has no table."""
    if language not in SOUNDS:
        return ""
    spelled, first = _sounds(language)
    return spelled.sub(lambda match: first[match.group()], text.lower())


def misheard(text: str, language: str, pick: Callable[[Sequence[str]], str]) -> str | None:
    """`text` with one sound written otherwise, or None where nothing in it can be; `pick` chooses."""
    low = text.lower()
    classes = SOUNDS.get(language, ())
    options = []
    for at in range(len(low)):
        for spellings in classes:
            for spelled in spellings:
                if low.startswith(spelled, at) and len(low) > len(spelled):
                    firsts = [o for o in spellings if at or o[:1] != o[1:2]]
                    options += [low[:at] + other + low[at + len(spelled) :] for other in firsts if other != spelled]
    wanted = sound(low, language)
    written = dict.fromkeys(o.title() if text[:1].isupper() else o for o in options)
    heard = [o for o in written if sound(o, language) == wanted and fold(o) != fold(low)]
    return pick(heard) if heard else None


def slipped(text: str, pick: Callable[[Sequence[str]], str]) -> str | None:
    """`text` with one slip of the fingers inside a word of four letters or more; None where there is none.

    Two letters swapped, one left out, one twice, or a neighbouring key; the first letter stays, as in most slips.
    """
    options = []
    for at in range(1, len(text)):
        a = text[at]
        start = max(text.rfind(" ", 0, at), text.rfind("-", 0, at)) + 1
        if at == start or not a.isalpha() or len(text[start:].split(" ")[0]) < 4:
            continue
        if a.lower() not in NEIGHBOURS:
            continue
        options += [text[:at] + text[at + 1 :], text[:at] + a + text[at:]]
        options += [text[:at] + key + text[at + 1 :] for key in NEIGHBOURS[a.lower()]]
        if at + 1 < len(text) and text[at + 1].isalpha() and text[at + 1] != a:
            options.append(text[:at] + text[at + 1] + a + text[at + 2 :])
    options = [o for o in dict.fromkeys(options) if fold(o) != fold(text)]
    return pick(options) if options else None


def latin(text: str, readings: Mapping[str, str], scheme: int = 0) -> str:
    """`text` in Latin letters: Russian by one of two schemes, Japanese names by their `readings`, the rest as it is."""
    if text in readings:
        return readings[text]
    table = RUSSIAN[scheme]
    if not any(c in table for c in text.lower()):
        return text
    written = "".join(table.get(c, c) for c in text.lower())
    return " ".join(word[:1].upper() + word[1:] for word in written.split(" "))


def slug(text: str) -> str:
    """`text` as part of a mail address: ASCII letters and digits."""
    plain = fold(text.casefold().translate(PLAIN))
    return "".join(c for c in plain if c.isascii() and c.isalnum())


PLAIN = str.maketrans({"ø": "o", "ł": "l", "ı": "i", "æ": "ae", "œ": "oe", "đ": "d"})
"""Letters that do not come apart into a plain one and a mark."""


@cache
def _sounds(language: str) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """All spellings of a language, longest first, and what each is compared by."""
    first = {spelling: spellings[0] for spellings in SOUNDS[language] for spelling in spellings}
    return re.compile("|".join(sorted(map(re.escape, first), key=len, reverse=True))), first
