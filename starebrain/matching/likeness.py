"""How alike two words are: one number from published similarities, cut into ordered bands."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import OSA, Indel, LCSseq

from starebrain.matching.text import sound

FEATURES = ("osa", "indel", "sounds", "sound_indel", "lcs", "first_letter", "first_letters", "length")
"""In the order of the weights in the heuristics.

`osa` and `indel`: normalised similarities (0 to 1) by optimal string alignment and by insertions and deletions;
`sounds`: equal Double Metaphone codes (0 or 1), neither empty; `sound_indel`: `indel` of those codes; `lcs`: longest
common subsequence over the shorter length; `first_letter`, `first_letters`: the first letter, the first three, agree (0
or 1); `length`: difference of lengths, in letters.
"""

KEPT = 1_000_000
"""Pairs of words whose band is kept; then all are forgotten."""


def features(a: str, b: str) -> tuple[float, ...]:
    """The eight `FEATURES` of two non-empty folded words; symmetric."""
    sound_a, sound_b = sound(a), sound(b)
    heard = bool(sound_a) and bool(sound_b)
    return (
        OSA.normalized_similarity(a, b),
        Indel.normalized_similarity(a, b),
        float(heard and sound_a == sound_b),
        Indel.normalized_similarity(sound_a, sound_b) if heard else 0.0,
        LCSseq.similarity(a, b) / min(len(a), len(b)),
        float(a[0] == b[0]),
        float(a[:3] == b[:3]),
        abs(len(a) - len(b)),
    )


class Bands:
    """Likeness as a band: 0 for the most alike, `len(least)` for pairs below the last least score."""

    def __init__(self, weights: Sequence[float], least: Sequence[float]) -> None:
        self.weights = tuple(weights)
        self.least = tuple(least)
        self._known: dict[tuple[str, str], int] = {}

    def score(self, a: str, b: str) -> float:
        """The weighted sum of `features`; no unit, higher is more alike."""
        return sum(w * x for w, x in zip(self.weights, features(a, b), strict=True))

    def of(self, a: str, b: str) -> int:
        """The band of a pair of words."""
        pair = (a, b)
        band = self._known.get(pair)
        if band is None:
            if len(self._known) >= KEPT:
                self._known.clear()
            score = self.score(a, b)
            band = next((i for i, least in enumerate(self.least) if score >= least), len(self.least))
            self._known[pair] = band
        return band
