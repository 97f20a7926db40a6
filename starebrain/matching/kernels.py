"""The comparison of hints with the names of one phone, in numbers: compiled on first use, and kept on disk.

One hint or thousands take the same path: `starebrain.matching.index` makes numbers of words, and the functions at the
end of this file answer. Lists of lists are given by `starts`: list i is ``[starts[i], starts[i + 1])`` of the values.

All that is compiled is in this one file: what is kept on disk is made anew where this file has changed, and would not
notice a change in another.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Sequence
from itertools import accumulate, chain
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

from starebrain.matching.levels import (
    ABSENT,
    ALIKE_1,
    BLURRED,
    CONCEPT,
    CONFLICT,
    COVERAGES,
    DESCRIBED,
    EXACT,
    EXCEEDED,
    FIRST,
    INITIAL,
    INNER,
    LAST,
    MEANING,
    NAMED,
    NICKNAME,
    NONE,
    ONLY,
    OUTDONE,
    PREFIX,
    RIVALLED,
    SHADOWED,
    SORT,
    SPELLED,
    UNASKED,
    WHOLE,
    WORD_LEVELS,
)

KNOWN = (
    "exact named spelled concept nickname prefix alike_1 alike_2 alike_3 alike_4 alike_5"
    " initial unasked outdone described sort absent"
    " whole only exceeded first last inner shadowed rivalled blurred conflict meaning none"
)
if KNOWN.split() != [*WORD_LEVELS, *COVERAGES]:
    raise ImportError("the levels have changed; write them into KNOWN, so that this file changes with them")

LIKE = (SPELLED, NICKNAME, PREFIX, *range(ALIKE_1, INITIAL), UNASKED, OUTDONE)
"""Levels at which a word is like the one that was said, without being it."""
BLUR = ALIKE_1 + 3
"""The least alike level at which a word may be another person's name rather than a slip."""
DOUBTFUL = ALIKE_1 + 1
"""Where every candidate has a word that is less alike than this, names are compared without blanks as well."""
SURVIVES = 0.55 - 1e-7
"""Least share of letters in common, of those of both words, for likeness to be looked at, sounds apart.

Of the variants in the Ancestry train split whose likeness falls into a band, 98.8% pass, and 2% of all pairs."""
SHORTEST_PREFIX = 3
SHORTEST_JOINED, JOINED_ALIKE, MOST_JOINED = 5, 0.88 - 1e-7, 8
"""Least letters of a hint, and least share in common, for names that differ in where words begin; how many are kept."""
LONG_JOINED, LONG_ALIKE = 10, 0.8 - 1e-7
"""The same for a hint of which no word is a word of any name: "keep middle to" for "Kate Middleton"."""
NAMED_LESS = 1.5
"""By how much less a word that is a name itself is like another, in the score that bands are cut from: one band."""
LONGEST, MOST_WORDS = 64, 63
"""Letters of a word of a hint beyond which it is like no other, and words of a name that are compared."""
SLACK = 14.0
"""Candidates whose words fall this many bits behind the best one's are not compared further: below 1 in 16,000."""
CLOSEST, NEGLIGIBLE = 8, 1e-8
"""How many of the most probable candidates are put in order, and the share of the best one's below which none is."""
MOST_BITS = 400.0
"""More evidence than this is cut, so that no number overflows."""
MEANS, SUPPORTS, DESCRIBES = 1, 2, 4
"""What a word may say of a candidate besides its names: what it is, what supports that it is meant, a description."""
ONE = np.uint64(1)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


def compiled[F: Callable[..., Any]](function: F) -> F:
    """The function as machine code, made when it is first called, and found again by later processes."""
    return cast(F, njit(cache=True, error_model="numpy")(function))


def inner[F: Callable[..., Any]](function: F) -> F:
    """The same for a function that the compiled alone call; it becomes a part of theirs."""
    options = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast(F, njit(**options)(function))  # type: ignore[call-overload]


def leaf[F: Callable[..., Any]](function: F) -> F:
    """The same where it makes no array either, so that references to arrays need not be counted."""
    options = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}
    return cast(F, njit(**options)(function))  # type: ignore[call-overload]


@intrinsic
def _ones(context: Any, word: Any) -> Any:
    return types.int64(types.uint64), lambda context, builder, signature, args: builder.ctpop(args[0])


ones: Callable[[np.uint64], int] = cast(Any, _ones)
"""How many bits of a word are set."""


def flat(lists: Sequence[Collection[int]]) -> tuple[list[int], list[int]]:
    """Lists as `starts`, and their values one after another."""
    return [*accumulate(map(len, lists), initial=0)], [*chain.from_iterable(lists)]


class Packed(NamedTuple):
    """Lists of whole numbers one after another, the starts of all first; and letters that they may speak of."""

    numbers: np.ndarray
    letters: np.ndarray


def packed(lists: Sequence[Collection[int]], letters: str) -> Packed:
    """Lists of numbers, and letters of ASCII, in two arrays."""
    starts = [*accumulate(map(len, lists), initial=len(lists) + 1)]
    numbers = array("q", [*starts, *chain.from_iterable(lists)])
    return Packed(np.frombuffer(numbers, np.int64), letters_of(letters))


def letters_of(text: str) -> np.ndarray:
    """The letters of a text of ASCII as numbers."""
    return np.array(bytearray(text, "ascii"), np.uint8)


class Texts(NamedTuple):
    """Words of ``[a-z0-9]``, or sounds: their letters one after another, and where each word starts."""

    letters: np.ndarray
    starts: np.ndarray


class Lexicon(NamedTuple):
    """Words, and what is compared of them.

    `masks`: the letters of a word, as bits of 64; `sounds`: how it sounds, `codes` a number for each sound, 0 for none;
    `sorts`: the relations, roles and places that it names, as bits.
    """

    words: Texts
    masks: np.ndarray
    sounds: Texts
    codes: np.ndarray
    sorts: np.ndarray


class Near(NamedTuple):
    """For each text that was said, the words of the lexicon that are near, and at which level."""

    starts: np.ndarray
    words: np.ndarray
    levels: np.ndarray


class Names(NamedTuple):
    """The candidates of one phone: a candidate has names, a name has words (`words`: numbers of the lexicon).

    `content` are, as bits, the words of a name that are no fillers; `posted` the candidates that have each word in a
    name; `meant` those that each concept stands for, `supporting` the concepts that reach none of them; `stands_for`
    (of candidates) and `places` (of words of the lexicon) the concepts that a name may be, as bits; `joined` the names
    without blanks, `joined_masks` their letters, as bits, and `owners` whose they are.
    """

    starts: np.ndarray
    word_starts: np.ndarray
    words: np.ndarray
    content: np.ndarray
    posted_starts: np.ndarray
    posted: np.ndarray
    meant_starts: np.ndarray
    meant: np.ndarray
    supporting: np.ndarray
    stands_for: np.ndarray
    places: np.ndarray
    joined: Texts
    joined_masks: np.ndarray
    owners: np.ndarray


class Asked(NamedTuple):
    """The distinct words of hints, a row each.

    Word i is compared as the texts `texts[text_starts[i]:…]` of the lexicon of what was said, at best at the level
    `floors`; `near` are words of the phone's lexicon that it is near in other ways, at the level `near_levels`;
    `concepts` what it may stand for (those that the phone knows; `has_meaning`: whether there are any at all),
    `meanings` the same as bits; `described` the candidates that it describes; `initials` the letter that it is, or 0.
    """

    text_starts: np.ndarray
    texts: np.ndarray
    floors: np.ndarray
    near_starts: np.ndarray
    near: np.ndarray
    near_levels: np.ndarray
    concept_starts: np.ndarray
    concepts: np.ndarray
    has_meaning: np.ndarray
    meanings: np.ndarray
    described_starts: np.ndarray
    described: np.ndarray
    initials: np.ndarray


class Readings(NamedTuple):
    """The readings of hints, a row each: their words (rows of `Asked`).

    `narrowed`: the hint said more than names; `linked`: its words may be of a name and of what describes who bears it;
    `known`: candidates that it means whatever its words say; `hints` are the starts of the readings of each hint;
    `traits` which line of what the phone shows of its candidates is theirs.
    """

    starts: np.ndarray
    words: np.ndarray
    narrowed: np.ndarray
    linked: np.ndarray
    known_starts: np.ndarray
    known: np.ndarray
    hints: np.ndarray
    traits: np.ndarray


class Compared(NamedTuple):
    """Comparisons, a row each, sorted by reading; -1 among `levels` where a reading has no more words.

    `places` are the words of the name that got them, -1 for none.
    """

    reading: np.ndarray
    candidate: np.ndarray
    levels: np.ndarray
    places: np.ndarray
    coverage: np.ndarray
    reordered: np.ndarray
    name: np.ndarray


class Numbers(NamedTuple):
    """Weights in bits, by level, coverage and order of words, and the prior probability of none of the candidates."""

    words: np.ndarray
    coverage: np.ndarray
    order: np.ndarray
    none: float


@compiled
def masks_of(letters: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The letters of each text as bits of 64 (some share one)."""
    masks = np.zeros(len(starts) - 1, np.uint64)
    for i in range(len(masks)):
        for at in range(starts[i], starts[i + 1]):
            masks[i] |= ONE << np.uint64(letters[at] & 63)
    return masks


@inner
def longer(array: np.ndarray) -> np.ndarray:
    """A copy with twice the room."""
    made = np.empty(2 * len(array) + 8, array.dtype)
    for at in range(len(array)):
        made[at] = array[at]
    return made


@leaf
def spread(table: np.ndarray, letters: np.ndarray, begin: int, end: int) -> None:
    """Write where each letter of a text of at most 64 letters stands into a table of zeros, as bits."""
    for at in range(begin, end):
        table[letters[at]] |= ONE << np.uint64(at - begin)


@leaf
def clear(table: np.ndarray, letters: np.ndarray, begin: int, end: int) -> None:
    """Undo `spread`."""
    for at in range(begin, end):
        table[letters[at]] = np.uint64(0)


@leaf
def common(table: np.ndarray, length: int, texts: Texts, i: int) -> int:
    """The length of the longest common subsequence of a text with the one in the table (Hyyrö, 2004)."""
    open_places = ALL
    for at in range(texts.starts[i], texts.starts[i + 1]):
        hits = open_places & table[texts.letters[at]]
        open_places = (open_places + hits) | (open_places - hits)
    within = ALL if length == 64 else (ONE << np.uint64(length)) - ONE
    return ones(~open_places & within)


@leaf
def may_share(mask: np.uint64, length: int, other: np.uint64, other_length: int, least: float) -> bool:
    """Whether two texts can have that share of letters in common: each letter that only one has is not."""
    most = min(length - ones(mask & ~other), other_length - ones(other & ~mask))
    return 2 * most >= least * (length + other_length)


@leaf
def slips(table: np.ndarray, length: int, texts: Texts, i: int) -> int:
    """Letters left out, put in, changed, or swapped with the next, between a text and the one in the table.

    Optimal string alignment, a column of the distances at a time (Hyyrö, 2003).
    """
    rising, falling, equal, before = ALL, np.uint64(0), np.uint64(0), np.uint64(0)
    end, distance = ONE << np.uint64(length - 1), length
    for at in range(texts.starts[i], texts.starts[i + 1]):
        hits = table[texts.letters[at]]
        swapped = ((~equal & hits) << ONE) & before
        equal = swapped | (((hits & rising) + rising) ^ rising) | hits | falling
        more, less = falling | ~(equal | rising), equal & rising
        distance += (more & end != 0) - (less & end != 0)
        more, less = (more << ONE) | ONE, less << ONE
        rising, falling, before = less | ~(equal | more), more & equal, hits
    return distance


@leaf
def same_beginning(said: Texts, i: int, known: Texts, j: int, most: int) -> int:
    """How many letters two texts begin with alike, at most `most`."""
    a, b = said.starts[i], known.starts[j]
    n = min(most, said.starts[i + 1] - a, known.starts[j + 1] - b)
    for k in range(n):
        if said.letters[a + k] != known.letters[b + k]:
            return k
    return n


@leaf
def likeness(
    said: Lexicon,
    i: int,
    known: Lexicon,
    j: int,
    table: np.ndarray,
    heard: np.ndarray,
    weights: np.ndarray,
) -> float:
    """The weighted sum of the features of two words (`starebrain.matching.likeness`); the first is in the tables."""
    n = said.words.starts[i + 1] - said.words.starts[i]
    m = known.words.starts[j + 1] - known.words.starts[j]
    letters = common(table, n, known.words, j)
    begins = same_beginning(said.words, i, known.words, j, 3)
    sounds = 0.0
    if said.codes[i] and known.codes[j]:
        k = said.sounds.starts[i + 1] - said.sounds.starts[i]
        both = k + known.sounds.starts[j + 1] - known.sounds.starts[j]
        if k <= LONGEST:
            sounds = 2 * common(heard, k, known.sounds, j) / both
    score = weights[0] * (1 - slips(table, n, known.words, j) / max(n, m))
    score += weights[1] * (2 * letters / (n + m))
    if said.codes[i] and said.codes[i] == known.codes[j]:
        score += weights[2]
    score += weights[3] * sounds + weights[4] * (letters / min(n, m))
    if begins:
        score += weights[5]
    if begins == 3 or begins == n == m:
        score += weights[6]
    return score + weights[7] * abs(n - m)


@inner
def levels_of(said: Lexicon, named: np.ndarray, known: Lexicon, weights: np.ndarray, least: np.ndarray) -> Near:
    """The words of `known` that each of `said` is, begins or is like; `named` says which are known as names.

    `weights` are those of the features, `least` the least scores of the bands, falling.
    """
    asked, n = len(said.codes), len(known.codes)
    starts, found, size = np.zeros(asked + 1, np.int64), np.empty(16 * asked + 16, np.int64), 0
    levels = np.empty(len(found), np.int8)
    table, heard = np.zeros(128, np.uint64), np.zeros(128, np.uint64)
    for i in range(asked):
        length, mask = said.words.starts[i + 1] - said.words.starts[i], said.masks[i]
        whole = 1 < length <= LONGEST
        if whole:
            spread(table, said.words.letters, said.words.starts[i], said.words.starts[i + 1])
            if said.sounds.starts[i + 1] - said.sounds.starts[i] <= LONGEST:
                spread(heard, said.sounds.letters, said.sounds.starts[i], said.sounds.starts[i + 1])
        for j in range(n):
            other, level = known.words.starts[j + 1] - known.words.starts[j], ABSENT
            if (
                not mask & ~known.masks[j]
                and (length == other or SHORTEST_PREFIX <= length < other)
                and same_beginning(said.words, i, known.words, j, length) == length
            ):
                level = EXACT if length == other else PREFIX
            if level == ABSENT and whole:
                sounds_alike = said.codes[i] and said.codes[i] == known.codes[j]
                if sounds_alike or (
                    may_share(mask, length, known.masks[j], other, SURVIVES)
                    and 2 * common(table, length, known.words, j) >= SURVIVES * (length + other)
                ):
                    score = likeness(said, i, known, j, table, heard, weights) - NAMED_LESS * named[i]
                    band = 0
                    while band < len(least) and score < least[band]:
                        band += 1
                    sorts = said.sorts[i] and known.sorts[j]
                    if band < len(least) and (not sorts or said.sorts[i] & known.sorts[j]):
                        level = ALIKE_1 + band
            if level < ABSENT:
                if size == len(found):
                    found, levels = longer(found), longer(levels)
                found[size], levels[size] = j, level
                size += 1
        if whole:
            clear(table, said.words.letters, said.words.starts[i], said.words.starts[i + 1])
            clear(heard, said.sounds.letters, said.sounds.starts[i], said.sounds.starts[i + 1])
        starts[i + 1] = size
    return Near(starts, found[:size], levels[:size])


@leaf
def near_words(
    word: int, asked: Asked, said: Lexicon, texts: Near, known: Lexicon, levels: np.ndarray, touched: np.ndarray
) -> int:
    """Write the level of each word of the lexicon that `word` is near, and list these; returns how many.

    Where it is one of them itself, its nicknames and words that sound like it were not asked for, and others that it is
    clearly like are outdone.
    """
    size = 0
    for t in range(asked.text_starts[word], asked.text_starts[word + 1]):
        text, floor = asked.texts[t], asked.floors[t]
        for k in range(texts.starts[text], texts.starts[text + 1]):
            if levels[texts.words[k]] == ABSENT:
                touched[size] = texts.words[k]
                size += 1
            levels[texts.words[k]] = min(levels[texts.words[k]], max(texts.levels[k], floor))
    for k in range(asked.near_starts[word], asked.near_starts[word + 1]):
        if levels[asked.near[k]] == ABSENT:
            touched[size] = asked.near[k]
            size += 1
        levels[asked.near[k]] = min(levels[asked.near[k]], asked.near_levels[k])
    itself = False
    for k in range(size):
        itself = itself or levels[touched[k]] == EXACT
    for k in range(size if itself else 0):
        if NICKNAME <= levels[touched[k]] < BLUR:
            code = said.codes[asked.texts[asked.text_starts[word]]]
            unasked = levels[touched[k]] == NICKNAME or (code and code == known.codes[touched[k]])
            levels[touched[k]] = UNASKED if unasked else OUTDONE
    return size


@leaf
def told_of(word: int, asked: Asked, names: Names, about: np.ndarray, touched: np.ndarray) -> int:
    """Write what `word` says of candidates besides their names, and list these; returns how many."""
    size = 0
    for k in range(asked.described_starts[word], asked.described_starts[word + 1]):
        if not about[asked.described[k]]:
            touched[size] = asked.described[k]
            size += 1
        about[asked.described[k]] |= DESCRIBES
    for k in range(asked.concept_starts[word], asked.concept_starts[word + 1]):
        bit = SUPPORTS if names.supporting[asked.concepts[k]] else MEANS
        for m in range(names.meant_starts[asked.concepts[k]], names.meant_starts[asked.concepts[k] + 1]):
            if not about[names.meant[m]]:
                touched[size] = names.meant[m]
                size += 1
            about[names.meant[m]] |= bit
    return size


@leaf
def most_for(at: int, bits: float, gains: np.ndarray, gained: np.ndarray, size: int) -> int:
    """Note that a word can give a candidate that many bits; returns how many candidates have `gained` by it."""
    if np.isnan(gains[at]):
        gained[size] = at
        gains[at] = bits
        return size + 1
    gains[at] = max(gains[at], bits)
    return size


@leaf
def covered(used: np.uint64, words: int, content: np.uint64, levels: np.ndarray, said: int, more_was_said: bool) -> int:
    """The coverage of a name of which the words `used` were said.

    `levels` are those of the first `said` words; `more_was_said`: the hint has words that are absent, and do not say
    what something is.
    """
    if not used:
        for w in range(said):
            if levels[w] == CONCEPT:
                return MEANING
        return NONE
    unsaid = content & ~used
    if more_was_said:
        return CONFLICT if unsaid else EXCEEDED
    if said > 1:
        clearest = ABSENT
        for w in range(said):
            if BLUR <= levels[w] < INITIAL:
                return BLURRED
            clearest = min(clearest, levels[w])
        if clearest > ALIKE_1:
            return BLURRED
    if not unsaid:
        for w in range(said):
            if levels[w] == OUTDONE or levels[w] == UNASKED:
                return RIVALLED
        return WHOLE if content & (content - ONE) else ONLY
    if not used & (used + ONE):
        return FIRST
    return LAST if used + (used & ~(used - ONE)) == ONE << np.uint64(words) else INNER


@leaf
def judge(
    at: int,
    said: np.ndarray,
    asked: Asked,
    known: Lexicon,
    names: Names,
    levels: np.ndarray,
    about: np.ndarray,
    linked: bool,
    got: np.ndarray,
    rows: Compared,
    row: int,
) -> None:
    """Compare a candidate with all words of a reading, and write that into a row.

    Of several names it is the one whose levels have the least sum, then the coverage and the order that come first. A
    word takes the nearest word of the name that no word before it has taken. Where nothing links them, words of a name
    and of a description do not go together.
    """
    n, rank, coverage, reordered, which = len(said), 1 << 62, NONE, False, 0
    first, last = names.starts[at], names.starts[at + 1]
    for number in range(max(last - first, 1)):
        form = first + number
        begin = names.word_starts[form] if first < last else 0
        size = names.word_starts[form + 1] - begin if first < last else 0
        content = names.content[form] if first < last else np.uint64(0)
        used, reached, more, total, before, turned, placed = np.uint64(0), False, False, 0, -1, False, 0
        for w in range(n):
            word = said[w]
            level, place = ABSENT, -1
            for p in range(size):
                other = names.words[begin + p]
                here = levels[w, other]
                if here == ABSENT and known.words.letters[known.words.starts[other]] == asked.initials[word]:
                    here = INITIAL
                if here < level and not used >> np.uint64(p) & ONE:
                    level, place = here, p
            told = about[w, at]
            if told & MEANS:
                if level > CONCEPT:
                    level, place, reached = CONCEPT, -1, True
                    shared = asked.meanings[word] & names.stands_for[at]
                    for p in range(size):
                        free = place < 0 and not used >> np.uint64(p) & ONE
                        if free and shared & names.places[names.words[begin + p]]:
                            place = p
                elif level == EXACT:
                    level = NAMED
            elif told & SUPPORTS:
                if level >= ALIKE_1:
                    level, place = SORT, -1
            elif told & DESCRIBES and level == ABSENT:
                level, reached = DESCRIBED, True
            if place >= 0:
                used |= ONE << np.uint64(place)
                turned = turned or place < before
                before = place
                placed += 1
            got[0, w], got[1, w] = level, place
        for w in range(n):
            if not used and not reached:
                got[0, w], got[1, w] = ABSENT, -1
            elif used and not linked and got[0, w] == DESCRIBED:
                got[0, w] = ABSENT
            total += got[0, w]
            more = more or (got[0, w] == ABSENT and not asked.has_meaning[said[w]])
        of = covered(used, size, content, got[0], n, more)
        here_rank = (total * 16 + of) * 2 + (turned and placed > 1)
        if here_rank < rank:
            rank, coverage, reordered, which = here_rank, of, turned, number
            for w in range(n):
                rows.levels[row, w], rows.places[row, w] = got[0, w], got[1, w]
    rows.coverage[row], rows.reordered[row], rows.name[row] = coverage, reordered, which


@leaf
def run_together(
    reading: int,
    least: float,
    readings: Readings,
    asked: Asked,
    said: Lexicon,
    names: Names,
    table: np.ndarray,
    letters: np.ndarray,
    found: np.ndarray,
    shares: np.ndarray,
) -> int:
    """The names that a reading is but for where words begin ("johnsmith"): the most alike, best first; how many.

    Names of as many words are those of others ("Jess Garrison" for James), unless every letter agrees.
    """
    length, mask, size, joined = 0, np.uint64(0), 0, names.joined
    words = readings.starts[reading + 1] - readings.starts[reading]
    for w in range(readings.starts[reading], readings.starts[reading + 1]):
        text = asked.texts[asked.text_starts[readings.words[w]]]
        mask |= said.masks[text]
        for at in range(said.words.starts[text], said.words.starts[text + 1]):
            if length == LONGEST:
                return 0
            letters[length] = said.words.letters[at]
            length += 1
    if length < SHORTEST_JOINED:
        return 0
    if length < LONG_JOINED:
        least = max(least, JOINED_ALIKE)
    spread(table, letters, 0, length)
    for name in range(len(names.owners)):
        other = joined.starts[name + 1] - joined.starts[name]
        if may_share(mask, length, names.joined_masks[name], other, least):
            share = 2 * common(table, length, joined, name) / (length + other)
            if share < 1 and names.word_starts[name + 1] - names.word_starts[name] == words:
                continue
            if share >= least and (size < MOST_JOINED or share > shares[size - 1]):
                place = min(size, MOST_JOINED - 1)
                while place and shares[place - 1] < share:
                    found[place], shares[place] = found[place - 1], shares[place - 1]
                    place -= 1
                found[place], shares[place] = name, share
                size = min(size + 1, MOST_JOINED)
    clear(table, letters, 0, length)
    return size


class Desk(NamedTuple):
    """Room to work in, clean between readings: a line a word of a reading.

    `levels` by word of the lexicon, `about` by candidate, and which of both are written: `near`, `told`, the first
    `nears` and `tolds` of each line. `most` bits by candidate, those that a single word `gains`, nan for none.
    """

    levels: np.ndarray
    about: np.ndarray
    near: np.ndarray
    told: np.ndarray
    nears: np.ndarray
    tolds: np.ndarray
    most: np.ndarray
    gains: np.ndarray
    gained: np.ndarray
    reached: np.ndarray


@inner
def laid(words: int, lexicon: int, candidates: int) -> Desk:
    """A clean desk."""
    return Desk(
        np.full((words, lexicon), ABSENT, np.int8),
        np.zeros((words, candidates), np.int8),
        np.empty((words, lexicon), np.int64),
        np.empty((words, candidates), np.int64),
        np.zeros(words, np.int64),
        np.zeros(words, np.int64),
        np.full(candidates, np.nan),
        np.full(candidates, np.nan),
        np.empty(candidates, np.int64),
        np.empty(candidates, np.int64),
    )


@leaf
def reach(
    own: np.ndarray,
    asked: Asked,
    said: Lexicon,
    texts: Near,
    known: Lexicon,
    names: Names,
    bits: np.ndarray,
    desk: Desk,
) -> int:
    """Write what the words of a reading are near onto the desk, and the most bits they can give to whom they reach.

    Returns how many candidates are reached. Bits are those above an absent word's, added in the order of the words.
    """
    count = 0
    for w in range(len(own)):
        desk.nears[w] = near_words(own[w], asked, said, texts, known, desk.levels[w], desk.near[w])
        desk.tolds[w] = told_of(own[w], asked, names, desk.about[w], desk.told[w])
        new = 0
        for k in range(desk.nears[w]):
            near = desk.near[w, k]
            give = bits[desk.levels[w, near]] - bits[ABSENT]
            for m in range(names.posted_starts[near], names.posted_starts[near + 1]):
                new = most_for(names.posted[m], give, desk.gains, desk.gained, new)
        for k in range(desk.tolds[w]):
            at = desk.told[w, k]
            if desk.about[w, at] & DESCRIBES:
                new = most_for(at, bits[DESCRIBED] - bits[ABSENT], desk.gains, desk.gained, new)
            if desk.about[w, at] & MEANS:
                new = most_for(at, bits[CONCEPT] - bits[ABSENT], desk.gains, desk.gained, new)
        for k in range(new):
            at = desk.gained[k]
            if np.isnan(desk.most[at]):
                desk.most[at] = 0.0
                desk.reached[count] = at
                count += 1
            desk.most[at] += desk.gains[at]
            desk.gains[at] = np.nan
    return count


@leaf
def clean(words: int, reached: int, desk: Desk) -> None:
    """Take what `reach` wrote off the desk."""
    for k in range(reached):
        desk.most[desk.reached[k]] = np.nan
    for w in range(words):
        for k in range(desk.nears[w]):
            desk.levels[w, desk.near[w, k]] = ABSENT
        for k in range(desk.tolds[w]):
            desk.about[w, desk.told[w, k]] = 0


@inner
def roomier(rows: Compared) -> Compared:
    """A copy with more room."""
    size = len(rows.reading)
    levels = np.full((2 * size + 8, rows.levels.shape[1]), -1, np.int8)
    places = np.full(levels.shape, -1, np.int8)
    for k in range(size):
        for w in range(levels.shape[1]):
            levels[k, w], places[k, w] = rows.levels[k, w], rows.places[k, w]
    return Compared(
        longer(rows.reading),
        longer(rows.candidate),
        levels,
        places,
        longer(rows.coverage),
        longer(rows.reordered),
        longer(rows.name),
    )


@leaf
def shadow(first: int, last: int, words: int, narrowed: bool, names: Names, rows: Compared) -> float:
    """Mark names that are partial, or only like the words, where these are the whole of another's, titles included.

    Returns the least share in common at which names are compared without blanks: above 1 where a candidate is clearly
    meant, lowest where no word is a word of any name.
    """
    named, least = False, LONG_ALIKE
    for k in range(first, last):
        worst, best, form = 0, ABSENT, names.starts[rows.candidate[k]]
        for w in range(words):
            worst, best = max(worst, rows.levels[k, w]), min(best, rows.levels[k, w])
        if rows.coverage[k] <= ONLY and rows.name[k] == 0 and worst <= NAMED:
            named = named or names.word_starts[form + 1] - names.word_starts[form] == words
        if worst <= DOUBTFUL:
            least = 2.0
        elif best <= SPELLED:
            least = max(least, JOINED_ALIKE)
    if named and not narrowed:
        for k in range(first, last):
            worst = 0
            for w in range(words):
                worst = max(worst, rows.levels[k, w])
            if FIRST <= rows.coverage[k] <= INNER:
                rows.coverage[k] = SHADOWED
            elif rows.coverage[k] <= ONLY and worst > NAMED:
                rows.coverage[k] = RIVALLED
    return least


@inner
def compare(
    readings: Readings, asked: Asked, said: Lexicon, texts: Near, known: Lexicon, names: Names, bits: np.ndarray
) -> Compared:
    """The candidates that the words of each reading reach, compared with all of them; `bits` are those of the levels.

    Initials alone reach nobody. Candidates that fall more than `SLACK` bits behind the best, by what their words can
    give at most, are left out.
    """
    longest, room, size = 1, 8 * len(readings.narrowed) + 8, 0
    for r in range(len(readings.narrowed)):
        longest = max(longest, readings.starts[r + 1] - readings.starts[r])
    desk = laid(longest, len(known.codes), len(names.starts) - 1)
    rows = Compared(
        np.empty(room, np.int64),
        np.empty(room, np.int64),
        np.full((room, longest), -1, np.int8),
        np.full((room, longest), -1, np.int8),
        np.empty(room, np.int8),
        np.empty(room, np.bool_),
        np.empty(room, np.int64),
    )
    table, joined, shares = np.zeros(128, np.uint64), np.empty(MOST_JOINED, np.int64), np.empty(MOST_JOINED)
    got, letters = np.empty((2, longest), np.int8), np.empty(LONGEST, np.uint8)
    for r in range(len(readings.narrowed)):
        own, first = readings.words[readings.starts[r] : readings.starts[r + 1]], size
        n = len(own)
        if readings.known_starts[r] < readings.known_starts[r + 1]:
            for k in range(readings.known_starts[r], readings.known_starts[r + 1]):
                if size == len(rows.reading):
                    rows = roomier(rows)
                rows.reading[size], rows.candidate[size], rows.name[size] = r, readings.known[k], 0
                rows.levels[size, :n], rows.coverage[size], rows.reordered[size] = EXACT, WHOLE, False
                size += 1
            continue
        count, most = reach(own, asked, said, texts, known, names, bits, desk), -np.inf
        for k in range(count):
            most = max(most, desk.most[desk.reached[k]])
        for k in range(count):
            at = desk.reached[k]
            if desk.most[at] >= most - SLACK:
                if size == len(rows.reading):
                    rows = roomier(rows)
                rows.reading[size], rows.candidate[size] = r, at
                judge(at, own, asked, known, names, desk.levels, desk.about, readings.linked[r], got, rows, size)
                size += 1
        clean(n, count, desk)
        least = shadow(first, size, n, readings.narrowed[r], names, rows)
        if least <= 1:
            for j in range(
                run_together(r, least, readings, asked, said, names, table, letters, joined, shares) - 1, -1, -1
            ):  # the best writes last
                at, place = names.owners[joined[j]], first
                while place < size and rows.candidate[place] != at:
                    place += 1
                if place == size:
                    if size == len(rows.reading):
                        rows = roomier(rows)
                    size += 1
                rows.reading[place], rows.candidate[place], rows.name[place] = r, at, joined[j] - names.starts[at]
                rows.levels[place, :n], rows.places[place] = SPELLED if shares[j] == 1 else ALIKE_1, -1
                rows.coverage[place], rows.reordered[place] = WHOLE, False
    return Compared(
        rows.reading[:size],
        rows.candidate[:size],
        rows.levels[:size],
        rows.places[:size],
        rows.coverage[:size],
        rows.reordered[:size],
        rows.name[:size],
    )


class Ranked(NamedTuple):
    """The closest candidates of each hint, best first: rows of what was compared, their share of the probability."""

    starts: np.ndarray
    rows: np.ndarray
    shares: np.ndarray


@compiled
def weigh(
    rows: Compared,
    starts: np.ndarray,
    words: np.ndarray,
    rarity: np.ndarray,
    numbers: Numbers,
    context: np.ndarray,
    traits: np.ndarray,
) -> np.ndarray:
    """The evidence of each row in bits.

    `words` are those of each reading, `rarity` the bits that the rarity of each adds; `context` those of what the phone
    shows of each candidate, a line each set of `traits` (a number a reading).

    A common word is weaker evidence at every level of likeness, a rare one stronger only where it is exactly there.
    Words that are blurred say nothing.
    """
    bits = np.empty(len(rows.reading))
    for k in range(len(rows.reading)):
        r, coverage = rows.reading[k], rows.coverage[k]
        begin = starts[r]
        n, total = starts[r + 1] - begin, numbers.coverage[coverage]
        for w in range(n):
            level, extra = rows.levels[k, w], rarity[words[begin + w]]
            if n > 1 and coverage == BLURRED and BLUR <= level < INITIAL:
                continue
            if level != EXACT:
                extra = min(0.0, extra) if level in LIKE else 0.0
            total += numbers.words[level] + extra
        if n > 1 and coverage < BLURRED:
            total += numbers.order[int(rows.reordered[k])]
        bits[k] = total + context[traits[r], rows.candidate[k]]
    return bits


@inner
def rank(
    rows: Compared, bits: np.ndarray, starts: np.ndarray, hints: np.ndarray, precedence: np.ndarray, numbers: Numbers
) -> Ranked:
    """The posterior of each hint's candidates, the closest of them.

    `hints` are the starts of the hints' readings, `starts` those of the readings' words; `precedence` says where each
    candidate of the phone comes among those with the same evidence.

    Every candidate of the phone has the same prior, (1 - none) / candidates; those that were not compared count as
    absent, and their mass with none of these. Of a candidate under two readings the better counts.
    """
    made = Ranked(np.zeros(len(hints), np.int64), np.empty(len(bits), np.int64), np.empty(len(bits)))
    order, mass, begin, size = np.empty(len(bits), np.int64), np.empty(len(bits)), 0, 0
    candidates = len(precedence)
    each = (1 - numbers.none) / max(candidates, 1)
    for h in range(len(hints) - 1):
        n = 0
        while begin < len(bits) and rows.reading[begin] < hints[h + 1]:
            place = 0
            if rows.reading[begin] > hints[h]:
                while place < n and rows.candidate[order[place]] != rows.candidate[begin]:
                    place += 1
                if place < n:
                    if bits[order[place]] > bits[begin]:
                        begin += 1
                        continue
                    for k in range(place, n - 1):
                        order[k] = order[k + 1]
                    n -= 1
            place, own = n, precedence[rows.candidate[begin]]
            while place:
                other = order[place - 1]
                if bits[other] > bits[begin] or (
                    bits[other] == bits[begin] and precedence[rows.candidate[other]] < own
                ):
                    break
                order[place] = other
                place -= 1
            order[place] = begin
            n += 1
            begin += 1
        words = starts[hints[h] + 1] - starts[hints[h]]
        total = numbers.none + each * (candidates - n) * 2.0 ** (numbers.words[ABSENT] * words)
        for k in range(n):
            mass[k] = each * 2.0 ** min(bits[order[k]], MOST_BITS)
            total += mass[k]
        for k in range(n):
            share = mass[k] / total
            if share < mass[0] / total * NEGLIGIBLE or (k >= CLOSEST and share != made.shares[size - 1]):
                break
            made.rows[size], made.shares[size] = order[k], share
            size += 1
        made.starts[h + 1] = size
    return Ranked(made.starts, made.rows[:size], made.shares[:size])


@inner
def part(of: Packed, at: int) -> np.ndarray:
    """One of the lists of numbers."""
    return of.numbers[of.numbers[at] : of.numbers[at + 1]]


@inner
def lexicon_in(of: Packed) -> Lexicon:
    """The words of a phone or of hints, as the first parts say: their starts, those of sounds, codes, sorts."""
    words = Texts(of.letters, part(of, 0))
    masks = part(of, 4).view(np.uint64) if len(part(of, 4)) else masks_of(of.letters, part(of, 0))
    return Lexicon(words, masks, Texts(of.letters, part(of, 1)), part(of, 2), part(of, 3))


@inner
def names_in(of: Packed) -> Names:
    """The names of a phone."""
    return Names(
        part(of, 5),
        part(of, 6),
        part(of, 7),
        part(of, 8).view(np.uint64),
        part(of, 9),
        part(of, 10),
        part(of, 11),
        part(of, 12),
        part(of, 13),
        part(of, 14),
        part(of, 15),
        Texts(of.letters, part(of, 16)),
        part(of, 17).view(np.uint64),
        part(of, 18),
    )


@inner
def asked_in(of: Packed) -> Asked:
    """The words that hints ask for."""
    return Asked(
        part(of, 5),
        part(of, 6),
        part(of, 7),
        part(of, 8),
        part(of, 9),
        part(of, 10),
        part(of, 11),
        part(of, 12),
        part(of, 13),
        part(of, 14),
        part(of, 15),
        part(of, 16),
        part(of, 17),
    )


@inner
def readings_in(of: Packed) -> Readings:
    """The readings of hints."""
    return Readings(
        part(of, 18),
        part(of, 19),
        part(of, 20),
        part(of, 21),
        part(of, 22),
        part(of, 23),
        part(of, 24),
        part(of, 25),
    )


@compiled
def near(question: Packed, phone: Packed, weights: np.ndarray, least: np.ndarray) -> tuple[np.ndarray, ...]:
    """`levels_of` the words of a question."""
    found = levels_of(lexicon_in(question), part(question, 26), lexicon_in(phone), weights, least)
    return found.starts, found.words, found.levels


@compiled
def scored(
    question: Packed,
    phone: Packed,
    weights: np.ndarray,
    least: np.ndarray,
    numbers: Numbers,
    rarity: np.ndarray,
    context: np.ndarray,
    precedence: np.ndarray,
) -> tuple[np.ndarray, ...]:
    """`compare`, `weigh` and `rank` for a question.

    Returns a line for each comparison (reading, candidate, coverage, whether reordered, name, then the level of each
    word and the place of each), the bits of each, and the columns of `Ranked`.
    """
    said, known, readings = lexicon_in(question), lexicon_in(phone), readings_in(question)
    texts = levels_of(said, part(question, 26), known, weights, least)
    rows = compare(readings, asked_in(question), said, texts, known, names_in(phone), numbers.words)
    bits = weigh(rows, readings.starts, readings.words, rarity, numbers, context, readings.traits)
    best = rank(rows, bits, readings.starts, readings.hints, precedence, numbers)
    size, words = rows.levels.shape
    lines = np.empty((size, 5 + 2 * words), np.int64)
    for k in range(size):
        lines[k, 0], lines[k, 1], lines[k, 2] = rows.reading[k], rows.candidate[k], rows.coverage[k]
        lines[k, 3], lines[k, 4] = rows.reordered[k], rows.name[k]
        for w in range(words):
            lines[k, 5 + w], lines[k, 5 + words + w] = rows.levels[k, w], rows.places[k, w]
    return lines, bits, best.starts, best.rows, best.shares


def on_disk() -> bool:
    """Whether the machine code that answers has been made before, so that the first answer does not wait for it."""
    made = Path(cast(Any, scored)._cache.cache_path)
    return any(made.glob(f"{Path(__file__).stem}.{scored.__name__}-*.nbi"))
