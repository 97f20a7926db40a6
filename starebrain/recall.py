"""What is remembered of finished tasks: closed vocabularies and numbers, never text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from starebrain.errors import require, require_instant


class IntentType(StrEnum):
    """The closed vocabulary under which tasks are remembered; `general` holds whatever fits nowhere else."""

    SEND_MESSAGE = "send_message"
    CREATE_EVENT = "create_event"
    OPEN_FILE = "open_file"
    PAYMENT = "payment"
    GENERAL = "general"
    PURCHASE = "purchase"
    CALL = "call"
    NAVIGATE = "navigate"
    SHARE_LOCATION = "share_location"
    SET_REMINDER = "set_reminder"
    SET_ALARM = "set_alarm"
    PLAY_MEDIA = "play_media"
    OPEN_APP = "open_app"


@dataclass(frozen=True, slots=True)
class ConfirmationHistory:
    """What became of the confirmations of one intent type.

    `approved` (unchanged), `edited` and `declined` count tasks, one each, older ones less (0 and up, not whole). The
    article's rule counts steps instead: `confirmed` ones that the model had flagged, `skipped` ones that nobody was
    asked about.
    """

    approved: float = 0.0
    edited: float = 0.0
    declined: float = 0.0
    confirmed: int = 0
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class SessionPattern:
    """The shape of behaviour for one intent type, as some rule of `starebrain.memory` reads it at some instant.

    `preferred_share` is the expected share of tasks that `preferred_package` carries, `preferred_sure` how sure it is
    that it carries more than half of them, `approved_sure` how sure it is that confirmations are approved unchanged as
    often as the heuristics ask (0 to 1 each, None where the rule does not say). `may_skip` is what the rule makes of
    the confirmations, before any cap.
    """

    intent_type: IntentType
    preferred_package: str | None
    typical_step_count: int
    confirmations: ConfirmationHistory
    last_seen: datetime
    preferred_share: float | None = None
    preferred_sure: float | None = None
    approved_sure: float | None = None
    may_skip: bool = False

    def __post_init__(self) -> None:
        require(self.intent_type in IntentType, "intent_type", f"there is no intent type {self.intent_type!r}")
        share = self.preferred_share
        require(share is None or 0 <= share < 1, "preferred_share", f"{share} is not a probability below 1")
        for name in ("preferred_sure", "approved_sure"):
            sure = getattr(self, name)
            require(sure is None or 0 <= sure <= 1, name, f"{sure} is not a probability")
        require_instant(self.last_seen, "last_seen")


@dataclass(frozen=True, slots=True)
class Recall:
    """Everything that is remembered at one instant, frozen; an empty one is as if there were no memory."""

    patterns: Mapping[IntentType, SessionPattern] = field(default_factory=lambda: MappingProxyType({}))

    def pattern(self, intent_type: str | None) -> SessionPattern | None:
        """The pattern of an intent type, or of an action of the same name; None where nothing is remembered."""
        return self.patterns.get(intent_type)  # type: ignore[call-overload]
