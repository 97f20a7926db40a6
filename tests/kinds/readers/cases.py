"""How the tables of these tests are written: a hint, and its readings by our rules on Thursday 5 November 2026, 9:30.

A reading is ``MM-DD HH:MM`` (``YYYY-MM-DD HH:MM`` in another year), ``/`` and its end where it has one, and its flags
by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from starebrain.kinds.readers import Reading
from starebrain.kinds.readers.hint import hint_in
from starebrain.kinds.readers.rules.reader import parse_of, resolved

NOW = datetime(2026, 11, 5, 9, 30)

LOCALES = {"en": "en_US", "gb": "en_GB", "de": "de_DE", "fr": "fr_FR", "es": "es_ES", "mx": "es_MX", "pt": "pt_BR"}


def by_rules(text: str, locale: str = "en_US", now: datetime = NOW) -> list[Reading]:
    """The readings of our rules alone, in the language of the locale."""
    hint = hint_in(text, locale, locale[:2])
    parse = parse_of(hint)
    return [] if parse is None else list(resolved(parse, hint, now))


def shown(reading: Reading) -> str:
    """A reading as the tables write it."""
    text = _at(reading.start) + ("" if reading.end is None else f"/{_at(reading.end)}")
    return " ".join([text, *sorted(reading.flags)])


def _at(at: datetime) -> str:
    return f"{at:%m-%d %H:%M}" if at.year == NOW.year else f"{at:%Y-%m-%d %H:%M}"


def lines(table: str) -> Sequence[tuple[str, str, list[str]]]:
    """The rows ``language | hint | reading | another reading`` of a table as (locale, hint, readings)."""
    rows = [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines() if line.strip()]
    return [(LOCALES[language], hint, [r for r in readings if r]) for language, hint, *readings in rows]
