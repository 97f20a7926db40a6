"""Reading time expressions: from (text, local time, locale) to what it may mean, without a phone.

`read` gives a `ReadingSet`; `grade` says which reading is best and how well it is supported.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from starebrain.kinds.readers.agreement import PROVEN, Support, grade, together
from starebrain.kinds.readers.chrono import Chrono
from starebrain.kinds.readers.hint import Hint, TimeReader, hint_in, languages, lexical_flags
from starebrain.kinds.readers.reading import CAPPING, MAX_LENGTH, Anchor, Flag, Reading, ReadingSet, Relation
from starebrain.kinds.readers.recognizers import Recognizers
from starebrain.kinds.readers.rules.dates import Impossible
from starebrain.kinds.readers.rules.resolve import past
from starebrain.kinds.readers.rules.reader import NoTime, Rules

log = logging.getLogger(__name__)

RULES = Rules()
LIBRARIES: tuple[TimeReader, ...] = (Chrono(), Recognizers())

CACHED = 4_096
"""Hints whose readings are kept."""


def read(text: str, reference: datetime, locale: str) -> ReadingSet:
    """What a hint may mean at `reference` (local, naive) on a phone of `locale` (``en_US``)."""
    if reference.tzinfo is not None:
        raise ValueError("reference must be a local time without a zone")
    if len(text) > MAX_LENGTH:
        return ReadingSet(refused="too_long")
    return _read(text, reference.replace(microsecond=0), locale)


@lru_cache(maxsize=CACHED)
def _read(text: str, now: datetime, locale: str) -> ReadingSet:
    try:
        hint, own = _understood(text, now, locale)
    except Impossible:
        return ReadingSet(refused="impossible")
    except NoTime:
        return ReadingSet()
    answers: list[Sequence[Reading]] = [own]
    if own or not hint.has("DECIMAL", "SLASHED"):
        answers += [_answer(reader, hint) for reader in LIBRARIES]
    found = tuple(
        replace(r, flags=r.flags | lexical_flags(hint, r) | ({Flag.PAST} if past(r, now) else set()))
        for r in together(answers)
    )
    return ReadingSet(found)


def _understood(text: str, now: datetime, locale: str) -> tuple[Hint, Sequence[Reading]]:
    """The hint in the first language that our rules understand it in, with their readings; else in the phone's own."""
    first: Hint | None = None
    for language in languages(locale):
        hint = hint_in(text, now, locale, language)
        first = first or hint
        if own := _answer(RULES, hint):
            return hint, own
    assert first is not None
    return first, ()


def _answer(reader: TimeReader, hint: Hint) -> Sequence[Reading]:
    """A reader's answer; one that raises has none."""
    try:
        return reader.read(hint)
    except (Impossible, NoTime):
        raise
    except Exception as problem:
        log.debug("%s has no answer: %s", reader.name, type(problem).__name__)
        return ()


__all__ = [
    "CAPPING",
    "LIBRARIES",
    "MAX_LENGTH",
    "PROVEN",
    "RULES",
    "Anchor",
    "Flag",
    "Reading",
    "ReadingSet",
    "Relation",
    "Support",
    "grade",
    "read",
]
