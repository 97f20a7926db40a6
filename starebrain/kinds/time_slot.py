"""Times: so far those of the phone's events, named by their titles."""

from __future__ import annotations

from starebrain.device import DeviceContext
from starebrain.intent import ParameterKind
from starebrain.kinds.base import Candidate, Kind
from starebrain.resolution import ContextSource, Grain, TimeSlotValue


def candidates(device: DeviceContext) -> tuple[Candidate, ...]:
    """The slot of every event, labelled by its title, in the phone's zone; an all-day event has the grain of a day."""
    return tuple(
        Candidate(
            event.title,
            TimeSlotValue(
                event.start_time.astimezone(device.zone),
                event.end_time.astimezone(device.zone),
                Grain.DAY if event.all_day else Grain.MINUTE,
                event.event_id,
            ),
            ContextSource.DEVICE_CALENDAR,
        )
        for event in device.upcoming_events
    )


TIME_SLOT = Kind(ParameterKind.TIME_SLOT, candidates)
