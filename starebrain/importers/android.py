"""Contacts, calendars and events of an Android phone, from the tables of a dump (see `dump` for how to make one).

A contact is what its data rows say, its display name the phone's own. Its relation rows name people who are related to
*it*, so they are reported and fill in nothing. A calendar can be written to from access level 500 (contributor) on, and
is the default where it alone is primary.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from starebrain.device import Calendar, Contact, Event
from starebrain.importers.android_events import guests_of, listed, planned
from starebrain.importers.base import FolderImporter, Imported, Log, Phone
from starebrain.importers.dump import Row, Table, column_files, read_rows
from starebrain.importers.report import quote

MIMETYPE = "vnd.android.cursor.item/"
"""What every kind of data row is called, less its own name."""

WRITABLE = 500
"""CalendarContract.Calendars.CAL_ACCESS_CONTRIBUTOR."""

ONE = {"nickname": "nickname", "organization": "organization"}
"""Data rows of which a contact holds one."""


def read(folder: Path, phone: Phone) -> list[tuple[Log, Imported]]:
    """The records of a dump, table by table."""
    tables, others = column_files(folder)
    logs = {name: Log(str(folder / f"{name}.*.txt"), "android") for name in tables}
    for name, table in tables.items():
        read_rows(table, logs[name])
    contacts = _contacts(tables["data"], logs["data"]) if "data" in tables else ()
    calendars = _calendars(tables["calendars"], logs["calendars"]) if "calendars" in tables else ()
    guests = guests_of(tables["attendees"], logs["attendees"]) if "attendees" in tables else {}
    accounts = frozenset(calendar.account.lower() for calendar in calendars if calendar.account)
    events: tuple[Event, ...] = ()
    if "instances" in tables:
        events = listed(tables["instances"], guests, accounts, phone, logs["instances"])
        if "events" in tables:
            reason = "is not read: the instances say when its events are"
            logs["events"].doubted(None, "the table events", reason)
    elif "events" in tables:
        events = planned(tables["events"], guests, accounts, phone, logs["events"])
    brought = {
        "data": Imported(contacts=contacts),
        "calendars": Imported(calendars=calendars),
        "instances" if "instances" in tables else "events": Imported(events=events),
    }
    found = [(log, brought.get(name, Imported())) for name, log in logs.items()]
    if others:
        log = Log(str(folder), "android")
        for path in others:
            log.dropped(None, quote(path.name), "is no column of a table: it is not read", file=str(path))
        found.append((log, Imported()))
    return found


def _contacts(table: Table, log: Log) -> tuple[Contact, ...]:
    rows: dict[int, list[Row]] = {}
    for row in table.rows:
        number = row.number("contact_id")
        if number is None:
            log.dropped(row.line, f"row of _id {row.id}", "belongs to no contact", file=table.file("contact_id"))
        else:
            rows.setdefault(number, []).append(row)
    found = (_contact(number, of_contact, table, log) for number, of_contact in rows.items())
    return tuple(filter(None, found))


def _contact(number: int, rows: Sequence[Row], table: Table, log: Log) -> Contact | None:
    log.entries += 1
    values: dict[str, dict[str, Row]] = {}
    for row in rows:
        kind = row.text("mimetype").removeprefix(MIMETYPE)
        if not kind:
            log.dropped(row.line, f"row of _id {row.id}", "says not of what kind it is", file=table.file("contact_id"))
        elif row.text("data1"):
            values.setdefault(kind, {}).setdefault(row.text("data1"), row)
    names = [row for row in rows if row.text("mimetype") == MIMETYPE + "name"]
    kinds = ("name", "nickname", "organization", "phone_v2", "email_v2")
    shown = (row.text("display_name") for row in rows)
    name = next(filter(None, (*shown, *(text for kind in kinds for text in values.get(kind, ())))), "")
    what = f"contact {quote(name)}" if name else "contact"
    for kind, of_kind in values.items():
        _log_rows(kind, list(of_kind.items()), what, table, log)
    if not name:
        reason = "has neither a name, a telephone number nor an e-mail address"
        log.dropped(rows[0].line, what, reason, entry=True, file=table.file("contact_id"))
        return None
    log.kept += 1
    last = max((row.number("last_time_contacted") or 0 for row in rows), default=0)
    return Contact(
        contact_id=f"android:{number}",
        display_name=name,
        given_name=next(filter(None, (row.text("data2") for row in names)), None),
        family_name=next(filter(None, (row.text("data3") for row in names)), None),
        nickname=next(iter(values.get("nickname", ())), None),
        organization=next(iter(values.get("organization", ())), None),
        phones=tuple(values.get("phone_v2", ())),
        emails=tuple(values.get("email_v2", ())),
        addresses=tuple(_address(row) for row in values.get("postal-address_v2", {}).values()),
        starred=any(row.number("starred") == 1 for row in rows),
        times_contacted=max(0, *(row.number("times_contacted") or 0 for row in rows)),
        last_contacted_at=_time(last),
    )


def _address(row: Row) -> str:
    """A formatted address on one line."""
    return ", ".join(filter(None, (" ".join(part.split()).rstrip(",") for part in row.cells["data1"].splitlines())))


def _log_rows(kind: str, rows: Sequence[tuple[str, Row]], what: str, table: Table, log: Log) -> None:
    """Log the values of one kind of data that a contact does not carry."""
    for at, (text, row) in enumerate(rows):
        line = row.lines["data1"]
        if kind == "relation":
            reason = f"says that {quote(text)} is related to the contact, not what the contact is to the phone's owner"
            log.dropped(line, what, reason, file=table.file("data1"))
        elif kind in ONE and at:
            log.dropped(
                line, what, f"a contact holds one {ONE[kind]}; {quote(text)} was left out", file=table.file("data1")
            )
        elif kind not in ("name", "phone_v2", "email_v2", "postal-address_v2", *ONE):
            log.no_field(kind, line)


def _calendars(table: Table, log: Log) -> tuple[Calendar, ...]:
    primary = [row.id for row in table.rows if row.number("isPrimary") == 1]
    if len(primary) > 1 and "isPrimary" in table.files:
        log.doubted(
            None,
            "isPrimary",
            f"{len(primary)} calendars are primary; none is read as the default",
            table.file("isPrimary"),
        )
    found = []
    for row in table.rows:
        log.entries += 1
        log.kept += 1
        found.append(
            Calendar(
                calendar_id=f"android:{row.id}",
                name=row.text("calendar_displayName"),
                account=row.text("ownerAccount") or row.text("account_name"),
                is_default=primary == [row.id],
                writable=(row.number("calendar_access_level") or 0) >= WRITABLE,
            )
        )
    return tuple(found)


def _time(milliseconds: int) -> datetime | None:
    """An instant in milliseconds since 1970; None where the phone says nothing that makes sense."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC) if 0 < milliseconds < 10**14 else None


IMPORTER = FolderImporter(
    name="android",
    option="android",
    reads="a folder of saved `adb shell content query` output, one column a file",
    read=read,
)
