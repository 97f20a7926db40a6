"""Dates and times of an iCalendar file, and the zones that they name.

A zone name is looked up as: an IANA name; Windows' name for one; the IANA name at the end of a vendor's path
(``/mozilla.org/20070129_1/Europe/Berlin``); the rules that the file itself gives (VTIMEZONE); a fixed offset written
in the name (doubted unless it is UTC±h). Any other name is unknown: its times are read in the calendar's zone
(X-WR-TIMEZONE, else the phone's) and doubted. A time without a zone is read in the calendar's zone too, doubted where
that is not the phone's.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from io import StringIO
from itertools import takewhile
from zoneinfo import ZoneInfo, available_timezones

from dateutil.tz import tzical  # type: ignore[import-untyped]
from icalendar import vDuration
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from starebrain import device
from starebrain.errors import InvalidInput
from starebrain.importers.base import Unusable
from starebrain.importers.components import Component
from starebrain.importers.content import ContentLine
from starebrain.importers.report import quote
from starebrain.importers.rules import parse_rule

type Moment = date | datetime
"""A day, or a time with a zone."""

type Period = tuple[Moment, Moment | timedelta]

MOST_RULES = 200
"""VTIMEZONEs of one calendar that are read."""

LONGEST_NAME = 200
"""Characters of a zone name above which it is not looked up."""

_MOMENT = re.compile(
    r"([0-9]{4})-?([0-9]{2})-?([0-9]{2})"
    r"(?:[T ]([0-9]{2}):?([0-9]{2}):?([0-9]{2})?(?:\.[0-9]+)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?",
    re.IGNORECASE,
)
_OFFSET = re.compile(r"\(?(UTC|GMT)?\s*([+-])\s*([0-9]{1,2}):?([0-9]{2})?\b", re.IGNORECASE)
_PLAIN_OFFSET = re.compile(r"(?:UTC)?[+-][0-9]{1,2}(?::?[0-9]{2})?", re.IGNORECASE)


class Zones:
    """The zones of one calendar: its own VTIMEZONEs, its X-WR-TIMEZONE, and the phone's."""

    def __init__(self, phone: ZoneInfo, own: str = "", rules: Iterable[Component] = ()) -> None:
        self.phone = phone
        self._rules: dict[str, tzinfo] = {}
        self.doubts: list[tuple[int, str, str]] = []
        for number, component in enumerate(rules):
            self._add(component, number < MOST_RULES)
        found, doubt = self.find(own) if own else (None, None)
        self._calendar = found or phone
        self._from_calendar = found is not None
        self.own_doubt = (
            doubt if found else f"{quote(own)} is no zone that is known; the phone's is used" if own else None
        )

    def find(self, name: str) -> tuple[tzinfo | None, str | None]:
        """The zone of a name, or None, and a doubt about it."""
        name = name.strip().strip('"')
        if len(name) > LONGEST_NAME:
            return None, None
        path = name.strip("/").split("/")
        guess = None
        for start in range(len(path)):
            known = _known("/".join(path[start:]))
            if known is not None and (start == 0 or name.startswith("/") or ":" in path[0]):
                return known, None
            guess = guess or known
        if _key(name) in self._rules:
            return self._rules[_key(name)], None
        if guess is not None:
            return guess, f"{quote(name)} is read as {guess}"
        offset = _offset(name)
        if offset is None:
            return None, None
        plain = _PLAIN_OFFSET.fullmatch(name)
        return offset, None if plain else f"{quote(name)} is no zone that is known; read as {offset} all year"

    def differs(self, name: str, at: datetime) -> bool:
        """Whether the file's own rules of a zone put a time at another offset than the zone that was used for it."""
        rules = self._rules.get(_key(name))
        return rules is not None and at.replace(tzinfo=rules).utcoffset() != at.utcoffset()

    def moments(self, line: ContentLine) -> tuple[list[Moment | Period], list[str]]:
        """The values of a date property, and doubts about them; `Unusable` where one cannot be read."""
        name, values, doubts = ", ".join(line.params.get("TZID", ())), line.value, list[str]()
        if ":" in values and not all(map(_MOMENT.fullmatch, values.strip().split(","))):
            rest, _, last = values.rpartition(":")
            if name and all(_MOMENT.fullmatch(value.strip()) for value in last.split(",")):
                name, values = f"{name}:{rest.partition(';')[0]}", last
                doubts.append(f"{line.name} names its zone {quote(name)} without quotation marks")
        zone, doubt = self.find(name) if name else (None, None)
        if name and zone is None:
            used = "the calendar's" if self._from_calendar else "the phone's"
            doubt = f"{line.name} is in the unknown zone {quote(name)}; read in {used}"
        found: list[Moment | Period] = []
        for value in filter(None, (value.strip() for value in values.split(","))):
            start, slash, end = value.partition("/")
            first, floating = self._moment(start, zone)
            if floating and not name and self._from_calendar and str(self._calendar) != str(self.phone):
                doubt = (
                    f"{line.name} has no zone; read in the calendar's {self._calendar}, not the phone's {self.phone}"
                )
            doubts += [doubt] if doubt and floating and doubt not in doubts else []
            found.append((first, self._end(end, zone)) if slash else first)
        if not found:
            raise Unusable(f"{line.name} is empty")
        return found, doubts

    def moment(self, line: ContentLine) -> tuple[Moment, list[str]]:
        """The value of a date property that has one, and doubts about it."""
        found, doubts = self.moments(line)
        if len(found) > 1 or isinstance(found[0], tuple):
            raise Unusable(f"{line.name} is {quote(line.value)}, not one date or time")
        return found[0], doubts

    def _moment(self, text: str, zone: tzinfo | None) -> tuple[Moment, bool]:
        """A day or time, and whether a zone had to be given to it."""
        found = _MOMENT.fullmatch(text)
        if found is None:
            raise Unusable(f"{quote(text)} is no date or time")
        year, month, day, hour, minute, second, offset = found.groups()
        try:
            on = date(int(year), int(month), int(day))
            if hour is None:
                return on, False
            days = timedelta(days=1) if (hour, minute) == ("24", "00") else timedelta()
            naive = datetime(on.year, on.month, on.day, int(hour) % 24 if days else int(hour), int(minute)) + days
            naive = naive.replace(second=min(int(second or 0), 59) if second != "60" else 59)
        except (ValueError, OverflowError):
            raise Unusable(f"{quote(text)} is no date or time that there is") from None
        if offset is None:
            return naive.replace(tzinfo=zone or self._calendar), True
        if offset.upper() != "Z":
            return naive.replace(tzinfo=_offset(offset)), False
        universal = naive.replace(tzinfo=UTC)
        try:
            return (universal.astimezone(self._calendar) if self._from_calendar else universal), False
        except OverflowError:
            raise Unusable(f"{quote(text)} is too near the ends of time") from None

    def _end(self, text: str, zone: tzinfo | None) -> Moment | timedelta:
        return duration(text) if text[:1].upper() in ("P", "+", "-") else self._moment(text, zone)[0]

    def _add(self, component: Component, used: bool) -> None:
        name = next((line.value.strip() for line in component.of("TZID")), "")
        try:
            if not name:
                raise Unusable("has no TZID")
            if not used:
                raise Unusable(f"is one of more than {MOST_RULES}")
            self._rules[_key(name)] = _from_rules(component)
        except Unusable as reason:
            if not name or self.find(name)[0] is None:
                self.doubts.append((component.number, f"VTIMEZONE {quote(name)}", f"{reason}; its rules are not used"))


def duration(text: str) -> timedelta:
    """A length such as ``PT1H30M`` or ``-P1D``; `Unusable` where it is none."""
    try:
        return vDuration.from_ical(text.strip().upper())
    except (ValueError, OverflowError, TypeError, AttributeError):
        raise Unusable(f"{quote(text)} is no length of time") from None


def instant(moment: Moment, zone: ZoneInfo) -> tuple[datetime, str | None]:
    """A time, or the first instant of a day, in the phone's zone, and a doubt where clocks skip or repeat it there.

    A time that clocks skip is moved on by the hour that they skip; of a time that occurs twice the first is taken. It
    is in UTC where the phone's zone was off by seconds (before 1900), which an ISO 8601 offset cannot say. The first
    year and the last, which some zone cannot show, are `Unusable`.
    """
    if not isinstance(moment, datetime):
        return _shown(_universal(datetime(moment.year, moment.month, moment.day, tzinfo=zone)), zone), None
    universal = _universal(moment)
    back = universal.astimezone(moment.tzinfo).replace(tzinfo=None)
    doubt = None
    if back != moment.replace(tzinfo=None):
        doubt = f"{moment:%Y-%m-%d %H:%M} does not occur in {_named(moment)}: clocks skip it; moved to {back:%H:%M}"
    elif _universal(moment.replace(fold=1)) != universal:
        doubt = f"{moment:%Y-%m-%d %H:%M} occurs twice in {_named(moment)}; read as the first"
    return _shown(universal, zone), doubt


def _named(moment: datetime) -> str:
    return str(moment.tzinfo) if isinstance(moment.tzinfo, ZoneInfo | timezone) else "the file's own zone"


def _shown(universal: datetime, zone: ZoneInfo) -> datetime:
    if not 1 < universal.year < 9999 or not 1 < (local := universal.astimezone(zone)).year < 9999:
        raise Unusable(f"{universal.date()} is too near the ends of time")
    offset = local.utcoffset()
    return universal if offset is None or offset % timedelta(minutes=1) else local


def midnight(day: date, like: Moment) -> datetime:
    """The midnight that a day begins with, in the zone of another time."""
    return datetime(day.year, day.month, day.day, tzinfo=like.tzinfo if isinstance(like, datetime) else None)


def compact(moment: Moment) -> str:
    """A moment as iCalendar writes it: ``20261105``, or ``20261105T143000Z`` in UTC."""
    if isinstance(moment, datetime):
        universal = _universal(moment)
        return f"{universal.year:04}{universal:%m%dT%H%M%SZ}"
    return f"{moment.year:04}{moment:%m%d}"


def _universal(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except (OverflowError, ValueError):
        raise Unusable(f"{moment:%Y-%m-%d} is too near the ends of time") from None


class _Onsets:
    """When an offset begins, until the year 2200: what dateutil asks of a rule, which it walks through each time."""

    def __init__(self, rule: Iterable[datetime]) -> None:
        self._times = list(takewhile(lambda time: time.year < 2200, rule))

    def before(self, time: datetime, inc: bool = True) -> datetime | None:
        """The last of them that is not after a time."""
        at = bisect_right(self._times, time)
        return self._times[at - 1] if at else None


def _from_rules(component: Component) -> tzinfo:
    """The zone that a VTIMEZONE describes; dateutil reads a copy without what it stumbles over."""
    lines = ["BEGIN:VTIMEZONE", "TZID:rules"]
    for part in component.parts:
        if part.name not in ("STANDARD", "DAYLIGHT"):
            continue
        lines.append(f"BEGIN:{part.name}")
        for line in part.lines:
            value = line.value.strip()
            if line.name in ("DTSTART", "RDATE"):
                if not all(_MOMENT.fullmatch(each) for each in value.split(",")):
                    raise Unusable(f"has the {line.name} {quote(value)}")
                value = ",".join(each if len(each) > 10 else f"{each}T000000" for each in value.split(","))
            if line.name == "RRULE":
                value = _yearly(value)
            lines.append(f"{line.name}:{value}")
        lines.append(f"END:{part.name}")
    lines.append("END:VTIMEZONE")
    try:
        zone = tzical(StringIO("\n".join(lines))).get()
        for part in zone._comps:
            part.rrule = _Onsets(part.rrule)
        for probe in (datetime(1970, 1, 1), datetime(2030, 1, 1), datetime(2030, 7, 1)):
            probe.replace(tzinfo=zone).utcoffset()
    except Exception as error:  # dateutil raises whatever its parts raise
        raise Unusable(f"cannot be read ({quote(str(error))})") from None
    return zone


def _yearly(text: str) -> str:
    """The rule of a change of clocks, tidied."""
    rule, _ = parse_rule(text)
    if rule.parts["FREQ"] != "YEARLY" or rule.per_day > 1 or not rule.fits_some_day(datetime(2000, 1, 1)):
        raise Unusable(f"has the rule {quote(text)}, which does not change clocks once a year")
    return str(rule)


@lru_cache(4096)
def _known(name: str) -> ZoneInfo | None:
    """The zone of an IANA or Windows name, written in capitals or not."""
    plain = re.sub(r" [0-9]$", "", name)
    try:
        return device.zone(name)
    except InvalidInput:
        found = _folded().get(plain.casefold())
        return ZoneInfo(found) if found else None


@cache
def _folded() -> dict[str, str]:
    """IANA names by themselves and by Windows' names, all in small letters."""
    names = {name: name for name in available_timezones() if name != "localtime"} | {"Z": "UTC"}
    return {name.casefold(): found for name, found in (WINDOWS_TO_OLSON | names).items()}


def _offset(name: str) -> timezone | None:
    """The offset that a name begins with: ``UTC+11``, ``(UTC-03:00) Brasília``, ``GMT +0100 (Standard)``."""
    found = _OFFSET.match(name)
    if found is None:
        return None
    hours, minutes = int(found[3]), int(found[4] or 0)
    if hours > 14 or minutes > 59:
        return None
    return timezone((1 if found[2] == "+" else -1) * timedelta(hours=hours, minutes=minutes))


def _key(name: str) -> str:
    return "".join(name.split()).casefold()
