"""The contract: what a user approved, what it depends on, how long it holds, and the seal that shows any change."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from hashlib import sha256

from starebrain.agent.reads import Population, Read
from starebrain.errors import InvalidInput, require, require_instant
from starebrain.formats import canonical_json
from starebrain.intent import Parameter
from starebrain.resolution import ResolutionConfidence, Value

FORMAT = "starebrain.approval/1"
LEAST_KEY = 32
"""Least length of a key in bytes: that of the digest (RFC 2104)."""


class How(StrEnum):
    """How a value came to be approved."""

    FILLED = "filled"
    """Silently, from the snapshot."""
    CONFIRMED = "confirmed"
    """As it was shown."""
    OVERRIDDEN = "overridden"
    """The user was shown, or not asked about, another value."""
    ANSWERED = "answered"
    """The user was asked."""


@dataclass(frozen=True, slots=True)
class Approved:
    """One parameter of a contract.

    `tier` is what the resolver gave it. `reads` is its read set. `seen` are the candidates of the answer, as
    fingerprints of what they were called, `clashing` the ids of the events that a time ran into: what the user chose in
    sight of, and what therefore is no news.
    """

    parameter: Parameter
    value: Value
    how: How
    tier: ResolutionConfidence
    reads: tuple[Read, ...]
    seen: tuple[str, ...] = ()
    clashing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Approval:
    """What a user approved, as shown or silently filled in from the snapshot taken at `captured_at`.

    It holds from `approved_at` until before `expires_at` and can be used once: `token` is its name among those used.
    `populations` is the rival set: everything the choices were made from, a fingerprint a record. `mac` is the
    HMAC-SHA-256, in hexadecimal digits, of all the rest.
    """

    token: str
    intent_id: str
    action: str
    captured_at: datetime
    approved_at: datetime
    expires_at: datetime
    parameters: tuple[Approved, ...]
    populations: tuple[Population, ...]
    mac: str = ""

    def __post_init__(self) -> None:
        require(bool(self.token), "token", "an approval needs a non-empty token")
        for name in ("captured_at", "approved_at", "expires_at"):
            require_instant(getattr(self, name), name)

    @property
    def values(self) -> Mapping[str, Value]:
        """The approved values by the name of their parameter."""
        return {approved.parameter.name: approved.value for approved in self.parameters}


def canonical(approval: Approval) -> bytes:
    """The bytes that are sealed: the format and every field, populations as their digests, without the seal itself."""
    content = {f.name: getattr(approval, f.name) for f in fields(approval) if f.name != "mac"}
    content["populations"] = [[p.source, p.digest] for p in approval.populations]
    return canonical_json({"format": FORMAT, **content})


def same_value(a: Value, b: Value) -> bool:
    """Whether two values are the same to the character; instants that are equal at another offset are not."""
    return type(a) is type(b) and canonical_json(a) == canonical_json(b)


def seal(approval: Approval, key: bytes) -> str:
    """The keyed MAC (HMAC-SHA-256, in hexadecimal digits) of an approval; `InvalidInput` for a key under 32 bytes."""
    _require_length(key)
    return hmac.new(key, canonical(approval), sha256).hexdigest()


def is_genuine(approval: Approval, key: bytes) -> bool:
    """Whether the approval is to the character what was sealed with `key`; compared in constant time."""
    _require_length(key)
    try:
        expected = seal(approval, key).encode()
        return hmac.compare_digest(expected, approval.mac.encode("utf-8", "surrogatepass"))
    except (InvalidInput, AttributeError, TypeError):  # it holds what no contract can hold
        return False


def is_in_time(approval: Approval, now: datetime) -> bool:
    """Whether the approval holds at `now`; before it was given it does not either (a clock that was set back)."""
    return approval.approved_at <= now < approval.expires_at


def _require_length(key: bytes) -> None:
    require(len(key) >= LEAST_KEY, "key", f"a key of {len(key)} bytes is too short: {LEAST_KEY} are needed")
