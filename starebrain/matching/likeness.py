"""How alike two words are: one number from six published similarities, cut into ordered levels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rapidfuzz.distance import OSA, Indel, LCSseq

from starebrain.matching.text import sound

FEATURES = ("osa", "indel", "sounds", "sound_indel", "lcs", "first_letter", "first_letters", "length")
"""In the order of the weights in the heuristics.

`osa` and `indel`: normalised similarities (0 to 1) by optimal string alignment and by insertions and deletions;
`sounds`: equal Double Metaphone codes (0 or 1), neither empty; `sound_indel`: `indel` of those codes; `lcs`: longest
common subsequence over the shorter length; `first_letter`, `first_letters`: the first letter, the first three, agree (0
or 1); `length`: difference of lengths, in letters.
"""


def features(a: str, b: str) -> tuple[float, ...]:
    """The eight `FEATURES` of two non-empty folded words."""
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


@lru_cache(maxsize=262_144)
def likeness(a: str, b: str, weights: Sequence[float]) -> float:
    """The weighted sum of `features`; no unit, higher is more alike, symmetric."""
    return sum(w * x for w, x in zip(weights, features(a, b), strict=True))
