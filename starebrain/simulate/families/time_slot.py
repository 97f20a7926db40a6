"""How times are referred to: by the phone's events, and by plain expressions in the phone's language and zone.

A key is ``START/END`` for events and ranges, ``START`` where the end was left open. A title that recurs means its next
occurrence. A day without a time is its first instant. Compatible are all readings that usage allows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from starebrain.simulate.distortions import fold
from starebrain.simulate.families.base import Family
from starebrain.simulate.view import NOTHING, Said

if TYPE_CHECKING:
    from starebrain.simulate.view import Dice, View

HOURS = range(8, 22)
"""Hours of the day that people name: none is skipped or repeated when clocks change."""
SOONEST = 0.75
"""Share of speakers who mean the first of several events of one title, in any case (assumed)."""
MINUTES = (0, 0, 0, 30, 15, 45)


def event(view: View, dice: Dice) -> Said | None:
    """The title of a coming event ("my dentist appointment"); compatible: the next occurrence of all of that title."""
    meant = _coming(view, dice)
    if meant is None:
        return None
    hint = _title(view, dice, meant)
    return Said(hint, (_slot(view, meant),), _unique(_slot(view, e) for e in _titled(view, meant)))


def after_event(view: View, dice: Dice) -> Said | None:
    """The end of an event ("after my standup"); compatible: the ends of all of that title."""
    meant = _coming(view, dice)
    if meant is None or meant["all_day"]:
        return None
    hint = _phrase(view, dice, "after_event", event=_title(view, dice, meant))
    timed = [e for e in _titled(view, meant) if not e["all_day"]]
    return Said(hint, (view.clock(meant["end"]).isoformat(),), _unique(view.clock(e["end"]).isoformat() for e in timed))


def before_event(view: View, dice: Dice) -> Said | None:
    """Some minutes before an event ("30 minutes before the dentist"); compatible: the same before all of that title."""
    meant = _coming(view, dice)
    if meant is None or meant["all_day"]:
        return None
    minutes = dice.pick((10, 15, 20, 30, 45, 60))
    hint = _phrase(view, dice, "before_event", event=_title(view, dice, meant), n=minutes)
    timed = [e for e in _titled(view, meant) if not e["all_day"]]
    starts = [view.clock(e["start"] - 60 * minutes).isoformat() for e in (meant, *timed)]
    return Said(hint, (starts[0],), _unique(starts))


def day_and_clock(view: View, dice: Dice) -> Said | None:
    """A day and a time of it ("tomorrow at 3pm", "on Friday at 10"); one reading.

    A weekday is the next such day after today.
    """
    name = dice.pick(("tomorrow", "tomorrow", "today", "overmorrow", "weekday", "weekday"))
    ahead = {"today": 0, "tomorrow": 1, "overmorrow": 2}.get(name, 1 + int(dice() * 6))
    hours = [h for h in HOURS if ahead or h > view.now.hour]
    if not hours:
        return None
    at = view.wall(ahead, dice.pick(hours), dice.pick(MINUTES))
    return _one(view, dice, name, at)


def date(view: View, dice: Dice) -> Said | None:
    """A date and a time ("on 12 March at 3pm", "12/3 at 3pm" in the locale's order); one reading: the next such."""
    at = view.wall(7 + int(dice() * 100), dice.pick(HOURS), dice.pick(MINUTES))
    return _one(view, dice, "date", at)


def from_now(view: View, dice: Dice) -> Said | None:
    """A stretch from now ("in 20 minutes", "in 3 hours"); one reading, counted on the clock that everyone shares."""
    name, choices = dice.pick((("in_minutes", (5, 10, 15, 20, 30, 45)), ("in_hours", (2, 3, 4, 5, 6))))
    n = dice.pick(choices)
    unit = timedelta(minutes=n) if name == "in_minutes" else timedelta(hours=n)
    at = view.clock(int((view.now + timedelta(0)).timestamp() + unit.total_seconds()))
    return Said(_phrase(view, dice, name, n=n), (at.isoformat(),), (at.isoformat(),))


def range_(view: View, dice: Dice) -> Said | None:
    """From one time to another ("tomorrow from 3pm to 5pm"); one reading, START/END."""
    hour = dice.pick(range(8, 19))
    start, end = view.wall(1, hour, dice.pick(MINUTES)), view.wall(1, hour + dice.pick((1, 2, 3)), dice.pick(MINUTES))
    if end <= start:
        return None
    key = f"{start.isoformat()}/{end.isoformat()}"
    clocks = {"clock": _clock(view, dice, start), "clock2": _clock(view, dice, end)}
    return Said(_phrase(view, dice, "range", **clocks), (key,), (key,))


def day(view: View, dice: Dice) -> Said | None:
    """A day without a time ("tomorrow", "on Friday"); one reading, the day's first instant."""
    name = dice.pick(("day", "on_day"))
    return _one(view, dice, name, view.wall(1 if name == "day" else 1 + int(dice() * 6), 0, 0))


def next_weekday(view: View, dice: Dice) -> Said | None:
    """ "Next Friday at noon": the coming one, or next calendar week's; where they differ either may be meant."""
    if "next_weekday" not in view.speech["time"]["phrases"]:
        return None
    ahead, hour, minute = 1 + int(dice() * 6), dice.pick(HOURS), dice.pick(MINUTES)
    readings = [view.wall(ahead, hour, minute)]
    if view.now.weekday() + ahead < 7:  # it is of this week still
        readings.append(view.wall(ahead + 7, hour, minute))
    keys = tuple(at.isoformat() for at in readings)
    hint = _phrase(view, dice, "next_weekday", **_fields(view, dice, readings[0]))
    return Said(hint, (dice.pick(keys),), keys)


def open_hour(view: View, dice: Dice) -> Said | None:
    """An hour without am or pm, where people say those ("tomorrow at 3"); both halves of the day are compatible."""
    if not view.locale.halves:
        return None
    hour, name = dice.pick(range(4, 12)), dice.pick(("open_hour", "open_hour_tomorrow"))
    today = [view.wall(0, h, 0) for h in (hour, hour + 12)]
    ahead = [1 if name == "open_hour_tomorrow" or at <= view.now else 0 for at in today]
    keys = tuple(view.wall(d, at.hour, 0).isoformat() for d, at in zip(ahead, today, strict=True))
    return Said(_phrase(view, dice, name, h12=hour), (keys[0 if hour >= 8 else 1],), keys)


def absent(view: View, dice: Dice) -> Said | None:
    """A time that the phone cannot know: an event that is not on it, or a date that does not exist."""
    if dice() < 0.15:
        name, day_ = dice.pick(((1, 30), (1, 31), (3, 31), (5, 31), (8, 31), (10, 31)))
        fields = {"month": view.speech["time"]["months"][name], "day": day_}
        hint = _phrase(view, dice, "impossible", **fields, clock=_clock(view, dice, view.wall(1, dice.pick(HOURS), 0)))
        return Said(hint, NOTHING, NOTHING)
    known = {word for e in view.events for word in fold(e["title"]).split()}
    events = view.speech["events"]
    titles = [t for t in (*events["single"], *events["recurring"]) if not known & set(fold(t).split())]
    if not titles:
        return None
    title = dice.pick(titles)
    if dice() < 0.3:
        return Said(_phrase(view, dice, "after_event", event=title), NOTHING, NOTHING)
    return Said(dice.pick(events["spoken"]).format(title=title), NOTHING, NOTHING)


def _one(view: View, dice: Dice, name: str, at: datetime) -> Said:
    return Said(_phrase(view, dice, name, **_fields(view, dice, at)), (at.isoformat(),), (at.isoformat(),))


def _fields(view: View, dice: Dice, at: datetime) -> dict[str, Any]:
    words = view.speech["time"]
    return {
        "clock": _clock(view, dice, at),
        "weekday": words["weekdays"][at.weekday()],
        "month": words["months"][at.month - 1],
        "day": at.day,
        "numeric": view.locale.numeric.format(day=at.day, month=at.month),
    }


def _phrase(view: View, dice: Dice, name: str, **fields: Any) -> str:
    return dice.pick(view.speech["time"]["phrases"][name]).format(**fields)


def _clock(view: View, dice: Dice, at: datetime) -> str:
    """A time of the day in words of the language, without doubt about its half."""
    words = view.speech["time"]
    part = next(word for until, word in words["parts"] if at.hour < until)
    patterns: Sequence[str] = words["clock_minutes" if at.minute else "clock"]
    if at.hour == 12:  # "12 in the afternoon" is midnight to some
        patterns = [p for p in patterns if "{part}" not in p] or patterns
    return dice.pick(patterns).format(h24=at.hour, h12=(at.hour - 1) % 12 + 1, mm=f"{at.minute:02d}", part=part)


def _coming(view: View, dice: Dice) -> dict[str, Any] | None:
    """The next occurrence of an event that is to come and was not declined; a series is as likely as a single one."""
    now = view.now.timestamp()
    first: dict[Any, dict[str, Any]] = {}
    for e in view.events:
        if e["start"] > now and e["response"] != "declined":
            first.setdefault(e["series"] if e["series"] >= 0 else e["event_id"], e)
    if not first:
        return None
    meant = dice.pick(list(first.values()))
    alike = [e for e in first.values() if fold(e["title"]) == fold(meant["title"])]
    return alike[0] if dice() < SOONEST else meant


def _titled(view: View, meant: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The next occurrences of all coming events whose title folds to that of `meant`, declined ones too."""
    now = view.now.timestamp()
    first: dict[Any, dict[str, Any]] = {}
    for e in view.events:
        if e["start"] > now and fold(e["title"]) == fold(meant["title"]):
            first.setdefault(e["series"] if e["series"] >= 0 else e["event_id"], e)
    return [dict(meant), *first.values()]


def _title(view: View, dice: Dice, meant: Mapping[str, Any]) -> str:
    """The title as people say it; one that names somebody as it is."""
    words, title = view.speech["events"], meant["title"]
    plain = any(title in words[key] for key in ("single", "recurring", "all_day"))
    return dice.pick(words["spoken"]).format(title=title) if plain else title


def _slot(view: View, e: Mapping[str, Any]) -> str:
    return f"{view.clock(e['start']).isoformat()}/{view.clock(e['end']).isoformat()}"


def _unique(keys: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(keys))


FAMILIES: Mapping[str, Family] = {
    "event": Family(0.2, event),
    "after_event": Family(0.07, after_event),
    "before_event": Family(0.05, before_event),
    "day_and_clock": Family(0.33, day_and_clock),
    "date": Family(0.1, date),
    "from_now": Family(0.07, from_now),
    "range": Family(0.06, range_),
    "day": Family(0.06, day),
    "next_weekday": Family(0.03, next_weekday),
    "open_hour": Family(0.03, open_hour),
}
