"""Saved places."""

from __future__ import annotations

from starebrain.device import DeviceContext
from starebrain.intent import ParameterKind
from starebrain.kinds.base import Candidate, Kind
from starebrain.resolution import ContextSource, LocationValue


def candidates(device: DeviceContext) -> tuple[Candidate, ...]:
    """Every saved place, labelled as its owner labelled it."""
    return tuple(
        Candidate(
            place.label,
            LocationValue(place.location_id, place.label, place.address, place.coordinates),
            ContextSource.SAVED_LOCATIONS,
        )
        for place in device.saved_locations
    )


LOCATION = Kind(ParameterKind.LOCATION, candidates)
