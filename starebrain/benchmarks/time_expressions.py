"""Time expressions in English, from the corpora of four parsers, with one reading or by convention.

The expressions, their references and what they mean come from the test corpora of Recognizers-Text, duckling, chrono
and dateparser. `bucket` says how far others agree: ``core`` (one reading), ``conv`` (a convention decides), ``open``
(only an earliest or latest time), ``holiday``, ``past_default`` (a parser that prefers the past), ``tz`` (a named
zone), ``neg`` and ``neg_debatable`` (not a time).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from starebrain.benchmarks.base import Benchmark, Files, Item, json_lines
from starebrain.benchmarks.moments import Expected, Expression, items_of
from starebrain.errors import InvalidInput

EXPRESSIONS = "time_expressions*.jsonl"
NAIVE = "naive"
"""The zone of a reference that has none."""

LOCALE = "en_US"
"""The corpora write the month before the day."""


def expressions(files: Files) -> list[Expression]:
    """The expressions, in the order of the files; `InvalidInput` names file, line and field."""
    return [expression for path in files[EXPRESSIONS] for expression in _expressions(path)]


def _expressions(path: Path) -> list[Expression]:
    texts = dict.fromkeys(("text", "reference", "kind", "corpus", "bucket", "category", "tz"), str)
    found = []
    for number, row in enumerate(json_lines(path, id=(str, int), **texts), 1):
        try:
            wanted = [row, *(row.get("alts") or [])]
            found.append(
                Expression(
                    str(row["id"]),
                    row["text"],
                    datetime.fromisoformat(row["reference"]),
                    LOCALE,
                    row["kind"],
                    tuple(_expected(one, row) for one in wanted),
                    row["corpus"],
                    row["bucket"],
                    row["category"],
                    timedelta(0) if row["tz"] == NAIVE else _offset(row["tz"]),
                )
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidInput(f"a time is not as it should be ({error})", file=path, place=f"line {number}") from None
    return found


def _expected(one: Mapping[str, Any], row: Mapping[str, Any]) -> Expected:
    return Expected(_time(one.get("start")), _time(one.get("end")), one.get("grain") or row.get("grain") or "minute")


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text[:19])


def _offset(text: str) -> timedelta:
    offset = datetime.fromisoformat(f"2000-01-01T00:00:00{text}").utcoffset()
    assert offset is not None
    return offset


def read(files: Files) -> list[Item]:
    """The expressions as hints of phones that know the time."""
    return items_of("time", expressions(files))


BENCHMARKS = (
    Benchmark(
        name="time",
        about="English time expressions: what they mean, at a stated time",
        repository="https://github.com/microsoft/Recognizers-Text, https://github.com/facebook/duckling, "
        "https://github.com/wanasit/chrono, https://github.com/scrapinghub/dateparser",
        commit="their English test corpora",
        path="the expressions of their tests with reference, start, end and grain, as JSON Lines",
        licence="MIT (Recognizers-Text, chrono), BSD (duckling, dateparser)",
        folder="time",
        sources=((EXPRESSIONS,),),
        known={"f24af17b3d811291ea260ac3183a0e68c8db129ead6fb27252ff754fa0e048db": "1,658 expressions"},
        read=read,
        removable=False,
    ),
)
