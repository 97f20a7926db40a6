"""From a phone's own files to a snapshot: one outside format a file, and a table of those there are.

A file is *refused as a whole* (`InvalidInput`, and nothing is written) where it cannot be opened, is a directory or
empty, shows none of the formats of its option in its first 64 KiB, is cut off or damaged before its first whole
entry, or has more than 10,000 lines that make no sense. Everything else is read *in part*: one bad line or entry
never stops the rest, a file that is cut off later gives what is whole before the cut, and the report names every line
and entry that is not in the snapshot, or may be wrong in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from starebrain.device import Calendar, DeviceContext, Owner, zone
from starebrain.errors import InvalidInput, require_instant
from starebrain.importers import android, geojson, gpx, icalendar, kml, placelist, vcard
from starebrain.importers.base import FolderImporter, Imported, Importer, Log, Phone
from starebrain.importers.report import (
    FileReport,
    Finding,
    ImportReport,
    Outcome,
    quote,
    report_json,
    write_report,
)
from starebrain.importers.source import Source, opened

IMPORTERS: Mapping[str, Importer | FolderImporter] = {
    importer.name: importer
    for importer in (
        vcard.IMPORTER,
        icalendar.IMPORTER,
        geojson.IMPORTER,
        kml.IMPORTER,
        gpx.IMPORTER,
        placelist.IMPORTER,
        android.IMPORTER,
    )
}
"""The outside formats; of those of one option, the first that claims a file reads it."""

ANDROID = android.IMPORTER

IDS = {
    "contacts": ("contact_id", "contact"),
    "calendars": ("calendar_id", "calendar"),
    "events": ("event_id", "event"),
    "places": ("location_id", "place"),
}
"""What gives each sort of record its id, and what one is called."""

MAX_DAYS = 3660
"""Days of events that can be asked for."""

NOBODY = Owner()

_LOCALE = re.compile(r"([A-Za-z]{2,3})(?:[_-]([A-Za-z]{2}|[0-9]{3}))?", re.ASCII)

Paths = Sequence[str | Path]


def import_phone(
    *,
    contacts: Paths = (),
    calendar: Paths = (),
    places: Paths = (),
    android: str | Path | None = None,
    timezone: str,
    locale: str,
    at: datetime,
    days: int = 60,
    owner: Owner = NOBODY,
    default_calendar: str | None = None,
) -> tuple[DeviceContext, ImportReport]:
    """The snapshot that a phone's files give at the instant `at`, and what became of each line of them.

    Events are listed that overlap the `days` from `at` on. The calendar named `default_calendar` (an id or a name) is
    taken as the phone's default and as writable, which calendar files do not say. The same files and arguments give
    the same snapshot: ids come from the files' own ids, or from file name and position.

    Raises `InvalidInput` for a file that is refused (see the package), an unknown zone, an instant without an offset,
    or a default calendar that is not there.
    """
    require_instant(at, "at")
    if not 1 <= days <= MAX_DAYS:
        raise InvalidInput(f"{days} is not between 1 and {MAX_DAYS}", place="days")
    here = at.astimezone(zone(timezone))
    phone = Phone(here, here + timedelta(days=days), zone(timezone), frozenset(map(str.lower, owner.emails)))
    require_instant(phone.until, "at")
    taken: dict[str, Counter[str]] = {sort: Counter() for sort in IDS}
    imported: list[Imported] = []
    reports: list[FileReport] = []
    for log, found in _read_all({"contacts": contacts, "calendar": calendar, "places": places}, android, phone):
        unique = _unique(found, taken, log)
        imported.append(unique)
        reports.append(log.report(unique))
    events = sorted(_all(imported, "events"), key=lambda event: (event.start_time, event.end_time, event.title))
    device = DeviceContext(
        captured_at=here,
        timezone=timezone,
        locale=locale,
        owner=owner,
        contacts=_all(imported, "contacts"),
        calendars=_with_default(_all(imported, "calendars"), default_calendar),
        upcoming_events=tuple(events),
        saved_locations=_all(imported, "places"),
    )
    return device, ImportReport(tuple(reports))


def parse_locale(text: str) -> str:
    """A locale such as ``en_US`` or ``de``, also written ``en-US``; `InvalidInput` where it is none."""
    found = _LOCALE.fullmatch(text)
    if found is None:
        raise InvalidInput(f"{text!r} is no locale", place="--locale", remedy="Write it as en_US or de_DE.")
    return f"{found[1].lower()}_{found[2].upper()}" if found[2] else found[1].lower()


def parse_at(text: str | None, timezone: str) -> datetime:
    """The instant that a text names, or now where it is None; `InvalidInput` where it is none or has no offset."""
    if text is None:
        return datetime.now(zone(timezone)).replace(microsecond=0)
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(
            f"{text!r} is no instant", place="--at", remedy="Write it as 2026-11-05T09:30:00-05:00."
        ) from None
    require_instant(at, "--at")
    return at


def check_outputs(inputs: Iterable[Path], outputs: Sequence[Path]) -> None:
    """Raise `InvalidInput` where nothing is to be imported, or an output would overwrite an input or another output."""
    used = {path.resolve() for path in inputs}
    if not used:
        raise InvalidInput("no file to import", remedy="Name some with --contacts, --calendar, --places or --android.")
    for path in outputs:
        if path.resolve() in used:
            raise InvalidInput("would be overwritten, and is named twice", file=path, remedy="Name another file.")
        used.add(path.resolve())


def _read_all(options: Mapping[str, Paths], android: str | Path | None, phone: Phone) -> Iterator[tuple[Log, Imported]]:
    """What every file brings, with its log, in the order of the options."""
    labels: Counter[str] = Counter()
    for option, paths in options.items():
        for path in paths:
            name = Path(path).name
            labels[name] += 1
            label = name if labels[name] == 1 else f"{name} ({labels[name]})"
            with opened(path, label) as source:
                importer = _importer(option, source)
                log = Log(source.file, importer.name)
                yield log, importer.read(source, phone, log)
    if android is not None:
        yield from ANDROID.read(Path(android), phone)


def _importer(option: str, source: Source) -> Importer:
    """The importer of an option that claims a file; `InvalidInput` says what the file looks like instead."""
    of_files = [importer for importer in IMPORTERS.values() if isinstance(importer, Importer)]
    claimed = [importer for importer in of_files if importer.claims(source)]
    for importer in claimed:
        if importer.option == option:
            return importer
    reads = ", ".join(importer.reads for importer in of_files if importer.option == option)
    remedy = f"--{option} reads {reads}."
    if claimed:
        remedy = f"It looks like {claimed[0].reads}: give it to --{claimed[0].option}. {remedy}"
    raise InvalidInput(f"the file is of no kind that --{option} reads", file=source.file, remedy=remedy)


def _unique(found: Imported, taken: Mapping[str, Counter[str]], log: Log) -> Imported:
    """The records with ids that no earlier record has; a calendar's events follow it."""
    changed: dict[str, tuple[Any, ...]] = {}
    for sort, (field, noun) in IDS.items():
        records = []
        for record in getattr(found, sort):
            old = getattr(record, field)
            new = old
            while taken[sort][new]:
                taken[sort][old] += 1
                new = f"{old}#{taken[sort][old]}"
            taken[sort][new] = 1
            if new != old:
                log.doubted(None, f"{noun} {quote(old)}", f"has an id that occurs before; here it is {quote(new)}")
                record = replace(record, **{field: new})
            records.append(record)
        changed[sort] = tuple(records)
    calendars = {
        old.calendar_id: new.calendar_id for old, new in zip(found.calendars, changed["calendars"], strict=True)
    }
    changed["events"] = tuple(
        replace(event, calendar_id=calendars.get(event.calendar_id, event.calendar_id)) for event in changed["events"]
    )
    return Imported(**changed)


def _with_default(calendars: tuple[Calendar, ...], name: str | None) -> tuple[Calendar, ...]:
    """The calendars, the one of that id or name the default and writable."""
    if name is None:
        return calendars
    meant = [at for at, each in enumerate(calendars) if name in (each.calendar_id, each.name)]
    if len(meant) != 1:
        raise InvalidInput(
            f"{len(meant) or 'no'} calendars are called {name!r}",
            place="default calendar",
            remedy=f"Choose one of {', '.join(quote(each.calendar_id) for each in calendars) or 'those imported'}.",
        )
    return tuple(
        replace(each, is_default=at == meant[0], writable=each.writable or at == meant[0])
        for at, each in enumerate(calendars)
    )


def _all(imported: Iterable[Imported], sort: str) -> tuple[Any, ...]:
    return tuple(record for one in imported for record in getattr(one, sort))


__all__ = [
    "IMPORTERS",
    "FileReport",
    "Finding",
    "ImportReport",
    "Outcome",
    "check_outputs",
    "import_phone",
    "parse_at",
    "parse_locale",
    "report_json",
    "write_report",
]
