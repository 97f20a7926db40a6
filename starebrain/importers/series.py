"""Events as a file plans them, turned into those that a snapshot lists: occurrence by occurrence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from starebrain.device import Event
from starebrain.importers.base import Log, Phone, Unusable
from starebrain.importers.recurrence import Budget, Occurrence, Part, expand
from starebrain.importers.zones import Moment, compact, instant


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of a file: where it stands (`file` where it is not the log's), when it is, and all else in `event`."""

    line: int
    what: str
    part: Part
    event: Event
    cancelled: bool = False
    file: str | None = None


def series_of(entries: Sequence[Entry], log: Log) -> list[list[Entry]]:
    """The entries of one UID as series: each main entry with what replaces occurrences of it.

    A main entry of a lower SEQUENCE is an older version, and dropped; so is an exact copy. Main entries that differ
    (some programs give all events one UID) are kept, doubted, and replacements belong to the first that recurs.
    """
    changes = [entry for entry in entries if entry.part.replaces is not None]
    mains: dict[tuple[Moment, Moment, str], Entry] = {}
    newest = max((entry.part.sequence for entry in entries if entry.part.replaces is None), default=0)
    for entry in entries:
        key = (entry.part.start, entry.part.end, entry.event.title)
        if entry.part.replaces is not None:
            continue
        if entry.part.sequence < newest:
            log.dropped(entry.line, entry.what, "is an older version: its SEQUENCE is lower", entry=True)
        elif key in mains:
            line = mains[key].line
            log.dropped(entry.line, entry.what, f"is the same event as in line {line}", entry=True)
        else:
            if mains:
                first = next(iter(mains.values())).line
                log.doubted(entry.line, entry.what, f"has the UID of the event in line {first}")
            mains[key] = entry
    recurs = next((main for main in mains.values() if not main.part.single), next(iter(mains.values()), None))
    if recurs is None:
        return [changes]
    return [[main, *(changes if main is recurs else ())] for main in mains.values()]


def occurrences(entries: Sequence[Entry], uid: str, phone: Phone, budget: Budget, log: Log) -> list[Event]:
    """The events of one series, `uid` in their ids; every entry of it is then kept, or has its finding."""
    parts = [entry.part for entry in entries]
    first = entries[0]
    try:
        try:
            series = expand(parts, phone, budget)
        except Unusable as fault:
            log.doubted(first.line, first.what, f"{fault}; only the days that it names itself are listed", first.file)
            series = expand([replace(part, rules=(), extra=()) for part in parts], phone, budget)
        for doubt in series.doubts:
            log.doubted(first.line, first.what, doubt, first.file)
        listed = [
            (one.part, _event(entries[one.part], one, uid, phone, log))
            for one in series.occurrences
            if not entries[one.part].cancelled
        ]
    except Unusable as fault:
        for entry in entries:
            log.dropped(entry.line, entry.what, str(fault), entry=True, file=entry.file)
        return []
    kept = {number for number, _ in listed}
    versions = Counter(part.replaces for part in parts)
    for number, entry in enumerate(entries):
        if entry.cancelled:
            log.dropped(entry.line, entry.what, "is cancelled", entry=True, file=entry.file)
        elif number in kept:
            log.kept += 1
        elif entry.part.replaces is not None and versions[entry.part.replaces] > 1:
            reason = "is an older version: another replaces it"
            log.dropped(entry.line, entry.what, reason, entry=True, file=entry.file)
        else:
            reason = f"has no occurrence from {phone.at:%Y-%m-%d %H:%M} until {phone.until:%Y-%m-%d %H:%M}"
            log.outside(entry.line, entry.what, reason, entry.file)
    return [event for _, event in listed]


def _event(entry: Entry, occurrence: Occurrence, uid: str, phone: Phone, log: Log) -> Event:
    start, doubt = instant(occurrence.start, phone.zone)
    end, _ = instant(occurrence.end, phone.zone)
    if doubt and occurrence.start != entry.part.start:
        log.doubted(entry.line, entry.what, doubt, entry.file)
    if occurrence.of is not None:
        uid += f"@{compact(occurrence.of)}"
    return replace(entry.event, event_id=uid, start_time=start, end_time=max(start, end))
