"""What a kind of parameter declares: its candidates on a phone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from starebrain.device import DeviceContext
from starebrain.intent import ParameterKind
from starebrain.resolution import ContextSource, Value


@dataclass(frozen=True, slots=True)
class Candidate:
    """A thing on the phone that a hint may mean; `label` is the name that the phone shows for it."""

    label: str
    value: Value
    source: ContextSource


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of parameter; `candidates` lists what a phone has of it, in the phone's order."""

    name: ParameterKind
    candidates: Callable[[DeviceContext], tuple[Candidate, ...]]
