"""Places: saved ones, those where contacts live, and those of events."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from starebrain.device import Contact, DeviceContext, Event, Response, SavedLocation
from starebrain.intent import ParameterKind
from starebrain.kinds.base import Fact, Hint, Kind, Phone, cached, read_words
from starebrain.kinds.contact import caps as contact_caps
from starebrain.matching.index import Entry
from starebrain.matching.text import words
from starebrain.matching.words import DWELLING, FILLERS, PLACES, REGIONS, RELATIONS, ROLES, SHORTENED
from starebrain.resolution import ContextSource, LocationValue

_POSSESSIVE = re.compile(r"(\w{2,}?)(?:['’`]s|s['’`]|s)\b")
DWELLS, SOMEBODYS, OWN, EITHER = "~dwelling", "~somebodys", "~own", "~either"
WORKPLACES = frozenset({"会社", "職場"})
"""Japanese words for where one works."""
AT_SOMEBODYS = frozenset({"chez", "bei", "beim"})
"""Words that make a person's name a place, in languages that have one."""
MOST_INITIALS = 5


@dataclass(frozen=True, slots=True)
class ContactPlace:
    """Where a contact lives or works: the first of its addresses."""

    contact: Contact


@dataclass(frozen=True, slots=True)
class EventPlace:
    """Where an event takes place."""

    event: Event


Place = SavedLocation | ContactPlace | EventPlace


def records(device: DeviceContext) -> Sequence[Place]:
    """Saved places, then contacts with an address, then places of events that are not saved under that name."""
    saved = {words(place.label) for place in device.saved_locations}
    homes = [ContactPlace(contact) for contact in device.contacts if contact.addresses]
    events: dict[tuple[str, ...], EventPlace] = {}
    for event in device.upcoming_events:
        said = words(event.location or "")
        if said and said not in saved:
            known = events.get(said)
            if known is None or known.event.response is not Response.ACCEPTED is event.response:
                events[said] = EventPlace(event)
    return (*device.saved_locations, *homes, *events.values())


def concepts_of(word: str) -> frozenset[str]:
    """The places, roles and dwellings that a word names."""
    dwells = frozenset((DWELLS,)) if word in DWELLING else frozenset()
    return PLACES.get(word, frozenset()) | ROLES.get(word, frozenset()) | RELATIONS.get(word, frozenset()) | dwells


@cached
def read(text: str) -> Hint:
    """The hint as words; "Bob's" is also "Bob", "Philly" what it is short for; a region after a comma says nothing."""
    if text.strip() in WORKPLACES:
        text = "work"
    long = SHORTENED.get(" ".join(words(text)))
    head, comma, tail = text.partition(",")
    said = head if comma and words(head) and all(w in REGIONS for w in words(tail)) else text
    hint = read_words(said, concepts_of)
    owners = {"".join(words(m.group(0))): "".join(words(m.group(1))) for m in _POSSESSIVE.finditer(said)}
    spelled = tuple(owners.get(w, s) for w, s in zip(hint.words, hint.spelled or hint.words, strict=True))
    concepts = tuple(c | RELATIONS.get(s, frozenset()) for c, s in zip(hint.concepts, spelled, strict=True))
    either = any(word in PLACES and word in ROLES for word in hint.words)
    own = all("home" in PLACES.get(word, ()) for word in hint.words)
    somebodys = any(RELATIONS.get(w) for w in spelled) and any(DWELLS in meanings for meanings in concepts)
    dwells = (
        bool(owners)
        or not AT_SOMEBODYS.isdisjoint(words(text))
        or any(DWELLS in meanings for meanings in hint.concepts)
    )
    return Hint(
        text,
        hint.words,
        concepts,
        spelled if spelled != hint.words else (),
        hint.traits | {t for t, has in ((DWELLS, dwells), (SOMEBODYS, somebodys), (OWN, own), (EITHER, either)) if has},
        hint.otherwise if long is None else read_words(long, concepts_of),
    )


def entry(place: Place) -> Entry:
    """A saved place by its label (the address describes it), a contact's by its names, an event's by its own."""
    match place:
        case SavedLocation():
            said = words(place.label)
            concepts = {c for w in said for c in ROLES.get(w, ())}
            if len(said) == 1:
                concepts |= PLACES.get(said[0], frozenset())
            initials = "".join(w[0] for w in said) if 1 < len(said) <= MOST_INITIALS else ""
            labels = (place.label, "work") if place.label in WORKPLACES else (place.label,)
            return Entry(labels, (place.address, initials), frozenset(concepts))
        case ContactPlace(contact):
            names = [contact.display_name, *filter(None, (contact.nickname,))]
            concepts = {DWELLS, *(c for w in words(contact.relation or "") for c in RELATIONS.get(w, (w,)))}
            return Entry(tuple(names), contact.addresses[:1], frozenset(concepts))
        case EventPlace(event):
            location = event.location or ""
            head = location.partition(",")[0]
            return Entry((head, location) if head != location else (location,), (event.title,))


def value(place: Place, device: DeviceContext) -> LocationValue:
    """The place as FORMATS spells it; `event_id` or `contact_id` says where it comes from."""
    match place:
        case SavedLocation():
            return LocationValue(place.location_id, place.label, place.address, place.coordinates)
        case ContactPlace(contact):
            return LocationValue(None, contact.display_name, contact.addresses[0], contact_id=contact.contact_id)
        case EventPlace(event):
            location = event.location or ""
            return LocationValue(None, location.partition(",")[0], location, event_id=event.event_id)


def source(place: Place) -> ContextSource:
    """Saved places, contacts or the calendar."""
    match place:
        case SavedLocation():
            return ContextSource.SAVED_LOCATIONS
        case ContactPlace():
            return ContextSource.RECENT_CONTACTS
        case EventPlace():
            return ContextSource.DEVICE_CALENDAR


def context(place: Place, phone: Phone, traits: frozenset[str]) -> list[Fact]:
    """Places that are not saved are meant less often, least where the hint names no dwelling or is no possessive.

    The owner's own home is not the house of a relative, and the other way about; a word for two sorts of places in two
    languages ("oficina") says less.
    """
    match place:
        case SavedLocation() if (SOMEBODYS in traits and is_own_home(place)) or (OWN in traits and is_anothers(place)):
            return [Fact("other_home")]
        case SavedLocation() if EITHER in traits:
            return [Fact("two_meanings")]
        case ContactPlace():
            return [Fact("contact_place" if DWELLS in traits else "contact_unplaced")]
        case EventPlace(event):
            return [Fact("event_place" if event.response is Response.ACCEPTED else "invitation_place")]
    return []


def is_own_home(place: SavedLocation) -> bool:
    """Whether the label says home and nothing else: "Casa", "My house"."""
    said = [word for word in words(place.label) if word not in FILLERS]
    return bool(said) and all("home" in PLACES.get(word, ()) for word in said)


def is_anothers(place: SavedLocation) -> bool:
    """Whether the label says home, or a relation, and more: "Mom's house", "Casa de Maria"."""
    said = words(place.label)
    named = any("home" in PLACES.get(word, ()) or RELATIONS.get(word.removesuffix("s")) for word in said)
    return named and not is_own_home(place)


def caps(place: Place, phone: Phone, new_hours: float) -> list[Fact]:
    """*provenance*: the place of an event that its owner has not accepted, or of a contact that appeared just now."""
    match place:
        case EventPlace(event) if event.response is not Response.ACCEPTED:
            return [Fact("provenance", f"the invitation is not accepted ({event.response})")]
        case ContactPlace(contact):
            return contact_caps(contact, phone, new_hours)
    return []


def identities(place: Place, phone: Phone) -> frozenset[tuple[str, ...]]:
    """Where it is, in words: an address; for an event the saved label or address it is held at."""
    spots: tuple[str, ...]
    match place:
        case SavedLocation():
            spots = (place.address, place.label, f"{place.label} {place.address}")
        case ContactPlace(contact):
            spots = contact.addresses
        case EventPlace(event):
            spots = (event.location or "",)
    return frozenset(filter(None, map(words, spots)))


LOCATION = Kind(
    name=ParameterKind.LOCATION,
    listed=lambda device: device.saved_locations,
    label=lambda place: place.label,
    value=value,
    source=source,
    entry=entry,
    records=records,
    read=read,
    context=context,
    caps=caps,
    identities=identities,
    compatible=lambda a, b: (
        not (isinstance(a, SavedLocation) and isinstance(b, SavedLocation)) or a.address == b.address
    ),
)
