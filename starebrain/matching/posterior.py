"""From comparisons to probabilities: additive bits, a none-option, calibration (Fellegi and Sunter, 1969)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log, log2

import numpy as np

from starebrain.intent import ParameterKind
from starebrain.matching.heuristics import Frequencies, Heuristics, KindHeuristics
from starebrain.matching.kernels import BLUR, LIKE, Compared, Numbers, flat, weigh
from starebrain.matching.levels import BLURRED, COVERAGES, EXACT, INITIAL, WORD_LEVELS, Comparison
from starebrain.matching.words import nicknames_of
from starebrain.resolution import Evidence

RAREST, COMMONEST = 3.0, -5.0
"""Bounds of what the rarity of one word may add or take, in bits."""


class Weights:
    """The heuristics of one kind as numbers in the order of the levels, ready for scoring."""

    def __init__(self, heuristics: Heuristics, kind: ParameterKind) -> None:
        self.of: KindHeuristics = heuristics.kinds[kind]
        self.numbers = Numbers(
            np.array([self.of.words[name].bits for name in WORD_LEVELS]),
            np.array([self.of.coverage[name].bits for name in COVERAGES]),
            np.array([self.of.ordered.bits, self.of.reordered.bits]),
            float(self.of.none),
        )
        self.context = {name: weight.bits for name, weight in self.of.context.items()}
        self.rarity = rarity(heuristics.frequencies.get(kind), self.of)

    def bits(self, comparisons: Sequence[Comparison], rarity: Sequence[float] = ()) -> np.ndarray:
        """The evidence of each comparison in bits, context apart; `rarity` are the bits of the hint's words, if any."""
        lengths = [len(one.levels) for one in comparisons]
        longest = max(lengths, default=0)
        levels = np.full((len(lengths), longest), -1, np.int8)
        for row, one in zip(levels, comparisons, strict=True):
            row[: len(one.levels)] = one.levels
        n = np.arange(len(lengths))
        rows = Compared(
            n,
            np.zeros_like(n),
            levels,
            levels,
            np.array([one.coverage for one in comparisons], np.int8),
            np.array([one.reordered for one in comparisons], np.bool_),
            np.zeros_like(n),
        )
        starts, words = (np.array(one, np.int64) for one in flat([range(length) for length in lengths]))
        extra = np.array(rarity or [0.0] * longest, np.float64)
        return weigh(rows, starts, words, extra, self.numbers, np.zeros((1, 1)), np.zeros_like(n))

    def evidence(self, comparison: Comparison, said: Sequence[str], matched: Sequence[str]) -> list[Evidence]:
        """The terms of `bits`, named; `matched` says, a word each, what it was compared with."""
        words, coverage = self.of.words, COVERAGES[comparison.coverage]
        terms = []
        for level, word, other in zip(comparison.levels, said, matched, strict=True):
            detail = f"“{word}” and “{other}”" if other else f"“{word}”"
            blurred = len(said) > 1 and comparison.coverage == BLURRED and BLUR <= level < INITIAL
            name = WORD_LEVELS[level]
            terms.append(Evidence(f"word_{name}", 0.0 if blurred else words[name].bits, detail))
            extra = self.rarity(word)
            if level != EXACT:
                extra = min(0.0, extra) if level in LIKE and not blurred else 0.0
            if extra:
                terms.append(Evidence("word_rarity", extra, f"“{word}” is {'rare' if extra > 0 else 'common'}"))
        terms.append(Evidence(f"name_{coverage}", self.of.coverage[coverage].bits))
        if len(said) > 1 and comparison.coverage < BLURRED:
            order = self.of.reordered if comparison.reordered else self.of.ordered
            terms.append(Evidence(f"words_{'reordered' if comparison.reordered else 'ordered'}", order.bits))
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


def calibrated(p: float, of: KindHeuristics) -> float:
    """The probability after the kind's Platt scaling; monotone, 0 to 1."""
    if p <= 0.0:
        return 0.0
    if p >= 1.0 - 1e-15:
        p = 1.0 - 1e-15
    z = of.calibration.slope * log(p / (1 - p)) + of.calibration.offset
    return 1 / (1 + exp(-z)) if z > -700 else 0.0
