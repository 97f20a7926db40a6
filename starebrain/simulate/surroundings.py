"""What else is on a phone: saved places, apps and notifications, as columns of a block."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starebrain._tables import TABLES
from starebrain.simulate.language import CARDS, catalogue
from starebrain.simulate.layout import Rows, dealt, rows_of, table
from starebrain.simulate.people import People, instants
from starebrain.simulate.phones import Phones
from starebrain.simulate.pools import Pools
from starebrain.simulate.streams import Streams
from starebrain.simulate.vocabulary import Index

HOME, WORK, LABEL, BRANCH, VENUE, KIN_PLACE = range(6)
"""Sorts of saved places."""
HOME_SAVED, WORK_SAVED, KIN_SAVED, BRANCHES, VENUES, UNLOCATED = 0.95, 0.8, 0.3, 0.15, 0.2, 0.15
"""Shares (assumed): phones with home, with work, with a relative's house; other places that are a branch of several, or
a venue; places without coordinates, as lists that people export have them."""
TWINS = 0.06
"""Share of labels that the next place on the phone has as well (assumed): two gyms, both called "Gym"."""
NEAR = 5_000
"""Farthest from the middle of the town, in 1e-5 degrees."""
WHO_WROTE = 0.7
"""Share of notifications that a contact sent (assumed)."""


@dataclass(frozen=True, slots=True)
class Places:
    """Saved places: what sort each is, and the contact whose it is (a row, `NONE` where it is nobody's)."""

    rows: Rows
    sort: Index
    contact: Index
    label: pa.Array
    table: pa.Table


def places_of(pools: Pools, streams: Streams, phones: Phones, people: People) -> Places:
    """The saved places of a block."""
    rng = streams("places")
    size, words = len(phones.locale), pools.words
    home, work = rng.random(size) < HOME_SAVED, rng.random(size) < WORK_SAVED
    settled = np.flatnonzero((people.kin >= 0) & (people.house >= 0))
    host = np.full(size, -1)
    host[people.rows.phone[settled][::-1]] = settled[::-1]
    visit = (host >= 0) & (rng.random(size) < KIN_SAVED)
    others = np.maximum(phones.sizes["places"] - home - work - visit, 0)
    sorts = np.stack([home, work, visit, others], axis=1).astype(np.int64)
    rows = rows_of(sorts.sum(axis=1))
    n, phone = rows.total, rows.phone
    order = np.repeat(np.tile([HOME, WORK, KIN_PLACE, LABEL], size), sorts.ravel())
    mixed = np.lexsort((rng.random(n), phone))
    sort = order[mixed]
    other, fate = sort == LABEL, rng.random(n)
    sort[other & (fate < BRANCHES)] = BRANCH
    sort[other & (fate > 1 - VENUES)] = VENUE
    card = dealt(rng, rows, CARDS)
    pair = np.flatnonzero((sort[:-1] == BRANCH) & (sort[1:] == BRANCH) & (phone[:-1] == phone[1:]))
    card[pair + 1] = card[pair]
    twins = np.flatnonzero((sort[:-1] == LABEL) & (sort[1:] == LABEL) & (phone[:-1] == phone[1:]))
    twins = twins[rng.random(len(twins)) < TWINS]
    card[twins + 1] = card[twins]
    branch = (rows.within + rng.integers(0, 3, size)[phone]) % 3
    locale = phones.locale[phone]
    texts = np.choose(
        np.minimum(sort, VENUE),
        [
            pools.pick(rng, "places", "home", locale),
            pools.pick(rng, "places", "work", locale),
            pools.phrases("places", "labels")[locale, card],
            pools.branches[locale, card, branch],
            pools.venues[locale, rng.integers(0, pools.venues.shape[1], n)],
        ],
    )
    label = words.column(texts)
    contact = np.where(sort == KIN_PLACE, host[phone], -1)
    if (contact >= 0).any():
        before, after = np.moveaxis(pools.sides("places", "contact_place_stored")[locale, 0], -1, 0)
        named = people.display.take(pa.array(np.maximum(contact, 0)))
        kin = pc.binary_join_element_wise(words.column(before), named, words.column(after), "")
        label = pc.if_else(pa.array(contact >= 0), kin, label)
    house = pools.addresses[locale, phones.town[phone], dealt(rng, rows, CARDS)]
    house = np.where(contact >= 0, people.house[np.maximum(contact, 0)], house) if people.rows.total else house
    middle = np.rint(pools.towns[locale, phones.town[phone]] * 1e5)
    spot = (middle + rng.integers(-NEAR, NEAR, (n, 2))) / 1e5
    lost = rng.random(n) < UNLOCATED
    return Places(
        *(rows, sort, contact, label),
        table(
            TABLES["locations"],
            {
                "device_id": pa.array(phones.ids).take(pa.array(phone)),
                "location_id": pools.codes.column(pools.ids("l", rows.within)),
                "label": label,
                "address": words.column(house),
                "latitude": pa.array(spot[:, 0], mask=lost),
                "longitude": pa.array(spot[:, 1], mask=lost),
            },
        ),
    )


@dataclass(frozen=True, slots=True)
class Apps:
    """Apps and notifications: which of the `catalogue` each phone has, in (phones, apps), and what was used of late."""

    present: np.ndarray
    recent: Index
    table: pa.Table
    notifications: pa.Table


def apps_of(pools: Pools, streams: Streams, phones: Phones, people: People) -> Apps:
    """The apps of a block, and the notifications on its screens."""
    rng = streams("apps")
    size, words = len(phones.locale), pools.words
    present = rng.random((size, len(catalogue()))) < [app["share"] for app in catalogue()]
    key = np.where(present, rng.random(present.shape), 2)
    phone, app = np.nonzero(np.sort(key, axis=1) < 2)
    app = np.argsort(key, axis=1)[phone, app]
    latest = np.argsort(np.where(present, rng.random(present.shape), 2), axis=1)[:, :5]
    recent = np.where(np.take_along_axis(present, latest, axis=1), latest, -1)
    ids = pa.array(phones.ids)
    installed = table(
        TABLES["apps"],
        {
            "device_id": ids.take(pa.array(phone)),
            "package": words.column(pools.packages[app]),
            "label": words.column(pools.app_labels[phones.locale[phone], app]),
        },
    )
    return Apps(present, recent, installed, _notifications(pools, streams, phones, people, present, ids))


def _notifications(
    pools: Pools, streams: Streams, phones: Phones, people: People, present: np.ndarray, ids: pa.Array
) -> pa.Table:
    rng, words = streams("notifications"), pools.words
    rows = rows_of(phones.sizes["notifications"])
    n, phone = rows.total, rows.phone
    talks = present & np.array(["send_message" in app.get("actions", ()) for app in catalogue()])
    chosen = np.argmax(np.where(talks[phone], rng.random((n, talks.shape[1])), -1), axis=1)
    locale, there = phones.locale[phone], people.rows.counts[phone]
    sender = people.rows.start[phone] + np.floor(rng.random(n) * there).astype(np.int64)
    sent = (rng.random(n) < WHO_WROTE) & (there > 0)
    label = words.column(pools.app_labels[locale, chosen])
    title = label
    who = pa.nulls(n, pa.string())
    if sent.any():
        title = pc.if_else(pa.array(sent), people.display.take(pa.array(np.where(sent, sender, 0))), label)
        who = people.table.column("contact_id").take(pa.array(sender, mask=~sent)).combine_chunks()
    return table(
        TABLES["notifications"],
        {
            "device_id": ids.take(pa.array(phone)),
            "notification_id": pools.codes.column(pools.ids("n", rows.within)),
            "posted_at": instants(phones.now[phone] - rng.integers(1, 12 * 3_600, n)),
            "package": words.column(pools.packages[chosen]),
            "title": title,
            "text": words.column(pools.pick(rng, "messages", "texts", locale)),
            "sender_contact_id": who,
        },
    )
