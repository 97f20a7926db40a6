"""Reading time expressions: from (text, local time, locale) to what it may mean, without a phone.

`read` gives a `ReadingSet`: every reading that our rules, chrono-python or Recognizers have of the hint, with its flags
and who gave it, and the event that the hint may lean on. `grade` says which reading is the best one and how well it is
supported; `CAPPING` are the flags that forbid to fill it in silently.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time
from functools import lru_cache

from starebrain.kinds.readers import zones
from starebrain.kinds.readers.agreement import PROVEN, Support, grade, same, together
from starebrain.kinds.readers.anchors import anchor
from starebrain.kinds.readers.chrono import Chrono
from starebrain.kinds.readers.hint import Hint, TimeReader, flags_of, hint_in, languages, lexical_flags
from starebrain.kinds.readers.patience import within
from starebrain.kinds.readers.reading import CAPPING, MAX_LENGTH, MAX_READ, Anchor, Flag, Reading, ReadingSet, Relation
from starebrain.kinds.readers.recognizers import Recognizers
from starebrain.kinds.readers.rules.dates import Impossible
from starebrain.kinds.readers.rules.lexicon import lexicon
from starebrain.kinds.readers.rules.reader import NAME as RULES
from starebrain.kinds.readers.rules.reader import NoTime, Parse, parse_of, resolved
from starebrain.kinds.readers.rules.resolve import past

log = logging.getLogger(__name__)

LIBRARIES: tuple[TimeReader, ...] = (Chrono(), Recognizers())
"""The readers beside our own rules, each independent of the others, the quickest first.

They are asked in turn until one gives the reading that our rules think most likely: where rules and chrono agree,
asking Recognizers (3 ms, and 0.4 to 1.2 s once to load a language) changed no reading without a capping flag on the
`time` benchmark. Where a hint is not in the phone's language, only the first is asked: loading a language costs more
than it tells.
"""

PATIENCE = 5.0
"""Seconds in which a library has to answer; all that are known to be slow are kept from it (`Hint.short`)."""

CACHED = 4_096
"""Hints whose parse is kept, and (per library) hints whose answer is kept: a few kilobytes each."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What can be known of a hint without knowing when it is said."""

    hint: Hint
    locale: str
    parse: Parse | None = None
    zone: zones.Named | None = None
    refused: str = ""


def read(text: str, reference: datetime, locale: str) -> ReadingSet:
    """What `text` may mean at `reference` on a phone of `locale` (``en_US``; a language not known counts as English).

    `reference` is the local time on the phone, without a zone; so are the readings, except where the hint names its own
    zone. Never raises for any text: what cannot be read has no readings. A `reference` with a zone is a `ValueError`.
    """
    if reference.tzinfo is not None:
        raise ValueError("the reference has a zone: pass the local time without one")
    if len(text) > MAX_LENGTH:
        return ReadingSet(refused="too_long")
    if len(text) > MAX_READ:
        return ReadingSet()
    prepared = _prepared(text, locale.replace("-", "_"))
    now = reference.replace(microsecond=0)
    if prepared.refused:
        return ReadingSet(refused=prepared.refused)
    try:
        readings = tuple(_readings(prepared, now))
    except Impossible:
        return ReadingSet(refused="impossible")
    leaning = not readings or prepared.hint.has("MEAL")
    event = anchor(prepared.hint, lambda parse: _beside(parse, prepared, now)) if leaning else None
    return ReadingSet(readings, event, flags=flags_of(prepared.hint.nodes))


SAMPLES: Mapping[str, tuple[str, ...]] = {
    "en": (
        "next monday from 3 to 4pm",
        "every 2 weeks",
        "in 3 days at 9:30",
        "easter monday",
        "the first week of may",
        "5 to 6",
    ),
    "de": ("nächsten Montag von 15 bis 16 Uhr", "alle 2 Wochen", "in 3 Tagen um 9:30", "Ostermontag", "vor dem 3. Mai"),
    "fr": (
        "lundi prochain de 15h à 16h",
        "toutes les 2 semaines",
        "dans 3 jours à 9:30",
        "lundi de Pâques",
        "avant le 3 mai",
    ),
    "es": (
        "el próximo lunes de 3 a 4 pm",
        "cada 2 semanas",
        "en 3 días a las 9:30",
        "lunes de Pascua",
        "antes del 3 de mayo",
    ),
    "pt": (
        "próxima segunda das 15h às 16h",
        "a cada 2 semanas",
        "em 3 dias às 9:30",
        "segunda de Páscoa",
        "antes de 3 de maio",
    ),
}


def warm(locale: str) -> None:
    """Load what hints of a locale need, so that the first one is not slow: 1 to 2 s, 50 to 150 MB."""
    own, *others = languages(locale)
    for language in others:
        lexicon(language)
    for text in SAMPLES[own]:
        read(text, datetime(2000, 1, 3, 12), locale)
        for library in LIBRARIES:
            _answer(library, hint_in(text, locale, own), datetime(2000, 1, 3, 12))


@lru_cache(maxsize=CACHED)
def _prepared(text: str, locale: str) -> Prepared:
    """The hint in the first language that our rules understand it in, else in the phone's own."""
    own, *others = languages(locale)
    try:
        zone = zones.named(text, locale)
        rest = text if zone is None else zones.without(text, zone)
        first = hint_in(rest, locale, own)
        if (parse := _parse(first)) is not None:
            return Prepared(first, locale, parse, zone)
        for hint in (hint_in(rest, locale, language) for language in others):
            if (parse := _parse(hint)) is not None:
                return Prepared(hint, locale, parse, zone)
    except zones.UnknownZone:
        return Prepared(hint_in("", locale, own), locale, refused="unknown_zone")
    except Impossible:
        return Prepared(hint_in("", locale, own), locale, refused="impossible")
    except NoTime:
        return Prepared(hint_in("", locale, own), locale, refused="no_time")
    return Prepared(first, locale, None, zone)


def _parse(hint: Hint) -> Parse | None:
    """What our rules make of a hint; should a rule fail, they make nothing of it."""
    try:
        return parse_of(hint)
    except (Impossible, NoTime):
        raise
    except Exception as problem:
        log.warning("the rules have no answer: %s", type(problem).__name__)
        return None


def _readings(prepared: Prepared, now: datetime) -> Iterator[Reading]:
    hint, parse = prepared.hint, prepared.parse
    own = () if parse is None else _own(parse, prepared, now)
    answers: list[Sequence[Reading]] = [own]
    if hint.short(understood=bool(own)) and (own or not hint.has("DECIMAL", "SLASHED")):
        moment = datetime.combine(now.date(), time()) if parse is not None and parse.dated else now
        own_language = hint.language == languages(prepared.locale)[0]
        for library in LIBRARIES if own_language else LIBRARIES[:1]:
            answers.append(_cached(library.name, hint, moment))
            if own and any(same(own[0], other) for other in answers[-1]):
                break
    for reading in together(answers):
        flags = reading.flags | lexical_flags(hint, reading) | ({Flag.PAST} if past(reading, now) else set())
        flagged = replace(reading, flags=flags)
        if prepared.zone is None:
            yield flagged
        else:
            yield from zones.in_zone(flagged, prepared.zone, day_said=parse is not None and parse.dated)


def _own(parse: Parse, prepared: Prepared, now: datetime) -> tuple[Reading, ...]:
    try:
        return tuple(resolved(parse, prepared.hint, now))
    except Impossible:
        raise
    except (ValueError, OverflowError):  # beyond the years 1 to 9999
        return ()


def alone(reader: str, text: str, reference: datetime, locale: str) -> Sequence[Reading]:
    """What one reader by itself, ``rules`` or one of `LIBRARIES` by name, makes of a hint in the phone's language.

    With the guards that it has beside the others; `reference` as for `read`. Flags are only its own.
    """
    hint = hint_in(text[: MAX_READ + 1], locale, languages(locale)[0])
    if reader != RULES:
        return _cached(reader, hint, reference) if hint.short(understood=True) else ()
    try:
        parse = _parse(hint)
        return () if parse is None else tuple(resolved(parse, hint, reference))
    except (Impossible, NoTime, ValueError, OverflowError):
        return ()


def _beside(parse: Parse, prepared: Prepared, now: datetime) -> tuple[Reading, ...]:
    """The readings of the time beside an event."""
    try:
        return _own(parse, prepared, now)
    except Impossible:
        return ()


@lru_cache(maxsize=CACHED)
def _cached(library: str, hint: Hint, moment: datetime) -> Sequence[Reading]:
    return _answer(next(reader for reader in LIBRARIES if reader.name == library), hint, moment)


def _answer(reader: TimeReader, hint: Hint, moment: datetime) -> Sequence[Reading]:
    """A library's answer; one that raises, or takes longer than `PATIENCE`, has none."""
    try:
        reader.load(hint.language)
        return tuple(within(PATIENCE, reader.name, lambda: reader.read(hint, moment)))
    except Exception as problem:
        log.debug("%s has no answer: %s", reader.name, type(problem).__name__)
        return ()


__all__ = [
    "CAPPING",
    "LIBRARIES",
    "MAX_LENGTH",
    "MAX_READ",
    "PROVEN",
    "Anchor",
    "Flag",
    "Reading",
    "ReadingSet",
    "Relation",
    "Support",
    "alone",
    "grade",
    "read",
    "warm",
]
