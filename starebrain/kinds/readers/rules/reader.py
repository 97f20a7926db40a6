"""The door of our own reader: from the words of a hint to what it says, and from that to readings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from starebrain.kinds.readers.hint import Hint
from starebrain.kinds.readers.reading import Flag, Reading
from starebrain.kinds.readers.rules.amounts import AMOUNTS, NUMBERS
from starebrain.kinds.readers.rules.arithmetic import whole_days
from starebrain.kinds.readers.rules.clock import CLOCKS
from starebrain.kinds.readers.rules.dates import DATES, YEARS, Impossible
from starebrain.kinds.readers.rules.grammar import Node, Rule, reduced
from starebrain.kinds.readers.rules.points import POINTS, Said
from starebrain.kinds.readers.rules.ranges import readings
from starebrain.kinds.readers.rules.spans import DAY_RANGES, SPANS
from starebrain.kinds.readers.rules.when import DATE_FIELDS, When

NAME = "rules"

MAX_TOKENS = 40
"""Words of the longest hint that the rules read."""

RULES: tuple[Rule, ...] = (*NUMBERS, *CLOCKS, *AMOUNTS, *DAY_RANGES, *DATES, *POINTS, *SPANS)
"""Every rule, in the order in which it is tried."""

_IDLE = frozenset({"LINK", "COMMA", "STOP", "APPROX", "DASH"})
_SAYING = frozenset({"WHEN", "SAID", "OFFERS"})


class NoTime(Exception):
    """The hint is something else that only looks like a time, so that no reader may read one into it."""


@dataclass(frozen=True, slots=True)
class Parse:
    """What the rules made of a hint: one shape or several offers, its family, and the span they cover."""

    said: tuple[Said, ...]
    family: str
    span: tuple[int, int]

    @property
    def dated(self) -> bool:
        """Whether what it means depends on the day alone that it is said on, not on the time of that day."""
        whens = [w for s in self.said for w in (s.first, s.last) if w is not None]
        shaped = all(s.shape in ("point", "range") for s in self.said)
        return shaped and bool(whens) and all(_on_a_day(w) for w in whens)


def _on_a_day(when: When) -> bool:
    shift = when.shift is None or whole_days(when.shift)
    return when.dated and not when.now and shift and (when.base is None or _on_a_day(when.base))


def parse_of(hint: Hint) -> Parse | None:
    """What the rules make of a hint, None where they do not understand all of it.

    Raises `Impossible` where it names a day that does not exist, `NoTime` where it only looks like a time.
    """
    return parsed(hint.nodes) if 0 < len(hint.nodes) <= MAX_TOKENS else None


def parsed(nodes: Sequence[Node]) -> Parse | None:
    """What a row of words says as a whole, as `parse_of`."""
    row = reduced([n for n in nodes if n.values.keys() != {"STOP"}], RULES)
    if any("IMPOSSIBLE" in n.values for n in row):
        raise Impossible
    at = False
    while row and _idle(row[0]):
        at = "AT" in row[0].values
        row = row[1:]
    while row and _idle(row[-1]):
        row = row[:-1]
    if len(row) != 1:
        return None
    if _too_little(nodes):
        raise NoTime
    said = _said(row[0], at)
    return None if said is None else Parse(said, "|".join(map(family, said)), (row[0].start, row[0].end))


def _idle(node: Node) -> bool:
    return _SAYING.isdisjoint(node.values) and not _IDLE.isdisjoint(node.values)


def _too_little(nodes: Sequence[Node]) -> bool:
    """Whether a hint is too little to be a time.

    An abbreviation of a month ("jan"), or of a unit after a number ("3y", "1 m"); two numbers with a dash ("7-10"); a
    spelled number of order ("second").
    """
    text, values, first = nodes[-1].text, nodes[-1].values, nodes[0].values
    if len(nodes) == 3 and "DASH" in nodes[1].values and "DIGITS" in first and "DIGITS" in values:
        return values["DIGITS"] <= 12
    if len(nodes) == 1:
        return "ORD" in values or ("MONTH" in values and len(text) == 3 and text != "may")
    return len(nodes) == 2 and "NUM" in first and "UNIT" in values and len(text) == 1 and text != "h"


def _said(node: Node, at: bool) -> tuple[Said, ...] | None:
    """What the words of a node say; `at`: behind a preposition of clock times ("à 8 heures")."""
    values = node.values
    if "OFFERS" in values:
        return tuple(replace(s, flags=s.flags | {Flag.TWO_OFFERS}) for s in values["OFFERS"])
    if "CLOCK" in values and "AMOUNT" in values:
        length = Said("length", length=values["AMOUNT"])
        return (Said("point", values["CLOCK"]),) if at else _clock_or_length(values["CLOCK"], length)
    if "SAID" in values:
        return (values["SAID"],)
    if "WHEN" in values:
        return (Said("point", values["WHEN"]),)
    return (Said("point", When(year=values["YEAR"])),) if values.get("YEAR") in YEARS else None


def _clock_or_length(clock: When, length: Said) -> tuple[Said, ...]:
    """ "3 heures": a time of day, or how long; above twelve a time of day."""
    if (clock.hour or 0) > 12:
        return (Said("point", clock),)
    return (Said("point", clock, flags=frozenset({Flag.OPEN_LENGTH})), length)


def family(said: Said) -> str:
    """The family of an expression, as reports count it: its shape, and what was said of day and time."""
    names = [said.shape] if said.shape != "point" else []
    when = said.first
    if when is None:
        return " ".join(names)
    names += [name for name in (*DATE_FIELDS, "part", "now") if getattr(when, name) is not None]
    if when.hour is not None:
        names.append("clock" if when.meridiem or when.exact else "hour")
    return " ".join(names)


def resolved(parse: Parse, hint: Hint, now: datetime) -> Iterator[Reading]:
    """The readings of a parse at a local time, each once, most likely first.

    Raises `Impossible` for a day that does not exist, `ValueError` or `OverflowError` beyond the calendar.
    """
    seen = set()
    for said in parse.said:
        for reading in readings(said, now, hint.manner):
            if (key := (reading.start, reading.end)) not in seen:
                seen.add(key)
                yield replace(reading, span=parse.span, readers=frozenset({NAME}), rule=parse.family)
