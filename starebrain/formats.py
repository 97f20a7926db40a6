"""The three public formats, JSON in and out: device snapshots, intents, resolutions.

Reading is strict: an unknown field, a wrong type or a broken rule raises `InvalidInput` with the file, the line or
JSON place (``device.contacts[3].nick_name``), the fact and the remedy. Nothing is guessed and nothing is dropped.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config
from pydantic_core import PydanticSerializationError

from starebrain import device as _device
from starebrain import intent as _intent
from starebrain import resolution as _resolution
from starebrain.device import DeviceContext
from starebrain.errors import InvalidInput, require_instant
from starebrain.intent import ActionIntent
from starebrain.resolution import VALUES, ParameterValue, Resolution

MAX_BYTES = 256 * 2**20
"""A larger JSON file is refused unread: no phone has one (a phone of 5,000 contacts writes about 2 MB)."""


@dataclass(frozen=True, slots=True)
class ResolutionLine:
    """One line of `starebrain resolve --json`: a `Resolution` with its three lists of names spelled out."""

    intent_id: str
    action: str
    captured_at: datetime
    resolved_parameters: Mapping[str, ParameterValue]
    pending_parameters: tuple[str, ...]
    suggested_parameters: tuple[str, ...]
    auto_filled_parameters: tuple[str, ...]

    def __post_init__(self) -> None:
        require_instant(self.captured_at, "captured_at")


FORMATS: Mapping[str, type] = {"device": DeviceContext, "intent": ActionIntent, "resolution": ResolutionLine}

RECORDS = tuple(
    record
    for module in (_device, _intent, _resolution)
    for record in vars(module).values()
    if hasattr(record, "__dataclass_fields__") and record.__module__ == module.__name__
)
"""Every record that a format holds."""

for _record in (*RECORDS, ResolutionLine):
    with_config(ConfigDict(extra="forbid"))(_record)

VALUE_NAMES = frozenset(value.__name__ for value in VALUES.values())

SURROGATE = "the text holds an unpaired surrogate, which UTF-8 cannot carry"

INSTANTS = frozenset(f.name for record in RECORDS for f in fields(record) if "datetime" in str(f.type))
"""Names of the fields that hold instants."""

ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?", re.ASCII)
"""An instant in ISO 8601; whether it has an offset is for the record to say."""


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    return TypeAdapter(FORMATS[name])


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema (2020-12) of ``device``, ``intent`` or ``resolution``."""
    if name not in FORMATS:
        raise InvalidInput(f"there is no format {name!r}", remedy=f"Choose one of {', '.join(FORMATS)}.")
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return dialect | _adapter(name).json_schema()


def read_device(path: str | Path) -> DeviceContext:
    """The snapshot in a ``device.json``; `InvalidInput` names the file and place."""
    return parse_device(read_text(path), file=path)


def parse_device(text: str | bytes, file: str | Path | None = None) -> DeviceContext:
    """The snapshot in JSON `text`; `file` is only named in errors."""
    return _parse("device", text, file)


def device_json(device: DeviceContext) -> str:
    """The ``device.json`` of a snapshot: indented UTF-8 that `parse_device` reads back as an equal snapshot."""
    return _dump("device", device, indent=1) + "\n"


def write_device(device: DeviceContext, path: str | Path) -> None:
    """Write ``device.json`` whole or not at all."""
    write_text(path, device_json(device))


def read_intents(path: str | Path) -> tuple[ActionIntent, ...]:
    """The intents of an ``intents.jsonl``, in order; blank lines are skipped, an id that occurs twice is an error."""
    return parse_intents(read_text(path).split("\n"), file=path)


def parse_intents(lines: Iterable[str], file: str | Path | None = None) -> tuple[ActionIntent, ...]:
    """The intents in JSON `lines`; `file` is only named in errors."""
    intents: dict[str, ActionIntent] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        intent = _parse("intent", line, file, line=number)
        if intent.intent_id in intents:
            raise InvalidInput(
                f"the id {intent.intent_id!r} occurs twice", file=file, place=f"line {number}: intent.intent_id"
            )
        intents[intent.intent_id] = intent
    return tuple(intents.values())


def intent_json(intent: ActionIntent) -> str:
    """One line of ``intents.jsonl``, without its line break."""
    return _dump("intent", intent)


def resolution_json(resolution: Resolution) -> str:
    """One line of ``resolve --json``; probabilities are rounded to six digits, bits to four."""
    values = {f.name: getattr(resolution, f.name) for f in fields(ResolutionLine)}
    values["resolved_parameters"] = dict(resolution.resolved_parameters)
    record = _adapter("resolution").dump_python(ResolutionLine(**values), mode="json")
    for value in record["resolved_parameters"].values():
        value["probability"] = _rounded(value["probability"], 6)
        for runner_up in value["alternatives"]:
            runner_up["probability"] = _rounded(runner_up["probability"], 6)
        for evidence in value["evidence"]:
            evidence["bits"] = _rounded(evidence["bits"], 4)
        if value["kind"] == "location":
            for place in (value, *value["alternatives"]):
                for origin in ("event_id", "contact_id"):
                    if place["value"] is not None and place["value"][origin] is None:
                        del place["value"][origin]
    return json.dumps(record)  # ASCII: no reader splits a line inside a name, no terminal obeys one


def canonical_json(value: Any) -> bytes:
    """The one JSON text of a value, in ASCII: names sorted, no blanks, records as objects, instants in ISO 8601.

    Two values of one type have the same bytes only where they are the same to the character: an instant keeps its
    offset and every digit, a number its sign. `InvalidInput` for what JSON has no word for.
    """
    try:
        return CANONICAL.encode(value).encode()
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"there is no JSON for it ({error})") from None


def parse_resolution(text: str | bytes, file: str | Path | None = None, line: int | None = None) -> Resolution:
    """The resolution in one line of ``resolve --json``; its three lists must agree with the tiers."""
    read = _parse("resolution", text, file, line=line)
    resolution = Resolution(read.intent_id, read.action, read.captured_at, read.resolved_parameters)
    for name in ("pending_parameters", "suggested_parameters", "auto_filled_parameters"):
        if sorted(getattr(read, name)) != sorted(getattr(resolution, name)):
            raise InvalidInput(
                "the list does not agree with the tiers", file=file, place=_at_line(line) + f"resolution.{name}"
            )
    return resolution


def read_text(path: str | Path) -> str:
    """The text of a UTF-8 file, a byte-order mark dropped; `InvalidInput` says why where it cannot be read."""
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"byte {error.start} is not UTF-8", file=path, remedy="Save the file as UTF-8.") from None


def read_bytes(path: str | Path) -> bytes:
    """The bytes of a file (or pipe) of at most 256 MiB; `InvalidInput` says why where it cannot be read."""
    try:
        with open(path, "rb") as f:
            content = f.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise InvalidInput("there is no such file", file=path, remedy="Check the path.") from None
    except IsADirectoryError:
        raise InvalidInput("this is a directory", file=path, remedy="Name a file in it.") from None
    except (OSError, ValueError) as error:
        raise InvalidInput(f"the file cannot be read ({_reason(error)})", file=path) from None
    if len(content) > MAX_BYTES:
        raise InvalidInput(f"the file has more than {MAX_BYTES:,} bytes", file=path, remedy="No phone has that many.")
    return content


def write_text(path: str | Path, text: str) -> None:
    """Write UTF-8 `text` to `path` whole or not at all: to a neighbour first, which then takes its place.

    What is neither a file nor a directory (``/dev/null``, a pipe) is written to, never replaced.
    """
    path = Path(path)
    try:
        content = text.encode()
        if path.exists() and not (path.is_file() or path.is_dir()):
            path.write_bytes(content)
            return
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".starebrain-") as folder:
            whole = Path(folder) / "whole"
            whole.write_bytes(content)
            os.replace(whole, path)
    except (OSError, ValueError) as error:
        raise InvalidInput(f"the file cannot be written ({_reason(error)})", file=path) from None


def place_of(root: str, location: Iterable[str | int]) -> str:
    """A JSON place as people write it: ``device.contacts[3].nick_name``."""
    return root + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)


def refuse(error: ValidationError, root: str, file: str | Path | None, line: int | None = None) -> InvalidInput:
    """The first fault of a pydantic `error` as our `InvalidInput`, with its place below `root`."""
    faults = _fitted(error.errors())
    first, others = faults[0], len(faults) - 1
    at, cause = first["loc"], first.get("ctx", {}).get("error")
    prefix = _at_line(line)
    if first["type"] == "json_invalid":
        fact, _, where = first["msg"].removeprefix("Invalid JSON: ").rpartition(" at line ")
        row, _, column = where.partition(" column ")
        return InvalidInput(f"not valid JSON: {fact}", file=file, place=f"line {line or row}, column {column}")
    fact, remedy, place = first["msg"], None, place_of(root, at)
    if isinstance(cause, InvalidInput):
        fact, remedy, place = cause.fact, cause.remedy, f"{place}.{cause.place}" if cause.place else place
    elif first["type"] in ("unexpected_keyword_argument", "extra_forbidden"):
        fact = "unknown field"
        remedy = f"See `starebrain schema {root}`." if root in FORMATS else None
    elif first["type"] == "string_unicode":
        fact = SURROGATE
    elif first["type"] in ("missing", "missing_argument"):
        fact = "the field is missing"
    if others:
        remedy = (
            f"{remedy or ''} ({others} more fault{'s' * (others > 1)} in this {'line' if line else 'file'}.)".strip()
        )
    return InvalidInput(fact, file=file, place=prefix + place, remedy=remedy)


def _parse(name: str, text: str | bytes, file: str | Path | None, line: int | None = None) -> Any:
    try:
        value = _adapter(name).validate_json(text, strict=True)
    except ValidationError as error:
        raise refuse(error, name, file, line) from None
    _look_again(text, name, file, line)
    return value


def _look_again(text: str | bytes, name: str, file: str | Path | None, line: int | None) -> None:
    """Refuse what pydantic lets pass: a field that occurs twice (the last would win), a number for an instant."""
    faults: list[tuple[dict[str, Any], str, str]] = []

    def look(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        record: dict[str, Any] = {}
        for key, value in pairs:
            if key in record:
                faults.append((record, key, "the field occurs twice"))
            elif key in INSTANTS and isinstance(value, str) and not ISO.fullmatch(value):
                faults.append((record, key, f"{value!r} is not an instant such as 2026-11-05T09:30:00-05:00"))
            record[key] = value
        return record

    tree = json.loads(text, object_pairs_hook=look)
    for record, key, fact in faults:
        for at in _paths(tree, record):
            raise InvalidInput(fact, file=file, place=_at_line(line) + place_of(name, (*at, key)))


def _paths(tree: Any, wanted: Any) -> Iterator[tuple[str | int, ...]]:
    """Where in a JSON `tree` the very object `wanted` is."""
    if tree is wanted:
        yield ()
    inside = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in inside:
        yield from ((key, *rest) for rest in _paths(value, wanted))


def _fitted(faults: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Faults at plain places: of a value that is of no kind, those against the kind that it fits best."""
    against: dict[tuple[str | int, ...], dict[str, list[Mapping[str, Any]]]] = {}
    for fault in faults:
        at, kind = fault["loc"], ""
        for i, part in enumerate(at):
            if part in VALUE_NAMES and at[i - 1] == "value":
                at, kind = at[:i], part
                fault = {**fault, "loc": fault["loc"][:i] + fault["loc"][i + 1 :]}
                break
        against.setdefault(at, {}).setdefault(kind, []).append(fault)
    return [fault for kinds in against.values() for fault in min(kinds.values(), key=len)]


def _at_line(line: int | None) -> str:
    return "" if line is None else f"line {line}: "


def _dump(name: str, record: Any, indent: int | None = None) -> str:
    try:
        return _adapter(name).dump_json(record, indent=indent).decode()
    except PydanticSerializationError:
        raise InvalidInput(SURROGATE) from None


def _plain(value: Any) -> Any:
    """A record, map or instant as what JSON has; everything else is refused."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    return {name: getattr(value, name) for name in _field_names(type(value))}  # type: ignore[arg-type]


CANONICAL = json.JSONEncoder(default=_plain, sort_keys=True, separators=(",", ":"), allow_nan=False)


@cache
def _field_names(record: type) -> tuple[str, ...]:
    if not is_dataclass(record):
        raise TypeError(f"a {record.__name__}")
    return tuple(f.name for f in fields(record))


def _rounded(number: float | None, digits: int) -> float | None:
    return None if number is None else round(number, digits)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
