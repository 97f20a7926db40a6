from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given

from starebrain.errors import InvalidInput
from starebrain.intent import ParameterKind
from starebrain.resolution import (
    MAX_ALTERNATIVES,
    VALUES,
    Alternative,
    AppValue,
    CalendarValue,
    ContactValue,
    ContextSource,
    Evidence,
    Grain,
    LocationValue,
    ParameterValue,
    Resolution,
    ResolutionConfidence,
    TimeSlotValue,
    Value,
    is_one_of,
    key_of,
    unresolvable,
)
from tests import strategies

HIGH, MEDIUM, LOW, UNRESOLVABLE = ResolutionConfidence
THREE = datetime(2026, 11, 6, 15, tzinfo=timezone(timedelta(hours=-5)))
FOUR = THREE + timedelta(hours=1)
TOM = ContactValue("c-1", "Tom")


def answer(confidence: ResolutionConfidence, value: Value | None = TOM, **fields: Any) -> ParameterValue:
    return ParameterValue(ParameterKind.CONTACT, value, confidence, ContextSource.RECENT_CONTACTS, **fields)


def test_tiers_are_ordered() -> None:
    assert [tier.rank for tier in (HIGH, MEDIUM, LOW, UNRESOLVABLE)] == [3, 2, 1, 0]


def test_every_kind_has_its_value() -> None:
    assert set(VALUES) == set(ParameterKind)


@pytest.mark.parametrize(
    ("make", "place", "fact"),
    [
        (lambda: answer(UNRESOLVABLE), "value", "UNRESOLVABLE has no value"),
        (lambda: answer(HIGH, None), "value", "HIGH needs a value"),
        (lambda: answer(MEDIUM, None), "value", "MEDIUM needs a value"),
        (lambda: answer(HIGH, AppValue("a")), "value", "not a value of kind contact"),
        (lambda: answer(HIGH, probability=1.01), "probability", "1.01 is outside 0 to 1"),
        (lambda: answer(HIGH, probability=float("nan")), "probability", "nan is outside 0 to 1"),
        (
            lambda: answer(HIGH, alternatives=(Alternative(AppValue("a"), None, ContextSource.INFERRED),)),
            "value",
            "not a value of kind contact",
        ),
        (
            lambda: answer(HIGH, alternatives=(Alternative(TOM, -0.1, ContextSource.INFERRED),)),
            "probability",
            "-0.1 is outside 0 to 1",
        ),
        (
            lambda: answer(HIGH, alternatives=(Alternative(TOM, None, ContextSource.INFERRED),) * 6),
            "alternatives",
            f"more than {MAX_ALTERNATIVES}",
        ),
        (lambda: Evidence("exact", float("inf")), "bits", "inf is not a finite number"),
        (lambda: LocationValue(None, "Gym", ""), "location_id", "a place needs one of its three ids"),
        (lambda: TimeSlotValue(THREE.replace(tzinfo=None), None, Grain.HOUR), "start", "2026-11-06T15:00:00 has no "),
        (lambda: TimeSlotValue(THREE, FOUR.replace(tzinfo=None), Grain.HOUR), "end", "2026-11-06T16:00:00 has no "),
        (lambda: TimeSlotValue(FOUR, THREE, Grain.HOUR), "end", "the slot ends before it starts"),
        (lambda: Resolution("i", "call", THREE.replace(tzinfo=None)), "captured_at", "2026-11-06T15:00:00 has no "),
    ],
)
def test_a_broken_rule_names_field_and_fact(make: Any, place: str, fact: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        make()
    assert caught.value.place == place
    assert caught.value.fact.startswith(fact)


def test_low_may_have_a_weak_candidate_or_none() -> None:
    assert answer(LOW).value == TOM
    assert answer(LOW, None).value is None
    assert unresolvable(ParameterKind.APP).source is ContextSource.USER_PROVIDED


def test_the_three_lists_keep_the_order_of_the_intent() -> None:
    resolution = Resolution(
        "i",
        "call",
        THREE,
        {
            "e": answer(UNRESOLVABLE, None),
            "d": answer(MEDIUM),
            "c": answer(LOW),
            "b": answer(HIGH),
            "a": answer(MEDIUM),
        },
    )
    assert resolution.pending_parameters == ("e", "c")
    assert resolution.suggested_parameters == ("d", "a")
    assert resolution.auto_filled_parameters == ("b",)


@given(strategies.resolutions)
def test_every_parameter_is_in_exactly_one_list(resolution: Resolution) -> None:
    lists = resolution.pending_parameters, resolution.suggested_parameters, resolution.auto_filled_parameters
    assert sorted(name for names in lists for name in names) == sorted(resolution.resolved_parameters)


@pytest.mark.parametrize(
    ("value", "key"),
    [
        (TOM, "c-1"),
        (LocationValue("l-1", "Gym", "", event_id="e-1"), "l-1"),
        (LocationValue(None, "Gym", "", event_id="e-1"), "event:e-1"),
        (LocationValue(None, "Gym", "", contact_id="c-1"), "contact:c-1"),
        (TimeSlotValue(THREE, None, Grain.HOUR), "2026-11-06T15:00:00-05:00"),
        (TimeSlotValue(THREE, FOUR, Grain.HOUR, "e-1"), "2026-11-06T15:00:00-05:00/2026-11-06T16:00:00-05:00"),
        (CalendarValue("k-1", "Home"), "k-1"),
        (AppValue("com.example"), "com.example"),
    ],
)
def test_a_value_has_the_key_that_gold_spells(value: Value, key: str) -> None:
    assert key_of(value) == key
    assert is_one_of(value, ["another" if not isinstance(value, TimeSlotValue) else THREE.isoformat(), key])


@pytest.mark.parametrize(
    ("value", "keys", "right"),
    [
        (None, ["c-1"], False),
        (TOM, [], False),
        (TOM, ["c-2"], False),
        (TimeSlotValue(THREE, FOUR, Grain.HOUR), ["2026-11-06T20:00:00Z"], True),
        (TimeSlotValue(THREE, FOUR, Grain.HOUR), ["2026-11-06T20:00:00Z/2026-11-06T21:00:00+00:00"], True),
        (TimeSlotValue(THREE, FOUR, Grain.HOUR), ["2026-11-06T20:00:00Z/2026-11-06T22:00:00Z"], False),
        (TimeSlotValue(THREE, None, Grain.HOUR), ["2026-11-06T20:00:00Z/2026-11-06T21:00:00Z"], False),
        (TimeSlotValue(THREE, None, Grain.HOUR), ["2026-11-06T15:00:00+00:00"], False),
        (TimeSlotValue(THREE, None, Grain.HOUR), ["2026-11-06T15:00:00"], False),
    ],
)
def test_times_compare_as_instants_and_ends_only_where_the_key_names_one(
    value: Value | None, keys: list[str], right: bool
) -> None:
    assert is_one_of(value, keys) is right


@given(strategies.parameter_values())
def test_a_value_is_what_its_own_key_names(got: ParameterValue) -> None:
    if got.value is not None:
        assert is_one_of(got.value, [key_of(got.value)])


def test_utc_and_local_spellings_of_one_slot_are_the_same_thing() -> None:
    here, there = TimeSlotValue(THREE, FOUR, Grain.HOUR), TimeSlotValue(THREE.astimezone(UTC), FOUR, Grain.HOUR)
    assert here == there
    assert is_one_of(here, [key_of(there)])
