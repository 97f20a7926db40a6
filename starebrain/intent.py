"""What was asked: an `ActionIntent` and its parameters."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from starebrain.errors import InvalidInput


class ParameterKind(StrEnum):
    """What a parameter may mean."""

    CONTACT = "contact"
    LOCATION = "location"
    TIME_SLOT = "time_slot"
    CALENDAR = "calendar"
    APP = "app"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One thing that an action needs; `hint` is the user's own words for it, or None where they said nothing."""

    name: str
    kind: ParameterKind
    hint: str | None = None

    def __post_init__(self) -> None:
        if not self.name:
            raise InvalidInput("a parameter needs a non-empty name", place="name")


@dataclass(frozen=True, slots=True)
class ActionIntent:
    """What the agent understood: a free-text `action` ("create_event") and the parameters it requires."""

    intent_id: str
    action: str
    utterance: str | None = None
    required_parameters: tuple[Parameter, ...] = ()

    def __post_init__(self) -> None:
        if not self.intent_id:
            raise InvalidInput("an intent needs a non-empty id", place="intent_id")
        for name, n in Counter(p.name for p in self.required_parameters).items():
            if n > 1:
                at = [i for i, p in enumerate(self.required_parameters) if p.name == name][1]
                raise InvalidInput(f"the parameter {name!r} occurs twice", place=f"required_parameters[{at}].name")
