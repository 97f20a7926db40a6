"""Readers of time expressions, judged by the published rule of the benchmarks: right, wrong and none by tier and cut.

Beside the readers together as `starebrain.kinds.readers.grade` has them: each alone, and parsers that are not part of
the product where they are installed (dateparser, parsedatetime).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pandas as pd

from starebrain.benchmarks.moments import Expression
from starebrain.kinds.readers import CAPPING, LIBRARIES, Support, grade, read
from starebrain.kinds.readers.hint import TimeReader, hint_in, languages
from starebrain.kinds.readers.rules.reader import parse_of, resolved
from starebrain.resolution import ResolutionConfidence

Answer = tuple[datetime, datetime | None, ResolutionConfidence, str]
"""Start, end, the tier that support and flags allow, and how it is supported."""

Read = Callable[[str, datetime, str], Answer | None]
"""From text, local reference time and locale to an answer."""

SURE = frozenset({Support.AGREED, Support.PROVEN})
"""Support that allows HIGH, where no flag caps the reading."""

TIERS = (ResolutionConfidence.HIGH, ResolutionConfidence.MEDIUM)
COLUMNS = ("reader", "expression_id", "corpus", "bucket", "category", "clock", "looked_at", "tier", "support", "right")
"""Columns of a frame of answers: `tier` is None without an answer, `clock` whether the expression has a clock time,
`looked_at` whether it is of the half that rules were written against."""


def together(text: str, reference: datetime, locale: str) -> Answer | None:
    """The best reading of all readers."""
    best, support = grade(read(text, reference, locale))
    if best is None:
        return None
    high = support in SURE and best.flags.isdisjoint(CAPPING)
    return best.start, best.end, TIERS[0 if high else 1], support.value


def _library(reader: TimeReader, text: str, reference: datetime, locale: str) -> Answer | None:
    """One library alone: whatever it covers the hint with is a suggestion."""
    hint = hint_in(text, locale, languages(locale)[0])
    try:
        found = reader.read(hint, reference) if hint.short(understood=True) else []
    except Exception:
        return None
    return (found[0].start, found[0].end, TIERS[1], "lone") if found else None


def _rules(text: str, reference: datetime, locale: str) -> Answer | None:
    """Our rules alone."""
    hint = hint_in(text, locale, languages(locale)[0])
    try:
        parse = parse_of(hint)
        found = None if parse is None else next(iter(resolved(parse, hint, reference)), None)
    except Exception:
        return None
    return None if found is None else (found.start, found.end, TIERS[1], "lone")


def _dateparser(text: str, reference: datetime, locale: str) -> Answer | None:
    settings = {"RELATIVE_BASE": reference, "PREFER_DATES_FROM": "future"}
    found = _module("dateparser").parse(text, languages=[languages(locale)[0]], settings=settings)
    return None if found is None else (found.replace(tzinfo=None), None, TIERS[1], "lone")


def _parsedatetime(text: str, reference: datetime, locale: str) -> Answer | None:
    found, status = _module("parsedatetime").Calendar().parseDT(text, sourceTime=reference)
    return (found, None, TIERS[1], "lone") if status else None


@cache
def _module(name: str) -> Any:
    return import_module(name)


READERS: Mapping[str, Read] = {
    "starebrain": together,
    "rules": _rules,
    **{reader.name: partial(_library, reader) for reader in LIBRARIES},
    **{
        name: parser
        for name, parser in (("dateparser", _dateparser), ("parsedatetime", _parsedatetime))
        if find_spec(name) is not None
    },
}
"""All readers by name; the two outside ones only where they are installed."""


def judged(expressions: Iterable[Expression], readers: Sequence[str] = ("starebrain",)) -> pd.DataFrame:
    """Every reader's answer to every expression, with the columns `COLUMNS`, in the order of `readers`."""
    asked = list(expressions)
    rows = []
    for name in readers:
        for e in asked:
            answer = READERS[name](e.text, e.reference, e.locale)
            tier, support, right = None, "none", False
            if answer is not None:
                start, end, confidence, support = answer
                tier, right = confidence.value, e.is_right(start, end)
            cut = (e.corpus, e.bucket, e.category, e.clock, e.looked_at)
            rows.append((name, e.expression_id, *cut, tier, support, right))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def counts(frame: pd.DataFrame, by: Sequence[str] = ("reader", "bucket")) -> pd.DataFrame:
    """Right, wrong and none at HIGH and at MEDIUM or better, a row a group of `by` and tier; `n` is their sum."""
    rows = []
    for tier, allowed in (("HIGH", ("HIGH",)), ("MEDIUM or better", ("HIGH", "MEDIUM"))):
        answered = frame["tier"].isin(allowed)
        for group, part in frame.assign(answered=answered).groupby(list(by), sort=True):
            right, wrong = int((part["answered"] & part["right"]).sum()), int((part["answered"] & ~part["right"]).sum())
            rows.append((tier, *group, right, wrong, len(part) - right - wrong, len(part)))
    return pd.DataFrame(rows, columns=["tier", *by, "right", "wrong", "none", "n"])
