"""The families of ways to refer, by kind of parameter: one file a kind, one line a family in its table.

`FAMILIES` are the ways in which things on the phone are referred to. ``absent`` hints (`ABSENT`) are for things that
the phone does not have, and ``unsaid`` parameters have no hint; a calendar without one is the default (``default``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from starebrain.intent import ParameterKind
from starebrain.simulate.families import app, calendar, contact, location, time_slot
from starebrain.simulate.families.base import Family

if TYPE_CHECKING:
    from starebrain.simulate.families.base import Way

MODULES = {
    ParameterKind.CONTACT: contact,
    ParameterKind.LOCATION: location,
    ParameterKind.TIME_SLOT: time_slot,
    ParameterKind.CALENDAR: calendar,
    ParameterKind.APP: app,
}

FAMILIES: Mapping[ParameterKind, Mapping[str, Family]] = {kind: module.FAMILIES for kind, module in MODULES.items()}
ABSENT: Mapping[ParameterKind, Way] = {kind: module.absent for kind, module in MODULES.items()}
UNANSWERABLE = ("absent", "unsaid")
