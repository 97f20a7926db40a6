"""The evidence resolver: comparisons, posterior, tiers, caps; one parameter at a time, or many in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from starebrain.device import DeviceContext
from starebrain.intent import Parameter, ParameterKind
from starebrain.kinds import KINDS, Fact, Hint, Kind, Phone
from starebrain.matching.heuristics import Heuristics, default_heuristics
from starebrain.matching.index import DESCRIBED, EXACT, WHOLE, Comparison, NameIndex
from starebrain.matching.posterior import Weights, calibrated, posterior
from starebrain.matching.tiers import capped, tier_of
from starebrain.resolution import (
    MAX_ALTERNATIVES,
    Alternative,
    Evidence,
    ParameterValue,
    ResolutionConfidence,
    key_of,
    unresolvable,
)

LEAST_SHOWN = 0.002
"""Least probability of a runner-up that is shown."""
MERGED_AMONG = 8
"""How many of the most probable candidates are looked at for records of one person or place."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Every candidate that a hint reached, most probable first, and its probability after calibration.

    `records` are indices into the records of the kind; those that are one person or place with an earlier one are left
    out and have given it their mass. `hints` is the reading of the hint that fits each best; `bits` is all evidence,
    context included.
    """

    hints: tuple[Hint, ...]
    records: tuple[int, ...]
    comparisons: tuple[Comparison, ...]
    bits: tuple[float, ...]
    probabilities: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """The answers to many hints of one kind: index of the best record (-1: none), its probability, the second's."""

    best: np.ndarray
    probability: np.ndarray
    second: np.ndarray
    tier: np.ndarray
    """Rank of the tier before caps: 3 HIGH, 2 MEDIUM, 1 LOW, 0 UNRESOLVABLE."""


class KindOnPhone:
    """The records of one kind on one phone, indexed."""

    def __init__(self, kind: Kind, phone: Phone, heuristics: Heuristics) -> None:
        self.kind = kind
        self.phone = phone
        self.new_hours = heuristics.caps.new_contact_hours
        self.weights = Weights(heuristics, kind.name)
        self.records = kind.records(phone.device)
        likeness = heuristics.likeness
        self.index = NameIndex([kind.entry(r) for r in self.records], likeness.vector, likeness.bands)
        self._keys: dict[int, str] = {}

    def key(self, at: int) -> str:
        """The identity of a record, by which ties are ordered."""
        if at not in self._keys:
            self._keys[at] = key_of(self.kind.value(self.records[at], self.phone.device))
        return self._keys[at]

    def compare(self, hint: Hint) -> list[Comparison]:
        """Every record that the hint reaches."""
        known = self.kind.identified(hint.text, self.records)
        if known:
            return [Comparison(at, (EXACT,) * len(hint.words), WHOLE, False, 0) for at in known]
        return self.index.compare(hint.words, hint.concepts, hint.spelled)

    def scores(self, hint: Hint) -> Scores:
        """Compare, weigh, normalise, merge records of one thing, calibrate."""
        weights = self.weights
        best: dict[int, tuple[float, Comparison, Hint]] = {}
        reading: Hint | None = hint
        while reading is not None:
            for c in self.compare(reading):
                bits_here = weights.bits(c, reading.words) + self.context_bits(c.candidate, reading)
                if c.candidate not in best or bits_here > best[c.candidate][0]:
                    best[c.candidate] = bits_here, c, reading
            reading = reading.otherwise
        bits = [found[0] for found in best.values()]
        comparisons = [found[1] for found in best.values()]
        readings = [found[2] for found in best.values()]
        unreached = weights.absent * len(hint.words)
        shares, _ = posterior(bits, len(self.records), weights.of.none, unreached)
        order = sorted(range(len(bits)), key=lambda i: (-shares[i], self.key(comparisons[i].candidate)))
        order, shares = self._merged(order, shares, comparisons)
        return Scores(
            tuple(readings[i] for i in order),
            tuple(comparisons[i].candidate for i in order),
            tuple(comparisons[i] for i in order),
            tuple(bits[i] for i in order),
            tuple(calibrated(shares[i], weights.of) for i in order),
        )

    def context_bits(self, at: int, hint: Hint) -> float:
        """The bits of what the phone shows of a record besides its name."""
        context = self.weights.context
        return sum(context.get(fact.name, 0.0) for fact in self.kind.context(self.records[at], self.phone, hint))

    def _merged(
        self, order: list[int], shares: list[float], comparisons: Sequence[Comparison]
    ) -> tuple[list[int], list[float]]:
        shares = list(shares)
        kept: list[int] = []
        for i in order[:MERGED_AMONG]:
            record = self.records[comparisons[i].candidate]
            for k in kept:
                if shares[i] > 0 and self.kind.same(self.records[comparisons[k].candidate], record, self.phone):
                    shares[k] += shares[i]
                    break
            else:
                kept.append(i)
        merged = sorted(kept, key=lambda i: -shares[i]) if len(kept) < len(order[:MERGED_AMONG]) else kept
        return merged + order[MERGED_AMONG:], shares


@dataclass(frozen=True, slots=True)
class EvidenceResolver:
    """Fellegi–Sunter evidence, calibrated posterior, thresholds and caps, all from one set of heuristics."""

    heuristics: Heuristics = field(default_factory=default_heuristics)
    name: str = "evidence"

    def on(self, device: DeviceContext) -> EvidenceOnPhone:
        """See `Resolver`."""
        return EvidenceOnPhone(self.heuristics, device)


class EvidenceOnPhone:
    """The evidence resolver on one phone."""

    def __init__(self, heuristics: Heuristics, device: DeviceContext) -> None:
        self.heuristics = heuristics
        self.phone = Phone(device)
        self._kinds: dict[ParameterKind, KindOnPhone] = {}

    def of(self, name: ParameterKind) -> KindOnPhone:
        """The indexed records of one kind."""
        if name not in self._kinds:
            self._kinds[name] = KindOnPhone(KINDS[name], self.phone, self.heuristics)
        return self._kinds[name]

    def resolve(self, parameter: Parameter, action: str) -> ParameterValue:
        """See `PhoneResolver`."""
        here = self.of(parameter.kind)
        hint = here.kind.read(parameter.hint or "")
        if not hint.words:
            return self._unsaid(here, action) if not (parameter.hint or "").strip() else unresolvable(parameter.kind)
        return self._answer(here, here.scores(hint), action)

    def columns(self, name: ParameterKind, hints: Sequence[str]) -> Columns:
        """The answers to many hints of one kind, caps apart: the same numbers as `resolve` gives, without objects."""
        here = self.of(name)
        read = [here.kind.read(text) for text in hints]
        here.index.prepare(word for hint in read for word in (*hint.words, *hint.spelled))
        best = np.full(len(read), -1, dtype=np.int64)
        probability, second = np.zeros(len(read)), np.zeros(len(read))
        tier = np.zeros(len(read), dtype=np.int8)
        for at, hint in enumerate(read):
            if hint.words:
                scores = here.scores(hint)
                if scores.records:
                    best[at], probability[at] = scores.records[0], scores.probabilities[0]
                    second[at] = scores.probabilities[1] if len(scores.records) > 1 else 0.0
                    tier[at] = tier_of(probability[at], here.weights.of.tiers).rank
        return Columns(best, probability, second, tier)

    def _unsaid(self, here: KindOnPhone, action: str) -> ParameterValue:
        """Nothing was said: what the kind means by that, if anything."""
        record = here.kind.without_hint(self.phone.device)
        if record is None:
            return unresolvable(here.kind.name)
        bits = here.weights.context.get("default", 0.0)
        p = 1 / (1 + 2.0**-bits)
        tier, caps = capped(tier_of(p, here.weights.of.tiers), self._facts(here, record, None, action))
        if tier is ResolutionConfidence.UNRESOLVABLE:
            return unresolvable(here.kind.name)
        return ParameterValue(
            here.kind.name,
            here.kind.value(record, self.phone.device),
            tier,
            here.kind.source(record),
            p,
            evidence=(Evidence("default", bits, "nothing was said"),),
            caps=caps,
        )

    def _facts(self, here: KindOnPhone, record: Any, hint: Hint | None, action: str) -> list[Fact]:
        facts = here.kind.caps(record, self.phone, here.new_hours)
        if action in self.heuristics.caps.stakes:
            facts.append(Fact("stakes", f"{action} always shows its parameters"))
        if hint is not None and "deixis" in hint.traits:
            facts.append(Fact("deixis", "the hint points instead of naming"))
        return facts

    def _answer(self, here: KindOnPhone, scores: Scores, action: str) -> ParameterValue:
        device = self.phone.device
        values = [here.kind.value(here.records[at], device) for at in scores.records[: MAX_ALTERNATIVES + 1]]
        shown = [
            Alternative(v, p, here.kind.source(here.records[at]))
            for v, p, at in zip(values, scores.probabilities, scores.records, strict=False)
            if p >= LEAST_SHOWN
        ]
        if not shown:
            return unresolvable(here.kind.name)
        best, chance = shown[0], scores.probabilities[0]
        record = here.records[scores.records[0]]
        tier, caps = capped(tier_of(chance, here.weights.of.tiers), self._facts(here, record, scores.hints[0], action))
        if tier is ResolutionConfidence.UNRESOLVABLE:
            return unresolvable(here.kind.name, tuple(shown[:MAX_ALTERNATIVES]))
        return ParameterValue(
            here.kind.name,
            best.value,
            tier,
            best.source,
            chance,
            tuple(shown[1:]),
            self._evidence(here, scores),
            caps,
        )

    def _evidence(self, here: KindOnPhone, scores: Scores) -> tuple[Evidence, ...]:
        hint, best = scores.hints[0], scores.comparisons[0]
        forms = here.index.forms[best.candidate]
        said = forms[best.name].words if forms else ()
        levels = [here.index.levels_of(word) for word in hint.words]
        matched = [
            next((o for o in said if near.get(o) == level), "") if level < DESCRIBED else ""
            for near, level in zip(levels, best.levels, strict=True)
        ]
        terms = here.weights.evidence(best, hint.words, matched)
        record, context = here.records[best.candidate], here.weights.context
        terms += [
            Evidence(fact.name, context[fact.name], fact.detail)
            for fact in here.kind.context(record, self.phone, hint)
            if fact.name in context
        ]
        return tuple(terms)
