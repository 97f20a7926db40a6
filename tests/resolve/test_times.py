"""Everyday time hints on a phone: what they mean, how sure, and what holds them down.

It is Thursday 5 November 2026, 9:30, in New York. A row is ``locale | hint | tier | start | cap``, the start as ``MM-DD
HH:MM`` or ``YYYY-MM-DD HH:MM``, ``-`` where there is no value; a cap is named where one bites.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from starebrain.device import DeviceContext, Event, Response
from starebrain.intent import Parameter, ParameterKind
from starebrain.kinds.readers import zones
from starebrain.resolution import ParameterValue, TimeSlotValue
from starebrain.resolve import resolver_named

EASTERN = timezone(timedelta(hours=-5))


def event(name: str, title: str, start: str, minutes: int, response: Response = Response.ACCEPTED) -> Event:
    begins = datetime.fromisoformat(start).replace(tzinfo=EASTERN)
    return Event(name, begins, begins + timedelta(minutes=minutes), title=title, response=response)


PHONE = DeviceContext(
    datetime(2026, 11, 5, 9, 30, tzinfo=EASTERN),
    "America/New_York",
    "en_US",
    upcoming_events=(
        event("standup", "Weekly standup", "2026-11-05T10:00", 15),
        event("lunch", "Lunch with Alex", "2026-11-06T12:30", 60),
        event("yoga", "Yoga", "2026-11-07T09:00", 60),
        event("dentist", "Dentist", "2026-11-10T14:00", 60),
        event("review", "Budget review", "2026-11-11T16:00", 30, Response.NEEDS_ACTION),
    ),
)
LOCALES = {"us": "en_US", "gb": "en_GB", "in": "en_IN", "de": "de_DE", "fr": "fr_FR", "es": "es_ES", "pt": "pt_BR"}

CASES = """
us | 3pm | HIGH | 11-05 15:00
us | at 3 | MEDIUM | 11-05 15:00
us | Monday at 9 | MEDIUM | 11-09 09:00
us | half past six | MEDIUM | 11-05 18:30
us | 5 o'clock tomorrow | MEDIUM | 11-06 17:00
us | ten to nine tomorrow morning | MEDIUM | 11-06 08:50
us | 9:30-10:30 | MEDIUM | 11-05 09:30
us | 9:30-10:30am tomorrow | HIGH | 11-06 09:30
us | tomorrow 14:00-15:30 | HIGH | 11-06 14:00
us | 2026-12-01T14:00-08:00 | HIGH | 12-01 17:00
us | every day at 8am | MEDIUM | 11-06 08:00 | recurring
us | daily at 8am | MEDIUM | 11-06 08:00 | recurring
us | 3pm every weekday | MEDIUM | 11-05 15:00 | recurring
us | every Monday at 9am | MEDIUM | 11-09 09:00
us | asap | MEDIUM | 11-05 09:30 | no_time
us | in a few minutes | MEDIUM | 11-05 09:33 | no_time
us | in 20 minutes | HIGH | 11-05 09:50
us | not at 3pm | LOW | 11-05 15:00
us | 3 am or 3 pm | LOW | 11-06 03:00
us | yesterday at 5pm | MEDIUM | 11-04 17:00 | past
us | all day tomorrow | MEDIUM | 11-06 00:00 | no_time
us | second | UNRESOLVABLE | -
us | 1500 | UNRESOLVABLE | -
us | 3pm CET | HIGH | 11-06 09:00
us | 15:00 UTC | HIGH | 11-05 10:00
us | tomorrow 3pm Berlin time | HIGH | 11-06 09:00
us | tomorrow 5pm IST | UNRESOLVABLE | -
in | tomorrow 5pm IST | HIGH | 11-06 06:30
us | 1/2 at 10am | HIGH | 2027-01-02 10:00
gb | 1/12 at 10am | MEDIUM | 12-01 10:00
us | Feb 29 2028 at noon | HIGH | 2028-02-29 12:00
us | Feb 29 2027 at noon | UNRESOLVABLE | -
us | Jan 1 at 12am | HIGH | 2027-01-01 00:00
us | after the standup | HIGH | 11-05 10:15
us | every day after the standup | UNRESOLVABLE | -
us | weekly | MEDIUM | 11-05 10:00 | recurring
us | during yoga | MEDIUM | 11-07 09:00 | no_time
us | 30 minutes before the dentist | HIGH | 11-10 13:30
us | at lunch | MEDIUM | 11-05 12:00
us | after lunch | MEDIUM | 11-05 13:00
us | after lunch tomorrow | HIGH | 11-06 13:30
us | after lunch with Alex | HIGH | 11-06 13:30
us | after yoga tomorrow | UNRESOLVABLE | -
us | after the budget review | MEDIUM | 11-11 16:30 | provenance
de | morgen um halb acht | MEDIUM | 11-06 07:30
de | heute Abend um halb acht | HIGH | 11-05 19:30
de | täglich um 8 Uhr | MEDIUM | 11-06 08:00 | recurring
de | 30. Februar um 16 Uhr | UNRESOLVABLE | -
fr | demain à midi | HIGH | 11-06 12:00
fr | à 8h | HIGH | 11-06 08:00
fr | à 3 heures | MEDIUM | 11-05 15:00
fr | 8h | MEDIUM | 11-06 08:00 | duration_only
fr | sept heures et demie | MEDIUM | 11-05 19:30
fr | tous les jours à 8h | MEDIUM | 11-06 08:00 | recurring
es | mañana a las 15:00 | HIGH | 11-06 15:00
es | todos los días a las 8:00 | MEDIUM | 11-06 08:00 | recurring
pt | amanhã ao meio-dia | HIGH | 11-06 12:00
pt | todos os dias às 8h | MEDIUM | 11-06 08:00 | recurring
"""


def resolved(hint: str, phone: DeviceContext = PHONE) -> ParameterValue:
    return (
        resolver_named("evidence").on(phone).resolve(Parameter("when", ParameterKind.TIME_SLOT, hint), "create_event")
    )


def rows() -> list[tuple[str, ...]]:
    cells = [[cell.strip() for cell in line.split("|")] for line in CASES.strip().splitlines()]
    return [(*row, "") if len(row) == 4 else tuple(row) for row in cells]


@pytest.mark.parametrize(("language", "hint", "tier", "start", "cap"), rows())
def test_everyday_hints(language: str, hint: str, tier: str, start: str, cap: str) -> None:
    got = resolved(hint, replace(PHONE, locale=LOCALES[language]))
    said = got.value
    shown = "-" if said is None else f"{said.start:%Y-%m-%d %H:%M}".removeprefix("2026-")  # type: ignore[union-attr]
    assert (got.confidence.value, shown) == (tier, start)
    assert {c.rule for c in got.caps} >= ({cap} if cap else set())
    assert all(a.probability is None or a.probability <= (got.probability or 1) for a in got.alternatives)


@pytest.mark.parametrize(
    ("zone", "now", "hint", "starts"),
    [
        ("Europe/Berlin", "2026-10-24T08:00Z", "tomorrow at 2:30 am", ["2026-10-25T00:30Z", "2026-10-25T01:30Z"]),
        ("Europe/Berlin", "2026-03-28T08:00Z", "tomorrow at 2:30 am", ["2026-03-29T01:30Z"]),
        ("America/New_York", "2026-10-31T12:00Z", "tomorrow at 1:30 am", ["2026-11-01T05:30Z", "2026-11-01T06:30Z"]),
        ("Australia/Lord_Howe", "2026-04-04T00:00Z", "tomorrow at 1:45 am", ["2026-04-04T14:45Z", "2026-04-04T15:15Z"]),
    ],
)
def test_hours_that_occur_twice_or_never_are_shown(zone: str, now: str, hint: str, starts: list[str]) -> None:
    got = resolved(hint, DeviceContext(datetime.fromisoformat(now), zone, "en_US"))
    assert "clock_change" in {c.rule for c in got.caps} or got.confidence.value == "LOW"
    offered = [got.value, *(a.value for a in got.alternatives)]
    assert [v.start.astimezone(UTC) for v in offered if isinstance(v, TimeSlotValue)] == [
        datetime.fromisoformat(start) for start in starts
    ]


@pytest.mark.parametrize(
    ("zone", "now", "start"),
    [
        ("Europe/Berlin", "2026-10-24T08:00Z", "2026-10-25T14:00Z"),
        ("America/New_York", "2026-10-31T12:00Z", "2026-11-01T20:00Z"),
        ("Australia/Lord_Howe", "2026-04-04T00:00Z", "2026-04-05T04:30Z"),
        ("America/Sao_Paulo", "2026-11-05T12:00Z", "2026-11-06T18:00Z"),
        ("Asia/Kolkata", "2026-11-05T04:00Z", "2026-11-06T09:30Z"),
    ],
)
def test_the_day_after_the_clocks_change_is_in_the_new_offset(zone: str, now: str, start: str) -> None:
    got = resolved("tomorrow at 3pm", DeviceContext(datetime.fromisoformat(now), zone, "en_US"))
    assert got.confidence.value == "HIGH"
    assert isinstance(got.value, TimeSlotValue)
    assert got.value.start == datetime.fromisoformat(start)


@pytest.mark.parametrize("text", ["9:30-10", "14:00-15:30", "tomorrow 9:00-11:00"])
def test_a_range_names_no_zone(text: str) -> None:
    assert zones.named(text, "en_US") is None


def test_what_speaks_against_an_invitation_is_shown() -> None:
    assert "invitation" in {term.name for term in resolved("after the budget review").evidence}
