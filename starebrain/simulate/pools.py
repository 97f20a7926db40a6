"""What phones of each locale draw from, drawn once: names, companies, streets, towns, and the words of the language.

Every text is in `Pools.words`; what phones hold is drawn as columns of numbers. Faker is called a few thousand times a
locale, whatever the number of phones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from faker import Faker

from starebrain.simulate.distortions import latin, slug
from starebrain.simulate.language import LOCALES, Language, Locale, app_label, catalogue, language
from starebrain.simulate.streams import Streams
from starebrain.simulate.vocabulary import NONE, Index, Vocabulary

if TYPE_CHECKING:
    from starebrain.simulate.scenario import Scenario

DRAWS = 1_000
"""Names drawn from Faker for each pool; with weighting, so that common names come first."""
COMPANIES, CITIES, ROADS, VENUES = 400, 24, 300, 64
STREETS, HOMES = 71, 47
"""Houses of a town: `CARDS` for saved places, up to `HOMES` for contacts, the rest for venues."""
DOMAINS = ("@example.com", "@example.org", "@example.net")
"""Where private mail goes: names that RFC 2606 keeps free, as it does all that end in ``.example``."""
PROVIDERS = ["faker.providers.person", "faker.providers.company", "faker.providers.address"]
"""What of Faker is loaded: all of it takes four times as long."""
IDS = ("c", "e", "k", "l", "n")
"""What ids begin with: contacts, events, calendars, locations, notifications."""
GRAIN = 1 << 14
"""Steps of the tables that turn uniform numbers into skewed choices."""


@dataclass(frozen=True, slots=True)
class Pools:
    """What phones draw from; the first axis is the locale, in the order of `locales`.

    `codes` are phone numbers and ids, apart from words because nobody says them. `given` is (locale, sex, step) and
    `family` (locale, step): `GRAIN` steps of a skewed choice, the latter of places in `families`, (sex, place).
    `diminutives` is (text, choice): how the bearer of a given name may be called. `slugs` gives each name its mail
    spelling, `firm_domains` each company its mail domain. `addresses` is (locale, town, house), `towns` (locale, town,
    2) in degrees, `phones` (locale, 2, number) as written abroad and at home (the last axis is a power of two long),
    `branches` (locale, label, branch), `app_labels` (locale, app). `roles` is how many roles each language has words
    for, `numbered` where the ids of a prefix begin in `codes`, `counted` where the texts "0", "1", … begin in `words`,
    `readings` Japanese names in Latin letters; `texts` and `templates` are read through `phrases` and `sides`.
    """

    locales: tuple[str, ...]
    words: Vocabulary
    codes: Vocabulary
    given: Index
    family: Index
    families: Index
    diminutives: Index
    slugs: Index
    companies: Index
    firm_domains: Index
    domains: Index
    addresses: Index
    towns: np.ndarray
    phones: Index
    branches: Index
    venues: Index
    packages: Index
    app_labels: Index
    roles: int
    numbered: Mapping[str, int]
    counted: int
    readings: Mapping[str, str]
    texts: Mapping[tuple[str, str], Index]
    templates: Mapping[tuple[str, str], Index]

    @property
    def tables(self) -> list[Locale]:
        """The locales."""
        return [LOCALES[name] for name in self.locales]

    @property
    def languages(self) -> list[Language]:
        """The languages of the locales."""
        return [language(locale.language) for locale in self.tables]

    def phrases(self, section: str, key: str) -> Index:
        """(locale, choice): a list of the languages' tables; short lists begin again."""
        return self.texts[section, key]

    def sides(self, section: str, key: str) -> Index:
        """(locale, choice, 2): what stands before and after the name in a list of templates."""
        return self.templates[section, key]

    def pick(self, rng: np.random.Generator, section: str, key: str, locale: Index) -> Index:
        """One of the `phrases` for each locale in `locale`."""
        choices = self.texts[section, key]
        return choices[locale, rng.integers(0, choices.shape[1], len(locale))]

    def ids(self, prefix: str, numbers: Index) -> Index:
        """The texts "c0", "c1", … of `numbers`, in `codes`, for a prefix of `IDS`."""
        return self.numbered[prefix] + numbers


def pools_of(scenario: Scenario) -> Pools:
    """The pools of a scenario."""
    locales = tuple(name for name in LOCALES if scenario.locales.get(name, 0) > 0)
    tables = [LOCALES[name] for name in locales]
    speeches = [language(table.language) for table in tables]
    fakers = [_faker(name, scenario.seed) for name in locales]
    words, codes, rng = Vocabulary(), Vocabulary(), Streams(scenario.seed)("pools")
    readings = {pair[0]: pair[2] for faker in fakers for pair in _pairs(faker)}
    given = [
        [
            _skewed(words.all(_ranked(speech["names"][sex], draw)), scenario.contacts.given_skew)
            for sex, draw in (("female", faker.first_name_female), ("male", faker.first_name_male))
        ]
        for faker, speech in zip(fakers, speeches, strict=True)
    ]
    lasts = [_ranked(speech["names"]["family"], f.last_name_male) for f, speech in zip(fakers, speeches, strict=True)]
    ends = np.cumsum([len(last) for last in lasts])
    family = [
        _skewed(np.arange(end - len(last), end, dtype=np.int32), scenario.contacts.family_skew)
        for last, end in zip(lasts, ends, strict=True)
    ]
    feminine = [[_feminine(name) for name in last] for last in lasts]
    families = np.stack([words.all(chain(*feminine)), words.all(chain(*lasts))])
    companies = np.array([words.all(_drawn(faker.company, COMPANIES)) for faker in fakers])
    addresses = np.array([_addresses(faker, table, words, rng) for faker, table in zip(fakers, tables, strict=True)])
    towns = np.array([_towns(table, rng) for table in tables])
    room = 1 << max(11, int(np.ceil(np.log2(2.5 * scenario.sizes.contacts.most + 1))))
    texts, templates = _phrases(words, speeches)
    names = np.unique(np.concatenate([np.ravel(given), families.ravel()]))
    last_words = families[0][np.array(family)[:, :: GRAIN // VENUES][:, :VENUES]]
    return Pools(
        locales=locales,
        words=words,
        codes=codes,
        given=np.array(given),
        family=np.array(family),
        families=families,
        diminutives=_diminutives(words, speeches),
        slugs=_spelled(words, names, lambda name: slug(latin(words.texts[name], readings)) or "mail"),
        companies=companies,
        firm_domains=_spelled(
            words, np.unique(companies), lambda firm: f"@{slug(latin(words.texts[firm], {})) or f'firm{firm}'}.example"
        ),
        domains=words.all(DOMAINS),
        addresses=addresses,
        towns=towns,
        phones=np.array([_phones(table, codes, room, int(rng.integers(1, 10**6))) for table in tables]),
        branches=np.array([_branches(words, speech) for speech in speeches]),
        venues=np.array([_venues(words, speech, last) for speech, last in zip(speeches, last_words, strict=True)]),
        packages=words.all(app["package"] for app in catalogue()),
        app_labels=np.array([words.all(app_label(a, table.language) for a in catalogue()) for table in tables]),
        roles=min(len(speech["people"]["roles"]) for speech in speeches),
        numbered={prefix: int(codes.append(f"{prefix}{i}" for i in range(room))[0]) for prefix in IDS},
        counted=int(words.append(map(str, range(room)))[0]),
        readings=readings,
        texts=texts,
        templates=templates,
    )


def _faker(locale: str, seed: int) -> Faker:
    faker = Faker(locale, providers=PROVIDERS, use_weighting=True)
    faker.seed_instance(seed)
    return faker


def _pairs(faker: Faker) -> Iterable[tuple[str, str, str]]:
    """Names as written, in kana and in Latin letters, where Faker has them."""
    for provider in faker.get_providers():
        for pairs in ("first_name_pairs", "last_name_pairs"):
            yield from getattr(provider, pairs, ())


def _ranked(common: Sequence[str], draw: Callable[[], str]) -> list[str]:
    """Names, most common first: the language's own few, then Faker's by how often it draws them."""
    counts = dict.fromkeys(common, DRAWS)
    for _ in range(DRAWS):
        name = draw()
        counts[name] = counts.get(name, 0) + 1
    return sorted(counts, key=lambda name: -counts[name])


def _drawn(draw: Callable[[], str], size: int) -> list[str]:
    """`size` different values, or fewer different ones in turn where Faker has no more."""
    seen: dict[str, None] = {}
    for _ in range(4 * size):
        seen.setdefault(" ".join(draw().split()))
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


def _towns(locale: Locale, rng: np.random.Generator) -> np.ndarray:
    south, north, west, east = locale.box
    return np.stack([rng.uniform(south, north, CITIES), rng.uniform(west, east, CITIES)], axis=1).round(2)


def _addresses(faker: Faker, locale: Locale, words: Vocabulary, rng: np.random.Generator) -> Index:
    streets, rows = _drawn(faker.street_name, ROADS), []
    for city in _drawn(faker.city, CITIES):
        postcode, chosen = faker.postcode(), rng.choice(ROADS, STREETS, replace=False)
        numbers = rng.integers(1, 200, STREETS)
        rows.append(
            words.all(
                locale.address.format(street=streets[s], number=n, city=city, postcode=postcode)
                for s, n in zip(chosen.tolist(), numbers.tolist(), strict=True)
            )
        )
    return np.array(rows)


def _phones(locale: Locale, codes: Vocabulary, room: int, start: int) -> Index:
    """Different numbers of one locale: equal steps through all numbers of its pattern, in no visible order."""
    both, digits = [], locale.phone.count("#")
    numbers = [f"{(start + i * 7_654_321) % 10**digits:0{digits}d}" for i in range(room)]
    for pattern in (locale.phone, locale.national):
        pieces = pattern.replace("#", "{}")
        both.append(codes.append(pieces.format(*number) for number in numbers))
    return np.array(both)


def _phrases(
    words: Vocabulary, speeches: Sequence[Language]
) -> tuple[dict[tuple[str, str], Index], dict[tuple[str, str], Index]]:
    """The lists of the languages' tables: (locale, choice), and (locale, choice, 2) around the name."""
    texts, templates = {}, {}
    for section in ("places", "events", "calendars", "messages"):
        for key in speeches[0][section]:
            lists = [[one] if isinstance(one, str) else one for one in (s[section][key] for s in speeches)]
            width = max(map(len, lists))
            rows = [[one[i % len(one)] for i in range(width)] for one in lists]
            texts[section, key] = np.array([words.all(row) for row in rows])
            templates[section, key] = np.array([[words.all(t.partition("{name}")[::2]) for t in row] for row in rows])
    return texts, templates


def _branches(words: Vocabulary, speech: Language) -> Index:
    places = speech["places"]
    return np.array([words.all(t.format(label=label) for t in places["branches"]) for label in places["labels"]])


def _venues(words: Vocabulary, speech: Language, names: Index) -> Index:
    templates = speech["places"]["venues"]
    texts = (words.texts[name] for name in names)
    return words.all(templates[i % len(templates)].format(name=text) for i, text in enumerate(texts))


def _spelled(words: Vocabulary, texts: Index, spell: Callable[[int], str]) -> Index:
    """For each text a number: that of how `spell` writes it for `texts`, 0 for others."""
    numbers = np.zeros(len(words.texts), np.int32)
    numbers[texts] = words.all(map(spell, texts.tolist()))
    return numbers


def _diminutives(words: Vocabulary, speeches: Sequence[Language]) -> Index:
    calls = {words.add(name): words.all(short) for speech in speeches for name, short in speech["diminutives"].items()}
    table = np.full((len(words.texts), max(map(len, calls.values()))), NONE, np.int32)
    for name, short in calls.items():
        table[name, : len(short)] = short
    return table
