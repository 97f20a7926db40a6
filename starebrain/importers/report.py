"""What an import did with each file: what came in, and every line that was dropped or doubted, and why.

Nothing is lost silently. Every entry of a file (a card, an event, a place, a row) is either in the snapshot or named by
exactly one finding, and `FileReport` refuses to be made otherwise. Lines that could be read but for which a snapshot
has no field (a photo, a note) are listed by name in `unused`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path

from starebrain.errors import printable
from starebrain.formats import write_text

SHOWN = 3
"""Findings of one reason that the text shows for a file; the JSON has them all."""

WIDTH = 60
"""Longest piece of a phone's text that a finding quotes, in characters."""


class Outcome(StrEnum):
    """What became of a line or an entry that did not simply come in."""

    DROPPED = "dropped"
    DOUBTED = "doubted"
    TRUNCATED = "truncated"
    OUTSIDE = "outside"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was left out or doubted.

    `line` counts from 1 as an editor does (None where the thing is no line); `entry` says that a whole entry is not in
    the snapshot. *dropped*: could not be used; *truncated*: the file ends in the middle of it; *outside*: an event
    without an occurrence in the days that were asked for; *doubted*: is in the snapshot, but may be wrong.
    """

    file: str
    line: int | None
    outcome: Outcome
    what: str
    reason: str
    entry: bool = False

    def __str__(self) -> str:
        place = "" if self.line is None else f"line {self.line}: "
        return f"{self.outcome}: {place}{printable(self.what)}: {printable(self.reason)}"


@dataclass(frozen=True, slots=True)
class FileReport:
    """What one file brought.

    `entries` were found in it and `kept` of them are in the snapshot, as `records` (contacts, calendars, events: one an
    occurrence, places). `unused` names what a snapshot has no field for, with the lines. ValueError where entries went
    missing without a finding: that is a fault of the importer.
    """

    file: str
    importer: str
    entries: int
    kept: int
    records: Mapping[str, int]
    findings: tuple[Finding, ...] = ()
    unused: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        missing = sum(finding.entry for finding in self.findings)
        if self.entries != self.kept + missing:
            raise ValueError(f"{self.file}: {self.entries} entries, {self.kept} kept, {missing} accounted for")

    def count(self, outcome: Outcome) -> int:
        """How many findings have that outcome."""
        return sum(finding.outcome is outcome for finding in self.findings)


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did, file by file in the order of the command."""

    files: tuple[FileReport, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of all files."""
        return tuple(finding for file in self.files for finding in file.findings)

    @property
    def records(self) -> Counter[str]:
        """How many records came in, by what they are."""
        return sum((Counter(file.records) for file in self.files), Counter())

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def report_json(report: ImportReport) -> str:
    """The report as JSON (ASCII): ``{"files": [{"file", "importer", "entries", "kept", …}]}``, every finding in it."""
    return json.dumps(asdict(report), indent=1) + "\n"


def write_report(report: ImportReport, path: str | Path) -> None:
    """Write the report as JSON, whole or not at all."""
    write_text(path, report_json(report))


def quote(text: str) -> str:
    """Text of a phone as a finding quotes it: on one line, escaped, cut."""
    shown = printable(text[: 4 * WIDTH])
    return f"“{shown if len(shown) <= WIDTH else shown[: WIDTH - 1] + '…'}”"


def counted(number: int, noun: str) -> str:
    """``1 card``, ``2 cards``, ``3 entries``."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number:,} {noun if number == 1 else plural}"


def _lines(report: ImportReport) -> Iterator[str]:
    records = report.records
    yield "Came in: " + ", ".join(
        counted(records[f"{noun}s"], noun) for noun in ("contact", "calendar", "event", "place")
    )
    columns = ("entries", "kept", *Outcome)
    rows = [("file", "read as", *columns)]
    for file in report.files:
        counts = (file.entries, file.kept, *(file.count(outcome) for outcome in Outcome))
        rows.append((printable(file.file), file.importer, *(f"{count:,}" for count in counts)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.ljust(w) if at < 2 else cell.rjust(w) for at, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
    for file in report.files:
        yield from _details(file)


def _details(file: FileReport) -> Iterator[str]:
    if not file.findings and not file.unused:
        return
    yield f"\n{printable(file.file)}"
    by_reason: dict[tuple[Outcome, str], list[Finding]] = {}
    for finding in file.findings:
        by_reason.setdefault((finding.outcome, finding.reason), []).append(finding)
    for (outcome, reason), findings in sorted(by_reason.items(), key=lambda item: list(Outcome).index(item[0][0])):
        if outcome is Outcome.OUTSIDE:
            yield f"  {outcome}: {counted(len(findings), 'entry')}: {printable(reason)}"
            continue
        for finding in findings[:SHOWN]:
            elsewhere = "" if finding.file == file.file else f"{printable(Path(finding.file).name)}: "
            yield f"  {elsewhere}{finding}"
        if len(findings) > SHOWN:
            yield f"  {outcome}: {len(findings) - SHOWN:,} more of the last kind (--report lists them)"
    if file.unused:
        names = ", ".join(f"{printable(name)} ({counted(len(at), 'line')})" for name, at in sorted(file.unused.items()))
        yield f"  no field in device.json: {names}"
