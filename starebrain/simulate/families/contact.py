"""How people are referred to.

Compatible are all contacts that the words fit at least as well as the one meant, with every record of those people.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import OSA

from starebrain.simulate.distortions import fold, latin, misheard, slipped, sound, undotted
from starebrain.simulate.families.base import Family
from starebrain.simulate.naming import KIN_CODES
from starebrain.simulate.view import NOTHING, Said

if TYPE_CHECKING:
    from starebrain.simulate.view import Dice, View

TRIES = 12
"""Draws of a name for somebody who is not on the phone."""


def full(view: View, dice: Dice) -> Said | None:
    """Given and family name ("Anna Schmidt"), or a business by its name; compatible: all who bear both names."""
    row = view.meant(dice, _both(view) | view.business)
    return None if row is None else _said(view, row, _full_name(view, row), view.same_name(row))


def first(view: View, dice: Dice) -> Said | None:
    """The given name as stored ("Anna"); compatible: all of whom it is a name or a whole word of one.

    Where it is all that a contact is stored by, it fits only those who are stored so.
    """
    row = view.meant(dice, _by_given_name(view, dice))
    return None if row is None else _word(view, row, view.texts[view.called[row]])


def longer(view: View, dice: Dice) -> Said | None:
    """Given and family name of somebody stored without the family name, or with its initial only.

    Compatible: all who bear both names, and unless the one meant has another record with both, all stored by that
    given name without a family name.
    """
    family, surname = view.family, view.of(view.block.people.surname)
    bare = _given(view) & (family < 0) & (view.kin < 0)
    row = view.meant(dice, bare)
    if row is None:
        return None
    folded = view.block.pools.words.folded
    alike = _given(view) & (folded[view.called] == folded[view.called[row]])
    both = alike & (family >= 0) & (folded[family] == folded[surname[row]])
    of_person = np.array([person == view.persons[row] for person in view.persons])
    fits = np.flatnonzero(both if (both & of_person).any() else both | (alike & bare))
    return _said(view, row, _joined(view, (view.texts[view.called[row]], view.texts[surname[row]])), fits.tolist())


def last(view: View, dice: Dice) -> Said | None:
    """The family name, at times with a title ("Schmidt", "Herr Schmidt"); compatible as for `first`."""
    row = view.meant(dice, (view.family >= 0) & ~view.business)
    if row is None:
        return None
    name = view.texts[view.family[row]]
    said = _word(view, row, name)
    if dice() < 0.3:
        sex = int(view.of(view.block.people.sex)[row])
        return Said(view.speech["people"]["polite"][sex].format(name=name), said.intended, said.compatible)
    return said


def nickname(view: View, dice: Dice) -> Said | None:
    """A nickname or short form of a name stored in full ("Bob" for Robert), or the full form of one stored short.

    Compatible: all who bear the word itself, all whose stored name it is a short form of, or a full form of.
    """
    table, words = view.block.pools.diminutives, view.block.pools.words
    formal, nick = view.of(view.block.people.formal), view.of(view.block.people.nickname)
    short = np.where(view.called[:, None] >= 0, table[np.clip(view.called, 0, len(table) - 1)], -1)
    stored_short = _given(view) & (view.called != formal)
    row = view.meant(dice, _given(view) & ((short[:, 0] >= 0) | (nick >= 0) | stored_short))
    if row is None:
        return None
    if stored_short[row]:
        word = int(formal[row])
    elif nick[row] >= 0 and dice() < 0.5:
        word = int(nick[row])
    else:
        choices = short[row][short[row] >= 0].tolist() or [int(nick[row])]
        word = dice.pick(choices)
    number = words.folded[word]
    fits = set(view.bearers(view.texts[word]))
    fits.update(np.flatnonzero((np.where(short >= 0, words.folded[short], -1) == number).any(axis=1)).tolist())
    if word < len(table):
        forms = words.folded[table[word][table[word] >= 0]]
        fits.update(np.flatnonzero(_given(view) & np.isin(words.folded[view.called], forms)).tolist())
    return _said(view, row, view.texts[word], fits)


def relation(view: View, dice: Dice) -> Said | None:
    """What they are to the owner ("my sister"), where the phone knows it; compatible: all of that relation."""
    row = view.meant(dice, view.kin >= 0)
    if row is None:
        return None
    spoken = view.speech["relations"][KIN_CODES[view.kin[row]]][3]
    return _said(view, row, dice.pick(spoken), np.flatnonzero(view.kin == view.kin[row]))


def role(view: View, dice: Dice) -> Said | None:
    """What they do, where the stored name says so ("the plumber"); compatible: all of that trade or name."""
    roles = view.of(view.block.people.role)
    row = view.meant(dice, roles >= 0)
    if row is None:
        return None
    word = view.speech["people"]["roles"][roles[row]]
    hint = dice.pick(view.speech["people"]["role_spoken"]).format(role=word)
    return _said(view, row, hint, [*np.flatnonzero(roles == roles[row]).tolist(), *view.bearers(word)])


def work(view: View, dice: Dice) -> Said | None:
    """A given name and where they work ("Anna from work"); compatible: all of that name who work there."""
    firms, colleague = view.of(view.block.people.firm), view.of(view.block.people.colleague)
    row = view.meant(dice, _given(view) & (firms >= 0))
    if row is None:
        return None
    name = view.texts[view.called[row]]
    if colleague[row] and dice() < 0.7:
        hint, there = dice.pick(view.speech["people"]["from_work"]).format(name=name), colleague
    else:
        firm = view.texts[firms[row]]
        hint, there = dice.pick(view.speech["people"]["from_firm"]).format(name=name, firm=firm), firms == firms[row]
    return _said(view, row, hint, (r for r in view.bearers(name) if there[r]))


def initial(view: View, dice: Dice) -> Said | None:
    """An initial and the family name ("J. Smith"); compatible: all of that family name whose given name begins so."""
    row = view.meant(dice, _both(view))
    if row is None or _is_japanese(view.texts[view.called[row]]):
        return None
    given, name = view.texts[view.called[row]], view.texts[view.family[row]]
    folded = view.block.pools.words.folded
    same = np.flatnonzero(_both(view) & (folded[view.family] == folded[view.family[row]]))
    fits = [r for r in same.tolist() if fold(view.texts[view.called[r]])[:1] == fold(given)[:1]]
    return _said(view, row, f"{given[0]}{dice.pick(('.', ''))} {name}", fits)


def order(view: View, dice: Dice) -> Said | None:
    """Given and family name the other way about ("Smith, John", "Smith John"); compatible as for `full`."""
    row = view.meant(dice, _both(view))
    if row is None:
        return None
    names = [view.texts[view.family[row]], view.texts[view.called[row]]]
    if view.locale.family_first:
        names.reverse()
    return _said(view, row, dice.pick((", ", " ")).join(names), view.same_name(row))


def slip(view: View, dice: Dice) -> Said | None:
    """A name typed with one slip ("Jonh Smith"); compatible: all whose name of the same form is no further off.

    Distance is in insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
    """
    row, whole = _form(view, dice)
    if row is None:
        return None
    hint = slipped(_text(view, row, whole), dice.pick)
    if hint is None:
        return None
    said = fold(hint)
    away = [
        min((OSA.distance(said, fold(t), score_cutoff=3) for t in texts), default=9) for texts in _texts(view, whole)
    ]
    return _said(view, row, hint, (r for r, distance in enumerate(away) if distance <= away[row]))


def misheard_name(view: View, dice: Dice) -> Said | None:
    """A name as a recogniser may spell what it heard ("Maier" for Meyer); compatible: all that sound the same."""
    row, whole = _form(view, dice)
    if row is None:
        return None
    name, language = _text(view, row, whole), view.locale.language
    hint = misheard(name, language, dice.pick)
    if hint is None:
        return None
    wanted = sound(fold(hint), language)
    fits = [r for r, texts in enumerate(_texts(view, whole)) if any(sound(fold(t), language) == wanted for t in texts)]
    return _said(view, row, hint, fits)


def other_script(view: View, dice: Dice) -> Said | None:
    """A name stored in other letters, in Latin ones ("Natalya Ivanova"); compatible: all that would be written so."""
    readings = view.block.pools.readings
    names = [view.texts[c] if c >= 0 else "" for c in view.called.tolist()]
    foreign = np.array([not _is_latin(name) and _is_latin(latin(name, readings)) for name in names], bool)
    whole, scheme = dice() < 0.6, int(dice() * 2)
    row = view.meant(dice, foreign & ~view.business & (_both(view) if whole else _given(view)))
    if row is None:
        return None
    hint = " ".join(latin(t, readings, scheme) for t in _given_first(view, row, whole))
    wanted = fold(hint)
    fits = [
        r
        for r in np.flatnonzero(_both(view) if whole else _given(view)).tolist()
        if fold(" ".join(latin(t, readings, scheme) for t in _given_first(view, r, whole))) == wanted
    ]
    return _said(view, row, hint, fits)


def undotted_name(view: View, dice: Dice) -> Said | None:
    """A name in small letters and without diacritics ("jose alvarez"); compatible as for `full` or `first`."""
    row, whole = _form(view, dice)
    if row is None:
        return None
    name = _text(view, row, whole)
    hint = undotted(name)
    if hint == name:
        return None
    return _said(view, row, hint, view.same_name(row) if whole else _fitting(view, row, name))


def vague(view: View, dice: Dice) -> Said | None:
    """A given name that several people on the phone bear; compatible as for `first`."""
    folded = view.block.pools.words.folded
    given = np.where(_given(view), folded[view.called], -1)
    persons = np.unique(np.stack([given, view.of(view.block.people.person)])[:, given >= 0], axis=1)[0]
    names, bearers = np.unique(persons, return_counts=True)
    row = view.meant(dice, np.isin(given, names[bearers > 1]) & _by_given_name(view, dice) & ~_bare(view))
    return None if row is None else _word(view, row, view.texts[view.called[row]])


def absent(view: View, dice: Dice) -> Said | None:
    """Somebody who is not on the phone, in one of six ways; names are drawn from the pools that phones draw from.

    No contact bears a name that is said alone, or a short or full form of it, nor both names that are said together.
    """
    how = dice()
    pools, texts, locale = view.block.pools, view.texts, int(view.block.phones.locale[view.at])
    if how < 0.12:
        known = set(view.of(view.block.people.kin).tolist())
        codes = [code for at, code in enumerate(KIN_CODES) if at not in known]
        if codes:
            return Said(dice.pick(view.speech["relations"][dice.pick(codes)][3]), NOTHING, NOTHING)
    elif how < 0.22:
        known = set(view.of(view.block.people.role).tolist())
        roles = view.speech["people"]["roles"]
        words = [word for at, word in enumerate(roles) if at not in known and not view.bearers(word)]
        if words:
            return Said(dice.pick(view.speech["people"]["role_spoken"]).format(role=dice.pick(words)), NOTHING, NOTHING)
    for _ in range(TRIES):
        sex = int(dice() * 2)
        given = int(dice.pick(pools.given[locale, sex]))
        name = int(pools.families[sex, dice.pick(pools.family[locale])])
        short = pools.diminutives[given][pools.diminutives[given] >= 0].tolist()
        if how < 0.6:
            if not view.bearers(f"{texts[given]} {texts[name]}"):
                return Said(_joined(view, (texts[given], texts[name])), NOTHING, NOTHING)
        elif how < 0.8 and not any(view.bearers(texts[word]) for word in (given, *short)):
            word = dice.pick(short) if short and how > 0.75 else given
            longer = np.flatnonzero((pools.diminutives == word).any(axis=1)).tolist()
            if not any(view.bearers(texts[full]) for full in longer):
                return Said(texts[word], NOTHING, NOTHING)
        elif how >= 0.8 and not view.bearers(texts[name]):
            return Said(texts[name], NOTHING, NOTHING)
    return None


def _both(view: View) -> np.ndarray:
    return (view.called >= 0) & (view.family >= 0) & ~view.business


def _given(view: View) -> np.ndarray:
    return (view.called >= 0) & ~view.business


def _joined(view: View, names: Iterable[str]) -> str:
    given, name = names
    return f"{name}{given}" if _is_japanese(given) else f"{given} {name}"


def _full_name(view: View, row: int) -> str:
    if view.business[row]:
        return view.displays[row]
    return _joined(view, (view.texts[view.called[row]], view.texts[view.family[row]]))


def _given_first(view: View, row: int, whole: bool) -> list[str]:
    names = [view.texts[view.called[row]]]
    return [*names, view.texts[view.family[row]]] if whole else names


def _form(view: View, dice: Dice) -> tuple[int | None, bool]:
    """Whom a distorted name is to mean, and whether it is their whole name."""
    whole = dice() < 0.6
    return view.meant(dice, _both(view) if whole else _by_given_name(view, dice)), whole


def _text(view: View, row: int, whole: bool) -> str:
    return _full_name(view, row) if whole else view.texts[view.called[row]]


def _texts(view: View, whole: bool) -> list[list[str]]:
    """For each contact the names that a hint of this form is compared with."""
    if whole:
        both = _both(view)
        return [[_full_name(view, row)] if both[row] else [] for row in range(view.size)]
    names = zip(view.called.tolist(), view.family.tolist(), strict=True)
    return [[view.texts[n] for n in pair if n >= 0] for pair in names]


def _is_latin(text: str) -> bool:
    return all(c < "\u0250" or not c.isalpha() for c in text)


def _is_japanese(text: str) -> bool:
    return any(c >= "\u3040" for c in text)


def _by_given_name(view: View, dice: Dice) -> np.ndarray:
    """Who may be called by the given name alone: seldom those for whom it is the whole name of another contact.

    Who stores somebody as just "Anna" calls Anna Schmidt "Anna" as often as `Speakers.short_names` says.
    """
    if dice() < view.speakers.short_names:
        return _given(view)
    return _given(view) & (_bare(view) | ~view.whole_elsewhere)


def _bare(view: View) -> np.ndarray:
    """Who is stored by the given name and no other word."""
    folded = view.block.pools.words.folded
    before, _, two, after = map(view.of, view.block.people.written)
    return _given(view) & (two == 0) & (folded[before] == 0) & (folded[after] == 0)


def _word(view: View, row: int, name: str) -> Said:
    return _said(view, row, name, _fitting(view, row, name))


def _fitting(view: View, row: int, name: str) -> list[int]:
    """All who bear `name`; where it is the whole name that `row` is stored by, all who are stored by just that."""
    bearers = view.bearers(name)
    if fold(view.displays[row]) != fold(name):
        return bearers
    return [r for r in bearers if fold(view.displays[r]) == fold(name)]


def _said(view: View, row: int, hint: str, fits: Iterable[int]) -> Said:
    return Said(hint, view.people([row]), view.people([row, *(int(r) for r in fits)]))


FAMILIES: Mapping[str, Family] = {
    "full": Family(0.23, full),
    "first": Family(0.18, first),
    "longer": Family(0.03, longer),
    "last": Family(0.05, last),
    "nickname": Family(0.07, nickname),
    "relation": Family(0.09, relation),
    "role": Family(0.03, role),
    "work": Family(0.04, work),
    "initial": Family(0.02, initial),
    "order": Family(0.02, order),
    "slip": Family(0.07, slip),
    "misheard": Family(0.06, misheard_name),
    "other_script": Family(0.03, other_script),
    "undotted": Family(0.06, undotted_name),
    "vague": Family(0.02, vague),
}
