"""The kinds of parameter: one file each, and a line in this table."""

from __future__ import annotations

from collections.abc import Mapping

from starebrain.intent import ParameterKind
from starebrain.kinds.app import APP
from starebrain.kinds.base import Fact, Hint, Kind, Phone
from starebrain.kinds.calendar import CALENDAR
from starebrain.kinds.contact import CONTACT
from starebrain.kinds.location import LOCATION
from starebrain.kinds.time_slot import TIME_SLOT

KINDS: Mapping[ParameterKind, Kind] = {k.name: k for k in (CONTACT, LOCATION, TIME_SLOT, CALENDAR, APP)}

__all__ = ["KINDS", "Fact", "Hint", "Kind", "Phone"]
