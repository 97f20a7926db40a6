"""The evidence resolver: comparisons, posterior, tiers, caps; one parameter at a time, or many in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import log2
from typing import Any

import numpy as np

from starebrain.device import DeviceContext
from starebrain.intent import Parameter, ParameterKind
from starebrain.kinds import KINDS, Fact, Hint, Phone
from starebrain.kinds.app import preferring
from starebrain.kinds.base import UNSAID
from starebrain.matching.heuristics import Heuristics, default_heuristics
from starebrain.matching.likeness import Bands
from starebrain.matching.posterior import Weights, calibrated
from starebrain.matching.tiers import capped, tier_of
from starebrain.recall import Recall, SessionPattern
from starebrain.resolution import (
    Alternative,
    AppValue,
    Cap,
    ContextSource,
    Evidence,
    ParameterValue,
    ResolutionConfidence,
    unresolvable,
)
from starebrain.resolve.scoring import KindOnPhone, Scored
from starebrain.resolve.times import resolve_time

SAID = {
    "deixis": "the hint points instead of naming",
    "negated": "the hint says what is not meant",
    "two_offers": "the hint offers two",
}
"""Caps that the words of a hint demand, whoever is meant."""
LEAST_SHOWN = 0.002
"""Least probability of a runner-up that is shown."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The answers to many hints of one kind, an element each, caps apart.

    `best` is the index of the most probable record of the kind (-1: none), `probability` and `second` the calibrated
    probabilities of the two most probable, `tier` the rank of the tier (3 HIGH, 2 MEDIUM, 1 LOW, 0 UNRESOLVABLE).
    """

    best: np.ndarray
    probability: np.ndarray
    second: np.ndarray
    tier: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class EvidenceResolver:
    """Fellegi–Sunter evidence, calibrated posterior, thresholds and caps, all from one set of heuristics.

    `recall` is what session memory knew when the intent was parsed; with an empty one the answers are those without it.
    """

    heuristics: Heuristics = field(default_factory=default_heuristics)
    name: str = "evidence"
    recall: Recall = field(default_factory=Recall, repr=False)
    _ready: dict[str, Any] = field(default_factory=dict, repr=False)

    def on(self, device: DeviceContext) -> EvidenceOnPhone:
        """See `Resolver`."""
        return EvidenceOnPhone(self, device)

    @property
    def bands(self) -> Bands:
        """The likeness of pairs of words, kept from phone to phone."""
        if "bands" not in self._ready:
            likeness = self.heuristics.likeness
            names = self.heuristics.frequencies.get(ParameterKind.CONTACT)
            self._ready["bands"] = Bands(likeness.vector, likeness.bands, names.words if names else ())
        return self._ready["bands"]

    def weights(self, kind: ParameterKind) -> Weights:
        """The weights of one kind, ready for scoring."""
        if kind not in self._ready:
            self._ready[kind] = Weights(self.heuristics, kind)
        return self._ready[kind]


class EvidenceOnPhone:
    """The evidence resolver on one phone."""

    def __init__(self, resolver: EvidenceResolver, device: DeviceContext) -> None:
        self.resolver = resolver
        self.phone = Phone(device)
        self._kinds: dict[ParameterKind, KindOnPhone] = {}

    def of(self, name: ParameterKind) -> KindOnPhone:
        """The indexed records of one kind."""
        known = self._kinds.get(name)
        if known is None:
            resolver = self.resolver
            known = KindOnPhone(KINDS[name], self.phone, resolver.weights(name), resolver.bands)
            self._kinds[name] = known
        return known

    def resolve(self, parameter: Parameter, action: str) -> ParameterValue:
        """See `PhoneResolver`."""
        here = self.of(parameter.kind)
        if parameter.kind is ParameterKind.TIME_SLOT:
            return resolve_time(parameter, here, self._stakes(action))
        hint = here.kind.read(parameter.hint or "")
        usual = self._usual(parameter.kind, action)
        if hint.words:
            scores = here.scores(hint)
            if UNSAID in hint.traits and not scores:
                return self._unsaid(here, action, (Fact("deixis", "the hint names none"),))
            answer = self._answer(here, scores, action)
            return answer if usual is None else self._leaning(here, hint, usual, answer, action)
        if parameter.hint is None or not parameter.hint.strip():
            return self._unsaid(here, action) if usual is None else self._remembered(usual, action)
        return unresolvable(parameter.kind)

    def columns(self, name: ParameterKind, hints: Sequence[str]) -> Columns:
        """The answers to many hints of one kind: the same numbers as `resolve` gives, without objects and caps."""
        here = self.of(name)
        read = [here.kind.read(text) for text in hints]
        asked = [at for at, hint in enumerate(read) if hint.words]
        best, of = np.full(len(hints), -1, np.int64), here.weights.of
        probability, second, tier = np.zeros(len(hints)), np.zeros(len(hints)), np.zeros(len(hints), np.int8)
        scores = here.score([read[at] for at in asked])
        for at, closest in zip(asked, scores.closest, strict=True):
            if closest:
                share, line = closest[0]
                best[at], probability[at] = scores.lines[line, 1], calibrated(share, of)
                second[at] = calibrated(closest[1][0], of) if len(closest) > 1 else 0.0
                tier[at] = tier_of(probability[at], of.tiers).rank
        return Columns(best, probability, second, tier)

    def _unsaid(self, here: KindOnPhone, action: str, held: Sequence[Fact] = ()) -> ParameterValue:
        """Nothing was said: what the kind means by that, if anything, `held` down by these."""
        record = here.kind.without_hint(self.phone.device)
        if record is None:
            return unresolvable(here.kind.name)
        bits = here.weights.context.get("default", 0.0)
        chance = 1 / (1 + 2.0**-bits)
        tier, caps = capped(tier_of(chance, here.weights.of.tiers), [*self._facts(here, record, None, action), *held])
        if tier is ResolutionConfidence.UNRESOLVABLE:
            return unresolvable(here.kind.name)
        value, source = here.kind.value(record, self.phone.device), here.kind.source(record)
        evidence = (Evidence("default", bits, "nothing was said"),)
        return ParameterValue(here.kind.name, value, tier, source, chance, evidence=evidence, caps=caps)

    def _usual(self, kind: ParameterKind, action: str) -> SessionPattern | None:
        """What is remembered of an `action` for which an app on this phone is preferred, where an app is asked for."""
        if kind is not ParameterKind.APP:
            return None
        pattern = self.resolver.recall.pattern(action)
        if pattern is None or all(app.package != pattern.preferred_package for app in self.phone.device.installed_apps):
            return None
        return pattern

    def _leaning(
        self, here: KindOnPhone, hint: Hint, usual: SessionPattern, without: ParameterValue, action: str
    ) -> ParameterValue:
        """The answer with the preferred app as evidence; what memory decides is never filled in silently."""
        assert usual.preferred_package is not None
        leaning = replace(hint, traits=hint.traits | preferring(usual.preferred_package))
        answer = self._answer(here, here.scores(leaning), action)
        if answer.value is None or (
            answer.value == without.value and answer.confidence.rank <= without.confidence.rank
        ):
            return answer
        return _held(replace(answer, source=ContextSource.SESSION_MEMORY))

    def _remembered(self, usual: SessionPattern, action: str) -> ParameterValue:
        """Nothing was said: the preferred app, as a suggestion at most; its share of the tasks is its probability."""
        here, chance = self.of(ParameterKind.APP), usual.preferred_share or 0.0
        tier, caps = capped(tier_of(chance, here.weights.of.tiers), self._stakes(action))
        if tier is ResolutionConfidence.UNRESOLVABLE or usual.preferred_package is None or not chance:
            return unresolvable(here.kind.name)
        evidence = (Evidence("preferred", log2(chance / (1 - chance)), "nothing was said"),)
        value, source = AppValue(usual.preferred_package), ContextSource.SESSION_MEMORY
        return _held(ParameterValue(here.kind.name, value, tier, source, chance, evidence=evidence, caps=caps))

    def _answer(self, here: KindOnPhone, scores: Sequence[Scored], action: str) -> ParameterValue:
        shown = [
            Alternative(here.values[at], one.probability, here.kind.source(here.records[at]))
            for one in scores
            if one.probability >= LEAST_SHOWN
            for at in (one.comparison.candidate,)
        ]
        if not shown:
            return unresolvable(here.kind.name)
        best, record = scores[0], here.records[scores[0].comparison.candidate]
        tier = tier_of(best.probability, here.weights.of.tiers)
        if tier is ResolutionConfidence.UNRESOLVABLE:
            return unresolvable(here.kind.name, tuple(shown[:5]))
        caps: tuple[Cap, ...] = ()
        if tier is ResolutionConfidence.HIGH:
            tier, caps = capped(tier, self._facts(here, record, best.hint, action))
        return ParameterValue(
            here.kind.name,
            shown[0].value,
            tier,
            shown[0].source,
            best.probability,
            tuple(shown[1:]),
            here.evidence(best),
            caps,
        )

    def _facts(self, here: KindOnPhone, record: Any, hint: Hint | None, action: str) -> list[Fact]:
        """Everything that may hold the tier down."""
        facts = here.kind.caps(record, self.phone, self.resolver.heuristics.caps.new_contact_hours)
        facts += self._stakes(action)
        said = () if hint is None else hint.traits
        return facts + [Fact(cap, detail) for cap, detail in SAID.items() if cap in said]

    def _stakes(self, action: str) -> list[Fact]:
        stakes = action in self.resolver.heuristics.caps.stakes
        return [Fact("stakes", f"{action} always shows its parameters")] if stakes else []


def _held(answer: ParameterValue) -> ParameterValue:
    """The answer held at MEDIUM, because memory decided it."""
    fact = Fact("provenance", "it is remembered, not said, and memory can be misled")
    tier, caps = capped(answer.confidence, (fact,))
    return replace(answer, confidence=tier, caps=answer.caps + caps)
