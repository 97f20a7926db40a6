"""Readers of time expressions side by side, judged by the published rule of the benchmarks: right, wrong and none.

Beside the resolver as a whole (``evidence``): each of its readers alone, and parsers that are not part of the product
(dateparser, parsedatetime), where they are installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd

from starebrain.benchmarks import BENCHMARKS, recognizers, time_expressions
from starebrain.benchmarks.base import Files
from starebrain.benchmarks.moments import Expression
from starebrain.errors import MissingData
from starebrain.evaluate.measure import Measure, every, measured
from starebrain.intent import Parameter, ParameterKind
from starebrain.kinds.readers import LIBRARIES, alone
from starebrain.kinds.readers.hint import hint_in, languages
from starebrain.resolution import ResolutionConfidence, TimeSlotValue
from starebrain.resolve import resolver_named

Answer = tuple[datetime, datetime | None, ResolutionConfidence]
"""Start, end and tier."""

Read = Callable[[Expression], Answer | None]
"""From an expression to an answer, None where there is none at `SHOWN`."""

HIGH, MEDIUM = SHOWN = (ResolutionConfidence.HIGH, ResolutionConfidence.MEDIUM)
"""The tiers at which a user sees an answer. What has no tiers of its own suggests whatever it reads."""

COLUMNS = ("reader", "source", "expression_id", "text", "corpus", "bucket", "category", "clock", "tier", "right")
"""Columns of a frame of answers: `tier` is None without an answer, `clock` whether the expression has a clock time."""


@cache
def _evidence() -> Any:
    return resolver_named("evidence")


def _resolved(expression: Expression) -> Answer | None:
    """The resolver, on a phone that knows the time."""
    parameter = Parameter("when", ParameterKind.TIME_SLOT, expression.text)
    found = _evidence().on(expression.phone.device()).resolve(parameter, "create_event")
    if not isinstance(found.value, TimeSlotValue) or found.confidence not in SHOWN:
        return None
    return found.value.start, found.value.end, found.confidence


def _alone(reader: str, e: Expression) -> Answer | None:
    """One reader by itself, with the guards that it has in the product."""
    found = alone(reader, e.text, e.reference, e.locale)
    return (found[0].start, found[0].end, MEDIUM) if found else None


def _dateparser(e: Expression) -> Answer | None:
    """dateparser, told the language and to prefer the future; ends it has none."""
    import dateparser

    settings: Any = {"RELATIVE_BASE": e.reference, "PREFER_DATES_FROM": "future"}
    found = dateparser.parse(e.text, languages=[languages(e.locale)[0]], settings=settings)
    return None if found is None else (found.replace(tzinfo=None), None, MEDIUM)


def _parsedatetime(e: Expression) -> Answer | None:
    """parsedatetime, with its own words of the language; one result that covers the hint, as of the other readers."""
    found: Sequence[Any] = _calendar(languages(e.locale)[0]).nlp(e.text, sourceTime=e.reference) or ()
    hint = hint_in(e.text, e.locale, languages(e.locale)[0])
    return (found[0][0], None, MEDIUM) if len(found) == 1 and hint.covered(found[0][2], found[0][3]) else None


@cache
def _calendar(language: str) -> Any:
    import parsedatetime

    name = next(name for name in parsedatetime.pdtLocales if name.startswith(language))
    return parsedatetime.Calendar(parsedatetime.Constants(name, usePyICU=False))


OUTSIDE: Mapping[str, Read] = {"dateparser": _dateparser, "parsedatetime": _parsedatetime}
"""Parsers by others, by the name of their package."""

READERS: Mapping[str, Read] = {
    "evidence": _resolved,
    **{name: partial(_alone, name) for name in ("rules", *(reader.name for reader in LIBRARIES))},
    **{name: parser for name, parser in OUTSIDE.items() if find_spec(name) is not None},
}
"""All readers by name; those by others only where they are installed."""

EXPRESSIONS: Mapping[str, Callable[[Files], list[Expression]]] = {
    "time": time_expressions.expressions,
    **recognizers.EXPRESSIONS,
}
"""From the name of a benchmark to what reads its expressions."""


def unseen(readers: Sequence[str] = tuple(READERS), root: str | Path | None = None) -> pd.DataFrame:
    """The answers of `readers` to all expressions that no rule was written against, as `judged`.

    Of the benchmarks that are here below `root` (by default the folder that the environment names); `MissingData` where
    none is.
    """
    frames, missing = [], None
    for name, expressions in EXPRESSIONS.items():
        try:
            asked = expressions(BENCHMARKS[name].find(root))
        except MissingData as error:
            missing = missing or error
            continue
        frames.append(judged((e for e in asked if not e.looked_at), readers, name))
    if not frames and missing is not None:
        raise missing
    return pd.concat(frames, ignore_index=True)


def judged(
    expressions: Iterable[Expression], readers: Sequence[str] = ("evidence",), source: str = "time"
) -> pd.DataFrame:
    """Every reader's answer to every expression, with the columns `COLUMNS`, in the order of `readers`."""
    asked = list(expressions)
    rows = []
    for name in readers:
        for e in asked:
            got = _answer(READERS[name], e)
            tier, right = (None, False) if got is None else (got[2].value, e.is_right(got[0], got[1]))
            cut = (e.corpus, e.bucket, e.category, e.clock)
            rows.append((name, source, e.expression_id, e.text.strip().casefold(), *cut, tier, right))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _answer(read: Read, expression: Expression) -> Answer | None:
    """A reader's answer; one that raises has none."""
    try:
        return read(expression)
    except Exception:
        return None


def counts(frame: pd.DataFrame, by: Sequence[str] = ("reader", "bucket")) -> pd.DataFrame:
    """Right, wrong and none at HIGH and at MEDIUM or better, a row a group of `by` and tier; `n` is their sum."""
    rows = []
    for tier, allowed in (("HIGH", SHOWN[:1]), ("MEDIUM or better", SHOWN)):
        answered = frame["tier"].isin([t.value for t in allowed])
        for group, part in frame.assign(answered=answered).groupby(list(by), sort=True):
            right, wrong = int((part["answered"] & part["right"]).sum()), int((part["answered"] & ~part["right"]).sum())
            rows.append((tier, *group, right, wrong, len(part) - right - wrong, len(part)))
    return pd.DataFrame(rows, columns=["tier", *by, "right", "wrong", "none", "n"])


def _high(frame: pd.DataFrame) -> pd.Series:
    return frame["tier"] == HIGH.value


MEASURES: Mapping[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure("time_high", "HIGH", "higher", _high, every),
        Measure("time_high_right", "right among HIGH", "higher", lambda f: _high(f) & f["right"], _high),
        Measure("time_right", "right at MEDIUM or better", "higher", lambda f: f["tier"].notna() & f["right"], every),
        Measure("time_wrong", "wrong at MEDIUM or better", "lower", lambda f: f["tier"].notna() & ~f["right"], every),
    )
}
"""What `estimates` estimates, by name."""


def estimates(frame: pd.DataFrame, by: Sequence[str] = ()) -> pd.DataFrame:
    """`MEASURES` of every reader on every source, for all rows or for each group of `by`, as the columns of `Estimate`.

    Texts that are the same, whatever the reference, are resampled together. Besides come the columns `title`, `better`
    and `by`.
    """
    return measured(frame, MEASURES.values(), by, who="reader", cluster="text")
