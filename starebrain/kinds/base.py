"""What a kind of parameter declares: its records on a phone, how they are named, what speaks for them and against."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from starebrain.device import DeviceContext
from starebrain.intent import ParameterKind
from starebrain.matching.index import Entry
from starebrain.matching.text import digraph_words, words
from starebrain.matching.words import DEIXIS, FILLERS, NEGATIONS, OFFERS
from starebrain.resolution import ContextSource, Value

T = TypeVar("T")
NO_CONCEPT: frozenset[str] = frozenset()
UNSAID = "unsaid"
"""Trait of a hint that says no more than none does, unless something bears its words as a name."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint, read once: its content words, what each may stand for, how it would be spelled otherwise, and its traits.

    `words` are folded and without fillers (unless nothing else is left: the trait `fillers`); `traits` are what the
    kind found besides ("employer": "from work"; "deixis": it points instead of naming); `otherwise` is another reading
    of the whole hint ("SF" as "San Francisco", a name that ends in what is mostly a filler); `narrowed` says whether
    something beside the words tells candidates apart, `linked` whether its words may be a name and what describes it.
    """

    text: str
    words: tuple[str, ...]
    concepts: tuple[frozenset[str], ...]
    spelled: tuple[str, ...] = ()
    traits: frozenset[str] = NO_CONCEPT
    otherwise: Hint | None = None
    narrowed: bool = False
    linked: bool = True


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that the phone shows of one candidate: a name that the heuristics weigh (or a cap's), and a detail."""

    name: str
    detail: str = ""


class Phone:
    """A snapshot, and what was derived from it on first use (kept by the function that derives it)."""

    def __init__(self, device: DeviceContext) -> None:
        self.device = device
        self._derived: dict[Callable[[DeviceContext], Any], Any] = {}

    def derived(self, derive: Callable[[DeviceContext], T]) -> T:
        """What `derive` makes of the snapshot, made once."""
        if derive not in self._derived:
            self._derived[derive] = derive(self.device)
        return self._derived[derive]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of parameter, as functions over its records; a record is whatever the kind lists.

    `listed` are the records that carry a label of their own, in the phone's order (what baselines compare); `records`
    what a hint may mean. `context` gives facts that weigh for or against a record whatever its name, given the traits
    of the hint; `caps` those that hold its tier down. `without_hint` is the record that is meant where nothing is said.
    Two records are one person or place where they share one of their `identities` and are `compatible`.
    """

    name: ParameterKind
    listed: Callable[[DeviceContext], Sequence[Any]]
    label: Callable[[Any], str]
    value: Callable[[Any, DeviceContext], Value]
    source: Callable[[Any], ContextSource]
    entry: Callable[[Any], Entry]
    records: Callable[[DeviceContext], Sequence[Any]]
    read: Callable[[str], Hint]
    context: Callable[[Any, Phone, frozenset[str]], list[Fact]] = lambda record, phone, traits: []
    caps: Callable[[Any, Phone, float], list[Fact]] = lambda record, phone, new_hours: []
    identified: Callable[[str, Sequence[Any]], list[int]] = lambda text, records: []
    without_hint: Callable[[DeviceContext], Any | None] = lambda device: None
    identities: Callable[[Any, Phone], frozenset[Any]] = lambda record, phone: frozenset()
    compatible: Callable[[Any, Any], bool] = lambda a, b: True


def read_words(
    text: str,
    concepts_of: Callable[[str], frozenset[str]] = lambda word: NO_CONCEPT,
    fillers: frozenset[str] = NO_CONCEPT,
) -> Hint:
    """The common reading of a hint: each word once, no fillers, spelled letters joined, deixis noticed.

    A filler at the end may be the end of a name ("Viraj Das", "Mary S"): such a hint is read with it otherwise.
    """
    said = tuple(dict.fromkeys(_joined(words(text))))
    spelled = {} if text.isascii() else dict(zip(words(text), digraph_words(text), strict=False))
    traits = NO_CONCEPT
    if not DEIXIS.isdisjoint(said) and all(w in DEIXIS or w in FILLERS for w in said):
        traits = frozenset({"deixis"})
    if not NEGATIONS.isdisjoint(said):
        traits |= {"negated"}
    if not OFFERS.isdisjoint(said[1:-1]):
        traits |= {"two_offers"}
    telling = [w for w in said if w not in FILLERS]
    content = tuple([w for w in telling if w not in fillers] if fillers else telling) or tuple(telling)

    def hint(content: tuple[str, ...], traits: frozenset[str], otherwise: Hint | None = None) -> Hint:
        return Hint(
            text,
            content,
            tuple(map(concepts_of, content)),
            tuple([spelled.get(w, w) for w in content]) if spelled else (),
            traits,
            otherwise,
        )

    if not content:
        return hint(said, traits | {"fillers"})
    ends_in_filler = said[-1] in FILLERS and said[-1] not in fillers
    return hint(content, traits, hint((*content, said[-1]), traits) if ends_in_filler else None)


def _joined(said: tuple[str, ...]) -> tuple[str, ...]:
    """Three or more single letters in a row are a spelling: ("k", "i", "m") is ("kim",)."""
    if len(said) < 3 or min(map(len, said)) > 1:
        return said
    joined: list[str] = []
    run: list[str] = []
    for word in (*said, ""):
        if len(word) == 1 and word.isalpha():
            run.append(word)
            continue
        joined += ["".join(run)] if len(run) >= 3 else run
        run = []
        if word:
            joined.append(word)
    return tuple(joined)


cached = lru_cache(maxsize=65_536)
