"""Presenting a contract: what is refused, what is asked anew, and what counts as done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from threading import Lock
from types import MappingProxyType
from typing import Protocol

from starebrain.agent.contract import Approval, is_genuine, is_in_time, same_value
from starebrain.agent.verification import State, Verdict, compare
from starebrain.device import DeviceContext
from starebrain.errors import require
from starebrain.resolution import Value
from starebrain.resolve import Resolver

UNRESOLVED_FOR = timedelta(hours=1)
"""How long evidence is waited for unless the agent says otherwise (our choice)."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at carrying out an intent; no two tries share an `attempt_id`."""

    attempt_id: str
    token: str
    intent_id: str
    action: str
    values: Mapping[str, Value]
    at: datetime


@dataclass(frozen=True, slots=True)
class Observation:
    """What was seen on the phone to have been done, and for which attempt; `evidence` says where it was seen."""

    attempt_id: str
    seen_at: datetime
    values: Mapping[str, Value]
    evidence: str


class Dispatcher(Protocol):
    """What carries out an approved intent on a phone: the only part of this package that does anything."""

    def claim(self, token: str, attempt_id: str) -> bool:
        """Use up `token` for this attempt, at once and for good; False where either was ever used before."""
        ...

    def perform(self, attempt: Attempt) -> None:
        """Carry it out; `OSError` (a time-out, a lost connection) where it is not known whether that succeeded."""
        ...

    def observe(self, attempt: Attempt) -> Observation | None:
        """What can be seen of it on the phone now, by looking: that `perform` returned is no evidence."""
        ...


class Reason(StrEnum):
    """Why nothing was done."""

    TAMPERED = "tampered"
    """The approval is not what was sealed."""
    EXPIRED = "expired"
    DIFFERENT = "different"
    """The values are not those of the contract, to the character."""
    USED = "used"
    NOT_VALID = "not_valid"
    """The phone has changed: the verdicts say how."""


@dataclass(frozen=True, slots=True)
class Executed:
    """It was done, and that was seen."""

    attempt: Attempt
    observation: Observation


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was done; `questions` names the parameters that go back to the user, `verdicts` says why."""

    attempt_id: str
    reason: Reason
    questions: tuple[str, ...] = ()
    verdicts: Mapping[str, Verdict] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Unresolved:
    """It may or may not have been done: `owner` has to find out, and evidence is waited for until `expires_at`."""

    attempt: Attempt
    owner: str
    expires_at: datetime


Outcome = Executed | Refused | Unresolved


def dispatch(
    approval: Approval,
    values: Mapping[str, Value],
    device_now: DeviceContext,
    *,
    now: datetime,
    key: bytes,
    attempt_id: str,
    dispatcher: Dispatcher,
    resolver: Resolver | None,
    owner: str = "user",
    unresolved_for: timedelta = UNRESOLVED_FOR,
) -> Outcome:
    """Present a contract with the `values` to carry out at `now`, on the phone as `device_now` has it.

    Refused are an approval that is not what was sealed, one outside of its time, values that differ from it by one
    character, a used token; and whatever is not valid on the phone as it is now (see `verify`, also for `resolver`).
    The token is used up before the phone is looked at: whoever is asked anew gives a new approval, and the old one must
    not come to life when the phone changes back. `InvalidInput` where `device_now` was taken before the user approved,
    or after `now`.
    """
    require(bool(attempt_id), "attempt_id", "an attempt needs a non-empty id")
    if not is_genuine(approval, key):
        return Refused(attempt_id, Reason.TAMPERED, tuple(values))
    if not is_in_time(approval, now):
        return Refused(attempt_id, Reason.EXPIRED, tuple(approval.values))
    fresh = approval.approved_at <= device_now.captured_at <= now
    require(fresh, "device_now", "the phone was not read between approval and dispatch")
    if different := differing(approval.values, values):
        return Refused(attempt_id, Reason.DIFFERENT, different)
    if not dispatcher.claim(approval.token, attempt_id):
        return Refused(attempt_id, Reason.USED)
    verdicts = compare(approval, device_now, resolver=resolver)
    if questions := tuple(name for name, verdict in verdicts.items() if verdict.state is not State.VALID):
        return Refused(attempt_id, Reason.NOT_VALID, questions, verdicts)
    frozen = MappingProxyType(dict(approval.values))
    attempt = Attempt(attempt_id, approval.token, approval.intent_id, approval.action, frozen, now)
    unresolved = Unresolved(attempt, owner, now + unresolved_for)
    try:
        dispatcher.perform(attempt)
    except OSError:
        return unresolved
    return settle(unresolved, dispatcher)


def settle(outcome: Unresolved, dispatcher: Dispatcher) -> Executed | Unresolved:
    """Look again for evidence of an attempt: *executed* where it is seen, else as unresolved as before.

    What is seen of another attempt, from before this one, or with other values stands for nothing.
    """
    attempt, seen = outcome.attempt, dispatcher.observe(outcome.attempt)
    if seen is None or seen.attempt_id != attempt.attempt_id or seen.seen_at < attempt.at:
        return outcome
    return outcome if differing(attempt.values, seen.values) else Executed(attempt, seen)


def differing(ours: Mapping[str, Value], theirs: Mapping[str, Value]) -> tuple[str, ...]:
    """The names of which the two do not have the same value, to the character."""
    names = dict.fromkeys((*ours, *theirs))
    return tuple(n for n in names if n not in ours or n not in theirs or not same_value(ours[n], theirs[n]))


class RecordingDispatcher:
    """Carries intents out by writing them down, and sees what it wrote; keeps used tokens as long as it lives.

    For simulated phones and tests. One for a real phone must keep used tokens where they outlive the program.
    """

    def __init__(self) -> None:
        self.performed: list[Attempt] = []
        self._used: set[tuple[str, str]] = set()
        self._lock = Lock()

    def claim(self, token: str, attempt_id: str) -> bool:
        """See `Dispatcher`."""
        with self._lock:
            claims = {("token", token), ("attempt", attempt_id)}
            if claims & self._used:
                return False
            self._used |= claims
            return True

    def perform(self, attempt: Attempt) -> None:
        """See `Dispatcher`."""
        self.performed.append(attempt)

    def observe(self, attempt: Attempt) -> Observation | None:
        """See `Dispatcher`."""
        for at, done in enumerate(self.performed):
            if done.attempt_id == attempt.attempt_id:
                return Observation(done.attempt_id, done.at, done.values, f"line {at + 1} of the record")
        return None
