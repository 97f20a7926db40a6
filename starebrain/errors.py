"""What can go wrong, said so that a person can mend it: the fact, the place, the remedy."""

from __future__ import annotations

import unicodedata
from datetime import datetime
from pathlib import Path

LONGEST = 300
"""Longest file name, place, fact or remedy shown, in characters: they may quote text from a phone."""


class StarebrainError(Exception):
    """A failure that the user can mend.

    The message reads ``file: place: fact. remedy``; parts that are not known are left out. Control characters in it
    are shown as escapes and long parts are cut, because they may quote text from a phone.
    """

    def __init__(
        self, fact: str, *, file: str | Path | None = None, place: str | None = None, remedy: str | None = None
    ) -> None:
        self.fact = fact
        self.file = None if file is None else str(file)
        self.place = place
        self.remedy = remedy
        where = [_cut(part) for part in (self.file, place) if part]
        sentence = _cut(fact) if remedy is None else f"{_cut(fact.rstrip('.'))}. {remedy}"
        super().__init__(printable(": ".join([*where, sentence])))


class InvalidInput(StarebrainError, ValueError):
    """A file, an argument or a value breaks the format it claims."""


class MissingData(StarebrainError):
    """Data that others published is not where the user said it is."""


class TornSnapshot(StarebrainError):
    """A source on the phone changed while another was being read."""


def printable(text: str) -> str:
    """`text` on one line, with control, bidirectional and unpaired surrogate characters as escapes such as ``\\u202e``.

    Blanks of any width stay as they are: names in Japanese and Chinese are full of them.
    """
    return "".join(
        c if c.isprintable() or unicodedata.category(c) == "Zs" else c.encode("unicode_escape").decode("ascii")
        for c in text
    )


def require(holds: bool, place: str, fact: str) -> None:
    """Raise `InvalidInput` with `fact` at `place` unless it `holds`."""
    if not holds:
        raise InvalidInput(fact, place=place)


def require_instant(instant: datetime | None, place: str) -> None:
    """Raise `InvalidInput` for an instant without an offset, or too near the ends of time for some zone to show it."""
    if instant is None:
        return
    if instant.utcoffset() is None:
        raise InvalidInput(
            f"{instant.isoformat()} has no offset", place=place, remedy="Write instants as 2026-11-05T09:30:00-05:00."
        )
    if not 1 < instant.year < 9999:
        raise InvalidInput(f"{instant.isoformat()} is outside the years 2 to 9998", place=place)


def _cut(text: str) -> str:
    """`text`, its middle left out where it is too long: the fact follows what it quotes."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST * 2 // 3]}…{text[-LONGEST // 3 + 1 :]}"
