"""Whether a report is worse than a reference, figure by figure.

On the same input (a source with the same SHA-256 in both) a figure is worse where it moved the wrong way at all, beyond
rounding. On another input it is worse where the intervals lie apart. A metric for which neither direction is better is
only required to be there.
"""

from __future__ import annotations

from dataclasses import dataclass

from starebrain.errors import printable
from starebrain.evaluate.intervals import Estimate
from starebrain.evaluate.output import DIGITS
from starebrain.report.metrics import Metrics, key

TOLERANCE = 2 * 10.0**-DIGITS
"""Largest difference that rounding can make of nothing: a unit of the last decimal on either side."""


@dataclass(frozen=True, slots=True)
class Change:
    """A figure that is not what it was; `new` is None where there is none any more."""

    old: Estimate
    new: Estimate | None
    same_input: bool

    def __str__(self) -> str:
        old = self.old
        name = " ".join(filter(None, (old.metric, old.resolver, f"[{old.cut}]" if old.cut else "", f"on {old.source}")))
        was = f"{name}: {_words(old)}"
        if self.new is None:
            return f"{was} before, missing now"
        return f"{was} before, {_words(self.new)} now, on {'the same' if self.same_input else 'another'} input"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A report against a reference: what is worse or missing fails the check, what is better does not."""

    worse: tuple[Change, ...]
    missing: tuple[Change, ...]
    better: tuple[Change, ...]
    compared: int

    @property
    def passed(self) -> bool:
        """Whether nothing is worse and nothing is missing."""
        return not self.worse and not self.missing


def compare(reference: Metrics, report: Metrics) -> Comparison:
    """Compare every figure of `reference` with that of `report`; figures that only `report` has are new, not judged."""
    now = {key(figure): figure for figure in report.figures}
    worse: list[Change] = []
    missing: list[Change] = []
    better: list[Change] = []
    for old in reference.figures:
        new = now.get(key(old))
        same = reference.sources.get(old.source) == report.sources.get(old.source) is not None
        if new is None or (new.value is None and old.value is not None):
            missing.append(Change(old, None, same))
            continue
        moved = _apart if not same else _moved
        match report.better.get(old.metric, reference.better.get(old.metric)):
            case "higher":
                sign = moved(old, new)
            case "lower":
                sign = -moved(old, new)
            case _:
                sign = 0
        if sign:
            (better if sign > 0 else worse).append(Change(old, new, same))
    return Comparison(tuple(worse), tuple(missing), tuple(better), len(reference.figures))


def summary(comparison: Comparison) -> str:
    """What a comparison found, a line a figure, and how many were compared."""
    kinds = (("worse", comparison.worse), ("missing", comparison.missing), ("better", comparison.better))
    lines = [f"{name:<8} {printable(str(change))}" for name, changes in kinds for change in changes]
    counts = ", ".join(f"{len(changes)} {name}" for name, changes in kinds)
    return "\n".join([*lines, f"{comparison.compared} figures compared: {counts}"])


def _words(figure: Estimate) -> str:
    """A figure with its interval and n, at the precision that it is kept with."""
    if figure.value is None:
        return "no data"
    interval = "" if figure.low is None or figure.high is None else f" ({figure.low:g} to {figure.high:g})"
    return f"{figure.value:g}{interval}, n {figure.n:,}"


def _moved(old: Estimate, new: Estimate) -> int:
    """1 where the value rose beyond rounding, −1 where it fell, 0 where it stayed or was not there."""
    if old.value is None or new.value is None or abs(new.value - old.value) <= TOLERANCE:
        return 0
    return 1 if new.value > old.value else -1


def _apart(old: Estimate, new: Estimate) -> int:
    """1 where the new interval lies wholly above the old one, −1 below, 0 where they meet or one is not there."""
    if old.low is None or old.high is None or new.low is None or new.high is None:
        return 0
    return 1 if new.low > old.high else -1 if new.high < old.low else 0
