from __future__ import annotations

import math
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starebrain.dataset import Split
from starebrain.device import DeviceContext
from starebrain.errors import InvalidInput
from starebrain.evaluate.run import COLUMNS, evaluate
from starebrain.evaluate.script import script_of
from starebrain.intent import Parameter, ParameterKind
from starebrain.resolution import (
    Alternative,
    Cap,
    ContactValue,
    ContextSource,
    ParameterValue,
    ResolutionConfidence,
    unresolvable,
)
from starebrain.resolve import RESOLVERS
from tests import strategies
from tests.evaluate.toys import Source, phone

NAN = float("nan")


@dataclass
class Scripted:
    """A resolver that gives prepared answers by hint, and counts the phones that it prepared."""

    answers: dict[str | None, ParameterValue]
    name: str = "scripted"
    prepared: int = 0

    def on(self, device: DeviceContext) -> Scripted:
        self.prepared += 1
        return self

    def resolve(self, parameter: Parameter, action: str) -> ParameterValue:
        return self.answers[parameter.hint]


def value(key: str) -> ContactValue:
    return ContactValue(key, key)


def others(*keys: str, p: float | None = None) -> tuple[Alternative, ...]:
    return tuple(Alternative(value(key), p, ContextSource.RECENT_CONTACTS) for key in keys)


def answer(
    tier: str, key: str | None, *rest: str, p: float | None = None, rest_p: float | None = None, caps: str = ""
) -> ParameterValue:
    return ParameterValue(
        ParameterKind.CONTACT,
        None if key is None else value(key),
        ResolutionConfidence(tier),
        ContextSource.RECENT_CONTACTS,
        p,
        others(*rest, p=rest_p),
        caps=tuple(Cap(rule, ResolutionConfidence.MEDIUM) for rule in caps.split()),
    )


@pytest.mark.parametrize(
    ("got", "intended", "expected"),
    [
        (answer("HIGH", "c1", p=0.99), ("c1",), ("HIGH", 0.99, "c1", True, True, True, "", 0.99)),
        (answer("HIGH", "c1", "c2", p=0.9), ("c2",), ("HIGH", 0.9, "c1", False, False, True, "", 0.9)),
        (answer("MEDIUM", "c1", "c2", "c3", "c4", p=0.5), ("c4",), ("MEDIUM", 0.5, "c1", False, False, False, "", 0.5)),
        (answer("LOW", "c1", p=0.2), ("c1", "c9"), ("LOW", 0.2, "c1", True, True, True, "", 0.2)),
        (answer("LOW", None, "c1", rest_p=0.1), ("c1",), ("LOW", 0.1, None, False, True, True, "", 0.1)),
        (
            unresolvable(ParameterKind.CONTACT, others("c1", "c2", "c3", "c4", p=0.01)),
            ("c3",),
            ("UNRESOLVABLE", 0.01, None, False, False, True, "", 0.01),
        ),
        (
            unresolvable(ParameterKind.CONTACT, others("c1", "c2", "c3", "c4", p=0.01)),
            ("c4",),
            ("UNRESOLVABLE", 0.01, None, False, False, False, "", 0.01),
        ),
        (unresolvable(ParameterKind.CONTACT), ("c1",), ("UNRESOLVABLE", NAN, None, False, False, False, "", 0.0)),
        (unresolvable(ParameterKind.CONTACT), (), ("UNRESOLVABLE", NAN, None, False, False, False, "", 0.0)),
        (answer("HIGH", "c1"), (), ("HIGH", NAN, "c1", False, False, False, "", 1.0)),
        (answer("MEDIUM", "c1"), ("c1",), ("MEDIUM", NAN, "c1", True, True, True, "", 2 / 3)),
        (answer("LOW", "c1"), ("c1",), ("LOW", NAN, "c1", True, True, True, "", 1 / 3)),
        (
            answer("MEDIUM", "c1", p=0.999, caps="stakes past past"),
            ("c1",),
            ("MEDIUM", 0.999, "c1", True, True, True, "stakes+past", 0.999),
        ),
    ],
)
def test_an_answer_is_judged_against_its_label(got: ParameterValue, intended: tuple[str, ...], expected: tuple) -> None:
    frame = evaluate(Source([phone("d", ("x", intended, intended))]), [Scripted({"x": got})])
    (row,) = frame[["tier", "probability", "answer", "right", "best_right", "top3", "held", "score"]].itertuples(
        index=False
    )
    assert len(row) == len(expected)
    for mine, its in zip(row, expected, strict=True):
        both = [None if x is None or (isinstance(x, float) and math.isnan(x)) else x for x in (mine, its)]
        assert both[0] == both[1]


def test_a_frame_has_a_row_a_resolver_and_parameter_with_what_was_asked() -> None:
    source = Source(
        [
            phone("a", ("Ana Ruiz", ("c0",), ("c0",)), ("bob", ("c1",), ("c1", "c2")), cluster="x", family="first"),
            phone("b", ("юлия", ("c3",), ("c3",)), (None, (), ()), split=Split.TRAIN),
        ]
    )
    frame = evaluate(source, [RESOLVERS["article"], RESOLVERS["ask_all"]])
    assert tuple(frame.columns) == COLUMNS
    assert list(frame["resolver"]) == ["article"] * 4 + ["ask_all"] * 4
    assert list(frame["tier"][:4]) == ["HIGH", "MEDIUM", "MEDIUM", "UNRESOLVABLE"]
    assert list(frame["script"][:4]) == ["latin", "latin", "cyrillic", "none"]
    assert list(frame["ambiguous"][:4]) == [False, True, False, False]
    assert list(frame["unanswerable"][:4]) == [False, False, False, True]
    assert list(frame["cluster"][:4]) == ["x", "x", "b", "b"]
    said = ["source", "split", "device_id", "intent_id", "parameter", "kind", "action", "family"]
    assert list(frame.loc[1, said]) == ["toy", "test", "a", "i1", "who", "contact", "call", "first"]
    assert list(evaluate(source, [RESOLVERS["article"]], "train")["device_id"]) == ["b", "b"]
    assert evaluate(source, [RESOLVERS["article"]], Split.CALIBRATION).empty


def test_a_snapshot_that_phones_share_is_prepared_once() -> None:
    one = phone("a", ("x", ("c1",), ("c1",)))
    resolver = Scripted({"x": answer("HIGH", "c1")})
    shared = [one, replace(one, device_id="b"), phone("c", ("x", ("c1",), ("c1",)))]
    assert len(evaluate(Source(shared), [resolver])) == 3
    assert resolver.prepared == 2


def test_an_unknown_split_and_no_resolver_are_said() -> None:
    with pytest.raises(InvalidInput, match=r"there is no split 'dev'\. Choose one of train, calibration, test"):
        evaluate(Source([]), [RESOLVERS["article"]], "dev")
    with pytest.raises(InvalidInput, match="no resolver"):
        evaluate(Source([]), [])


def test_a_source_without_phones_gives_a_frame_without_rows() -> None:
    frame = evaluate(Source([]), [RESOLVERS["article"]])
    assert tuple(frame.columns) == COLUMNS
    assert frame.empty


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Ana Ruiz", "latin"),
        ("Ａｎａ", "latin"),
        ("Юлия", "cyrillic"),
        ("مريم", "arabic"),
        ("田中", "cjk"),
        ("田中 はな", "japanese"),
        ("ハナ", "japanese"),
        ("김 金", "korean"),
        ("Ana 田中", "mixed"),
        ("αβγ", "greek"),
        ("3 4/5 🎂", "none"),
        ("", "none"),
    ],
)
def test_the_script_of_a_text(text: str, script: str) -> None:
    assert script_of(text) == script


@settings(max_examples=40)
@given(strategies.texts, st.booleans())
def test_any_hint_on_any_phone_can_be_evaluated(hint: str, answerable: bool) -> None:
    intended = ("c0",) if answerable else ()
    source = Source([phone("d", (hint, intended, intended))])
    frame = evaluate(source, [RESOLVERS[name] for name in ("article", "wratio", "ask_all", "fill_all")])
    assert len(frame) == 4
    assert (frame["right"] <= frame["best_right"]).all()
    assert (frame["best_right"] <= frame["top3"]).all()
    assert frame["score"].between(0, 1).all()
    assert frame["answer"].isna().equals(frame["tier"].eq("UNRESOLVABLE"))
