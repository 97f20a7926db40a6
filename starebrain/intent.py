"""What was asked: an `ActionIntent` and its parameters; and what was done: an `AgentTask` and its steps."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from starebrain.errors import InvalidInput, require, require_instant


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


class TaskStatus(StrEnum):
    """How far a task, or a step of it, has come."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class AskedBy(StrEnum):
    """Who wanted the user to confirm a step: the model flagged it, or a rule (a cap, asking always) called for it."""

    MODEL = "model"
    RULE = "rule"


class Answer(StrEnum):
    """What the user made of a confirmation."""

    APPROVED = "approved"
    """As it was shown."""
    EDITED = "edited"
    DECLINED = "declined"


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A confirmation that the user was shown, and their answer."""

    asked_by: AskedBy
    answer: Answer


@dataclass(frozen=True, slots=True)
class AgentStep:
    """One step of a task, done in the app `target_package`; `confirmation` is None where nobody was asked."""

    description: str
    target_package: str | None
    status: TaskStatus
    confirmation: Confirmation | None = None


@dataclass(frozen=True, slots=True)
class AgentTask:
    """What an agent did for one request, in the words of `description`; `ended_at` is None until it has ended."""

    task_id: str
    description: str
    status: TaskStatus
    steps: tuple[AgentStep, ...] = ()
    ended_at: datetime | None = None

    def __post_init__(self) -> None:
        require(bool(self.task_id), "task_id", "a task needs a non-empty id")
        require_instant(self.ended_at, "ended_at")
        open_end = self.ended_at is None and self.status is TaskStatus.COMPLETED
        require(not open_end, "ended_at", "a completed task has ended at some instant")
