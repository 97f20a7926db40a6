"""Time expressions as labelled hints: what they may mean at a reference time, and how an answer to one is judged.

Shared by the benchmarks of time expressions. Their hints are asked of phones that know nothing but the time. Judging
follows the published rule, which labels carry in their keys (`starebrain.resolution.is_time_of`): a start is right
where it equals an expected one, both cut to the expected grain; where both name an end, the ends may differ by one
grain (inclusive or exclusive); of what is not a time every answer is wrong.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from starebrain.benchmarks.base import Book, Item
from starebrain.dataset import Split
from starebrain.device import DeviceContext
from starebrain.intent import ParameterKind
from starebrain.resolution import GRAINS, is_time_of

NOT_A_TIME, OPEN = "none", "open"
"""Kinds of expressions without a start to compare: what is no time, and what only has a latest time."""

CLOCK_GRAINS = frozenset({"hour", "minute", "second"})
"""Grains of expressions with a clock time."""


@dataclass(frozen=True, slots=True)
class Expected:
    """One right answer: local times without a zone, the end None where any is right."""

    start: datetime | None
    end: datetime | None
    grain: str

    def key(self, zone: timezone) -> str:
        """The label of it, at an offset from UTC."""
        times = [at.replace(tzinfo=zone).isoformat() for at in (self.start, self.end) if at is not None]
        return f"{'/'.join(times)}@{self.grain if self.grain in GRAINS else 'minute'}"


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

    @property
    def keys(self) -> tuple[str, ...]:
        """The right answers as labels spell them, each once; none for what is not a time or has no start."""
        zone = timezone(self.offset)
        of = self.expected if self.kind != NOT_A_TIME else ()
        return tuple(dict.fromkeys(e.key(zone) for e in of if e.start is not None))

    def is_right(self, start: datetime, end: datetime | None) -> bool:
        """Whether an answer (local times without a zone, or instants) is right by the published rule."""
        return is_time_of(self._instant(start), None if end is None else self._instant(end), self.keys)

    def _instant(self, at: datetime) -> datetime:
        return at if at.tzinfo is not None else at.replace(tzinfo=timezone(self.offset))

    @property
    def phone(self) -> Moment:
        """The phone that it is said to."""
        return Moment(ParameterKind.TIME_SLOT, self.keys, (), self.reference, self.locale, self.offset)


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
        """The right answer at a position, as `starebrain.resolution.is_time_of` reads it."""
        return self.names[at]

    def device(self, without: tuple[int, ...] = ()) -> DeviceContext:
        """The snapshot of the phone; nothing can be left out of it."""
        hours = int(self.offset / timedelta(hours=1))
        zone = "UTC" if not hours else f"Etc/GMT{-hours:+d}"
        return DeviceContext(self.reference.replace(tzinfo=timezone(self.offset)), zone, self.locale)


def items_of(name: str, expressions: Iterable[Expression]) -> list[Item]:
    """Expressions as hints for `starebrain evaluate`, judged by the published rule.

    Every answer that a corpus lets pass is intended: which of them the speaker means it does not say, so no hint counts
    as ambiguous. An expression without a start is left out, what is not a time is a hint that the phone has nothing
    for. The half that rules were written against is the train split, the other one test.
    """
    items = []
    for expression in expressions:
        phone = expression.phone
        if expression.kind != NOT_A_TIME and not phone.names:
            continue
        right = tuple(range(len(phone.names)))
        items.append(
            Item(
                expression.expression_id,
                f"{name}:{expression.expression_id}",
                f"{name}:{expression.text.strip().casefold()}",
                phone,
                expression.text,
                right,
                right,
                expression.category,
                "create_event",
                split=Split.TRAIN if expression.looked_at else Split.TEST,
            )
        )
    return items
