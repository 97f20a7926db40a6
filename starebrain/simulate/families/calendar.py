"""How calendars are referred to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from starebrain.simulate.distortions import fold
from starebrain.simulate.families.base import Family
from starebrain.simulate.view import NOTHING, Said

if TYPE_CHECKING:
    from starebrain.simulate.view import Dice, View


def default(view: View, dice: Dice) -> Said | None:
    """No hint: the default calendar is meant, and nothing else."""
    key = next(c["calendar_id"] for c in view.calendars if c["is_default"])
    return Said(None, (key,), (key,))


def name(view: View, dice: Dice) -> Said | None:
    """The calendar's name ("Family"); compatible: all calendars of that name."""
    meant = _one(view, dice)
    return _said(view, meant["name"], meant, lambda c: fold(c["name"]) == fold(meant["name"]))


def filler(view: View, dice: Dice) -> Said | None:
    """The name among other words ("my work calendar"); compatible as for `name`."""
    meant = _one(view, dice)
    plain = "".join(c for c in meant["name"] if c.isalnum() or c == " ").strip()
    small = plain if view.locale.language == "de" else plain.lower()
    hint = dice.pick(view.speech["calendars"]["spoken"]).format(name=small)
    return _said(view, hint, meant, lambda c: fold(c["name"]) == fold(meant["name"]))


def account(view: View, dice: Dice) -> Said | None:
    """The account ("the calendar of anna@firm.example"); compatible: all calendars of that account."""
    meant = _one(view, dice)
    hint = dice.pick(view.speech["calendars"]["account_spoken"]).format(account=meant["account"])
    return _said(view, hint, meant, lambda c: c["account"] == meant["account"])


def absent(view: View, dice: Dice) -> Said | None:
    """A calendar that the phone does not have: one that nobody's phone has, or a usual one that is missing."""
    words = view.speech["calendars"]
    known = {fold(c["name"]) for c in view.calendars}
    usual = [n for key in ("work", "family") if not known & {fold(x) for x in words[key]} for n in words[key][:1]]
    return Said(dice.pick([*words["absent"], *usual]), NOTHING, NOTHING)


def _one(view: View, dice: Dice) -> dict[str, Any]:
    """A calendar that can be written to, nine times of ten."""
    return dice.pick([c for c in view.calendars if c["writable"]] if dice() < 0.9 else view.calendars)


def _said(view: View, hint: str, meant: Mapping[str, Any], fits: Callable[[Mapping[str, Any]], bool]) -> Said:
    return Said(hint, (meant["calendar_id"],), tuple(c["calendar_id"] for c in view.calendars if fits(c)))


FAMILIES: Mapping[str, Family] = {
    "default": Family(0.3, default),
    "name": Family(0.3, name),
    "filler": Family(0.3, filler),
    "account": Family(0.1, account),
}
