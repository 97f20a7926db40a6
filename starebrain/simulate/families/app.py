"""How apps are referred to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from rapidfuzz.distance import OSA

from starebrain.simulate.distortions import fold, slipped
from starebrain.simulate.families.base import Family
from starebrain.simulate.language import app_label, catalogue
from starebrain.simulate.view import NOTHING, Said

if TYPE_CHECKING:
    from starebrain.simulate.view import Dice, View

GENERIC = frozenset({"android", "app", "apps", "client", "mobile", "release", "main", "com", "shopping", "music"})
"""Last parts of package names that people do not say."""


def label(view: View, dice: Dice) -> Said | None:
    """The label under the icon ("WhatsApp"); compatible: all apps with that label."""
    at = _one(view, dice)
    return None if at is None else _said(view, _label(view, at), at, _like(view, _label(view, at)))


def filler(view: View, dice: Dice) -> Said | None:
    """The label among other words, in small letters ("the whatsapp app"); compatible as for `label`."""
    at = _one(view, dice)
    if at is None:
        return None
    hint = dice.pick(view.speech["apps"]["spoken"]).format(name=_label(view, at).lower())
    return _said(view, hint, at, _like(view, _label(view, at)))


def short(view: View, dice: Dice) -> Said | None:
    """Another name that people use ("Insta", "the browser"); compatible: all apps that are called so."""
    at = _one(view, dice, lambda a: "short" in catalogue()[a])
    if at is None:
        return None
    word = catalogue()[at]["short"]
    fits = [a for a in view.apps if fold(word) in (fold(catalogue()[a].get("short", "")), fold(_label(view, a)))]
    return _said(view, word, at, fits)


def package(view: View, dice: Dice) -> Said | None:
    """The package name, or the last part of it ("com.whatsapp", "katana"); compatible: all apps with that part."""
    at = _one(view, dice)
    if at is None:
        return None
    whole = catalogue()[at]["package"]
    part = whole.split(".")[-1]
    if dice() < 0.5 or part.lower() in GENERIC:
        return _said(view, whole, at, [at])
    fits = [
        a for a in view.apps if part.lower() in (*catalogue()[a]["package"].lower().split("."), fold(_label(view, a)))
    ]
    return _said(view, part, at, fits)


def slip(view: View, dice: Dice) -> Said | None:
    """The label typed with one slip ("whatsap"); compatible: all apps whose label is no further off."""
    at = _one(view, dice, lambda a: len(_label(view, a)) > 3)
    hint = None if at is None else slipped(_label(view, at), dice.pick)
    if at is None or hint is None:
        return None
    away = {a: OSA.distance(fold(hint), fold(_label(view, a))) for a in view.apps}
    return _said(view, hint, at, [a for a, distance in away.items() if distance <= away[at]])


def absent(view: View, dice: Dice) -> Said | None:
    """An app that is not installed, by its label; no installed app is called so."""
    known = {fold(name) for a in view.apps for name in (_label(view, a), catalogue()[a].get("short", ""))}
    labels = [_label(view, a) for a in range(len(catalogue())) if fold(_label(view, a)) not in known]
    return Said(dice.pick(labels), NOTHING, NOTHING) if labels else None


def _one(view: View, dice: Dice, eligible: Callable[[int], bool] = lambda at: True) -> int | None:
    """An app that can do what is asked for (any, where it is to be opened)."""
    apps = [a for a in view.apps if eligible(a) and view.action in ("open_app", *catalogue()[a].get("actions", ()))]
    return dice.pick(apps) if apps else None


def _label(view: View, at: int) -> str:
    return app_label(catalogue()[at], view.locale.language)


def _like(view: View, name: str) -> list[int]:
    return [a for a in view.apps if fold(_label(view, a)) == fold(name)]


def _said(view: View, hint: str, meant: int, fits: Iterable[int]) -> Said:
    keys = dict.fromkeys((meant, *fits))
    return Said(hint, (catalogue()[meant]["package"],), tuple(catalogue()[a]["package"] for a in keys))


FAMILIES: Mapping[str, Family] = {
    "label": Family(0.5, label),
    "filler": Family(0.2, filler),
    "short": Family(0.1, short),
    "package": Family(0.05, package),
    "slip": Family(0.15, slip),
}
