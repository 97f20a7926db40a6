"""Files as phones and calendars really write them; the folder is not part of the project."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starebrain.formats import device_json, parse_device
from starebrain.importers import ImportReport, Outcome, import_phone
from starebrain.intent import Parameter, ParameterKind
from starebrain.resolution import ContactValue, ResolutionConfidence

ARGUMENTS: dict[str, Any] = {"timezone": "Europe/Berlin", "locale": "de_DE", "at": datetime(2026, 11, 2, 8, tzinfo=UTC)}
OPTIONS = {".vcf": "contacts", ".ics": "calendar"}
BEGIN = {
    "contacts": re.compile(rb"^\s*BEGIN\s*:\s*VCARD\s*$", re.IGNORECASE | re.MULTILINE),
    "calendar": re.compile(rb"^\s*BEGIN\s*:\s*(?:VEVENT|VTODO|VJOURNAL|VFREEBUSY)\s*$", re.IGNORECASE | re.MULTILINE),
}
CARRIED = re.compile("BEGIN|END|VERSION|FN|N|NICKNAME|ORG|TEL|EMAIL|ADR|LABEL|UID|CATEGORIES|KIND", re.IGNORECASE)


def files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Every file, with the option that it is for."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in OPTIONS:
            yield OPTIONS[path.suffix.lower()], path


def test_every_file_comes_in_and_every_entry_is_accounted_for(phone_files_folder: Path) -> None:
    seen = 0
    for option, path in files(phone_files_folder):
        device, report = import_phone(**{option: [path]}, **ARGUMENTS)
        assert parse_device(device_json(device)) == device, path
        (file,) = report.files
        assert file.entries == len(BEGIN[option].findall(path.read_bytes())), path
        missing = [finding for finding in file.findings if finding.entry]
        assert file.kept + len(missing) == file.entries, path
        if option == "contacts":
            assert len(device.contacts) == file.kept, path
        seen += 1
    assert seen


def test_every_line_of_a_card_is_carried_or_named(phone_files_folder: Path) -> None:
    property_line = re.compile(r"(?:item\d+\.)?([A-Za-z][A-Za-z-]*)[;:]")
    for option, path in files(phone_files_folder):
        if option != "contacts":
            continue
        _, report = import_phone(contacts=[path], **ARGUMENTS)
        named = {line for lines in report.files[0].unused.values() for line in lines}
        named |= {finding.line for finding in report.findings if finding.line}
        for number, line in enumerate(path.read_text("utf-8", "replace").split("\n"), 1):
            found = property_line.match(line)
            if found and not CARRIED.fullmatch(found[1]) and line.partition(":")[2].strip():
                assert number in named, f"{path}:{number}: {line[:60]}"


def test_all_together_make_one_phone_whose_contacts_and_events_resolve(phone_files_folder: Path) -> None:
    from starebrain.resolve import RESOLVERS

    paths: dict[str, list[Path]] = {"contacts": [], "calendar": []}
    for option, path in files(phone_files_folder):
        paths[option].append(path)
    device, _ = import_phone(**paths, **(ARGUMENTS | {"at": datetime(2019, 3, 4, 8, tzinfo=UTC)}))
    assert device.contacts
    assert device.upcoming_events
    resolver = RESOLVERS["article"].on(device)
    names = [contact.display_name for contact in device.contacts]
    for contact in device.contacts:
        if names.count(contact.display_name) == 1:
            hint = Parameter("who", ParameterKind.CONTACT, contact.display_name)
            got = resolver.resolve(hint, "send_message")
            assert got.confidence is ResolutionConfidence.HIGH
            assert got.value == ContactValue(contact.contact_id, contact.display_name)
    for title in {event.title for event in device.upcoming_events if event.title}:
        got = resolver.resolve(Parameter("when", ParameterKind.TIME_SLOT, title), "create_event")
        assert got.value is not None, title


def test_known_flaws_are_named(phone_files_folder: Path) -> None:
    """What the files of this folder are known for, where they are there."""
    expected = {
        "issue_132_swapped_start_and_end.ics": (Outcome.DOUBTED, "ends before it starts"),
        "broken_dtstart.ics": (Outcome.DROPPED, "is no date or time"),
        "big_bad_calendar.ics": (Outcome.DROPPED, "has no DTSTART"),
        "issue_18_cancel_status.ics": (Outcome.DROPPED, "is cancelled"),
    }
    seen: dict[str, ImportReport] = {}
    for option, path in files(phone_files_folder):
        if path.name in expected:
            seen[path.name] = import_phone(**{option: [path]}, **ARGUMENTS)[1]
    for name, report in seen.items():
        outcome, reason = expected[name]
        assert any(finding.outcome is outcome and reason in finding.reason for finding in report.findings), name
