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
from starebrain.simulate.vocabulary import NONE, Index

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


AT_WORK, WITH_FAMILY, DAILY, LONG = 0.4, 0.1, 0.25, 0.4
"""Shares (assumed): events in the work calendar and in the family's; series on all working days instead of weekly;
all-day events of several days."""
AT_PLACE, AT_VENUE = 0.4, 0.75
"""Up to the first share of located events are held at a saved place, up to the second at a venue, the rest in rooms."""
MOST_DAYS = 12
THURSDAY = 3
"""The weekday on which 1970 began."""


@dataclass(frozen=True, slots=True)
class Items:
    """Single events and series, as columns: all that the occurrences of a series have in common.

    `minute` of the day when it begins, `length` in minutes, `days` that an all-day event lasts; `place` and `guest` are
    rows of places and people, `response` a place in `RESPONSES`, `calendar` in `CALENDARS`.
    """

    phone: Index
    repeats: np.ndarray
    minute: Index
    length: Index
    all_day: np.ndarray
    days: Index
    title: pa.Array
    location: pa.Array
    place: Index
    guest: Index
    meeting: np.ndarray
    invited: np.ndarray
    response: Index
    calendar: Index


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
    place: Index
    calendars: Index
    calendar_table: pa.Table
    owner_mail: pa.Array
    work_mail: pa.Array
    table: pa.Table


def agenda_of(pools: Pools, streams: Streams, phones: Phones, people: People, places: Places, of: Events) -> Agenda:
    """The calendars of a block, and what is in them."""
    mine, at_work = _owner_mail(pools, phones)
    calendars, calendar_table = _calendars(pools, streams, phones, mine, at_work)
    items, item, day = _items(pools, streams("events"), phones, people, places, calendars, of)
    phone, all_day = items.phone[item], items.all_day[item]
    start = phones.utc(phone, day, items.minute[item])
    later = phones.utc(phone, day + items.days[item], items.minute[item])
    end = np.where(all_day, later, start + items.length[item] * MINUTE)
    sorted_ = np.lexsort((start, phone))
    start, end, item, phone = start[sorted_], end[sorted_], item[sorted_], phone[sorted_]
    rows, at = rows_of(np.bincount(phone, minlength=len(phones.locale))), pa.array(item)
    title, location = items.title.take(at), items.location.take(at)
    guest, invited = items.guest[item], items.invited[item]
    mail = np.append(people.mail, NONE)[guest]
    asked = invited | (items.meeting[item] & (mail >= 0))
    attendee, inviter = np.where(invited, len(people.mails) + phone, mail)[asked], np.where(invited, mail, NONE)
    mails = pa.concat_arrays([people.mails, mine])
    return Agenda(
        *(rows, start, end, np.where(items.repeats, np.arange(len(items.phone)), NONE)[item], items.place[item]),
        *(calendars, calendar_table, mine, at_work),
        table(
            TABLES["events"],
            {
                "device_id": pa.array(phones.ids).take(pa.array(phone)),
                "event_id": pools.codes.column(pools.ids("e", rows.within)),
                "start_time": instants(start),
                "end_time": instants(end),
                "calendar_id": pools.codes.column(pools.ids("k", calendars[phone, items.calendar[item]])),
                "title": title,
                "all_day": pa.array(items.all_day[item]),
                "location": location,
                "attendees": lists(mails.take(pa.array(attendee)), asked),
                "organizer": mails.take(pa.array(inviter, mask=inviter < 0)),
                "response": pa.array(RESPONSES).take(pa.array(items.response[item])),
            },
        ),
    )


def _calendars(
    pools: Pools, streams: Streams, phones: Phones, mine: pa.Array, at_work: pa.Array
) -> tuple[Index, pa.Table]:
    """For each phone and sort of calendar its number there, and the table."""
    rng = streams("calendars")
    size, words = len(phones.locale), pools.words
    present = rng.random((size, len(CALENDARS))) < [share for _, share in CALENDARS]
    order = np.argsort(np.where(present, rng.random(present.shape), 2), axis=1)
    default = np.where(present[:, WORK] & (rng.random(size) < WORK_IS_DEFAULT), WORK, PERSONAL)
    phone, nth = np.nonzero(np.take_along_axis(present, order, axis=1))
    sort, owner = order[phone, nth], pa.array(phone)
    names = np.stack([pools.pick(rng, "calendars", name, phones.locale[phone]) for name, _ in CALENDARS])
    columns = {
        "device_id": pa.array(phones.ids).take(owner),
        "calendar_id": pools.codes.column(pools.ids("k", nth)),
        "name": words.column(names[sort, np.arange(len(phone))]),
        "account": pc.if_else(pa.array(sort == WORK), at_work.take(owner), mine.take(owner)),
        "is_default": pa.array(sort == default[phone]),
        "writable": pa.array(sort < BIRTHDAYS),
    }
    return np.where(present, np.argsort(order, axis=1), NONE), table(TABLES["calendars"], columns)


def _items(
    pools: Pools, rng: np.random.Generator, phones: Phones, people: People, places: Places, calendars: Index, of: Events
) -> tuple[Items, Index, Index]:
    """What is in the calendars, series first; then the item and the day of every occurrence.

    Occurrences of series are counted first, and single events fill up to the size that was drawn for the phone.
    """
    size, words = len(phones.locale), pools.words
    series = rows_of(rng.poisson(of.series, size))
    daily, weekday = rng.random(series.total) < DAILY, rng.integers(0, 7, series.total)
    days = phones.day[series.phone][:, None] + np.arange(of.horizon_days)
    which = (days + THURSDAY) % 7
    run, ahead = np.nonzero(np.where(daily[:, None], which < 5, which == weekday[:, None]))
    left = phones.sizes["events"] - np.bincount(series.phone[run], minlength=size)
    singles = rows_of(np.maximum(left, 0))
    item = np.concatenate([run, series.total + np.arange(singles.total)])
    phone = np.concatenate([series.phone, singles.phone])
    ahead = np.concatenate([ahead, rng.integers(0, of.horizon_days, singles.total)])
    n, locale, repeats = len(phone), phones.locale[phone], np.arange(len(phone)) < series.total

    # What: a title in three parts.
    fate = np.where(repeats, 1.0, rng.random(n))
    known = people.rows.counts[phone]
    guest = people.rows.start[phone] + np.floor(rng.random(n) * known).astype(np.int64)
    guest[known == 0] = NONE
    called = np.append(people.called, NONE)[guest]
    whole, birth, meet = np.cumsum([of.all_day, of.birthdays, of.with_contact])
    birthday = (fate >= whole) & (fate < birth) & (called >= 0) & (calendars[phone, BIRTHDAYS] >= 0)
    meeting = (fate >= birth) & (fate < meet) & (called >= 0)
    all_day = (fate < whole) | birthday
    text = np.where(
        repeats, pools.pick(rng, "events", "recurring", locale), pools.pick(rng, "events", "single", locale)
    )
    text = np.where(all_day, pools.pick(rng, "events", "all_day", locale), text)
    sides = pools.sides("events", "with_name")
    around = np.zeros((n, 2), np.int32)
    around[meeting] = sides[locale[meeting], rng.integers(0, sides.shape[1], int(meeting.sum()))]
    around[birthday] = pools.sides("events", "birthday")[locale[birthday], 0]
    about = birthday | meeting
    parts = (around[:, 0], np.where(about, called, text), around[:, 1])

    # Where: a saved place, a venue with its address, or a room.
    located, which, lot = (rng.random(n) < of.located) & ~all_day, rng.random(n), rng.random(n)
    spots = places.rows.counts[phone]
    saved = located & (which < AT_PLACE) & (spots > 0)
    venue, room = located & (which >= AT_PLACE) & (which < AT_VENUE), located & (which >= AT_VENUE)
    place = np.where(saved, places.rows.start[phone] + np.floor(lot * spots).astype(np.int64), NONE)
    head, comma, tail = np.zeros((3, n), np.int32)
    houses = HOMES + np.floor(lot * (STREETS - HOMES)).astype(np.int64)
    head[venue] = pools.venues[locale, np.floor(lot * pools.venues.shape[1]).astype(np.int64)][venue]
    tail[venue] = pools.addresses[locale, phones.town[phone], houses][venue]
    head[room] = pools.pick(rng, "places", "rooms", locale)[room]
    comma[venue] = words.number(", ")
    address = words.joined(head, comma, tail)
    location = pc.coalesce(
        places.label.take(pa.array(place, mask=~saved)),
        pc.if_else(pa.array(venue | room), address, pa.scalar(None, pa.string())),
    )

    # Who asked, and in which calendar it is.
    invited = ~all_day & (known > 0) & (rng.random(n) < of.invitations)
    calendar = np.where(rng.random(n) < AT_WORK, WORK, PERSONAL)
    calendar[rng.random(n) < WITH_FAMILY] = FAMILY
    calendar[birthday] = BIRTHDAYS
    calendar[calendars[phone, calendar] < 0] = PERSONAL
    items = Items(
        *(phone, repeats, np.where(all_day, 0, 15 * rng.integers(32, 82, n)), rng.choice(LENGTHS, n)),
        *(all_day, np.where(~birthday & (rng.random(n) < LONG), rng.integers(2, MOST_DAYS, n), 1)),
        *(words.joined(*parts), location, place, guest, meeting, invited),
        *(np.where(invited, rng.choice(len(ANSWERS), n, p=ANSWERS), 0), calendar),
    )
    return items, item, phones.day[phone[item]] + ahead


def _owner_mail(pools: Pools, phones: Phones) -> tuple[pa.Array, ...]:
    """The owners' private and work addresses."""
    words, slugs = pools.words, pools.slugs
    given, last = slugs[phones.given], slugs[pools.families[phones.sex, phones.family]]
    firm = pools.firm_domains[pools.companies[phones.locale, phones.firm]]
    dot, private = (np.full(len(given), number) for number in (words.number("."), pools.domains[0]))
    return tuple(words.joined(given, dot, last, at) for at in (private, firm))
