"""The people and businesses of a block of phones, as columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from starebrain._tables import INSTANT, TABLES
from starebrain.simulate.language import CARDS
from starebrain.simulate.layout import QUANTILES, Rows, lists, log_normal, spaced, table
from starebrain.simulate.naming import KIN, KIN_CODES, PAIR, WOMEN, Draft, Labels, write_names
from starebrain.simulate.phones import DAY, Phones
from starebrain.simulate.pools import CITIES, COMPANIES, GRAIN, HOMES, Pools
from starebrain.simulate.streams import Streams
from starebrain.simulate.vocabulary import NONE, Index

if TYPE_CHECKING:
    from starebrain.simulate.scenario import Contacts

SAME_FAMILY, NEAR, AT_HOME = 0.6, 0.7, 0.4
"""Shares (assumed): relatives with the owner's family name; addresses in the owner's town; relatives whose address is
known in any case."""
TIMES, AGO, SKEW = (5, 10, 37), (30, 21, 11), 1.5
"""How often a contact was reached, and how many days ago last: medians for others, colleagues and relatives, and the σ
of both log-normals (assumed)."""
_TIMES = np.array([log_normal(median, SKEW) for median in TIMES])
_AGO = np.array([log_normal(median * DAY, SKEW) for median in AGO])
EVER, NEW = 3_000, 2
"""Days since the oldest contacts were added, and since those that are fresh."""
BUSINESS, ROLE, DUPLICATE, NAMESAKE, HALF, ORDINARY = range(6)
"""Sorts of contacts, in the order in which a scenario's shares are added up."""


@dataclass(frozen=True, slots=True)
class People:
    """The contacts of a block, a row each, with what their phones do not say.

    `called` and `family` are the name words that the phone has (`NONE` where it has none), `formal` and `surname` those
    that the person has; `person` is the first row of the person (duplicates share it). `kin` and `role` are places in
    `KIN_CODES` and in the language's roles, `firm` and `house` texts; each `NONE` where there is none. `sayable` tells
    whether the phone knows the relation, `colleague` whether the firm is the owner's; `written` are the pieces of the
    displayed name, `mail` the places in `mails` of their mail addresses (`NONE` where there is none).
    """

    rows: Rows
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
    written: tuple[Index, ...]
    display: pa.Array
    mails: pa.Array
    mail: Index
    table: pa.Table


def people_of(pools: Pools, labels: Labels, streams: Streams, phones: Phones, of: Contacts) -> People:
    """Everyone on a block of phones."""
    rows, words = phones.contacts, pools.words
    who, slot = _who(pools, streams, phones, of)
    names = write_names(pools, labels, streams("forms"), who, of)

    # Where they work and how they are reached.
    rng = streams("reach")
    n, phone, home = rows.total, rows.phone, who.home
    employed = ~who.business & ~who.related & (who.role < 0)
    draw = rng.random(n)
    colleague, elsewhere = employed & (draw < of.colleagues), employed & (draw > 1 - of.organizations)
    copies = who.duplicates
    colleague[copies], elsewhere[copies] = colleague[who.person[copies]], False
    firm, there = np.full(n, NONE, np.int32), np.flatnonzero(elsewhere)
    firm[there] = pools.companies[home[there], rng.integers(0, COMPANIES, len(there))]
    firm[copies] = firm[who.person[copies]]
    there = np.flatnonzero(colleague)
    firm[there] = pools.companies[home[there], phones.firm[phone[there]]]
    numbers, counts = _numbers(pools, rng, phones, home, who.number, of)
    reached = (rng.random(n) < of.emails) | colleague
    reached[copies] = reached[who.person[copies]]
    at = np.flatnonzero(reached)
    mails = _mail(pools, labels, rng, who, firm[at], colleague[at], slot[at], at)
    settled = np.flatnonzero((rng.random(n) < of.addresses) | (who.related & (rng.random(n) < AT_HOME)))
    town = rng.integers(0, CITIES, len(settled))
    near = rng.random(len(settled)) < NEAR
    town[near] = phones.town[phone[settled[near]]]
    house = np.full(n, NONE, np.int32)
    house[settled] = pools.addresses[home[settled], town, rng.integers(CARDS, HOMES, len(settled))]

    # What has passed between them and the owner.
    rng = streams("history")
    warmth = np.where(who.related, 2, colleague.view(np.int8))
    often, long_ago = rng.integers(0, QUANTILES, (2, n), np.uint16)
    times = _TIMES[warmth, often]
    times[~who.related & (rng.random(n, np.float32) < of.never_contacted)] = 0
    starred = rng.random(n, np.float32) < np.where(who.related, 0.3, of.starred)
    since = 1 + rng.integers(0, EVER * DAY, n)
    fresh = rng.random(n, np.float32) < of.fresh
    since[fresh] = 1 + since[fresh] % (NEW * DAY)
    ago = np.minimum(_AGO[warmth, long_ago] + rng.integers(0, 3_600, n), since)
    now = phones.now[phone]
    return People(
        *(rows, who.sex, who.formal, who.surname, names.called, names.family, names.nickname, who.kin),
        *(names.sayable, who.role, who.business, firm, colleague, who.person, house, times),
        *(names.written, names.display, mails, np.where(reached, np.cumsum(reached) - 1, NONE)),
        table(
            TABLES["contacts"],
            {
                "device_id": pa.array(phones.ids).take(pa.array(phone)),
                "contact_id": pools.codes.column(pools.ids("c", rows.within)),
                "display_name": names.display,
                "given_name": words.column(names.given_field),
                "family_name": words.column(names.family_field),
                "nickname": words.column(names.nickname),
                "relation": words.column(names.relation_field),
                "organization": words.column(firm),
                "phones": lists(pools.codes.column(numbers), counts),
                "emails": lists(mails, reached),
                "addresses": lists(words.column(house[settled]), house >= 0),
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


def _who(pools: Pools, streams: Streams, phones: Phones, of: Contacts) -> tuple[Draft, Index]:
    """Who is on the phones, and a number for each person that nobody else on the phone has."""
    rows = phones.contacts
    n, phone, within = rows.total, rows.phone, rows.within
    home = phones.locale[phone]

    rng = streams("sorts")
    kin, place = np.full(n, NONE, np.int32), spaced(rng, rows, len(KIN))
    known = (rng.random(place.shape) < [share for _, share in KIN]) & (place >= 0)
    known[:, PAIR[1]] &= ~known[:, PAIR[0]]
    kin[place[known]] = np.broadcast_to([KIN_CODES.index(code) for code, _ in KIN], place.shape)[known]
    related = kin >= 0
    bounds = np.cumsum([of.businesses, of.roles, of.duplicates, of.namesakes, of.couples / 2])
    sort = np.searchsorted(bounds, rng.random(n), side="right").astype(np.int8)
    sort[related] = -1
    ordinary, business = sort == ORDINARY, sort == BUSINESS

    rng = streams("names")
    sex = rng.integers(0, 2, n, np.int8)
    locale = home.copy()
    if len(pools.locales) > 1:
        abroad = np.flatnonzero((rng.random(n, np.float32) < of.foreign) & ~related & ~business)
        locale[abroad] = (locale[abroad] + rng.integers(1, len(pools.locales), len(abroad))) % len(pools.locales)
    blood = np.flatnonzero(related & (kin != KIN_CODES.index("manager")))
    sex[blood] = np.array([code not in WOMEN for code in KIN_CODES])[kin[blood]]
    formal = pools.given[locale, sex, rng.integers(0, GRAIN, n, np.uint16)]
    position = pools.family[locale, rng.integers(0, GRAIN, n, np.uint16)]
    like_owner = blood[rng.random(len(blood)) < SAME_FAMILY]
    position[like_owner] = phones.family[phone[like_owner]]

    # Who is like whom: the second of a couple has the family name, duplicates and namesakes have all names of another.
    rng = streams("likeness")
    halves = np.flatnonzero((sort[:-1] == HALF) & ordinary[1:] & (phone[1:] == phone[:-1]))
    position[halves + 1], locale[halves + 1], sex[halves + 1] = position[halves], locale[halves], 1 - sex[halves]
    drawn = rng.integers(0, GRAIN, len(halves))
    formal[halves + 1] = pools.given[locale[halves], sex[halves + 1], drawn]
    copies = np.flatnonzero((sort == DUPLICATE) | (sort == NAMESAKE))
    others = rows.counts[phone[copies]]
    ahead = 1 + np.floor(rng.random(len(copies)) * (others - 1)).astype(np.int64)
    other = rows.start[phone[copies]] + (within[copies] + ahead) % others
    copies, other = copies[ordinary[other]], other[ordinary[other]]
    for column in (sex, locale, formal, position):
        column[copies] = column[other]
    same = sort[copies] == DUPLICATE
    duplicates, person = copies[same], np.arange(n)
    person[duplicates] = other[same]
    slot = within.copy()
    slot[duplicates] = within[person[duplicates]]
    number = slot.copy()
    number[halves + 1] = number[halves]
    number[duplicates] = number[person[duplicates]]
    role = np.full(n, NONE, np.int32)
    with_role = np.flatnonzero(sort == ROLE)
    role[with_role] = rng.integers(0, pools.roles, len(with_role))
    return (
        Draft(
            *(home, locale, sex, formal, pools.families[sex, position], kin, related, business),
            *(role, person, duplicates, number),
        ),
        slot,
    )


def _numbers(
    pools: Pools, rng: np.random.Generator, phones: Phones, home: Index, slot: Index, of: Contacts
) -> tuple[Index, Index]:
    """Phone numbers, flat, and how many each contact has; different slots of a phone have different numbers."""
    phone, room = phones.contacts.phone, pools.phones.shape[2]
    first, step = rng.integers(0, room, len(phones.locale)), 2 * rng.integers(0, room // 2, len(phones.locale)) + 1
    second = rng.random(len(slot), np.float32) < of.second_phones
    counts = 1 + second
    owner = np.repeat(np.arange(len(slot)), counts)
    places = slot[owner].astype(np.int64)
    places[(np.cumsum(counts) - 1)[second]] += room // 2
    written = (rng.random(len(owner), np.float32) < of.national_phones).astype(np.int8)
    at = phone[owner]
    return pools.phones[home[owner], written, (first[at] + places * step[at]) % room], counts


def _mail(
    pools: Pools,
    labels: Labels,
    rng: np.random.Generator,
    who: Draft,
    firm: Index,
    colleague: np.ndarray,
    slot: Index,
    at: Index,
) -> pa.Array:
    """The mail addresses of the rows `at`: a colleague's at the firm, others at a public service."""
    words, slugs = pools.words, pools.slugs
    given = np.where(who.business[at], labels.info, slugs[who.formal[at]])
    domain = pools.domains[rng.integers(0, len(pools.domains), len(at))]
    domain[colleague] = pools.firm_domains[firm[colleague]]
    dot = np.full(len(at), labels.dot)
    return words.joined(given, dot, slugs[who.surname[at]], dot, pools.counted + slot, domain)
