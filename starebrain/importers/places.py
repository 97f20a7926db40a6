"""What the formats of saved places have in common: a place out of its parts, with coordinates that can be trusted."""

from __future__ import annotations

import re
from math import isfinite

from starebrain.device import SavedLocation
from starebrain.importers.base import Log
from starebrain.importers.report import quote

_IN_ADDRESS = re.compile(r"(?:[?&]q=|/search/)(-?[0-9]{1,3}\.[0-9]+),\+?(-?[0-9]{1,3}\.[0-9]+)(?:$|[&?/])")


def place(
    line: int | None,
    place_id: str,
    label: str,
    address: str,
    coordinates: tuple[object, object] | None,
    log: Log,
    url: str = "",
) -> SavedLocation | None:
    """The place that an entry describes, or None with a finding; counts it in the log.

    `coordinates` are latitude and longitude as the file has them. Where it has none, a Google Maps address that is
    nothing but coordinates (a dropped pin) gives them. What is no number, out of range or 0,0 (the Gulf of Guinea,
    which is what exports write for "unknown") is doubted, and the place has no coordinates.
    """
    label, address = _line(label), _line(address)
    what = f"place {quote(label or address)}" if label or address else "place"
    log.entries += 1
    pinned = _IN_ADDRESS.search(url)
    if coordinates is None and pinned:
        coordinates = (pinned[1], pinned[2])
    point = None
    if coordinates is not None:
        point = _point(*coordinates)
        if point is None or point == (0, 0):
            reason = "lies at 0,0" if point else f"has the coordinates {quote(str(coordinates)[1:-1])}"
            log.doubted(line, what, f"{reason}: no place known; read without coordinates")
            point = None
    if not label and not address:
        if point is None:
            log.dropped(line, what, "has neither a name, an address nor coordinates", entry=True)
            return None
        log.doubted(line, what, "has neither a name nor an address; only its coordinates were kept")
    log.kept += 1
    return SavedLocation(location_id=place_id, label=label, address=address, coordinates=point)


def _point(latitude: object, longitude: object) -> tuple[float, float] | None:
    """Two numbers (or texts of numbers) as degrees, or None."""
    try:
        point = float(str(latitude)), float(str(longitude))
    except ValueError:
        return None
    inside = all(map(isfinite, point)) and abs(point[0]) <= 90 and abs(point[1]) <= 180
    return (point[0] + 0.0, point[1] + 0.0) if inside else None


def _line(text: str) -> str:
    """Text on one line, its lines joined by commas, without half characters (JSON can write them)."""
    whole = text.encode("utf-8", "replace").decode()
    return ", ".join(filter(None, (" ".join(part.split()) for part in whole.splitlines())))
