"""Zones that a hint names: "9am PST", "15:00 UTC+2", "3pm Berlin time", "20 Uhr MEZ"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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

ONLY_IN: Mapping[str, frozenset[str]] = {
    "ist": frozenset({"IN"}),
    "cst": frozenset({"US", "CA", "MX"}),
    "est": frozenset({"US", "CA", "GB", "IN", "DE", "FR", "ES", "BR", "MX", "PT", "IE", ""}),
}
"""Abbreviations that mean other zones elsewhere (IST is Irish and Israeli, too), and where they are taken as above."""

_SIGNED = r"(?:utc|gmt)?\s?(?P<sign>[+-])(?P<hours>\d{1,2})(?::?(?P<minutes>\d{2}))?"
_AFTER_TIME = r"(?:(?<=\d)|(?<=[ap]m)|(?<=[ap]\.m\.)|(?<=\d[ap])|(?<=noon)|(?<=uhr)|(?<=\dh))"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_AFTER_TIME}\s?\(?(?P<utc>utc|gmt)\s?(?P<sign>[+-])(?P<hours>\d{{1,2}})(?::?(?P<minutes>\d{{2}}))?\)?(?![\w:])",
        r"(?<=\d:\d\d)(?::\d\d(?:\.\d+)?)?(?P<iso>(?P<sign>[+-])(?P<hours>\d{2}):?(?P<minutes>\d{2}))(?![\w:])",
        r"(?<=\d:\d\d)(?P<zulu>z)(?!\w)",
        r"(?<=\d:\d\d:\d\d)(?:\.\d+)?(?P<zulu>z)(?!\w)",
        rf"{_AFTER_TIME}\s?,?\s?\(?(?P<name>[a-z]{{2,4}})\)?(?P<time>\s+time)?(?!\w)",
        r"(?<!\w)(?P<name>eastern|central|mountain|pacific)(?:\s+(?:standard|daylight))?\s+time(?!\w)",
        r"(?<!\w)(?P<city>[^\W\d_]+(?:[ _-][^\W\d_]+){0,2}?)\s+(?:local\s+)?(?:time|zeit|ortszeit)(?!\w)",
        r"(?<!\w)(?:heure\s+(?:de|locale\s+de)|hora\s+de|horario\s+de|ortszeit)\s+(?P<city>[^\W\d_]+(?:[ _-][^\W\d_]+){0,2})(?!\w)",
    )
)


@dataclass(frozen=True, slots=True)
class Named:
    """A zone that a hint names: a `region`, what it is ahead of UTC in hours (None: as the region has it), and where."""

    region: str
    hours: float | None
    span: tuple[int, int]


class UnknownZone(Exception):
    """The hint names a zone that means several, or none that is known."""


def named(text: str, territory: str) -> Named | None:
    """The zone that `text` names, if any; raises `UnknownZone` where its name means something else in a territory."""
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if (zone := _zone(match, territory)) is not None:
                return zone
    return None


def _zone(match: re.Match[str], territory: str) -> Named | None:
    groups = match.groupdict()
    span = match.span()
    if groups.get("zulu"):
        return Named("UTC", 0, match.span("zulu"))
    if groups.get("sign"):
        hours = int(groups["hours"]) + int(groups["minutes"] or 0) / 60
        if hours > 14:
            raise UnknownZone
        start = match.start("iso") if groups.get("iso") else match.start()
        return Named("UTC", hours if groups["sign"] == "+" else -hours, (start, match.end()))
    if name := groups.get("name"):
        known = REGIONS.get(name.lower())
        if known is None or (len(name) == 2 and not name.isupper()):
            return None
        if territory not in ONLY_IN.get(name.lower(), {territory}):
            raise UnknownZone
        return Named(*known, span)
    city = groups.get("city", "").lower().replace(" ", "_").replace("-", "_")
    while city:
        if city in _cities():
            start = match.start("city") + len(match.group("city")) - len(city)
            return Named(_cities()[city], None, (min(start, match.start()) if match.start("city") > match.start() else start, match.end()))
        city = city.partition("_")[2]
    return None


@cache
def _cities() -> Mapping[str, str]:
    """From the last part of each IANA name to the name, where no two zones share it."""
    found: dict[str, list[str]] = {}
    for name in available_timezones():
        area, _, city = name.rpartition("/")
        if area and area.split("/")[0] in ("Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"):
            found.setdefault(city.lower(), []).append(name)
    return {city: min(names, key=len) for city, names in found.items()}


def without(text: str, zone: Named) -> str:
    """`text` with the zone's name blanked, so that places in it stay where they were."""
    start, end = zone.span
    return text[:start] + " " * (end - start) + text[end:]


def in_zone(reading: Reading, zone: Named, day_said: bool) -> Iterator[Reading]:
    """A reading as instants of a zone; two where a name says winter time and the region has summer time, or the like.

    Where no day was said (`day_said`), which day it is depends on the phone's zone, and the reading is `FORCED`. Nothing
    for a reading without a clock time: a day has no zone.
    """
    if reading.grain not in (Grain.MINUTE, Grain.HOUR):
        return
    regional = ZoneInfo(zone.region).utcoffset(reading.start)
    assert regional is not None
    said = regional if zone.hours is None else timedelta(hours=zone.hours)
    offsets = [said] if zone.region == "UTC" or said == regional else [said, regional]
    flags = reading.flags | {Flag.EXPLICIT_ZONE} | ({Flag.FORCED} if len(offsets) > 1 or not day_said else set())
    for offset in offsets:
        yield replace(
            reading,
            start=_with(reading.start, offset),
            end=None if reading.end is None else _with(reading.end, offset),
            flags=flags,
        )


def _with(at: datetime, offset: timedelta) -> datetime:
    return at.replace(tzinfo=timezone(offset))
