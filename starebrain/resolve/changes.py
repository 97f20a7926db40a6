"""What would change an answer: the smallest change of evidence, or of the snapshot, that flips tier or choice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, inf, log, log2

from starebrain.matching.heuristics import Calibration, Heuristics, KindHeuristics, default_heuristics
from starebrain.matching.posterior import calibrated
from starebrain.matching.tiers import tier_of
from starebrain.resolution import ContextSource, ParameterValue, ResolutionConfidence, key_of

USER_PROVIDED = ContextSource.USER_PROVIDED
NUDGE = 1e-4
"""Bits by which a change goes beyond the point at which an answer flips."""
SUREST = 1 - 1e-11
"""Probability above which too few digits are left to say how much evidence there is."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change that flips an answer: what, by how many bits of evidence, and what the tier would be then.

    `bits` is the size of the change, 0 or more; it is infinite for a change that no evidence makes (a cap lifted).
    `choice` is the key of the value that would be chosen, None where it stays as it is. Of another choice the caps are
    not known, and candidates that were too improbable to be shown are not either: where much evidence goes, one of them
    may come first instead.
    """

    what: str
    bits: float
    tier: ResolutionConfidence
    choice: str | None = None


def what_would_change(value: ParameterValue, heuristics: Heuristics | None = None) -> tuple[Change, ...]:
    """The changes that flip tier or choice, smallest first; () for an answer without probability.

    Considered are: more evidence, or less, for the most probable candidate; each piece of its evidence taken away; more
    evidence for the runner-up; each runner-up gone from the phone (or what is left is one of fewer, and the tier may
    rise further); the caps lifted. `heuristics` are those that the answer was made with.
    """
    of = (heuristics or default_heuristics()).kinds[value.kind]
    if [term.name for term in value.evidence] == ["default"]:
        of = replace(of, calibration=Calibration())  # what is meant where nothing was said is not calibrated
    answer = _Answer.of(value, of)
    if answer is None:
        return ()
    changes = [*_more(answer), *_less(answer), *_without(answer), *_rival(answer), *_gone(answer), *_lifted(answer)]
    return tuple(sorted(changes, key=lambda change: (change.bits, change.what)))


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer as masses: those of the candidates in the order of `keys`, 1 for the best, and `rest` for all else.

    `listed` says which candidates the phone lists: readings of a time are not there to be removed.
    """

    value: ParameterValue
    numbers: KindHeuristics
    keys: tuple[str, ...]
    listed: tuple[bool, ...]
    masses: tuple[float, ...]
    rest: float

    @classmethod
    def of(cls, value: ParameterValue, numbers: KindHeuristics) -> _Answer | None:
        """The masses that the probabilities of an answer stand for, None where there is none or it is too sure."""
        shown = [] if value.value is None else [(value.value, value.probability, value.source)]
        shown += [(other.value, other.probability, other.source) for other in value.alternatives]
        known = [(key_of(candidate), p, source is not USER_PROVIDED) for candidate, p, source in shown if p]
        if not known or known[0][1] > SUREST or (value.value is not None and value.probability is None):
            return None
        keys, probabilities, listed = zip(*known, strict=True)
        odds = [_odds(p, numbers) for p in probabilities]
        total = 1 + 1 / odds[0]
        masses = (1.0, *(total * o / (1 + o) for o in odds[1:]))
        return cls(value, numbers, keys, listed, masses, max(0.0, total - sum(masses)))

    def tier(self, masses: Sequence[float], rest: float) -> tuple[ResolutionConfidence, str | None]:
        """Tier and changed choice with other masses; another one is chosen where it is clearly ahead."""
        best = max(range(len(masses)), key=lambda i: masses[i] * (2 ** (NUDGE / 2) if i == 0 else 1))
        tier = tier_of(calibrated(masses[best] / (sum(masses) + rest), self.numbers), self.numbers.tiers)
        if best == 0 and self.value.caps and tier is ResolutionConfidence.HIGH:
            tier = ResolutionConfidence.MEDIUM
        return tier, None if best == 0 else self.keys[best]

    def change(self, what: str, bits: float, masses: Sequence[float], rest: float | None = None) -> Iterator[Change]:
        """The change, if it flips anything."""
        tier, choice = self.tier(masses, self.rest if rest is None else rest)
        asked = tier is ResolutionConfidence.UNRESOLVABLE
        if tier is not self.value.confidence or (choice is not None and not asked):
            yield Change(what, bits, tier, choice)

    def others(self) -> float:
        """The mass of everything but the best."""
        return sum(self.masses[1:]) + self.rest

    def reaching(self, threshold: float) -> float:
        """The mass of the best, others as they are, at which its calibrated probability is `threshold`."""
        return _odds(threshold, self.numbers) * self.others()


def _odds(p: float, of: KindHeuristics) -> float:
    """The odds, before calibration, of a calibrated probability between 0 and 1."""
    return exp((log(p / (1 - p)) - of.calibration.offset) / of.calibration.slope)


def _least(answer: _Answer, tier: ResolutionConfidence) -> float | None:
    """The threshold of a tier, where a probability can be on either side of it."""
    tiers = answer.numbers.tiers
    least = {
        ResolutionConfidence.HIGH: tiers.high,
        ResolutionConfidence.MEDIUM: tiers.medium,
        ResolutionConfidence.LOW: tiers.low,
    }[tier]
    return least if 0 < least < 1 else None


def _more(answer: _Answer) -> Iterator[Change]:
    """More evidence for the best candidate, up to the next tier."""
    for tier in (ResolutionConfidence.HIGH, ResolutionConfidence.MEDIUM, ResolutionConfidence.LOW):
        if tier.rank == answer.value.confidence.rank + 1 and (least := _least(answer, tier)) is not None:
            bits = log2(answer.reaching(least)) + NUDGE if answer.others() else 0.0
            if bits > 0:
                yield from answer.change("more evidence", bits, (2.0**bits, *answer.masses[1:]))


def _less(answer: _Answer) -> Iterator[Change]:
    """Less evidence for the best candidate, down to the next tier or until another one is chosen."""
    now = answer.value.confidence
    points = [-log2(mass) for mass in answer.masses[1:2]]
    if now is not ResolutionConfidence.UNRESOLVABLE and (least := _least(answer, now)) is not None and answer.others():
        points.append(-log2(answer.reaching(least)))
    if points:
        bits = max(0.0, min(points)) + NUDGE
        yield from answer.change("less evidence", bits, (2.0**-bits, *answer.masses[1:]))


def _without(answer: _Answer) -> Iterator[Change]:
    """Each piece of evidence taken away from the best candidate."""
    for term in answer.value.evidence:
        yield from answer.change(f"without {term.name}", abs(term.bits), (2.0**-term.bits, *answer.masses[1:]))


def _rival(answer: _Answer) -> Iterator[Change]:
    """More evidence for the runner-up: until the tier falls, and until it is chosen."""
    if len(answer.masses) < 2:
        return
    mass, key, now = answer.masses[1], answer.keys[1], answer.value.confidence
    points = [-log2(mass)]
    if now is not ResolutionConfidence.UNRESOLVABLE and (least := _least(answer, now)) is not None:
        allowed = 1 / _odds(least, answer.numbers) - (answer.others() - mass)
        if mass < allowed < 1:
            points.append(log2(allowed / mass))
    for point in points:
        bits = max(0.0, point) + NUDGE
        yield from answer.change(f"more evidence for {key}", bits, (1.0, mass * 2.0**bits, *answer.masses[2:]))


def _gone(answer: _Answer) -> Iterator[Change]:
    """Each runner-up gone from the phone, sized by the evidence that it amounts to."""
    for i in filter(answer.listed.__getitem__, range(1, len(answer.masses))):
        masses = (*answer.masses[:i], 0.0, *answer.masses[i + 1 :])
        left = answer.others() - answer.masses[i]
        bits = log2(answer.others() / left) if left > 0 else inf
        yield from answer.change(f"{answer.keys[i]} not on the phone", bits, masses)


def _lifted(answer: _Answer) -> Iterator[Change]:
    """The caps lifted."""
    if answer.value.caps:
        rules = sorted({cap.rule for cap in answer.value.caps})
        uncapped = tier_of(answer.value.probability or 0.0, answer.numbers.tiers)
        yield Change(f"{' and '.join(rules)} lifted", inf, uncapped)
