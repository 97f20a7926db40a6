"""What would change an answer: the smallest change of evidence, or of the snapshot, that flips tier or choice."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

from starebrain.matching.heuristics import Heuristics, KindHeuristics, default_heuristics
from starebrain.matching.tiers import tier_of
from starebrain.resolution import ParameterValue, ResolutionConfidence, key_of

LOGIT_LIMIT = 1e-12


@dataclass(frozen=True, slots=True)
class Change:
    """One change that flips an answer: what, by how many bits of evidence, and what the tier would be then.

    `bits` is the size of the change, 0 or more; it is infinite for a change that no evidence makes (a cap lifted).
    `choice` is the key of the value that would be chosen, None where it stays as it is.
    """

    what: str
    bits: float
    tier: ResolutionConfidence
    choice: str | None = None


def what_would_change(value: ParameterValue, heuristics: Heuristics | None = None) -> tuple[Change, ...]:
    """The changes that flip tier or choice, smallest first; () for an answer without probability.

    Considered are: evidence in general (how many bits more, or fewer, reach the next tier), each piece of evidence
    taken away, the runner-up gaining what it lacks, each runner-up gone from the phone, and each cap lifted.
    """
    if value.probability is None:
        return ()
    of = (heuristics or default_heuristics()).kinds[value.kind]
    changes = [*_thresholds(value, of), *_evidence_gone(value, of), *_rivals(value, of), *_caps(value, of)]
    return tuple(sorted(changes, key=lambda change: (change.bits, change.what)))


def _logit(p: float) -> float:
    p = min(max(p, LOGIT_LIMIT), 1 - LOGIT_LIMIT)
    return log(p / (1 - p))


def _bits_between(p: float, q: float, of: KindHeuristics) -> float:
    """Bits of evidence for one candidate that move its calibrated probability from `p` to `q`."""
    return (_logit(q) - _logit(p)) / of.calibration.slope / log(2)


def _after(p: float, bits: float, of: KindHeuristics) -> float:
    """The calibrated probability after `bits` more evidence."""
    odds = _logit(p) + bits * log(2) * of.calibration.slope
    return 1 / (1 + 2.718281828459045**-odds) if odds > -700 else 0.0


def _thresholds(value: ParameterValue, of: KindHeuristics) -> list[Change]:
    p = value.probability or 0.0
    now = tier_of(p, of.tiers)
    least = {
        ResolutionConfidence.HIGH: of.tiers.high,
        ResolutionConfidence.MEDIUM: of.tiers.medium,
        ResolutionConfidence.LOW: of.tiers.low,
    }
    changes = []
    for tier, threshold in least.items():
        if tier.rank == now.rank + 1 and threshold < 1:
            changes.append(Change("more evidence", _bits_between(p, threshold, of), tier))
        if tier is now:
            below = next(t for t in ResolutionConfidence if t.rank == now.rank - 1)
            changes.append(Change("less evidence", -_bits_between(p, threshold, of), below))
    return changes


def _evidence_gone(value: ParameterValue, of: KindHeuristics) -> list[Change]:
    p = value.probability or 0.0
    now = tier_of(p, of.tiers)
    changes = []
    for term in value.evidence:
        tier = tier_of(_after(p, -term.bits, of), of.tiers)
        if tier is not now:
            changes.append(Change(f"without {term.name}", abs(term.bits), tier))
    return changes


def _rivals(value: ParameterValue, of: KindHeuristics) -> list[Change]:
    p = value.probability or 0.0
    now = tier_of(p, of.tiers)
    changes = []
    for place, rival in enumerate(value.alternatives):
        q = rival.probability or 0.0
        if place == 0 and q > 0:
            lacking = _bits_between(q, p, of)
            even = tier_of(_after(p, -1.0, of), of.tiers)
            changes.append(Change(f"more evidence for {key_of(rival.value)}", lacking, even, key_of(rival.value)))
        alone = tier_of(min(1.0, p / max(1 - q, p, LOGIT_LIMIT)), of.tiers)
        if alone is not now:
            changes.append(Change(f"{key_of(rival.value)} not on the phone", q, alone))
    return changes


def _caps(value: ParameterValue, of: KindHeuristics) -> list[Change]:
    uncapped = tier_of(value.probability or 0.0, of.tiers)
    rules = sorted({cap.rule for cap in value.caps})
    return [Change(f"{' and '.join(rules)} lifted", float("inf"), uncapped)] if rules else []
