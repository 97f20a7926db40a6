"""Saved places from GeoJSON, as Google Takeout writes it ("Saved Places.json", "Labeled places.json"), old and new.

Features are read one by one, so that a damaged or cut-off file gives what is whole before the damage. The file is
refused where it is no JSON object with features, or is damaged before its first whole feature.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from starebrain.errors import InvalidInput
from starebrain.importers.base import Imported, Importer, Log, Phone
from starebrain.importers.places import place
from starebrain.importers.source import Source

LABELS = (
    ("location", "name"),
    ("Location", "Business Name"),
    ("Title",),
    ("title",),
    ("name",),
    ("Name",),
)
"""Where the properties of a feature may hold its name, the first that is filled."""

ADDRESSES = (("location", "address"), ("Location", "Address"), ("address",), ("Address",))
URLS = (("google_maps_url",), ("Google Maps URL",), ("url",))

_MARK = re.compile(rb'"(?:features|Feature(?:Collection)?)"')
_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


def read(source: Source, phone: Phone, log: Log) -> Imported:
    """The places of a GeoJSON file, in its order."""
    text, doubt = source.text()
    if doubt:
        log.doubted(None, "the file", doubt)
    places = []
    damage = None
    line, counted = 1, 0
    try:
        for at, feature in _features(text):
            line, counted = line + text.count("\n", counted, at), at
            found = _place(feature, line, f"{source.label}#{log.entries + 1}", log)
            places += [found] if found else []
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        damage = (error.lineno, "ends in the middle of it" if cut else f"is no JSON: {error.msg}")
    except (ValueError, RecursionError):
        damage = (line, "is no JSON that can be read: numbers or brackets do not end")
    if damage and not log.entries:
        raise InvalidInput(
            f"{damage[1]}, before any place was complete",
            file=source.file,
            place=f"line {damage[0]}",
            remedy="Export it again.",
        )
    if damage:
        log.truncated(damage[0], "the file", f"{damage[1]}; what was whole before was read")
    return Imported(places=tuple(places))


def _place(feature: Any, line: int, place_id: str, log: Log) -> Any:
    if not isinstance(feature, dict):
        log.entries += 1
        log.dropped(line, "feature", "is no JSON object", entry=True)
        return None
    properties = feature.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    texts = (_first(properties, LABELS), _first(properties, ADDRESSES), _first(properties, URLS))
    for name in properties:
        if name not in {path[0] for path in (*LABELS, *ADDRESSES, *URLS)}:
            log.no_field(f"properties.{name}"[:80], line)
    label, address, url = texts
    found = place(line, place_id, label, address, _coordinates(feature, properties), log, url)
    return found


def _coordinates(feature: Mapping[str, Any], properties: Mapping[str, Any]) -> tuple[object, object] | None:
    """Latitude and longitude: of the point (GeoJSON writes longitude first), or of Takeout's older field."""
    geometry = feature.get("geometry")
    if isinstance(geometry, dict):
        numbers = geometry.get("coordinates")
        if geometry.get("type", "Point") == "Point" and isinstance(numbers, list) and len(numbers) >= 2:
            return numbers[1], numbers[0]
        return (f"of a {geometry.get('type')}", "") if numbers else None
    location = properties.get("Location")
    older = location.get("Geo Coordinates") if isinstance(location, dict) else None
    if isinstance(older, dict) and {"Latitude", "Longitude"} <= older.keys():
        return older["Latitude"], older["Longitude"]
    return None


def _first(properties: Mapping[str, Any], paths: tuple[tuple[str, ...], ...]) -> str:
    for path in paths:
        value: Any = properties
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        if isinstance(value, str) and value.strip():
            return value
    return ""


def _features(text: str) -> Iterator[tuple[int, Any]]:
    """Where each feature begins, and what it is; JSONDecodeError where the text stops being JSON."""
    at = _expect(text, 0, "{")
    separator = ","
    while separator == ",":
        name, at = _value(text, _skip(text, at))
        at = _skip(text, _expect(text, at, ":"))
        if name == "features" and text[at : at + 1] == "[":
            at = _skip(text, at + 1)
            while text[at : at + 1] != "]":
                begin = at
                feature, at = _value(text, at)
                yield begin, feature
                at = _skip(text, at)
                if text[at : at + 1] != "]":
                    at = _skip(text, _expect(text, at, ","))
            at += 1
        else:
            begin = at
            value, at = _value(text, at)
            if name == "type" and value == "Feature":
                whole, _ = _value(text, 0)
                yield 0, whole
                return
        at = _skip(text, at)
        separator = text[at : at + 1]
        at += 1
    end = _skip(text, _expect(text, at - 1, "}"))
    if end < len(text):
        raise json.JSONDecodeError("it goes on after its end", text, end)


def _value(text: str, at: int) -> tuple[Any, int]:
    return _DECODER.raw_decode(text, at)


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _expect(text: str, at: int, character: str) -> int:
    """Where the text goes on after a character that has to stand there."""
    at = _skip(text, at)
    if text[at : at + 1] != character:
        raise json.JSONDecodeError(f"expected '{character}'", text, at)
    return at + 1


IMPORTER = Importer(
    name="geojson",
    option="places",
    reads="Google Takeout's GeoJSON (Saved Places.json)",
    claims=lambda source: source.head.lstrip()[:1] == b"{" and _MARK.search(source.head) is not None,
    read=read,
)
