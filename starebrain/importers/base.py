"""What every importer is: a mark by which it knows its files, and a reader that turns one into records and findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from starebrain.device import Calendar, Contact, Event, SavedLocation
from starebrain.errors import InvalidInput
from starebrain.importers.report import FileReport, Finding, Outcome
from starebrain.importers.source import Source

MAX_UNREADABLE = 10_000
"""Unreadable lines in one file above which it is refused as a whole: it is damaged, or something else."""

MAX_FINDINGS = 250_000
"""Findings in one file above which it is refused as a whole."""


class Unusable(ValueError):
    """A value or entry that cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Phone:
    """What an importer has to know of the phone.

    Events are listed that overlap ``[at, until)``; `zone` gives floating times and all-day events their instants;
    `owner_emails` (in small letters) tell the owner's own answer to an invitation.
    """

    at: datetime
    until: datetime
    zone: ZoneInfo
    owner_emails: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Imported:
    """The records of one file."""

    contacts: tuple[Contact, ...] = ()
    calendars: tuple[Calendar, ...] = ()
    events: tuple[Event, ...] = ()
    places: tuple[SavedLocation, ...] = ()

    @property
    def counts(self) -> Mapping[str, int]:
        """How many records of each sort, without zeros."""
        sorts = ("contacts", "calendars", "events", "places")
        return {sort: len(getattr(self, sort)) for sort in sorts if getattr(self, sort)}


@dataclass(slots=True)
class Log:
    """What is to be reported of one file while it is being read.

    A dump is many files read as one: there, `file` says which of them a finding is in.
    """

    file: str
    importer: str
    entries: int = 0
    kept: int = 0
    findings: list[Finding] = field(default_factory=list)
    unused: dict[str, list[int]] = field(default_factory=dict)
    _unreadable: int = 0

    def dropped(self, line: int | None, what: str, reason: str, entry: bool = False, file: str | None = None) -> None:
        """A line, or with `entry` a whole entry, that is not in the snapshot."""
        self._add(line, Outcome.DROPPED, what, reason, entry, file)

    def unreadable(self, line: int, what: str, reason: str) -> None:
        """A line that makes no sense; `InvalidInput` where they are too many."""
        self._unreadable += 1
        if self._unreadable > MAX_UNREADABLE:
            raise InvalidInput(
                f"more than {MAX_UNREADABLE:,} lines make no sense",
                file=self.file,
                place=f"line {line}",
                remedy="The file is damaged or of another kind: export it again.",
            )
        self.dropped(line, what, reason)

    def doubted(self, line: int | None, what: str, reason: str, file: str | None = None) -> None:
        """Something that is in the snapshot, but may be wrong."""
        self._add(line, Outcome.DOUBTED, what, reason, False, file)

    def outside(self, line: int | None, what: str, reason: str, file: str | None = None) -> None:
        """An event without an occurrence in the days that were asked for."""
        self._add(line, Outcome.OUTSIDE, what, reason, True, file)

    def truncated(self, line: int | None, what: str, reason: str, entry: bool = False, file: str | None = None) -> None:
        """Where a file ends in the middle of something."""
        self._add(line, Outcome.TRUNCATED, what, reason, entry, file)

    def no_field(self, name: str, line: int) -> None:
        """A line that a snapshot has no field for."""
        self.unused.setdefault(name, []).append(line)

    def nothing_whole(self, noun: str, mark: str) -> InvalidInput:
        """The refusal of a file that is cut off before its first whole entry."""
        return InvalidInput(
            f"the file is cut off before its first {noun} is complete",
            file=self.file,
            remedy=f"Export it again: a whole file ends with {mark}.",
        )

    def report(self, imported: Imported) -> FileReport:
        """The report, once everything is read."""
        unused = {name: tuple(lines) for name, lines in self.unused.items()}
        return FileReport(
            self.file, self.importer, self.entries, self.kept, imported.counts, tuple(self.findings), unused
        )

    def _add(self, line: int | None, outcome: Outcome, what: str, reason: str, entry: bool, file: str | None) -> None:
        if len(self.findings) >= MAX_FINDINGS:
            raise InvalidInput(
                f"more than {MAX_FINDINGS:,} findings", file=self.file, remedy="Import a part of the file."
            )
        self.findings.append(Finding(file or self.file, line, outcome, what, reason, entry))


@dataclass(frozen=True, slots=True)
class Importer:
    """One outside format.

    `option` is the one of ``starebrain import`` that its files are given with (contacts, calendar, places); `reads`
    says for people what it reads; `claims` tells from the head of a file whether it is of the format; `read` gives
    its records and logs the rest, and raises `InvalidInput` only where the file as a whole is of no use.
    """

    name: str
    option: str
    reads: str
    claims: Callable[[Source], bool]
    read: Callable[[Source, Phone, Log], Imported]


@dataclass(frozen=True, slots=True)
class FolderImporter:
    """An outside format that is a folder of files read as one; `read` gives a log and its records for each part of
    it."""

    name: str
    option: str
    reads: str
    read: Callable[[Path, Phone], Iterable[tuple[Log, Imported]]]
