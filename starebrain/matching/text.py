"""One normaliser for every comparison: text in any script to plain lower-case words.

`words` composes, folds case (ß, dotless ı), drops apostrophes, joins nothing else, turns hyphens, symbols, emoji and
punctuation into blanks, removes zero-width and direction characters, and writes letters of other scripts in Latin ones
(anyascii; Chinese and Japanese by Chinese readings, a guess at most). Empty after folding means that nothing was said.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from anyascii import anyascii
from doublemetaphone import doublemetaphone  # type: ignore[import-untyped]

MAX_LENGTH = 1_000
"""Characters of a text that are compared; what follows is ignored."""

_APOSTROPHES = dict.fromkeys(map(ord, "'’‘`´ʼʻ＇‛′ʹ"))
_ASCII = {i: (" " if not chr(i).isalnum() else chr(i).lower()) for i in range(128)} | {ord("'"): None, ord("`"): None}
_SYLLABLE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DIGRAPHS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "æ": "ae", "ø": "oe"})
_ALIKE = str.maketrans("01i", "oll")
_LATIN = "LATIN"


def words(text: str) -> tuple[str, ...]:
    """The words of `text`, folded to ``[a-z0-9]+``; empty where nothing is left."""
    if len(text) > MAX_LENGTH:
        text = text[:MAX_LENGTH]
    if text.isascii():
        return tuple(text.translate(_ASCII).split())
    return _words(text)


def digraph_words(text: str) -> tuple[str, ...]:
    """The words of `text` with umlauts spelled out ("müller" as "mueller"), or () where it has none."""
    if text.isascii():
        return ()
    composed = unicodedata.normalize("NFC", text[:MAX_LENGTH]).casefold()
    spelled = composed.translate(_DIGRAPHS)
    return () if spelled == composed else _words(spelled)


@lru_cache(maxsize=65_536)
def _words(text: str) -> tuple[str, ...]:
    folded = []
    for c in unicodedata.normalize("NFKC", text.translate(_APOSTROPHES)).casefold():
        category = unicodedata.category(c)
        if category in ("Cf", "Cs", "Cn", "Co"):
            continue
        folded.append(c if category[0] in "LMN" else " ")
    latin = _SYLLABLE.sub(" ", anyascii("".join(folded)))
    return tuple(latin.translate(_ASCII).split())


@lru_cache(maxsize=65_536)
def sound(word: str) -> str:
    """The primary Double Metaphone code of a word, or "" where it has none or too short a one to tell words apart."""
    code = doublemetaphone(word)[0]
    return code if len(code) > 1 else ""


@lru_cache(maxsize=65_536)
def skeleton(text: str) -> str:
    """What `text` looks like, blanks apart: each letter as the one it can be mistaken for (after Unicode UTS #39)."""
    if not text.isascii():
        from confusable_homoglyphs.confusables import confusables_data  # type: ignore[import-untyped]  # loaded where a text needs it

        looks = []
        for c in unicodedata.normalize("NFKC", text):
            alike = [entry["c"] for entry in confusables_data.get(c, ()) if entry["c"].isascii()]
            looks.append(c if c.isascii() or not alike else alike[0])
        text = "".join(looks)
    return "".join(words(text)).translate(_ALIKE).replace("rn", "m")


@lru_cache(maxsize=65_536)
def scripts(text: str) -> frozenset[str]:
    """The scripts of the letters in `text` by the first word of their Unicode names: ``{"LATIN", "CYRILLIC"}``."""
    if text.isascii():
        return frozenset({_LATIN}) if any(map(str.isalpha, text)) else frozenset()
    return frozenset(unicodedata.name(c, "?").split()[0].split("-")[0] for c in text if c.isalpha())


def mixes_scripts(text: str) -> bool:
    """Whether one word of `text` mixes Latin letters with look-alikes of another script."""
    return not text.isascii() and any(
        _LATIN in scripts(word) and scripts(word) & {"CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"}
        for word in text.split()
    )
