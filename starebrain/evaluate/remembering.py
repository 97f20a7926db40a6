"""A resolver for phones that change a little: it is asked again only where something has changed that it would see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from starebrain.agent.reads import SOURCES
from starebrain.device import Contact, DeviceContext
from starebrain.intent import Parameter, ParameterKind
from starebrain.kinds import KINDS, Phone
from starebrain.resolution import ParameterValue
from starebrain.resolve import PhoneResolver, Resolver
from starebrain.resolve.context_resolver import EvidenceOnPhone

REACHED = ("times_contacted", "last_contacted_at")
"""What changes of a contact who was merely called or written to."""
OTHERS = tuple(one.name for one in fields(Contact) if one.name not in REACHED)

Lists = tuple[tuple[Any, ...], ...]
"""The lists of a snapshot that a kind reads, in the order of `SOURCES`."""


@dataclass(slots=True, eq=False)
class Seen:
    """Lists that look alike to a kind, the resolver on the first phone that had them, what it answered.

    `before` is an earlier state from which only the contacts with the numbers `reached` differ, if there is one, and
    only in having been reached since. `candidates` keeps, by hint, the numbers of the records that it is compared with.
    """

    lists: Lists
    on: PhoneResolver
    before: Seen | None = None
    reached: frozenset[int] = frozenset()
    answers: dict[tuple[Parameter, str], ParameterValue] = field(default_factory=dict)
    candidates: dict[str, frozenset[int] | None] = field(default_factory=dict)

    def answer(self, parameter: Parameter, action: str) -> ParameterValue:
        """The answer that was given, or that of the state before where no contact that was reached has a part in it."""
        known = self.answers.get((parameter, action))
        if known is None:
            before, reached = self.before, self.reached
            others = None if before is None else before.compared(parameter.hint or "", parameter.kind)
            if before is not None and others is not None and others.isdisjoint(reached):
                known = before.answer(parameter, action)
            else:
                known = self.on.resolve(parameter, action)
            self.answers[parameter, action] = known
        return known

    def compared(self, text: str, kind: ParameterKind) -> frozenset[int] | None:
        """The records that a hint is compared with; None for a resolver that does not say."""
        if text not in self.candidates:
            self.candidates[text] = _compared(self.on, text, kind)
        return self.candidates[text]


def _compared(on: PhoneResolver, text: str, kind: ParameterKind) -> frozenset[int] | None:
    if not isinstance(on, EvidenceOnPhone):
        return None
    here, hint = on.of(kind), KINDS[kind].read(text)
    readings = [one for one in (hint, hint.otherwise) if one is not None and one.words]
    return frozenset(comparison.candidate for one in readings for comparison in here.compare(one))


class Remembering:
    """`resolver`, remembering; for snapshots of one phone that differ in their lists (`SOURCES`) and in nothing else.

    An answer is the one that was given on lists whose records are the very same objects, or contacts who were reached
    since and either still show the same facts or are none that the hint is compared with: it may differ from a new one
    in the wording of evidence, in nothing else. Of snapshots of several phones, or taken at several instants, it would
    remember wrongly: make one for each.
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
        return self.seen(parameter.kind).answer(parameter, action)

    def seen(self, kind: ParameterKind) -> Seen:
        """What a kind sees of the phone: the very same object wherever it sees the same."""
        known = self._seen.get(kind)
        if known is None:
            lists = tuple(getattr(self.device, source) for source in SOURCES[kind])
            before = self.of.known.setdefault(kind, [])
            known = next((one for one in before if _alike(kind, one.lists, lists, self.device)), None)
            if known is None:
                known = Seen(lists, self.of.resolver.on(self.device), *_since(kind, before, lists))
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


def _since(kind: ParameterKind, states: Sequence[Seen], now: Lists) -> tuple[Seen | None, frozenset[int]]:
    """The first state from which contacts differ only in having been reached, and the numbers of those contacts."""
    for state in states if kind is ParameterKind.CONTACT else ():
        then, contacts = state.lists[0], now[0]
        if len(then) == len(contacts) and any(contact.times_contacted for contact in then):
            changed = [at for at, (a, b) in enumerate(zip(then, contacts, strict=True)) if a is not b]
            if all(_is_reached(then[at], contacts[at]) for at in changed):
                return state, frozenset(changed)
    return None, frozenset()


def _is_reached(one: Contact, other: Contact) -> bool:
    """Whether two records are of one contact, who was merely called or written to."""
    return all(getattr(one, name) == getattr(other, name) for name in OTHERS)


def _shows_the_same(kind: ParameterKind, one: Any, other: Any, device: DeviceContext) -> bool:
    """Whether two records are a contact before and after being reached, and the same facts speak for and against it."""
    if not isinstance(one, Contact) or not isinstance(other, Contact):
        return False
    if not _is_reached(one, other):
        return False
    return kind is not ParameterKind.CONTACT or _facts(one, device) == _facts(other, device)


def _facts(contact: Contact, device: DeviceContext) -> Sequence[str]:
    """What speaks for and against a contact on a phone that has nobody else: what depends on others has not changed."""
    alone = DeviceContext(device.captured_at, device.timezone, device.locale, device.owner, (contact,))
    return [fact.name for fact in KINDS[ParameterKind.CONTACT].context(contact, Phone(alone), frozenset())]
