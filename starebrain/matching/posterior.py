"""From comparisons to probabilities: additive bits, a none-option, calibration (Fellegi and Sunter, 1969)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log, log2

from starebrain.intent import ParameterKind
from starebrain.matching.heuristics import Frequencies, Heuristics, KindHeuristics
from starebrain.matching.index import (
    ABSENT,
    ALIKE_1,
    BLUR,
    BLURRED,
    COVERAGES,
    EXACT,
    INITIAL,
    NICKNAME,
    PREFIX,
    SPELLED,
    WORD_LEVELS,
    Comparison,
)
from starebrain.matching.words import nicknames_of
from starebrain.resolution import Evidence

LIKE = frozenset({SPELLED, NICKNAME, PREFIX, *range(ALIKE_1, INITIAL)})
"""Levels at which a word is like the one that was said, without being it."""
MOST_BITS = 400.0
"""More evidence than this is cut, so that no number overflows."""
RAREST, COMMONEST = 3.0, -5.0
"""Bounds of what the rarity of one word may add or take, in bits."""


class Weights:
    """The heuristics of one kind as numbers in the order of the levels, ready for scoring."""

    def __init__(self, heuristics: Heuristics, kind: ParameterKind) -> None:
        self.of: KindHeuristics = heuristics.kinds[kind]
        self.words = [self.of.words[name].bits for name in WORD_LEVELS]
        self.coverage = [self.of.coverage[name].bits for name in COVERAGES]
        self.order = (self.of.ordered.bits, self.of.reordered.bits)
        self.absent = self.words[ABSENT]
        self.context = {name: weight.bits for name, weight in self.of.context.items()}
        self.rarity = rarity(heuristics.frequencies.get(kind), self.of)

    def scale(self, said: Sequence[str]) -> list[list[float]]:
        """For each word of a hint, the bits of every level, with what the rarity of the word adds or takes.

        A common word is weaker evidence at every level of likeness: who says "John" may mean any John, whatever the
        phone has that is like it. A rare one is stronger only where it is exactly there.
        """
        scales = []
        for word in said:
            extra = self.rarity(word)
            scales.append(self._scale(extra) if extra else self.words)
        return scales

    def _scale(self, extra: float) -> list[float]:
        lost = min(0.0, extra)
        return [
            bits + (extra if level == EXACT else lost if level in LIKE else 0.0)
            for level, bits in enumerate(self.words)
        ]

    def bits(self, comparison: Comparison, scales: Sequence[Sequence[float]]) -> float:
        """The evidence of one comparison in bits, context apart; `scales` are those of the hint's words."""
        _, levels, coverage, reordered, _ = comparison
        total = self.coverage[coverage]
        if len(levels) == 1:
            return total + scales[0][levels[0]]
        for level, scale in zip(levels, scales, strict=True):
            if coverage != BLURRED or not BLUR <= level < INITIAL:
                total += scale[level]
        return total + self.order[reordered] if coverage < BLURRED else total

    def evidence(self, comparison: Comparison, said: Sequence[str], matched: Sequence[str]) -> list[Evidence]:
        """The terms of `bits`, named; `matched` says, a word each, what it was compared with."""
        terms = []
        for level, word, other in zip(comparison.levels, said, matched, strict=True):
            detail = f"“{word}” and “{other}”" if other else f"“{word}”"
            blurred = comparison.coverage == BLURRED and BLUR <= level < INITIAL
            terms.append(Evidence(f"word_{WORD_LEVELS[level]}", 0.0 if blurred else self.words[level], detail))
            extra = self.rarity(word)
            if level != EXACT:
                extra = min(0.0, extra) if level in LIKE and not blurred else 0.0
            if extra:
                terms.append(Evidence("word_rarity", extra, f"“{word}” is {'rare' if extra > 0 else 'common'}"))
        terms.append(Evidence(f"name_{COVERAGES[comparison.coverage]}", self.coverage[comparison.coverage]))
        if len(said) > 1 and comparison.coverage < BLURRED:
            name = "reordered" if comparison.reordered else "ordered"
            terms.append(Evidence(f"words_{name}", self.order[comparison.reordered]))
        return terms


def rarity(frequencies: Frequencies | None, of: KindHeuristics) -> Callable[[str], float]:
    """Bits that an exact word gains for being rarer, or loses for being commoner, than exact words are on average.

    log2 of the average chance that another candidate has the word, over the chance for this word (term frequency, as
    record linkage uses it), times the kind's `rarity`, within bounds. A nickname is as common as the commonest
    name it may stand for.
    """
    other = of.words["exact"].other
    if frequencies is None or other is None or not of.rarity:
        return lambda word: 0.0
    total, share, counts = frequencies.total + 1, of.rarity, frequencies.words
    average = other[0] / other[1]
    known: dict[str, float] = {}

    def bits(word: str) -> float:
        if word not in known:
            familiar = max((counts.get(name, 0) for name in nicknames_of(word)), default=0)
            chance = (counts.get(word, 0) + familiar + 0.5) / total
            known[word] = share * min(RAREST, max(COMMONEST, log2(average / chance)))
        return known[word]

    return bits


def posterior(bits: Sequence[float], candidates: int, none: float, unreached: float) -> list[float]:
    """The probability of each compared candidate from its `bits`; what is missing to 1 is "none of these".

    Every candidate of the phone has the same prior, (1 - none) / candidates; those that were not compared have
    `unreached` bits each, and their mass counts with none of these.
    """
    each = (1 - none) / max(candidates, 1)
    mass = [each * 2.0 ** min(b, MOST_BITS) for b in bits]
    total = none + each * (candidates - len(bits)) * 2.0**unreached + sum(mass)
    return [m / total for m in mass]


def calibrated(p: float, of: KindHeuristics) -> float:
    """The probability after the kind's Platt scaling; monotone, 0 to 1."""
    if p <= 0.0:
        return 0.0
    if p >= 1.0 - 1e-15:
        p = 1.0 - 1e-15
    z = of.calibration.slope * log(p / (1 - p)) + of.calibration.offset
    return 1 / (1 + exp(-z)) if z > -700 else 0.0
