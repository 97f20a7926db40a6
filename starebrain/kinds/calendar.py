"""Calendars."""

from __future__ import annotations

from starebrain.device import DeviceContext
from starebrain.intent import ParameterKind
from starebrain.kinds.base import Candidate, Kind
from starebrain.resolution import CalendarValue, ContextSource


def candidates(device: DeviceContext) -> tuple[Candidate, ...]:
    """Every calendar, labelled by its name."""
    return tuple(
        Candidate(c.name, CalendarValue(c.calendar_id, c.name), ContextSource.DEVICE_CALENDAR) for c in device.calendars
    )


CALENDAR = Kind(ParameterKind.CALENDAR, candidates)
