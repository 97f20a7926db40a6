"""Zones that a hint names: "9am PST", "15:00 UTC+2", "3pm Berlin time", "20 Uhr MEZ"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from starebrain.kinds.readers.reading import Flag, Reading
from starebrain.resolution import Grain

REGIONS: Mapping[str, tuple[str, float | None]] = {
    "utc": ("UTC", 0),
    "gmt": ("UTC", 0),
    "wet": ("Europe/Lisbon", 0),
    "west": ("Europe/Lisbon", 1),
    "bst": ("Europe/London", 1),
    "cet": ("Europe/Berlin", 1),
    "mez": ("Europe/Berlin", 1),
    "cest": ("Europe/Berlin", 2),
    "mesz": ("Europe/Berlin", 2),
    "eet": ("Europe/Athens", 2),
    "eest": ("Europe/Athens", 3),
    "et": ("America/New_York", None),
    "est": ("America/New_York", -5),
    "edt": ("America/New_York", -4),
    "ct": ("America/Chicago", None),
    "cst": ("America/Chicago", -6),
    "cdt": ("America/Chicago", -5),
    "mt": ("America/Denver", None),
    "mst": ("America/Denver", -7),
    "mdt": ("America/Denver", -6),
    "pt": ("America/Los_Angeles", None),
    "pst": ("America/Los_Angeles", -8),
    "pdt": ("America/Los_Angeles", -7),
    "akst": ("America/Anchorage", -9),
    "akdt": ("America/Anchorage", -8),
    "hst": ("Pacific/Honolulu", -10),
    "ist": ("Asia/Kolkata", 5.5),
    "jst": ("Asia/Tokyo", 9),
    "kst": ("Asia/Seoul", 9),
    "aest": ("Australia/Sydney", 10),
    "aedt": ("Australia/Sydney", 11),
    "brt": ("America/Sao_Paulo", -3),
    "eastern": ("America/New_York", None),
    "central": ("America/Chicago", None),
    "mountain": ("America/Denver", None),
    "pacific": ("America/Los_Angeles", None),
}
"""From an abbreviation to the region that uses it and the hours it is ahead of UTC (None: whatever the region has)."""

ONLY_IN: Mapping[str, frozenset[str]] = {"ist": frozenset({"IN"}), "cst": frozenset({"US", "CA", "MX"})}
"""Abbreviations that mean other zones elsewhere (IST is Irish and Israeli, too), and where they are taken as above."""

AREAS = frozenset({"Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"})
"""Areas of the IANA names whose last part is a city."""

_TIME_BEFORE = r"(?:(?<=\d)|(?<=[ap]m)|(?<=[ap]\.m\.)|(?<=\d[ap])|(?<=noon)|(?<=uhr)|(?<=\dh))"
_OFFSET = r"(?P<sign>[+-])(?P<hours>\d{1,2})(?::?(?P<minutes>\d\d))?(?![\w:])"
_AHEAD = _OFFSET.replace("[+-]", "[+]")
_CITY = r"(?P<city>[^\W\d_]+(?:[ _-][^\W\d_]+){0,2}?)"


@dataclass(frozen=True, slots=True)
class Named:
    """A zone that a hint names.

    `region` is an IANA name, `hours` what the zone is ahead of UTC (None: whatever the region is), and `span` where in
    the hint it is named, as [start, end).
    """

    region: str
    hours: float | None
    span: tuple[int, int]


class UnknownZone(Exception):
    """The hint names a zone that means several, or none that is known."""


def named(text: str, locale: str) -> Named | None:
    """The zone that `text` names, if any; raises `UnknownZone` where its name means another one in the territory."""
    for pattern, zone_of in _FORMS:
        for match in pattern.finditer(text):
            if (zone := zone_of(match, locale)) is not None:
                return zone
    return None


def _utc(match: re.Match[str], locale: str) -> Named:
    return Named("UTC", 0, match.span("zone"))


def _offset(match: re.Match[str], locale: str) -> Named:
    hours = int(match["hours"]) + int(match["minutes"] or 0) / 60
    if hours > 14:
        raise UnknownZone
    return Named("UTC", hours if match["sign"] == "+" else -hours, match.span("zone"))


def _abbreviation(match: re.Match[str], locale: str) -> Named | None:
    """An abbreviation, in capitals where it has two letters or the phone is not English ("est" is French)."""
    name = match["name"]
    known = REGIONS.get(name.lower())
    if known is None or not (name.isupper() or (len(name) > 2 and locale.startswith("en"))):
        return None
    territory = locale.partition("_")[2]
    if territory not in ONLY_IN.get(name.lower(), {territory}):
        raise UnknownZone
    return Named(*known, match.span("zone"))


def _region(match: re.Match[str], locale: str) -> Named:
    return Named(*REGIONS[match["name"].lower()], match.span("zone"))


def _city(match: re.Match[str], locale: str) -> Named | None:
    """The longest end of the words before "time" that names a city ("3pm New York time")."""
    words = re.split(r"[ _-]", match["city"])
    for first in range(len(words)):
        name = "_".join(words[first:]).lower()
        if name in _cities():
            start, end = match.span("zone")
            skipped = len(" ".join(words[:first])) + 1 if first else 0
            return Named(_cities()[name], None, (start + skipped, end))
    return None


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], str], Named | None]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), zone_of)
    for pattern, zone_of in (
        (rf"{_TIME_BEFORE}\s?(?P<zone>\(?(?:utc|gmt)\s?{_OFFSET}\)?)", _offset),
        (rf"(?<=\d:\d\d)(?::\d\d(?:\.\d+)?)?(?P<zone>{_AHEAD})", _offset),
        (rf"(?<=\dt\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?P<zone>{_OFFSET})", _offset),  # elsewhere - is "to": 9:30-10
        (r"(?<=\d:\d\d)(?::\d\d(?:\.\d+)?)?(?P<zone>z)(?!\w)", _utc),
        (rf"{_TIME_BEFORE}\s?,?\s?(?P<zone>\(?(?P<name>[a-z]{{2,4}})\)?(?:\s+time)?)(?!\w)", _abbreviation),
        (
            r"(?<!\w)(?P<zone>(?P<name>eastern|central|mountain|pacific)(?:\s+(?:standard|daylight))?\s+time)(?!\w)",
            _region,
        ),
        (rf"(?<!\w)(?P<zone>{_CITY}\s+(?:local\s+)?(?:time|zeit|ortszeit))(?!\w)", _city),
        (rf"(?<!\w)(?P<zone>(?:heure\s+(?:locale\s+)?|hora\s+|horario\s+)de\s+{_CITY})(?!\w|\s+\w)", _city),
    )
)
"""How a zone is named, in the order in which it is sought."""


@cache
def _cities() -> Mapping[str, str]:
    """From the last part of each IANA name to the name, the shortest where several end alike."""
    found: dict[str, str] = {}
    for name in sorted(available_timezones(), key=lambda n: (-len(n), n)):
        area, _, city = name.rpartition("/")
        if area.partition("/")[0] in AREAS:
            found[city.lower()] = name
    return found


def without(text: str, zone: Named) -> str:
    """`text` with the zone's name blanked, so that places in it stay where they were."""
    start, end = zone.span
    return text[:start] + " " * (end - start) + text[end:]


def in_zone(reading: Reading, zone: Named, day_said: bool) -> Iterator[Reading]:
    """A reading as instants of a zone; two where a name says winter time and the region has summer time, or the like.

    Where no day was said (`day_said`), which day it is depends on the phone's zone, and the reading is `DAYLESS`.
    Nothing for a reading without a clock time: a day has no zone.
    """
    if reading.grain not in (Grain.MINUTE, Grain.HOUR):
        return
    regional = ZoneInfo(zone.region).utcoffset(reading.start)
    assert regional is not None
    said = regional if zone.hours is None else timedelta(hours=zone.hours)
    offsets = [said] if zone.region == "UTC" or said == regional else [said, regional]
    flags = reading.flags | {Flag.EXPLICIT_ZONE}
    changing = any(ZoneInfo(zone.region).utcoffset(reading.start + timedelta(days)) != regional for days in (-1, 1))
    if len(offsets) > 1 or (changing and not day_said):
        flags |= {Flag.FORCED}
    if not day_said:
        flags = flags - {Flag.PAST, Flag.ROLLED} | {Flag.DAYLESS}
    for offset in offsets:
        yield replace(
            reading,
            start=_with(reading.start, offset),
            end=None if reading.end is None else _with(reading.end, offset),
            flags=flags,
        )


def _with(at: datetime, offset: timedelta) -> datetime:
    return at.replace(tzinfo=timezone(offset))
