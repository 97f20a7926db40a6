"""How alike two words are: one number from published similarities, cut into ordered bands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA, Indel, LCSseq

from starebrain.matching.text import sound

FEATURES = ("osa", "indel", "sounds", "sound_indel", "lcs", "first_letter", "first_letters", "length")
"""In the order of the weights in the heuristics.

`osa`: normalised similarity (0 to 1) by optimal string alignment; `indel`: by insertions and deletions, that is twice
the longest common subsequence over both lengths; `sounds`: equal Double Metaphone codes (0 or 1), neither empty;
`sound_indel`: `indel` of those codes; `lcs`: longest common subsequence over the shorter length; `first_letter`,
`first_letters`: the first letter, the first three, agree (0 or 1); `length`: difference of lengths, in letters.
"""


_NUMBERS: dict[str, int] = {"": 0}


def _number(code: str) -> int:
    """A number for each sound, 0 for none."""
    return _NUMBERS.setdefault(code, len(_NUMBERS))


class Lexicon:
    """Folded, non-empty words, and what is compared of them, as arrays (`codes`: a number a sound, 0 for none)."""

    def __init__(self, words: Sequence[str]) -> None:
        n = len(words)
        self.words = words
        self.sounds = [sound(word) for word in words]
        self.lengths = np.fromiter(map(len, words), np.float32, n)
        self.beginnings = np.array([word[:3].encode() for word in words], dtype="S3")
        self.codes = np.fromiter(map(_number, self.sounds), np.int32, n)


def features(a: Lexicon, i: np.ndarray, b: Lexicon, j: np.ndarray) -> np.ndarray:
    """The `FEATURES` of the pairs (a[i], b[j]), a row a feature and a column a pair; symmetric."""
    said, others = [a.words[k] for k in i.tolist()], [b.words[k] for k in j.tolist()]
    sounds, other_sounds = [a.sounds[k] for k in i.tolist()], [b.sounds[k] for k in j.tolist()]
    lengths, other_lengths = a.lengths[i], b.lengths[j]
    common = process.cpdist(said, others, scorer=LCSseq.similarity, dtype=np.float32)
    codes, other_codes = a.codes[i], b.codes[j]
    heard = (codes > 0) & (other_codes > 0)
    beginnings, other_beginnings = a.beginnings[i], b.beginnings[j]
    return np.stack(
        (
            process.cpdist(said, others, scorer=OSA.normalized_similarity, dtype=np.float32),
            2 * common / (lengths + other_lengths),
            heard & (codes == other_codes),
            heard * process.cpdist(sounds, other_sounds, scorer=Indel.normalized_similarity, dtype=np.float32),
            common / np.minimum(lengths, other_lengths),
            beginnings.astype("S1") == other_beginnings.astype("S1"),
            beginnings == other_beginnings,
            np.abs(lengths - other_lengths),
        )
    )


class Bands:
    """Likeness as a band: 0 for the most alike, `lowest` for pairs below the last least score."""

    def __init__(self, weights: Sequence[float], least: Sequence[float]) -> None:
        self.weights = np.array(weights, np.float32)
        self.lowest = len(least)
        self._falling = -np.array(least, np.float32)

    def of(self, a: Lexicon, i: np.ndarray, b: Lexicon, j: np.ndarray) -> np.ndarray:
        """The band of each pair (a[i], b[j]) of words."""
        return np.searchsorted(self._falling, -(self.weights @ features(a, i, b, j)))
