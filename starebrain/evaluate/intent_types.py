"""Intent type rules on sentences that people said: SLURP's, mapped from its intents to our types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from starebrain.benchmarks.base import benchmarks_folder, json_lines
from starebrain.errors import MissingData
from starebrain.evaluate.intervals import ratio
from starebrain.evaluate.output import sha256
from starebrain.evaluate.sources import Opened
from starebrain.memory.intent_types import article_type, intent_type
from starebrain.recall import IntentType

SOURCE = "slurp_sentences"
RULES: Mapping[str, Callable[[str], IntentType]] = {"article": article_type, "words": intent_type}

TYPES: Mapping[str, tuple[IntentType, ...]] = {
    "calendar_set": (IntentType.CREATE_EVENT, IntentType.SET_REMINDER),
    "email_sendemail": (IntentType.SEND_MESSAGE,),
    "sendemail": (IntentType.SEND_MESSAGE,),
    "alarm_set": (IntentType.SET_ALARM,),
    "play_music": (IntentType.PLAY_MEDIA,),
    "play_radio": (IntentType.PLAY_MEDIA,),
    "play_podcasts": (IntentType.PLAY_MEDIA,),
    "play_audiobook": (IntentType.PLAY_MEDIA,),
    "play_game": (IntentType.PLAY_MEDIA, IntentType.OPEN_APP),
    "transport_ticket": (IntentType.PURCHASE,),
    "transport_taxi": (IntentType.PURCHASE,),
    "takeaway_order": (IntentType.PURCHASE,),
    "transport_query": (IntentType.GENERAL, IntentType.NAVIGATE),
}
"""The types that are right for an intent of SLURP, the first of which it is counted as; every other one is `general`.
SLURP takes reminders for calendar entries, games for media, and asks for ways and for departures in one intent."""

LOOKED_AT = 4
"""Sentences whose id this divides were looked at while the rule was written, and are left out."""


def sentences(root: str | Path | None = None) -> pd.DataFrame:
    """Every sentence that was not looked at, and what each rule takes it for: one row a rule and sentence.

    `type` is the type that it counts as, `right` whether the rule's is one of those that fit. `MissingData` where the
    data is not in the folder that ``STAREBRAIN_BENCHMARKS`` names.
    """
    rows = []
    for path in sentence_files(root):
        for row in json_lines(path, slurp_id=int, sentence=str, intent=str):
            if row["slurp_id"] % LOOKED_AT:
                fitting = TYPES.get(row["intent"], (IntentType.GENERAL,))
                for name, rule in RULES.items():
                    took = rule(row["sentence"])
                    rows.append((name, row["slurp_id"], fitting[0].value, took.value, took in fitting))
    return pd.DataFrame(rows, columns=["resolver", "slurp_id", "type", "took", "right"])


def estimates(frame: pd.DataFrame) -> pd.DataFrame:
    """What each rule gets right: of all, of the sentences of each type (found), of those taken for it (true)."""
    lines = []
    for name in dict.fromkeys(frame["resolver"]):
        own = frame[frame["resolver"] == name]
        lines.append(_share("intent_right", name, "", own["slurp_id"], own["right"], own["right"] | True))
        for of in sorted({*own["type"], *own["took"]}):
            met, took = own["type"] == of, own["took"] == of
            lines.append(_share("intent_found", name, f"type={of}", own["slurp_id"], own["right"] & met, met))
            lines.append(_share("intent_true", name, f"type={of}", own["slurp_id"], own["right"] & took, took))
    return pd.DataFrame(lines)


def opened(root: str | Path | None = None) -> Opened:
    """The sentences as a source of figures, with the sums of their files."""
    return Opened(Sentences(), {path.name: sha256(path) for path in sentence_files(root)})  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Sentences:
    """What figures call the sentences."""

    name: str = SOURCE


def sentence_files(root: str | Path | None = None) -> list[Path]:
    """The files of SLURP's test sentences; `MissingData` where there are none."""
    folder = benchmarks_folder(root) / "slurp"
    files = sorted(folder.glob("test*.jsonl"))
    if not files:
        remedy = "`starebrain benchmark show slurp_person` says how to get it."
        raise MissingData("SLURP's test sentences are not here", file=folder, remedy=remedy)
    return files


def _share(metric: str, name: str, cut: str, ids: pd.Series, part: pd.Series, whole: pd.Series) -> dict[str, object]:
    counted = np.column_stack([part, whole]).astype(float)
    return asdict(ratio((metric, name, SOURCE, cut), ids.to_numpy(), counted)) | {
        "type": cut.removeprefix("type="),
        "better": "higher",
    }
