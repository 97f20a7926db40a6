"""Tables out of a folder of saved ``adb shell content query`` output.

That output cannot be taken apart safely once a row holds a second column of text: a name may contain ``, data1=``. So
a dump holds *one column a file*, named TABLE.COLUMN.txt, each asked for together with ``_id``. That comes first and
is a number, so whatever follows ``, COLUMN=`` is the value, to the end of the row:

    mkdir dump
    query() { for column in $3; do adb shell content query --uri "content://$2" --projection _id:$column --sort _id \\
        > dump/$1.$column.txt; done; }
    query data com.android.contacts/data \\
        "contact_id mimetype data1 data2 data3 display_name starred times_contacted last_time_contacted"
    query calendars com.android.calendar/calendars \\
        "calendar_access_level calendar_displayName account_name ownerAccount isPrimary"
    query instances com.android.calendar/instances/when/FROM/UNTIL \\
        "event_id begin end title eventLocation allDay calendar_id selfAttendeeStatus eventStatus organizer"

FROM and UNTIL are milliseconds since 1970 (``date -d 2026-11-05 +%s000``). Instances are events occurrence by
occurrence, as the phone itself repeats them. In their place the table `events` may be dumped (its columns are in
`TABLES`); its rules are then expanded here. A table `attendees` is optional.

Rows are joined on ``_id``, so that a row added between two queries shifts nothing, and the first column of each table
is a number that nobody can write text into: it says which rows there are. A value may hold line breaks: a row goes on
until the line that begins with the next row's number and ``_id``. A value that imitates such a line makes a row
number or an ``_id`` occur twice, or names a row that is not there; nobody can tell where such rows end, so their
values are dropped and reported. ``NULL`` is how the tool writes an absent value; a text that reads NULL cannot be
told from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

from starebrain.errors import InvalidInput
from starebrain.importers.base import Log
from starebrain.importers.report import quote
from starebrain.importers.source import TOO_LONG, decode, opened, physical_lines

TABLES: Mapping[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "data": (
        "com.android.contacts/data",
        ("contact_id", "mimetype", "data1"),
        ("data2", "data3", "display_name", "starred", "times_contacted", "last_time_contacted"),
    ),
    "calendars": (
        "com.android.calendar/calendars",
        ("calendar_access_level", "calendar_displayName"),
        ("account_name", "ownerAccount", "isPrimary"),
    ),
    "instances": (
        "com.android.calendar/instances/when/FROM/UNTIL",
        ("event_id", "begin", "end", "title"),
        ("eventLocation", "allDay", "calendar_id", "selfAttendeeStatus", "eventStatus", "organizer"),
    ),
    "events": (
        "com.android.calendar/events",
        ("dtstart", "title"),
        (
            *("dtend", "duration", "rrule", "rdate", "exdate", "eventTimezone", "original_id", "originalInstanceTime"),
            *("eventLocation", "allDay", "calendar_id", "selfAttendeeStatus", "eventStatus", "organizer", "deleted"),
        ),
    ),
    "attendees": ("com.android.calendar/attendees", ("event_id", "attendeeEmail"), ("attendeeName",)),
}
"""The tables of a dump: where adb asks for them, the columns they need (a number first), and more that are read."""

_NAME = re.compile(r"([a-z]+)\.([A-Za-z0-9_]+)\.txt")
_NUMBER = re.compile(r"-?[0-9]{1,18}")
_NOTHING = b"No result found."


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: its ``_id``, the line of its first column, and its other columns (absent where NULL)."""

    id: int
    line: int
    cells: Mapping[str, str]
    lines: Mapping[str, int]

    def text(self, column: str) -> str:
        """A column on one line, or an empty text."""
        return " ".join(self.cells.get(column, "").split())

    def number(self, column: str) -> int | None:
        """A column that holds a whole number, or None."""
        text = self.cells.get(column, "").strip()
        return int(text) if _NUMBER.fullmatch(text) else None


@dataclass(slots=True)
class Table:
    """A table of a dump: its rows in the order of ``_id``, and the file of each column."""

    name: str
    files: dict[str, Path] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)

    def file(self, column: str) -> str:
        """The file of a column, as findings name it."""
        return str(self.files[column])


@dataclass(frozen=True, slots=True)
class _Cell:
    """One row of a column file, while nobody has checked yet whether its `value` ends where it seems to."""

    number: int
    id: int
    line: int
    value: str


def column_files(folder: Path) -> tuple[dict[str, Table], list[Path]]:
    """The tables that a folder has files of, still without rows, and the files in it that are none.

    `InvalidInput` where the folder is none, holds no table, or lacks a column that its table needs.
    """
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        raise InvalidInput(
            f"no folder that can be read ({error.strerror})",
            file=folder,
            remedy="--android names the folder of a dump.",
        ) from None
    tables: dict[str, Table] = {}
    others = []
    for path in paths:
        named = _NAME.fullmatch(path.name)
        _, needed, more = TABLES.get(named[1] if named else "", ("", (), ()))
        if named and named[2] in needed + more:
            tables.setdefault(named[1], Table(named[1])).files[named[2]] = path
        else:
            others.append(path)
    if not tables:
        raise InvalidInput(
            "the folder holds no column of a table (data.contact_id.txt, …)",
            file=folder,
            remedy="Dump one column a file: `python -m pydoc starebrain.importers.dump` says how.",
        )
    for table in tables.values():
        uri, needed, _ = TABLES[table.name]
        for column in needed:
            if column not in table.files:
                raise InvalidInput(
                    f"the table {table.name} needs the column {column}",
                    file=folder / f"{table.name}.{column}.txt",
                    remedy=f"adb shell content query --uri content://{uri} --projection _id:{column} --sort _id",
                )
    return tables, others


def read_rows(table: Table, log: Log) -> None:
    """Fill in the rows of a table; values that cannot be trusted go to the log."""
    first, *others = TABLES[table.name][1] + tuple(c for c in table.files if c not in TABLES[table.name][1])
    keys = {cell.id: cell for cell in _trusted(table.files[first], first, None, log)}
    columns = {}
    for column in others:
        columns[column] = {cell.id: cell for cell in _trusted(table.files[column], column, set(keys), log)}
    for row, key in sorted(keys.items()):
        found = {column: cells[row] for column, cells in columns.items() if row in cells} | {first: key}
        table.rows.append(
            Row(
                row,
                key.line,
                {column: cell.value for column, cell in found.items() if cell.value != "NULL"},
                {column: cell.line for column, cell in found.items()},
            )
        )


def _trusted(path: Path, column: str, known: set[int] | None, log: Log) -> Iterator[_Cell]:
    """The rows of a column file of which it is sure where they begin and end; `known` are the rows that there are."""
    cells = list(_cells(path, column, known is None))
    ids = {cell.id for cell in cells}
    doubtful = _doubtful([cell.number for cell in cells]) | _doubtful([cell.id for cell in cells])
    unknown = {at for at, cell in enumerate(cells) if known is not None and cell.id not in known}
    for at, cell in enumerate(cells):
        what = f"{column} of row {cell.number}"
        if at in doubtful:
            reason = "cannot be told from its neighbours: a value imitates the beginning of a row"
            log.dropped(cell.line, what, reason, file=str(path))
        elif at in unknown:
            reason = f"_id {cell.id} is in no other column: added between two queries, or part of the value above it"
            log.dropped(cell.line, what, reason, file=str(path))
        else:
            if at + 1 in unknown or at + 1 in doubtful:
                log.doubted(cell.line, what, "may go on below it", str(path))
            yield cell
    missing = sorted((known or set()) - ids)
    if missing:
        reason = f"has no value for {len(missing):,} rows, from _id {missing[0]} on; they are read without it"
        log.doubted(None, column, reason, file=str(path))


def _doubtful(keys: Sequence[int]) -> set[int]:
    """The places in a list from before the first to the last of each key that occurs twice."""
    first: dict[int, int] = {}
    opened_less_closed = [0] * (len(keys) + 1)
    for at, key in enumerate(keys):
        if first.setdefault(key, at) != at:
            opened_less_closed[max(first[key] - 1, 0)] += 1
            opened_less_closed[at + 1] -= 1
    return {at for at, covered in enumerate(accumulate(opened_less_closed)) if covered}


def _cells(path: Path, column: str, numeric: bool) -> Iterator[_Cell]:
    """The rows that a column file seems to have; `InvalidInput` where it is no output of ``content query``."""
    value = rb"(-?[0-9]{1,18}|NULL)\s*" if numeric else rb"(.*)"
    start = re.compile(rb"Row: ([0-9]{1,9}) _id=([0-9]{1,18}), " + column.encode() + rb"=" + value, re.DOTALL)
    with opened(path) as source:
        number, line, begun, last = -1, 0, None, -1
        parts: list[bytes] = []
        for at, data in physical_lines(source.pieces()):
            if data is TOO_LONG:
                raise InvalidInput("a line is longer than any value", file=path, place=f"line {at}")
            found = start.fullmatch(data)
            if found and int(found[1]) <= last + 1:
                if begun is not None:
                    yield _cell(number, begun, line, parts)
                number, begun, line, parts = int(found[1]), int(found[2]), at, [found[3]]
                last = max(last, number)
            elif begun is not None:
                parts.append(data)
            elif data.strip() == _NOTHING:
                return
            elif data.strip():
                raise InvalidInput(
                    f"no row of `content query` for _id:{column}, but {quote(decode(data[:200])[0])}",
                    file=path,
                    place=f"line {at}",
                    remedy="Ask for the column again, and look at what adb answers.",
                )
        if begun is not None:
            yield _cell(number, begun, line, parts)


def _cell(number: int, row: int, line: int, parts: Iterable[bytes]) -> _Cell:
    return _Cell(number, row, line, decode(b"\n".join(parts))[0].rstrip("\n"))
