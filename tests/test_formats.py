from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from types import MappingProxyType
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from pydantic import BaseModel, ValidationError

from starebrain import formats
from starebrain.device import DeviceContext
from starebrain.errors import InvalidInput, printable
from starebrain.intent import ParameterKind
from starebrain.resolution import (
    Alternative,
    ContactValue,
    ContextSource,
    Evidence,
    LocationValue,
    ParameterValue,
    Resolution,
    ResolutionConfidence,
)
from tests import strategies

DEVICE = {
    "format": "starebrain.device/1",
    "captured_at": "2026-11-05T09:30:00-05:00",
    "timezone": "America/New_York",
    "locale": "en_US",
    "owner": {"name": "Rosa Lind", "emails": ["rosa@example.org"]},
    "contacts": [
        {"contact_id": "c-1"},
        {
            "contact_id": "c-2",
            "display_name": "Tomás Fry",
            "given_name": "Tomás",
            "family_name": "Fry",
            "nickname": "Tom",
            "relation": "brother",
            "organization": "Fry & Sons",
            "phones": ["+1 212 555 0100"],
            "emails": ["tom@example.org"],
            "addresses": ["1 Elm St"],
            "starred": True,
            "times_contacted": 7,
            "last_contacted_at": "2026-11-01T10:00:00Z",
            "added_at": None,
        },
    ],
    "calendars": [
        {"calendar_id": "k-1", "name": "Home", "account": "rosa@example.org", "is_default": True, "writable": True}
    ],
    "upcoming_events": [
        {
            "event_id": "e-1",
            "calendar_id": "k-1",
            "title": "Standup",
            "start_time": "2026-11-06T10:00:00-05:00",
            "end_time": "2026-11-06T10:15:00-05:00",
            "all_day": False,
            "location": "Room 4",
            "attendees": ["Tomás Fry"],
            "organizer": "rosa@example.org",
            "response": "accepted",
        }
    ],
    "saved_locations": [{"location_id": "l-1", "label": "Gym", "address": "7 Canal St", "coordinates": [40.7, -74]}],
    "installed_apps": [{"package": "com.example.mail", "label": "Mail"}],
    "recent_apps": ["com.example.mail"],
    "active_package": "com.example.mail",
    "app_switches": [{"from_package": "a", "to_package": "b", "at": "2026-11-05T09:29:00-05:00"}],
    "active_notifications": [
        {
            "notification_id": "n-1",
            "package": "com.example.mail",
            "title": "Tom",
            "text": "See you",
            "posted_at": "2026-11-05T09:00:00-05:00",
            "sender_contact_id": "c-2",
        }
    ],
}
INTENT = {
    "intent_id": "i-1",
    "action": "create_event",
    "utterance": "book the gym tomorrow",
    "required_parameters": [{"name": "where", "kind": "location", "hint": "the gym"}],
}
RESOLUTION = {
    "intent_id": "i-1",
    "action": "create_event",
    "captured_at": "2026-11-05T09:30:00-05:00",
    "resolved_parameters": {
        "when": {
            "kind": "time_slot",
            "value": {"start": "2026-11-06T15:00:00-05:00", "end": None, "grain": "hour", "event_id": None},
            "confidence": "HIGH",
            "source": "user_provided",
            "probability": 0.997,
            "alternatives": [
                {
                    "value": {"start": "2026-11-06T03:00:00-05:00", "end": None, "grain": "hour", "event_id": None},
                    "probability": 0.002,
                    "source": "inferred",
                }
            ],
            "evidence": [{"name": "exact", "bits": 6.1, "detail": "tomorrow at 3pm"}],
            "caps": [{"rule": "open_meridiem", "tier": "MEDIUM", "detail": ""}],
            "warnings": [{"rule": "clash", "detail": "Standup"}],
        }
    },
    "pending_parameters": [],
    "suggested_parameters": [],
    "auto_filled_parameters": ["when"],
}


def parse_intent(text: str) -> Any:
    return formats.parse_intents([text])


Parse = Callable[[str], Any]
EXAMPLES: dict[str, tuple[dict[str, Any], Parse, str]] = {
    "device": (DEVICE, formats.parse_device, ""),
    "intent": (INTENT, parse_intent, "line 1: "),
    "resolution": (RESOLUTION, formats.parse_resolution, ""),
}
KEYED_BY_NAME = [("resolution", ("resolved_parameters",))]


def walk(tree: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every place of a JSON tree, with what is there."""
    yield at, tree
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ():
        yield from walk(value, (*at, key))


def changed(tree: Any, at: tuple[str | int, ...], value: Any) -> Any:
    """A copy of a JSON tree with another value at one place."""
    tree = holder = copy.deepcopy(tree)
    for part in at[:-1]:
        holder = holder[part]
    holder[at[-1]] = value
    return tree


def refusal(parse: Parse, tree: Any) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        parse(tree if isinstance(tree, str) else json.dumps(tree))
    return caught.value


RECORDS = [
    pytest.param(name, at, id=formats.place_of(name, at))
    for name, (example, _, _) in EXAMPLES.items()
    for at, value in walk(example)
    if isinstance(value, dict) and (name, at) not in KEYED_BY_NAME
]
LEAVES = [
    pytest.param(name, at, id=formats.place_of(name, at))
    for name, (example, _, _) in EXAMPLES.items()
    for at, value in walk(example)
    if at and not isinstance(value, dict | list)
]


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_with_every_field_is_read(name: str) -> None:
    example, parse, _ = EXAMPLES[name]
    assert parse(json.dumps(example))


@pytest.mark.parametrize(("name", "at"), RECORDS)
def test_an_unknown_field_is_refused_at_its_exact_place(name: str, at: tuple[str | int, ...]) -> None:
    example, parse, prefix = EXAMPLES[name]
    error = refusal(parse, changed(example, (*at, "nick_name"), "x"))
    assert (error.fact, error.place) == ("unknown field", f"{prefix}{formats.place_of(name, at)}.nick_name")
    assert error.remedy == f"See `starebrain schema {name}`."


@pytest.mark.parametrize(("name", "at"), RECORDS)
def test_every_field_that_occurs_twice_is_refused_at_its_exact_place(name: str, at: tuple[str | int, ...]) -> None:
    example, parse, prefix = EXAMPLES[name]
    record = next(value for place, value in walk(example) if place == at)
    for key, value in record.items():
        marked = json.dumps(changed(example, (*at, "MARK"), 0) if at else {**example, "MARK": 0})
        twice = marked.replace('"MARK": 0', f"{json.dumps(key)}: {json.dumps(value)}")
        error = refusal(parse, twice)
        assert (error.fact, error.place) == (
            "the field occurs twice",
            f"{prefix}{formats.place_of(name, (*at, key))}",
        )


@pytest.mark.parametrize(("name", "at"), LEAVES)
@pytest.mark.parametrize("wrong", [{"an": "object"}, [[]], 1.5], ids=repr)
def test_a_value_of_another_type_is_refused_at_its_exact_place(
    name: str, at: tuple[str | int, ...], wrong: Any
) -> None:
    example, parse, prefix = EXAMPLES[name]
    a_number_belongs_here = at[-1] in ("probability", "bits") or "coordinates" in at
    error = refusal(parse, changed(example, at, "1.5" if a_number_belongs_here and wrong == 1.5 else wrong))
    assert error.place == f"{prefix}{formats.place_of(name, at)}"


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("device", ("captured_at",)),
        ("device", ("timezone",)),
        ("device", ("contacts", 1, "contact_id")),
        ("device", ("calendars", 0, "calendar_id")),
        ("device", ("upcoming_events", 0, "event_id")),
        ("device", ("upcoming_events", 0, "start_time")),
        ("device", ("upcoming_events", 0, "end_time")),
        ("device", ("saved_locations", 0, "location_id")),
        ("device", ("installed_apps", 0, "package")),
        ("device", ("app_switches", 0, "at")),
        ("device", ("active_notifications", 0, "posted_at")),
        ("intent", ("intent_id",)),
        ("intent", ("action",)),
        ("intent", ("required_parameters", 0, "kind")),
        ("resolution", ("captured_at",)),
        ("resolution", ("resolved_parameters", "when", "confidence")),
        ("resolution", ("resolved_parameters", "when", "value", "grain")),
        ("resolution", ("auto_filled_parameters",)),
    ],
)
def test_a_missing_field_is_refused_at_its_exact_place(name: str, at: tuple[str | int, ...]) -> None:
    example, parse, prefix = EXAMPLES[name]
    tree = holder = copy.deepcopy(example)
    for part in at[:-1]:
        holder = holder[part]  # type: ignore[index]
    del holder[at[-1]]  # type: ignore[arg-type]
    error = refusal(parse, tree)
    assert (error.fact, error.place) == ("the field is missing", f"{prefix}{formats.place_of(name, at)}")


def test_everything_but_ids_and_instants_may_be_absent() -> None:
    device = formats.parse_device(
        json.dumps(
            {
                "captured_at": "2026-11-05T09:30:00Z",
                "timezone": "UTC",
                "contacts": [{"contact_id": "c"}],
                "upcoming_events": [
                    {"event_id": "e", "start_time": "2026-11-05T09:30:00Z", "end_time": "2026-11-05T09:30:00Z"}
                ],
            }
        )
    )
    assert device.contacts[0].display_name == ""
    assert device.contacts[0].nickname is None
    assert device.upcoming_events[0].response == "needs_action"
    assert device.recent_apps == ()


@pytest.mark.parametrize(
    ("text", "place", "fact"),
    [
        ("", "line 1, column 0", "not valid JSON: EOF while parsing a value"),
        ("[]", "device", "Input should be an object"),
        ("null", "device", "Input should be an object"),
        ('{"captured_at":}', "line 1, column 16", "not valid JSON: expected value"),
        ('{"captured_at": 1,}', "line 1, column 19", "not valid JSON: trailing comma"),
        ("{}\n{}", "line 2, column 1", "not valid JSON: trailing characters"),
        ("[" * 100_000, "line 1, column 202", "not valid JSON: recursion limit exceeded"),
        ('{"locale": "\\ud800"}', "line 1, column 19", "not valid JSON: unexpected end of hex escape"),
        ("\ud800", "device", formats.SURROGATE),
    ],
)
def test_what_is_no_object_is_refused_with_line_and_column(text: str, place: str | None, fact: str) -> None:
    error = refusal(formats.parse_device, text)
    assert (error.fact, error.place) == (fact, place)


@pytest.mark.parametrize(
    "instant", ["2026-11-05", "1794000000", "2026-11-05 09:30:00Z", "2026-W45-4T09:30:00Z", "now", "", 1794000000, None]
)
def test_only_iso_8601_is_an_instant(instant: Any) -> None:
    assert refusal(formats.parse_device, DEVICE | {"captured_at": instant}).place == "device.captured_at"


@pytest.mark.parametrize(
    ("at", "value", "fact"),
    [
        (("captured_at",), "2026-11-05T09:30:00", "2026-11-05T09:30:00 has no offset"),
        (
            ("contacts", 1, "added_at"),
            "0001-01-01T00:00:00Z",
            "0001-01-01T00:00:00+00:00 is outside the years 2 to 9998",
        ),
        (("contacts", 1, "times_contacted"), -1, "-1 is no 64-bit count"),
        (("contacts", 1, "contact_id"), "c-1", "the id 'c-1' occurs twice"),
        (("contacts", 1, "contact_id"), "", "a contact needs a non-empty id"),
        (("upcoming_events", 0, "end_time"), "2026-11-06T09:59:00-05:00", "the event ends before it starts"),
        (("timezone",), "Mars/Base", "'Mars/Base' is not a known timezone"),
        (("format",), "starebrain.device/2", "the format is 'starebrain.device/2', and this version reads "),
    ],
)
def test_a_broken_rule_is_refused_at_its_exact_place(at: tuple[str | int, ...], value: Any, fact: str) -> None:
    error = refusal(formats.parse_device, changed(DEVICE, at, value))
    assert error.fact.startswith(fact)
    assert error.place == formats.place_of("device", at)


def test_of_several_faults_the_first_is_named_and_the_others_counted() -> None:
    error = refusal(formats.parse_device, changed(DEVICE, ("contacts", 0, "x"), 1) | {"y": 1, "z": 1})
    assert str(error) == (
        "device.contacts[0].x: unknown field. See `starebrain schema device`. (2 more faults in this file.)"
    )


def test_a_value_of_no_kind_is_measured_against_the_kind_that_it_fits_best() -> None:
    at = ("resolved_parameters", "when", "value")
    place = "resolution.resolved_parameters.when.value"
    assert refusal(formats.parse_resolution, changed(RESOLUTION, (*at, "start"), "x")).place == f"{place}.start"
    other = {"contact_id": "c-1", "display_name": "Tom"}
    assert refusal(formats.parse_resolution, changed(RESOLUTION, at, other)).fact == "not a value of kind time_slot"


@pytest.mark.parametrize("names", [[], ["when", "when"], ["where"]])
def test_lists_that_do_not_agree_with_the_tiers_are_refused(names: list[str]) -> None:
    text = json.dumps(RESOLUTION | {"auto_filled_parameters": names})
    place, fact = "resolution.auto_filled_parameters", "the list does not agree with the tiers"
    with pytest.raises(InvalidInput) as caught:
        formats.parse_resolution(text)
    assert str(caught.value) == f"{place}: {fact}"
    with pytest.raises(InvalidInput) as caught:
        formats.parse_resolution(text, file="a.jsonl", line=7)
    assert str(caught.value) == f"a.jsonl: line 7: {place}: {fact}"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"captured_at": "2026-11-05T09:30:00"}, "resolution.captured_at: 2026-11-05T09:30:00 has no offset. Write "),
        ({"captured_at": "1794000000"}, "resolution.captured_at: '1794000000' is not an instant such as 2026-11-05"),
        ({"x": 1}, "resolution.x: unknown field. See `starebrain schema resolution`."),
        (
            {"x": 1, "y": 1},
            "resolution.x: unknown field. See `starebrain schema resolution`. (1 more fault in this line.)",
        ),
    ],
)
def test_a_fault_in_a_line_names_file_line_and_place(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        formats.parse_resolution(json.dumps(RESOLUTION | change), file="a.jsonl", line=7)
    assert str(caught.value).startswith(f"a.jsonl: line 7: {message}")
    with pytest.raises(InvalidInput) as caught:
        formats.parse_resolution("{", file="a.jsonl", line=7)
    assert str(caught.value) == "a.jsonl: line 7, column 1: not valid JSON: EOF while parsing an object"


def test_probabilities_have_six_digits_and_bits_four() -> None:
    value = ContactValue("c", "Tom")
    got = ParameterValue(
        ParameterKind.CONTACT,
        value,
        ResolutionConfidence.HIGH,
        ContextSource.RECENT_CONTACTS,
        probability=0.99234564999,
        alternatives=(Alternative(ContactValue("d", "Tim"), 0.00765435001, ContextSource.RECENT_CONTACTS),),
        evidence=(Evidence("exact", 6.12344999),),
    )
    line = formats.resolution_json(Resolution("i", "a", datetime(2026, 11, 5, tzinfo=UTC), {"it": got}))
    it = json.loads(line)["resolved_parameters"]["it"]
    assert it["probability"] == 0.992346
    assert it["alternatives"][0]["probability"] == 0.007654
    assert it["evidence"][0]["bits"] == 6.1234


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"known": 1, "x": 1}, "settings.x: unknown field"),
        ({}, "settings.known: the field is missing"),
        ({"known": 1, "x": 1, "y": 1}, "settings.x: unknown field. (1 more fault in this file.)"),
        ({"known": "a"}, "settings.known: Input should be a valid integer"),
    ],
)
def test_other_readers_refuse_in_the_same_words(fields: dict[str, Any], message: str) -> None:
    class Settings(BaseModel, extra="forbid", strict=True):
        known: int

    with pytest.raises(ValidationError) as caught:
        Settings(**fields)
    assert str(formats.refuse(caught.value, "settings", "s.toml")).startswith(f"s.toml: {message}")


def test_text_that_utf_8_cannot_carry_is_not_written() -> None:
    broken = DeviceContext(datetime(2026, 11, 5, tzinfo=UTC), "UTC", "\ud800")
    with pytest.raises(InvalidInput, match=formats.SURROGATE):
        formats.device_json(broken)


def test_a_device_is_written_for_people_to_read() -> None:
    text = formats.device_json(formats.parse_device(json.dumps(DEVICE)))
    assert text.startswith('{\n "captured_at": "2026-11-05T09:30:00-05:00",\n "timezone": "America/New_York",\n')
    assert text.endswith("}\n")


@given(strategies.devices())
def test_a_device_survives_its_format(device: formats.DeviceContext) -> None:
    text = formats.device_json(device)
    assert formats.parse_device(text) == device
    assert formats.device_json(formats.parse_device(text)) == text


@given(strategies.intents)
def test_an_intent_survives_its_format(intent: formats.ActionIntent) -> None:
    line = formats.intent_json(intent)
    assert "\n" not in line
    assert formats.parse_intents([line]) == (intent,)


@given(strategies.resolutions)
def test_a_resolution_survives_its_format(resolution: formats.Resolution) -> None:
    line = formats.resolution_json(resolution)
    assert line.isascii()
    assert line.splitlines() == [line]
    assert formats.parse_resolution(line) == resolution


@given(strategies.devices(), strategies.intents, strategies.resolutions)
def test_what_is_written_agrees_with_the_schema(
    device: formats.DeviceContext, intent: formats.ActionIntent, resolution: formats.Resolution
) -> None:
    for name, text in (
        ("device", formats.device_json(device)),
        ("intent", formats.intent_json(intent)),
        ("resolution", formats.resolution_json(resolution)),
    ):
        VALIDATORS[name].validate(json.loads(text))


VALIDATORS = {name: jsonschema.Draft202012Validator(formats.schema(name)) for name in formats.FORMATS}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_schema_is_valid_and_knows_every_field_of_the_example(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(formats.schema(name))
    VALIDATORS[name].validate(EXAMPLES[name][0])


@pytest.mark.parametrize(("name", "at"), RECORDS)
def test_the_schema_refuses_unknown_fields_too(name: str, at: tuple[str | int, ...]) -> None:
    assert not VALIDATORS[name].is_valid(changed(EXAMPLES[name][0], (*at, "nick_name"), "x"))


def test_places_write_the_ids_of_events_and_contacts_only_where_they_have_them() -> None:
    def written(**origin: str | None) -> dict[str, Any]:
        value = LocationValue(label="Gym", address="", **{"location_id": None} | origin)
        got = ParameterValue(
            ParameterKind.LOCATION,
            value,
            ResolutionConfidence.HIGH,
            ContextSource.INFERRED,
            alternatives=(Alternative(value, None, ContextSource.INFERRED),),
        )
        instant = datetime(2026, 11, 5, tzinfo=UTC)
        it = json.loads(formats.resolution_json(Resolution("i", "a", instant, {"it": got})))["resolved_parameters"][
            "it"
        ]
        assert it["value"] == it["alternatives"][0]["value"]
        return it["value"]

    place = {"location_id": None, "label": "Gym", "address": "", "coordinates": None}
    assert written(location_id="l-1") == place | {"location_id": "l-1"}
    assert written(event_id="e-1") == place | {"event_id": "e-1"}
    assert written(contact_id="c-1") == place | {"contact_id": "c-1"}


def test_unknown_formats_are_named() -> None:
    with pytest.raises(InvalidInput, match=r"there is no format 'phone'\. Choose one of device, intent, resolution\."):
        formats.schema("phone")


class TestFiles:
    def test_lines_are_counted_with_the_blank_ones(self, tmp_path: Path) -> None:
        path = tmp_path / "intents.jsonl"
        line = json.dumps(INTENT)
        path.write_text(f"\ufeff{line}\r\n\r\n{line}\n", encoding="utf-8")
        with pytest.raises(InvalidInput) as caught:
            formats.read_intents(path)
        assert str(caught.value) == f"{path}: line 3: intent.intent_id: the id 'i-1' occurs twice"

    def test_line_separators_inside_a_hint_end_no_line(self, tmp_path: Path) -> None:
        path = tmp_path / "intents.jsonl"
        hint = "a\u2028b\u0085c\x0bd"
        parameter = {"name": "who", "kind": "contact", "hint": hint}
        path.write_text(json.dumps(INTENT | {"required_parameters": [parameter]}, ensure_ascii=False), encoding="utf-8")
        assert formats.read_intents(path)[0].required_parameters[0].hint == hint

    @pytest.mark.parametrize(
        ("content", "at"), [(b"\xff\xfe{\x00}\x00", 0), (b'{"locale": "\xe4"}', 12)], ids=["UTF-16", "Latin-1"]
    )
    def test_other_encodings_are_refused(self, tmp_path: Path, content: bytes, at: int) -> None:
        path = tmp_path / "device.json"
        path.write_bytes(content)
        with pytest.raises(InvalidInput) as caught:
            formats.read_device(path)
        assert str(caught.value) == f"{path}: byte {at} is not UTF-8. Save the file as UTF-8."

    def test_what_is_no_readable_file_is_named(self, tmp_path: Path) -> None:
        for path, message in (
            (tmp_path / "none.json", "there is no such file. Check the path."),
            (tmp_path, "this is a directory. Name a file in it."),
            (tmp_path / "a\0b", "the file cannot be read (embedded null byte)"),
        ):
            with pytest.raises(InvalidInput) as caught:
                formats.read_device(path)
            assert str(caught.value) == printable(f"{path}: {message}")

    def test_more_than_the_limit_is_refused_even_where_the_size_is_not_known(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(formats, "MAX_BYTES", 1000)
        path = tmp_path / "device.json"
        path.write_bytes(b" " * 1001)
        for endless in (path, Path("/dev/zero")):
            with pytest.raises(InvalidInput) as caught:
                formats.read_device(endless)
            assert str(caught.value) == f"{endless}: the file has more than 1,000 bytes. No phone has that many."
        path.write_bytes(b" " * 1000)
        assert formats.read_bytes(path) == b" " * 1000

    def test_a_device_is_written_and_read(self, tmp_path: Path) -> None:
        device = formats.parse_device(json.dumps(DEVICE))
        path = tmp_path / "device.json"
        formats.write_device(device, path)
        assert formats.read_device(path) == device

    def test_a_write_that_fails_changes_nothing_and_leaves_nothing(self, tmp_path: Path) -> None:
        path = tmp_path / "device.json"
        path.write_text("before")
        with pytest.raises(InvalidInput) as caught:
            formats.write_text(path, "after \ud800")
        assert str(caught.value).startswith(f"{path}: the file cannot be written (")
        assert path.read_text() == "before"
        assert os.listdir(tmp_path) == ["device.json"]
        with pytest.raises(InvalidInput, match=r"the file cannot be written \(Is a directory\)"):
            formats.write_text(tmp_path, "after")
        assert os.listdir(tmp_path) == ["device.json"]

    def test_a_file_is_as_private_as_the_owner_asks(self, tmp_path: Path) -> None:
        before = os.umask(0o077)
        try:
            formats.write_text(tmp_path / "private", "")
        finally:
            os.umask(before)
        assert (tmp_path / "private").stat().st_mode & 0o777 == 0o600

    def test_pipes_are_written_to_and_not_replaced(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        try:
            formats.write_text(pipe, "hello")
            assert os.read(reader, 100) == b"hello"
        finally:
            os.close(reader)
        assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (ContactValue("c-1", "Zoë\u202e"), '{"contact_id":"c-1","display_name":"Zo\\u00eb\\u202e"}'),
        ({"b": 1, "a": (None, True, -0.0)}, '{"a":[null,true,-0.0],"b":1}'),
        (
            datetime(2026, 11, 5, 9, 30, 0, 1, timezone(timedelta(hours=1, seconds=3))),
            '"2026-11-05T09:30:00.000001+01:00:03"',
        ),
        (MappingProxyType({"kind": ParameterKind.APP}), '{"kind":"app"}'),
        ("\udc80", '"\\udc80"'),
    ],
)
def test_canonical_json_is_literally_this(value: Any, text: str) -> None:
    assert formats.canonical_json(value) == text.encode()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, object(), b"bytes", {"a": ContactValue}])
def test_what_has_no_json_is_an_error(value: Any) -> None:
    with pytest.raises(InvalidInput, match="there is no JSON for it"):
        formats.canonical_json(value)


@given(strategies.kinds.flatmap(strategies.values), strategies.kinds.flatmap(strategies.values))
def test_values_have_the_same_canonical_json_only_where_they_are_the_same(a: Any, b: Any) -> None:
    assert (formats.canonical_json(a) == formats.canonical_json(b)) == (repr(a) == repr(b))


@given(strategies.devices())
def test_canonical_json_is_json_that_says_all_of_it(device: DeviceContext) -> None:
    record = json.loads(formats.canonical_json(device))
    assert formats.parse_device(json.dumps(record)) == device
