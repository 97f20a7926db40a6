"""Independent streams of random numbers: one more draw in one of them changes no other."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

import numpy as np


@dataclass(frozen=True, slots=True)
class Streams:
    """The streams of one block of phones, or of the whole scenario.

    `streams("names")` is the generator named so, always from its beginning.
    """

    seed: int
    block: int | None = None

    def __call__(self, name: str) -> np.random.Generator:
        """The stream called `name`: numpy's `SeedSequence` spawned by the name's CRC-32 and the block."""
        key = (crc32(name.encode()),) if self.block is None else (crc32(name.encode()), self.block)
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=key))
