"""Every text that phones of a scenario are built from, once; columns of phones are indices into it.

`Vocabulary` interns texts; `Pools` holds, for each locale of the scenario, what phones there draw from: Faker's names,
companies, streets and towns (drawn once), and the words of the language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from faker import Faker

from starebrain.simulate.distortions import fold, latin, slug
from starebrain.simulate.language import LOCALES, Language, Locale, app_label, catalogue, language

if TYPE_CHECKING:
    from starebrain.simulate.scenario import Scenario

NONE = -1
"""The index of no text."""

DRAWS = 1_200
"""Names drawn from Faker for each pool; with weighting, so that common names come first."""
COMPANIES, CITIES = 400, 24
CARDS = 23
"""Labels of places, and houses of a town that saved places stand in: a prime number."""
STREETS, HOMES = 71, 47
"""Houses of a town: `CARDS` for saved places, up to `HOMES` for contacts, the rest for venues."""
DOMAINS = ("@example.com", "@example.org", "@example.net")
"""Where private mail goes: names that RFC 2606 keeps free, as it does all that end in ``.example``."""
VENUES = 64
"""Venues of a locale."""
IDS = ("", "c", "e", "k", "l", "n")
"""What ids begin with: plain numbers, contacts, events, calendars, locations, notifications."""
GRAIN = 1 << 16
"""Steps of the tables that turn uniform numbers into skewed choices."""
FEMALE, MALE = 0, 1
Index = np.ndarray


class Vocabulary:
    """Texts by number; number 0 is the empty text."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers: dict[str, int] = {}
        self.add("")

    def add(self, text: str) -> int:
        """The number of `text`."""
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return number

    def all(self, texts: Iterable[str]) -> Index:
        """The numbers of `texts`."""
        return np.array([self.add(text) for text in texts], np.int32)

    def number(self, text: str) -> int:
        """The number of `text`, or `NONE` where no phone can hold it."""
        return self._numbers.get(text, NONE)

    @cached_property
    def arrow(self) -> pa.Array:
        """All texts; the vocabulary is complete from then on."""
        return pa.array(self.texts, pa.string())

    def series(self, prefix: str, size: int) -> int:
        """The number of the first of `size` texts "c0", "c1", … that follow each other (and may be there already)."""
        first = len(self.texts)
        self.texts += [f"{prefix}{i}" for i in range(size)]
        return first

    def column(self, numbers: Index) -> pa.Array:
        """The texts of `numbers`, null for `NONE`."""
        absent = numbers < 0
        if not absent.any():
            return pa.DictionaryArray.from_arrays(pa.array(numbers), self.arrow).cast(pa.string())
        return pa.DictionaryArray.from_arrays(pa.array(numbers, mask=absent), self.arrow).cast(pa.string())

    @cached_property
    def folded(self) -> Index:
        """For each text a number that texts which fold alike share; 0 for texts that fold to nothing."""
        known = {"": 0}
        return np.array([known.setdefault(fold(text), len(known)) for text in self.texts], np.int32)

    @cached_property
    def parts(self) -> Index:
        """For each text (row) the `folded` numbers of its first, second and last word, `NONE` where there is none."""
        known: dict[str, int] = {}
        for text, number in zip(self.texts, self.folded.tolist(), strict=True):
            known.setdefault(fold(text), number)
        rows = np.full((len(self.texts), 3), NONE, np.int32)
        for at, text in enumerate(self.texts):
            words = fold(text).split()
            if len(words) == 1:
                rows[at, 0] = known[words[0]]
            for column, word in enumerate((*words[:2], *words[-1:])) if len(words) > 1 else ():
                rows[at, column] = known.setdefault(word, len(known) + 1)
        self._words = known
        return rows

    def word(self, text: str) -> int:
        """The number by which `folded` and `parts` know `text`; `NONE` where nothing folds to it."""
        _ = self.parts
        return self._words.get(fold(text), NONE)


@dataclass(slots=True)
class Pools:
    """What phones of each locale draw from; the first axis is the locale, in the order of `locales`."""

    locales: tuple[str, ...]
    words: Vocabulary = field(default_factory=Vocabulary)
    given: Index = field(init=False)
    """(locale, sex, step): given names, `GRAIN` steps of a skewed choice."""
    family: Index = field(init=False)
    """(locale, step): positions in `families`."""
    families: Index = field(init=False)
    """(sex, position): family names as women and men bear them."""
    diminutives: Index = field(init=False)
    """(text, 3): how the bearer of a given name may be called, `NONE` where there is no more."""
    slugs: Index = field(init=False)
    """For each text its mail spelling, for names and companies."""
    companies: Index = field(init=False)
    addresses: Index = field(init=False)
    """(locale, town, house)"""
    towns: np.ndarray = field(init=False)
    """(locale, town, 2): latitude and longitude in degrees."""
    phones: Index = field(init=False)
    """(locale, 2, number): mobile numbers, written abroad and at home; the last axis is a power of two long."""
    domains: Index = field(init=False)
    firm_domains: Index = field(init=False)
    """For each company (by text) the mail domain of its people."""
    numbered: Mapping[str, int] = field(init=False)
    """The number of "c0" for "c", and so on."""
    branches: Index = field(init=False)
    """(locale, label, branch): saved places that are one of several."""
    venues: Index = field(init=False)
    packages: Index = field(init=False)
    """The packages of the catalogue."""
    app_labels: Index = field(init=False)
    """(locale, app)"""
    _phrases: dict[tuple[str, str], Index] = field(default_factory=dict)
    _sides: dict[tuple[str, str], Index] = field(default_factory=dict)
    readings: dict[str, str] = field(default_factory=dict)
    """Japanese names in Latin letters, as Faker pairs them."""

    @property
    def tables(self) -> list[Locale]:
        """The locales."""
        return [LOCALES[name] for name in self.locales]

    def phrases(self, section: str, key: str) -> Index:
        """(locale, choice): a list of the languages' tables; short lists begin again."""
        return self._phrases[section, key]

    def sides(self, section: str, key: str) -> Index:
        """(locale, choice, 2): what stands before and after the name in a list of templates."""
        return self._sides[section, key]

    def pick(self, rng: np.random.Generator, section: str, key: str, locale: Index) -> Index:
        """One of the `phrases` for each locale in `locale`."""
        choices = self._phrases[section, key]
        return choices[locale, rng.integers(0, choices.shape[1], len(locale))]

    def ids(self, prefix: str, numbers: Index) -> Index:
        """The texts "c0", "c1", … of `numbers`, for a prefix of `IDS`."""
        return self.numbered[prefix] + numbers

    @property
    def languages(self) -> list[Language]:
        """The languages of the locales."""
        return [language(locale.language) for locale in self.tables]


def pools_of(scenario: Scenario) -> Pools:
    """The pools of a scenario: a few thousand calls of Faker per locale, whatever the number of phones."""
    pools = Pools(tuple(name for name in LOCALES if scenario.locales.get(name, 0) > 0))
    words, names = pools.words, scenario.contacts
    rng = np.random.default_rng(np.random.SeedSequence(scenario.seed, spawn_key=(0,)))
    room = 1 << max(11, int(np.ceil(np.log2(2.5 * scenario.sizes.contacts.most + 1))))
    given, family, female, male = [], [], [], []
    companies, addresses, towns, phones = [], [], [], []
    for name, locale, speech in zip(pools.locales, pools.tables, pools.languages, strict=True):
        faker = Faker(name, use_weighting=True)
        faker.seed_instance(scenario.seed)
        _readings(faker, pools.readings)
        common = speech["names"]
        given.append(
            [
                _skewed(words.all(_ranked(common[sex], draw)), names.given_skew)
                for sex, draw in (("female", faker.first_name_female), ("male", faker.first_name_male))
            ]
        )
        lasts = _ranked(common["family"], faker.last_name_male)
        family.append(_skewed(np.arange(len(male), len(male) + len(lasts), dtype=np.int32), names.family_skew))
        male += words.all(lasts).tolist()
        female += words.all([_feminine(last) if locale.language == "ru" else last for last in lasts]).tolist()
        companies.append(words.all(_drawn(faker.company, COMPANIES)))
        towns.append(_towns(locale, rng))
        addresses.append(_addresses(faker, locale, words, rng))
        phones.append(_phones(locale, words, room, int(rng.integers(1, 10**6))))
    pools.given, pools.family = np.array(given), np.array(family)
    pools.families = np.array([female, male], np.int32)
    pools.companies, pools.addresses = np.array(companies), np.array(addresses)
    pools.towns, pools.phones = np.array(towns), np.array(phones)
    pools.diminutives = _diminutives(pools)
    people = np.unique(np.concatenate([pools.given.ravel(), pools.families.ravel()]))
    spelled = [(number, slug(latin(words.texts[number], pools.readings)) or "mail") for number in people.tolist()]
    firms = np.unique(pools.companies).tolist()
    domains = [f"@{slug(latin(words.texts[number], pools.readings)) or 'firm'}.example" for number in firms]
    pools.slugs, pools.firm_domains = np.zeros((2, len(words.texts)), np.int32)
    pools.slugs[people] = words.all(text for _, text in spelled)
    pools.firm_domains[firms] = words.all(domains)
    pools.domains = words.all(DOMAINS)
    pools.numbered = {prefix: words.series(prefix, room) for prefix in IDS}
    _add_phrases(pools)
    return pools


def _add_phrases(pools: Pools) -> None:
    """The lists of the languages' tables, the places made from them, and the apps."""
    words, speeches = pools.words, pools.languages
    for section in ("places", "events", "calendars", "messages"):
        for key, value in speeches[0][section].items():
            lists = [speech[section][key] for speech in speeches]
            lists = [[one] if isinstance(value, str) else one for one in lists]
            width = max(map(len, lists))
            full = [[one[i % len(one)] for i in range(width)] for one in lists]
            pools._phrases[section, key] = np.array([words.all(one) for one in full])
            pools._sides[section, key] = np.array([[words.all(_sides(text)) for text in one] for one in full])
    last = pools.families[0][pools.family[:, :: GRAIN // VENUES][:, :VENUES]]
    pools.branches, pools.venues = (
        np.array([words.all(texts) for texts in rows]).reshape(len(speeches), *shape)
        for rows, shape in (
            (
                [
                    [t.replace("{label}", a) for a in s["places"]["labels"] for t in s["places"]["branches"]]
                    for s in speeches
                ],
                (-1, len(speeches[0]["places"]["branches"])),
            ),
            (
                [
                    [
                        s["places"]["venues"][i % len(s["places"]["venues"])].replace("{name}", words.texts[number])
                        for i, number in enumerate(names)
                    ]
                    for s, names in zip(speeches, last.tolist(), strict=True)
                ],
                (VENUES,),
            ),
        )
    )
    pools.packages = words.all(app["package"] for app in catalogue())
    pools.app_labels = np.array([words.all(app_label(a, t.language) for a in catalogue()) for t in pools.tables])


def _sides(template: str) -> tuple[str, str]:
    before, _, after = template.partition("{name}")
    return before, after


def _ranked(common: Sequence[str], draw: object) -> list[str]:
    """Names, most common first: the language's own few, then Faker's by how often it draws them."""
    counts = dict.fromkeys(common, DRAWS)
    for _ in range(DRAWS):
        name = draw()  # type: ignore[operator]
        counts[name] = counts.get(name, 0) + 1
    return sorted(counts, key=lambda name: -counts[name])


def _drawn(draw: object, size: int) -> list[str]:
    """`size` different values, or fewer different ones in turn where Faker has no more."""
    seen: dict[str, None] = {}
    for _ in range(4 * size):
        seen.setdefault(" ".join(draw().split()))  # type: ignore[operator]
        if len(seen) == size:
            break
    values = list(seen)
    return [values[i % len(values)] for i in range(size)]


def _skewed(values: Index, skew: float) -> Index:
    """`GRAIN` steps over `values`, rank r as often as (r + 2.7) to the power of −`skew`."""
    weights = (np.arange(len(values)) + 2.7) ** -skew
    bounds = np.round(np.cumsum(weights) / weights.sum() * GRAIN).astype(np.int64)
    return values[np.searchsorted(bounds, np.arange(GRAIN), side="right")]


def _feminine(last: str) -> str:
    """A Russian family name as women bear it."""
    for masculine, feminine in (("ский", "ская"), ("цкий", "цкая"), ("ой", "ая"), ("ый", "ая")):
        if last.endswith(masculine):
            return last.removesuffix(masculine) + feminine
    return last + "а" if last.endswith(("ов", "ев", "ёв", "ин", "ын")) else last


def _readings(faker: Faker, readings: dict[str, str]) -> None:
    for provider in faker.get_providers():
        for pairs in ("first_name_pairs", "last_name_pairs"):
            for pair in getattr(provider, pairs, ()):
                readings[pair[0]] = pair[2]


def _towns(locale: Locale, rng: np.random.Generator) -> np.ndarray:
    south, north, west, east = locale.box
    return np.stack([rng.uniform(south, north, CITIES), rng.uniform(west, east, CITIES)], axis=1).round(2)


def _addresses(faker: Faker, locale: Locale, words: Vocabulary, rng: np.random.Generator) -> Index:
    streets, rows = _drawn(faker.street_name, 300), []
    for city in _drawn(faker.city, CITIES):
        postcode, chosen = faker.postcode(), rng.choice(300, STREETS, replace=False)
        numbers = rng.integers(1, 200, STREETS)
        rows.append(
            words.all(
                locale.address.format(street=streets[s], number=n, city=city, postcode=postcode)
                for s, n in zip(chosen.tolist(), numbers.tolist(), strict=True)
            )
        )
    return np.array(rows)


def _phones(locale: Locale, words: Vocabulary, room: int, start: int) -> Index:
    """Different numbers of one locale: equal steps through all numbers of its pattern, in no visible order."""
    both = []
    for pattern in (locale.phone, locale.national):
        digits = pattern.count("#")
        pieces = pattern.replace("#", "{}")
        both.append(
            words.all(pieces.format(*f"{(start + i * 7_654_321) % 10**digits:0{digits}d}") for i in range(room))
        )
    return np.array(both)


def _diminutives(pools: Pools) -> Index:
    words, calls = pools.words, {}
    for speech in pools.languages:
        for formal, short in speech["diminutives"].items():
            calls[words.add(formal)] = words.all(short[:3])
    table = np.full((len(words.texts), 3), NONE, np.int32)
    for formal, short in calls.items():
        table[formal, : len(short)] = short
    return table
