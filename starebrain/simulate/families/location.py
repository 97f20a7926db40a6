"""How places are referred to.

Places at one address are one place, and so are events held at one location and the saved place of that name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from rapidfuzz.distance import OSA

from starebrain.simulate.distortions import fold, slipped
from starebrain.simulate.families.base import Family
from starebrain.simulate.naming import KIN_CODES
from starebrain.simulate.surroundings import HOME, LABEL, WORK
from starebrain.simulate.view import NOTHING, Said

if TYPE_CHECKING:
    from starebrain.simulate.view import Dice, View

TRIES = 8


def label(view: View, dice: Dice) -> Said | None:
    """A saved place by its label ("Gym", "the gym"); compatible: all saved places of that label."""
    place = _one(view, dice, lambda p: p["sort"] not in (HOME, WORK))
    if place is None:
        return None
    hint = place["label"]
    if place["sort"] == LABEL and dice() < 0.4:
        hint = dice.pick(view.speech["places"]["definite"]).format(name=hint.lower() if _lowers(view) else hint)
    return _said(view, hint, [place], _labelled(view, place["label"]))


def home_or_work(view: View, dice: Dice) -> Said | None:
    """Home or work, by the label or in other words ("my place", "the office"); compatible: that place."""
    place = _one(view, dice, lambda p: p["sort"] in (HOME, WORK))
    if place is None:
        return None
    spoken = view.speech["places"]["home_spoken" if place["sort"] == HOME else "work_spoken"]
    return _said(view, dice.pick((place["label"], *spoken)), [place], [])


def address(view: View, dice: Dice) -> Said | None:
    """The first part of a saved place's address ("12 Main Street"); whatever is at that address is meant as well.

    Compatible: all places whose address has it.
    """
    place = _one(view, dice, lambda p: True)
    if place is None:
        return None
    part = place["address"].split(" ", 1)[1] if place["address"].startswith("〒") else place["address"].split(",")[0]
    whole = place["address"]
    meant = [p for p in view.places if p["address"] == whole]
    said = _said(view, part, meant, [p for p in view.places if part in p["address"]], part)
    living = _living(view, lambda address: address == whole)
    return replace(said, intended=tuple(dict.fromkeys((*said.intended, *living))))


def contact_place(view: View, dice: Dice) -> Said | None:
    """Where a contact lives ("Anna's place", "my mom's house"); compatible: the homes of all who may be called so."""
    row = view.meant(dice, (view.houses >= 0) & ~view.business & ((view.called >= 0) | (view.kin >= 0)))
    if row is None:
        return None
    if view.kin[row] >= 0 and (view.called[row] < 0 or dice() < 0.5):
        name = view.speech["relations"][KIN_CODES[view.kin[row]]][1][0]
        same = np.flatnonzero(view.kin == view.kin[row]).tolist()
    elif view.family[row] >= 0 and dice() < 0.4:
        name = f"{view.texts[view.called[row]]} {view.texts[view.family[row]]}"
        same = view.same_name(row).tolist()
    else:
        name = view.texts[view.called[row]]
        same = view.bearers(name)
    hint = dice.pick(view.speech["places"]["contact_place"]).format(name=name)
    meant, fits = _at_home(view, [row]), _at_home(view, [row, *same])
    return Said(hint, meant, fits)


def event_place(view: View, dice: Dice) -> Said | None:
    """Where an event takes place, by the name in its location; compatible: all events held there, and a saved place."""
    held = [e for e in view.events if e["location"] and e["place"] < 0]
    if not held:
        return None
    event = dice.pick(held)
    name = event["location"].split(",")[0]
    meant = tuple(f"event:{e['event_id']}" for e in held if e["location"] == event["location"])
    fits = [f"event:{e['event_id']}" for e in held if fold(e["location"].split(",")[0]) == fold(name)]
    return Said(name, meant, tuple(dict.fromkeys((*fits, *_keys(view, _labelled(view, name))))))


def partial(view: View, dice: Dice) -> Said | None:
    """Some words of a saved place's label ("gym" for Gym downtown); compatible: all places whose name has them.

    Not of home and work, which have words of their own: "casa" is Mi casa, whatever other houses there are.
    """
    place = _one(view, dice, lambda p: p["sort"] not in (HOME, WORK) and p["contact"] < 0 and " " in fold(p["label"]))
    if place is None:
        return None
    words = place["label"].partition("(")[0].split()
    said = dice.pick([w for w in words if len(w) > 2] or words)
    fits = [p for p in view.places if fold(said) in fold(p["label"]).split()]
    held = [f"event:{e['event_id']}" for e in view.events if fold(said) in fold(e["location"] or "").split()]
    return _said(view, said, [place], fits, also=held)


def slip(view: View, dice: Dice) -> Said | None:
    """A label typed with one slip; compatible: all saved places whose label is no further off."""
    place = _one(view, dice, lambda p: len(p["label"]) > 3)
    hint = None if place is None else slipped(place["label"], dice.pick)
    if place is None or hint is None:
        return None
    away = [OSA.distance(fold(hint), fold(p["label"])) for p in view.places]
    own = away[view.places.index(place)]
    return _said(view, hint, [place], [p for p, d in zip(view.places, away, strict=True) if d <= own])


def absent(view: View, dice: Dice) -> Said | None:
    """A place that the phone does not have: a label, home or work where none is saved, or the place of nobody on it."""
    how = dice()
    if how < 0.3:
        sorts = [p["sort"] for p in view.places]
        missing = [key for sort, key in ((HOME, "home_spoken"), (WORK, "work_spoken")) if sort not in sorts]
        if missing:
            return Said(dice.pick(view.speech["places"][missing[0]]), NOTHING, NOTHING)
    known = " ".join(fold(t) for t in (*(p["label"] for p in view.places), *(e["location"] or "" for e in view.events)))
    pools, locale = view.block.pools, int(view.block.phones.locale[view.at])
    for _ in range(TRIES):
        if how < 0.75:
            said = dice.pick(view.speech["places"]["labels"])
            if fold(said) not in known:
                return Said(said, NOTHING, NOTHING)
        else:
            said = view.texts[dice.pick(pools.given[locale, int(dice() * 2)])]
            number = pools.words.number(said)
            longer = np.flatnonzero((pools.diminutives == number).any(axis=1)).tolist()
            short = pools.diminutives[number][pools.diminutives[number] >= 0].tolist()
            forms = [said, *(view.texts[form] for form in (*short, *longer))]
            if not any(map(view.bearers, forms)) and fold(said) not in known:
                return Said(dice.pick(view.speech["places"]["contact_place"]).format(name=said), NOTHING, NOTHING)
    return None


def _one(view: View, dice: Dice, eligible: Callable[[dict[str, Any]], bool]) -> dict[str, Any] | None:
    places = [p for p in view.places if eligible(p)]
    return dice.pick(places) if places else None


def _lowers(view: View) -> bool:
    """Whether nouns are written small."""
    return view.locale.language != "de"


def _labelled(view: View, name: str) -> list[dict[str, Any]]:
    return [p for p in view.places if fold(p["label"]) == fold(name)]


def _keys(view: View, places: Iterable[dict[str, Any]]) -> list[str]:
    """The keys of saved places, of contacts who live at their addresses, and of events held at them."""
    keys = []
    for place in places:
        keys.append(place["location_id"])
        if place["contact"] >= 0:
            keys.append(f"contact:c{place['contact'] - view.first}")
        keys += [f"event:{e['event_id']}" for e in view.events if e["location"] == place["label"]]
    return keys


def _at_home(view: View, rows: Iterable[int]) -> tuple[str, ...]:
    """The keys of where contacts live, and of saved places there."""
    persons = {view.persons[row] for row in rows}
    keys = []
    for row in (r for r, person in enumerate(view.persons) if person in persons and view.houses[r] >= 0):
        keys.append(f"contact:c{row}")
        keys += [key for p in view.places if p["contact"] - view.first == row for key in _keys(view, [p])]
    return tuple(dict.fromkeys(keys))


def _living(view: View, there: Callable[[str], bool]) -> list[str]:
    """The keys of contacts whose address is `there`."""
    rows = np.flatnonzero(view.houses >= 0).tolist()
    return [f"contact:c{row}" for row in rows if there(view.texts[view.houses[row]])]


def _said(
    view: View,
    hint: str,
    meant: list[dict[str, Any]],
    fits: list[dict[str, Any]],
    part: str = "",
    also: Iterable[str] = (),
) -> Said:
    intended = _keys(view, meant)
    living = _living(view, lambda address: part in address) if part else []
    held = [f"event:{e['event_id']}" for e in view.events if part in (e["location"] or "")] if part else []
    compatible = dict.fromkeys((*intended, *_keys(view, fits), *living, *held, *also))
    return Said(hint, tuple(dict.fromkeys(intended)), tuple(compatible))


FAMILIES: Mapping[str, Family] = {
    "label": Family(0.3, label),
    "home_or_work": Family(0.25, home_or_work),
    "address": Family(0.08, address),
    "contact_place": Family(0.12, contact_place),
    "event_place": Family(0.08, event_place),
    "partial": Family(0.1, partial),
    "slip": Family(0.07, slip),
}
