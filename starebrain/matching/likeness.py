"""How alike two words are: one number from published similarities, cut into ordered bands."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from starebrain.matching.text import sound

FEATURES = ("osa", "indel", "sounds", "sound_indel", "lcs", "first_letter", "first_letters", "length")
"""In the order of the weights in the heuristics.

`osa`: normalised similarity (0 to 1) by optimal string alignment; `indel`: by insertions and deletions, that is twice
the longest common subsequence over both lengths; `sounds`: equal Double Metaphone codes (0 or 1), neither empty;
`sound_indel`: `indel` of those codes; `lcs`: longest common subsequence over the shorter length; `first_letter`,
`first_letters`: the first letter, the first three, agree (0 or 1); `length`: difference of lengths, in letters.
"""

_NUMBERS: dict[str, int] = {"": 0}


class Bands:
    """Likeness as a band: the weights of the `FEATURES`, and the least score of each band, falling.

    `names` are words known as names: who says one of them seldom means another.
    """

    def __init__(self, weights: Sequence[float], least: Sequence[float], names: Collection[str] = ()) -> None:
        self.names = names
        self.weights = np.array(weights, np.float64)
        self.least = np.array(least, np.float64)


def number_of(sound: str) -> int:
    """A number for each sound, 0 for none."""
    return _NUMBERS.setdefault(sound, len(_NUMBERS))


def sounds_of(words: Sequence[str]) -> tuple[list[str], list[int]]:
    """How words sound, and the numbers of that."""
    sounds = [sound(word) for word in words]
    return sounds, [number_of(code) for code in sounds]
