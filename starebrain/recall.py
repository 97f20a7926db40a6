"""What is remembered of finished tasks: closed vocabularies and numbers, never text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ConfirmationHistory:
    """How often confirmations of one intent type were approved unchanged, edited or declined (counts)."""

    approved: int = 0
    edited: int = 0
    declined: int = 0


@dataclass(frozen=True, slots=True)
class SessionPattern:
    """The shape of behaviour for one intent type; the store that fills it belongs to `starebrain.memory`."""

    intent_type: str
    preferred_package: str | None
    typical_step_count: int
    confirmations: ConfirmationHistory
    last_seen: datetime
