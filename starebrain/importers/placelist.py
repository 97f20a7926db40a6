"""Saved places from CSV lists, as Google Takeout writes them (Title, Note, URL, …): names without coordinates.

The line of column names is the first of the first ten that names a title; Takeout puts the description of a list above
it. Titles are known in the languages of `COLUMNS`. Columns for address, latitude and longitude are read where other
programs wrote them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from io import StringIO
from urllib.parse import unquote_plus

from starebrain.importers.base import Imported, Importer, Log, Phone
from starebrain.importers.places import place
from starebrain.importers.report import quote
from starebrain.importers.source import Source, decode

COLUMNS = {
    "title": "label", "name": "label", "label": "label", "titel": "label", "título": "label", "titulo": "label",
    "titre": "label", "titolo": "label",
    "url": "url", "address": "address", "adresse": "address", "dirección": "address", "endereço": "address",
    "latitude": "latitude", "lat": "latitude", "longitude": "longitude", "lon": "longitude", "lng": "longitude",
}  # fmt: skip
"""What a column is, by its name in small letters."""

DELIMITERS = ",;\t"

HEADER_WITHIN = 10
"""Lines at the front of the file in which the column names must stand."""

_NAME_IN_URL = re.compile(r"/maps/place/([^/@?]+)")


def read(source: Source, phone: Phone, log: Log) -> Imported:
    """The places of a CSV list, in its order."""
    text, doubt = source.text()
    if doubt:
        log.doubted(None, "the file", doubt)
    header = _header(text)
    assert header is not None, "claimed by its head"
    first, delimiter, columns = header
    places = []
    for line, row in _rows(text, delimiter, log):
        if line <= first or not any(cell.strip() for cell in row):
            continue
        cells = {column: row[at].strip() for at, column in columns.items() if at < len(row)}
        for at, cell in enumerate(row):
            if at not in columns and cell.strip():
                log.no_field("columns without a field", line)
                break
        label, url = cells.get("label", ""), cells.get("url", "")
        named = _NAME_IN_URL.search(url)
        if not label and named:
            label = unquote_plus(named[1])
            log.doubted(line, f"place {quote(label)}", "has no title; named after its web address")
        coordinates = (cells.get("latitude", ""), cells.get("longitude", ""))
        place_id = f"{source.label}#{log.entries + 1}"
        found = place(
            line, place_id, label, cells.get("address", ""), coordinates if any(coordinates) else None, log, url
        )
        places += [found] if found else []
    if not log.entries and any(finding.outcome == "truncated" for finding in log.findings):
        raise log.nothing_whole("row", "the last quotation mark of a row")
    return Imported(places=tuple(places))


def _rows(text: str, delimiter: str, log: Log) -> Iterator[tuple[int, list[str]]]:
    """Rows, each with the line that it begins in; rows that are no CSV go to the log."""
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            log.entries += 1
            if "end of data" in str(error):
                log.truncated(line, "row", "the file ends inside a quoted cell", entry=True)
            else:
                log.dropped(line, "row", f"is no CSV ({error})", entry=True)
            row = []
        yield line, row
        line = reader.line_num + 1


def _header(text: str) -> tuple[int, str, dict[int, str]] | None:
    """The line of the column names, the delimiter, and what each column is; None where there are none."""
    for number, line in enumerate(text[: 64 * 1024].splitlines()[:HEADER_WITHIN], 1):
        for delimiter in DELIMITERS:
            names = [cell.strip().strip('"').casefold() for cell in line.split(delimiter)]
            columns = {at: COLUMNS[name] for at, name in enumerate(names) if name in COLUMNS}
            if "label" in columns.values() and len(set(columns.values())) > 1:
                return number, delimiter, columns
    return None


IMPORTER = Importer(
    name="placelist",
    option="places",
    reads="Google Takeout's CSV lists",
    claims=lambda source: _header(decode(source.head)[0]) is not None,
    read=read,
)
