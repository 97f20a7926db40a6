"""What can go wrong, said so that a person can mend it: the fact, the place, the remedy."""

from __future__ import annotations

from pathlib import Path


class StarebrainError(Exception):
    """A failure that the user can mend.

    The message reads ``file: place: fact. remedy``; parts that are not known are left out. Control characters in it
    are shown as escapes, because facts may quote text from a phone.
    """

    def __init__(
        self, fact: str, *, file: str | Path | None = None, place: str | None = None, remedy: str | None = None
    ) -> None:
        self.fact = fact
        self.file = None if file is None else str(file)
        self.place = place
        self.remedy = remedy
        where = [part for part in (self.file, place) if part]
        sentence = fact if remedy is None else f"{fact.rstrip('.')}. {remedy}"
        super().__init__(printable(": ".join([*where, sentence])))


class InvalidInput(StarebrainError, ValueError):
    """A file, an argument or a value breaks the format it claims."""


class MissingData(StarebrainError):
    """Data that others published is not where the user said it is."""


class TornSnapshot(StarebrainError):
    """A source on the phone changed while another was being read."""


def printable(text: str) -> str:
    """`text` on one line, with control, bidirectional and unpaired surrogate characters as escapes such as ``\\u202e``."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode("ascii") for c in text)
