"""People and businesses of the address book."""

from __future__ import annotations

from starebrain.device import DeviceContext
from starebrain.intent import ParameterKind
from starebrain.kinds.base import Candidate, Kind
from starebrain.resolution import ContactValue, ContextSource


def candidates(device: DeviceContext) -> tuple[Candidate, ...]:
    """Every contact, labelled by its display name."""
    return tuple(
        Candidate(c.display_name, ContactValue(c.contact_id, c.display_name), ContextSource.RECENT_CONTACTS)
        for c in device.contacts
    )


CONTACT = Kind(ParameterKind.CONTACT, candidates)
