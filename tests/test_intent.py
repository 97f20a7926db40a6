from __future__ import annotations

from typing import Any

import pytest

from starebrain.errors import InvalidInput
from starebrain.intent import ActionIntent, Parameter, ParameterKind


def test_the_kinds_are_those_of_the_format() -> None:
    assert [str(kind) for kind in ParameterKind] == ["contact", "location", "time_slot", "calendar", "app"]


@pytest.mark.parametrize(
    ("make", "place", "fact"),
    [
        (lambda: Parameter("", ParameterKind.APP), "name", "a parameter needs a non-empty name"),
        (lambda: ActionIntent("", "call"), "intent_id", "an intent needs a non-empty id"),
        (
            lambda: ActionIntent(
                "i", "call", None, tuple(Parameter(name, ParameterKind.CONTACT) for name in ("a", "b", "b", "a"))
            ),
            "required_parameters[3].name",
            "the parameter 'a' occurs twice",
        ),
    ],
)
def test_a_broken_rule_names_field_and_fact(make: Any, place: str, fact: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        make()
    assert (caught.value.place, caught.value.fact) == (place, fact)


def test_no_hint_and_an_empty_hint_are_different_things() -> None:
    assert Parameter("a", ParameterKind.APP).hint is None
    assert Parameter("a", ParameterKind.APP, "") != Parameter("a", ParameterKind.APP)


def test_an_action_may_be_any_text_and_need_nothing() -> None:
    assert ActionIntent("i", "").required_parameters == ()
