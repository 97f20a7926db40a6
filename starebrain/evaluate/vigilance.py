"""Users who look less closely the more they are asked: wrong suggestions, seeded and real, and who catches them.

A suggestion is only as good as the glance it gets. Simulated users (`starebrain.simulate.users`) go through the prompts
of a phone in order; a suggestion that is wrong is caught, and becomes a question, with a chance that falls with the
prompts that were put before it in the same sitting. All users see the same phones and have the same luck under every
resolver.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from starebrain.evaluate.intervals import SEED, stream
from starebrain.evaluate.measure import Measure, every, measured
from starebrain.evaluate.summary import groups
from starebrain.simulate.sections import Users
from starebrain.simulate.users import traits_of

SOURCES: Mapping[str, str] = {
    "attention": "assumed: the chance to notice a wrong suggestion that is the first prompt, as a mean over users",
    "agreement": "assumed: how alike users are in that",
    "fatigue": "Ancker et al. 2017: clinicians heeded a reminder 30% less often for each further one per encounter",
    "least": "assumed, within the 4 to 51% of drug alerts that are heeded (a review quoted there)",
}
"""The source of every number of `Users` that says how closely they look."""
SITTING = 6
"""Intents one after the other, without a rest (assumed)."""
MOST_SEEN = 100
"""Prompts of a sitting beyond which nobody gets more tired."""

COLUMNS = ("resolver", "source", "cluster", "user", "first", "tier", "seen", "seeded", "wrong", "caught")
"""Columns of `watched`: `first` marks the first parameter of an intent, `seen` the prompts of the sitting so far,
`seeded` marks a right suggestion that was made wrong, `wrong` a value that was not meant (seeded or not), `caught` a
wrong suggestion that the user overrode."""


def everything_suggested(answers: pd.DataFrame, resolver: str) -> pd.DataFrame:
    """The answers of `resolver` with nothing filled in silently: what was HIGH is suggested."""
    own = answers[answers["resolver"] == resolver]
    shown = own["tier"].where(own["tier"] != "HIGH", "MEDIUM")
    return own.assign(tier=shown, resolver=f"{resolver}, all shown")


def watched(
    answers: pd.DataFrame,
    users: Users,
    *,
    sitting: int = SITTING,
    seeded: float = 0.0,
    count: int = 20,
    seed: int = SEED,
) -> pd.DataFrame:
    """What `count` users a phone, drawn from `users`, make of answers: a row a resolver, user and parameter, `COLUMNS`.

    A share `seeded` (0 to 1) of the right suggestions is made wrong first; a sitting has `sitting` intents. Phones,
    intents and parameters are taken in the order of the frame of `evaluate`. The same parameter draws the same luck for
    the same user, whatever the resolver.
    """
    parts = []
    for (source, device, _), at in groups(answers, ("source", "device_id", "resolver")):
        own, rng = answers.iloc[at], stream(source, device, seed=seed)
        chance = np.array([traits_of(users, rng).notices(np.arange(MOST_SEEN)) for _ in range(count)])
        luck = rng.random((2, len(own), count))
        parts.append(_watched(own, chance, sitting, luck[0] < seeded, luck[1]))
    made = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(COLUMNS))
    order = {name: at for at, name in enumerate(dict.fromkeys(answers["resolver"]))}
    return made.sort_values("resolver", key=lambda names: names.map(order), kind="stable", ignore_index=True)


def _watched(own: pd.DataFrame, chance: np.ndarray, intents: int, sown: np.ndarray, luck: np.ndarray) -> pd.DataFrame:
    """One phone under one resolver: parameters (rows of `own`) one after the other, all users (of `chance`) at once."""
    first = (own["intent_id"] != own["intent_id"].shift()).to_numpy()
    sitting = (np.cumsum(first) - 1) // intents
    tier, right = own["tier"].to_numpy(), own["right"].to_numpy(bool)
    medium = tier == "MEDIUM"
    seeded = sown & (medium & right)[:, None]
    wrong = seeded | ~right[:, None]
    seen, caught = np.zeros(sown.shape, int), np.zeros(sown.shape, bool)
    each = np.arange(len(chance))
    before = np.zeros(len(chance), int)
    for at in range(len(own)):
        if at and sitting[at] != sitting[at - 1]:
            before = np.zeros_like(before)
        seen[at] = before
        if medium[at]:
            caught[at] = wrong[at] & (luck[at] < chance[each, np.minimum(before, MOST_SEEN - 1)])
        before = before + (tier[at] != "HIGH") + caught[at]
    size, users = sown.shape
    plain = {"resolver": own["resolver"], "source": own["source"], "cluster": own["cluster"], "tier": own["tier"]}
    repeated = {name: np.tile(column.to_numpy(), users) for name, column in plain.items()}
    spread = {"seen": seen, "seeded": seeded, "wrong": wrong, "caught": caught}
    whose = {"user": np.repeat(each, size), "first": np.tile(first, users)}
    columns = {**repeated, **whose, **{name: values.T.ravel() for name, values in spread.items()}}
    return pd.DataFrame(columns)[list(COLUMNS)]


CAUGHT = Measure(
    "seeded_caught",
    "seeded errors that are caught",
    "higher",
    lambda seen: seen["caught"] & seen["seeded"],
    lambda seen: seen["seeded"],
)
SLIPS = (
    Measure("silent_slips", "never shown", "lower", lambda seen: (seen["tier"] == "HIGH") & seen["wrong"], every),
    Measure(
        "shown_slips",
        "shown, not caught",
        "lower",
        lambda seen: (seen["tier"] == "MEDIUM") & seen["wrong"] & ~seen["caught"],
        every,
    ),
)


def caught(seen: pd.DataFrame, by: Sequence[str] = ()) -> pd.DataFrame:
    """The share of seeded wrong suggestions that users catch, by resolver and cut by columns; phones are resampled."""
    return measured(seen, [CAUGHT], by, cluster="cluster")


def slips(seen: pd.DataFrame) -> pd.DataFrame:
    """Wrong values that go through, silently or because nobody looked, of all parameters; phones are resampled.

    Two figures a resolver, which add up: `silent_slips` were never shown, `shown_slips` were suggested and not caught.
    """
    return measured(seen, SLIPS, cluster="cluster")
