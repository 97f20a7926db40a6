"""The names of one kind on one phone, indexed by word, and the comparison of a hint with each of them.

A hint is compared word by word. For every word of the hint the best word of a name is found, and the pair gets a
*level* (`WORD_LEVELS`, best first); which words of the name were said is the *coverage* (`COVERAGES`). Both are what the
weights in the heuristics are counted on. Levels are found once per word and phone and kept, so that single and batch
resolving share one path.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler

from starebrain.matching.likeness import likeness
from starebrain.matching.text import digraph_words, sound, words
from starebrain.matching.words import FILLERS, NUMBERS, nicknames_of

WORD_LEVELS = (
    "exact",  # the same word after folding
    "spelled",  # the same word in another spelling: umlauts spelled out, a number word, a transliteration
    "concept",  # another word for the same relation, role or place
    "nickname",  # a nickname of the word, or the other way round
    "prefix",  # the beginning of the word, at least three letters
    "alike_1",  # likeness in the highest band
    "alike_2",
    "alike_3",
    "alike_4",
    "alike_5",  # likeness in the lowest band that counts
    "initial",  # the first letter
    "described",  # a word of what describes the candidate: organization, role, address, account
    "absent",  # no word of the candidate is near
)
EXACT, SPELLED, CONCEPT, NICKNAME, PREFIX, ALIKE_1 = range(6)
INITIAL, DESCRIBED, ABSENT = 10, 11, 12

COVERAGES = (
    "whole",  # every word of the name was said
    "first",  # its first words
    "last",  # its last words
    "inner",  # some others
    "none",  # none: only what describes the candidate
)
WHOLE, FIRST, LAST, INNER, NONE = range(5)

SURVIVOR = 0.70
"""Least Jaro–Winkler similarity of words whose likeness is looked at; 98% of the Ancestry train pairs pass."""
SHORTEST_PREFIX = 3


@dataclass(frozen=True, slots=True)
class Entry:
    """What can be said of one candidate: its names, words that describe it, concepts it stands for."""

    names: tuple[str, ...]
    descriptions: tuple[str, ...] = ()
    concepts: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Comparison:
    """How one candidate compares with a hint: a level a content word, and the coverage of the name that fits best."""

    candidate: int
    levels: tuple[int, ...]
    coverage: int
    reordered: bool
    name: int


@dataclass(frozen=True, slots=True)
class Form:
    """One name of a candidate as words; `content` is the bit mask of words that are no fillers."""

    words: tuple[str, ...]
    content: int


@dataclass(slots=True)
class NameIndex:
    """See the module; built once per phone and kind."""

    entries: Sequence[Entry]
    weights: tuple[float, ...]
    bands: tuple[float, ...]
    forms: list[tuple[Form, ...]] = field(default_factory=list)
    described: list[frozenset[str]] = field(default_factory=list)
    postings: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    description_postings: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    concept_postings: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    aliases: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    _levels: dict[str, dict[str, int]] = field(default_factory=dict)
    _vocabulary: list[str] | None = None
    _sounds: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        for at, entry in enumerate(self.entries):
            said = [self._form(name) for name in entry.names]
            forms = tuple(dict.fromkeys(form for form in said if form is not None))
            self.forms.append(forms)
            for word in {word for form in forms for word in form.words}:
                self.postings[word].append(at)
            about = frozenset(word for text in entry.descriptions for word in words(text))
            self.described.append(about)
            for word in about:
                self.description_postings[word].append(at)
            for concept in entry.concepts:
                self.concept_postings[concept].append(at)

    def _form(self, name: str) -> Form | None:
        said = words(name)
        if not said:
            return None
        if not name.isascii():
            for word, spelled in zip(said, digraph_words(name), strict=False):
                if spelled != word:
                    self.aliases[spelled].add(word)
        content = 0
        for at, word in enumerate(said):
            if word in NUMBERS:
                self.aliases[NUMBERS[word]].add(word)
            if word not in FILLERS:
                content |= 1 << at
        return Form(said, content or (1 << len(said)) - 1)

    @property
    def vocabulary(self) -> list[str]:
        """The words of all names, sorted; prepared for sounds on first use."""
        if self._vocabulary is None:
            self._vocabulary = sorted(self.postings)
            for word in self._vocabulary:
                if code := sound(word):
                    self._sounds[code].append(word)
        return self._vocabulary

    def levels_of(self, word: str) -> Mapping[str, int]:
        """From each word of the vocabulary that is near `word` to its level, best level each."""
        known = self._levels.get(word)
        if known is None:
            if len(self._levels) > 50_000:
                self._levels.clear()
            known = self._levels[word] = self._near(word, None)
        return known

    def prepare(self, said: Iterable[str]) -> None:
        """Find the levels of many words in one call of the similarity (batches)."""
        new = sorted({word for word in said if word not in self._levels})
        if not new or not self.vocabulary:
            return
        scores = process.cdist(new, self.vocabulary, scorer=JaroWinkler.similarity, score_cutoff=SURVIVOR - 1e-5)
        for word, row in zip(new, scores, strict=True):
            self._levels[word] = self._near(word, row)

    def _near(self, word: str, row: np.ndarray | None) -> dict[str, int]:
        vocabulary = self.vocabulary
        found: dict[str, int] = {}
        if len(word) >= 2 and vocabulary:
            if row is None:
                row = process.cdist([word], vocabulary, scorer=JaroWinkler.similarity, score_cutoff=SURVIVOR - 1e-5)[0]
            near = {vocabulary[i] for i in np.flatnonzero(row)}
            near.update(self._sounds.get(sound(word), ()))
            for other in near:
                score = likeness(word, other, self.weights)
                for band, least in enumerate(self.bands):
                    if score >= least:
                        found[other] = ALIKE_1 + band
                        break
        if len(word) >= SHORTEST_PREFIX:
            at = bisect_left(vocabulary, word)
            while at < len(vocabulary) and vocabulary[at].startswith(word):
                found[vocabulary[at]] = min(found.get(vocabulary[at], ABSENT), PREFIX)
                at += 1
        for other in nicknames_of(word):
            if other in self.postings:
                found[other] = min(found.get(other, ABSENT), NICKNAME)
        for other in (*self.aliases.get(word, ()), NUMBERS.get(word)):
            if other in self.postings:
                found[other] = SPELLED
        if word in self.postings:
            found[word] = EXACT
        return found

    def compare(
        self, said: Sequence[str], concepts: Sequence[frozenset[str]], spelled: Sequence[str] = ()
    ) -> list[Comparison]:
        """Every candidate that any of the content words `said` is near to, compared with all of them.

        `concepts` holds, a word each, what the word may stand for besides itself; `spelled` the same words with umlauts
        spelled out. Initials alone reach nobody. The order is that of the candidates.
        """
        levels = [self.levels_of(word) for word in said]
        for at, word in enumerate(spelled):
            if word != said[at]:
                other = self.levels_of(word)
                levels[at] = dict(levels[at])
                for near, level in other.items():
                    levels[at][near] = min(levels[at].get(near, ABSENT), max(level, SPELLED))
        reached: set[int] = set()
        for word, near, stands_for in zip(said, levels, concepts, strict=True):
            for other in near:
                reached.update(self.postings[other])
            if word in self.description_postings:
                reached.update(self.description_postings[word])
            for concept in stands_for:
                if concept in self.concept_postings:
                    reached.update(self.concept_postings[concept])
        return [self._compared(at, said, levels, concepts) for at in sorted(reached)]

    def _compared(
        self, at: int, said: Sequence[str], levels: Sequence[Mapping[str, int]], concepts: Sequence[frozenset[str]]
    ) -> Comparison:
        best: tuple[int, int, int, bool, int, tuple[int, ...]] | None = None
        about, stands_for = self.described[at], self.entries[at].concepts
        for number, form in enumerate(self.forms[at] or (Form((), 0),)):
            used = 0
            got: list[int] = []
            places: list[int] = []
            for word, near, meanings in zip(said, levels, concepts, strict=True):
                level, place = ABSENT, -1
                for p, other in enumerate(form.words):
                    if used >> p & 1:
                        continue
                    here = near.get(other, ABSENT)
                    if here == ABSENT and len(word) == 1 and other[0] == word:
                        here = INITIAL
                    if here < level:
                        level, place = here, p
                if level > CONCEPT and meanings & stands_for:
                    level = CONCEPT
                elif level == ABSENT and word in about:
                    level = DESCRIBED
                if place >= 0:
                    used |= 1 << place
                    places.append(place)
                got.append(level)
            coverage = _coverage(used, form)
            reordered = any(a > b for a, b in zip(places, places[1:], strict=False))
            rank = (sum(got), coverage, reordered, number)
            if best is None or rank < best[0]:
                best = (rank, tuple(got), coverage, reordered, number)
        _, got, coverage, reordered, number = best
        return Comparison(at, got, coverage, reordered, number)


def _coverage(used: int, form: Form) -> int:
    if not used:
        return NONE
    if not form.content & ~used:
        return WHOLE
    if used & (used + 1) == 0:
        return FIRST
    last = 1 << len(form.words) - 1
    if used & last and (last | (last - 1)) & ~used & -(used & -used) == 0:
        return LAST
    return INNER
