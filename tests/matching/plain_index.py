"""The comparison of a hint with names in plain words, one pair at a time: slow, and right by reading it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA, Indel, LCSseq

from starebrain.kinds import Hint
from starebrain.matching.index import Entry
from starebrain.matching.kernels import SLACK, SURVIVES
from starebrain.matching.levels import COVERAGES, WORD_LEVELS, Comparison
from starebrain.matching.likeness import Bands
from starebrain.matching.text import digraph_words, sound, words
from starebrain.matching.words import FILLERS, NUMBERS, PLACES, RELATIONS, ROLES, nicknames_of, street_of

LEVEL = {name: at for at, name in enumerate(WORD_LEVELS)}
COVERAGE = {name: at for at, name in enumerate(COVERAGES)}
ABSENT = LEVEL["absent"]


def sorts(word: str) -> frozenset[str]:
    """The relations, roles and places that a word names."""
    return frozenset().union(*(table.get(word, frozenset()) for table in (RELATIONS, ROLES, PLACES)))


def band(a: str, b: str, bands: Bands) -> int | None:
    """The band of likeness of two words, None where they are not alike."""
    sounds, others = sound(a), sound(b)
    heard = bool(sounds) and bool(others)
    if len(a) < 2 or (fuzz.ratio(a, b) < 100 * SURVIVES and not (heard and sounds == others)):
        return None
    said, other = sorts(a) or sorts(a.removesuffix("s")), sorts(b)
    if said and other and said.isdisjoint(other):
        return None
    common = LCSseq.similarity(a, b)
    features = (
        OSA.normalized_similarity(a, b),
        2 * common / (len(a) + len(b)),
        heard and sounds == others,
        Indel.normalized_similarity(sounds, others) if heard else 0.0,
        common / min(len(a), len(b)),
        a[0] == b[0],
        a[:3] == b[:3],
        abs(len(a) - len(b)),
    )
    score = sum(weight * feature for weight, feature in zip(bands.weights, features, strict=True))
    score -= 1.5 * (a in bands.names)
    return next((at for at, least in enumerate(bands.least) if score >= least), None)


def level(said: str, word: str, spellings: set[str], bands: Bands) -> int:
    """How a word that was said compares with one of a name, which may also be spelled as `spellings` say."""
    if said == word or f"={said}" in spellings:
        return LEVEL["exact"]
    if said in spellings or NUMBERS.get(word) == said or NUMBERS.get(said) == word:
        return LEVEL["spelled"]
    if word in nicknames_of(said):
        return LEVEL["nickname"]
    if len(said) >= 3 and word.startswith(said):
        return LEVEL["prefix"]
    alike = band(said, word, bands)
    return ABSENT if alike is None else LEVEL["alike_1"] + alike


def spellings_of(entries: Sequence[Entry]) -> dict[str, set[str]]:
    """How the words of all names may be spelled otherwise; after "=" with an umlaut spelled out, or not."""
    found: dict[str, set[str]] = {}
    for entry in entries:
        for name in entry.names:
            for word, spelled in zip(words(name), digraph_words(name), strict=False):
                if spelled != word:
                    found.setdefault(word, set()).add(f"={spelled}")
                    found.setdefault(spelled, set()).add(f"={word}")
            for owner in re.findall(r"(\w+)['’`]s\b", name):
                found.setdefault("".join(words(f"{owner}'s")), set()).add("".join(words(owner)))
    return found


def coverage(form: tuple[str, ...], used: set[int], got: list[int], more: bool) -> str:
    """How much of a name was said."""
    if not used:
        return "meaning" if LEVEL["concept"] in got else "none"
    content = {at for at, word in enumerate(form) if word not in FILLERS or at == len(form) - 1}
    if more:
        return "conflict" if content - used else "exceeded"
    somewhat = range(LEVEL["alike_4"], LEVEL["initial"])
    if len(got) > 1 and (any(one in somewhat for one in got) or min(got) > LEVEL["alike_1"]):
        return "blurred"
    if content <= used:
        if LEVEL["outdone"] in got or LEVEL["unasked"] in got:
            return "rivalled"
        return "whole" if len(content) > 1 else "only"
    if used == set(range(len(used))):
        return "first"
    return "last" if used == set(range(len(form) - len(used), len(form))) else "inner"


def reaching(entry: Entry, forms: Sequence[tuple[str, ...]], hint: Hint, at: int, near: dict[str, int]) -> list[int]:
    """The levels by which the word at a place of the hint reaches a candidate at all."""
    found = [near[word] for form in forms for word in form if near[word] < ABSENT]
    if street_of(hint.words[at]) in {street_of(word) for text in entry.descriptions for word in words(text)}:
        found.append(LEVEL["described"])
    if any(concept[0] != "~" for concept in hint.concepts[at] & entry.concepts):
        found.append(LEVEL["concept"])
    return found


def compared(entry: Entry, candidate: int, hint: Hint, near: Sequence[dict[str, int]]) -> Comparison:
    """A candidate with all words of the hint, by the name that fits best."""
    forms = [*dict.fromkeys(filter(None, map(words, entry.names)))]
    described = {street_of(word) for text in entry.descriptions for word in words(text)}
    best = None
    for number, form in enumerate(forms or [()]):
        used: list[int] = []
        got: list[int] = []
        places: list[int] = []
        reached = False
        for said, meanings, levels in zip(hint.words, hint.concepts, near, strict=True):
            free = [p for p in range(len(form)) if p not in used]
            here = {p: levels[form[p]] for p in free}
            for p in free:
                if here[p] == ABSENT and len(said) == 1 and form[p][0] == said:
                    here[p] = LEVEL["initial"]
            place = min(free, key=lambda p: (here[p], p), default=-1)
            one = here[place] if place >= 0 else ABSENT
            if one == ABSENT:
                place = -1
            shared = meanings & entry.concepts
            if shared and all(concept[0] == "~" for concept in shared):
                if one >= LEVEL["alike_1"]:
                    one, place = LEVEL["sort"], -1
            elif shared and one > LEVEL["concept"]:
                one, reached = LEVEL["concept"], True
                mean = [p for p in free if shared & (RELATIONS.get(form[p], set()) | PLACES.get(form[p], set()))]
                place = mean[0] if mean else -1
            elif shared and one == LEVEL["exact"]:
                one = LEVEL["named"]
            elif not shared and one == ABSENT and street_of(said) in described:
                one, reached = LEVEL["described"], True
            if place >= 0:
                used.append(place)
            got.append(one)
            places.append(place)
        if not used and not reached:
            got, places = [ABSENT] * len(got), [-1] * len(got)
        if used and not hint.linked:
            got = [ABSENT if one == LEVEL["described"] else one for one in got]
        more = any(one == ABSENT and not meanings for one, meanings in zip(got, hint.concepts, strict=True))
        of = COVERAGE[coverage(form, set(used), got, more)]
        turned = used != sorted(used)
        rank = (sum(got), of, turned)
        if best is None or rank < best[0]:
            best = rank, Comparison(candidate, tuple(got), of, turned, number, tuple(places))
    assert best is not None
    return best[1]


def run_together(entries: Sequence[Entry], hint: Hint, strange: bool) -> dict[int, Comparison]:
    """The candidates whose names are the hint but for where words begin; the eight names most alike.

    `strange`: no word of the hint is a word of any name, so that less likeness will do for a long hint.
    """
    joined = "".join(hint.words)
    if not 5 <= len(joined) <= 64:
        return {}
    names, place = [], count()
    for candidate, entry in enumerate(entries):
        for number, form in enumerate(dict.fromkeys(filter(None, map(words, entry.names)))):
            share = fuzz.ratio(joined, "".join(form))
            if share < 100 and len(form) == len(hint.words):
                continue
            if share >= (80 if strange and len(joined) >= 10 else 88) - 1e-5:
                names.append((-share, next(place), candidate, number))
    found: dict[int, Comparison] = {}
    for share, _, candidate, number in sorted(names)[:8]:
        one = LEVEL["spelled"] if share == -100 else LEVEL["alike_1"]
        n = len(hint.words)
        found.setdefault(candidate, Comparison(candidate, (one,) * n, COVERAGE["whole"], False, number, (-1,) * n))
    return found


def compare(entries: Sequence[Entry], hint: Hint, bands: Bands, bits: Sequence[float]) -> dict[int, Comparison]:
    """Whom a hint reaches, compared with all of its words."""
    spellings = spellings_of(entries)
    vocabulary = {word for entry in entries for name in entry.names for word in words(name)}
    near: list[dict[str, int]] = []
    for said, spelled in zip(hint.words, hint.spelled or hint.words, strict=True):
        levels = {}
        for word in vocabulary:
            levels[word] = level(said, word, spellings.get(word, set()), bands)
            if spelled != said:
                other = max(LEVEL["spelled"], level(spelled, word, spellings.get(word, set()), bands))
                levels[word] = min(levels[word], other)
        if LEVEL["exact"] in levels.values():
            for word, one in levels.items():
                if LEVEL["nickname"] <= one < LEVEL["alike_4"]:
                    heard = bool(sound(said)) and sound(said) == sound(word)
                    levels[word] = LEVEL["unasked" if heard or one == LEVEL["nickname"] else "outdone"]
        near.append(levels)
    most = {}
    for candidate, entry in enumerate(entries):
        forms = [*filter(None, map(words, entry.names))]
        ways = [reaching(entry, forms, hint, at, near[at]) for at in range(len(hint.words))]
        if any(ways):
            most[candidate] = sum(max(bits[one] - bits[ABSENT] for one in way) for way in ways if way)
    least = max(most.values(), default=0.0) - SLACK
    found = {at: compared(entries[at], at, hint, near) for at, gain in most.items() if gain >= least}
    if not hint.narrowed and any(says_it_all(entries[at], one) for at, one in found.items()):
        for at, one in found.items():
            if one.coverage in range(COVERAGE["first"], COVERAGE["inner"] + 1):
                found[at] = one._replace(coverage=COVERAGE["shadowed"])
            elif one.coverage <= COVERAGE["only"] and max(one.levels) > LEVEL["named"]:
                found[at] = one._replace(coverage=COVERAGE["rivalled"])
    if all(max(one.levels) > LEVEL["alike_2"] for one in found.values()):
        strange = all(min(one.levels) > LEVEL["spelled"] for one in found.values())
        found |= run_together(entries, hint, strange)
    return found


def says_it_all(entry: Entry, one: Comparison) -> bool:
    """Whether the hint is the whole name that a candidate is shown by, titles included."""
    if one.coverage > COVERAGE["only"] or one.name or max(one.levels) > LEVEL["named"]:
        return False
    return len(next(filter(None, map(words, entry.names)))) == len(one.levels)
