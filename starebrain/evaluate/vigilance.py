"""Users who look less closely the more they are asked: wrong suggestions, seeded and real, and who catches them.

A suggestion is only as good as the glance it gets. Every simulated user goes through the prompts of a phone in order; a
suggestion that is wrong is caught, and becomes a question, with a chance that falls with the prompts that were put
before it in the same sitting. All users see the same phones and draw the same luck under every resolver.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields

import numpy as np
import pandas as pd

from starebrain.errors import require
from starebrain.evaluate.intervals import SEED, Estimate, stream
from starebrain.evaluate.session_memory import ratio
from starebrain.evaluate.summary import cut_name, groups

SOURCES: Mapping[str, str] = {
    "first": "assumed: nobody catches everything",
    "kept": "Ancker et al. 2017: clinicians were 30% less likely to heed a reminder for each further one per encounter",
    "least": "assumed, within the 4 to 51% of drug alerts that are heeded (review quoted there)",
    "sitting": "assumed: intents one after the other, without a rest",
}
"""The source of every number of a `Vigilance`."""


@dataclass(frozen=True, slots=True)
class Vigilance:
    """The chance to catch a wrong suggestion: `first` at the first prompt of a sitting, falling towards `least`.

    What is above `least` is multiplied by `kept` for each prompt before it; a sitting has `sitting` intents. Shares lie
    from 0 to 1, and `least` is at most `first`.
    """

    first: float = 0.9
    kept: float = 0.7
    least: float = 0.3
    sitting: int = 6

    def __post_init__(self) -> None:
        require(0 <= self.least <= self.first <= 1, "least", f"0 ≤ {self.least} ≤ {self.first} ≤ 1 does not hold")
        require(0 <= self.kept <= 1, "kept", f"{self.kept} is outside 0 to 1")
        require(self.sitting >= 1, "sitting", f"{self.sitting} is no count of intents")

    def chance(self, seen: np.ndarray) -> np.ndarray:
        """The chance to catch a wrong suggestion after `seen` prompts of the sitting."""
        return self.least + (self.first - self.least) * self.kept**seen

    @property
    def rows(self) -> list[tuple[str, float, str]]:
        """Name, number and source of each."""
        return [(one.name, getattr(self, one.name), SOURCES[one.name]) for one in fields(self)]


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
    answers: pd.DataFrame, vigilance: Vigilance, *, seeded: float = 0.0, users: int = 20, seed: int = SEED
) -> pd.DataFrame:
    """What `users` users a phone make of answers (`evaluate`): a row a resolver, user and parameter, `COLUMNS`.

    A share `seeded` (0 to 1) of the right suggestions is made wrong first. Phones, intents and parameters are taken in
    the order of the frame. The same parameter draws the same luck for the same user, whatever the resolver.
    """
    parts = []
    for (source, device, _), at in groups(answers, ("source", "device_id", "resolver")):
        own = answers.iloc[at]
        luck = stream(source, device, seed=seed).random((2, len(own), users))
        parts.append(_watched(own, vigilance, luck[0] < seeded, luck[1]))
    made = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(COLUMNS))
    order = {name: at for at, name in enumerate(dict.fromkeys(answers["resolver"]))}
    return made.sort_values("resolver", key=lambda names: names.map(order), kind="stable", ignore_index=True)


def _watched(own: pd.DataFrame, vigilance: Vigilance, sown: np.ndarray, luck: np.ndarray) -> pd.DataFrame:
    """One phone under one resolver: parameters (rows of `own`) one after the other, all users at once."""
    first = (own["intent_id"] != own["intent_id"].shift()).to_numpy()
    sitting = (np.cumsum(first) - 1) // vigilance.sitting
    tier, right = own["tier"].to_numpy(), own["right"].to_numpy(bool)
    medium = tier == "MEDIUM"
    seeded = sown & (medium & right)[:, None]
    wrong = seeded | ~right[:, None]
    seen, caught = np.zeros(sown.shape, int), np.zeros(sown.shape, bool)
    before = np.zeros(sown.shape[1], int)
    for at in range(len(own)):
        if at and sitting[at] != sitting[at - 1]:
            before = np.zeros_like(before)
        seen[at] = before
        if medium[at]:
            caught[at] = wrong[at] & (luck[at] < vigilance.chance(before))
        before = before + (tier[at] != "HIGH") + caught[at]
    size, users = sown.shape
    plain = {"resolver": own["resolver"], "source": own["source"], "cluster": own["cluster"], "tier": own["tier"]}
    repeated = {name: np.tile(column.to_numpy(), users) for name, column in plain.items()}
    each = {"seen": seen, "seeded": seeded, "wrong": wrong, "caught": caught}
    spread = {name: values.T.ravel() for name, values in each.items()}
    whose = {"user": np.repeat(np.arange(users), size), "first": np.tile(first, users)}
    return pd.DataFrame({**repeated, **whose, **spread})[list(COLUMNS)]


def caught(seen: pd.DataFrame, by: Sequence[str] = ()) -> pd.DataFrame:
    """The share of seeded wrong suggestions that users catch, by resolver and cut by columns; phones are resampled."""
    lines = []
    for (source, resolver, *values), at in groups(seen, ("source", "resolver", *by)):
        part, cut = seen.iloc[at], dict(zip(by, values, strict=True))
        counted = np.column_stack([part["caught"] & part["seeded"], part["seeded"]]).astype(float)
        one = ratio(("seeded_caught", resolver, source, cut_name(cut)), part["cluster"].to_numpy(), counted)
        lines.append(asdict(one) | {"title": "seeded errors that are caught", "better": "higher"} | cut)
    return pd.DataFrame(lines, columns=[*(f.name for f in fields(Estimate)), "title", "better", *by])


def slips(seen: pd.DataFrame) -> pd.DataFrame:
    """Wrong values that go through, silently or because nobody looked, of all parameters; phones are resampled.

    Two figures a resolver, which add up: `silent_slips` were never shown, `shown_slips` were suggested and not caught.
    """
    lines = []
    for (source, resolver), at in groups(seen, ("source", "resolver")):
        part = seen.iloc[at]
        ways = {
            "silent_slips": ("never shown", (part["tier"] == "HIGH") & part["wrong"]),
            "shown_slips": ("shown, not caught", (part["tier"] == "MEDIUM") & part["wrong"] & ~part["caught"]),
        }
        for metric, (title, slipped) in ways.items():
            counted = np.column_stack([slipped, np.ones(len(part))]).astype(float)
            one = ratio((metric, resolver, source, ""), part["cluster"].to_numpy(), counted)
            lines.append(asdict(one) | {"title": title, "better": "lower"})
    return pd.DataFrame(lines, columns=[*(f.name for f in fields(Estimate)), "title", "better"])
