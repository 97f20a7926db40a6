"""Places: saved ones, those where contacts live, and those of events."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

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
WORK = frozenset({"work"})


@dataclass(frozen=True, slots=True)
class ContactPlace:
    """Where a contact lives or works: the first of its addresses; `saved` is the saved place with that address."""

    contact: Contact
    saved: SavedLocation | None = None


@dataclass(frozen=True, slots=True)
class EventPlace:
    """Where events take place, the first of `events` above all; `saved` is the saved place that is named there."""

    events: tuple[Event, ...]
    saved: SavedLocation | None = None


Place = SavedLocation | ContactPlace | EventPlace


def records(device: DeviceContext) -> Sequence[Place]:
    """Saved places, then contacts with an address, then places of events, those that are accepted first."""
    saved: dict[tuple[str, ...], SavedLocation] = {}
    for place in device.saved_locations:
        for spot in (place.label, place.address, f"{place.label} {place.address}"):
            saved.setdefault(words(spot), place)
    saved.pop((), None)
    homes = [ContactPlace(one, saved.get(words(one.addresses[0]))) for one in device.contacts if one.addresses]
    events: dict[tuple[str, ...], list[Event]] = {}
    for event in sorted(device.upcoming_events, key=lambda event: event.response is not Response.ACCEPTED):
        if said := words(event.location or ""):
            alike = events.setdefault(said, [])
            if not alike or alike[0].response is event.response:
                alike.append(event)
    held = [EventPlace(tuple(alike), saved.get(said)) for said, alike in events.items()]
    return (*device.saved_locations, *homes, *held)


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
    hint = _officeless(read_words(said, concepts_of))
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


def _officeless(hint: Hint) -> Hint:
    """The hint without the office of somebody with a role ("dentist's office"): it is where they work."""
    offices = [PLACES.get(word) == WORK for word in hint.words]
    if not any(offices) or not any(ROLES.get(w) or ROLES.get(w.removesuffix("s")) for w in hint.words):
        return hint
    kept = [at for at, office in enumerate(offices) if not office]
    return replace(
        hint,
        words=tuple(hint.words[at] for at in kept),
        concepts=tuple(hint.concepts[at] for at in kept),
        spelled=tuple(hint.spelled[at] for at in kept) if hint.spelled else (),
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
        case EventPlace(events):
            location = events[0].location or ""
            head = location.partition(",")[0]
            titles = tuple(event.title for event in events)
            return Entry((head, location) if head != location else (location,), titles)


def value(place: Place, device: DeviceContext) -> LocationValue:
    """The saved place that it is, or else a place of its own: `event_id` or `contact_id` says where it comes from."""
    match place:
        case SavedLocation() | ContactPlace(_, SavedLocation()) | EventPlace(_, SavedLocation()):
            saved = place if isinstance(place, SavedLocation) else place.saved
            assert saved is not None
            return LocationValue(saved.location_id, saved.label, saved.address, saved.coordinates)
        case ContactPlace(contact):
            return LocationValue(None, contact.display_name, contact.addresses[0], contact_id=contact.contact_id)
        case EventPlace(events):
            location = events[0].location or ""
            return LocationValue(None, location.partition(",")[0], location, event_id=events[0].event_id)


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
        case SavedLocation() if EITHER in traits or is_workshop(place, phone):
            return [Fact("two_meanings")]
        case ContactPlace():
            return [Fact("contact_place" if DWELLS in traits else "contact_unplaced")]
        case EventPlace(events):
            return [Fact("event_place" if events[0].response is Response.ACCEPTED else "invitation_place")]
    return []


def is_workshop(place: SavedLocation, phone: Phone) -> bool:
    """Whether the label is "Oficina" where Portuguese is spoken: a workshop; in Spanish it is an office."""
    return words(place.label) == ("oficina",) and phone.device.locale.startswith("pt")


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
        case EventPlace(events) if events[0].response is not Response.ACCEPTED:
            return [Fact("provenance", f"the invitation is not accepted ({events[0].response})")]
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
        case EventPlace(events):
            spots = (events[0].location or "",)
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
