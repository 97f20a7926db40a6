"""The people and businesses of a block of phones, as columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starebrain._tables import INSTANT, TABLES
from starebrain.simulate.layout import Rows, lists, spaced, table
from starebrain.simulate.phones import DAY, Phones
from starebrain.simulate.streams import Streams
from starebrain.simulate.vocabulary import CARDS, CITIES, COMPANIES, GRAIN, HOMES, NONE, Index, Pools

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
LABEL_ALONE, LABEL_AND_NAME = 0.45, 0.65
"""Up to the first share relatives are stored under a word alone ("Mom"), up to the second under word and name."""
RELATION_FIELD, SAME_FAMILY, NEAR = 0.7, 0.6, 0.7
"""Shares (assumed): relatives with the relation field, with the owner's family name; addresses in the home town."""


@dataclass(frozen=True, slots=True)
class People:
    """The contacts of a block, a row each, with what their phones do not say.

    `called` and `family` are the name words that the phone has (`family` is `NONE` where it has none), `formal` and
    `surname` those that the person has; `person` is the first row of the person (duplicates share it). `kin` and `role`
    are places in `KIN_CODES` and in the language's roles, `firm` and `house` texts; each `NONE` where there is none.
    `sayable` tells whether the phone knows the relation, `colleague` whether the firm is the owner's.
    """

    rows: Rows
    locale: Index
    sex: Index
    formal: Index
    surname: Index
    called: Index
    family: Index
    nickname: Index
    kin: Index
    sayable: np.ndarray
    role: Index
    business: np.ndarray
    firm: Index
    colleague: np.ndarray
    person: Index
    house: Index
    times: Index
    display: pa.Array
    mail: pa.Array
    table: pa.Table


@dataclass(frozen=True, slots=True)
class Labels:
    """The words that names are dressed with, as numbers: (locale, choice, 2) of what stands before and after."""

    kin: Index
    kin_known: Index
    trades: Index
    roles: Index
    titles: Index
    emoji: Index
    initials: Index
    info: int


def labels_of(pools: Pools) -> Labels:
    """Add the dressings of names to the vocabulary."""
    words = pools.words

    def sides(template: str) -> list[int]:
        before, _, after = template.partition("{name}")
        return [words.add(before), words.add(after)]

    def kin(speech: Any, code: str) -> list[list[int]]:
        _, alone, named, _ = speech["relations"][code]
        return [[words.add(alone[i % len(alone)]), NONE] for i in range(2)] + [
            sides(named[i % len(named)]) if named else [words.add(alone[0]), NONE] for i in range(2)
        ]

    words.all((" ", ", "))
    initials = np.zeros(len(words.texts), np.int32)
    for number in np.unique(pools.families).tolist():
        initials[number] = words.add(words.texts[number][0] + ".")
    speeches = pools.languages
    return Labels(
        kin=np.array([[kin(speech, code) for code in KIN_CODES] for speech in speeches], np.int32),
        kin_known=np.array(
            [[words.add(code), words.add(s["relations"][code][3][0])] for s in speeches for code in KIN_CODES]
        )
        .reshape(len(speeches), len(KIN_CODES), 2)
        .astype(np.int32),
        trades=np.array([[sides(t) for t in speech["people"]["trades"]] for speech in speeches], np.int32),
        roles=np.array(
            [[[words.add(f" ({r})"), words.add(f" {r}")] for r in s["people"]["roles"]] for s in speeches], np.int32
        ),
        titles=np.array(
            [[words.add(t + " ") for t in speech["people"]["titles"][:4]] for speech in speeches], np.int32
        ),
        emoji=words.all(" " + e for e in EMOJI),
        initials=initials,
        info=words.add("info"),
    )


def people_of(pools: Pools, labels: Labels, streams: Streams, phones: Phones, of: Contacts) -> People:
    """Everyone on a block of phones."""
    rows = phones.contacts
    n, phone = rows.total, rows.phone
    words, home = pools.words, phones.locale[phone]

    # Who they are.
    rng = streams("names")
    sex, locale = rng.integers(0, 2, n), home.copy()
    abroad = rng.random(n) < (of.foreign if len(pools.locales) > 1 else 0)
    locale[abroad] = (locale + rng.integers(1, max(2, len(pools.locales)), n))[abroad] % len(pools.locales)

    rng = streams("sorts")
    sort = rng.random(n)
    kin, place = np.full(n, NONE), spaced(rng, rows, len(KIN))
    known = (rng.random(place.shape) < [share for _, share in KIN]) & (place >= 0)
    known[:, PAIR[1]] &= ~known[:, PAIR[0]]
    kin[place[known]] = np.broadcast_to([KIN_CODES.index(code) for code, _ in KIN], place.shape)[known]
    related = kin >= 0
    bounds = np.cumsum([of.businesses, of.roles, of.duplicates, of.namesakes, of.couples / 2])
    at = np.where(related, -1, np.searchsorted(bounds, sort, side="right"))
    business, has_role = at == 0, at == 1
    ordinary = at == 5
    locale[related | business] = home[related | business]
    is_woman = np.array([code in WOMEN for code in KIN_CODES])
    blood = related & (kin != KIN_CODES.index("manager"))
    sex[blood] = np.where(is_woman[kin[blood]], 0, 1)

    rng = streams("given names")
    formal = pools.given[locale, sex, rng.integers(0, GRAIN, n)]
    position = pools.family[locale, rng.integers(0, GRAIN, n)]
    like_owner = blood & (rng.random(n) < SAME_FAMILY)
    position[like_owner] = phones.family[phone[like_owner]]

    # Who is like whom: the second of a couple has the family name, duplicates and namesakes have all names of another.
    rng = streams("likeness")
    halves = np.flatnonzero((at == 4)[:-1] & ordinary[1:] & (phone[1:] == phone[:-1]))
    position[halves + 1], locale[halves + 1], sex[halves + 1] = position[halves], locale[halves], 1 - sex[halves]
    formal[halves + 1] = pools.given[locale, sex, rng.integers(0, GRAIN, n)][halves + 1]
    others = rows.counts[phone]
    other = rows.start[phone] + (rows.within + 1 + np.floor(rng.random(n) * (others - 1)).astype(np.int64)) % others
    copies = np.flatnonzero(((at == 2) | (at == 3)) & ordinary[other])
    for column in (sex, locale, formal, position):
        column[copies] = column[other[copies]]
    person, duplicates = np.arange(n), copies[at[copies] == 2]
    person[duplicates] = other[duplicates]
    surname = pools.families[sex, position]

    # How they are written.
    rng = streams("forms")
    form, ink = rng.random(n), rng.random((4, n))
    is_duplicate = person != np.arange(n)
    family_first_locale = np.array([t.family_first for t in pools.tables])[locale]
    short = pools.diminutives[formal, rng.integers(0, 2, n)]
    short = np.where(short < 0, pools.diminutives[formal, 0], short)
    has_short = short >= 0
    called = np.where(has_short & (ink[0] < np.where(is_duplicate, 0.25, of.diminutives)), short, formal)
    nickname = np.where(has_short & (called == formal) & (ink[1] < of.nicknames), short, NONE)
    bare = form < of.given_only
    initialled = ~bare & (form < of.given_only + np.where(is_duplicate, 0.2, of.initials)) & ~family_first_locale
    turned = ~bare & ~initialled & ((form > 1 - np.where(is_duplicate, 0.3, of.family_first)) | family_first_locale)
    bare &= ~is_duplicate
    family = np.where(bare | initialled, NONE, surname)
    blank, comma = words.number(" "), words.number(", ")
    tight = np.array([t.script == "Japanese" for t in pools.tables])[locale]
    last = np.where(bare, 0, np.where(initialled, labels.initials[surname], surname))
    one, two = np.where(turned, last, called), np.where(turned, called, last)
    between = np.where(bare | tight, 0, np.where(turned & (ink[2] < 0.5) & ~family_first_locale, comma, blank))
    before, after = np.zeros(n, np.int32), np.zeros(n, np.int32)
    titled = ~related & ~business & (ink[3] < of.titles)
    before[titled] = labels.titles[locale, rng.integers(0, labels.titles.shape[1], n)][titled]
    decorated = ~has_role & (ink[3] > 1 - of.emoji)
    after[decorated] = labels.emoji[rng.integers(0, len(EMOJI), n)][decorated]
    role = np.where(has_role, rng.integers(0, labels.roles.shape[1], n), NONE)
    after[has_role] = labels.roles[home, role, rng.integers(0, 2, n)][has_role]

    style = rng.random(n)
    choice = np.where(style < LABEL_ALONE, 0, 2) + rng.integers(0, 2, n)
    dressed = np.where(related & (style < LABEL_AND_NAME), labels.kin[home, kin, choice].T, NONE)
    alone, labelled = related & (dressed[0] >= 0) & (dressed[1] == NONE), related & (dressed[1] >= 0)
    before[alone | labelled], after[labelled] = 0, dressed[1][labelled]
    before[labelled] = dressed[0][labelled]
    one[alone], between[alone | labelled], two[alone | labelled] = dressed[0][alone], 0, 0
    one[labelled] = called[labelled]
    relation_field = related & (rng.random(n) < np.where(alone | labelled, RELATION_FIELD / 2, RELATION_FIELD))
    relation = np.where(relation_field, labels.kin_known[home, kin, 0], NONE)

    trade = rng.integers(0, labels.trades.shape[1], n)
    from_pool = business & (rng.random(n) < 0.4)
    shop = business & ~from_pool
    company = pools.companies[locale, rng.integers(0, COMPANIES, n)]
    one[from_pool], one[shop] = company[from_pool], surname[shop]
    between[business], two[business], before[business], after[business] = 0, 0, 0, 0
    before[shop], after[shop] = labels.trades[home, trade, 0][shop], labels.trades[home, trade, 1][shop]
    unnamed = alone | business
    called = np.where(alone, NONE, np.where(from_pool, one, np.where(shop, NONE, called)))
    family = np.where(shop, surname, np.where(from_pool | alone | labelled, NONE, family))
    nickname[unnamed] = NONE
    display = pc.binary_join_element_wise(*map(words.column, (before, one, between, two, after)), "")

    # Where they work and how they are reached.
    rng = streams("reach")
    employed = ~business & ~related & ~has_role
    colleague = employed & (rng.random(n) < of.colleagues)
    firm = np.where(employed & (rng.random(n) < of.organizations), company, NONE)
    colleague[duplicates], firm[duplicates] = colleague[person[duplicates]], firm[person[duplicates]]
    firm = np.where(colleague, pools.companies[home, phones.firm[phone]], firm)
    slot = rows.within.astype(np.int64)
    slot[duplicates] = slot[person[duplicates]]
    number_slot = slot.copy()
    number_slot[halves + 1] = number_slot[halves]
    number_slot[duplicates] = number_slot[person[duplicates]]
    numbers, counts = _numbers(pools, rng, phones, home, number_slot, of)
    reached = (rng.random(n) < of.emails) | colleague
    reached[duplicates] = reached[person[duplicates]]
    mail = _mail(
        pools, rng, np.where(business, labels.info, pools.slugs[formal]), surname, firm, colleague, slot, reached
    )
    settled = (rng.random(n) < of.addresses) | (related & (rng.random(n) < 0.4))
    town = np.where(rng.random(n) < NEAR, phones.town[phone], rng.integers(0, CITIES, n))
    house = np.where(settled, pools.addresses[home, town, rng.integers(CARDS, HOMES, n)], NONE)

    # What has passed between them and the owner.
    rng = streams("history")
    warmth = np.where(related, 2.0, np.where(colleague, 0.7, 0.0))
    times = np.minimum(np.exp(1.6 + warmth + 1.5 * rng.standard_normal(n)), 50_000).astype(np.int64)
    times[~related & (rng.random(n) < of.never_contacted)] = 0
    starred = rng.random(n) < np.where(related, 0.3, of.starred)
    since = np.ceil(rng.random(n) * 3_000 * DAY).astype(np.int64)
    ago = np.minimum(np.exp(3.4 - warmth / 2 + 1.5 * rng.standard_normal(n)) * DAY, since).astype(np.int64)
    now = phones.now[phone]
    stored_given = np.where(business | alone, NONE, called)
    stored_family = np.where(
        business, NONE, np.where(initialled & ~unnamed & ~labelled, labels.initials[surname], family)
    )
    ids = words.column(pools.ids("c", rows.within))
    return People(
        *(rows, locale, sex, formal, surname, called, family, nickname, kin),
        *(related & (alone | labelled | relation_field), role, business, firm, colleague, person, house, times),
        *(display, mail),
        table(
            TABLES["contacts"],
            {
                "device_id": pa.array(phones.ids).take(pa.array(phone)),
                "contact_id": ids,
                "display_name": display,
                "given_name": words.column(stored_given),
                "family_name": words.column(stored_family),
                "nickname": words.column(nickname),
                "relation": words.column(relation),
                "organization": words.column(np.where(business & ~shop, NONE, firm)),
                "phones": lists(words.column(numbers), counts),
                "emails": lists(mail.drop_null(), reached.astype(np.int64)),
                "addresses": lists(words.column(house[house >= 0]), (house >= 0).astype(np.int64)),
                "starred": pa.array(starred),
                "times_contacted": pa.array(times),
                "last_contacted_at": instants(now - ago, times == 0),
                "added_at": instants(now - since),
            },
        ),
    )


def instants(seconds: Index, absent: np.ndarray | None = None) -> pa.Array:
    """Seconds since 1970 as the instants that tables hold."""
    return pa.array(seconds * 10**6, pa.int64(), mask=absent).cast(INSTANT)


def _numbers(
    pools: Pools, rng: np.random.Generator, phones: Phones, home: Index, slot: Index, of: Contacts
) -> tuple[Index, Index]:
    """Phone numbers, flat, and how many each contact has; different slots of a phone have different numbers."""
    phone, room = phones.contacts.phone, pools.phones.shape[2]
    first, step = rng.integers(0, room, len(phones.locale)), 2 * rng.integers(0, room // 2, len(phones.locale)) + 1
    counts = 1 + (rng.random(len(slot)) < of.second_phones)
    begin = np.cumsum(counts) - counts
    owner = np.repeat(np.arange(len(slot)), counts)
    places = slot[owner] + np.where(np.arange(len(owner)) == begin[owner], 0, room // 2)
    written = (rng.random(len(owner)) < of.national_phones).astype(np.int64)
    at = phone[owner]
    return pools.phones[home[owner], written, (first[at] + places * step[at]) % room], counts


def _mail(
    pools: Pools,
    rng: np.random.Generator,
    given: Index,
    surname: Index,
    firm: Index,
    colleague: np.ndarray,
    slot: Index,
    reached: np.ndarray,
) -> pa.Array:
    """Mail addresses, null where not reached: a colleague's at the firm, others at a public service."""
    words, slugs = pools.words, pools.slugs
    public = pools.domains[rng.integers(0, len(pools.domains), len(given))]
    there = np.flatnonzero(reached)
    at = np.where(colleague[there], pools.firm_domains[np.maximum(firm[there], 0)], public[there])
    joined = pc.binary_join_element_wise(
        words.column(given[there]),
        words.column(slugs[surname[there]]),
        pc.binary_join_element_wise(words.column(pools.ids("", slot[there])), words.column(at), ""),
        ".",
    )
    gather = np.zeros(len(given), np.int64)
    gather[there] = np.arange(len(there))
    return joined.take(pa.array(gather, mask=~reached)) if len(there) else pa.nulls(len(given), pa.string())
