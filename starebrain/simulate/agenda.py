"""Calendars and events of a block of phones, as columns; repeated events are there occurrence by occurrence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starebrain._tables import TABLES
from starebrain.simulate.layout import Rows, lists, rows_of, table
from starebrain.simulate.people import People, instants
from starebrain.simulate.phones import MINUTE, Phones
from starebrain.simulate.pools import HOMES, STREETS, Pools
from starebrain.simulate.streams import Streams
from starebrain.simulate.surroundings import Places
from starebrain.simulate.vocabulary import Index

if TYPE_CHECKING:
    from starebrain.simulate.scenario import Events

CALENDARS = (("personal", 1.0), ("work", 0.8), ("family", 0.4), ("birthdays", 0.7), ("holidays", 0.8))
"""Calendars of a phone, and the share of phones that have them (assumed); the last two cannot be written to."""
PERSONAL, WORK, FAMILY, BIRTHDAYS, HOLIDAYS = range(5)
WORK_IS_DEFAULT = 0.3
RESPONSES = ("accepted", "tentative", "needs_action", "declined")
ANSWERS = (0.2, 0.15, 0.5, 0.15)
"""Shares of the answers to invitations (assumed)."""
LENGTHS = (30, 45, 60, 60, 90, 120)
"""Minutes of an event, equally often."""


@dataclass(frozen=True, slots=True)
class Agenda:
    """Events in order of time on each phone: start and end (seconds since 1970), the series (`NONE`: single) of each.

    `place` is the saved place (a row) where it is held, `NONE` elsewhere; `calendars` gives, for each phone and sort of
    `CALENDARS`, the number of its calendar there, `NONE` where it has none.
    """

    rows: Rows
    start: Index
    end: Index
    series: Index
    all_day: np.ndarray
    response: Index
    place: Index
    title: pa.Array
    location: pa.Array
    calendars: Index
    default: Index
    calendar_table: pa.Table
    table: pa.Table
    owner_mail: pa.Array
    work_mail: pa.Array


def agenda_of(pools: Pools, streams: Streams, phones: Phones, people: People, places: Places, of: Events) -> Agenda:
    """The calendars of a block, and what is in them."""
    size, words = len(phones.locale), pools.words
    ids = pa.array(phones.ids)
    mine, at_work = _owner_mail(pools, phones)

    rng = streams("calendars")
    present = rng.random((size, len(CALENDARS))) < [share for _, share in CALENDARS]
    order = np.argsort(np.where(present, rng.random(present.shape), 2), axis=1)
    place = np.argsort(order, axis=1)
    calendars = np.where(present, place, -1)
    default = np.where(present[:, WORK] & (rng.random(size) < WORK_IS_DEFAULT), WORK, PERSONAL)
    phone, nth = np.nonzero(np.take_along_axis(present, order, axis=1))
    sort = order[phone, nth]
    names = np.stack([pools.pick(rng, "calendars", name, phones.locale[phone]) for name, _ in CALENDARS])
    account = pc.if_else(pa.array(sort == WORK), at_work.take(pa.array(phone)), mine.take(pa.array(phone)))
    calendar_table = table(
        TABLES["calendars"],
        {
            "device_id": ids.take(pa.array(phone)),
            "calendar_id": pools.codes.column(pools.ids("k", nth)),
            "name": words.column(names[sort, np.arange(len(phone))]),
            "account": account,
            "is_default": pa.array(sort == default[phone]),
            "writable": pa.array(sort < BIRTHDAYS),
        },
    )

    # When: occurrences of series first, then single events up to the size that was drawn.
    rng = streams("events")
    runs = rows_of(rng.poisson(of.series, size))
    daily, weekday = rng.random(runs.total) < 0.25, rng.integers(0, 7, runs.total)
    at, length = 15 * rng.integers(32, 80, runs.total), np.array(LENGTHS)[rng.integers(0, len(LENGTHS), runs.total)]
    days = phones.day[runs.phone][:, None] + np.arange(of.horizon_days)
    which = (days + 3) % 7
    run, ahead = np.nonzero(np.where(daily[:, None], which < 5, which == weekday[:, None]))
    singles = rows_of(np.maximum(phones.sizes["events"] - np.bincount(runs.phone[run], minlength=size), 0))
    s, r = singles.total, len(run)
    phone = np.concatenate([runs.phone[run], singles.phone])
    series = np.concatenate([run, np.full(s, -1)])
    day = phones.day[phone] + np.concatenate([ahead, rng.integers(0, of.horizon_days, s)])
    minute = np.concatenate([at[run], 15 * rng.integers(32, 82, s)])
    lasting = np.concatenate([length[run], np.array(LENGTHS)[rng.integers(0, len(LENGTHS), s)]])

    # What: a title in three parts.
    fate = np.concatenate([np.full(r, 2.0), rng.random(s)])
    bounds = np.cumsum([of.all_day, of.birthdays, of.with_contact])
    there = people.rows.counts[phone]
    guest = people.rows.start[phone] + np.floor(rng.random(r + s) * there).astype(np.int64)
    guest[there == 0] = 0
    named = (there > 0) & ((people.called[guest] >= 0) if people.rows.total else False)
    all_day = fate < bounds[0]
    birthday = (fate >= bounds[0]) & (fate < bounds[1]) & named & (calendars[phone, BIRTHDAYS] >= 0)
    meeting = (fate >= bounds[1]) & (fate < bounds[2]) & named
    locale = phones.locale[phone]
    text = pools.pick(rng, "events", "single", locale)
    again = pools.phrases("events", "recurring")
    title_of_run = again[phones.locale[runs.phone], rng.integers(0, again.shape[1], runs.total)]
    text[:r] = title_of_run[run]
    text = np.where(all_day, pools.pick(rng, "events", "all_day", locale), text)
    sides = pools.sides("events", "with_name")
    around = np.where(
        birthday[:, None],
        pools.sides("events", "birthday")[locale, 0],
        sides[locale, rng.integers(0, sides.shape[1], r + s)],
    )
    about = birthday | meeting
    called = people.called[guest] if people.rows.total else np.zeros(r + s, np.int32)
    text = np.where(about, called, text)
    before, after = np.where(about, around[:, 0], 0), np.where(about, around[:, 1], 0)
    all_day |= birthday
    long = np.where(all_day & ~birthday & (rng.random(r + s) < 0.4), rng.integers(2, 12, r + s), 1)

    # Where, who with, whose.
    where = rng.random(r + s) / of.located if of.located else np.full(r + s, 2.0)
    where[:r] = (rng.random(runs.total) / of.located if of.located else np.full(runs.total, 2.0))[run]
    where[all_day] = 2
    spots = places.rows.counts[phone]
    lot = rng.random(r + s)
    lot[:r] = rng.random(runs.total)[run]
    spot = np.where((where < 0.4) & (spots > 0), places.rows.start[phone] + np.floor(lot * spots).astype(np.int64), -1)
    venue, room = (where >= 0.4) & (where < 0.75), (where >= 0.75) & (where < 1)
    head = np.where(venue, pools.venues[locale, np.floor(lot * pools.venues.shape[1]).astype(np.int64)], 0)
    rooms = pools.phrases("places", "rooms")
    head = np.where(room, rooms[locale, np.floor(lot * rooms.shape[1]).astype(np.int64)], head)
    address = pools.addresses[locale, phones.town[phone], (HOMES + np.floor(lot * (STREETS - HOMES))).astype(np.int64)]
    comma = np.where(venue, words.number(", "), 0)
    location = pc.binary_join_element_wise(
        words.column(head), words.column(comma), words.column(np.where(venue, address, 0)), ""
    )
    location = pc.if_else(pa.array(venue | room), location, pa.scalar(None, pa.string()))
    if places.rows.total:
        saved = places.label.take(pa.array(np.maximum(spot, 0)))
        location = pc.if_else(pa.array(spot >= 0), saved, location)
    invited = ~all_day & (there > 0) & (rng.random(r + s) < of.invitations)
    response = np.where(invited, rng.choice(len(ANSWERS), r + s, p=ANSWERS), 0)
    kept = np.where(birthday, BIRTHDAYS, np.where(rng.random(r + s) < 0.4, WORK, PERSONAL))
    kept = np.where(~birthday & (rng.random(r + s) < 0.1), FAMILY, kept)
    kept = np.where(calendars[phone, kept] < 0, PERSONAL, kept)

    start = phones.utc(phone, day, np.where(all_day, 0, minute))
    end = np.where(all_day, phones.utc(phone, day + long, np.zeros_like(day)), start + lasting * MINUTE)
    sorted_ = np.lexsort((start, phone))
    rows = rows_of(np.bincount(phone, minlength=size))
    phone, guest, invited, meeting = phone[sorted_], guest[sorted_], invited[sorted_], meeting[sorted_]
    start, end, spot, response = start[sorted_], end[sorted_], spot[sorted_], response[sorted_]
    title = pc.binary_join_element_wise(*(words.column(part[sorted_]) for part in (before, text, after)), "")
    location = location.take(pa.array(sorted_))
    mail = (
        people.mail.take(pa.array(guest, mask=there[sorted_] == 0))
        if people.rows.total
        else pa.nulls(r + s, pa.string())
    )
    reached = np.asarray(mail.is_valid())
    guests = (meeting & ~invited & reached) | invited
    asked = pc.if_else(pa.array(invited), mine.take(pa.array(phone)), mail)
    return Agenda(
        *(rows, start, end, series[sorted_], all_day[sorted_], response[sorted_], spot),
        *(title, location, calendars, default, calendar_table),
        table(
            TABLES["events"],
            {
                "device_id": ids.take(pa.array(phone)),
                "event_id": pools.codes.column(pools.ids("e", rows.within)),
                "start_time": instants(start),
                "end_time": instants(end),
                "calendar_id": pools.codes.column(pools.ids("k", calendars[phone, kept[sorted_]])),
                "title": title,
                "all_day": pa.array(all_day[sorted_]),
                "location": location,
                "attendees": lists(asked.filter(pa.array(guests)), guests.astype(np.int64)),
                "organizer": pc.if_else(pa.array(invited), mail, pa.scalar(None, pa.string())),
                "response": pa.array(RESPONSES).take(pa.array(response)),
            },
        ),
        mine,
        at_work,
    )


def _owner_mail(pools: Pools, phones: Phones) -> tuple[pa.Array, pa.Array]:
    """The owners' private and work addresses."""
    words, slugs = pools.words, pools.slugs
    given, last = slugs[phones.given], slugs[pools.families[phones.sex, phones.family]]
    firm = pools.firm_domains[pools.companies[phones.locale, phones.firm]]
    name = pc.binary_join_element_wise(words.column(given), words.column(last), ".")
    private = np.full(len(given), pools.domains[0])
    return tuple(pc.binary_join_element_wise(name, words.column(at), "") for at in (private, firm))
