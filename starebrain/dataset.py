"""Labelled phones: what a speaker meant beside what they said, and datasets of them on disk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from starebrain.device import DeviceContext
from starebrain.intent import ActionIntent


class Split(StrEnum):
    """Which part of the work a phone may be used for; splits are by phone."""

    TRAIN = "train"
    CALIBRATION = "calibration"
    TEST = "test"


@dataclass(frozen=True, slots=True)
class Label:
    """The gold of one parameter; things are named as `starebrain.resolution.key_of` names them.

    `intended` is the one thing that the speaker meant (several keys only where records are the same person or place;
    empty where the phone does not have it); `compatible` is everything on the phone that the words fit equally well.
    `family` is the way of referring ("nickname"); rows that share a `cluster` (a device, a sentence, a dialogue) are not
    independent.
    """

    intended: tuple[str, ...]
    compatible: tuple[str, ...]
    family: str
    cluster: str

    @property
    def unanswerable(self) -> bool:
        """Whether the phone does not have what was meant."""
        return not self.intended

    @property
    def ambiguous(self) -> bool:
        """Whether the words fit more than one thing."""
        return bool(set(self.compatible) - set(self.intended)) if self.intended else len(self.compatible) > 1


@dataclass(frozen=True, slots=True)
class LabelledIntent:
    """An intent, and the gold of its required parameters in their order."""

    intent: ActionIntent
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class LabelledPhone:
    """A snapshot and the labelled intents that were asked of it."""

    device_id: str
    split: Split
    device: DeviceContext
    intents: tuple[LabelledIntent, ...]


class LabelledSource(Protocol):
    """Where labelled phones come from: a dataset on disk, or a benchmark."""

    @property
    def name(self) -> str:
        """The name in tables of results."""
        ...

    def phones(self, split: Split | None = None) -> Iterator[LabelledPhone]:
        """The phones of one split, or all, one after the other, in a fixed order."""
        ...
