"""What a hint is worth against every record of one kind on one phone: the path of single and batch resolving alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from starebrain.kinds import Hint, Kind, Phone
from starebrain.matching.index import DESCRIBED, EXACT, NAMED, WHOLE, Comparison, NameIndex
from starebrain.matching.likeness import Bands
from starebrain.matching.posterior import Weights, calibrated, posterior
from starebrain.resolution import MAX_ALTERNATIVES, Evidence, key_of

NEGLIGIBLE = 1e-8
"""Share of the best one's probability below which a record is not looked at for being the same thing."""
CLOSEST = 8
"""How many of the most probable records are put in order and looked at for being the same thing."""


class Scored(NamedTuple):
    """One record: all evidence in bits, its comparison, the reading of the hint that was compared, its probability."""

    bits: float
    comparison: Comparison
    hint: Hint
    probability: float


class KindOnPhone:
    """The records of one kind on one phone, indexed; what is derived from a record is kept."""

    def __init__(self, kind: Kind, phone: Phone, weights: Weights, bands: Bands) -> None:
        self.kind = kind
        self.phone = phone
        self.weights = weights
        self.records = kind.records(phone.device)
        self.index = NameIndex(map(kind.entry, self.records), bands, weights.words)
        self._keys: dict[int, str] = {}
        self._identities: dict[int, frozenset[Any]] = {}
        self._context: dict[frozenset[str], list[float | None]] = {}

    def key(self, at: int) -> str:
        """The identity of a record, by which ties are ordered."""
        if at not in self._keys:
            self._keys[at] = key_of(self.kind.value(self.records[at], self.phone.device))
        return self._keys[at]

    def compare(self, hint: Hint) -> list[Comparison]:
        """Every record that one reading of a hint reaches."""
        known = self.kind.identified(hint.text, self.records)
        if known:
            return [Comparison(at, (EXACT,) * len(hint.words), WHOLE, False, 0) for at in known]
        return self.index.compare(hint.words, hint.concepts, hint.spelled, hint.narrowed)

    def scores(self, hint: Hint) -> list[Scored]:
        """The records that a hint reaches, most probable first (ties by key), the six best with their probabilities.

        Evidence is summed, the posterior normalised, records of one person or place give their share to the best of
        them and are left out, and what remains is calibrated.
        """
        weights, words = self.weights, len(hint.words)
        found = self._weighed(hint)
        if hint.otherwise is not None:
            found += self._weighed(hint.otherwise)
            found = list({one.comparison.candidate: one for one in sorted(found, key=lambda one: one.bits)}.values())
        shares = posterior([one.bits for one in found], len(self.records), weights.of.none, weights.absent * words)
        order = sorted(range(len(found)), key=shares.__getitem__, reverse=True)
        if len(order) > 1:
            order = self._in_order(order, shares, found)
        return [found[i]._replace(probability=calibrated(shares[i], weights.of)) for i in order[: MAX_ALTERNATIVES + 1]]

    def evidence(self, one: Scored) -> tuple[Evidence, ...]:
        """The terms of a record's bits, named, with what each word was compared with."""
        hint, comparison = one.hint, one.comparison
        forms = self.index.forms[comparison.candidate]
        said = forms[comparison.name].words if forms else ()
        matched = []
        for word, level in zip(hint.words, comparison.levels, strict=True):
            near = self.index.levels_of(word) if level < DESCRIBED else {}
            seen = EXACT if level == NAMED else level
            matched.append(next((other for other in said if near.get(other) == seen), ""))
        weigh = self.weights.context
        facts = self.kind.context(self.records[comparison.candidate], self.phone, hint.traits)
        about = [Evidence(fact.name, weigh[fact.name], fact.detail) for fact in facts if fact.name in weigh]
        return (*self.weights.evidence(comparison, hint.words, matched), *about)

    def _weighed(self, hint: Hint) -> list[Scored]:
        bits, scales, traits = self.weights.bits, self.weights.scale(hint.words), hint.traits
        context = self._context.get(traits)
        if context is None:
            context = self._context[traits] = [None] * len(self.records)
        found = []
        for comparison in self.compare(hint):
            at = comparison.candidate
            known = context[at]
            if known is None:
                known = context[at] = self._context_bits(at, traits)
            found.append(Scored(bits(comparison, scales) + known, comparison, hint, 0.0))
        return found

    def _context_bits(self, at: int, traits: frozenset[str]) -> float:
        weigh = self.weights.context
        facts = self.kind.context(self.records[at], self.phone, traits)
        return sum([weigh.get(fact.name, 0.0) for fact in facts])

    def _in_order(self, order: list[int], shares: list[float], found: Sequence[Scored]) -> list[int]:
        """The closest of `order` after records of one thing have given their share to the best of them."""
        least = shares[order[0]] * NEGLIGIBLE
        close = [i for i in order[:CLOSEST] if shares[i] >= least]
        close += [i for i in order[CLOSEST:] if shares[i] == shares[close[-1]]]
        close.sort(key=lambda i: (-shares[i], self.key(found[i].comparison.candidate)))
        kept: list[int] = []
        for i in close:
            one = self._first_like(found[i].comparison.candidate, kept, found)
            if one is None:
                kept.append(i)
            else:
                shares[one] += shares[i]
        if len(kept) < len(close):
            kept.sort(key=lambda i: (-shares[i], self.key(found[i].comparison.candidate)))
        return kept

    def _first_like(self, at: int, kept: Sequence[int], found: Sequence[Scored]) -> int | None:
        """The first of `kept` that is the same person or place as record `at`."""
        identities = self._identities_of(at)
        if not identities:
            return None
        for k in kept:
            other = found[k].comparison.candidate
            if identities & self._identities_of(other) and self.kind.compatible(self.records[other], self.records[at]):
                return k
        return None

    def _identities_of(self, at: int) -> frozenset[Any]:
        known = self._identities.get(at)
        if known is None:
            known = self._identities[at] = self.kind.identities(self.records[at], self.phone)
        return known
