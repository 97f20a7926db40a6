"""Saved places from KML (Google Earth, My Maps, Organic Maps), placemark by placemark in whatever folder, and KMZ."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator

from starebrain.device import SavedLocation
from starebrain.errors import InvalidInput
from starebrain.importers.base import Imported, Importer, Log, Phone
from starebrain.importers.places import place
from starebrain.importers.source import PIECE, Source
from starebrain.importers.xml import Element, elements

CARRIED = frozenset(("name", "address", "Point", "MultiGeometry"))
"""What is read of a placemark."""

_MARK = re.compile(rb"<(?:\w+:)?kml[\s>]")
_ZIPPED = b"PK\x03\x04"


def read(source: Source, phone: Phone, log: Log) -> Imported:
    """The places of a KML or KMZ file, in its order."""
    pieces = _unzipped(source) if source.head.startswith(_ZIPPED) else source.pieces()
    found = []
    for element in elements(pieces, frozenset(("Placemark", "NetworkLink")), frozenset(), log, source.encoding):
        if element.name == "NetworkLink":
            log.entries += 1
            log.dropped(element.line, "NetworkLink", "names places that are elsewhere; nothing is fetched", entry=True)
        else:
            found.append(_place(element, f"{source.label}#{log.entries + 1}", log))
    return Imported(places=tuple(filter(None, found)))


def _place(element: Element, place_id: str, log: Log) -> SavedLocation | None:
    for part in element.parts:
        if part.name not in CARRIED:
            log.no_field(part.name, part.line)
    return place(element.line, place_id, element.of("name"), element.of("address"), _coordinates(element), log)


def _coordinates(element: Element) -> tuple[object, object] | None:
    """Latitude and longitude of the first point; KML writes longitude first."""
    point = element.find("Point", "coordinates")
    if point is None:
        return None
    numbers = point.text.split(",")
    return (numbers[1].strip(), numbers[0].strip()) if len(numbers) >= 2 else (point.text, "")


def _unzipped(source: Source) -> Iterator[bytes]:
    """The KML inside a KMZ, in pieces, so that it is read no further than XML may be large."""
    try:
        with zipfile.ZipFile(source.path) as archive:
            names = [name for name in archive.namelist() if name.lower().endswith(".kml")]
            if not names:
                raise InvalidInput(
                    "the archive has no .kml file in it",
                    file=source.file,
                    remedy="Unpack it, and name the files in it.",
                )
            with archive.open(names[0]) as stream:
                while piece := stream.read(PIECE):
                    yield piece
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, zlib.error) as error:
        raise InvalidInput(
            f"the archive cannot be unpacked ({error})",
            file=source.file,
            remedy="Unpack it yourself, and name the .kml file.",
        ) from None


IMPORTER = Importer(
    name="kml",
    option="places",
    reads="KML and KMZ",
    claims=lambda source: source.head.startswith(_ZIPPED) or _MARK.search(source.head) is not None,
    read=read,
)
