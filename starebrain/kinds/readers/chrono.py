"""chrono-python 3 (MIT, by chrono's author) as a reader."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from functools import cache
from importlib import import_module
from typing import Any

from starebrain.kinds.readers.guards import agrees, order_differs
from starebrain.kinds.readers.hint import Hint
from starebrain.kinds.readers.reading import Flag, Reading
from starebrain.resolution import Grain

NAME = "chrono"

GRAINS: Mapping[str, Grain] = {
    "YEAR": Grain.MONTH,
    "MONTH": Grain.MONTH,
    "WEEK": Grain.WEEK,
    "DAY": Grain.DAY,
    "HOUR": Grain.HOUR,
}
"""From chrono's precisions; finer ones are minutes."""


class Chrono:
    """Reads a hint that chrono covers with one result; times without a zone go in and come out."""

    name = NAME

    def load(self, language: str) -> None:
        """See `TimeReader`: 10 to 90 ms."""
        _parser(language)

    def read(self, hint: Hint, now: datetime) -> list[Reading]:
        """See `TimeReader`."""
        if order_differs(hint):
            return []
        results = _parser(hint.language).parse(hint.text, now)
        if len(results) != 1 or not hint.covered(results[0].index, results[0].index + len(results[0].text)):
            return []
        result = results[0]
        reading = _reading(result, (result.index, result.index + len(result.text)))
        return [reading] if reading is not None and agrees(hint, reading) else []


@cache
def _parser(language: str) -> Any:
    """chrono's casual parser of a language."""
    return import_module(f"chrono_python.locales.{language}").casual


def _reading(result: Any, span: tuple[int, int]) -> Reading | None:
    start, grain = _moment(result.start)
    if start is None:
        return None
    end: datetime | None = None
    if hasattr(result, "end"):
        end, end_grain = _moment(result.end)
        if end is None:
            return None
        if grain in (Grain.DAY, Grain.WEEK) and end_grain is grain:
            end += timedelta(1)
        elif (grain in (Grain.MINUTE, Grain.HOUR)) != (end_grain in (Grain.MINUTE, Grain.HOUR)):
            return None
    elif grain is Grain.DAY:
        end = start + timedelta(1)
    timed = grain in (Grain.MINUTE, Grain.HOUR)
    flags = frozenset() if timed else frozenset({Flag.NO_TIME})
    return Reading(start, end, grain, flags, span, frozenset({NAME}))


def _moment(moment: Any) -> tuple[datetime | None, Grain]:
    grain = GRAINS.get(moment.precision().name, Grain.MINUTE)
    at = moment.datetime()
    if at.tzinfo is not None or not moment.is_valid_date():
        return None, grain
    if grain in (Grain.DAY, Grain.WEEK, Grain.MONTH):
        at = datetime.combine(at.date(), time())
    if moment.precision().name == "MONTH":
        at = at.replace(day=1)
    if moment.precision().name == "YEAR":
        at = at.replace(month=1, day=1)
    return at.replace(microsecond=0), grain
