"""The names of one kind on one phone, indexed by word, and the comparison of a hint with each of them.

A hint is compared word by word. For every word of the hint the best word of a name is found, and the pair gets a
*level* (`WORD_LEVELS`, best first); which words of the name were said is the *coverage* (`COVERAGES`). Both are what
the weights in the heuristics are counted on. What a word reaches is found once per word and phone and kept, so single
and batch resolving share one path.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from rapidfuzz import fuzz, process

from starebrain.matching.likeness import Bands, Lexicon
from starebrain.matching.text import digraph_words, words
from starebrain.matching.words import FILLERS, NUMBERS, RELATIONS, meanings_of, nicknames_of

WORD_LEVELS = (
    "exact",  # the same word after folding
    "named",  # the same word, where it says what the candidate is: "mom" for Mom
    "spelled",  # the same word in another spelling: umlauts spelled out, a number word, a possessive
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
    "sort",  # a word for the sort of thing that the candidate is, and many others are: somebody's house
    "absent",  # no word of the candidate is near
)
EXACT, NAMED, SPELLED, CONCEPT, NICKNAME, PREFIX, ALIKE_1 = range(7)
INITIAL, DESCRIBED, SORT, ABSENT = range(11, 15)
BLUR = ALIKE_1 + 3
"""The least alike level at which a word may be another person's name rather than a slip."""

COVERAGES = (
    "whole",  # every word of the name was said
    "only",  # the same of a name of one word
    "exceeded",  # every word of the name was said, and others that it does not have
    "first",  # its first words
    "last",  # its last words
    "inner",  # some others
    "shadowed",  # some, where the words are the whole of the first name that another candidate is shown by
    "blurred",  # some, of several words one only somewhat alike, as relatives' names are, or none clearly
    "conflict",  # some, but the hint has other words where the name has words that were not said
    "meaning",  # none, but a word for what the candidate is: a relation, a role, its initials
    "none",  # none: only words that describe the candidate
)
WHOLE, ONLY, EXCEEDED, FIRST, LAST, INNER, SHADOWED, BLURRED, CONFLICT, MEANING, NONE = range(11)

SURVIVES = 55 - 1e-5
"""Least RapidFuzz ratio (0 to 100) of words whose likeness is looked at, beside words that sound the same.

Of the variants in the Ancestry train split whose likeness falls into a band, 98.8% pass, and 2% of all pairs."""
SHORTEST_PREFIX = 3
SHORTEST_JOINED, JOINED_ALIKE = 5, 88.0
"""Least letters of a hint, and least RapidFuzz ratio, for names that differ in where words begin."""
SLACK = 14.0
"""Candidates whose words fall this many bits behind the best one's are not compared further: below 1 in 16,000."""
DOUBTFUL = ALIKE_1 + 1
"""Where every candidate has a word that is less alike than this, names are compared without blanks as well."""
SUPPORTING = "~"
"""Beginning of concepts that support a candidate that another word has reached, and reach none themselves."""
KEPT = 50_000
"""Words whose reach is kept per phone; then all are forgotten."""


class Entry(NamedTuple):
    """What can be said of one candidate: its names, texts that describe it, concepts it stands for."""

    names: tuple[str, ...]
    descriptions: tuple[str, ...] = ()
    concepts: frozenset[str] = frozenset()


class Comparison(NamedTuple):
    """How one candidate compares with a hint: a level a word, and the coverage of the name that fits best."""

    candidate: int
    levels: tuple[int, ...]
    coverage: int
    reordered: bool
    name: int


class Form(NamedTuple):
    """One name of a candidate as words; `content` is the bit mask of those that are no fillers, and of the last."""

    words: tuple[str, ...]
    content: int


NAMELESS = (Form((), 0),)


class NameIndex:
    """See the module; built once per phone and kind. `word_bits` are the weights of `WORD_LEVELS`."""

    def __init__(self, entries: Iterable[Entry], bands: Bands, word_bits: Sequence[float]) -> None:
        self.bands = bands
        self.word_bits = tuple(word_bits)
        self.forms: list[tuple[Form, ...]] = []
        self.concepts: list[frozenset[str]] = []
        self.descriptions: list[tuple[str, ...]] = []
        self.postings: dict[str, list[int]] = defaultdict(list)
        self._aliases: dict[str, set[str]] = defaultdict(set)
        self._concept_postings: dict[str, list[int]] = defaultdict(list)
        self._levels: dict[str, dict[str, int]] = {}
        self._reach: dict[tuple[str, str], dict[int, float]] = {}
        for at, entry in enumerate(entries):
            self._add(at, entry)
        self.vocabulary = sorted(self.postings)
        self._lexicon: Lexicon | None = None
        self._joined: list[tuple[str, int, int]] | None = None
        self._described: dict[str, list[int]] | None = None

    def _add(self, at: int, entry: Entry) -> None:
        if len(entry.names) == 1:
            forms = self._form(entry.names[0])
        else:
            forms = tuple(dict.fromkeys(form for name in entry.names for form in self._form(name)))
        self.forms.append(forms)
        postings = self.postings
        for form in forms:
            for word in form.words:
                listed = postings[word]
                if not listed or listed[-1] != at:
                    listed.append(at)
        self.descriptions.append(entry.descriptions)
        self.concepts.append(entry.concepts)
        for concept in entry.concepts:
            if concept[0] != SUPPORTING:
                self._concept_postings[concept].append(at)

    def _form(self, name: str) -> tuple[Form, ...]:
        said = words(name)
        if not said:
            return ()
        if not name.isascii():
            for word, spelled in zip(said, digraph_words(name), strict=False):
                if spelled != word:
                    self._aliases[spelled].add(word)
        content = 0
        for at, word in enumerate(said):
            if word in NUMBERS:
                self._aliases[NUMBERS[word]].add(word)
            if word not in FILLERS or at == len(said) - 1:
                content |= 1 << at
        return (Form(said, content or (1 << len(said)) - 1),)

    @property
    def described(self) -> Mapping[str, list[int]]:
        """From each word of the descriptions to the candidates that have it; made on first use."""
        if self._described is None:
            self._described = defaultdict(list)
            for at, texts in enumerate(self.descriptions):
                for word in {word for text in texts for word in words(text)}:
                    self._described[word].append(at)
        return self._described

    @property
    def lexicon(self) -> Lexicon:
        """The vocabulary ready for likeness; made on first use."""
        if self._lexicon is None:
            self._lexicon = Lexicon(self.vocabulary)
        return self._lexicon

    def prepare(self, said: Iterable[str]) -> None:
        """Find the levels of many words in one call of the similarity."""
        new = sorted({word for word in said if word not in self._levels})
        if not new:
            return
        if len(self._levels) > KEPT:
            self._levels.clear()
            self._reach.clear()
        if not self.vocabulary:
            self._levels.update((word, {}) for word in new)
            return
        lexicon = Lexicon(new)
        ratios = process.cdist(new, self.vocabulary, scorer=fuzz.ratio, score_cutoff=SURVIVES, dtype=np.uint8)
        codes = np.where(lexicon.codes > 0, lexicon.codes, -1)
        ratios[codes[:, None] == self.lexicon.codes] = 100
        ratios[lexicon.lengths < 2] = 0
        i, j = ratios.nonzero()
        found: list[dict[str, int]] = [{} for _ in new]
        if i.size:
            bands = self.bands.of(lexicon, i, self.lexicon, j)
            near = bands < self.bands.lowest
            vocabulary = self.vocabulary
            for at, other, band in zip(i[near].tolist(), j[near].tolist(), bands[near].tolist(), strict=True):
                if not _two_relations(new[at], vocabulary[other]):
                    found[at][vocabulary[other]] = ALIKE_1 + band
        for word, levels in zip(new, found, strict=True):
            self._add_equivalents(word, levels)
            self._levels[word] = levels

    def levels_of(self, word: str) -> Mapping[str, int]:
        """From each word of the vocabulary that is near `word` to its level, the best level each."""
        if word not in self._levels:
            self.prepare((word,))
        return self._levels[word]

    def _add_equivalents(self, word: str, found: dict[str, int]) -> None:
        """The words that `word` begins, nicknames, other spellings, the word itself: each over the ones before."""
        postings = self.postings
        if len(word) >= SHORTEST_PREFIX:
            at = bisect_left(self.vocabulary, word)
            while at < len(self.vocabulary) and self.vocabulary[at].startswith(word):
                found[self.vocabulary[at]] = PREFIX
                at += 1
        for other in nicknames_of(word):
            if other in postings:
                found[other] = NICKNAME
        for other in self._aliases.get(word, ()):
            found[other] = SPELLED
        if (number := NUMBERS.get(word)) is not None and number in postings:
            found[number] = SPELLED
        if word in postings:
            found[word] = EXACT

    def _levels_in(self, word: str, spelled: str) -> Mapping[str, int]:
        """Levels of a word that may be spelled otherwise: the better of both, the other spelling at most `spelled`."""
        levels = self.levels_of(word)
        if spelled == word:
            return levels
        merged = dict(levels)
        for other, level in self.levels_of(spelled).items():
            merged[other] = min(merged.get(other, ABSENT), max(level, SPELLED))
        return merged

    def _reached(self, word: str, levels: Mapping[str, int], meanings: frozenset[str]) -> dict[int, float]:
        """The most bits that a word can give to each candidate it reaches."""
        bits = self.word_bits
        reached: dict[int, float] = {}
        for other, level in levels.items():
            weight = bits[level]
            for at in self.postings[other]:
                if reached.get(at, -99.0) < weight:
                    reached[at] = weight
        for at in self.described.get(word, ()):
            if reached.get(at, -99.0) < bits[DESCRIBED]:
                reached[at] = bits[DESCRIBED]
        for concept in meanings:
            for at in self._concept_postings.get(concept, ()):
                if reached.get(at, -99.0) < bits[CONCEPT]:
                    reached[at] = bits[CONCEPT]
        return reached

    def compare(
        self,
        said: Sequence[str],
        concepts: Sequence[frozenset[str]],
        spelled: Sequence[str] = (),
        narrowed: bool = False,
    ) -> list[Comparison]:
        """The candidates that the content words `said` reach, compared with all of them.

        `concepts` holds, a word each, what the word may stand for besides itself; `spelled` the same words spelled
        otherwise; `narrowed` whether the hint said more than names, so that no name is the whole of it. Initials alone
        reach nobody. Candidates that fall more than `SLACK` bits behind the best, by what their words can give at most,
        are left out.
        """
        spelled = spelled or said
        known_levels = self._levels
        for word in said:
            if word not in known_levels:
                self.prepare((*said, *spelled))
                break
        levels = [self._levels_in(word, other) for word, other in zip(said, spelled, strict=True)]
        reached = []
        for word, other, near, meanings in zip(said, spelled, levels, concepts, strict=True):
            known = self._reach.get((word, other))
            if known is None:
                known = self._reach[word, other] = self._reached(word, near, meanings)
            reached.append(known)
        most = reached[0] if len(reached) == 1 else self._together(reached)
        if not most:
            return self._run_together(said)
        least = max(most.values()) - SLACK
        found = [self._compared(at, said, levels, concepts) for at, bits in most.items() if bits >= least]
        if not narrowed and any(map(_says_it_all, found)):
            found = [c._replace(coverage=SHADOWED) if FIRST <= c.coverage <= INNER else c for c in found]
        if all(max(c.levels) > DOUBTFUL for c in found):
            joined = self._run_together(said)
            found = joined + [c for c in found if c.candidate not in {other.candidate for other in joined}]
        return found

    def _run_together(self, said: Sequence[str]) -> list[Comparison]:
        """The names that are the hint but for where words begin: "johnsmith", "blue bottle" for "Bluebottle"."""
        joined = "".join(said)
        if len(joined) < SHORTEST_JOINED:
            return []
        if self._joined is None:
            self._joined = [
                ("".join(f.words), at, n) for at, forms in enumerate(self.forms) for n, f in enumerate(forms)
            ]
        names = [name for name, _, _ in self._joined]
        best: dict[int, Comparison] = {}
        for _, ratio, which in process.extract(joined, names, scorer=fuzz.ratio, limit=8, score_cutoff=JOINED_ALIKE):
            _, at, number = self._joined[which]
            level = SPELLED if ratio == 100 else ALIKE_1
            if at not in best:
                best[at] = Comparison(at, (level,) * len(said), WHOLE, False, number)
        return list(best.values())

    def _together(self, reached: Sequence[Mapping[int, float]]) -> dict[int, float]:
        """The most bits that several words can give together."""
        absent = self.word_bits[ABSENT]
        floor = absent * len(reached)
        most: dict[int, float] = {}
        for one in reached:
            for at, bits in one.items():
                most[at] = most.get(at, floor) + bits - absent
        return most

    def _compared(
        self, at: int, said: Sequence[str], levels: Sequence[Mapping[str, int]], concepts: Sequence[frozenset[str]]
    ) -> Comparison:
        best: Comparison | None = None
        rank = (ABSENT * len(said) + 1, 0, False)
        stands_for = self.concepts[at]
        for number, form in enumerate(self.forms[at] or NAMELESS):
            used, reached = 0, False
            got: list[int] = []
            places: list[int] = []
            for word, near, meanings in zip(said, levels, concepts, strict=True):
                level, place = ABSENT, -1
                for p, other in enumerate(form.words):
                    here = near.get(other, ABSENT)
                    if here == ABSENT and len(word) == 1 and other[0] == word:
                        here = INITIAL
                    if here < level and not used >> p & 1:
                        level, place = here, p
                if meanings and (shared := meanings & stands_for):
                    if all(concept[0] == SUPPORTING for concept in shared):
                        if level >= ALIKE_1:
                            level, place = SORT, -1
                    elif level > CONCEPT:
                        level, place, reached = CONCEPT, _place_of(shared, form, used), True
                    elif level == EXACT:
                        level = NAMED
                elif level == ABSENT and self.descriptions[at] and at in self.described.get(word, ()):
                    level, reached = DESCRIBED, True
                if place >= 0:
                    used |= 1 << place
                    places.append(place)
                got.append(level)
            if not used and not reached:
                got = [ABSENT] * len(got)
            more = any(level == ABSENT and not m for level, m in zip(got, concepts, strict=True))
            coverage = _coverage(used, form, got, more)
            reordered = len(places) > 1 and places != sorted(places)
            here_rank = (sum(got), coverage, reordered)
            if here_rank < rank:
                rank, best = here_rank, Comparison(at, tuple(got), coverage, reordered, number)
        assert best is not None
        return best


def _place_of(shared: frozenset[str], form: Form, used: int) -> int:
    """The first word of a form, of those not `used`, that means one of the `shared` concepts; -1 for none."""
    for place, word in enumerate(form.words):
        if not used >> place & 1 and not shared.isdisjoint(meanings_of(word)):
            return place
    return -1


def _two_relations(a: str, b: str) -> bool:
    """Whether the words name two relations, however alike they are: "hijo" and "hija", "grandpa's" and "grandma"."""
    said = RELATIONS.get(a) or RELATIONS.get(a.removesuffix("s"))
    return said is not None and b in RELATIONS and said.isdisjoint(RELATIONS[b])


def _says_it_all(one: Comparison) -> bool:
    """Whether the words are the whole of the first name that the candidate is shown by."""
    return one.coverage <= ONLY and one.name == 0 and max(one.levels) <= NAMED


def _coverage(used: int, form: Form, levels: Sequence[int], more_was_said: bool) -> int:
    """The coverage of a form of which `used` were said; `more_was_said`: words it does not have, and no mere kind."""
    if not used:
        return MEANING if CONCEPT in levels else NONE
    unsaid = form.content & ~used
    if more_was_said:
        return CONFLICT if unsaid else EXCEEDED
    if len(levels) > 1 and (any(BLUR <= level < INITIAL for level in levels) or min(levels) > ALIKE_1):
        return BLURRED
    if not unsaid:
        return WHOLE if form.content & (form.content - 1) else ONLY
    if used & (used + 1) == 0:
        return FIRST
    lowest = used & -used
    return LAST if used + lowest == 1 << len(form.words) else INNER
