"""What a simulation is to make: one frozen `Scenario`, read from TOML and checked before anything is drawn."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, is_dataclass
from datetime import date
from pathlib import Path
from typing import Any, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

from starebrain import formats
from starebrain.dataset import Split
from starebrain.errors import InvalidInput, require
from starebrain.intent import ParameterKind
from starebrain.simulate.actions import ACTIONS
from starebrain.simulate.checks import Shares, add_up, fractions, known, nearest
from starebrain.simulate.families import FAMILIES, UNANSWERABLE
from starebrain.simulate.language import CARDS, LOCALES
from starebrain.simulate.sections import Adversary, Bursts, Changes, Focus, Users

MOST = 20_000
"""Most records of a sort on one phone."""


@dataclass(frozen=True, slots=True)
class Size:
    """Records of a sort on a phone: log-normal around `median` (`spread` is its σ), cut at `least` and `most`."""

    median: float
    spread: float = 0.5
    least: int = 0
    most: int = 1_000

    def __post_init__(self) -> None:
        require(self.median > 0, "median", f"{self.median} is not above 0")
        require(0 <= self.spread <= 3, "spread", f"{self.spread} is outside 0 to 3")
        require(0 <= self.least <= self.most <= MOST, "least", f"0 ≤ {self.least} ≤ {self.most} ≤ {MOST} does not hold")


@dataclass(frozen=True, slots=True)
class Sizes:
    """Records on a phone. Medians are assumed; the long tail of contacts is that of shared address books."""

    contacts: Size = Size(150, 0.8, 3, 2_000)
    events: Size = Size(40, 0.5, 0, 300)
    places: Size = Size(7, 0.5, 0, 20)
    notifications: Size = Size(3, 0.7, 0, 12)

    def __post_init__(self) -> None:
        most = self.places.most
        require(most <= CARDS, "places.most", f"{most} places, and a town has {CARDS} houses for them")


@dataclass(frozen=True, slots=True)
class Contacts:
    """Shares of contacts (0 to 1), all assumed unless said otherwise, and the skew of names.

    A name of rank r is drawn in proportion to (r + 2.7) to the power of −skew: with Faker's pools the defaults give the
    most common given name 3% and the most common family name 1% of people, as in the US census.
    """

    given_skew: float = 0.7
    family_skew: float = 0.5
    businesses: float = 0.06
    roles: float = 0.03
    colleagues: float = 0.12
    duplicates: float = 0.04
    namesakes: float = 0.01
    couples: float = 0.03
    foreign: float = 0.03
    given_only: float = 0.12
    initials: float = 0.03
    family_first: float = 0.06
    diminutives: float = 0.06
    nicknames: float = 0.05
    titles: float = 0.02
    emoji: float = 0.03
    organizations: float = 0.15
    emails: float = 0.5
    addresses: float = 0.15
    second_phones: float = 0.1
    national_phones: float = 0.3
    starred: float = 0.05
    never_contacted: float = 0.3
    fresh: float = 0.005

    def __post_init__(self) -> None:
        fractions(self, skip=("given_skew", "family_skew"))
        for name in ("given_skew", "family_skew"):
            require(0 <= getattr(self, name) <= 3, name, f"{getattr(self, name)} is outside 0 to 3")
        whole = sum((self.businesses, self.roles, self.duplicates, self.namesakes, self.couples))
        require(
            whole <= 0.9, "businesses", f"these sorts of contacts take {whole:g} of all, and at most 0.9 is possible"
        )


@dataclass(frozen=True, slots=True)
class Events:
    """Calendars: days ahead that the phone knows, series a phone, and shares of single events (assumed)."""

    horizon_days: int = 30
    series: float = 2.0
    all_day: float = 0.08
    birthdays: float = 0.06
    with_contact: float = 0.3
    invitations: float = 0.15
    located: float = 0.4

    def __post_init__(self) -> None:
        require(1 <= self.horizon_days <= 366, "horizon_days", f"{self.horizon_days} is outside 1 to 366")
        require(0 <= self.series <= 10, "series", f"{self.series} is outside 0 to 10")
        fractions(self, skip=("horizon_days", "series"))
        require(self.all_day + self.birthdays + self.with_contact <= 1, "all_day", "sorts of events take more than all")


@dataclass(frozen=True, slots=True)
class Speakers:
    """What is asked of each phone, and the ways of referring.

    `unanswerable` is the share of hints for things that the phone does not have; `unsaid` of parameters without a hint
    (calendars have their own family for it). `short_names` is how often somebody is called by a given name although it
    is the whole name of another contact: 1 in 190 of the SLURP benchmark's hints that are a whole name mean somebody
    with a longer one. `actions` and the families of each kind are shares that add up to 1; where
    a phone has nothing to be named so, the parameter gets another family by the same shares. `held_out` families appear
    on test phones only.
    """

    intents: int = 8
    unanswerable: float = 0.15
    unsaid: float = 0.03
    short_names: float = 0.005
    held_out: tuple[str, ...] = ()
    actions: Shares = field(default_factory=lambda: {name: action.share for name, action in ACTIONS.items()})
    contact: Shares = field(default_factory=lambda: _usual("contact"))
    location: Shares = field(default_factory=lambda: _usual("location"))
    time_slot: Shares = field(default_factory=lambda: _usual("time_slot"))
    calendar: Shares = field(default_factory=lambda: _usual("calendar"))
    app: Shares = field(default_factory=lambda: _usual("app"))

    def __post_init__(self) -> None:
        require(0 <= self.intents <= 10_000, "intents", f"{self.intents} is outside 0 to 10,000")
        fractions(self, only=("unanswerable", "unsaid", "short_names"))
        require(self.unanswerable + self.unsaid <= 1, "unsaid", "unanswerable and unsaid hints take more than all")
        add_up(self.actions, "actions", ACTIONS)
        for kind, families in FAMILIES.items():
            add_up(getattr(self, kind), kind.value, families)
        all_of = {name for families in FAMILIES.values() for name in families} | set(UNANSWERABLE)
        for at, name in enumerate(self.held_out):
            known(name, all_of, f"held_out[{at}]", "family")


def _usual(kind: str) -> Shares:
    return {name: family.share for name, family in FAMILIES[ParameterKind(kind)].items()}


@dataclass(frozen=True, slots=True)
class Scenario:
    """Everything that decides a dataset: the same scenario gives the same bytes.

    `start` and `days` bound the local dates on which phones are captured. All shares are fractions of 1. `timeline`,
    `users` and `adversary` say what comes after the snapshot: they change nothing of a dataset on disk.
    """

    name: str
    seed: int
    devices: int
    locales: Shares
    start: date = date(2025, 1, 6)
    days: int = 357
    splits: Shares = field(default_factory=lambda: {Split.TRAIN: 0.5, Split.CALIBRATION: 0.25, Split.TEST: 0.25})
    sizes: Sizes = Sizes()
    contacts: Contacts = Contacts()
    events: Events = Events()
    speakers: Speakers = field(default_factory=Speakers)
    timeline: Changes = field(default_factory=Changes)
    users: Users = field(default_factory=Users)
    adversary: Adversary = field(default_factory=Adversary)

    def __post_init__(self) -> None:
        require(bool(self.name.strip()), "name", "a scenario needs a name")
        require(0 <= self.seed < 2**64, "seed", f"{self.seed} is outside 0 to 2⁶⁴−1")
        require(0 < self.devices <= 10_000_000, "devices", f"{self.devices} is outside 1 to 10,000,000")
        require(date(1990, 1, 1) <= self.start <= date(2036, 1, 1), "start", f"{self.start} is outside 1990 to 2035")
        require(1 <= self.days <= 3_660, "days", f"{self.days} is outside 1 to 3,660")
        add_up(self.locales, "locales", LOCALES)
        add_up(self.splits, "splits", Split)

    @property
    def plain(self) -> dict[str, Any]:
        """The whole scenario, defaults included, as `dataset.json` keeps it.

        Of the sections on what comes after the snapshot only those that are not at their defaults.
        """
        usual = {name: record for name, record in LATER.items() if getattr(self, name) == record}
        return json.loads(json.dumps({n: v for n, v in asdict(self).items() if n not in usual}, default=str))


LATER: Mapping[str, Any] = {"timeline": Changes(), "users": Users(), "adversary": Adversary()}
"""The sections on what comes after the snapshot, at their defaults."""

for _record in (Size, Sizes, Contacts, Events, Speakers, Bursts, Focus, Changes, Users, Adversary, Scenario):
    with_config(ConfigDict(extra="forbid"))(_record)


def read_scenario(path: str | Path) -> Scenario:
    """The scenario in a TOML file; `InvalidInput` names file, place and remedy."""
    text = formats.read_text(path)
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"not valid TOML: {error}", file=path) from None
    return parse_scenario(tree, path)


def parse_scenario(tree: Mapping[str, Any], file: str | Path | None = None) -> Scenario:
    """The scenario in a tree of plain data; `file` is only named in errors."""
    _no_unknown(tree, Scenario, (), file)
    try:
        return TypeAdapter(Scenario).validate_json(json.dumps(tree, default=str), strict=True)
    except ValidationError as error:
        found = formats.refuse(error, "scenario", file)
        raise InvalidInput(found.fact, file=file, place=found.place, remedy=found.remedy) from None


def _no_unknown(tree: Any, record: type, at: tuple[str, ...], file: str | Path | None) -> None:
    """Refuse keys that a record does not have, with the nearest that it has."""
    if not isinstance(tree, Mapping):
        return
    hints = get_type_hints(record)
    for key, value in tree.items():
        place = ".".join(("scenario", *at, key))
        if key not in hints:
            raise InvalidInput("unknown key", file=file, place=place, remedy=nearest(key, hints))
        if is_dataclass(hints[key]):
            _no_unknown(value, hints[key], (*at, key), file)
