"""The specifications of Recognizers-Text: time expressions in four languages, in sentences, at a reference time.

A hint is the text of one date, time or range that a specification finds in a sentence; durations, repeated times and
examples without a reference time are left out. Several values of one text are an ambiguity, and each is right; of a
time without a day that is today's and tomorrow's. The kind is ``open`` where only an earliest or latest time is meant.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from starebrain import formats
from starebrain.benchmarks.base import Benchmark, Files, Item
from starebrain.benchmarks.moments import OPEN, Expected, Expression, items_of
from starebrain.errors import InvalidInput

TYPES = frozenset({"date", "time", "datetime", "daterange", "timerange", "datetimerange"})
"""Types of results that are times."""

ALONE = frozenset({"time", "timerange"})
"""Types without a day: the next one is meant, or today's."""

BOUNDS = ("before", "after", "since", "until")
"""Modifiers of a result that is only an earliest or latest time."""


def expressions(pattern: str, language: str, locale: str, files: Files) -> list[Expression]:
    """The expressions of one language, each once, in the order of the file."""
    found: dict[tuple[str, datetime, str], Expression] = {}
    for path in files[pattern]:
        for expression in _expressions(path, language, locale):
            key = (expression.text, expression.reference, expression.category)
            found.setdefault(key, expression)
    return list(found.values())


def _expressions(path: Path, language: str, locale: str) -> Iterator[Expression]:
    try:
        examples = json.loads(formats.read_text(path))
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"this is not JSON ({error})", file=path) from None
    if not isinstance(examples, list):
        raise InvalidInput("this is not a list of examples", file=path)
    for number, example in enumerate(examples):
        try:
            stated = (example.get("Context") or {}).get("ReferenceDateTime")
            if stated is None:
                continue
            reference = datetime.fromisoformat(stated)
            for at, result in enumerate(example["Results"]):
                expression = _expression(f"{language}-{number}-{at}", result, reference, locale)
                if expression is not None:
                    yield expression
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidInput(f"this is no example ({error!r})", file=path, place=f"[{number}]") from None


def _expression(name: str, result: Mapping[str, Any], reference: datetime, locale: str) -> Expression | None:
    kind = str(result.get("TypeName", "")).rpartition(".")[2]
    values = (result.get("Resolution") or {}).get("values") or []
    if kind not in TYPES:
        return None
    expected = [e for value in values for e in _expected(value, kind, reference)]
    expected.sort(key=lambda e: e.start is not None and e.start < reference)
    if not expected:
        return None
    bounded = any(bound in value.get("Mod", "") for value in values for bound in BOUNDS)
    shape = OPEN if bounded else "interval" if expected[0].end else "point"
    text = result["Text"]
    return Expression(name, text, reference, locale, shape, tuple(expected), "recognizers", shape, kind)


def _expected(value: Mapping[str, str], kind: str, reference: datetime) -> Iterator[Expected]:
    """What one value says is right; none where it is not resolved or only names an end."""
    start, end = (_time(value.get(name), reference) for name in ("start" if "range" in kind else "value", "end"))
    if start is None:
        return
    if kind not in ALONE:
        yield Expected(start, end, _grain(value, kind))
        return
    if end is not None and end <= start:
        end += timedelta(1)
    for later in dict.fromkeys((timedelta(start < reference), timedelta(0))):
        yield Expected(start + later, None if end is None else end + later, _grain(value, kind))


def _time(text: str | None, reference: datetime) -> datetime | None:
    if text is None or not text[:1].isdigit():
        return None
    return datetime.fromisoformat(text if "-" in text else f"{reference.date()}T{text}")


def _grain(value: Mapping[str, str], kind: str) -> str:
    """How precisely a value was said: its TIMEX has seconds, minutes or only hours."""
    if kind.startswith("date") and not kind.startswith("datetime"):
        return "day"
    if "range" in kind:
        return "minute"
    return ("hour", "minute", "second")[min(value.get("timex", "").rpartition("T")[2].count(":"), 2)]


def _read(of: Callable[[Files], list[Expression]], name: str, files: Files) -> list[Item]:
    return items_of(name, of(files))


LANGUAGES = (
    ("de", "German", "de_DE", "a631998351150f1ca0e52bd2880bdd8e149d3673211fe1b3663e26f7dd1781b0"),
    ("fr", "French", "fr_FR", "5eb4afcf70c61d773847da2fbc48b19742d4a7868c406e8052ad30621f44846a"),
    ("pt", "Portuguese", "pt_BR", "13215028e699ff5025a8041f958d42bbb408c5a126e9d369beed439d96046ed2"),
    ("en", "English", "en_US", "7a9ff209927f3c5d9b26e28935706b46ff8433bde4b49e2135dee186752938a4"),
)
"""Code, name, locale and known checksum of each language."""

EXPRESSIONS: Mapping[str, Callable[[Files], list[Expression]]] = {
    f"recognizers_{code}": partial(expressions, f"{language}.DateTimeModel*.json", code, locale)
    for code, language, locale, _ in LANGUAGES
}
"""From the name of a benchmark to what reads its expressions."""

BENCHMARKS = tuple(
    Benchmark(
        name=f"recognizers_{code}",
        about=f"{language} time expressions: what they mean, at a stated time",
        repository="https://github.com/microsoft/Recognizers-Text",
        commit="90e968e",
        path=f"Specs/DateTime/{language}/DateTimeModel.json, as {language}.DateTimeModel.json",
        licence="MIT",
        folder="recognizers",
        sources=((f"{language}.DateTimeModel*.json",),),
        known={known: f"{language} specifications"},
        read=partial(_read, EXPRESSIONS[f"recognizers_{code}"], f"recognizers_{code}"),
        removable=False,
    )
    for code, language, _, known in LANGUAGES
)
