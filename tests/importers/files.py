"""Files for the importers' tests, written as the test goes; nothing here is a copy of anybody's file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from starebrain.device import DeviceContext, Owner
from starebrain.importers import Finding, ImportReport, import_phone

AT = datetime.fromisoformat("2026-11-02T09:00:00+01:00")
OWNER = Owner("Rosa Fry", ("rosa@example.org", "R.Fry@work.example"))


def write(folder: Path, name: str, content: str | bytes) -> Path:
    """A file in a folder."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def imported(
    folder: Path, option: str, name: str, content: str | bytes, **more: Any
) -> tuple[DeviceContext, ImportReport]:
    """What one file brings to a phone in Berlin on the morning of 2 November 2026."""
    arguments: dict[str, Any] = {"timezone": "Europe/Berlin", "locale": "de_DE", "at": AT, "owner": OWNER}
    return import_phone(**{option: [write(folder, name, content)]}, **(arguments | more))


def said(report: ImportReport) -> list[str]:
    """What the findings say, but for the one that every calendar file gets."""
    return [str(finding) for finding in of_files(report)]


def of_files(report: ImportReport) -> list[Finding]:
    """The findings, but for the one that every calendar file gets."""
    return [finding for finding in report.findings if "can be written to" not in finding.reason]


def card(*lines: str, version: str = "3.0") -> str:
    """One vCard."""
    return "\r\n".join(["BEGIN:VCARD", f"VERSION:{version}", *lines, "END:VCARD", ""])


def event(*lines: str) -> str:
    """One VEVENT."""
    return "\r\n".join(["BEGIN:VEVENT", *lines, "END:VEVENT", ""])


def calendar(*components: str, head: str = "") -> str:
    """One VCALENDAR: with head lines in front of its components."""
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{head}{''.join(components)}END:VCALENDAR\r\n"


def dump(folder: Path, table: str, rows: Sequence[Mapping[str, str | int | None]]) -> None:
    """A table as ``adb shell content query --projection _id:COLUMN`` writes it, one column a file."""
    folder.mkdir(exist_ok=True)
    for column in dict.fromkeys(name for row in rows for name in row if name != "_id"):
        lines = [
            f"Row: {number} _id={row['_id']}, {column}={'NULL' if row.get(column) is None else row[column]}"
            for number, row in enumerate(rows)
        ]
        write(folder, f"{table}.{column}.txt", "\n".join(lines) + "\n")
