"""Fitting: the only code that turns gold into numbers.

Weights are counted and calibration is fitted on the train split (cross-fitted: each half is scored with the weights of
the other), thresholds are certified on the calibration split, and the test split is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain

import numpy as np

from starebrain.dataset import LabelledPhone, LabelledSource, Split
from starebrain.fit.calibration import platt
from starebrain.fit.guarantee import Guarantee, certify
from starebrain.fit.weights import FITTED, Counts, count, fitted
from starebrain.intent import ParameterKind
from starebrain.matching.heuristics import Calibration, Heuristics, Tiers
from starebrain.resolution import is_one_of
from starebrain.resolve.context_resolver import EvidenceResolver


@dataclass(frozen=True, slots=True)
class Fit:
    """Fitted heuristics, and for each kind what could be guaranteed of its HIGH."""

    heuristics: Heuristics
    guarantees: Mapping[ParameterKind, Guarantee]


@dataclass(frozen=True, slots=True)
class Answer:
    """The best candidate of one hint: its probability, and whether filling it in would be right, or a silent error."""

    phone: str
    cluster: str
    kind: ParameterKind
    probability: float
    right: bool
    silent_error: bool
    capped: bool


def fit(
    sources: Sequence[LabelledSource],
    base: Heuristics,
    *,
    certified_on: Sequence[LabelledSource],
    source: str,
    alpha: float = 0.005,
    delta: float = 0.05,
) -> Fit:
    """Learn weights and calibration from the train splits of `sources`, thresholds of HIGH from `certified_on`.

    The rate of silent errors among HIGHs is at most `alpha` with probability 1 - `delta`, a kind each, for phones like
    those of `certified_on`. Where nothing can be certified the threshold of `base` stays.
    """
    halves: tuple[list[LabelledPhone], ...] = ([], [])
    for phone in chain.from_iterable(s.phones(Split.TRAIN) for s in sources):
        halves[half_of(phone.device_id)].append(phone)
    counted = [count(half, base) for half in halves]
    crossed = [
        answer
        for half, other in ((halves[0], counted[1]), (halves[1], counted[0]))
        for answer in answers(half, uncalibrated(fitted(base, other, source)))
    ]
    both = {kind: counted[0][kind] + counted[1][kind] for kind in counted[0]}
    heuristics = fitted(base, both, source)
    kinds = dict(heuristics.kinds)
    for kind in FITTED:
        kinds[kind] = replace(kinds[kind], calibration=_calibration(crossed, kind))
    heuristics = replace(heuristics, kinds=kinds)
    guarantees = guaranteed(certified_on, heuristics, alpha=alpha, delta=delta)
    for kind, guarantee in guarantees.items():
        if guarantee.threshold is not None:
            tiers = kinds[kind].tiers
            kinds[kind] = replace(kinds[kind], tiers=Tiers(guarantee.threshold, tiers.medium, tiers.low))
    return Fit(replace(heuristics, kinds=kinds), guarantees)


def guaranteed(
    sources: Sequence[LabelledSource], heuristics: Heuristics, *, alpha: float = 0.005, delta: float = 0.05
) -> Mapping[ParameterKind, Guarantee]:
    """What can be certified of HIGH for each kind, on one hint of every phone of the calibration splits of `sources`.

    `alpha` and `delta` as in `fit`. Answers that a cap holds down are left out: no threshold makes them HIGH.
    """
    held = list(chain.from_iterable(answers(s.phones(Split.CALIBRATION), heuristics) for s in sources))
    return {kind: _certified(held, kind, alpha, delta) for kind in FITTED}


def answers(phones: Iterable[LabelledPhone], heuristics: Heuristics) -> Iterator[Answer]:
    """The best candidate for every parameter with a hint that reached any; LOW and UNRESOLVABLE included."""
    resolver = EvidenceResolver(heuristics)
    for phone in phones:
        on = resolver.on(phone.device)
        for asked in phone.intents:
            for parameter, label in zip(asked.intent.required_parameters, asked.labels, strict=True):
                if not (parameter.hint or "").strip():
                    continue
                got = on.resolve(parameter, asked.intent.action)
                best, p = got.value, got.probability
                if best is None and got.alternatives:
                    best, p = got.alternatives[0].value, got.alternatives[0].probability
                if best is not None and p is not None:
                    right = is_one_of(best, label.intended)
                    error = not right or label.ambiguous
                    yield Answer(phone.device_id, label.cluster, parameter.kind, p, right, error, bool(got.caps))


def half_of(device_id: str) -> int:
    """Which half of a split a phone belongs to: 0 or 1, by the SHA-256 of its id."""
    return sha256(device_id.encode()).digest()[0] & 1


def uncalibrated(heuristics: Heuristics) -> Heuristics:
    """The heuristics with the identity for calibration."""
    return replace(
        heuristics, kinds={kind: replace(of, calibration=Calibration()) for kind, of in heuristics.kinds.items()}
    )


def _calibration(crossed: Sequence[Answer], kind: ParameterKind) -> Calibration:
    here = [a for a in crossed if a.kind is kind]
    return platt(
        np.array([a.probability for a in here]),
        np.array([a.right for a in here], bool),
        np.array([a.cluster for a in here]),
    )


def _certified(held: Sequence[Answer], kind: ParameterKind, alpha: float, delta: float) -> Guarantee:
    """Certify on one hint a phone: the one whose digest is least, so that no label has a say."""
    chosen: dict[str, tuple[str, Answer]] = {}
    for number, a in enumerate(held):
        if a.kind is kind and not a.capped:
            digest = sha256(f"{a.phone} {number}".encode()).hexdigest()
            if a.phone not in chosen or digest < chosen[a.phone][0]:
                chosen[a.phone] = digest, a
    one = [a for _, a in chosen.values()]
    return certify(
        np.array([a.probability for a in one]), np.array([a.silent_error for a in one], bool), alpha=alpha, delta=delta
    )


def guarantees_text(learnt: Fit) -> str:
    """What was certified, a line a kind: the threshold, and the tests with their n and silent errors."""
    lines = []
    for kind, guarantee in learnt.guarantees.items():
        if guarantee.threshold is None:
            last = f" (of {guarantee.tests[-1].n} hints {guarantee.tests[-1].errors})" if guarantee.tests else ""
            lines.append(
                f"{kind}: nothing can be certified at {guarantee.alpha:.2%}{last}; it takes {guarantee.missing} more "
                f"phones without a silent error. HIGH stays at {learnt.heuristics.kinds[kind].tiers.high}."
            )
        else:
            passed = next(test for test in guarantee.tests if test.threshold == guarantee.threshold)
            lines.append(
                f"{kind}: HIGH from {guarantee.threshold}: at most {guarantee.alpha:.2%} silent errors among HIGHs, "
                f"with probability {1 - guarantee.delta:.0%} ({passed.errors} of {passed.n} phones, p = {passed.p:.3f})"
            )
    return "\n".join(lines)


__all__ = ["Counts", "Fit", "answers", "fit", "guaranteed", "guarantees_text"]
