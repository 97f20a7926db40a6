"""What several readers say of one hint, put together, and how much weight that has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum

from starebrain.kinds.readers.reading import Flag, Reading, ReadingSet
from starebrain.resolution import Grain

RULES = "rules"

TOLERANCE = {
    Grain.MINUTE: timedelta(minutes=1),
    Grain.HOUR: timedelta(hours=1),
    Grain.DAY_PART: timedelta(hours=2),
    Grain.DAY: timedelta(days=1),
    Grain.WEEK: timedelta(days=7),
    Grain.MONTH: timedelta(days=31),
}
"""By how much two ends of the same thing may differ: whether the last unit is included is a habit of each reader."""

_TIMED = (Grain.MINUTE, Grain.HOUR)


class Support(StrEnum):
    """How a reading is supported, strongest first."""

    AGREED = "agreed"  # two independent readers give it, and none another
    PROVEN = "proven"  # our rules alone give it, by a family that was never wrong where that was counted
    LONE = "lone"  # one reader gives it, and none another
    DISPUTED = "disputed"  # readers differ
    NONE = "none"


PROVEN: frozenset[str] = frozenset({"clock", "hour", "month day year hour", "part hour", "shift"})


def same(one: Reading, other: Reading) -> bool:
    """Whether two readings are the same time, as far as both say it."""
    if (one.grain in _TIMED) != (other.grain in _TIMED):
        return False
    coarse = max((one.grain, other.grain), key=list(Grain).index)
    unit = timedelta(minutes=1) if one.grain in _TIMED else timedelta(1) if coarse is not Grain.DAY_PART else timedelta(0)
    if abs(one.start - other.start) >= unit and one.start != other.start:
        return False
    if one.end is None or other.end is None:
        return one.end is other.end or one.grain not in _TIMED or Flag.AFTER in one.flags & other.flags
    exact = timedelta(0) if one.grain in _TIMED else TOLERANCE[coarse]
    return abs(one.end - other.end) <= exact


def together(answers: Iterable[Sequence[Reading]]) -> tuple[Reading, ...]:
    """All readings of all readers, each once, with the names of those who gave it.

    The order is that of the answers: the first reader's readings first. Flags are those of the first to give it.
    """
    found: list[Reading] = []
    for answer in answers:
        for reading in answer:
            at = next((i for i, known in enumerate(found) if same(known, reading)), None)
            if at is None:
                found.append(reading)
            else:
                known = found[at]
                found[at] = replace(known, readers=known.readers | reading.readers)
    return tuple(found)


def grade(readings: ReadingSet) -> tuple[Reading | None, Support]:
    """The best reading of a hint, and how it is supported; (None, NONE) where there is none.

    See `PROVEN` and the module's table for what was counted.
    """
    if not readings.readings:
        return None, Support.NONE
    best = readings.readings[0]
    rivals = (r for r in readings.readings if not (Flag.PAST in r.flags and Flag.PAST not in best.flags))
    given = frozenset[str]().union(*(r.readers for r in rivals))
    if given - best.readers:
        return best, Support.DISPUTED
    if len(best.readers) > 1:
        return best, Support.AGREED
    if best.readers == {RULES} and best.rule in PROVEN:
        return best, Support.PROVEN
    return best, Support.LONE


__all__ = ["Support", "datetime", "grade", "same", "together"]
