"""What happens to a phone after its snapshot: changes as plain data, and a phone with changes made to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from operator import is_
from typing import Any

from starebrain.device import Contact, DeviceContext, Event, Notification, SavedLocation
from starebrain.errors import InvalidInput, require_instant

Record = Contact | Event | SavedLocation | Notification


class ChangeType(StrEnum):
    """What happened."""

    ADD = "add"
    """A contact appeared."""
    EDIT = "edit"
    """A contact's number, mail address, name, organization or address is another."""
    REMOVE = "remove"
    """A contact is gone."""
    MERGE = "merge"
    """Two contacts became one, which keeps the id of the first."""
    REACH = "reach"
    """A contact was called or written to, or did so: it moved up among the recent ones."""
    INVITE = "invite"
    """An invitation that nobody has answered."""
    MOVE = "move"
    """An event begins and ends at other times."""
    CANCEL = "cancel"
    """An event is gone."""
    RELABEL = "relabel"
    """A saved place has another label or address."""
    NOTIFY = "notify"
    """A notification came, and the oldest left where there were many."""


class Cause(StrEnum):
    """Who brought a change about."""

    OWNER = "owner"
    OTHERS = "others"
    """Somebody else, as people do: an invitation, a message."""
    SYNC = "sync"
    """A synchronisation of an account, which brings several changes at one instant."""
    ATTACK = "attack"
    """Somebody who wants the owner's assistant to act for them."""


FIELDS: Mapping[ChangeType, str] = {
    **dict.fromkeys(
        (ChangeType.ADD, ChangeType.EDIT, ChangeType.REMOVE, ChangeType.MERGE, ChangeType.REACH), "contacts"
    ),
    **dict.fromkeys((ChangeType.INVITE, ChangeType.MOVE, ChangeType.CANCEL), "upcoming_events"),
    ChangeType.RELABEL: "saved_locations",
    ChangeType.NOTIFY: "active_notifications",
}
"""The field of `DeviceContext` that each type of change touches; it touches no other."""

RECORDS: Mapping[str, type] = {
    "contacts": Contact,
    "upcoming_events": Event,
    "saved_locations": SavedLocation,
    "active_notifications": Notification,
}


@dataclass(frozen=True, slots=True)
class Change:
    """One change at one instant: the records in `put` are as given from then on, those whose ids are in `drop` gone.

    A record in `put` takes the place of the one with its id, or comes last where there is none. `InvalidInput` for an
    instant without an offset, for records of another field than the type touches, and for an id that occurs twice.
    """

    at: datetime
    type: ChangeType
    cause: Cause
    put: tuple[Record, ...] = ()
    drop: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        require_instant(self.at, "at")
        of = RECORDS[self.field]
        for i, record in enumerate(self.put):
            if not isinstance(record, of):
                fact = f"{self.type} puts {of.__name__}, not {type(record).__name__}"
                raise InvalidInput(fact, place=f"put[{i}]")
        ids = self.ids
        if len(ids) > 1 and len(set(ids)) < len(ids):
            raise InvalidInput("an id occurs twice", place="put", remedy="A change says once what becomes of a record.")

    @property
    def field(self) -> str:
        """The field of `DeviceContext` that is touched."""
        return FIELDS[self.type]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the records that it touches: put, then dropped."""
        name = DeviceContext.IDS[self.field]
        return (*(getattr(record, name) for record in self.put), *self.drop)


def applied(device: DeviceContext, changes: Iterable[Change]) -> DeviceContext:
    """The phone after `changes`, in their order; everything that they do not touch is the very same object.

    The instant of capture stays: `at_instant` sets it. Ids stay unique by construction: a record is put where its id
    is, or where none has it.
    """
    touched: dict[str, dict[str, Any]] = {}
    for change in changes:
        field = change.field
        records = touched.get(field)
        name = DeviceContext.IDS[field]
        if records is None:
            records = touched[field] = {getattr(record, name): record for record in getattr(device, field)}
        for record in change.put:
            records[getattr(record, name)] = record
        for gone in change.drop:
            records.pop(gone, None)
    after = {field: tuple(records.values()) for field, records in touched.items()}
    other = {field: records for field, records in after.items() if not _same(records, getattr(device, field))}
    return _with(device, other) if other else device


def at_instant(device: DeviceContext, instant: datetime) -> DeviceContext:
    """The same snapshot as of another instant; `InvalidInput` where that has no offset."""
    if instant is device.captured_at:
        return device
    require_instant(instant, "captured_at")
    return _with(device, {"captured_at": instant})


def _with(device: DeviceContext, values: Mapping[str, Any]) -> DeviceContext:
    """A copy with other values, without the checks that made the first: they would cost more than the copy."""
    other = copy(device)
    for name, value in values.items():
        object.__setattr__(other, name, value)
    return other


def _same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return len(one) == len(other) and all(map(is_, one, other))
