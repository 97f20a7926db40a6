"""A resolver for phones that change a little: it is asked again only where something has changed that it would see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from starebrain.agent.reads import SOURCES
from starebrain.device import Contact, DeviceContext
from starebrain.intent import Parameter, ParameterKind
from starebrain.kinds import KINDS, Phone
from starebrain.resolution import ParameterValue
from starebrain.resolve import PhoneResolver, Resolver

REACHED = ("times_contacted", "last_contacted_at")
"""What changes of a contact who was merely called or written to."""
OTHERS = tuple(field.name for field in fields(Contact) if field.name not in REACHED)

Lists = tuple[tuple[Any, ...], ...]
"""The lists of a snapshot that a kind reads, in the order of `SOURCES`."""


class Seen(NamedTuple):
    """Lists that look alike to a kind, the resolver on the first phone that had them, what it answered."""

    lists: Lists
    on: PhoneResolver
    answers: dict[tuple[Parameter, str], ParameterValue]


class Remembering:
    """`resolver`, remembering; for snapshots of one phone that differ in their lists (`SOURCES`) and in nothing else.

    An answer is the one that was given on lists whose records are the very same objects, or contacts who were reached
    since and still show the same facts: it may differ from a new one in the wording of evidence, in nothing else. Of
    snapshots of several phones, or taken at several instants, it would remember wrongly: make one for each.
    """

    def __init__(self, resolver: Resolver, before: Remembering | None = None) -> None:
        """`before` is what to begin with; it learns no new lists from this one."""
        self.resolver = resolver
        self.known: dict[ParameterKind, list[Seen]] = {}
        if before is not None:
            self.known = {kind: list(seen) for kind, seen in before.known.items()}

    @property
    def name(self) -> str:
        """See `Resolver`."""
        return self.resolver.name

    def on(self, device: DeviceContext) -> RememberingOnPhone:
        """See `Resolver`."""
        return RememberingOnPhone(self, device)


class RememberingOnPhone:
    """See `PhoneResolver`."""

    def __init__(self, of: Remembering, device: DeviceContext) -> None:
        self.device = device
        self.of = of
        self._seen: dict[ParameterKind, Seen] = {}

    def resolve(self, parameter: Parameter, action: str) -> ParameterValue:
        """See `PhoneResolver`."""
        seen = self.seen(parameter.kind)
        answer = seen.answers.get((parameter, action))
        if answer is None:
            answer = seen.answers[parameter, action] = seen.on.resolve(parameter, action)
        return answer

    def resolve_all(self, asked: Sequence[tuple[Parameter, str]]) -> list[ParameterValue]:
        """See `PhoneResolver`."""
        return [self.resolve(*one) for one in asked]

    def seen(self, kind: ParameterKind) -> Seen:
        """What a kind sees of the phone: the very same object wherever it sees the same."""
        known = self._seen.get(kind)
        if known is None:
            lists = tuple(getattr(self.device, source) for source in SOURCES[kind])
            before = self.of.known.setdefault(kind, [])
            known = next((one for one in before if _alike(kind, one.lists, lists, self.device)), None)
            if known is None:
                known = Seen(lists, self.of.resolver.on(self.device), {})
                before.append(known)
            self._seen[kind] = known
        return known


def _alike(kind: ParameterKind, before: Lists, now: Lists, device: DeviceContext) -> bool:
    """Whether a kind sees the same in both."""
    return all(
        one is other
        or (
            len(one) == len(other)
            and all(a is b or _shows_the_same(kind, a, b, device) for a, b in zip(one, other, strict=True))
        )
        for one, other in zip(before, now, strict=True)
    )


def _shows_the_same(kind: ParameterKind, one: Any, other: Any, device: DeviceContext) -> bool:
    """Whether two records are a contact before and after being reached, and the same facts speak for and against it."""
    if not isinstance(one, Contact) or not isinstance(other, Contact):
        return False
    if any(getattr(one, name) != getattr(other, name) for name in OTHERS):
        return False
    return kind is not ParameterKind.CONTACT or _facts(one, device) == _facts(other, device)


def _facts(contact: Contact, device: DeviceContext) -> Sequence[str]:
    """What speaks for and against a contact on a phone that has nobody else: what depends on others has not changed."""
    alone = DeviceContext(device.captured_at, device.timezone, device.locale, device.owner, (contact,))
    return [fact.name for fact in KINDS[ParameterKind.CONTACT].context(contact, Phone(alone), frozenset())]
