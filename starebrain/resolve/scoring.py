"""What hints are worth against every record of one kind on one phone: the path of single and batch resolving alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np

from starebrain.kinds import Hint, Kind, Phone
from starebrain.matching.index import NameIndex, Question, comparisons_of
from starebrain.matching.kernels import scored
from starebrain.matching.levels import Comparison
from starebrain.matching.likeness import Bands
from starebrain.matching.posterior import Weights, calibrated
from starebrain.resolution import MAX_ALTERNATIVES, Evidence, key_of


class Scored(NamedTuple):
    """One record: all evidence in bits, its comparison, the reading of the hint that was compared, its probability."""

    bits: float
    comparison: Comparison
    hint: Hint
    probability: float


class Scores(NamedTuple):
    """What many hints are worth: their readings, a line for each comparison, and its bits.

    `closest` holds, a hint each, the lines of the closest records with their share of the probability, highest first.
    """

    readings: Sequence[Hint]
    lines: np.ndarray
    bits: np.ndarray
    closest: Sequence[list[tuple[float, int]]]


class KindOnPhone:
    """The records of one kind on one phone, indexed; what is derived from a record is kept."""

    def __init__(self, kind: Kind, phone: Phone, weights: Weights, bands: Bands) -> None:
        self.kind = kind
        self.phone = phone
        self.weights = weights
        self.records = kind.records(phone.device)
        self.index = NameIndex(map(kind.entry, self.records), bands)
        self.values = [kind.value(record, phone.device) for record in self.records]
        self.keys = [*map(key_of, self.values)]
        self._precedence = np.empty(len(self.keys), np.int64)
        self._precedence[sorted(range(len(self.keys)), key=self.keys.__getitem__)] = np.arange(len(self.keys))
        self._identities: dict[int, frozenset[Any]] = {}
        self._traits: dict[frozenset[str], int] = {}
        self._context = np.zeros((0, len(self.records)))
        self._line(frozenset())

    def question(self, hints: Sequence[Sequence[Hint]]) -> Question:
        """Hints, each as its readings, none of which is empty, as numbers."""
        identified, records = self.kind.identified, self.records
        known = [identified(one.text, records) for readings in hints for one in readings]
        traits = [self._line(one.traits) for readings in hints for one in readings]
        return self.index.question(hints, known, traits)

    def compare(self, hint: Hint) -> list[Comparison]:
        """Every record that one reading of a hint reaches."""
        lines = self.score((replace(hint, otherwise=None),)).lines
        return [one for _, one in comparisons_of(lines, range(len(lines)), [len(hint.words)])]

    def scores(self, hint: Hint) -> list[Scored]:
        """The records that a hint reaches, most probable first (ties by key), six at most."""
        readings, lines, bits, (closest,) = self.score((hint,))
        del closest[MAX_ALTERNATIVES + 1 :]
        found = comparisons_of(lines, [line for _, line in closest], [len(one.words) for one in readings])
        return [
            Scored(float(bits[line]), one, readings[reading], calibrated(share, self.weights.of))
            for (share, line), (reading, one) in zip(closest, found, strict=True)
        ]

    def score(self, hints: Sequence[Hint]) -> Scores:
        """What each of several hints, none of which is empty, is worth against every record.

        Evidence is summed, the posterior normalised, records of one person or place give their share to the best of
        them and are left out, and what remains is calibrated.
        """
        read = [(hint,) if hint.otherwise is None else (hint, hint.otherwise) for hint in hints]
        question, index = self.question(read), self.index
        rarity = np.array([self.weights.rarity(word) for word in question.words], np.float64)
        lines, bits, starts, order, shares = scored(
            question.packed,
            index.packed,
            index.bands.weights,
            index.bands.least,
            self.weights.numbers,
            rarity,
            self._context,
            self._precedence,
        )
        closest = self._closest(starts, order, shares, lines[:, 1])
        return Scores([*chain.from_iterable(read)], lines, bits, closest)

    def evidence(self, one: Scored) -> tuple[Evidence, ...]:
        """The terms of a record's bits, named, with what each word was compared with."""
        comparison, weigh = one.comparison, self.weights.context
        name = self.index.name_of(comparison)
        matched = ["" if place < 0 else name[place] for place in comparison.places]
        facts = self.kind.context(self.records[comparison.candidate], self.phone, one.hint.traits)
        about = [Evidence(fact.name, weigh[fact.name], fact.detail) for fact in facts if fact.name in weigh]
        return (*self.weights.evidence(comparison, one.hint.words, matched), *about)

    def _line(self, traits: frozenset[str]) -> int:
        """The line of `_context` that says what the phone shows of each record, given traits of a hint, in bits."""
        known = self._traits.get(traits)
        if known is None:
            weigh = self.weights.context
            line = [
                sum([weigh.get(fact.name, 0.0) for fact in self.kind.context(record, self.phone, traits)])
                for record in self.records
            ]
            self._context = np.vstack([self._context, np.array(line, np.float64)])
            known = self._traits[traits] = len(self._traits)
        return known

    def _closest(
        self, starts: np.ndarray, order: np.ndarray, shares: np.ndarray, records: np.ndarray
    ) -> list[list[tuple[float, int]]]:
        """The closest lines of each hint after records of one thing have given their share to the best of them."""
        whose, closest = records[order].tolist(), [*zip(shares.tolist(), order.tolist(), strict=True)]
        found = []
        for begin, end in pairwise(starts.tolist()):
            own = closest[begin:end]
            if end - begin > 1:
                own = self._together(own, whose[begin:end])
            found.append(own)
        return found

    def _together(self, close: list[tuple[float, int]], whose: Sequence[int]) -> list[tuple[float, int]]:
        """Shares and lines without those of records that are one thing with a better one; `whose` are the records."""
        identities = [*map(self._identities_of, whose)]
        if sum(map(bool, identities)) < 2:
            return close
        kept: list[int] = []
        bearers: dict[Any, list[int]] = {}
        for place, own in enumerate(identities):
            alike = sorted({k for identity in own for k in bearers.get(identity, ())})
            record = self.records[whose[place]]
            first = next((k for k in alike if self.kind.compatible(self.records[whose[k]], record)), None)
            if first is None:
                kept.append(place)
                for identity in own:
                    bearers.setdefault(identity, []).append(place)
            else:
                close[first] = (close[first][0] + close[place][0], close[first][1])
        if len(kept) < len(close):
            kept.sort(key=lambda place: (-close[place][0], self._precedence[whose[place]]))
        return [close[place] for place in kept]

    def _identities_of(self, at: int) -> frozenset[Any]:
        known = self._identities.get(at)
        if known is None:
            known = self._identities[at] = self.kind.identities(self.records[at], self.phone)
        return known
