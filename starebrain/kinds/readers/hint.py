"""A hint as readers get it: cut into words of its language, with what its locale says about dates and hours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from starebrain.kinds.readers.reading import Flag, Reading
from starebrain.kinds.readers.rules.grammar import Node
from starebrain.kinds.readers.rules.lexicon import LANGUAGES
from starebrain.kinds.readers.rules.resolve import Manner
from starebrain.kinds.readers.rules.tokens import cuts

MONTH_FIRST = frozenset({"en_US", "en_PH", "es_US", "en"})
"""Locales that write the month before the day (CLDR 45, short date format); a bare "en" counts as American."""

TWELVE_HOUR_SPANISH = frozenset({"US", "MX", "CO", "VE", "PE", "EC", "DO", "GT", "HN", "NI", "PA", "PR", "SV", "CR"})
"""Spanish-speaking territories that say a. m. and p. m. (CLDR 45, preferred hour cycle h12)."""

MAX_CHARACTERS: Mapping[str, int] = {"fr": 48}  # of others 72
MAX_CHARACTERS_UNREAD = 40
MAX_WORDS, MAX_NUMBERS, MAX_UNITS = 14, 5, 3
MAX_WORDS_UNREAD, MAX_NUMBERS_UNREAD = 6, 3
MAX_NUMBER = 9_999
"""Bounds of what is passed to the libraries, smaller ones for what our rules do not understand.

Each takes more than linear time on repetitive text: chrono-python 57 ms on 120 characters of "2 days", Recognizers
108 ms on 120 of "3 h" (Python 3.13, one core of 2); and Recognizers counts "900000 Sundays from now" one by one.
"""

_NUMBERS = frozenset({"NUM", "ORD", "CLOCK", "DATE", "DECIMAL", "YY", "QUARTER_NUMBER"})

_TIMELY = ("ORD", "CLOCK", "DATE", "WEEKDAY", "MONTH", "UNIT", "PART", "DAYS", "TURN", "WEEKEND", "AMPM", "YY")

IDLE = frozenset({"LINK", "STOP", "COMMA", "AT", "THE", "DAY_MARK", "OF"})
"""Classes of words that a reading may leave out."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint, its words in `language` (`nodes`), and how its locale writes dates and says hours."""

    text: str
    language: str
    month_first: bool
    manner: Manner
    nodes: tuple[Node, ...] = field(compare=False)

    def short(self, understood: bool) -> bool:
        """Whether it is short enough for the libraries, `understood` or not by our rules."""
        numbers = sum(not _NUMBERS.isdisjoint(n.values) for n in self.nodes)
        units = sum("UNIT" in n.values for n in self.nodes)
        return (
            len(self.text) <= (MAX_CHARACTERS.get(self.language, 72) if understood else MAX_CHARACTERS_UNREAD)
            and len(self.nodes) <= (MAX_WORDS if understood else MAX_WORDS_UNREAD)
            and numbers <= (MAX_NUMBERS if understood else MAX_NUMBERS_UNREAD)
            and units <= MAX_UNITS
            and (understood or (self.has(*_TIMELY) and not self.leaning))
            and all(n.values.get("NUM", 0) <= MAX_NUMBER for n in self.nodes)
        )

    @property
    def leaning(self) -> bool:
        """Whether it puts words that are no time after "before", "after", "during" or "when"."""
        return self.has("WORD", "MEAL") and self.has("BEFORE", "AFTER", "DURING", "WHEN_EVENT")

    def covered(self, start: int, end: int) -> bool:
        """Whether only idle words lie outside [start, end)."""
        return all((start < n.end and n.start < end) or not IDLE.isdisjoint(n.values) for n in self.nodes)

    def has(self, *classes: str) -> bool:
        """Whether a word belongs to one of the classes."""
        return any(c in n.values for n in self.nodes for c in classes)


class TimeReader(Protocol):
    """Something that reads time expressions."""

    @property
    def name(self) -> str:
        """Its name in `Reading.readers` and in tables."""
        ...

    def load(self, language: str) -> None:
        """Load what reading a language of `LANGUAGES` needs, once; this alone may take seconds."""
        ...

    def read(self, hint: Hint, now: datetime) -> list[Reading]:
        """The readings of the whole hint at a local time without zone, most likely first; [] where it has none.

        May raise, or never come back: that is no answer.
        """
        ...


def territory_of(locale: str) -> str:
    """The territory of ``en_US``, "" where none is named."""
    return locale.rpartition("_")[2].upper() if "_" in locale else ""


def hint_in(text: str, locale: str, language: str) -> Hint:
    """A hint cut by the words of one language of `LANGUAGES`."""
    month_first = locale in MONTH_FIRST or not locale
    twelve = language == "en" or (language == "es" and territory_of(locale) in TWELVE_HOUR_SPANISH)
    manner = Manner(twelve_hour=twelve, next_first=language in ("en", "de"))
    return Hint(text, language, month_first, manner, tuple(cuts(text, language, month_first)))


def languages(locale: str) -> tuple[str, ...]:
    """The languages that a hint on a phone of this locale is tried in: its own, English, then the others."""
    own = locale.partition("_")[0].lower()
    return tuple(dict.fromkeys(([own] if own in LANGUAGES else []) + ["en", *LANGUAGES]))


_LEXICAL: Mapping[Flag, tuple[str, ...]] = {
    Flag.RECURRING: ("EVERY", "EVERY_UNIT", "WEEKDAYS"),
    Flag.NEGATED: ("NOT",),
    Flag.TWO_OFFERS: ("OR",),
    Flag.WINDOW: ("VAGUE",),
}


def flags_of(nodes: Iterable[Node]) -> frozenset[Flag]:
    """Flags that words demand by themselves: "every", "not", "or", "a few"."""
    said = {name for node in nodes for name in node.values}
    return frozenset(flag for flag, classes in _LEXICAL.items() if not said.isdisjoint(classes))


def lexical_flags(hint: Hint, reading: Reading) -> frozenset[Flag]:
    """Flags that the words of a hint demand of a reading, whoever gave it."""
    flags = set(flags_of(hint.nodes))
    if hint.month_first and hint.has("DOTTED_DATE"):
        flags.add(Flag.FORCED)
    return frozenset(flags if reading.rule else flags | _open_flags(hint, reading))


def _open_flags(hint: Hint, reading: Reading) -> set[Flag]:
    """What a library leaves open without saying so: which of two weekdays, which half of the day."""
    flags = set()
    if hint.has("TURN") and hint.has("WEEKDAY"):
        flags.add(Flag.OPEN_WEEKDAY)
    hour = reading.start.hour
    if Flag.NO_TIME not in reading.flags and not hint.has("AMPM", "PART", "NOON", "UNIT", "NOW", "ISO"):
        clocks = [n.values["CLOCK"] for n in hint.nodes if "CLOCK" in n.values]
        exact = any(c.exact or c.hour > 12 for c in clocks)
        spelled_24 = any(n.values.get("HOUR") == hour for n in hint.nodes) and hour > 12
        if not exact and not spelled_24 and 1 <= hour <= 23 and (hint.manner.twelve_hour or 1 <= hour <= 6):
            flags.add(Flag.OPEN_MERIDIEM)
    return flags
