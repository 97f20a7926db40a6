"""Our own reader: a readable table of rules over the words of five languages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from starebrain.kinds.readers.hint import Hint
from starebrain.kinds.readers.reading import Flag, Reading
from starebrain.kinds.readers.rules import calendar
from starebrain.kinds.readers.rules.clock import AMOUNTS, CLOCKS, NUMBERS
from starebrain.kinds.readers.rules.dates import DATES, Impossible
from starebrain.kinds.readers.rules.grammar import Node, Rule, reduced
from starebrain.kinds.readers.rules.resolve import Manner, readings
from starebrain.kinds.readers.rules.spans import DAY_RANGES, POINTS, SPANS, Said
from starebrain.kinds.readers.rules.when import When

NAME = "rules"

MAX_TOKENS = 40
"""Words of the longest hint that the rules read."""

RULES: tuple[Rule, ...] = (*NUMBERS, *CLOCKS, *AMOUNTS, *DAY_RANGES, *DATES, *POINTS, *SPANS)

_IDLE = ("LINK", "COMMA", "STOP", "APPROX", "DASH")


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
        return bool(whens) and all(_on_a_day(w) for w in whens) and all(s.shape in ("point", "range") for s in self.said)


def _on_a_day(when: When) -> bool:
    shift = when.shift is None or calendar.add_days(date(2000, 1, 1), when.shift) is not None
    return when.dated and not when.now and shift and (when.base is None or _on_a_day(when.base))


def parsed(nodes: Sequence[Node]) -> Parse | None:
    """What a row of words says as a whole; None where the rules do not understand all of it.

    Raises `Impossible` where it names a day that does not exist.
    """
    row = [n for n in nodes if not set(n.values) <= {"STOP"}] if len(nodes) > 1 else list(nodes)
    row, _ = reduced(row, RULES)
    if any("IMPOSSIBLE" in n.values for n in row):
        raise Impossible
    while row and _idle(row[0]):
        row = row[1:]
    while row and _idle(row[-1]):
        row = row[:-1]
    if len(row) != 1:
        return None
    if _mere_letters(nodes):
        raise NoTime
    said = _said(row[0])
    return None if said is None else Parse(said, "|".join(family(s) for s in said), (row[0].start, row[0].end))


class NoTime(Exception):
    """The hint is something else that only looks like a time, so that no reader may read one into it."""


def _mere_letters(nodes: Sequence[Node]) -> bool:
    """Whether a hint is too little to be a time.

    An abbreviation of a month ("jan"), or of a unit after a number ("3y", "1 m"); two numbers with a hyphen ("7-10").
    """
    if len(nodes) == 3 and "HYPHEN" in nodes[1].values and {"DIGITS"} <= nodes[0].values.keys() & nodes[2].values.keys():
        return nodes[2].values["DIGITS"] <= 12
    text, values = nodes[-1].text, nodes[-1].values
    if len(nodes) == 1:
        return "MONTH" in values and len(text) == 3 and text != "may"
    return len(nodes) == 2 and "NUM" in nodes[0].values and "UNIT" in values and len(text) == 1 and text != "h"


def _idle(node: Node) -> bool:
    return not {"WHEN", "SAID", "OFFERS"} & set(node.values) and any(c in node.values for c in _IDLE)


def _said(node: Node) -> tuple[Said, ...] | None:
    values = node.values
    if "OFFERS" in values:
        return tuple(replace(s, flags=s.flags | {Flag.TWO_OFFERS}) for s in values["OFFERS"])
    if "CLOCK" in values and "AMOUNT" in values:
        flag = frozenset({Flag.FORCED} if values["CLOCK"].hour <= 12 else ())
        return (Said("point", values["CLOCK"], flags=flag), *((Said("length", length=values["AMOUNT"]),) if flag else ()))
    if "SAID" in values:
        return (values["SAID"],)
    if "WHEN" in values:
        return (Said("point", values["WHEN"]),)
    return (Said("point", When(year=values["YEAR"])),) if "YEAR" in values and 1900 <= values["YEAR"] <= 2100 else None


def family(said: Said) -> str:
    """The family of an expression, as reports count it: its shape and what was said of day and time."""
    names = [said.shape] if said.shape != "point" else []
    when = said.first
    if when is not None:
        names += [n for n in ("days", "weekday", "turn", "holiday", "month", "day", "year", "period", "nth", "edge",
                              "shift", "base", "week_of", "weekend") if getattr(when, n) is not None]  # fmt: skip
        names += ["part"] if when.part else []
        names += ["now"] if when.now else []
        if when.hour is not None:
            names.append(
                "noon" if when.exact and when.hour in (0, 12) else "clock" if when.meridiem or when.exact else "hour"
            )
    return " ".join(names)


def parse_of(hint: Hint) -> Parse | None:
    """What the rules make of a hint, None where they do not understand all of it.

    Raises `Impossible` where it names a day that does not exist, `NoTime` where it only looks like a time.
    """
    return parsed(hint.nodes) if 0 < len(hint.nodes) <= MAX_TOKENS else None


def resolved(parse: Parse, hint: Hint, now: datetime) -> Iterator[Reading]:
    """The readings of a parse at a local time, each once, most likely first; raises `ValueError` beyond the calendar."""
    seen = set()
    for said in parse.said:
        for reading in readings(said, now, hint.manner):
            if (key := (reading.start, reading.end)) not in seen:
                seen.add(key)
                yield replace(reading, span=parse.span, readers=frozenset({NAME}), rule=parse.family)
