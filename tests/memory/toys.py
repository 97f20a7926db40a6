"""Tasks for tests: short to write, with text that must not be kept."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from starebrain.intent import AgentStep, AgentTask, Answer, AskedBy, Confirmation, TaskStatus

NOW = datetime(2026, 11, 5, 9, tzinfo=UTC)
DONE = TaskStatus.COMPLETED
WHATSAPP, SIGNAL, EVIL = "com.whatsapp", "org.thoughtcrime.securesms", "com.evil.messenger"
SENDING = "send a message to Anna Quarzel about her test results"


def step(
    package: str | None = WHATSAPP,
    answer: Answer | None = None,
    status: TaskStatus = DONE,
    asked_by: AskedBy = AskedBy.MODEL,
) -> AgentStep:
    asked = None if answer is None else Confirmation(asked_by, answer)
    return AgentStep("tap Anna Quarzel", package, status, asked)


def task(
    *steps: AgentStep,
    description: str = SENDING,
    status: TaskStatus = DONE,
    at: datetime = NOW,
    days: float = 0.0,
) -> AgentTask:
    """A task that ended `days` after `at`; with one approved step where none is given."""
    return AgentTask(
        "t-Quarzel", description, status, steps or (step(answer=Answer.APPROVED),), at + timedelta(days=days)
    )
