"""Weights by counting: how often each level is seen when a candidate is meant, and when it is not.

This is how Fellegi and Sunter (1969) estimate m and u where the truth is known. Levels of words are counted over all
candidates of the phone, coverage over the candidates that share a word with the hint, context facts over the candidates
that the hint reaches; order where a candidate is meant, since by chance it is as often one as the other. Counts of
several sources are pooled as they are: a source weighs as many hints as it brings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from math import log2

from starebrain.dataset import Label, LabelledPhone
from starebrain.intent import Parameter, ParameterKind
from starebrain.kinds import Phone
from starebrain.matching.heuristics import Frequencies, Heuristics, KindHeuristics, Weight
from starebrain.matching.levels import (
    ABSENT,
    ALIKE_1,
    COVERAGES,
    INITIAL,
    MEANING,
    OUTDONE,
    UNASKED,
    WORD_LEVELS,
    Comparison,
)
from starebrain.matching.text import words
from starebrain.resolve.context_resolver import EvidenceResolver
from starebrain.resolve.scoring import KindOnPhone

SMOOTHING = 0.5
"""Added to every count (Krichevsky and Trofimov, 1981), so that what was never seen is unlikely and not impossible."""
FITTED = (ParameterKind.CONTACT, ParameterKind.LOCATION, ParameterKind.CALENDAR, ParameterKind.APP)
"""Kinds whose weights are counted; those of times stand for how often readers were right (see the readers' module)."""
FEWEST = 20
"""Hints with an answer below which a kind keeps the weights it had."""
LISTED_FROM = 3
"""Times that a word must be seen to be listed among the frequencies."""


BY_HAND = {"shadowed", "rivalled", "blurred", "other_home", "two_meanings", "other_characters"}
"""Coverages and facts whose weights are kept as they are set: speakers and absent people of the sources do not know
them, or they tell not one candidate from another but whether any is meant.

Who stores somebody as just "John" does not call John Smith "John"; and people who are not on the phone are often
relatives of people who are, with the same surname.
"""
HABIT = {"starred", "frequent", "seldom", "recent"}
MOST_HABIT = 3.0
"""Bits. Habit may order two namesakes, and never make one of them silent: 3 bits against an equal are P = 0.89."""


@dataclass(slots=True)
class Counts:
    """What was seen of one kind: (level or fact, whether the candidate was meant) to how often, and of how many."""

    words: Counter[tuple[int, bool]] = field(default_factory=Counter)
    coverage: Counter[tuple[int, bool]] = field(default_factory=Counter)
    order: Counter[bool] = field(default_factory=Counter)
    facts: Counter[tuple[str, bool]] = field(default_factory=Counter)
    candidates: Counter[tuple[frozenset[str], bool]] = field(default_factory=Counter)
    hints: Counter[bool] = field(default_factory=Counter)
    names: Counter[str] = field(default_factory=Counter)
    named: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


def count(
    phones: Iterable[LabelledPhone], heuristics: Heuristics, *, names: bool = True
) -> Mapping[ParameterKind, Counts]:
    """Count over every labelled parameter with a hint; `names` says whether the words of names are counted as well."""
    counts = {kind: Counts() for kind in FITTED}
    resolver = EvidenceResolver(_unpruned(heuristics))
    for phone in phones:
        on = resolver.on(phone.device)
        for asked in phone.intents:
            for parameter, label in zip(asked.intent.required_parameters, asked.labels, strict=True):
                if parameter.kind in FITTED:
                    _count_hint(counts[parameter.kind], on.of(parameter.kind), parameter, label)
        if names:
            for kind in FITTED:
                _count_names(counts[kind], on.of(kind))
    return counts


def fitted(heuristics: Heuristics, counts: Mapping[ParameterKind, Counts], source: str) -> Heuristics:
    """The heuristics with the weights of `counts`; kinds with fewer than 20 answerable hints keep theirs."""
    kinds, frequencies = dict(heuristics.kinds), dict(heuristics.frequencies)
    for kind, seen in counts.items():
        if seen.hints[True] >= FEWEST:
            kinds[kind] = _fitted_kind(heuristics.kinds[kind], seen)
        if seen.named and heuristics.kinds[kind].rarity:
            listed = {word: n for word, n in sorted(seen.names.items()) if n >= LISTED_FROM}
            frequencies[kind] = Frequencies(seen.named, listed, source)
    return replace(heuristics, kinds=kinds, frequencies=frequencies, source=source)


def _unpruned(heuristics: Heuristics) -> Heuristics:
    """Equal bits for every level, so that every candidate that shares a word is compared."""
    flat = {name: Weight(0.0) for name in WORD_LEVELS}
    return replace(heuristics, kinds={kind: replace(of, words=flat) for kind, of in heuristics.kinds.items()})


def _count_hint(seen: Counts, here: KindOnPhone, parameter: Parameter, label: Label) -> None:
    hint = here.kind.read(parameter.hint or "")
    if not hint.words or not here.records:
        return
    meant = {at for at in range(len(here.records)) if here.keys[at] in label.intended}
    seen.hints[bool(meant)] += 1
    fits = set(label.compatible)
    comparisons = {c.candidate: c for c in here.compare(hint)}
    if meant:
        best = min((comparisons[at] for at in meant if at in comparisons), key=_rank, default=None)
        for level in best.levels if best else (ABSENT,) * len(hint.words):
            seen.words[level, True] += 1
        _count_comparison(seen, best, True)
    for at, comparison in comparisons.items():
        if at not in meant and here.keys[at] not in fits:
            for level in comparison.levels:
                seen.words[level, False] += 1
            _count_comparison(seen, comparison, False)
    unreached = len(here.records) - len(comparisons) - sum(at not in comparisons for at in meant)
    seen.words[ABSENT, False] += unreached * len(hint.words)
    _count_facts(seen, here, hint.traits, meant, comparisons)


def _rank(comparison: Comparison) -> tuple[int, int]:
    return sum(comparison.levels), comparison.coverage


def _count_comparison(seen: Counts, comparison: Comparison | None, meant: bool) -> None:
    """Coverage and order, where the words that match do so clearly: of words that are only alike any may be covered."""
    if comparison is None or any(
        ALIKE_1 <= level < INITIAL or level in (UNASKED, OUTDONE) for level in comparison.levels
    ):
        return
    seen.coverage[comparison.coverage, meant] += 1
    if meant and len(comparison.levels) > 1 and comparison.coverage < MEANING:
        seen.order[comparison.reordered] += 1


def _count_facts(
    seen: Counts, here: KindOnPhone, traits: frozenset[str], meant: set[int], reached: Mapping[int, Comparison]
) -> None:
    """Facts of what was meant and of the other candidates that the hint reached."""
    phone: Phone = here.phone
    for at in meant | set(reached):
        seen.candidates[traits, at in meant] += 1
        for fact in here.kind.context(here.records[at], phone, traits):
            seen.facts[fact.name, at in meant] += 1


def _count_names(seen: Counts, here: KindOnPhone) -> None:
    for record in here.kind.listed(here.phone.device):
        seen.named += 1
        seen.names.update(set(words(here.kind.label(record))))


def _fitted_kind(of: KindHeuristics, seen: Counts) -> KindHeuristics:
    def weights(
        table: Counter[tuple[int, bool]], names: tuple[str, ...], before: Mapping[str, Weight]
    ) -> dict[str, Weight]:
        totals = {meant: sum(table[at, meant] for at in range(len(names))) for meant in (True, False)}
        return {
            name: _weight(table[at, True], totals[True], table[at, False], totals[False], len(names))
            if (table[at, True] or table[at, False]) and name not in BY_HAND
            else before[name]
            for at, name in enumerate(names)
        }

    coverage = weights(seen.coverage, COVERAGES, of.coverage)
    coverage["only"] = _only(coverage["first"], coverage["only"])
    coverage["meaning"] = _meaning(coverage["meaning"], coverage["only"])
    order = seen.order[True] + seen.order[False]
    candidates = {m: sum(n for (_, meant), n in seen.candidates.items() if meant is m) for m in (True, False)}
    context = dict(of.context)
    for name in context:
        if name not in BY_HAND and seen.facts[name, True] and seen.facts[name, False]:
            context[name] = _weight(
                seen.facts[name, True], candidates[True], seen.facts[name, False], candidates[False], 2
            )
    _limit_habit(context)
    unanswerable = (seen.hints[False] + SMOOTHING) / (sum(seen.hints.values()) + 2 * SMOOTHING)
    return replace(
        of,
        none=round(unanswerable, 4),
        words=weights(seen.words, WORD_LEVELS, of.words),
        coverage=coverage,
        ordered=_ordered(seen.order[False], order),
        reordered=_ordered(seen.order[True], order),
        context=context,
    )


def _only(first: Weight, only: Weight) -> Weight:
    """A name of one word that is said at all is said whole, and is shared by chance as often as a first word is."""
    if first.other is None or not first.other[0]:
        return only
    return Weight(round(log2(first.other[1] / first.other[0]), 2), only.meant, first.other)


def _meaning(meaning: Weight, only: Weight) -> Weight:
    """That a word says what somebody is weighs no more than that it is their whole name."""
    return meaning if meaning.bits <= only.bits else replace(meaning, bits=only.bits)


def _ordered(k: int, n: int) -> Weight:
    """Words that match by chance come in the order of the name as often as not."""
    return _weight(k, n, 1, 2, 2)


def _limit_habit(context: dict[str, Weight]) -> None:
    """Scale the facts of habit down so that all together they are worth `MOST_HABIT` bits between two candidates."""
    bits = [context[name].bits for name in HABIT if name in context]
    span = sum(b for b in bits if b > 0) - min([0.0, *bits])
    if span > MOST_HABIT:
        for name in HABIT & context.keys():
            weight = context[name]
            context[name] = replace(weight, bits=round(weight.bits * MOST_HABIT / span, 2))


def _weight(k: int, n: int, other_k: int, other_n: int, levels: int) -> Weight:
    m = (k + SMOOTHING) / (n + SMOOTHING * levels)
    u = (other_k + SMOOTHING) / (other_n + SMOOTHING * levels)
    return Weight(round(log2(m / u), 2), (k, n), (other_k, other_n))


__all__ = ["Counts", "count", "fitted"]
