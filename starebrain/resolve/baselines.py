"""The rules that every comparison starts from: `article`, `wratio`, `ask_all`, `fill_all`.

They share the evidence resolver's interface and its candidates, and nothing else. None has a probability.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz import fuzz, process, utils

from starebrain.device import DeviceContext
from starebrain.intent import Parameter, ParameterKind
from starebrain.kinds import KINDS
from starebrain.resolution import (
    MAX_ALTERNATIVES,
    Alternative,
    ContextSource,
    Evidence,
    ParameterValue,
    ResolutionConfidence,
    Value,
    unresolvable,
)

WRATIO_TIERS = ((95, ResolutionConfidence.HIGH), (80, ResolutionConfidence.MEDIUM), (60, ResolutionConfidence.LOW))
"""Least WRatio score (0 to 100) of each tier, as fixed thresholds are commonly set."""

Rule = Callable[[Parameter, "Labels"], ParameterValue]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A thing on the phone, as baselines see it."""

    label: str
    value: Value
    source: ContextSource


class Labels:
    """The candidates of one kind on one phone, and their labels prepared for RapidFuzz on first use."""

    def __init__(self, name: ParameterKind, device: DeviceContext) -> None:
        kind = KINDS[name]
        self.candidates = [Candidate(kind.label(r), kind.value(r, device), kind.source(r)) for r in kind.listed(device)]
        self.folded = [c.label.lower() for c in self.candidates]

    @cached_property
    def processed(self) -> list[str]:
        """Labels as RapidFuzz's default processor leaves them, double spaces collapsed."""
        return [_processed(c.label) for c in self.candidates]


class BaselineOnPhone:
    """A baseline rule on one phone."""

    def __init__(self, rule: Rule, device: DeviceContext) -> None:
        self._rule = rule
        self._device = device
        self._labels: dict[ParameterKind, Labels] = {}

    def resolve(self, parameter: Parameter, action: str) -> ParameterValue:
        """See `PhoneResolver`; baselines ignore the action."""
        labels = self._labels.get(parameter.kind)
        if labels is None:
            labels = self._labels[parameter.kind] = Labels(parameter.kind, self._device)
        return self._rule(parameter, labels)


@dataclass(frozen=True, slots=True)
class Baseline:
    """A rule under a name, as a `Resolver`."""

    name: str
    rule: Rule

    def on(self, device: DeviceContext) -> BaselineOnPhone:
        """See `Resolver`."""
        return BaselineOnPhone(self.rule, device)


def article(parameter: Parameter, labels: Labels) -> ParameterValue:
    """The article's literal rule, defects and all.

    The first label that equals the hint without regard to case is HIGH, the first that contains it MEDIUM, else
    UNRESOLVABLE; never LOW. An empty hint is contained in every label; a hint of None is compared with nothing. The
    article states it for places; other kinds are our extension of the same two steps.
    """
    if parameter.hint is None:
        return unresolvable(parameter.kind)
    hint = parameter.hint.lower()
    for tier, name, fits in (
        (ResolutionConfidence.HIGH, "equals", [hint == label for label in labels.folded]),
        (ResolutionConfidence.MEDIUM, "contains", [hint in label for label in labels.folded]),
    ):
        found = [c for c, fit in zip(labels.candidates, fits, strict=True) if fit]
        if found:
            return _answer(parameter, tier, found, Evidence(name, 0.0, f"the first of {len(found)}"))
    return unresolvable(parameter.kind)


def wratio(parameter: Parameter, labels: Labels) -> ParameterValue:
    """RapidFuzz's WRatio at fixed thresholds: 95 and above HIGH, 80 MEDIUM, 60 LOW; of equal scores the first."""
    ranked = _ranked(parameter, labels)
    tier = next((tier for least, tier in WRATIO_TIERS if ranked and ranked[0][1] >= least), None)
    if tier is None:
        return unresolvable(parameter.kind)
    near = [labels.candidates[at] for _, score, at in ranked if score >= WRATIO_TIERS[-1][0]]
    return _answer(parameter, tier, near, Evidence("wratio", 0.0, f"score {ranked[0][1]:.1f} of 100"))


def ask_all(parameter: Parameter, labels: Labels) -> ParameterValue:
    """Ask the user for everything: the safest and slowest rule."""
    return unresolvable(parameter.kind)


def fill_all(parameter: Parameter, labels: Labels) -> ParameterValue:
    """Fill in whatever has the best WRatio score, however low: the fastest and most fragile rule."""
    ranked = _ranked(parameter, labels)
    if not labels.candidates:
        return unresolvable(parameter.kind)
    best = [labels.candidates[at] for _, _, at in ranked] or list(labels.candidates)
    return _answer(parameter, ResolutionConfidence.HIGH, best, Evidence("wratio", 0.0, "the best, however low"))


def _processed(text: str) -> str:
    return " ".join(utils.default_process(text).split())


def _ranked(parameter: Parameter, labels: Labels) -> list[tuple[str, float, int]]:
    """(label, score, index) of the six best candidates, best first; none for an empty hint."""
    hint = _processed(parameter.hint or "")
    return process.extract(hint, labels.processed, scorer=fuzz.WRatio, limit=MAX_ALTERNATIVES + 1) if hint else []


def _answer(
    parameter: Parameter, tier: ResolutionConfidence, found: Sequence[Candidate], evidence: Evidence
) -> ParameterValue:
    best, *others = found[: MAX_ALTERNATIVES + 1]
    return ParameterValue(
        parameter.kind,
        best.value,
        tier,
        best.source,
        alternatives=tuple(Alternative(c.value, None, c.source) for c in others),
        evidence=(evidence,),
    )


BASELINES = tuple(Baseline(rule.__name__, rule) for rule in (article, wratio, ask_all, fill_all))
