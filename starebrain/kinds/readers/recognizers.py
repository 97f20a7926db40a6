"""Microsoft's Recognizers-Text (MIT; the Python package is dormant) as a reader."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import Any

from starebrain.kinds.readers.guards import agrees, order_differs
from starebrain.kinds.readers.hint import Hint
from starebrain.kinds.readers.reading import Flag, Reading
from starebrain.resolution import Grain

NAME = "recognizers"

CULTURES: Mapping[str, str] = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "pt": "Portuguese",
}

NEVER = re.compile("(?!)")

_PERIODS = frozenset({"daterange", "timerange", "datetimerange"})
_MODIFIERS = {"before": Flag.BEFORE, "until": Flag.BEFORE, "after": Flag.AFTER, "since": Flag.AFTER}


class Recognizers:
    """Reads a hint that one recognised date or time covers; times without a zone go in and come out."""

    name = NAME

    def load(self, language: str) -> None:
        """See `TimeReader`: 0.4 to 1.2 s and 15 to 75 MB (Python 3.13, one core of 2)."""
        _model(CULTURES[language])

    def read(self, hint: Hint, now: datetime) -> list[Reading]:
        """See `TimeReader`."""
        if order_differs(hint):
            return []
        results = _model(CULTURES[hint.language]).parse(hint.text, now)
        if len(results) != 1 or not hint.covered(results[0].start, results[0].end + 1):
            return []
        result = results[0]
        span = (result.start, result.end + 1)
        values = (result.resolution or {}).get("values") or []
        readings = [r for v in values for r in _reading(v, now, span) if agrees(hint, r)]
        return _open_halves(sorted(readings, key=lambda r: (r.end or r.start) < now))


@cache
def _model(culture: str) -> Any:
    """The model of a culture.

    Its search for the month in which, say, the 31st is a Sunday is switched off: where there is none it goes on to the
    year 9999 (200 ms), and for a weekday in the plural for ever. Extractors that are alike share what they found.
    """
    from ms_recognizers_date_time import DateTimeRecognizer  # type: ignore[import-untyped]
    from ms_recognizers_text import Culture  # type: ignore[import-untyped]

    model = DateTimeRecognizer(getattr(Culture, culture)).get_datetime_model()
    for parser in (model.parser.config.date_parser, model.parser.config.set_parser.config.date_parser):
        parser.config._week_day_and_day_regex = NEVER
    remembered: dict[Any, Any] = {}
    for extractor in _extractors(model):
        extractor.extract = remembered.setdefault(_looks_for(extractor), _remembering(extractor.extract))
    return model


def _extractors(model: Any) -> Iterator[Any]:
    """Every part of a model that finds things in a text, however deep: some 200."""
    seen: dict[int, Any] = {}
    left = [model]
    while left:
        part = left.pop()
        if id(part) in seen:
            continue
        seen[id(part)] = part
        if isinstance(part, dict):
            left += part.values()
        elif isinstance(part, (list, tuple)):
            left += part
        elif type(part).__module__.startswith(("ms_recognizers_date_time", "ms_recognizers_number")):
            left += vars(part).values() if hasattr(part, "__dict__") else ()
            if hasattr(part, "extract"):
                yield part


def _looks_for(extractor: Any) -> Any:
    """What makes two extractors of one culture the same: 15 of the 200 differ."""
    patterns = tuple((str(one.re), str(one.val)) for one in getattr(extractor, "regexes", ()))
    return type(extractor), type(getattr(extractor, "config", None)), getattr(extractor, "merge", None), patterns


def _remembering(extract: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    """An extractor that searches a text once: on a single hint each is asked some ten times for the same.

    Halves the time of a parse; its results are the same (2,929 expressions in four languages).
    """

    @lru_cache(maxsize=32)
    def found(*asked: Any) -> tuple[Any, ...]:
        return tuple(extract(*asked))

    return lambda *asked: [copy(one) for one in found(*asked)]


def _reading(value: Mapping[str, str], now: datetime, span: tuple[int, int]) -> Iterator[Reading]:
    kind = value.get("type", "")
    modifier = next((_MODIFIERS[m] for m in value.get("Mod", "").split("-") if m in _MODIFIERS), None)
    if kind in ("date", "datetime", "time") and "value" in value:
        start, grain = _instant(value["value"], now, value.get("timex", ""))
        if start is not None:
            end = start + timedelta(1) if grain is Grain.DAY else None
            yield _made(start, end, grain, span, modifier)
    elif kind in _PERIODS:
        start, grain = _instant(value.get("start", ""), now, value.get("timex", ""))
        end, end_grain = _instant(value.get("end", ""), now, value.get("timex", ""))
        if modifier is Flag.BEFORE and end is not None and start is None:
            yield _made(min(now, end), end, end_grain, span, modifier)
        elif start is not None and (end is not None or modifier is Flag.AFTER):
            if kind == "timerange" and end is not None and end <= start:
                end += timedelta(1)
            yield _made(start, end, _period_grain(value.get("timex", ""), grain), span, modifier)


def _made(start: datetime, end: datetime | None, grain: Grain, span: tuple[int, int], modifier: Flag | None) -> Reading:
    flags = set() if grain in (Grain.MINUTE, Grain.HOUR) else {Flag.NO_TIME}
    return Reading(start, end, grain, frozenset(flags | ({modifier} if modifier else set())), span, frozenset({NAME}))


def _instant(text: str, now: datetime, timex: str) -> tuple[datetime | None, Grain]:
    """An instant as Recognizers writes it; a time alone is the next one."""
    try:
        if ":" not in text:
            return datetime.fromisoformat(text), Grain.DAY
        grain = Grain.MINUTE if ":" in timex.partition("T")[2] else Grain.HOUR
        if " " in text or "T" in text:
            return datetime.fromisoformat(text), grain
        at = datetime.combine(now.date(), datetime.strptime(text, "%H:%M:%S").time())
        return at + timedelta(at < now), grain
    except ValueError:
        return None, Grain.DAY


def _period_grain(timex: str, grain: Grain) -> Grain:
    """How precisely a period was said: TIMEX names parts of the day TMO, TAF, TEV, TNI and so on, weeks W."""
    if timex[-3:] in ("TMO", "TAF", "TEV", "TNI", "TDT", "TDA", "TMI"):
        return Grain.DAY_PART
    if "(" not in timex and "-W" in timex and grain is Grain.DAY:
        return Grain.WEEK
    return Grain.MONTH if len(timex) in (4, 7) and grain is Grain.DAY else grain


def _open_halves(readings: list[Reading]) -> list[Reading]:
    """The readings, marked where two of them differ by half a day: the hint left am or pm open."""
    starts = {r.start for r in readings}
    half = timedelta(hours=12)
    return [
        Reading(r.start, r.end, r.grain, r.flags | {Flag.OPEN_MERIDIEM}, r.span, r.readers)
        if {r.start + half, r.start - half} & starts
        else r
        for r in readings
    ]
