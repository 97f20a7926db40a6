"""Drive resolvers over labelled phones: one row a resolver and parameter, in columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from starebrain.dataset import Label, LabelledSource, Split
from starebrain.device import DeviceContext
from starebrain.errors import InvalidInput
from starebrain.evaluate.script import script_of
from starebrain.resolution import RANK, ParameterValue, is_one_of, key_of
from starebrain.resolve import PhoneResolver, Resolver

ASKED = ("source", "split", "device_id", "intent_id", "parameter", "kind", "action", "family", "locale", "script")
LABELLED = ("cluster", "ambiguous", "unanswerable")
ANSWERED = ("tier", "probability", "answer", "right", "best_right", "top3", "held")
COLUMNS = ("resolver", *ASKED, *LABELLED, *ANSWERED, "score")
"""Columns of a frame of results. `tier` is the name of the tier, `answer` the key of the value (None: no value),
`probability` that of the most probable candidate (NaN: none), `right` whether the value is intended, `best_right`
whether the most probable candidate is, whatever the tier, `top3` whether one of the first three is, `held` the names of
the caps that bit joined by ``+``, `score` what answers are ranked by from the least to the most certain (`scores`)."""

Columns = dict[str, list[Any]]


def evaluate(source: LabelledSource, resolvers: Sequence[Resolver], split: Split | str | None = None) -> pd.DataFrame:
    """The answers of `resolvers` to every parameter of `source` (or one split of it), with the columns `COLUMNS`.

    Phones are streamed; consecutive phones that are the same snapshot are prepared once. Rows are in the order of
    `resolvers`, then that of the source. `InvalidInput` for a split that there is none of, and where no resolver is
    given.
    """
    if not resolvers:
        raise InvalidInput("there is no resolver to evaluate")
    if isinstance(split, str) and split not in tuple(Split):
        raise InvalidInput(f"there is no split {split!r}", remedy=f"Choose one of {', '.join(Split)}.")
    asked: Columns = {name: [] for name in (*ASKED, *LABELLED)}
    answered: list[Columns] = [{name: [] for name in ANSWERED} for _ in resolvers]
    device: DeviceContext | None = None
    prepared: list[PhoneResolver] = []
    for phone in source.phones(None if split is None else Split(split)):
        if phone.device is not device:
            device, prepared = phone.device, [resolver.on(phone.device) for resolver in resolvers]
        for one in phone.intents:
            intent = one.intent
            for parameter, label in zip(intent.required_parameters, one.labels, strict=True):
                said = (source.name, phone.split.value, phone.device_id, intent.intent_id, parameter.name)
                how = (
                    parameter.kind.value,
                    intent.action,
                    label.family,
                    device.locale,
                    script_of(parameter.hint or ""),
                )
                gold = (label.cluster, label.ambiguous, label.unanswerable)
                _append(asked, (*said, *how, *gold))
                for resolver, columns in zip(prepared, answered, strict=True):
                    _append(columns, _judged(resolver.resolve(parameter, intent.action), label))
    return pd.concat([_frame(r.name, asked, a) for r, a in zip(resolvers, answered, strict=True)], ignore_index=True)


def scores(tiers: pd.Series, probabilities: pd.Series) -> np.ndarray:
    """What the answers of one resolver are ranked by, 0 to 1, higher the more certain.

    The probability of the most probable candidate (0 where there is no candidate), or for a resolver that never has a
    probability the rank of the tier: 1 for HIGH, 2/3, 1/3, 0 for UNRESOLVABLE.
    """
    if probabilities.notna().any():
        return probabilities.fillna(0.0).to_numpy(float)
    return tiers.map({tier.value: rank / 3 for tier, rank in RANK.items()}).to_numpy(float)


def _judged(got: ParameterValue, label: Label) -> tuple[Any, ...]:
    """One answer as the columns `ANSWERED`."""
    value, others = got.value, got.alternatives
    candidates = [a.value for a in others[:3]] if value is None else [value, *(a.value for a in others[:2])]
    right = is_one_of(value, label.intended)
    best_right = right if value is not None else bool(candidates) and is_one_of(candidates[0], label.intended)
    top3 = best_right or any(is_one_of(c, label.intended) for c in candidates[1:])
    probability = got.probability
    if value is None:
        probability = others[0].probability if others else None
    answer = None if value is None else key_of(value)
    held = "+".join(dict.fromkeys(cap.rule for cap in got.caps))
    return (
        got.confidence.value,
        float("nan") if probability is None else probability,
        answer,
        right,
        best_right,
        top3,
        held,
    )


def _append(columns: Columns, values: Sequence[Any]) -> None:
    for column, value in zip(columns.values(), values, strict=True):
        column.append(value)


_TYPES = {
    **dict.fromkeys(("ambiguous", "unanswerable", "right", "best_right", "top3"), "bool"),
    **dict.fromkeys(("probability", "score"), "float64"),
}


def _frame(resolver: str, asked: Columns, answered: Columns) -> pd.DataFrame:
    frame = pd.DataFrame({"resolver": [resolver] * len(asked["source"]), **asked, **answered})
    frame["score"] = scores(frame["tier"], frame["probability"].astype("float64"))
    return frame.astype({name: _TYPES.get(name, "str") for name in COLUMNS})[list(COLUMNS)]
