from __future__ import annotations

import json
import pkgutil
import random
import re
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from starebrain import importers
from starebrain.cli import main
from starebrain.device import Owner
from starebrain.errors import InvalidInput
from starebrain.formats import device_json, parse_device, read_device
from starebrain.importers import IMPORTERS, FileReport, Finding, ImportReport, Outcome, import_phone, report_json
from starebrain.importers.base import FolderImporter, Importer
from tests.importers.files import AT, calendar, card, dump, event, imported, write
from tests.strategies import HOSTILE

GEOJSON = '{"type": "FeatureCollection", "features": [{"properties": {"name": "Gym"}}]}'
KML = "<kml><Placemark><name>Gym</name></Placemark></kml>"
GPX = '<gpx><wpt lat="1" lon="2"><name>Gym</name></wpt></gpx>'
CSV = "Title,Note,URL\nGym,,http://x\n"
GOOD = {
    "contacts": [card("FN:Ana Ash", "TEL:1")],
    "calendar": [calendar(event("DTSTART:20261103T090000Z", "SUMMARY:Tea"))],
    "places": [GEOJSON, KML, GPX, CSV],
}
ARGUMENTS: dict[str, Any] = {"timezone": "Europe/Berlin", "locale": "de_DE", "at": AT}


def run(*arguments: Any) -> Result:
    return CliRunner().invoke(main, ["import", *map(str, arguments)])


PHONE = ("--timezone", "Europe/Berlin", "--locale", "de_DE", "--at", "2026-11-02T09:00:00+01:00")


def test_every_importer_is_in_the_table_by_its_name() -> None:
    found = {}
    for module in pkgutil.iter_modules(importers.__path__):
        importer = getattr(import_module(f"starebrain.importers.{module.name}"), "IMPORTER", None)
        if importer is not None:
            found[module.name] = importer
    assert found == dict(IMPORTERS)
    assert all(isinstance(one, Importer | FolderImporter) and one.name == name for name, one in IMPORTERS.items())


def test_a_file_is_read_by_the_format_that_it_shows_whatever_its_name(tmp_path: Path) -> None:
    for content, importer in zip(GOOD["places"], ("geojson", "kml", "gpx", "placelist"), strict=True):
        device, report = imported(tmp_path, "places", "file.dat", content)
        assert report.files[0].importer == importer
        assert [place.label for place in device.saved_locations] == ["Gym"]


@pytest.mark.parametrize(
    ("option", "content", "says"),
    [
        (
            "contacts",
            GOOD["calendar"][0],
            r"It looks like iCalendar files \(\.ics\): give it to --calendar\. --contacts reads",
        ),
        ("calendar", card("FN:A"), r"It looks like vCard files \(\.vcf\): give it to --contacts"),
        ("calendar", KML, "It looks like KML and KMZ: give it to --places"),
        ("places", card("FN:A"), "It looks like vCard files"),
        ("contacts", "just words", r"the file is of no kind that --contacts reads\. --contacts reads vCard files"),
        ("contacts", '<?xml version="1.0"?><vcards xmlns="urn:ietf:params:xml:ns:vcard-4.0"/>', "of no kind"),
        ("contacts", '["vcard",[["version",{},"text","4.0"]]]', "of no kind"),
        ("places", b"\x89PNG\r\n\x1a\n" + bytes(100), "of no kind that --places reads"),
        ("places", '{"version": 1}', "of no kind"),
    ],
)
def test_a_file_of_the_wrong_type_is_refused_with_what_it_looks_like(
    tmp_path: Path, option: str, content: str | bytes, says: str
) -> None:
    with pytest.raises(InvalidInput, match=says):
        imported(tmp_path, option, "a.file", content)


@pytest.mark.parametrize("option", ["contacts", "calendar", "places"])
def test_a_hundred_megabytes_of_noise_are_refused_by_their_head(tmp_path: Path, option: str) -> None:
    path = write(tmp_path, "noise", random.Random(7).randbytes(1 << 20))
    with path.open("r+b") as stream:
        stream.truncate(100 << 20)
    with pytest.raises(InvalidInput, match="of no kind"):
        import_phone(**{option: [path]}, **ARGUMENTS)


def test_one_snapshot_of_everything_passes_the_strict_reader(tmp_path: Path) -> None:
    paths = {
        option: [write(tmp_path, f"{option}{n}", content) for n, content in enumerate(contents)]
        for option, contents in GOOD.items()
    }
    dump(tmp_path / "dump", "data", [{"_id": 1, "contact_id": 1, "mimetype": "x", "data1": "y", "display_name": "Bo"}])
    device, report = import_phone(**paths, android=tmp_path / "dump", owner=Owner("R", ("r@x",)), **ARGUMENTS)
    assert parse_device(device_json(device)) == device
    assert [contact.display_name for contact in device.contacts] == ["Ana Ash", "Bo"]
    assert len(device.saved_locations) == 4
    assert report.records == {"contacts": 2, "calendars": 1, "events": 1, "places": 4}
    assert (device.captured_at, device.timezone, device.locale) == (AT, "Europe/Berlin", "de_DE")


def test_the_same_files_give_the_same_bytes_wherever_they_lie(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    made = []
    for folder in folders:
        folder.mkdir()
        device, _ = imported(folder, "calendar", "a.ics", GOOD["calendar"][0])
        made.append(device_json(device))
    assert made[0] == made[1]


def test_files_of_one_name_and_ids_that_repeat_stay_apart(tmp_path: Path) -> None:
    content = calendar(event("UID:u", "DTSTART:20261103T090000Z"))
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    paths = [write(tmp_path / name, "a.ics", content) for name in ("one", "two")]
    device, report = import_phone(calendar=paths, **ARGUMENTS)
    assert [one.calendar_id for one in device.calendars] == ["a.ics", "a.ics (2)"]
    assert {(one.event_id, one.calendar_id) for one in device.upcoming_events} == {("u", "a.ics"), ("u#2", "a.ics (2)")}
    assert "has an id that occurs before; here it is “u#2”" in [finding.reason for finding in report.findings]


@pytest.mark.parametrize("named", ["a.ics", "Family"])
def test_the_default_calendar_is_the_one_that_the_user_names(tmp_path: Path, named: str) -> None:
    content = calendar(head="X-WR-CALNAME:Family\r\n") + calendar(head="NAME:Work\r\n")
    device, _ = imported(tmp_path, "calendar", "a.ics", content, default_calendar=named)
    assert [(one.is_default, one.writable) for one in device.calendars] == [(True, True), (False, False)]
    with pytest.raises(InvalidInput, match=r"no calendars are called 'Fun'\. Choose one of “a\.ics”, “a\.ics#2”"):
        imported(tmp_path, "calendar", "a.ics", content, default_calendar="Fun")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"at": datetime(2026, 11, 2)}, "has no offset"),
        ({"days": 0}, "days: 0 is not between 1 and 3660"),
        ({"timezone": "Berlin"}, "'Berlin' is not a known timezone"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(tmp_path: Path, arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        imported(tmp_path, "contacts", "a.vcf", card("FN:A"), **arguments)


def test_hostile_text_comes_in_as_it_is_and_is_shown_escaped(tmp_path: Path) -> None:
    texts = [text for text in HOSTILE if "\n" not in text and text.strip() and len(text) < 1000]
    lines = [card(f"FN:{text}".replace(";", "\\;").replace(",", "\\,"), "X-SPOUSE:x") for text in texts]
    device, report = imported(tmp_path, "contacts", "a.vcf", "".join(lines))
    assert [contact.display_name for contact in device.contacts] == [" ".join(text.split()) for text in texts]
    assert str(report).replace("\n", "").isprintable()
    assert report_json(report).isascii()


def test_the_command_writes_a_device_and_a_report(tmp_path: Path) -> None:
    vcf = [write(tmp_path, f"{n}.vcf", card(f"FN:Ana {n}", "NOTE:x", "X-SPOUSE:Bo")) for n in range(3)]
    ics = write(tmp_path, "a.ics", GOOD["calendar"][0])
    out, log = tmp_path / "device.json", tmp_path / "report.json"
    got = run("--contacts", *vcf[:2], "--calendar", ics, "--contacts", vcf[2], *PHONE, "--out", out, "--report", log)
    assert got.exit_code == 0, got.output
    assert [contact.display_name for contact in read_device(out).contacts] == ["Ana 0", "Ana 1", "Ana 2"]
    assert got.output.startswith("Came in: 3 contacts, 1 calendar, 1 event, 0 places\n")
    assert "2.vcf\n  dropped: line 5: card “Ana 2”" in got.output
    report = json.loads(log.read_text())
    assert [file["file"] for file in report["files"]] == [str(path) for path in (*vcf, ics)]
    assert report["files"][0]["findings"][0]["line"] == 5
    assert report["files"][0]["unused"] == {"NOTE": [4]}


def test_a_cut_off_file_is_said_on_standard_error_too(tmp_path: Path) -> None:
    path = write(tmp_path, "a.vcf", card("FN:Ana") + "BEGIN:VCARD\nFN:B")
    got = run("--contacts", path, *PHONE, "--out", tmp_path / "device.json")
    assert got.exit_code == 0
    assert got.stderr == f"starebrain: {path}: truncated: line 5: card: the file ends in the middle of it\n"


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.vcf", "", "the file is empty. Export it again from the phone."),
        ("a.vcf", GOOD["calendar"][0], "give it to --calendar"),
        ("a.vcf", "BEGIN:VCARD\nFN:A", "cut off before its first card"),
        ("none.vcf", None, "there is no such file. Check the path."),
        (".", None, "this is a directory. Name the files in it."),
    ],
)
def test_a_file_that_is_refused_ends_the_import_and_nothing_is_written(
    tmp_path: Path, name: str, content: str | None, says: str
) -> None:
    good = write(tmp_path, "good.vcf", card("FN:Ana"))
    bad = tmp_path / name if content is None else write(tmp_path, name, content)
    before = sorted(tmp_path.iterdir())
    got = run("--contacts", good, bad, *PHONE, "--out", tmp_path / "o.json", "--report", tmp_path / "r.json")
    assert got.exit_code == 2
    assert got.stderr.startswith(f"starebrain: {bad}: ")
    assert says in got.stderr
    assert got.stderr.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((*PHONE, "--out", "o.json"), "no file to import"),
        (("--contacts", "a.vcf", *PHONE, "--out", "a.vcf"), "would be overwritten"),
        (("--contacts", "a.vcf", *PHONE, "--out", "o.json", "--report", "o.json"), "would be overwritten"),
        (("--contacts", "a.vcf", *PHONE[:4], "--at", "noon", "--out", "o.json"), "--at: 'noon' is no instant"),
        (("--contacts", "a.vcf", *PHONE[:4], "--at", "2026-11-02T09:00", "--out", "o.json"), "has no offset"),
        (("--contacts", "a.vcf", *PHONE[:2], "--locale", "German", "--out", "o.json"), "'German' is no locale"),
        (("--contacts", "a.vcf", *PHONE, "--out", "o.json", "stray.vcf"), "unexpected extra argument"),
        (("--contacts", "a.vcf", *PHONE, "--out", "nowhere/o.json"), "the file cannot be written"),
    ],
)
def test_arguments_that_cannot_work_end_with_status_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], says: str
) -> None:
    write(tmp_path, "a.vcf", card("FN:Ana"))
    monkeypatch.chdir(tmp_path)
    got = run(*arguments)
    assert (got.exit_code, says in got.stderr) == (2, True), got.output
    assert [path.name for path in tmp_path.iterdir()] == ["a.vcf"]


def test_a_locale_may_be_written_with_a_hyphen_and_time_may_be_now(tmp_path: Path) -> None:
    path = write(tmp_path, "a.vcf", card("FN:Ana"))
    out = tmp_path / "o.json"
    got = run("--contacts", path, "--timezone", "Asia/Tokyo", "--locale", "EN-us", "--out", out)
    assert got.exit_code == 0, got.output
    device = read_device(out)
    assert device.locale == "en_US"
    assert abs((datetime.now(AT.tzinfo) - device.captured_at).total_seconds()) < 600
    assert device.captured_at.utcoffset() == datetime.now(device.zone).utcoffset()


def test_entries_that_go_missing_without_a_finding_are_a_fault() -> None:
    finding = Finding("a", 1, Outcome.DROPPED, "card", "x", entry=True)
    assert FileReport("a", "vcard", 2, 1, {}, (finding,)).count(Outcome.DROPPED) == 1
    with pytest.raises(ValueError, match="a: 3 entries, 1 kept, 1 accounted for"):
        FileReport("a", "vcard", 3, 1, {}, (finding,))


def test_the_text_shows_a_few_findings_of_each_kind_and_counts_the_rest() -> None:
    findings = [Finding("a", line, Outcome.DROPPED, "line", "bad") for line in range(1, 9)]
    outside = [Finding("a", line, Outcome.OUTSIDE, "event", "elsewhere", entry=True) for line in range(1, 3)]
    file = FileReport("a", "icalendar", 2, 0, {}, (*findings, *outside), {"NOTE": (1, 2)})
    text = str(ImportReport((file,)))
    assert text.count("dropped: line") == 3
    assert "dropped: 5 more of the last kind (--report lists them)" in text
    assert "outside: 2 entries: elsewhere" in text
    assert "no field in device.json: NOTE (2 lines)" in text


SEEDS = [
    (
        "contacts",
        card("N;CHARSET=UTF-8;QUOTED-PRINTABLE:=C3=91;A;;;", "TEL:1", "PHOTO;BASE64:\n QUJD\n", version="2.1").encode(),
    ),
    ("contacts", (card("FN:Ana", "item1.X-ABRELATEDNAMES:B", "item1.X-ABLabel:x") * 2).encode()),
    (
        "calendar",
        calendar(
            "BEGIN:VTIMEZONE\nTZID:Ours\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\n"
            "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\nEND:STANDARD\nEND:VTIMEZONE\n",
            event("UID:1", "DTSTART;TZID=Ours:20261103T090000", "RRULE:FREQ=DAILY;COUNT=9", "EXDATE:20261104T080000Z"),
            event("UID:1", "RECURRENCE-ID;TZID=Ours:20261105T090000", "DTSTART:20261105T120000Z", "DURATION:PT1H"),
            event("DTSTART;VALUE=DATE:20261103", "DTEND;VALUE=DATE:20261104", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:a@b"),
            head="X-WR-TIMEZONE:Europe/Paris\r\nMETHOD:PUBLISH\r\n",
        ).encode(),
    ),
    *(("places", content.encode()) for content in GOOD["places"]),
]  # fmt: skip
LINES = [
    *(b"RRULE:FREQ=SECONDLY", b"RRULE:FREQ=DAILY;INTERVAL=0", b"RRULE:FREQ=MONTHLY;BYDAY=99MO;UNTIL=1", b"EXDATE:2026"),
    *(
        b"DTSTART:00010101T000000Z",
        b"DTSTART;VALUE=DATE:99991231",
        b"DTEND:20261101T000000Z",
        b"DURATION:-P9999999999W",
    ),
    *(
        b"RDATE;VALUE=PERIOD:20261103T100000Z/PT5H",
        b"RECURRENCE-ID:20261103T080000Z",
        b"SEQUENCE:9",
        b"STATUS:CANCELLED",
    ),
    *(
        b"BEGIN:VEVENT",
        b"END:VEVENT",
        b"BEGIN:VCARD",
        b"END:VCARD",
        b"BEGIN:VALARM",
        b"END:VCALENDAR",
        b"AGENT:",
        b" fold",
    ),
    *(b"TZOFFSETTO:+9999", b"TZID:Europe/Berlin", b"N;ENCODING=B:!", b"FN;CHARSET=none:x", b"</Placemark>", b'{"a": ['),
]


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, bytes]:
    """A good file with lines put in, bytes changed, cut out or doubled, or cut off."""
    option, content = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(content)))
        end = min(len(content), at + draw(st.integers(0, 40)))
        content = draw(
            st.sampled_from(
                [
                    content[:at],
                    content[:at] + content[end:],
                    content[:end] + content[at:],
                    content[:at] + draw(st.binary(max_size=4)) + content[end:],
                    content.replace(b"\n", b"\n" + draw(st.sampled_from(LINES)) + b"\n", 1 + at % 7),
                    content[:at].rpartition(b"\n")[0] + b"\n" + draw(st.sampled_from(LINES)) + b"\n" + content[at:],
                ]
            )
        )
    return option, content


@settings(max_examples=300)
@given(damaged() | st.tuples(st.sampled_from(("contacts", "calendar", "places")), st.binary(max_size=200)))
def test_no_damage_stops_the_import_loses_an_entry_or_breaks_the_format(
    tmp_path_factory: pytest.TempPathFactory, file: tuple[str, bytes]
) -> None:
    option, content = file
    folder = tmp_path_factory.getbasetemp()
    refused: InvalidInput | None = None
    try:
        device, report = imported(folder, option, "damaged", content)
    except InvalidInput as error:
        refused = error
    if refused is not None:
        assert refused.file == str(folder / "damaged")
        assert str(refused).isprintable()
        return
    assert parse_device(device_json(device)) == device
    assert json.loads(report_json(report))["files"][0]["entries"] == report.files[0].entries
    lines = len(re.split(rb"\r\n|\n|\r", content))
    assert all(finding.line is None or 1 <= finding.line <= lines for finding in report.findings)
    kept = len(device.contacts) + len(device.saved_locations)
    if option != "calendar":
        assert kept == report.files[0].kept
