"""What is asked of each phone of a block, with its gold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from starebrain._tables import TABLES
from starebrain.dataset import Split
from starebrain.intent import ParameterKind
from starebrain.simulate.actions import ACTIONS
from starebrain.simulate.families import ABSENT, FAMILIES
from starebrain.simulate.scenario import Speakers
from starebrain.simulate.streams import Streams
from starebrain.simulate.view import NOTHING, Block, Dice, Said, View

THROWS = 40
"""Uniform numbers for each parameter."""
OPTIONAL = re.compile(r"\[([^\[\]]*)\{(\w+)\}([^\[\]]*)\]")
MOST_FAMILIES = max(map(len, FAMILIES.values()))
MOST_PARAMETERS = max(len(shape) for action in ACTIONS.values() for shape in action.shapes)


def speak(block: Block, of: Speakers, streams: Streams) -> dict[str, pa.Table]:
    """The tables `intents` and `parameters` of a block."""
    phones = len(block.phones.locale)
    total = phones * of.intents
    rng = streams("intents")
    names = [name for name in ACTIONS if of.actions.get(name, 0) > 0]
    shares = np.array([of.actions[name] for name in names])
    actions = rng.choice(len(names), total, p=shares / shares.sum()).tolist() if total else []
    shapes, frames = rng.random(total).tolist(), rng.random(total).tolist()
    rng = streams("speakers")
    shares_of = {split: _shares(of, split is Split.TEST) for split in Split}
    splits = list(Split)
    asked: list[tuple[Any, ...]] = []
    said: list[tuple[Any, ...]] = []
    for at, device_id in enumerate(block.phones.ids if of.intents else ()):
        view = View(block, at, of)
        usual = shares_of[splits[block.phones.split[at]]]
        fates = rng.random((of.intents, MOST_PARAMETERS))
        orders = -np.log1p(-rng.random((of.intents, MOST_PARAMETERS, MOST_FAMILIES)))
        throws = rng.random((of.intents, MOST_PARAMETERS, THROWS))
        for i in range(of.intents):
            row = at * of.intents + i
            view.action = name = names[actions[row]]
            choices = ACTIONS[name].shapes
            shape = choices[int(shapes[row] * len(choices))]
            heard: dict[ParameterKind, str | None] = {}
            for j, (parameter, kind) in enumerate(shape):
                dice = Dice(throws[i, j].tolist())
                family, words = _refer(view, dice, kind, of, fates[i, j], orders[i, j], usual[kind])
                heard[kind] = words.hint
                gold = (words.intended, words.compatible, family, device_id)
                said.append((device_id, f"i{i}", parameter, kind.value, words.hint, *gold))
            asked.append((device_id, f"i{i}", name, _utterance(view, name, frames[row], heard)))
    return {name: _table(name, rows) for name, rows in (("intents", asked), ("parameters", said))}


def _refer(
    view: View,
    dice: Dice,
    kind: ParameterKind,
    of: Speakers,
    fate: float,
    order: np.ndarray,
    shares: np.ndarray,
) -> tuple[str, Said]:
    """A family and what was said: families in a drawn order by their shares, the first that the phone has a use for."""
    if fate < of.unanswerable:
        words = ABSENT[kind](view, dice)
        if words is not None:
            return "absent", words
    elif fate < of.unanswerable + of.unsaid and kind is not ParameterKind.CALENDAR:
        return "unsaid", Said(None, NOTHING, NOTHING)
    names = list(FAMILIES[kind])
    able = np.flatnonzero(shares)
    for at in able[np.argsort(order[able] / shares[able], kind="stable")].tolist():
        words = FAMILIES[kind][names[at]].way(view, dice)
        if words is not None:
            return names[at], words
    return "absent", ABSENT[kind](view, dice) or Said(None, NOTHING, NOTHING)


def _shares(of: Speakers, test: bool) -> dict[ParameterKind, np.ndarray]:
    """The shares of families, in the order of their tables, on test phones or on others."""
    return {
        kind: np.array(
            [0.0 if name in of.held_out and not test else getattr(of, kind).get(name, 0.0) for name in families]
        )
        for kind, families in FAMILIES.items()
    }


def _utterance(view: View, action: str, drawn: float, heard: dict[ParameterKind, str | None]) -> str:
    frames: Sequence[str] = view.speech["frames"][action]
    frame = frames[int(drawn * len(frames))]

    def fill(match: re.Match[str]) -> str:
        before, name, after = match.groups()
        hint = heard.get(ParameterKind(name))
        return "" if hint is None else before + hint + after

    return OPTIONAL.sub(fill, frame)


def _table(name: str, rows: list[tuple[Any, ...]]) -> pa.Table:
    schema = TABLES[name]
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    return pa.Table.from_arrays([pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema=schema)
