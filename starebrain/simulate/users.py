"""Simulated users before what an assistant shows them: how long they take, what they notice, what they do about it."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING

import numpy as np

from starebrain.intent import Answer

if TYPE_CHECKING:
    from starebrain.simulate.sections import Users


@dataclass(frozen=True, slots=True)
class UserTraits:
    """One user: the median of their answer delays in seconds and its σ, and their chances, as in `sections.Users`.

    `attention` is the chance to notice a wrong suggestion that is the first thing shown, `fatigue` the share of what is
    above `least` that each further prompt takes away, `edits` how often a noticed one is put right rather than
    declined, `needless` how often a right one is overridden.
    """

    delay: float
    spread: float
    attention: float
    fatigue: float
    edits: float
    needless: float
    least: float = 0.0

    def delays(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """How many seconds the user takes for each of `count` answers: log-normal, to the millisecond."""
        return np.round(self.delay * np.exp(self.spread * rng.standard_normal(count)), 3)

    def notices(self, seen: np.ndarray | int) -> np.ndarray:
        """The chance to notice a wrong suggestion after so many prompts seen in a row."""
        least = min(self.least, self.attention)
        return least + (self.attention - least) * (1 - self.fatigue) ** np.asarray(seen, float)

    def answers(self, wrong: np.ndarray, seen: np.ndarray | int, rng: np.random.Generator) -> list[Answer]:
        """What the user does with each suggestion, given which are `wrong` and how many prompts came before.

        A wrong one that is not noticed is approved; a noticed one edited or declined; a right one approved, or edited
        without need.
        """
        notice, edit = rng.random((2, len(wrong)))
        noticed = np.where(wrong, notice < self.notices(seen), notice < self.needless)
        declined = noticed & wrong & (edit >= self.edits)
        return [
            Answer.DECLINED if no else Answer.EDITED if changed else Answer.APPROVED
            for no, changed in zip(declined.tolist(), noticed.tolist(), strict=True)
        ]


def traits_of(users: Users, rng: np.random.Generator) -> UserTraits:
    """One user of the population."""
    alike = users.attention * users.agreement
    attention = rng.beta(alike, users.agreement - alike) if 0 < users.attention < 1 else users.attention
    return UserTraits(
        delay=round(users.delay * exp(users.spread_between * rng.standard_normal()), 3),
        spread=users.spread,
        attention=round(float(attention), 6),
        fatigue=users.fatigue,
        edits=users.edits,
        needless=users.needless,
        least=users.least,
    )
