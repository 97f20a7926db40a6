"""What several readers say of one hint, put together, and how much weight that has.

Counted on the `time` benchmark (core, conv, tz, not a time) and the German, French and Portuguese specifications of
Recognizers, right / wrong on the half that rules were written against (`starebrain.benchmarks.moments.looked_at`), and
after the semicolon on the other half:

- best readings with a clock time that no flag caps: another reader agrees with our rules 152 / 0; 115 / 0. Our rules
  alone, a family of `PROVEN` 9 / 0; 10 / 0, another family 15 / 1; 11 / 3. A library alone 2 / 1; 13 / 2.
- best readings of every grain: agreed 477 / 11; 436 / 20. Proven 22 / 0; 18 / 0. Lone 162 / 29; 179 / 44. Disputed
  56 / 24; 37 / 30.

So agreement and the proven families may be HIGH; a lone reading is a suggestion, and so is the best of several.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from enum import StrEnum

from starebrain.kinds.readers.reading import Flag, Reading, ReadingSet
from starebrain.kinds.readers.rules.reader import NAME as RULES
from starebrain.resolution import Grain

TOLERANCE = {
    Grain.MINUTE: timedelta(0),
    Grain.HOUR: timedelta(0),
    Grain.DAY_PART: timedelta(hours=2),
    Grain.DAY: timedelta(days=1),
    Grain.WEEK: timedelta(days=7),
    Grain.MONTH: timedelta(days=31),
}
"""By how much two ends of the same stretch may differ: whether the last unit is included is a habit of each reader."""

PROVEN = frozenset({"clock", "hour", "part hour", "shift", "year month day hour"})
"""Families of our rules with at least ten right readings and no wrong one, with others or alone, on the half that was
looked at: clock 35, hour 13, part hour 16, shift 30, year month day hour 10. (Ten of ten: 74% or more at 95%; all 104
together: 97% or more.) On the other half they are 69 of 69 right."""


class Support(StrEnum):
    """How a reading is supported, strongest first."""

    AGREED = "agreed"  # two independent readers give it, and none another
    PROVEN = "proven"  # our rules alone give it, by a family of `PROVEN`
    LONE = "lone"  # one reader gives it, and none another
    DISPUTED = "disputed"  # readers differ
    NONE = "none"  # no reader gives any


def same(one: Reading, other: Reading) -> bool:
    """Whether two readings are the same time, as far as both say it.

    Clock times to the minute, days to the day, parts of the day to the hour; ends as far as both have one, within
    `TOLERANCE`, but a clock time with an end is not one without.
    """
    if one.timed != other.timed:
        return False
    coarse = max((one.grain, other.grain), key=list(Grain).index)
    if one.timed:
        near = abs(one.start - other.start) < timedelta(minutes=1)
    else:
        near = one.start == other.start or (coarse is not Grain.DAY_PART and one.start.date() == other.start.date())
    if not near:
        return False
    if one.end is None or other.end is None:
        return one.end is other.end or not one.timed
    return abs(one.end - other.end) <= TOLERANCE[coarse]


def together(answers: Iterable[Sequence[Reading]]) -> tuple[Reading, ...]:
    """All readings of all readers, each once, with the names of those who gave it.

    The order is that of the answers: the first reader's readings first. Flags are those of the first to give it.
    """
    found: list[Reading] = []
    for reading in (r for answer in answers for r in answer):
        at = next((i for i, known in enumerate(found) if same(known, reading)), None)
        if at is None:
            found.append(reading)
        else:
            found[at] = replace(found[at], readers=found[at].readers | reading.readers)
    return tuple(found)


def grade(readings: ReadingSet) -> tuple[Reading | None, Support]:
    """The best reading of a hint, and how it is supported; (None, NONE) where there is none.

    A reading in the past is no rival of one that is not: libraries often take the nearest of two weekdays. Whether the
    best one may be filled in silently depends on its flags as well (`starebrain.kinds.readers.CAPPING`).
    """
    if not readings.readings:
        return None, Support.NONE
    best = readings.readings[0]
    rivals = (r for r in readings.readings if not (Flag.PAST in r.flags and Flag.PAST not in best.flags))
    if frozenset[str]().union(*(r.readers for r in rivals)) - best.readers:
        return best, Support.DISPUTED
    if len(best.readers) > 1:
        return best, Support.AGREED
    return best, Support.PROVEN if best.readers == {RULES} and best.rule in PROVEN else Support.LONE
