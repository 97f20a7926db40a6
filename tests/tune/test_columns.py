"""Columns give what the evidence resolver gives, whatever the numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starebrain.dataset import LabelledPhone, Split
from starebrain.device import DeviceContext
from starebrain.errors import InvalidInput
from starebrain.intent import Parameter, ParameterKind
from starebrain.matching.heuristics import (
    Calibration,
    Frequencies,
    Heuristics,
    KindHeuristics,
    Weight,
    default_heuristics,
)
from starebrain.matching.levels import COVERAGES, WORD_LEVELS
from starebrain.resolution import Value, key_of
from starebrain.resolve.context_resolver import EvidenceResolver
from starebrain.tune import Columns, collect, collect_phones, rescore
from tests import strategies
from tests.tune.phones import APP, ASKED, CONTACT, FRIENDS, LOCATION, TIME_SLOT, Asked, Listed, labelled, person, phone

DEFAULT = default_heuristics()
COMMON = Frequencies(1_000, {"ann": 40, "lee": 25, "smith": 12, "john": 30})
COUNTED = replace(
    DEFAULT,
    frequencies={CONTACT: COMMON},
    kinds=DEFAULT.kinds
    | {
        CONTACT: replace(
            DEFAULT.kinds[CONTACT],
            words=DEFAULT.kinds[CONTACT].words | {"exact": Weight(9.5, (80, 100), (10, 1_000))},
        )
    },
)
"""Heuristics that know how common words are."""


def answers(
    phones: list[LabelledPhone], heuristics: Heuristics
) -> Iterator[tuple[ParameterKind, float, Value | None, bool]]:
    """The oracle: kind, probability and value of the best candidate, and whether a cap holds, hint by hint."""
    resolver = EvidenceResolver(heuristics)
    for one in phones:
        on = resolver.on(one.device)
        for asked in one.intents:
            for parameter in asked.intent.required_parameters:
                got = on.resolve(parameter, asked.intent.action)
                best, p = got.value, got.probability
                if best is None and got.alternatives:
                    best, p = got.alternatives[0].value, got.alternatives[0].probability
                yield parameter.kind, 0.0 if best is None else p or 0.0, best, bool(got.caps)


def check(phones: list[LabelledPhone], columns: Columns, heuristics: Heuristics) -> int:
    """Compare every hint with the oracle; how many have a best candidate."""
    best = {kind: rescore(of, heuristics) for kind, of in columns.kinds.items()}
    labels = {
        kind: [
            label
            for one in phones
            for asked in one.intents
            for parameter, label in zip(asked.intent.required_parameters, asked.labels, strict=True)
            if parameter.kind is kind
        ]
        for kind in best
    }
    at = dict.fromkeys(best, 0)
    for kind, probability, value, _ in answers(phones, heuristics):
        i = at[kind]
        at[kind] += 1
        if value is None and best[kind].probability[i] < heuristics.kinds[kind].tiers.low:
            continue  # where nothing was said and the default is unlikely, the resolver does not say how unlikely
        assert best[kind].probability[i] == pytest.approx(probability, rel=1e-9, abs=1e-12), (kind, i)
        row = best[kind].row[i]
        assert (row < 0) == (value is None)
        if value is not None and kind is not TIME_SLOT:
            assert columns.kinds[kind].rows.intended[row] == (key_of(value) in labels[kind][i].intended)
            assert columns.kinds[kind].rows.compatible[row] == (key_of(value) in labels[kind][i].compatible)
    return sum(int((found.row >= 0).sum()) for found in best.values())


def test_every_hint_of_a_phone_is_there_with_what_was_meant() -> None:
    source = Listed([labelled(FRIENDS, ASKED)])
    columns = collect(source)
    assert {kind: len(of.hints.words) for kind, of in columns.kinds.items()} == {
        kind: sum(asked[0] is kind for asked in ASKED) for kind in ParameterKind
    }
    assert columns.clusters == ("d",)
    assert len(columns.intents) == len(ASKED)
    contacts = columns.kinds[CONTACT]
    assert contacts.hints.unanswerable.tolist() == [False] * 6 + [True, False, False]
    assert contacts.hints.ambiguous.tolist() == [False] * 3 + [True] + [False] * 5
    best = rescore(contacts, DEFAULT)
    assert contacts.rows.intended[best.row].tolist()[:6] == [True] * 6
    assert contacts.rows.capped[best.row].tolist()[:6] == [False, True, False, False, False, True]
    assert check(list(source.listed), columns, DEFAULT) >= 13


def test_a_split_is_collected_alone() -> None:
    source = Listed([labelled(FRIENDS, ASKED, "a"), labelled(FRIENDS, ASKED[:3], "b", Split.TEST)])
    assert len(collect(source, split=Split.TEST).intents) == 3
    assert collect(source).clusters == ("a", "b")


def test_nothing_asked_gives_no_columns() -> None:
    assert collect_phones([labelled(FRIENDS, ())]).kinds == {}
    columns = collect_phones([labelled(phone(), [(CONTACT, "Ann", "call", (), ())])])
    best = rescore(columns.kinds[CONTACT], DEFAULT)
    assert (best.probability.tolist(), best.row.tolist()) == ([0.0], [-1])


@pytest.mark.parametrize("time", ["tomorrow at 3pm", "the party", "after the dentist"])
def test_a_time_follows_its_calibration_and_refuses_other_weights(time: str) -> None:
    phones = [labelled(FRIENDS, [(TIME_SLOT, time, "create_event", (), ())])]
    columns = collect_phones(phones)
    of = DEFAULT.kinds[TIME_SLOT]
    steep = replace(DEFAULT, kinds=DEFAULT.kinds | {TIME_SLOT: replace(of, calibration=Calibration(0.5, -0.7))})
    assert check(phones, columns, steep) == 1
    other = replace(DEFAULT, kinds=DEFAULT.kinds | {TIME_SLOT: replace(of, none=0.3)})
    with pytest.raises(InvalidInput, match=r"kinds\.time_slot"):
        rescore(columns.kinds[TIME_SLOT], other)


@pytest.mark.parametrize("place", ["likeness", "caps", "frequencies"])
def test_what_decides_which_rows_there_are_cannot_be_changed(place: str) -> None:
    columns = collect_phones([labelled(FRIENDS, ASKED)], COUNTED).kinds[CONTACT]
    changed = {
        "likeness": replace(COUNTED.likeness, bands=(16.0, 13.0, 12.0, 11.0, 9.0)),
        "caps": replace(COUNTED.caps, new_contact_hours=1.0),
        "frequencies": {CONTACT: replace(COMMON, total=2_000)},
    }
    with pytest.raises(InvalidInput, match=place):
        rescore(columns, replace(COUNTED, **{place: changed[place]}))


def test_a_hint_of_two_readings_takes_the_better_one_for_each_place() -> None:
    asked: list[Asked] = [
        (LOCATION, hint, "go", ("sf",), ("sf",)) for hint in ("frisco", "sf", "SFO gym", "Philly", "nyc")
    ]
    phones = [labelled(FRIENDS, asked)]
    columns = collect_phones(phones)
    assert columns.kinds[LOCATION].rows.other.any()
    check(phones, columns, DEFAULT)


bits = st.floats(-12, 14).map(lambda b: round(b, 2))


@st.composite
def tuned(draw: st.DrawFn, base: Heuristics) -> Heuristics:
    """Other weights, priors, rarity and calibration for every kind but times."""
    kinds = dict(base.kinds)
    for kind, of in base.kinds.items():
        if kind is not TIME_SLOT and draw(st.booleans()):
            kinds[kind] = draw(tuned_kind(of))
    return replace(base, kinds=kinds)


@st.composite
def tuned_kind(draw: st.DrawFn, of: KindHeuristics) -> KindHeuristics:
    words = dict(of.words)
    for name in draw(st.sets(st.sampled_from(WORD_LEVELS), max_size=5)):
        words[name] = replace(words[name], bits=draw(bits))
    coverage = dict(of.coverage)
    for name in draw(st.sets(st.sampled_from(COVERAGES), max_size=2)):
        coverage[name] = replace(coverage[name], bits=draw(bits))
    context = {name: replace(weight, bits=draw(bits)) for name, weight in of.context.items()}
    return replace(
        of,
        words=words,
        coverage=coverage,
        context=context if draw(st.booleans()) else of.context,
        none=draw(st.sampled_from((of.none, 0.01, 0.5, 0.9))),
        reordered=Weight(draw(bits)),
        rarity=draw(st.sampled_from((0.0, 0.5, 1.0))),
        calibration=draw(st.sampled_from((Calibration(), Calibration(0.6, -0.4), Calibration(1.7, 0.3)))),
    )


NAMES = st.sampled_from(
    ("Ann Lee", "Ann", "Lee", "Joanne Lee", "John Smith", "Jon Smith", "Mom", "Дима", "Bob", "Robert Lee", "", "Zoë B")
)
MAILS = st.sampled_from(("a@x.example", "b@x.example", "c@acme.example"))
HINTS = st.sampled_from(
    (
        "Ann",
        "Lee",
        "ann lee",
        "Lee Ann",
        "Jon",
        "Smith",
        "john smth",
        "mom",
        "dima",
        "Zoe",
        "Bo",
        "x",
        "him",
        "b@x.example",
        "johnsmith",
        "annlee",
        "jonsmth",
        "bo by",
        "an n",
    )
)


@st.composite
def books(draw: st.DrawFn) -> DeviceContext:
    """Phones full of namesakes, near-names and several records of one person."""
    people = draw(st.lists(st.tuples(NAMES, st.sets(MAILS, max_size=2), st.booleans()), max_size=14))
    return phone(
        *(
            person(f"c{at}", name, emails=tuple(sorted(mails)), starred=star)
            for at, (name, mails, star) in enumerate(people)
        )
    )


@settings(max_examples=120)
@given(
    st.lists(st.tuples(books(), st.lists(HINTS, max_size=5)), max_size=2),
    st.data(),
    st.sampled_from((DEFAULT, COUNTED)),
)
def test_new_numbers_give_what_a_resolver_with_them_gives(
    asked: list[tuple[DeviceContext, list[str]]], data: st.DataObject, base: Heuristics
) -> None:
    phones = [
        labelled(device, [(CONTACT, hint, "call", ("c0", "c1"), ("c0",)) for hint in hints], str(at))
        for at, (device, hints) in enumerate(asked)
    ]
    check(phones, collect_phones(phones, base), data.draw(tuned(base)))


ANY_HINTS = (
    st.none()
    | strategies.texts
    | HINTS
    | st.sampled_from(("frisco", "Philly", "Bob's place", "my dentist", "gym", "my calendar", "not mom"))
)


@settings(max_examples=60)
@given(strategies.devices(4), st.lists(st.tuples(strategies.kinds, ANY_HINTS), max_size=6), st.data())
def test_any_phone_and_any_hint_agree(
    device: DeviceContext, asked: list[tuple[ParameterKind, str | None]], data: st.DataObject
) -> None:
    phones = [
        labelled(
            device,
            [
                (kind, hint, "call", *(((), ()) if kind is TIME_SLOT else (("c-1",), ("c-1", "e-1"))))
                for kind, hint in asked
            ],
        )
    ]
    check(phones, collect_phones(phones), data.draw(tuned(DEFAULT)))


def test_many_equal_names_merge_as_the_resolver_merges_them() -> None:
    people = [person(f"c{at:02}", "Maria Silva", emails=(f"{at % 5}@x.example",)) for at in range(40)]
    people += [person("m", "Maria", emails=("0@x.example", "1@x.example"))]
    asked: list[Asked] = [(CONTACT, hint, "call", ("c00",), ("c00",)) for hint in ("Maria", "Maria Silva", "Silva")]
    phones = [labelled(phone(*people), asked)]
    columns = collect_phones(phones)
    assert columns.kinds[CONTACT].hosts.size > 100
    assert check(phones, columns, DEFAULT) == 3


def test_millions_of_rows_share_a_short_table() -> None:
    people = [
        person(f"c{at}", f"{first} {last}")
        for at, (first, last) in enumerate((f, s) for f in ("ann", "bob", "cid") for s in ("lee", "fox", "ray"))
    ]
    columns = collect_phones(
        labelled(phone(*people), [(CONTACT, name, "call", (), ()) for name in ("ann", "lee", "bob fox")], str(at))
        for at in range(50)
    ).kinds[CONTACT]
    assert len(columns.rows.hint) == 50 * (3 + 3 + 5)
    assert len(columns.tables.patterns) < 10
    assert np.unique(columns.rows.pattern).size == len(columns.tables.patterns)


def test_an_app_that_is_named_by_its_package_is_known() -> None:
    phones = [labelled(FRIENDS, [(APP, "com.whatsapp", "open", ("com.whatsapp",), ())])]
    assert check(phones, collect_phones(phones), DEFAULT) == 1


def test_the_oracle_names_a_parameter() -> None:
    assert [p for _, p, _, _ in answers([labelled(FRIENDS, [(CONTACT, "Mom", "call", (), ())])], DEFAULT)] == [
        EvidenceResolver(DEFAULT).on(FRIENDS).resolve(Parameter("it", CONTACT, "Mom"), "call").probability
    ]
