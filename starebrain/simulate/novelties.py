"""What each type of change does to a phone as it is: one function a type, in the table `HAPPENINGS`."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from starebrain._tables import EPOCH, local
from starebrain.device import Contact, Event, Notification, Response
from starebrain.simulate.changes import Cause, Change, ChangeType
from starebrain.simulate.distortions import latin, slug
from starebrain.simulate.phone_now import PhoneNow
from starebrain.simulate.view import Dice

# Shares and sizes, all assumed.
WITHOUT_FAMILY, WITH_MAIL = 0.2, 0.5
"""Added contacts without a family name, and with a mail address."""
OTHERS_MOVE = 0.5
"""Moved and cancelled events that somebody else moved."""
MOVES = (*(timedelta(minutes=m) for m in (-60, -30, 15, 30, 60, 120)), *(timedelta(days=d) for d in (-1, 1, 2, 7)))
"""How far events are moved, equally often; all-day events by the days alone."""
INVITED_WITHIN, INVITED_FROM, QUARTERS = 14, 8, 44
"""Days until the event of an invitation, the hour from which it may begin, and how many quarters of an hour later."""
MOVED_PLACE = 0.4
"""Relabelled places that have another address, and keep their label."""
FROM_A_CONTACT = 0.7
"""Notifications that a contact sent."""
ALONE, LISTS = ("given_name", "family_name", "nickname", "relation", "organization"), ("phones", "emails", "addresses")
"""Fields of a merged contact: the first one's where it has them, and those that list what both had."""
MOST_SHOWN = 20
"""Notifications on the screen at most."""


def add(now: PhoneNow, dice: Dice) -> Change:
    """Somebody new."""
    given, family = (dice.pick(names) for names in now.names)
    if dice() < now.rates.namesakes and (bearer := now.anybody().hit(dice)) is not None:
        given = bearer.given_name or given
    last = None if dice() < WITHOUT_FAMILY else family
    contact = Contact(
        now.new_id(),
        _displayed(now, given, last),
        *(given, last),
        phones=(now.digits(now.locale.phone, dice),),
        emails=(_mail(given, family, dice),) if dice() < WITH_MAIL else (),
        added_at=now.at,
    )
    return Change(now.at, ChangeType.ADD, Cause.OWNER, (contact,))


def edit(now: PhoneNow, dice: Dice) -> Change | None:
    """Another number, name, mail address, firm or address of somebody."""
    contact = now.anybody().hit(dice)
    if contact is None:
        return None
    drawn, other = dice(), {}
    for share, what in EDITS:
        if drawn < share:
            other = what(now, contact, dice)
            break
        drawn -= share
    edited = replace(contact, **(other or _number(now, contact, dice)))
    return None if edited == contact else Change(now.at, ChangeType.EDIT, Cause.OWNER, (edited,))


def _number(now: PhoneNow, contact: Contact, dice: Dice) -> dict[str, Any]:
    return {"phones": (now.digits(now.locale.phone, dice), *contact.phones[1:])}


def _name(now: PhoneNow, contact: Contact, dice: Dice) -> dict[str, Any]:
    """Another family name, as after a wedding; a first one where there was none."""
    family = dice.pick(now.names[1])
    if not contact.given_name:
        return {}
    if contact.family_name and contact.family_name in contact.display_name:
        shown = contact.display_name.replace(contact.family_name, family)
    else:
        shown = _displayed(now, contact.given_name, family)
    return {"display_name": shown, "family_name": family}


def _mails(now: PhoneNow, contact: Contact, dice: Dice) -> dict[str, Any]:
    name = contact.given_name or contact.display_name, contact.family_name or ""
    return {"emails": (_mail(*name, dice), *contact.emails[1:])}


def _firm(now: PhoneNow, contact: Contact, dice: Dice) -> dict[str, Any]:
    """The firm of somebody else on the phone, or none any more."""
    firms = sorted({c.organization for c in now.contacts.values() if c.organization} - {contact.organization})
    return {"organization": dice.pick([*firms, None])} if firms or contact.organization else {}


def _address(now: PhoneNow, contact: Contact, dice: Dice) -> dict[str, Any]:
    known = contact.addresses[:1] or next((c.addresses[:1] for c in now.contacts.values() if c.addresses), ())
    return {"addresses": (_elsewhere(known[0], dice), *contact.addresses[1:])} if known else {}


EDITS = ((0.35, _number), (0.2, _name), (0.15, _mails), (0.15, _firm), (0.15, _address))
"""What is edited, with shares (assumed); where a contact has nothing of the kind, its number."""


def remove(now: PhoneNow, dice: Dice) -> Change | None:
    """Somebody is deleted."""
    contact = now.anybody().hit(dice)
    if contact is None:
        return None
    return Change(now.at, ChangeType.REMOVE, Cause.OWNER, drop=(contact.contact_id,))


def merge(now: PhoneNow, dice: Dice) -> Change | None:
    """Two records of one person become the first of them, with all that both had."""
    one = now.twins().hit(dice)
    if one is None:
        return None
    other = next(other for first, other in now.pairs() if first is one)
    seen = [c.last_contacted_at for c in (one, other) if c.last_contacted_at is not None]
    either: dict[str, Any] = {name: getattr(one, name) or getattr(other, name) for name in ALONE}
    both: dict[str, Any] = {name: tuple(dict.fromkeys((*getattr(one, name), *getattr(other, name)))) for name in LISTS}
    merged = replace(
        one,
        **either,
        **both,
        starred=one.starred or other.starred,
        times_contacted=one.times_contacted + other.times_contacted,
        last_contacted_at=max(seen, default=None),
    )
    return Change(now.at, ChangeType.MERGE, Cause.SYNC, (merged,), (other.contact_id,))


def reach(now: PhoneNow, dice: Dice) -> Change | None:
    """A call or a message, with somebody in proportion to how often there were such, and one more."""
    contacts = list(now.contacts.values())
    left = dice() * sum(contact.times_contacted + 1 for contact in contacts)
    for contact in contacts:
        left -= contact.times_contacted + 1
        if left < 0:
            more = replace(contact, times_contacted=contact.times_contacted + 1, last_contacted_at=now.at)
            return Change(now.at, ChangeType.REACH, Cause.OWNER, (more,))
    return None


def invite(now: PhoneNow, dice: Dice) -> Change:
    """An invitation of a contact's, or of a stranger's."""
    mails = [mail for contact in now.contacts.values() for mail in contact.emails[:1]]
    organizer = dice.pick(mails) if mails else _mail(dice.pick(now.names[0]), dice.pick(now.names[1]), dice)
    title = now.pick("events", "single", dice)
    if dice() < now.rates.namesakes and (like := now.coming().hit(dice)) is not None:
        title = like.title or title
    midnight = now.clock(now.at).replace(hour=INVITED_FROM, minute=0, second=0, microsecond=0)
    start = midnight + timedelta(days=1 + int(dice() * INVITED_WITHIN), minutes=15 * int(dice() * QUARTERS))
    length = timedelta(minutes=30 * (1 + int(dice() * 3)))
    calendars = sorted(now.device.calendars, key=lambda c: (not c.is_default, not c.writable))
    event = Event(
        now.new_id(),
        *(_fixed(now, start), _fixed(now, start) + length, calendars[0].calendar_id if calendars else ""),
        title,
        attendees=now.device.owner.emails[:1],
        organizer=organizer,
        response=Response.NEEDS_ACTION,
    )
    return Change(now.at, ChangeType.INVITE, Cause.OTHERS, (event,))


def move(now: PhoneNow, dice: Dice) -> Change | None:
    """A coming event begins earlier or later, at the same length; it stays a coming one."""
    event = now.coming().hit(dice)
    if event is None:
        return None
    steps = [step for step in MOVES if not event.all_day or not step.seconds]
    step = dice.pick(steps)
    start = _fixed(now, now.clock(event.start_time) + step)
    if start <= now.at:
        start = _fixed(now, now.clock(event.start_time) - step)
    moved = replace(event, start_time=start, end_time=start + (event.end_time - event.start_time))
    return Change(now.at, ChangeType.MOVE, _who(dice), (moved,))


def cancel(now: PhoneNow, dice: Dice) -> Change | None:
    """A coming event does not take place."""
    event = now.coming().hit(dice)
    if event is None:
        return None
    return Change(now.at, ChangeType.CANCEL, _who(dice), drop=(event.event_id,))


def relabel(now: PhoneNow, dice: Dice) -> Change | None:
    """A saved place is called otherwise, or is elsewhere."""
    place = now.anywhere().hit(dice)
    if place is None:
        return None
    if dice() < MOVED_PLACE and place.address:
        other = replace(place, address=_elsewhere(place.address, dice))
    else:
        other = replace(place, label=dice.pick([x for x in now.speech["places"]["labels"] if x != place.label]))
    return Change(now.at, ChangeType.RELABEL, Cause.OWNER, (other,))


def notify(now: PhoneNow, dice: Dice) -> Change:
    """A notification, most often of a contact's message."""
    app = dice.pick(now.talking) if now.talking else None
    sender = next(islice(now.contacts.values(), int(dice() * len(now.contacts)), None), None)
    if dice() >= FROM_A_CONTACT:
        sender = None
    title = sender.display_name if sender else app.label if app else ""
    note = Notification(
        now.new_id(),
        *(now.at, app.package if app else "", title, now.pick("messages", "texts", dice)),
        sender_contact_id=sender.contact_id if sender else None,
    )
    oldest = islice(now.notifications, max(0, len(now.notifications) + 1 - MOST_SHOWN))
    return Change(now.at, ChangeType.NOTIFY, Cause.OTHERS, (note,), tuple(oldest))


def _who(dice: Dice) -> Cause:
    return Cause.OTHERS if dice() < OTHERS_MOVE else Cause.OWNER


def _displayed(now: PhoneNow, given: str, family: str | None) -> str:
    """The name as people here store it."""
    if family is None:
        return given
    return f"{family}{given}" if now.locale.family_first else f"{given} {family}"


def _mail(given: str, family: str, dice: Dice) -> str:
    name = ".".join(filter(None, (slug(latin(word, {})) for word in (given, family)))) or "mail"
    return f"{name}{int(1_000 * dice())}@example.com"


def _elsewhere(address: str, dice: Dice) -> str:
    """The address with another house number, or with one where there was none."""
    number = str(1 + int(199 * dice()))
    changed = re.sub(r"\d+", number, address, count=1)
    return changed if changed != address else f"{address} {number}"


def _fixed(now: PhoneNow, wall: datetime) -> datetime:
    """A time on the phone's clock with a fixed offset, as datasets have it."""
    return local((wall - EPOCH) // timedelta(microseconds=1), now.zone)
