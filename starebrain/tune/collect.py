"""Columns from labelled phones: every hint is compared once, without weights, and what was seen is kept."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np

from starebrain.dataset import Label, LabelledPhone, LabelledSource, Split
from starebrain.intent import Parameter, ParameterKind
from starebrain.kinds import Hint
from starebrain.kinds.base import UNSAID
from starebrain.matching.heuristics import Heuristics, Tiers, Weight, default_heuristics
from starebrain.matching.levels import EXACT, NONE, WHOLE, WORD_LEVELS, Comparison
from starebrain.matching.posterior import Weights
from starebrain.matching.tiers import CAPS
from starebrain.resolution import ResolutionConfidence, is_one_of
from starebrain.resolve.context_resolver import SAID, EvidenceOnPhone, EvidenceResolver
from starebrain.resolve.scoring import KindOnPhone
from starebrain.tune.columns import Columns, Hints, KindColumns, Rows, Tables, uncalibrated

T = TypeVar("T")
NOTHING = Comparison(0, (), NONE, False, 0)
"""How what nobody spoke of compares."""


def collect(source: LabelledSource, heuristics: Heuristics | None = None, split: Split | None = None) -> Columns:
    """The columns of all labelled hints of `source` (of one split, or all), compared with what `heuristics` know.

    Of time slots the posterior is kept instead of the evidence: thresholds and calibration can be tuned, weights not;
    whether an event or a reading of the words is meant stays as it was decided, and what is less probable than MEDIUM
    counts as capped.
    """
    return collect_phones(source.phones(split), heuristics)


def collect_phones(phones: Iterable[LabelledPhone], heuristics: Heuristics | None = None) -> Columns:
    """`collect` for phones from anywhere."""
    base = heuristics or default_heuristics()
    resolver = EvidenceResolver(_open(base))
    clusters: dict[str, int] = {}
    intents = array("i")
    kinds = {kind: _Collector(base, kind) for kind in base.kinds}
    for phone in phones:
        on = resolver.on(phone.device)
        asked = [
            (parameter, label, intent.intent.action)
            for intent in phone.intents
            for parameter, label in zip(intent.intent.required_parameters, intent.labels, strict=True)
        ]
        for intent in phone.intents:
            if intent.labels:
                intents.append(clusters.setdefault(intent.labels[0].cluster, len(clusters)))
        for kind, collector in kinds.items():
            hints = [(p, label, action) for p, label, action in asked if p.kind is kind]
            if hints:
                collector.on_phone(on)
            for parameter, label, action in hints:
                cluster = clusters.setdefault(label.cluster, len(clusters))
                collector.add(parameter.hint, action, label, cluster)
    found = {kind: collector.columns() for kind, collector in kinds.items() if collector.hints["cluster"]}
    return Columns(found, tuple(clusters), np.array(intents, np.int32))


def _open(base: Heuristics) -> Heuristics:
    """Heuristics with which every candidate that a hint reaches is compared, and the caps of likely times bite.

    Words have equal bits, so that none is left out; times are HIGH where they were MEDIUM, and else LOW.
    """
    flat = {name: Weight(0.0) for name in WORD_LEVELS}
    for kind, of in base.kinds.items():
        if kind is ParameterKind.TIME_SLOT:
            base = _with(base, kind, tiers=Tiers(of.tiers.medium, of.tiers.medium, 0.0))
        else:
            base = _with(base, kind, words=flat)
    return base


def _with(heuristics: Heuristics, kind: ParameterKind, **numbers: Any) -> Heuristics:
    """Heuristics with other numbers for one kind."""
    return replace(heuristics, kinds={**heuristics.kinds, kind: replace(heuristics.kinds[kind], **numbers)})


class _Row(NamedTuple):
    """One compared candidate; sorted by key, then by reading."""

    key: str
    other: bool
    candidate: int
    pattern: int
    reach: int
    facts: int
    rarity: float
    capped: bool
    share: float = np.nan


class _Table(dict[T, int]):
    """Distinct lines, numbered as they come."""

    def number(self, line: T) -> int:
        """The number of `line`."""
        return self.setdefault(line, len(self))


def _masks(lines: Iterable[tuple[int, ...]]) -> np.ndarray:
    """Masks of words, -1 where there is no more word; one column at least."""
    lines = list(lines)
    width = max(map(len, lines), default=1) or 1
    return np.array([line + (-1,) * (width - len(line)) for line in lines], np.int64).reshape(len(lines), width)


class _Collector:
    """Gathers the columns of one kind, phone by phone."""

    def __init__(self, base: Heuristics, kind: ParameterKind) -> None:
        self.base, self.kind = base, kind
        self.new_hours, self.stakes = base.caps.new_contact_hours, base.caps.stakes
        self.full = Weights(_with(base, kind, rarity=1.0), kind)
        self.patterns, self.reaches, self.facts = (
            _Table[Comparison](),
            _Table[tuple[int, ...]](),
            _Table[tuple[str, ...]](),
        )
        self.hints: dict[str, array[int]] = {name: array("q") for name in Hints.__dataclass_fields__}
        self.rows: dict[str, array[Any]] = {
            name: array("d" if name in ("rarity", "share") else "q") for name in Rows.__dataclass_fields__
        }
        self.twins, self.hosts, self.guests = array("q"), array("q"), array("q")

    def on_phone(self, on: EvidenceOnPhone) -> None:
        """Go on with another phone."""
        self.on = on
        self.here: KindOnPhone = on.of(self.kind)
        self.identities: dict[int, frozenset[Any]] = {}

    def add(self, text: str | None, action: str, label: Label, cluster: int) -> None:
        """One labelled hint."""
        hint = self.here.kind.read(text or "")
        said = bool((text or "").strip())
        if self.kind is ParameterKind.TIME_SLOT:
            rows, right = self._time(text, action, label)
        elif said:
            rows = [
                row for reading in _readings(hint) if reading.words for row in self._compared(reading, action, hint)
            ]
            if not rows and UNSAID in hint.traits:
                said, rows = False, self._unsaid(action, frozenset({"deixis"}))
        else:
            rows = self._unsaid(action, frozenset())
        about = (cluster, len(hint.words), len(self.here.records), label.ambiguous, label.unanswerable, said)
        for column, value in zip(self.hints.values(), about, strict=True):
            column.append(value)
        first = len(self.rows["hint"])
        rows.sort()
        for row in rows:
            self._append(row, label, right if self.kind is ParameterKind.TIME_SLOT else row.key in label.intended)
        self._relate(rows, first)

    def columns(self) -> KindColumns:
        """Everything that was added."""
        hints: dict[str, np.ndarray] = {
            name: np.array(column, _HINT_TYPES.get(name, bool)) for name, column in self.hints.items()
        }
        rows: dict[str, np.ndarray] = {
            name: np.array(column, _ROW_TYPES.get(name, bool)) for name, column in self.rows.items()
        }
        if self.kind is not ParameterKind.TIME_SLOT:
            rows["share"] = np.empty(0)
        names = tuple(sorted({name for line in self.facts for name in line}))
        facts = np.array([[line.count(name) for name in names] for line in self.facts], np.int64)
        tables = Tables(tuple(self.patterns), _masks(self.reaches), facts.reshape(len(self.facts), len(names)), names)
        starts = np.flatnonzero(np.diff(rows["hint"], prepend=-1))
        relations = (np.array(found, np.int64) for found in (self.twins, self.hosts, self.guests))
        return KindColumns(
            self.kind, self.base, Hints(**hints), Rows(**rows), tables, rows["hint"][starts], starts, *relations
        )

    def _append(self, row: _Row, label: Label, intended: bool) -> None:
        about = (
            len(self.hints["cluster"]) - 1,
            *(row.pattern, row.reach, row.facts, row.rarity, row.other),
            *(intended, row.key in label.compatible, row.capped, row.share),
        )
        for column, value in zip(self.rows.values(), about, strict=True):
            column.append(value)

    def _compared(self, reading: Hint, action: str, first: Hint) -> list[_Row]:
        here = self.here
        known = here.kind.identified(reading.text, here.records)
        found = here.compare(reading)
        reaches = _exactly(known, reading) if known else _reaches(here, reading)
        for one in () if known else found:
            if one.coverage == WHOLE and max(one.places) < 0:  # the name is the hint but for where words begin
                reaches[one.candidate] = []
        rarity = self.full.bits(found, [*map(self.full.rarity, reading.words)]) - self.full.bits(found)
        return [
            _Row(
                here.keys[comparison.candidate],
                reading is not first,
                comparison.candidate,
                self.patterns.number(_pattern(comparison)),
                self.reaches.number(tuple(reaches[comparison.candidate])),
                self.facts.number(self._facts(comparison.candidate, reading.traits)),
                float(extra),
                self._capped(here.records[comparison.candidate], action, reading.traits),
            )
            for comparison, extra in zip(found, rarity, strict=True)
        ]

    def _unsaid(self, action: str, traits: frozenset[str]) -> list[_Row]:
        """Nothing was said: what the kind means by that, if anything."""
        record = self.here.kind.without_hint(self.on.phone.device)
        if record is None:
            return []
        at = self.here.records.index(record)
        numbers = (
            self.patterns.number(NOTHING),
            self.reaches.number((1 << EXACT,)),
            self.facts.number(("default",)),
        )
        return [_Row(self.here.keys[at], False, at, *numbers, 0.0, self._capped(record, action, traits))]

    def _time(self, text: str | None, action: str, label: Label) -> tuple[list[_Row], bool]:
        """The answer as it is, and whether it is right."""
        got = self.on.resolve(Parameter("it", self.kind, text), action)
        if got.value is None or got.probability is None:
            return [], False
        capped = bool(got.caps) or got.confidence is ResolutionConfidence.LOW
        share = uncalibrated(got.probability, self.base.kinds[self.kind])
        row = _Row("", False, 0, 0, 0, 0, 0.0, capped, share)
        return [row], is_one_of(got.value, label.intended)

    def _facts(self, at: int, traits: frozenset[str]) -> tuple[str, ...]:
        here = self.here
        return tuple(sorted(fact.name for fact in here.kind.context(here.records[at], here.phone, traits)))

    def _capped(self, record: Any, action: str, traits: frozenset[str]) -> bool:
        facts = self.here.kind.caps(record, self.here.phone, self.new_hours)
        return action in self.stakes or not SAID.keys().isdisjoint(traits) or any(fact.name in CAPS for fact in facts)

    def _relate(self, rows: Sequence[_Row], first: int) -> None:
        """Which rows are the same record, and which the same person or place."""
        self.twins.extend(first + i for i, (a, b) in enumerate(pairwise(rows)) if a.candidate == b.candidate)
        if len(rows) < 2:
            return
        here, shared = self.here, defaultdict(list)
        for i, row in enumerate(rows):
            for identity in self._identities_of(row.candidate):
                shared[identity].append(i)
        pairs = {(i, k) for group in shared.values() if len(group) > 1 for i in group for k in group}
        for i, k in sorted(pairs):
            host, guest = rows[i].candidate, rows[k].candidate
            if host != guest and here.kind.compatible(here.records[host], here.records[guest]):
                self.hosts.append(first + i)
                self.guests.append(first + k)

    def _identities_of(self, at: int) -> frozenset[Any]:
        if at not in self.identities:
            self.identities[at] = self.here.kind.identities(self.here.records[at], self.here.phone)
        return self.identities[at]


_HINT_TYPES: dict[str, type] = {"cluster": np.int32, "words": np.int32, "records": np.int32}
_ROW_TYPES: dict[str, type] = {
    **dict.fromkeys(("hint", "pattern", "reach", "facts"), np.int32),
    **dict.fromkeys(("rarity", "share"), np.float64),
}


def _readings(hint: Hint) -> tuple[Hint, ...]:
    return (hint,) if hint.otherwise is None else (hint, hint.otherwise)


def _pattern(comparison: Comparison) -> Comparison:
    """What a comparison says, whoever the candidate is."""
    return comparison._replace(candidate=0, name=0, places=())


def _exactly(known: Iterable[int], hint: Hint) -> dict[int, list[int]]:
    return {at: [1 << EXACT] * len(hint.words) for at in known}


def _reaches(here: KindOnPhone, hint: Hint) -> dict[int, list[int]]:
    """By which levels each word of a hint reaches each candidate, as bit masks: what the index prunes by."""
    found = defaultdict[int, list[int]](lambda: [0] * len(hint.words))
    for place, level, candidates in here.index.reached(here.question(((hint,),))):
        for at in candidates:
            found[at][place] |= 1 << level
    return found
