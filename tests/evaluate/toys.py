"""Frames of results and sources by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import pandas as pd

from starebrain.dataset import Label, LabelledIntent, LabelledPhone, Split
from starebrain.device import Contact, DeviceContext
from starebrain.evaluate.run import COLUMNS, scores
from starebrain.intent import ActionIntent, Parameter, ParameterKind

NAMES = ("Ana Ruiz", "Bob Stone", "Bob Marsh", "Юлия Ким", "田中 花子")

PLAIN = {
    "resolver": "r",
    "source": "s",
    "split": "test",
    "device_id": "d",
    "parameter": "who",
    "kind": "contact",
    "action": "call",
    "family": "full",
    "locale": "en_US",
    "script": "latin",
    "ambiguous": False,
    "unanswerable": False,
    "tier": "HIGH",
    "probability": float("nan"),
    "answer": "c1",
    "right": True,
    "held": "",
}


def answers(*rows: dict) -> pd.DataFrame:
    """A frame of results: one right HIGH a row, an intent and a cluster each, but for what a row says otherwise.

    `best_right` and `top3` follow `right` unless they are given.
    """
    full = []
    for number, row in enumerate(rows):
        one = PLAIN | {"intent_id": f"i{number}", "cluster": f"c{number}"} | row
        one.setdefault("best_right", one["right"])
        one.setdefault("top3", one["best_right"])
        full.append(one)
    frame = pd.DataFrame(full, columns=[name for name in COLUMNS if name != "score"])
    frame["score"] = 0.0
    for _, part in frame.groupby(["source", "resolver"]):
        frame.loc[part.index, "score"] = scores(part["tier"], part["probability"].astype("float64"))
    return frame


def phone(
    device_id: str,
    *asked: tuple[str | None, tuple[str, ...], tuple[str, ...]],
    split: Split = Split.TEST,
    cluster: str | None = None,
    family: str = "full",
) -> LabelledPhone:
    """A phone with `NAMES` as contacts c0, c1, …, and an intent for each (hint, intended, compatible)."""
    contacts = tuple(Contact(f"c{at}", name) for at, name in enumerate(NAMES))
    device = DeviceContext(datetime(2026, 11, 5, 9, tzinfo=UTC), "UTC", "en_US", contacts=contacts)
    intents = tuple(
        LabelledIntent(
            ActionIntent(f"i{at}", "call", None, (Parameter("who", ParameterKind.CONTACT, hint),)),
            (Label(intended, compatible, family, cluster or device_id),),
        )
        for at, (hint, intended, compatible) in enumerate(asked)
    )
    return LabelledPhone(device_id, split, device, intents)


@dataclass
class Source:
    """Phones in memory as a labelled source."""

    listed: list[LabelledPhone]
    name: str = "toy"

    def phones(self, split: Split | None = None) -> Iterator[LabelledPhone]:
        return (one for one in self.listed if split in (None, one.split))
