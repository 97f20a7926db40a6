"""Saved places from the waypoints of GPX files; routes and tracks are where somebody went, not places they saved."""

from __future__ import annotations

import re

from starebrain.importers.base import Imported, Importer, Log, Phone
from starebrain.importers.places import place
from starebrain.importers.source import Source
from starebrain.importers.xml import elements

_MARK = re.compile(rb"<(?:\w+:)?gpx[\s>]")


def read(source: Source, phone: Phone, log: Log) -> Imported:
    """The waypoints of a GPX file, in its order."""
    found = []
    for element in elements(source.pieces(), frozenset(("wpt",)), frozenset(("rte", "trk")), log, source.encoding):
        for part in element.parts:
            if part.name not in ("name", "address"):
                log.no_field(part.name, part.line)
        coordinates = (element.attributes.get("lat", ""), element.attributes.get("lon", ""))
        address = element.find("address")
        place_id = f"{source.label}#{log.entries + 1}"
        label = element.of("name")
        found.append(place(element.line, place_id, label, address.text if address else "", coordinates, log))
    return Imported(places=tuple(filter(None, found)))


IMPORTER = Importer(
    name="gpx",
    option="places",
    reads="GPX",
    claims=lambda source: _MARK.search(source.head) is not None,
    read=read,
)
