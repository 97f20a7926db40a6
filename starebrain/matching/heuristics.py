"""Every weight, threshold and cap: one TOML file (``default.toml``), and layers of it that users write.

A weight is written ``{ bits = 5.2, meant = [804, 1000], other = [21, 1000] }``: the bits count; `meant` and `other`
say how often the level was seen, of how many, when the candidate was meant and when it was not. Bits that are edited by
hand are used as they stand.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config
from rapidfuzz import fuzz, process

from starebrain.errors import InvalidInput
from starebrain.formats import place_of, read_text
from starebrain.intent import ParameterKind
from starebrain.matching.levels import COVERAGES, WORD_LEVELS
from starebrain.matching.likeness import FEATURES

_STRICT = with_config(ConfigDict(extra="forbid", allow_inf_nan=False))


@_STRICT
@dataclass(frozen=True, slots=True)
class Weight:
    """The evidence of one level in bits: log2 of `meant` over `other`, each (seen, of how many)."""

    bits: float
    meant: tuple[int, int] | None = None
    other: tuple[int, int] | None = None


@_STRICT
@dataclass(frozen=True, slots=True)
class Tiers:
    """Least calibrated probability of each tier, 0 to 1, not rising from `high` to `low`."""

    high: float
    medium: float
    low: float

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.medium <= self.high <= 1.000001:
            raise InvalidInput(
                f"thresholds are high {self.high}, medium {self.medium}, low {self.low}",
                remedy="They lie between 0 and 1 and do not rise from high to low (a high of 1 allows none).",
            )


@_STRICT
@dataclass(frozen=True, slots=True)
class Calibration:
    """Platt scaling of the posterior's log-odds (base e): ``slope * logit(p) + offset``; slope above 0."""

    slope: float = 1.0
    offset: float = 0.0

    def __post_init__(self) -> None:
        if not self.slope > 0:
            raise InvalidInput(f"the slope is {self.slope}", remedy="It must be above 0, or order would turn over.")


@_STRICT
@dataclass(frozen=True, slots=True)
class KindHeuristics:
    """The numbers of one kind; `none` is the prior probability that the phone does not have what was meant."""

    none: float
    tiers: Tiers
    words: Mapping[str, Weight]
    coverage: Mapping[str, Weight]
    reordered: Weight
    ordered: Weight
    context: Mapping[str, Weight] = field(default_factory=dict)
    calibration: Calibration = Calibration()
    rarity: float = 0.0
    """How far the rarity of an exact word counts, 0 (not at all) to 1 (as frequencies say)."""

    def __post_init__(self) -> None:
        if not 0 < self.none < 1:
            raise InvalidInput(f"the prior of none is {self.none}", place="none", remedy="It lies between 0 and 1.")
        for place, table, known in (("words", self.words, WORD_LEVELS), ("coverage", self.coverage, COVERAGES)):
            for name in table:
                if name not in known:
                    raise InvalidInput(f"there is no level {name!r}", place=place, remedy=nearest(name, known))
            for name in known:
                if name not in table:
                    raise InvalidInput(f"the level {name!r} is missing", place=place, remedy="Give it a weight.")


@_STRICT
@dataclass(frozen=True, slots=True)
class Likeness:
    """Weights of the features of `starebrain.matching.likeness`, and the least score of its five bands, falling."""

    weights: Mapping[str, float]
    bands: tuple[float, float, float, float, float]
    source: str = ""

    def __post_init__(self) -> None:
        for name in self.weights:
            if name not in FEATURES:
                raise InvalidInput(f"there is no feature {name!r}", place="weights", remedy=nearest(name, FEATURES))
        if list(self.bands) != sorted(self.bands, reverse=True):
            raise InvalidInput("the bands do not fall", place="bands")

    @property
    def vector(self) -> tuple[float, ...]:
        """The weights in the order of `FEATURES`; a feature that is not named weighs nothing."""
        return tuple(self.weights.get(name, 0.0) for name in FEATURES)


@_STRICT
@dataclass(frozen=True, slots=True)
class Frequencies:
    """How many of `total` names hold a word, counted on a training split; words that are not listed are rare."""

    total: int
    words: Mapping[str, int]
    source: str = ""


@_STRICT
@dataclass(frozen=True, slots=True)
class Caps:
    """What the caps look at: actions with high stakes, and how long a new contact counts as new (hours)."""

    stakes: tuple[str, ...]
    new_contact_hours: float


@_STRICT
@dataclass(frozen=True, slots=True)
class Forgetting:
    """A task weighs half after `half_life_days`, and half after `half_life_tasks` newer ones of its intent type."""

    half_life_days: float
    half_life_tasks: float

    def __post_init__(self) -> None:
        for name in ("half_life_days", "half_life_tasks"):
            if not getattr(self, name) > 0:
                raise InvalidInput(f"{name} is {getattr(self, name)}", place=name, remedy="It must be above 0.")


@_STRICT
@dataclass(frozen=True, slots=True)
class Preference:
    """When an app is preferred: it carries more than half of the tasks with a posterior probability of `credible`."""

    credible: float
    forgetting: Forgetting

    def __post_init__(self) -> None:
        _require_credible(self.credible)


@_STRICT
@dataclass(frozen=True, slots=True)
class Confirmations:
    """When a confirmation may be skipped: at least `least` of them are approved unchanged with probability `credible`.

    The prior is Beta(1, `refusals`): fewer than 1 say that what is approved at first is mostly approved ever after.
    """

    credible: float
    least: float
    refusals: float
    forgetting: Forgetting

    def __post_init__(self) -> None:
        _require_credible(self.credible)
        if not 0 < self.least < 1:
            raise InvalidInput(f"least is {self.least}", place="least", remedy="It lies between 0 and 1.")
        if not self.refusals > 0:
            raise InvalidInput(f"refusals is {self.refusals}", place="refusals", remedy="It must be above 0.")


def _require_credible(credible: float) -> None:
    if not 0.5 < credible < 1:
        raise InvalidInput(f"credible is {credible}", place="credible", remedy="It lies between 0.5 and 1.")


@_STRICT
@dataclass(frozen=True, slots=True)
class Memory:
    """How session memory learns and forgets (`starebrain.memory`)."""

    source: str = "chosen on simulated weeks of use, seeds 101 to 103 (starebrain.simulate.habits)"
    preference: Preference = Preference(0.93, Forgetting(30.0, 15.0))
    confirmations: Confirmations = Confirmations(0.8, 0.95, 0.3, Forgetting(120.0, 400.0))


@_STRICT
@dataclass(frozen=True, slots=True)
class Heuristics:
    """All numbers of a resolver; see the module."""

    source: str
    likeness: Likeness
    caps: Caps
    kinds: Mapping[ParameterKind, KindHeuristics]
    frequencies: Mapping[ParameterKind, Frequencies] = field(default_factory=dict)
    memory: Memory = Memory()


_ADAPTER = TypeAdapter(Heuristics)


@lru_cache(maxsize=1)
def default_heuristics() -> Heuristics:
    """The heuristics that come with starebrain, as `starebrain fit` wrote them."""
    return _validated(_default_table(), "default.toml")


def read_heuristics(*layers: str | Path) -> Heuristics:
    """The default heuristics with TOML files laid over them, the last one on top.

    `InvalidInput` names the file and place of an unknown key, with the nearest known name, or of a bad value.
    """
    table, name = _default_table(), "default.toml"
    for layer in layers:
        try:
            table, name = _laid_over(table, tomllib.loads(read_text(layer))), str(layer)
        except tomllib.TOMLDecodeError as error:
            raise InvalidInput(f"not valid TOML: {error}", file=layer) from None
        _validated(table, name)
    return _validated(table, name)


def nearest(name: str, known: object) -> str:
    """A remedy that names the nearest of the `known` names."""
    names = list(known)  # type: ignore[call-overload]
    best = process.extractOne(name, names, scorer=fuzz.ratio)
    return f"Did you mean {best[0]!r}?" if best and best[1] >= 50 else f"Known: {', '.join(names)}."


def _default_table() -> dict[str, Any]:
    return tomllib.loads(files("starebrain.matching").joinpath("default.toml").read_text(encoding="utf-8"))


def _laid_over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    return below | {
        key: _laid_over(below[key], value) if isinstance(value, dict) and isinstance(below.get(key), dict) else value
        for key, value in above.items()
    }


def _validated(table: dict[str, Any], file: str) -> Heuristics:
    try:
        return _ADAPTER.validate_python(table)
    except ValidationError as error:
        first = error.errors()[0]
        place = place_of("", first["loc"]).lstrip(".")
        cause = first.get("ctx", {}).get("error")
        if isinstance(cause, InvalidInput):
            place = ".".join(filter(None, (place, cause.place)))
            raise InvalidInput(cause.fact, file=file, place=place, remedy=cause.remedy) from None
        if first["type"] in ("unexpected_keyword_argument", "extra_forbidden"):
            *above, name = first["loc"]
            known = _keys_at(_default_table(), above) + ([] if above else list(Heuristics.__dataclass_fields__))
            raise InvalidInput("unknown key", file=file, place=place, remedy=nearest(str(name), known)) from None
        raise InvalidInput(first["msg"], file=file, place=place) from None


def _keys_at(table: Any, path: list[str | int]) -> list[str]:
    for part in path:
        table = table.get(part, {}) if isinstance(table, dict) else {}
    return list(table) if isinstance(table, dict) else []
