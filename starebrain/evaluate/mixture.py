"""Answers as they would come from a mix with more, or fewer, hints that the phone has no answer to.

How often people ask for what is not on the phone is not known, and what is certified holds for the mix that it was
certified on. The share is changed by leaving hints out, never by weighing: every row that stays was answered.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import pandas as pd

from starebrain.errors import require
from starebrain.evaluate.compare import ITEM

SHARES = (0.05, 0.2, 0.5)
"""Shares of unanswerable hints that reports show: rare, a fifth, and as many as not."""


def with_share(frame: pd.DataFrame, share: float) -> pd.DataFrame:
    """The rows of a frame of results with `share` (0 to 1, exclusive) of the parameters of each source unanswerable.

    Of the sort that there is too much of, those parameters are left out whose names have the greatest SHA-256: the same
    ones for every resolver, and no answer has a say. The share is met to half a parameter. The rows keep their order.
    """
    require(0 < share < 1, "share", f"{share} is not between 0 and 1")
    names = pd.Series(map("\0".join, zip(*(frame[name].astype(str) for name in ITEM), strict=True)), frame.index, str)
    kept = [
        name
        for _, part in frame.groupby("source", sort=False)
        for name in _thinned(names[part.index], part["unanswerable"], share)
    ]
    return frame[names.isin(kept)]


def mixtures(frame: pd.DataFrame, shares: Sequence[float] = SHARES) -> pd.DataFrame:
    """`with_share` for each of `shares`, below each other, with the share as text in the column `mix` ("05%")."""
    return pd.concat([with_share(frame, share).assign(mix=f"{share:03.0%}") for share in shares], ignore_index=True)


def _thinned(names: pd.Series, unanswerable: pd.Series, share: float) -> list[str]:
    """The names that stay; `unanswerable` says which of them the phone has no answer to."""
    sorts = dict(zip(names, unanswerable, strict=True))
    ordered = sorted(sorts, key=lambda name: hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest())
    without = np.array([sorts[name] for name in ordered], bool)
    most_without = round(share / (1 - share) * int((~without).sum()))
    most_with = round((1 - share) / share * int(without.sum()))
    stays = np.where(without, np.cumsum(without) <= most_without, np.cumsum(~without) <= most_with)
    return [name for name, kept in zip(ordered, stays, strict=True) if kept]
