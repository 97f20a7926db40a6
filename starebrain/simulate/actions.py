"""The actions that are asked for, and the parameters that each may require."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from starebrain.intent import ParameterKind

Shape = tuple[tuple[str, ParameterKind], ...]
WHO, WHERE, WHEN = ParameterKind.CONTACT, ParameterKind.LOCATION, ParameterKind.TIME_SLOT
CALENDAR, APP = ParameterKind.CALENDAR, ParameterKind.APP


@dataclass(frozen=True, slots=True)
class Action:
    """How often an action is asked for unless a scenario says otherwise (assumed), and its lists of parameters.

    The lists are equally likely, and name each parameter with its kind. No kind occurs twice in a list, so the frames
    of sentences name parameters by kind.
    """

    share: float
    shapes: tuple[Shape, ...]


ACTIONS: Mapping[str, Action] = {
    "create_event": Action(
        0.3,
        (
            (("when", WHEN),),
            (("attendee", WHO), ("when", WHEN)),
            (("attendee", WHO), ("when", WHEN), ("where", WHERE)),
            (("when", WHEN), ("calendar", CALENDAR)),
            (("where", WHERE), ("when", WHEN), ("calendar", CALENDAR)),
        ),
    ),
    "send_message": Action(0.18, ((("recipient", WHO),), (("recipient", WHO), ("app", APP)))),
    "call": Action(0.14, ((("recipient", WHO),), (("recipient", WHO), ("app", APP)))),
    "navigate": Action(0.14, ((("destination", WHERE),), (("destination", WHERE), ("app", APP)))),
    "payment": Action(0.06, ((("recipient", WHO),), (("recipient", WHO), ("app", APP)))),
    "open_app": Action(0.06, ((("app", APP),),)),
    "set_reminder": Action(0.08, ((("when", WHEN),), (("when", WHEN), ("calendar", CALENDAR)))),
    "share_location": Action(0.04, ((("recipient", WHO),), (("recipient", WHO), ("app", APP)))),
}
