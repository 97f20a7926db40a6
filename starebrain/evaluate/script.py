"""The script that a text is written in, as results are cut by it."""

from __future__ import annotations

from functools import lru_cache

from starebrain.matching.text import scripts

_WIDTHS = frozenset({"FULLWIDTH", "HALFWIDTH"})
_JAPANESE = frozenset({"CJK", "HIRAGANA", "KATAKANA"})
_KOREAN = frozenset({"CJK", "HANGUL"})


@lru_cache(maxsize=65_536)
def script_of(text: str) -> str:
    """The script of the letters in `text` in lower case: ``latin``, ``cyrillic``, ``arabic``, ``cjk``, …

    Kana with or without Chinese characters is ``japanese``, Hangul ``korean``; letters of several scripts are
    ``mixed``, and text without letters is ``none``.
    """
    found = {"LATIN" if script in _WIDTHS else script for script in scripts(text)}
    if not found:
        return "none"
    if found <= _JAPANESE and found != {"CJK"}:
        return "japanese"
    if found <= _KOREAN and "HANGUL" in found:
        return "korean"
    return next(iter(found)).lower() if len(found) == 1 else "mixed"
