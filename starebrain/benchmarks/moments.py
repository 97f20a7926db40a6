"""Time expressions as labelled hints: what they may mean at a reference time, and how an answer to one is judged.

Shared by the benchmarks of time expressions. Their hints are asked of phones that know nothing but the time. Judging
follows the published rule: a start is right where it equals an expected one, both cut to the expected grain; where both
name an end, the ends may differ by one grain (inclusive or exclusive); of what is not a time every answer is wrong.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from starebrain.benchmarks.base import Book, Item
from starebrain.dataset import Split
from starebrain.device import DeviceContext
from starebrain.intent import ParameterKind

NOT_A_TIME, OPEN = "none", "open"
"""Kinds of expressions without a start to compare: what is no time, and what only has a latest time."""

CLOCK_GRAINS = frozenset({"hour", "minute", "second"})
"""Grains of expressions with a clock time."""

_CUT = {"year": 4, "month": 7, "week": 10, "day": 10, "hour": 13, "minute": 16, "second": 19}
_STEP = {
    "year": timedelta(days=366),
    "month": timedelta(days=31),
    "week": timedelta(days=7),
    "day": timedelta(days=1),
    "hour": timedelta(hours=1),
    "minute": timedelta(minutes=1),
    "second": timedelta(seconds=1),
}


@dataclass(frozen=True, slots=True)
class Expected:
    """One right answer: local times without a zone, the end None where any is right."""

    start: datetime | None
    end: datetime | None
    grain: str


@dataclass(frozen=True, slots=True)
class Expression:
    """A time expression said at `reference` (local, without a zone) on a phone of `locale`.

    `kind` is ``point``, ``interval``, ``open`` or ``none`` (not a time), `expected` the right answers, the first one
    first; `offset` is the phone's offset from UTC, `corpus`, `bucket` and `category` are the benchmark's own cuts.
    """

    expression_id: str
    text: str
    reference: datetime
    locale: str
    kind: str
    expected: tuple[Expected, ...]
    corpus: str
    bucket: str
    category: str
    offset: timedelta = timedelta(0)

    @property
    def clock(self) -> bool:
        """Whether it has a clock time."""
        return bool(self.expected) and self.expected[0].grain in CLOCK_GRAINS

    @property
    def looked_at(self) -> bool:
        """Whether it is of the half that rules were written against."""
        return looked_at(self.text)

    def is_right(self, start: datetime, end: datetime | None) -> bool:
        """Whether an answer (local times without a zone, or with one) is right by the published rule."""
        if self.kind == NOT_A_TIME:
            return False
        start, end = self._local(start), None if end is None else self._local(end)
        return any(_fits(e, start, end) for e in self.expected)

    def _local(self, at: datetime) -> datetime:
        return at if at.tzinfo is None else at.astimezone(UTC).replace(tzinfo=None) + self.offset


def _fits(expected: Expected, start: datetime, end: datetime | None) -> bool:
    cut = _CUT.get(expected.grain, 16)
    if expected.start is None or expected.start.isoformat()[:cut] != start.isoformat()[:cut]:
        return False
    return expected.end is None or end is None or abs(expected.end - end) <= _STEP.get(expected.grain, _STEP["minute"])


def looked_at(text: str) -> bool:
    """Whether a text belongs to the half of all benchmarks that rules may be written against.

    By the first byte of the SHA-256 of the trimmed, case-folded text: even ones do. The other half is for measuring.
    """
    return hashlib.sha256(text.strip().casefold().encode()).digest()[0] % 2 == 0


@dataclass(frozen=True, slots=True, eq=False)
class Moment(Book):
    """A phone that knows the time and nothing else; `names` are the keys of the right answers."""

    reference: datetime = datetime(2000, 1, 1)
    locale: str = "en_US"
    offset: timedelta = timedelta(0)

    def key(self, at: int) -> str:
        """The right answer at a position, as `starebrain.resolution.key_of` spells it."""
        return self.names[at]

    def device(self, without: tuple[int, ...] = ()) -> DeviceContext:
        """The snapshot of the phone; nothing can be left out of it."""
        hours = int(self.offset / timedelta(hours=1))
        zone = "UTC" if not hours else f"Etc/GMT{-hours:+d}"
        return DeviceContext(_aware(self.reference, self.offset), zone, self.locale)


def _aware(at: datetime, offset: timedelta) -> datetime:
    return (at - offset).replace(tzinfo=UTC)


def items_of(name: str, expressions: Iterable[Expression]) -> list[Item]:
    """Expressions as hints for `starebrain evaluate`, which compares starts to the second and no ends.

    An expression without a start is left out, what is not a time is a hint that the phone has nothing for. The half
    that rules were written against is the train split, the other one test.
    """
    items = []
    for expression in expressions:
        starts = [e.start for e in expression.expected if e.start is not None]
        if expression.kind != NOT_A_TIME and not starts:
            continue
        keys = tuple(dict.fromkeys(_aware(start, expression.offset).isoformat() for start in starts))
        where = (expression.reference, expression.locale, expression.offset)
        book = Moment(ParameterKind.TIME_SLOT, keys, (), *where)
        items.append(
            Item(
                expression.expression_id,
                f"{name}:{expression.expression_id}",
                f"{name}:{expression.text.strip().casefold()}",
                book,
                expression.text,
                (0,) if keys else (),
                tuple(range(len(keys))),
                expression.category,
                "create_event",
                split=Split.TRAIN if expression.looked_at else Split.TEST,
            )
        )
    return items
