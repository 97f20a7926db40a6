"""What has been said of a time: each field is one thing said, None where nothing was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction

AMOUNT_UNITS = ("year", "quarter", "month", "week", "day", "workday", "hour", "minute", "second")
"""Units of an amount, longest first."""

Amount = tuple[tuple[str, Fraction], ...]
"""How much of each unit of `AMOUNT_UNITS`, longest unit first."""

AM, PM = "am", "pm"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the day: hours [`first`, `last`) past midnight; hours above 24 belong to the next day.

    `early` and `late` are the spoken hours (1 to 12) that mean forenoon and afternoon beside it: "at 7 in the evening".
    """

    name: str
    first: int
    last: int
    early: tuple[int, ...] = ()
    late: tuple[int, ...] = ()
    days: int | None = None


@dataclass(frozen=True, slots=True)
class When:
    """One point or stretch of time, as far as it was said.

    `turn` goes with `weekday`, `month` or `holiday`: -1 last, 0 this, 1 next, 2 the one after. `days` counts from
    today. `period` is a calendar unit and how many of them away from now: ("week", 1) is next week. `nth` picks from a
    period: (2, "weekday 0") is its second Monday, (-1, "day") its last day. `shift` is an amount added to `base` (now
    where it is None). `edge` picks the early, middle or late third. `spoken` says that the hour was said in the
    twelve-hour manner whatever the language, `exact` that it was written in the twenty-four-hour one.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    turn: int | None = None
    days: int | None = None
    period: tuple[str, int] | None = None
    nth: tuple[int, str] | None = None
    holiday: str | None = None
    shift: Amount | None = None
    base: When | None = None
    week_of: When | None = None
    weekend: bool | None = None
    edge: str | None = None
    part: Part | None = None
    hour: int | None = None
    minute: int | None = None
    second: int | None = None
    meridiem: str | None = None
    spoken: bool | None = None
    exact: bool | None = None
    approximate: bool | None = None
    now: bool | None = None

    @property
    def dated(self) -> bool:
        """Whether a day, or a longer stretch, was said."""
        return any(getattr(self, name) is not None for name in DATE_FIELDS)

    @property
    def timed(self) -> bool:
        """Whether an hour was said."""
        return self.hour is not None or self.now is not None


DATE_FIELDS = (
    *("year", "month", "day", "weekday", "turn", "days", "period", "nth", "holiday"),
    *("shift", "base", "week_of", "weekend", "edge"),
)
"""The fields that say something of the day."""
_NAMES = tuple(f.name for f in fields(When))


def merged(one: When, other: When) -> When | None:
    """What both say together, or None where they say different things of the same field."""
    said: dict[str, object] = {}
    for name in _NAMES:
        a, b = getattr(one, name), getattr(other, name)
        if a is not None and b is not None and a != b:
            return None
        said[name] = a if b is None else b
    both = When(**said)  # type: ignore[arg-type]
    return both if _sensible(one, other, both) else None


def _sensible(one: When, other: When, both: When) -> bool:
    """Whether two parts may stand beside each other: not two hours, not two days that count from different things."""
    if one.timed and other.timed:
        return False
    whole = [n for n in ("days", "holiday", "shift", "now") if getattr(both, n) is not None]
    named = both.month is not None or both.day is not None or both.nth is not None
    if len(whole) > 1 or (both.days is not None and both.period is not None):
        return False
    if both.shift is not None and named and both.base is None and one.shift != other.shift:
        return False
    if both.days is not None and both.part is not None and both.part.days not in (None, both.days):
        return False
    return both.turn is None or both.period is None


def dates_of(when: When) -> When:
    """Only what was said of the day."""
    return When(**{name: getattr(when, name) for name in DATE_FIELDS})


def with_dates(when: When, source: When) -> When:
    """`when` with the day of `source`; unsaid fields stay unsaid."""
    return replace(when, **{name: getattr(source, name) for name in DATE_FIELDS})


def amount(pairs: Mapping[str, Fraction]) -> Amount:
    """An amount in its canonical form: longest unit first, without zeros."""
    return tuple((unit, pairs[unit]) for unit in AMOUNT_UNITS if pairs.get(unit))
