"""The names of one kind on one phone, as the numbers that hints are compared with.

A hint is compared word by word. For every word of the hint the best word of a name is found, and the pair gets a
*level*; which words of the name were said is the *coverage* (`starebrain.matching.levels`). Both are what the weights
in the heuristics are counted on.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from typing import NamedTuple, Protocol

import numpy as np

from starebrain.matching.kernels import (
    MOST_WORDS,
    Packed,
    flat,
    letters_of,
    masks_of,
    near,
    packed,
)
from starebrain.matching.levels import CONCEPT, DESCRIBED, EXACT, NICKNAME, SPELLED, Comparison
from starebrain.matching.likeness import Bands, sounds_of
from starebrain.matching.text import digraph_words, words
from starebrain.matching.words import CONCEPT_BITS, FILLERS, MEANT_BITS, NUMBERS, SORT_BITS, nicknames_of, street_of

SUPPORTING = "~"
"""Beginning of concepts that support a candidate that another word has reached, and reach none themselves."""
NOBODY: Collection[int] = ()
_POSSESSIVE = re.compile(r"(\w+)['’`]s\b")
"""Whose something is: "Tony's" is also "Tony"."""


class Entry(NamedTuple):
    """What can be said of one candidate: its names, texts that describe it, concepts it stands for."""

    names: tuple[str, ...]
    descriptions: tuple[str, ...] = ()
    concepts: frozenset[str] = frozenset()


class Said(Protocol):
    """A reading of a hint: folded words, what each may stand for besides itself, and how each may be spelled, or ().

    `narrowed`: the hint said more than names, so that no name is the whole of it; `linked`: its words may be of a name
    and of what describes who bears it ("Ann from Acme").
    """

    @property
    def words(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def concepts(self) -> tuple[frozenset[str], ...]: ...  # noqa: D102

    @property
    def spelled(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def narrowed(self) -> bool: ...  # noqa: D102

    @property
    def linked(self) -> bool: ...  # noqa: D102


class Question(NamedTuple):
    """Readings of hints as numbers: `packed` for `starebrain.matching.kernels`, and the distinct words asked for.

    Of each word asked for: the texts that it is compared as, with the best level that each can give; words that it is
    near in other ways, with their levels; the concepts it may stand for; the candidates that it describes.
    """

    packed: Packed
    words: Sequence[str]
    texts: Sequence[Sequence[int]]
    floors: Sequence[Sequence[int]]
    near: Sequence[Sequence[int]]
    levels: Sequence[Sequence[int]]
    concepts: Sequence[Sequence[int]]
    described: Sequence[Collection[int]]


class NameIndex:
    """See the module; built once per phone and kind."""

    def __init__(self, entries: Iterable[Entry], bands: Bands) -> None:
        self.bands = bands
        self.numbers: dict[str, int] = {}
        self.concepts: dict[str, int] = {}
        self._forms: list[tuple[str, ...]] = []
        self._first = [0]
        self._meant: list[list[int]] = []
        self._aliases: dict[str, set[str]] = defaultdict(set)
        self._umlauts: dict[str, set[str]] = defaultdict(set)
        self._descriptions: list[tuple[int, tuple[str, ...]]] = []
        self._described: Mapping[str, Collection[int]] | None = None
        stands_for, owners = [], list[int]()
        for at, entry in enumerate(entries):
            forms = map(self._form, entry.names)
            self._forms += filter(None, forms if len(entry.names) == 1 else dict.fromkeys(forms))
            owners += [at] * (len(self._forms) - len(owners))
            self._first.append(len(owners))
            if entry.descriptions:
                self._descriptions.append((at, entry.descriptions))
            stands_for.append(_bits(entry.concepts) if entry.concepts else 0)
            for concept in entry.concepts:
                number = self.concepts.setdefault(concept, len(self.concepts))
                if number == len(self._meant):
                    self._meant.append([])
                self._meant[number].append(at)
        number_of = self.numbers.setdefault
        spelt = [[number_of(word, len(self.numbers)) for word in form] for form in self._forms]
        self._posted: list[dict[int, None]] = [{} for _ in self.numbers]
        for words_of, at in zip(spelt, owners, strict=True):
            for word in words_of:
                self._posted[word][at] = None
        self.packed = self._packed(spelt, stands_for, owners)

    def _packed(self, spelt: Sequence[Sequence[int]], stands_for: Sequence[int], owners: Sequence[int]) -> Packed:
        """The names as numbers, in the order in which `starebrain.matching.kernels` reads them."""
        texts = [*self.numbers, *map("".join, self._forms)]
        sounds, codes = sounds_of([*self.numbers])
        letters = "".join([*texts, *sounds])
        ends, n = [*accumulate(map(len, texts), initial=0)], len(codes)
        masks = masks_of(letters_of(letters), np.array(ends, np.int64)).view(np.int64).tolist()
        return packed(
            [
                ends[: n + 1],
                [*accumulate(map(len, sounds), initial=ends[-1])],
                codes,
                [SORT_BITS.get(word, 0) for word in self.numbers],
                masks[:n],
                self._first,
                *flat(spelt),
                [*map(_content, self._forms)],
                *flat(self._posted),
                *flat(self._meant),
                [concept[0] == SUPPORTING for concept in self.concepts],
                stands_for,
                [MEANT_BITS.get(word, 0) for word in self.numbers],
                ends[n:],
                masks[n:],
                owners,
            ],
            letters,
        )

    def _form(self, name: str) -> tuple[str, ...]:
        """The words of a name that are compared."""
        said = words(name)[:MOST_WORDS]
        if not name.isascii():
            for word, spelled in zip(said, digraph_words(name), strict=False):
                if spelled != word:
                    self._umlauts[spelled].add(word)
                    self._umlauts[word].add(spelled)
        for owner in _POSSESSIVE.finditer(name):
            self._aliases["".join(words(owner.group(1)))].add("".join(words(owner.group())))
        for word in said:
            if word in NUMBERS:
                self._aliases[NUMBERS[word]].add(word)
        return said

    @property
    def described(self) -> Mapping[str, Collection[int]]:
        """From each word of the descriptions, in full, to the candidates that have it; made on first use."""
        if self._described is None:
            found: dict[str, dict[int, None]] = defaultdict(dict)
            for at, texts in self._descriptions:
                for text in texts:
                    for word in words(text):
                        found[street_of(word)][at] = None
            self._described = found
        return self._described

    def name_of(self, comparison: Comparison) -> tuple[str, ...]:
        """The words of the name that a comparison is with."""
        first, last = self._first[comparison.candidate : comparison.candidate + 2]
        return self._forms[first + comparison.name] if first < last else ()

    def question(
        self,
        hints: Sequence[Sequence[Said]],
        known: Sequence[Collection[int]],
        traits: Sequence[int] = (),
    ) -> Question:
        """Hints as numbers, each as its readings; a reading means the candidates `known` in any case.

        `traits` are numbers of the readings that go with them.
        """
        asked: dict[tuple[str, str, frozenset[str]], int] = {}
        number, lines, narrowed, linked, first = asked.setdefault, [], [], [], [0]
        for readings in hints:
            for one in readings:
                said = zip(one.words, one.spelled or one.words, one.concepts, strict=True)
                lines.append([number(word, len(asked)) for word in said])
                narrowed.append(one.narrowed)
                linked.append(one.linked)
            first.append(len(lines))
        known_as, texts = self.concepts, dict[str, int]()
        as_texts, floors, near, levels, concepts, described = [], [], [], [], [], []
        for word, spelled, meanings in asked:
            own, floor = [texts.setdefault(word, len(texts))], [0]
            others, how = self._near(word)
            if spelled != word:
                own.append(texts.setdefault(spelled, len(texts)))
                floor.append(SPELLED)
                more, how_more = self._near(spelled)
                others, how = others + more, how + [max(SPELLED, level) for level in how_more]
            as_texts.append(own)
            floors.append(floor)
            near.append(others)
            levels.append(how)
            concepts.append([known_as[c] for c in meanings if c in known_as] if meanings else [])
            described.append(self.described.get(street_of(word), NOBODY) if self._descriptions else NOBODY)
        sounds, codes = sounds_of([*texts])
        ends = [*accumulate(map(len, texts), initial=0)]
        numbers = packed(
            [
                ends,
                [*accumulate(map(len, sounds), initial=ends[-1])],
                codes,
                [_sorts(text) for text in texts],
                (),
                *flat(as_texts),
                [*chain.from_iterable(floors)],
                *flat(near),
                [*chain.from_iterable(levels)],
                *flat(concepts),
                [bool(meanings) for _, _, meanings in asked],
                [_bits(meanings) if meanings else 0 for _, _, meanings in asked],
                *flat(described),
                [ord(word) if len(word) == 1 else 0 for word, _, _ in asked],
                *flat(lines),
                narrowed,
                linked,
                *flat(known),
                first,
                traits,
                [text in self.bands.names for text in texts],
            ],
            "".join([*texts, *sounds]),
        )
        return Question(numbers, [word for word, _, _ in asked], as_texts, floors, near, levels, concepts, described)

    def _near(self, word: str) -> tuple[list[int], list[int]]:
        """The words that are nicknames of `word`, its number or its other spellings, with their levels.

        With an umlaut spelled out it is the same word: who hears "Jürgen" cannot tell it from "Juergen".
        """
        numbers = self.numbers
        found = [numbers[other] for other in nicknames_of(word) if other in numbers]
        levels = [NICKNAME] * len(found)
        same = [numbers[other] for other in self._umlauts.get(word, NOBODY) if other in numbers]
        found, levels = found + same, levels + [EXACT] * len(same)
        others = self._aliases.get(word, NOBODY) if self._aliases else NOBODY
        for other in (*others, NUMBERS.get(word)):
            if other in numbers:
                found.append(numbers[other])
                levels.append(SPELLED)
        return found, levels

    def reached(self, question: Question) -> Iterator[tuple[int, int, Iterable[int]]]:
        """Whom the words asked for reach: the number of a word, a level, and the candidates that it so reaches."""
        bands = self.bands
        starts, found, levels = (one.tolist() for one in near(question.packed, self.packed, bands.weights, bands.least))
        for word, texts in enumerate(question.texts):
            for text, floor in zip(texts, question.floors[word], strict=True):
                for at in range(starts[text], starts[text + 1]):
                    yield word, max(levels[at], floor), self._posted[found[at]]
            for other, level in zip(question.near[word], question.levels[word], strict=True):
                yield word, level, self._posted[other]
            yield word, DESCRIBED, question.described[word]
            for concept in question.concepts[word]:
                yield word, CONCEPT, self._meant[concept]


def comparisons_of(lines: np.ndarray, at: Iterable[int], words: Sequence[int]) -> list[tuple[int, Comparison]]:
    """Some lines of what was compared, with the number of their reading; `words` says how many words a reading has."""
    table, places, found = lines.tolist(), 5 + (lines.shape[1] - 5) // 2, []
    for k in at:
        line = table[k]
        reading, candidate, coverage, reordered, name = line[:5]
        n = words[reading]
        levels, where = tuple(line[5 : 5 + n]), tuple(line[places : places + n])
        found.append((reading, Comparison(candidate, levels, coverage, bool(reordered), name, where)))
    return found


def _content(form: tuple[str, ...]) -> int:
    """The words of a name that are no fillers, and the last, as bits."""
    content = 1 << len(form) - 1
    for at, word in enumerate(form):
        if word not in FILLERS:
            content |= 1 << at
    return content


def _sorts(word: str) -> int:
    """The relations, roles and places that a word of a hint names, as bits; "grandma's" is "grandma"."""
    return SORT_BITS.get(word) or SORT_BITS.get(word.removesuffix("s"), 0)


def _bits(concepts: Iterable[str]) -> int:
    bits = 0
    for concept in concepts:
        bits |= CONCEPT_BITS.get(concept, 0)
    return bits
