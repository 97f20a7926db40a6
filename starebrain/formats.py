"""The three public formats, JSON in and out: device snapshots, intents, resolutions.

Reading is strict: an unknown field, a wrong type or a broken rule raises `InvalidInput` with the file, the line or
JSON place (``device.contacts[3].nick_name``), the fact and the remedy. Nothing is guessed and nothing is dropped.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

from starebrain import device as _device
from starebrain import intent as _intent
from starebrain import resolution as _resolution
from starebrain.device import DeviceContext
from starebrain.errors import InvalidInput
from starebrain.intent import ActionIntent
from starebrain.resolution import ParameterValue, Resolution

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


FORMATS: Mapping[str, type] = {"device": DeviceContext, "intent": ActionIntent, "resolution": ResolutionLine}

for _module in (_device, _intent, _resolution):
    for _record in vars(_module).values():
        if hasattr(_record, "__dataclass_fields__") and _record.__module__ == _module.__name__:
            with_config(ConfigDict(extra="forbid"))(_record)
with_config(ConfigDict(extra="forbid"))(ResolutionLine)


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
    return _adapter("device").dump_json(device, indent=1).decode() + "\n"


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
    return _adapter("intent").dump_json(intent).decode()


def resolution_json(resolution: Resolution) -> str:
    """One line of ``resolve --json``; probabilities are rounded to six digits, bits to four."""
    record = _adapter("resolution").dump_python(_line(resolution), mode="json")
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


def parse_resolution(text: str | bytes, file: str | Path | None = None, line: int | None = None) -> Resolution:
    """The resolution in one line of ``resolve --json``; its three lists must agree with the tiers."""
    read = _parse("resolution", text, file, line=line)
    resolution = Resolution(read.intent_id, read.action, read.captured_at, read.resolved_parameters)
    for name in ("pending_parameters", "suggested_parameters", "auto_filled_parameters"):
        if set(getattr(read, name)) != set(getattr(resolution, name)):
            raise InvalidInput("the list does not agree with the tiers", file=file, place=f"resolution.{name}")
    return resolution


def read_text(path: str | Path) -> str:
    """The text of a UTF-8 file, a byte-order mark dropped; `InvalidInput` says why where it cannot be read."""
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"byte {error.start} is not UTF-8", file=path, remedy="Save the file as UTF-8.") from None


def read_bytes(path: str | Path) -> bytes:
    """The bytes of a file of at most 256 MiB; `InvalidInput` says why where it cannot be read."""
    try:
        size = os.stat(path).st_size
        if os.path.isdir(path):
            raise InvalidInput("this is a directory", file=path, remedy="Name a file in it.")
        if size > MAX_BYTES:
            raise InvalidInput(f"the file has {size:,} bytes", file=path, remedy=f"At most {MAX_BYTES:,} are read.")
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise InvalidInput("there is no such file", file=path, remedy="Check the path.") from None
    except (OSError, ValueError) as error:
        raise InvalidInput(f"the file cannot be read ({_reason(error)})", file=path) from None


def write_text(path: str | Path, text: str) -> None:
    """Write UTF-8 `text` to `path` whole or not at all: to a neighbour first, which then takes its place."""
    path = Path(path)
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as f:
            f.write(text)
        os.chmod(f.name, 0o644)
        os.replace(f.name, path)
    except (OSError, UnicodeError) as error:
        raise InvalidInput(f"the file cannot be written ({_reason(error)})", file=path) from None


def place_of(root: str, location: Iterable[str | int]) -> str:
    """A JSON place as people write it: ``device.contacts[3].nick_name``."""
    return root + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)


def refuse(error: ValidationError, root: str, file: str | Path | None, line: int | None = None) -> InvalidInput:
    """The first fault of a pydantic `error` as our `InvalidInput`, with its place below `root`."""
    first, others = error.errors()[0], error.error_count() - 1
    at, cause = list(first["loc"]), first.get("ctx", {}).get("error")
    prefix = "" if line is None else f"line {line}: "
    if first["type"] == "json_invalid":
        fact = first["msg"].removeprefix("Invalid JSON: ")
        return InvalidInput(f"not valid JSON: {fact}", file=file, place=prefix.rstrip(": ") or None)
    fact, remedy, place = first["msg"], None, place_of(root, at)
    if isinstance(cause, InvalidInput):
        inner = (cause.place or "").removeprefix(root).lstrip(".")
        fact, remedy, place = cause.fact, cause.remedy, f"{place}.{inner}" if inner else place
    elif first["type"] in ("unexpected_keyword_argument", "extra_forbidden"):
        fact = "unknown field"
        remedy = f"See `starebrain schema {root}`." if root in FORMATS else None
    elif first["type"] in ("missing", "missing_argument"):
        fact = "the field is missing"
    if others:
        remedy = (
            f"{remedy or ''} ({others} more fault{'s' * (others > 1)} in this {'line' if line else 'file'}.)".strip()
        )
    return InvalidInput(fact, file=file, place=prefix + place, remedy=remedy)


def _parse(name: str, text: str | bytes, file: str | Path | None, line: int | None = None) -> Any:
    try:
        return _adapter(name).validate_json(text, strict=True)
    except ValidationError as error:
        raise refuse(error, name, file, line) from None
    except UnicodeEncodeError:
        raise InvalidInput(
            "the text holds an unpaired surrogate", file=file, place=None if line is None else f"line {line}"
        ) from None


def _line(resolution: Resolution) -> ResolutionLine:
    values = {f.name: getattr(resolution, f.name) for f in fields(ResolutionLine)}
    return ResolutionLine(**values | {"resolved_parameters": dict(resolution.resolved_parameters)})


def _rounded(number: float | None, digits: int) -> float | None:
    return None if number is None else round(number, digits)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
