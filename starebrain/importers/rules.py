"""Recurrence rules (RRULE): tidied so that dateutil reads them, and weighed before it computes them.

dateutil computes a rule step by step from the event's first day and never gives up: ``FREQ=SECONDLY`` since 1990
takes 1.1 billion steps, INTERVAL=0 never ends, and a rule for 30 February searches until the year 9999 (3 to 5 s). So
a rule is weighed first, in steps of about 2 µs, and a rule that fits no day at all is found out in the last 800 years
of the calendar (which repeats every 400 years), where there is little left to search.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from dateutil.rrule import rrulestr  # type: ignore[import-untyped]

from starebrain.importers.base import Unusable
from starebrain.importers.report import quote

PER_DAY = {"YEARLY": 1, "MONTHLY": 1, "WEEKLY": 1, "DAILY": 1, "HOURLY": 24, "MINUTELY": 1440, "SECONDLY": 86400}
"""Steps that dateutil takes for a day of each frequency, at most."""

TIMES = {"HOURLY": ("BYMINUTE", "BYSECOND"), "MINUTELY": ("BYSECOND",), "SECONDLY": ()}
"""Lists that multiply the steps of a frequency; from DAILY up, BYHOUR does too."""

KNOWN = frozenset(
    (
        *("FREQ", "UNTIL", "COUNT", "INTERVAL", "WKST", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY"),
        *("BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS"),
    )
)

FUTILE = 300_000
"""Steps that are charged for finding out that a rule fits no day (0.5 s at most)."""

MOST_OFTEN = 1440
"""Times a day above which a rule without an end soon (`FEW`) is not computed."""

FEW = 1000

_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_CYCLE = 400


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule by its parts, names and values in capitals; FREQ is one of `PER_DAY`, COUNT and INTERVAL are above 0."""

    parts: Mapping[str, str]

    def __str__(self) -> str:
        return ";".join(f"{name}={value}" for name, value in self.parts.items())

    def without(self, *names: str) -> Rule:
        """The rule less some parts."""
        return Rule({name: value for name, value in self.parts.items() if name not in names})

    @property
    def per_day(self) -> float:
        """How often it recurs on a day, at most; at least 1 from DAILY up."""
        frequency = self.parts["FREQ"]
        lists = TIMES.get(frequency, ("BYHOUR", "BYMINUTE", "BYSECOND"))
        times = 1
        for name in lists:
            times *= self.parts.get(name, "").count(",") + 1
        interval = int(self.parts.get("INTERVAL", "1")) if frequency in TIMES else 1
        return PER_DAY[frequency] / interval * times

    def steps(self, start: datetime, end: datetime) -> int:
        """Steps to compute it from its first day until `end`, at most."""
        days = max((end - start) / timedelta(days=1), 0) + 1
        steps = days * max(self.per_day, 1)
        narrowed = any(name.startswith("BY") for name in self.parts)
        if "COUNT" in self.parts and not narrowed:
            steps = min(steps, int(self.parts["COUNT"]) * 366 if self.parts["FREQ"] not in TIMES else steps)
        return int(steps)

    def fits_some_day(self, start: datetime) -> bool:
        """Whether it recurs at all from some time on; `Unusable` where dateutil refuses it."""
        late = start.replace(year=start.year % _CYCLE + 9999 // _CYCLE * _CYCLE - _CYCLE, tzinfo=None)
        try:
            rule = rrulestr(str(self.without("COUNT", "UNTIL")), dtstart=late)
            return next(iter(rule), None) is not None
        except Exception as error:  # dateutil raises whatever its parts raise
            raise Unusable(f"the rule {quote(str(self))} cannot be computed ({quote(str(error))})") from None


def parse_rule(text: str) -> tuple[Rule, list[str]]:
    """The rule in an RRULE's value, and doubts about what was mended; `Unusable` where it cannot be read."""
    parts: dict[str, str] = {}
    doubts = []
    for part in "".join(text.upper().split()).split(";"):
        name, _, value = part.partition("=")
        if not part:
            continue
        if name not in KNOWN or not value or name in parts:
            doubts.append(f"the part {quote(part)} of the rule is not used")
            continue
        parts[name] = value
    if parts.get("FREQ") not in PER_DAY:
        raise Unusable(f"the rule {quote(text)} has no frequency that is known")
    for name in ("COUNT", "INTERVAL"):
        value = parts.get(name, "1")
        if not _NUMBER.fullmatch(value):
            raise Unusable(f"the rule {quote(text)} has the {name} {quote(value)}")
        if int(value) < 1:
            doubts.append(f"the {name} of the rule is {value}; it is not used")
            del parts[name]
    for name, value in parts.items():
        lists = value.split(",") if name.startswith("BY") and name != "BYDAY" else []
        if not all(map(_NUMBER.fullmatch, lists)):
            raise Unusable(f"the rule {quote(text)} has the {name} {quote(value)}")
    rule = Rule(parts)
    if rule.per_day > MOST_OFTEN and int(parts.get("COUNT", FEW + 1)) > FEW:
        raise Unusable(f"the rule {quote(text)} recurs more often than every minute")
    return rule, doubts


def day_of(moment: date | datetime) -> datetime:
    """A time without its zone, or the midnight that a day begins with."""
    if isinstance(moment, datetime):
        return moment.replace(tzinfo=None)
    return datetime(moment.year, moment.month, moment.day)
