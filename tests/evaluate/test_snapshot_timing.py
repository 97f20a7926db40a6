"""The race of snapshot policies: cases to check by reading, what holds by construction, the slow way as an oracle."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from starebrain.dataset import Label, LabelledIntent, LabelledPhone, Split, open_dataset
from starebrain.device import Contact, DeviceContext, Event, Response, SavedLocation
from starebrain.evaluate.policies import EXPIRING, POLICIES
from starebrain.evaluate.remembering import Remembering
from starebrain.evaluate.snapshot_figures import MEASURES, estimates, opened, per_thousand, stopped
from starebrain.evaluate.snapshot_timing import CELLS, DELAYS, FOUND, GIVEN, WINDOWS, race
from starebrain.intent import ActionIntent, Parameter, ParameterKind
from starebrain.resolution import key_of
from starebrain.resolve import resolver_named
from starebrain.simulate import (
    Cause,
    Change,
    ChangeType,
    Life,
    UserTraits,
    read_scenario,
    simulate_timelines,
    timeline_of,
)
from starebrain.simulate.changes import at_instant
from starebrain.simulate.sections import Changes, Focus
from tests.evaluate.plain_race import numbers

ROOT = Path(__file__).resolve().parents[2]
EVIDENCE = resolver_named("evidence")
NOW = datetime(2026, 11, 5, 9, 30, tzinfo=UTC)
OLD = NOW - timedelta(days=900)
SHARP = UserTraits(delay=5.0, spread=0.0, attention=1.0, fatigue=0.0, edits=1.0, needless=0.0)

MOM = Contact("mom", "Mom", relation="mother", phones=("+1 212 555 0101",), added_at=OLD, times_contacted=60)
ANA = Contact("ana", "Ana Ruiz", phones=("+1 212 555 0102",), added_at=OLD, times_contacted=20)
GYM = SavedLocation("gym", "Gym", "7 Canal St", (40.7, -74.0))
DENTIST = Event(
    "dentist", NOW + timedelta(days=2), NOW + timedelta(days=2, hours=1), "w", "Dentist", response=Response.ACCEPTED
)
PHONE = DeviceContext(NOW, "UTC", "en_US", contacts=(MOM, ANA), saved_locations=(GYM,), upcoming_events=(DENTIST,))
AFTER = "2026-11-07T10:30:00+00:00"
ASKED = {
    "who": (ParameterKind.CONTACT, "mom", "call", ("mom",)),
    "paid": (ParameterKind.CONTACT, "Ana Ruiz", "payment", ("ana",)),
    "where": (ParameterKind.LOCATION, "the gym", "navigate", ("gym",)),
    "when": (ParameterKind.TIME_SLOT, "after the dentist", "create_event", (AFTER,)),
    "nobody": (ParameterKind.CONTACT, "Xavier", "call", ()),
}
"""Filled in silently, but for the payment, which is suggested, and nobody, who is asked for in vain."""


def life(name: str, *changes: Change, user: UserTraits = SHARP) -> Life:
    kind, hint, action, intended = ASKED[name]
    intent = ActionIntent("i", action, None, (Parameter("it", kind, hint),))
    phone = LabelledPhone("d", Split.TEST, PHONE, (LabelledIntent(intent, (Label(intended, intended, "any", "d"),)),))
    return Life(phone, timeline_of(PHONE, changes), user)


def later(minutes: float, of: ChangeType, *put: object, drop: tuple[str, ...] = ()) -> Change:
    return Change(NOW + timedelta(minutes=minutes), of, Cause.SYNC, put, drop)  # type: ignore[arg-type]


NUMBER = replace(MOM, phones=("+1 212 555 0199",))
EDIT, REMOVE, ADD, MOVE, CANCEL, RELABEL = (
    *(ChangeType.EDIT, ChangeType.REMOVE, ChangeType.ADD, ChangeType.MOVE, ChangeType.CANCEL, ChangeType.RELABEL),
)
SHIFTED = replace(
    DENTIST, start_time=DENTIST.start_time + timedelta(days=1), end_time=DENTIST.end_time + timedelta(days=1)
)
BEFORE, DURING = 30, 90
"""Minutes after the cache was taken: in the hour before the request, and in the hour for which it is held up."""
SHOW, CONFIRM, DISPATCH = WINDOWS
FROZEN, VERIFIED, RERESOLVE, LIVE, STALE = POLICIES

CASES: dict[str, tuple[str, Change, str, dict[str, set[str]]]] = {
    "a silent contact has another number before dispatch": (
        *("who", later(DURING, EDIT, NUMBER), DISPATCH),
        {
            FROZEN: {"stale", "wrong"},
            VERIFIED: {"blocked", "rightly"},
            RERESOLVE: {"stale", "wrong"},
            LIVE: {"unapproved"},
            STALE: {"stale", "wrong"},
        },
    ),
    "a suggested contact has another number while the user thinks": (
        *("paid", later(DURING, EDIT, replace(ANA, phones=("+1 212 555 0198",))), CONFIRM),
        {
            FROZEN: {"stale", "wrong"},
            VERIFIED: {"blocked", "rightly"},
            RERESOLVE: {"unapproved"},
            LIVE: {"unapproved"},
            STALE: {"stale", "wrong"},
        },
    ),
    "it has another number before the answer is shown": (
        *("paid", later(DURING, EDIT, replace(ANA, phones=("+1 212 555 0198",))), SHOW),
        {
            FROZEN: {"stale", "wrong"},
            VERIFIED: {"blocked", "rightly"},
            RERESOLVE: {"unapproved"},
            LIVE: set(),
            STALE: {"stale", "wrong"},
        },
    ),
    "only the organization is another": (
        *("who", later(DURING, EDIT, replace(MOM, organization="Acme")), DISPATCH),
        {
            FROZEN: {"stale"},
            VERIFIED: {"blocked"},
            RERESOLVE: {"stale"},
            LIVE: set(),
            STALE: {"stale"},
        },
    ),
    "the number is another since the cache was taken": (
        *("who", later(BEFORE, EDIT, NUMBER), DISPATCH),
        {FROZEN: set(), VERIFIED: set(), RERESOLVE: set(), LIVE: set(), STALE: {"unapproved", "stale", "wrong"}},
    ),
    "somebody else is reached": (
        *("who", later(DURING, ChangeType.REACH, replace(ANA, times_contacted=21)), DISPATCH),
        {policy: set() for policy in POLICIES},
    ),
    "a place has another address": (
        *("where", later(DURING, RELABEL, replace(GYM, address="9 Pine St")), DISPATCH),
        {
            FROZEN: {"stale", "wrong"},
            VERIFIED: {"blocked", "rightly"},
            RERESOLVE: {"stale", "wrong"},
            LIVE: {"unapproved"},
            STALE: {"stale", "wrong"},
        },
    ),
    "an event is moved": (
        *("when", later(DURING, MOVE, SHIFTED), DISPATCH),
        {
            FROZEN: {"stale", "wrong"},
            VERIFIED: {"blocked", "rightly"},
            RERESOLVE: {"stale", "wrong"},
            LIVE: {"unapproved"},
            STALE: {"stale", "wrong"},
        },
    ),
    "an event was moved since the cache was taken": (
        *("when", later(BEFORE, MOVE, SHIFTED), DISPATCH),
        {FROZEN: set(), VERIFIED: set(), RERESOLVE: set(), LIVE: set(), STALE: {"unapproved", "stale", "wrong"}},
    ),
    "who is not there is never dispatched": (
        *("nobody", later(DURING, EDIT, NUMBER), DISPATCH),
        {policy: set() for policy in POLICIES},
    ),
}


def raced(*lives: Life, cells: tuple[tuple[str, str], ...] = CELLS) -> pd.DataFrame:
    return race(lives, EVIDENCE, seed=1, cells=cells)


@pytest.mark.parametrize("case", CASES)
def test_what_becomes_of_a_value(case: str) -> None:
    name, change, window, expected = CASES[case]
    rows = raced(life(name, change), cells=(("1 hour", window),)).set_index("resolver")
    flags = ["unapproved", "stale", "wrong", "blocked", "rightly"]
    found = {policy: {flag for flag in flags if rows.loc[policy, flag]} for policy in POLICIES}
    assert found == expected
    assert (rows["dispatched"] == (name != "nobody")).all()


def test_who_is_removed_is_asked_for_in_vain() -> None:
    rows = raced(life("who", later(DURING, REMOVE, drop=("mom",))), cells=(("1 hour", DISPATCH),)).set_index("resolver")
    assert rows.loc[FROZEN, ["dispatched", "stale", "wrong"]].all()
    for policy in (VERIFIED, LIVE):
        assert rows.loc[policy, ["ready", "blocked", "rightly"]].all()
        assert not rows.loc[policy, "dispatched"]
        assert rows.loc[policy, "extra"] >= 1
    assert set(rows["verdict"]) == {"gone"}
    assert set(rows["hit"]) == {"remove"}


def test_a_namesake_is_a_needless_question_since_the_words_were_said_before() -> None:
    twin = Contact("twin", "Ana Ruiz", phones=("+1 212 555 0177",), added_at=NOW)
    rows = raced(life("paid", later(DURING, ADD, twin)), cells=(("1 hour", DISPATCH),)).set_index("resolver")
    assert set(rows["verdict"]) == {"rivalled"}
    assert rows.loc[VERIFIED, "blocked"]
    assert not rows.loc[VERIFIED, "rightly"]
    assert not rows.loc[FROZEN, ["stale", "wrong"]].any()


@pytest.mark.parametrize(("delay", "late"), [("1 min", False), ("10 min", True), ("1 hour", True)])
def test_a_contract_that_expires_is_asked_again_after_ten_minutes(delay: str, late: bool) -> None:
    rows = raced(life("who"), cells=((delay, DISPATCH),)).set_index("resolver")
    assert rows.loc[EXPIRING.name, "blocked"] == late
    assert not rows.loc[EXPIRING.name, "rightly"]
    assert not rows.loc[VERIFIED, "blocked"]


def test_what_is_silent_waits_for_nobody() -> None:
    change = later(DURING, EDIT, NUMBER)
    rows = raced(life("who", change), cells=(("1 day", CONFIRM),))
    assert not rows[["unapproved", "stale", "blocked"]].any(axis=None)


def test_a_wrong_suggestion_that_is_overridden_costs_two_prompts_and_one_that_is_not_is_wrong() -> None:
    kind, hint, action, _ = ASKED["paid"]
    label = Label(("mom",), ("mom",), "any", "d")
    intent = LabelledIntent(ActionIntent("i", action, None, (Parameter("it", kind, hint),)), (label,))
    phone = LabelledPhone("d", Split.TEST, PHONE, (intent,))
    for attention, prompts, wrong in ((1.0, 2, False), (0.0, 1, True)):
        one = Life(phone, timeline_of(PHONE, ()), replace(SHARP, attention=attention))
        rows = raced(one)
        assert (rows["prompts"] == prompts).all()
        assert (rows["wrong"] == wrong).all()


@pytest.fixture(scope="module")
def lives() -> list[Life]:
    """Some small phones of the committed dataset, in which what is asked for changes often."""
    phones = [p for p in open_dataset(ROOT / "datasets" / "quick").phones() if len(p.device.contacts) < 60]
    scenario = read_scenario(ROOT / "datasets" / "scenarios" / "quick.toml")
    busy = replace(scenario, timeline=Changes(notify=0.0, focus=Focus(60, 60, 60)))
    return list(simulate_timelines(busy, phones[:5], lives=len(CELLS)))


@pytest.fixture(scope="module")
def played(lives: list[Life]) -> pd.DataFrame:
    return race(lives, resolver_named("wratio"), seed=3)


def test_the_race_is_what_the_slow_way_gives(lives: list[Life], played: pd.DataFrame) -> None:
    """With a baseline, whose tiers come without probabilities: 840 intents."""
    expected = np.concatenate(
        [numbers(one, at % len(CELLS), resolver_named("wratio"), 3) for at, one in enumerate(lives)], axis=1
    )
    for at, policy in enumerate(POLICIES):
        got = played[played["resolver"] == policy][list(FOUND)].to_numpy(int)
        np.testing.assert_array_equal(got, expected[at], err_msg=policy)
    assert expected[:, :, 2:4].any()


def test_with_evidence_too(lives: list[Life]) -> None:
    """On one phone, in the cells in which much happens."""
    got = race(lives[: len(CELLS)], EVIDENCE, seed=3, policies=list(POLICIES.values()))
    spoiled = 0
    for at, (delay, _) in enumerate(CELLS):
        if DELAYS[delay] > 3_600:
            expected, own = numbers(lives[at], at, EVIDENCE, 3), got[got["life"] == at]
            for policy, rows in zip(POLICIES, expected, strict=True):
                np.testing.assert_array_equal(own[own["resolver"] == policy][list(FOUND)].to_numpy(int), rows, policy)
            spoiled += int(expected[:, :, 2:4].sum())
    assert spoiled


def test_what_holds_by_construction(played: pd.DataFrame) -> None:
    by_policy = dict(iter(played.groupby("resolver")))
    assert not by_policy[FROZEN]["unapproved"].any()
    assert by_policy[FROZEN]["stale"].any()
    assert not by_policy[VERIFIED][["unapproved", "stale"]].any(axis=None)
    assert by_policy[VERIFIED]["blocked"].any()
    assert not by_policy[LIVE]["stale"].any()
    assert by_policy[LIVE]["unapproved"].any()
    for flag, whole in (
        ("rightly", "blocked"),
        ("blocked", "ready"),
        ("unapproved", "dispatched"),
        ("stale", "dispatched"),
    ):
        assert (played[flag] <= played[whole]).all()
    assert (played["blocked"] == (played["extra"] > 0)).all()
    assert not played[~played["ready"]]["dispatched"].any()


def test_every_stale_value_of_frozen_is_a_verdict_that_is_not_valid(played: pd.DataFrame) -> None:
    frozen = played[played["resolver"] == FROZEN]
    read = frozen["verdict"].isin(["changed", "gone"])
    assert (frozen["stale"] == read).all()


def test_nothing_happens_on_a_phone_that_does_not_change(lives: list[Life]) -> None:
    quiet = [one._replace(timeline=timeline_of(one.phone.device, ())) for one in lives[: len(CELLS)]]
    rows = race(quiet, resolver_named("wratio"), seed=3, policies=list(POLICIES.values()))
    assert not rows[["unapproved", "stale", "blocked"]].any(axis=None)
    parts = [part.drop(columns="resolver").reset_index(drop=True) for _, part in rows.groupby("resolver", sort=False)]
    for part in parts[1:]:
        pd.testing.assert_frame_equal(part, parts[0])


def test_a_life_is_the_same_whatever_comes_before_it(lives: list[Life], played: pd.DataFrame) -> None:
    again = race(lives[: len(CELLS)], resolver_named("wratio"), seed=3)
    first = played[played["phone"] == lives[0].phone.device_id]
    for column in (*GIVEN, *FOUND):
        assert again[column].astype(str).tolist() == first[column].astype(str).tolist(), column


def test_a_remembering_resolver_answers_as_one_that_looks(lives: list[Life]) -> None:
    looked = 0
    for one in lives[20 : 2 * len(CELLS) : 5]:
        known, said = Remembering(EVIDENCE), one.phone.device.captured_at
        for hours in (0, 1, 3, 9, 27):
            device = at_instant(one.timeline.at(said + timedelta(hours=hours)), said)
            on, anew = known.on(device), EVIDENCE.on(device)
            for asked in one.phone.intents:
                for parameter in asked.intent.required_parameters:
                    a, b = (phone.resolve(parameter, asked.intent.action) for phone in (on, anew))
                    assert (a.value, a.confidence, a.probability, a.caps) == (
                        b.value,
                        b.confidence,
                        b.probability,
                        b.caps,
                    )
                    assert [(key_of(x.value), x.probability) for x in a.alternatives] == [
                        (key_of(x.value), x.probability) for x in b.alternatives
                    ]
                    looked += 1
    assert looked > 100


def test_figures_are_counted_by_hand() -> None:
    lived = [life("who", later(DURING, EDIT, NUMBER)), life("paid")] * 2
    phones = [replace(one.phone, device_id=name) for one, name in zip(lived, "abcd", strict=True)]
    lived = [one._replace(phone=phone) for one, phone in zip(lived, phones, strict=True)]
    rows = raced(*lived, cells=(("1 hour", DISPATCH),))
    made = estimates(rows).set_index(["metric", "resolver"])
    assert set(made.index.get_level_values("metric")) == set(MEASURES)
    assert made.loc[("stale_values", FROZEN), ["numerator", "denominator", "n"]].tolist() == [2, 4, 4]
    assert made.loc[("stale_values", VERIFIED), ["numerator", "denominator", "low"]].tolist() == [0, 4, 0]
    assert made.loc[("stale_values", VERIFIED), "high"] == pytest.approx(1 - 0.025 ** (1 / 4))
    assert made.loc[("blocked_rightly", VERIFIED), "value"] == 0.5
    assert made.loc[("extra_prompts", VERIFIED), ["numerator", "denominator"]].tolist() == [2, 4]
    assert per_thousand(made.reset_index())["value"].max() == 1_000 * made["value"].max()
    stop = stopped(rows).iloc[0]
    assert (stop["numerator"], stop["denominator"]) == (2, 2)


def test_cuts_name_what_they_are_of(played: pd.DataFrame) -> None:
    made = estimates(played, ["delay"], ["stale_values"])
    assert list(dict.fromkeys(made["delay"])) == list(DELAYS)
    assert made["cut"].iloc[0] == "delay=1 s"
    whole = estimates(played, (), ["stale_values"]).set_index("resolver")["numerator"]
    assert made.groupby("resolver")["numerator"].sum().to_dict() == whole.to_dict()


def test_other_lives_have_another_sum() -> None:
    scenario = read_scenario(ROOT / "datasets" / "scenarios" / "quick.toml")
    sums = {
        opened("lives", {"a": "b"}, one, rounds=n).sha256()
        for n in (1, 2)
        for one in (scenario, replace(scenario, seed=5))
    }
    assert len(sums) == 4
    assert opened("lives", {}, scenario).sha256() == opened("lives", {}, scenario).sha256()


def test_the_table_of_policies_names_them() -> None:
    assert all(policy.name == name for name, policy in POLICIES.items())
    assert EXPIRING.name not in POLICIES
