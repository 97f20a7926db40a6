"""The Parquet tables of a dataset: their columns, and labelled phones in and out of them.

Every table but `devices` has the column ``device_id`` and lists the records of a phone in the phone's own order, phone
after phone in the order of `devices`. Instants are UTC microseconds; the phone's timezone is in `devices`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from itertools import starmap
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from starebrain.dataset import Label, LabelledIntent, LabelledPhone, Split
from starebrain.device import (
    App,
    AppSwitch,
    Calendar,
    Contact,
    DeviceContext,
    Event,
    Notification,
    Owner,
    Response,
    SavedLocation,
)
from starebrain.errors import InvalidInput
from starebrain.intent import ActionIntent, Parameter, ParameterKind

TEXT, FLAG, COUNT, DEGREES = pa.string(), pa.bool_(), pa.int64(), pa.float64()
INSTANT = pa.timestamp("us", "UTC")
TEXTS = pa.list_(pa.field("element", TEXT))
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

TABLES: Mapping[str, pa.Schema] = {
    name: pa.schema(columns)
    for name, columns in {
        "devices": {
            "device_id": TEXT,
            "split": TEXT,
            "captured_at": INSTANT,
            "timezone": TEXT,
            "locale": TEXT,
            "owner_name": TEXT,
            "owner_emails": TEXTS,
            "recent_apps": TEXTS,
            "active_package": TEXT,
            "switch_from": TEXTS,
            "switch_to": TEXTS,
            "switch_at": pa.list_(pa.field("element", INSTANT)),
        },
        "contacts": {
            "device_id": TEXT,
            "contact_id": TEXT,
            "display_name": TEXT,
            "given_name": TEXT,
            "family_name": TEXT,
            "nickname": TEXT,
            "relation": TEXT,
            "organization": TEXT,
            "phones": TEXTS,
            "emails": TEXTS,
            "addresses": TEXTS,
            "starred": FLAG,
            "times_contacted": COUNT,
            "last_contacted_at": INSTANT,
            "added_at": INSTANT,
        },
        "calendars": {
            "device_id": TEXT,
            "calendar_id": TEXT,
            "name": TEXT,
            "account": TEXT,
            "is_default": FLAG,
            "writable": FLAG,
        },
        "events": {
            "device_id": TEXT,
            "event_id": TEXT,
            "start_time": INSTANT,
            "end_time": INSTANT,
            "calendar_id": TEXT,
            "title": TEXT,
            "all_day": FLAG,
            "location": TEXT,
            "attendees": TEXTS,
            "organizer": TEXT,
            "response": TEXT,
        },
        "locations": {
            "device_id": TEXT,
            "location_id": TEXT,
            "label": TEXT,
            "address": TEXT,
            "latitude": DEGREES,
            "longitude": DEGREES,
        },
        "apps": {"device_id": TEXT, "package": TEXT, "label": TEXT},
        "notifications": {
            "device_id": TEXT,
            "notification_id": TEXT,
            "posted_at": INSTANT,
            "package": TEXT,
            "title": TEXT,
            "text": TEXT,
            "sender_contact_id": TEXT,
        },
        "intents": {"device_id": TEXT, "intent_id": TEXT, "action": TEXT, "utterance": TEXT},
        "parameters": {
            "device_id": TEXT,
            "intent_id": TEXT,
            "name": TEXT,
            "kind": TEXT,
            "hint": TEXT,
            "intended": TEXTS,
            "compatible": TEXTS,
            "family": TEXT,
            "cluster": TEXT,
        },
        "changes": {
            "device_id": TEXT,
            "at": INSTANT,
            "change": TEXT,
            "record": TEXT,
            "record_id": TEXT,
            "fields": TEXT,
        },
    }.items()
}
"""Column names and types by table. A change is what happens to a phone after its snapshot: ``change`` is its type
("edit"), ``record`` the table it touches, ``fields`` the new values as a JSON object."""

VARIED = frozenset({"display_name", "utterance"})
"""Text columns that seldom repeat a text: written as they are, the others with a dictionary."""

PHONE: Mapping[str, tuple[str, Callable[..., Any]]] = {
    "contacts": ("contacts", Contact),
    "calendars": ("calendars", Calendar),
    "events": ("upcoming_events", Event),
    "locations": ("saved_locations", SavedLocation),
    "apps": ("installed_apps", App),
    "notifications": ("active_notifications", Notification),
}
"""Tables that hold a phone's records: the field of `DeviceContext`, and the record whose fields are the columns."""

Block = Mapping[str, pa.Table]
"""Some phones whole: their rows of every table (a table that is not there has none)."""


def tables_of(phones: Iterable[LabelledPhone]) -> dict[str, pa.Table]:
    """Labelled phones as one block; `phones_of` gives equal phones back (instants in the phone's zone)."""
    columns: dict[str, dict[str, list[Any]]] = {t: {c: [] for c in schema.names} for t, schema in TABLES.items()}

    def add(table: str, *values: Any) -> None:
        for column, value in zip(columns[table].values(), values, strict=True):
            column.append(value)

    for phone in phones:
        device, i = phone.device, phone.device_id
        switches = device.app_switches
        add(
            "devices",
            *(i, phone.split, device.captured_at, device.timezone, device.locale, device.owner.name),
            *(device.owner.emails, device.recent_apps, device.active_package),
            *([s.from_package for s in switches], [s.to_package for s in switches], [s.at for s in switches]),
        )
        for table, (field, _) in PHONE.items():
            for record in getattr(device, field):
                values = [getattr(record, f.name) for f in fields(record)]
                if isinstance(record, SavedLocation):
                    values[-1:] = record.coordinates or (None, None)
                add(table, i, *values)
        for asked in phone.intents:
            intent = asked.intent
            add("intents", i, intent.intent_id, intent.action, intent.utterance)
            for parameter, label in zip(intent.required_parameters, asked.labels, strict=True):
                said = (parameter.name, parameter.kind, parameter.hint)
                add("parameters", i, intent.intent_id, *said, *(getattr(label, f.name) for f in fields(label)))
    return {table: pa.table(columns[table], schema=schema) for table, schema in TABLES.items()}


def phones_of(block: Block, split: Split | None = None) -> Iterator[LabelledPhone]:
    """The phones of a block, or those of one split, in order.

    `InvalidInput` names the table whose rows are not in the order of `devices`, or the record that breaks a rule.
    """
    rows = {table: _Rows(table, block) for table in TABLES if table not in ("devices", "changes")}
    for device in block["devices"].to_pylist():
        i = device["device_id"]
        own = {table: of.take(i) for table, of in rows.items()}
        if split is not None and device["split"] != split:
            continue
        try:
            yield LabelledPhone(i, Split(device["split"]), _device(device, own), _intents(own))
        except InvalidInput as error:
            raise InvalidInput(error.fact, place=f"device {i}: {error.place or ''}", remedy=error.remedy) from None
        except (ValueError, TypeError, KeyError) as error:
            raise InvalidInput(str(error), place=f"device {i}") from None
    for table, of in rows.items():
        of.finish(table)


class _Rows:
    """The rows of one table, handed out phone by phone."""

    def __init__(self, table: str, block: Block) -> None:
        rows = block.get(table, TABLES[table].empty_table()).combine_chunks()
        self.columns = [
            column.cast(pa.int64()) if pa.types.is_timestamp(column.type) else column
            for column in (rows.column(name) for name in TABLES[table].names[1:])
        ]
        runs = pc.run_end_encode(rows.column("device_id").combine_chunks())
        self.ids, self.ends = runs.values.to_pylist(), runs.run_ends.to_pylist()
        self.run = self.row = 0

    def take(self, device_id: str) -> list[list[Any]]:
        """The columns (without ``device_id``) of the next phone, if that is the one that comes next in this table."""
        if self.run == len(self.ids) or self.ids[self.run] != device_id:
            return [[] for _ in self.columns]
        start, end = self.row, self.ends[self.run]
        self.run, self.row = self.run + 1, end
        return [column.slice(start, end - start).to_pylist() for column in self.columns]

    def finish(self, table: str) -> None:
        """Refuse rows that no phone claimed."""
        if self.run < len(self.ids):
            fact = f"the rows of {self.ids[self.run]!r} are not where the devices table has that phone"
            raise InvalidInput(fact, place=table, remedy="Write the rows of every table in the order of devices.")


def _device(device: Mapping[str, Any], own: Mapping[str, Sequence[list[Any]]]) -> DeviceContext:
    zone = _zone(device["timezone"])
    switches = zip(device["switch_from"], device["switch_to"], device["switch_at"], strict=True)
    records: dict[str, Any] = {
        field: tuple(starmap(record, zip(*_converted(table, own[table], zone), strict=True)))
        for table, (field, record) in PHONE.items()
    }
    return DeviceContext(
        captured_at=local(_micros(device["captured_at"]), zone),
        timezone=device["timezone"],
        locale=device["locale"],
        owner=Owner(device["owner_name"], tuple(device["owner_emails"])),
        recent_apps=tuple(device["recent_apps"]),
        active_package=device["active_package"],
        app_switches=tuple(AppSwitch(a, b, local(_micros(at), zone)) for a, b, at in switches),
        **records,
    )


def _converted(table: str, columns: Sequence[list[Any]], zone: tzinfo) -> list[Sequence[Any]]:
    """Columns as the record has them: tuples for lists, instants in the phone's zone, coordinates as pairs."""
    if not columns[0]:
        return []
    done: list[Sequence[Any]] = []
    for column, of in zip(columns, TABLES[table].types[1:], strict=True):
        if of == TEXTS:
            column = list(map(tuple, column))
        elif of == INSTANT:
            column = [None if micros is None else local(micros, zone) for micros in column]
        done.append(column)
    if table == "events":
        done[-1] = list(map(Response, done[-1]))
    elif table == "locations":
        latitudes, longitudes = done[-2:]
        done[-2:] = [[None if a is None else (a, b) for a, b in zip(latitudes, longitudes, strict=True)]]
    return done


def _intents(own: Mapping[str, Sequence[list[Any]]]) -> tuple[LabelledIntent, ...]:
    said: dict[str, list[tuple[Parameter, Label]]] = {}
    for intent_id, name, kind, hint, intended, compatible, family, cluster in zip(*own["parameters"], strict=True):
        label = Label(tuple(intended), tuple(compatible), family, cluster)
        said.setdefault(intent_id, []).append((Parameter(name, ParameterKind(kind), hint), label))
    asked = []
    for intent_id, action, utterance in zip(*own["intents"], strict=True):
        of = said.pop(intent_id, [])
        intent = ActionIntent(intent_id, action, utterance, tuple(parameter for parameter, _ in of))
        asked.append(LabelledIntent(intent, tuple(label for _, label in of)))
    if said:
        raise InvalidInput(f"there is no intent {next(iter(said))!r}", place="parameters.intent_id")
    return tuple(asked)


def local(micros: int, zone: tzinfo) -> datetime:
    """The instant `micros` microseconds after 1970 began in UTC, with the offset of `zone` then.

    The offset is a fixed one, as in ``device.json``: Python calls an instant in the hour that occurs twice unequal to
    the same instant of another zone.
    """
    there = (EPOCH + timedelta(microseconds=micros)).astimezone(zone)
    return there.replace(tzinfo=_fixed(there.utcoffset()), fold=0)


def _micros(instant: datetime) -> int:
    return (instant - EPOCH) // timedelta(microseconds=1)


@cache
def _fixed(offset: timedelta) -> timezone:
    return timezone(offset)


def _zone(name: str) -> tzinfo:
    from starebrain.device import zone

    return zone(name)
