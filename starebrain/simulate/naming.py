"""How contacts are written in a phone: forms of names, words for relatives, roles, titles, emoji, businesses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from starebrain.simulate.pools import COMPANIES, Pools
from starebrain.simulate.vocabulary import NONE, Index

if TYPE_CHECKING:
    from starebrain.simulate.scenario import Contacts

EMOJI = ("🎸", "❤️", "🏠", "⚽", "🐶", "🌸", "🎂", "✈️")

KIN = (
    *(("mother", 0.85), ("father", 0.75), ("sister", 0.5), ("sister", 0.2), ("brother", 0.5), ("brother", 0.2)),
    *(("wife", 0.25), ("husband", 0.25), ("daughter", 0.25), ("son", 0.25), ("grandmother", 0.4)),
    *(("grandfather", 0.25), ("aunt", 0.4), ("aunt", 0.15), ("uncle", 0.4), ("uncle", 0.15), ("manager", 0.4)),
)
"""Who a phone may know, and the share of phones that do (assumed); twice where there may be two."""
KIN_CODES = tuple(dict.fromkeys(code for code, _ in KIN))
PAIR = tuple(next(i for i, (code, _) in enumerate(KIN) if code == spouse) for spouse in ("wife", "husband"))
WOMEN = frozenset({"mother", "sister", "wife", "daughter", "grandmother", "aunt"})
ALONE, WITH_NAME, RELATION_FIELD = 0.45, 0.65, 0.7
"""Up to the first share relatives are stored under a word alone ("Mom"), up to the second under word and name; the
last is the share of the others that have the relation field (half of it among the former)."""
FROM_POOL = 0.4
"""Share of businesses with a name of Faker's; the others are a family name and a trade."""
SHORT_COPY, INITIAL_COPY, TURNED_COPY = 0.25, 0.2, 0.3
"""Shares of duplicates whose name is short, has an initial, or has the family name first (assumed)."""


@dataclass(slots=True)
class Draft:
    """Who the contacts are, before their names are written; columns as in `People`.

    `home` and `locale` are the locales of phone and person, `surname` is the family name that the person has,
    `duplicates` the rows that repeat a person, `number` what people with one phone number share.
    """

    home: Index
    locale: Index
    sex: Index
    formal: Index
    surname: Index
    kin: Index
    related: np.ndarray
    business: np.ndarray
    role: Index
    person: Index
    duplicates: Index
    number: Index


@dataclass(frozen=True, slots=True)
class Names:
    """How the contacts are written; columns as in `People`, and the fields of the records."""

    display: pa.Array
    written: tuple[Index, ...]
    called: Index
    family: Index
    nickname: Index
    sayable: np.ndarray
    given_field: Index
    family_field: Index
    relation_field: Index


@dataclass(frozen=True, slots=True)
class Labels:
    """The words that names are dressed with, as numbers: (locale, choice, 2) where they stand around a name."""

    kin: Index
    """(locale, code, choice, 2); what stands after is `NONE` where there is no name."""
    codes: Index
    trades: Index
    roles: Index
    titles: Index
    emoji: Index
    initials: Index
    """For each family name its initial."""
    blank: int
    comma: int
    dot: int
    info: int


def labels_of(pools: Pools) -> Labels:
    """Add the dressings of names to the vocabulary."""
    words, speeches = pools.words, pools.languages

    def sides(template: str) -> list[int]:
        before, _, after = template.partition("{name}")
        return [words.add(before), words.add(after)]

    def kin(speech: Any, code: str) -> list[list[int]]:
        _, alone, named, _ = speech["relations"][code]
        bare = [[words.add(label), NONE] for label in (alone[0], alone[-1])]
        return bare + ([sides(named[0]), sides(named[-1])] if named else bare)

    def people(key: str, make: Any) -> Index:
        return np.array([[make(text) for text in speech["people"][key]] for speech in speeches], np.int32)

    initials = np.zeros(len(words.texts), np.int32)
    for number in np.unique(pools.families).tolist():
        initials[number] = words.add(words.texts[number][0] + ".")
    return Labels(
        kin=np.array([[kin(speech, code) for code in KIN_CODES] for speech in speeches], np.int32),
        codes=words.all(KIN_CODES),
        trades=people("trades", sides),
        roles=people("roles", lambda role: [words.add(f" ({role})"), words.add(f" {role}")]),
        titles=people("titles", lambda title: words.add(title + " ")),
        emoji=words.all(" " + e for e in EMOJI),
        initials=initials,
        **{name: words.add(text) for name, text in (("blank", " "), ("comma", ", "), ("dot", "."), ("info", "info"))},
    )


def write_names(pools: Pools, labels: Labels, rng: np.random.Generator, who: Draft, of: Contacts) -> Names:
    """Write the names of a block: before, first word, between, second word, after."""
    n, words = len(who.home), pools.words
    copy = np.zeros(n, bool)
    copy[who.duplicates] = True

    # The given name: in full or short, with a nickname field beside it or not.
    called, nickname = who.formal.copy(), np.full(n, NONE, np.int32)
    ink = rng.random(n, np.float32)
    shortens = np.flatnonzero(
        ((ink < np.where(copy, SHORT_COPY, of.diminutives)) | (ink > 1 - of.nicknames))
        & (pools.diminutives[:, 0][who.formal] >= 0)
    )
    choices = pools.diminutives[who.formal[shortens]]
    short = np.where((choices[:, 1] >= 0) & (rng.random(len(shortens)) < 0.4), choices[:, 1], choices[:, 0])
    beside = ink[shortens] > 1 - of.nicknames
    nickname[shortens[beside]], called[shortens[~beside]] = short[beside], short[~beside]

    # The form: given name only, with an initial, family name first, or as usual.
    form = rng.random(n, np.float32)
    eastern = np.array([t.family_first for t in pools.tables])[who.locale]
    bare = (form < of.given_only) & ~copy
    initialled = (form < np.where(copy, INITIAL_COPY, of.given_only + of.initials)) & ~bare & ~eastern
    turned = ((form > 1 - np.where(copy, TURNED_COPY, of.family_first)) & ~bare) | eastern
    family = who.surname.copy()
    last = who.surname.copy()
    last[bare], last[initialled] = 0, labels.initials[who.surname[initialled]]
    one, two = np.where(turned, last, called), np.where(turned, called, last)
    between = np.full(n, labels.blank, np.int32)
    between[turned & (ink < 0.5)] = labels.comma
    between[eastern | bare] = 0
    family[bare | initialled] = NONE
    given_field, family_field = called.copy(), last.copy()
    family_field[bare] = NONE

    # Titles, roles, emoji.
    before, after = np.zeros((2, n), np.int32)
    extra = rng.random(n, np.float32)
    titled = np.flatnonzero((extra < of.titles) & (who.role < 0))
    before[titled] = labels.titles[who.locale[titled], rng.integers(0, labels.titles.shape[1], len(titled))]
    decorated = np.flatnonzero((extra > 1 - of.emoji) & (who.role < 0))
    after[decorated] = labels.emoji[rng.integers(0, len(EMOJI), len(decorated))]
    at = np.flatnonzero(who.role >= 0)
    after[at] = labels.roles[who.home[at], who.role[at], rng.integers(0, 2, len(at))]

    # Relatives: a word alone, a word and the name, or the name with the relation field.
    kin = np.flatnonzero(who.related)
    style = rng.random(len(kin))
    choice = np.where(style < ALONE, 0, 2) + rng.integers(0, 2, len(kin))
    dress = labels.kin[who.home[kin], who.kin[kin], choice]
    labelled = style < WITH_NAME
    alone, with_name = kin[labelled & (dress[:, 1] < 0)], kin[labelled & (dress[:, 1] >= 0)]
    one[alone], called[alone] = dress[labelled & (dress[:, 1] < 0), 0], NONE
    before[with_name], after[with_name] = dress[labelled & (dress[:, 1] >= 0)].T
    one[with_name] = called[with_name]
    for rows in (alone, with_name):
        between[rows], two[rows], family[rows], family_field[rows] = 0, 0, NONE, NONE
    before[alone], given_field[alone], nickname[alone] = 0, NONE, NONE
    filled = rng.random(len(kin)) < np.where(labelled, RELATION_FIELD / 2, RELATION_FIELD)
    relation_field = np.full(n, NONE, np.int32)
    relation_field[kin[filled]] = labels.codes[who.kin[kin[filled]]]
    sayable = np.zeros(n, bool)
    sayable[kin] = labelled | filled

    # Businesses: a name of Faker's, or a family name and a trade.
    firms = np.flatnonzero(who.business)
    pooled = rng.random(len(firms)) < FROM_POOL
    company, shop = firms[pooled], firms[~pooled]
    for column in (between, two, before, after):
        column[firms] = 0
    one[company] = pools.companies[who.home[company], rng.integers(0, COMPANIES, len(company))]
    one[shop] = who.surname[shop]
    trade = labels.trades[who.home[shop], rng.integers(0, labels.trades.shape[1], len(shop))]
    before[shop], after[shop] = trade.T
    called[company], called[shop], family[company], family[shop] = one[company], NONE, NONE, who.surname[shop]
    nickname[firms], given_field[firms], family_field[firms] = NONE, NONE, NONE
    display = words.joined(before, one, between, two, after)
    return Names(
        *(display, (before, one, two, after), called, family, nickname, sayable),
        *(given_field, family_field, relation_field),
    )
