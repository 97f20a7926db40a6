"""Knobs, counts and layers, without a widget."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from starebrain.cli import main
from starebrain.dataset import open_dataset
from starebrain.errors import InvalidInput
from starebrain.evaluate.metric import Rows
from starebrain.evaluate.metrics import METRICS
from starebrain.evaluate.run import evaluate
from starebrain.formats import write_device
from starebrain.intent import ParameterKind
from starebrain.matching.heuristics import Frequencies, Heuristics, Tiers, default_heuristics, read_heuristics
from starebrain.resolve.context_resolver import EvidenceResolver
from starebrain.tune import collect, collect_phones, rescore
from starebrain.tune.cube import cube, resamples
from starebrain.tune.state import (
    KNOBS,
    THRESHOLD_KNOBS,
    WEIGHT_KNOBS,
    count,
    figures_of,
    layer,
    reading,
    recount,
    save_layer,
    tiers_of,
    turned,
)
from tests.tune.phones import APP, ASKED, CONTACT, FRIENDS, LOCATION, TIME_SLOT, Listed, labelled

DEFAULT = default_heuristics()
SOURCE = Listed([labelled(FRIENDS, ASKED, name) for name in "abc"])


@st.composite
def turns(draw: st.DrawFn) -> list[tuple[ParameterKind, str, float]]:
    knobs = draw(st.lists(st.tuples(st.sampled_from(ParameterKind), st.sampled_from(sorted(KNOBS))), max_size=6))
    return [(kind, name, draw(st.floats(KNOBS[name].lowest, KNOBS[name].highest))) for kind, name in knobs]


def after(moves: list[tuple[ParameterKind, str, float]]) -> Heuristics:
    heuristics = DEFAULT
    for kind, name, value in moves:
        heuristics = turned(heuristics, kind, KNOBS[name], value)
    return heuristics


@given(turns())
def test_a_knob_stands_where_it_was_turned_and_thresholds_never_cross(
    moves: list[tuple[ParameterKind, str, float]],
) -> None:
    heuristics = after(moves)
    if moves:
        kind, name, value = moves[-1]
        assert reading(heuristics.kinds[kind], KNOBS[name]) == value
    for of in heuristics.kinds.values():
        assert of.tiers.low <= of.tiers.medium <= of.tiers.high


@pytest.mark.parametrize(
    ("name", "value", "tiers"),
    [
        ("high", 0.9, Tiers(0.9, 0.5, 0.15)),
        ("high", 0.4, Tiers(0.4, 0.4, 0.15)),
        ("high", 0.1, Tiers(0.1, 0.1, 0.1)),
        ("medium", 0.99, Tiers(0.99, 0.99, 0.15)),
        ("medium", 0.05, Tiers(0.97, 0.05, 0.05)),
    ],
)
def test_a_threshold_takes_along_those_it_would_overtake(name: str, value: float, tiers: Tiers) -> None:
    plain = replace(DEFAULT.kinds[CONTACT], tiers=Tiers(0.97, 0.5, 0.15))
    start = replace(DEFAULT, kinds={**DEFAULT.kinds, CONTACT: plain})
    assert turned(start, CONTACT, KNOBS[name], value).kinds[CONTACT].tiers == tiers


def test_only_what_was_turned_differs() -> None:
    turned_once = turned(DEFAULT, CONTACT, KNOBS["nickname"], 3.3)
    same = replace(turned_once.kinds[CONTACT], words=DEFAULT.kinds[CONTACT].words)
    assert replace(turned_once, kinds={**turned_once.kinds, CONTACT: same}) == DEFAULT


@settings(max_examples=6)
@given(turns())
def test_a_layer_read_over_the_default_gives_what_was_tuned(moves: list[tuple[ParameterKind, str, float]]) -> None:
    heuristics = after(moves)
    text = layer(heuristics)
    assert text.count("\n") <= 4 * len(moves)
    assert (text == "") == (heuristics == DEFAULT)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("starebrain.matching.heuristics.read_text", lambda path: text)
        assert read_heuristics("tuned.toml") == heuristics


def test_a_layer_has_a_line_a_number() -> None:
    heuristics = turned(turned(DEFAULT, CONTACT, KNOBS["exact"], 3.25), APP, KNOBS["high"], 0.9995)
    assert layer(heuristics) == "kinds.contact.words.exact.bits = 3.25\nkinds.app.tiers.high = 0.9995\n"
    assert layer(heuristics, heuristics) == ""


def test_words_in_any_letters_are_quoted() -> None:
    common = replace(
        DEFAULT,
        frequencies={CONTACT: Frequencies(9, {"o'neil": 3, "ann": 4, 'a"b': 5, "x y": 6, "😀": 7}, "made up 😀")},
    )
    plain = replace(DEFAULT, frequencies={})
    known = tomllib.loads(layer(common, plain))["frequencies"]["contact"]
    assert known == {"total": 9, "source": "made up 😀", "words": {"o'neil": 3, "ann": 4, 'a"b': 5, "x y": 6, "😀": 7}}
    with pytest.raises(InvalidInput, match="a layer cannot take a number away"):
        layer(plain, common)


class TestSaving:
    def test_the_command_line_takes_the_file(self, tmp_path: Path) -> None:
        device, path = tmp_path / "device.json", tmp_path / "tuned.toml"
        write_device(FRIENDS, device)
        arguments = ["resolve", "Mom", "--kind", "contact", "--device", str(device)]
        assert "  HIGH  " in CliRunner().invoke(main, arguments).stdout
        assert save_layer(path, turned(DEFAULT, CONTACT, KNOBS["high"], 1.000001)) == 1
        assert "  MEDIUM  " in CliRunner().invoke(main, [*arguments, "--heuristics", str(path)]).stdout
        assert [child.name for child in tmp_path.iterdir() if child.suffix != ".json"] == ["tuned.toml"]

    def test_a_layer_is_replaced_and_anything_else_is_not(self, tmp_path: Path) -> None:
        path, other = tmp_path / "tuned.toml", tmp_path / "pyproject.toml"
        save_layer(path, turned(DEFAULT, CONTACT, KNOBS["high"], 0.9))
        save_layer(path, turned(DEFAULT, CONTACT, KNOBS["high"], 0.8))
        assert read_heuristics(path).kinds[CONTACT].tiers.high == 0.8
        for text in ("[project]\nname = 'x'\n", "not TOML"):
            other.write_text(text)
            with pytest.raises(InvalidInput, match="holds no heuristics"):
                save_layer(other, DEFAULT)
            assert other.read_text() == text

    def test_a_folder_that_is_not_there_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(InvalidInput, match="nowhere"):
            save_layer(tmp_path / "nowhere" / "tuned.toml", DEFAULT)


def test_figures_of_kinds_add_up() -> None:
    columns = collect(SOURCE)
    counted = count(columns, resamples(columns, 20, 1), DEFAULT)
    whole = figures_of(counted, list(columns.kinds))["prompts_per_intent"]
    parts = [figures_of(counted, [kind])["prompts_per_intent"] for kind in columns.kinds]
    assert whole.denominator == len(ASKED) * 3
    assert whole.numerator == sum(part.numerator for part in parts)
    assert tiers_of(counted, list(columns.kinds))[0].sum() == len(ASKED) * 3


QUICK = Path(__file__).resolve().parents[2] / "datasets" / "quick"


@pytest.mark.parametrize("moves", [(), ((CONTACT, "exact", 5.0), (CONTACT, "high", 0.9), (LOCATION, "whole", 2.0))])
def test_on_the_committed_phones_figures_are_those_of_an_evaluation(
    moves: tuple[tuple[ParameterKind, str, float], ...],
) -> None:
    english = [phone for phone in open_dataset(QUICK).phones() if phone.device.locale.startswith("en")][:20]
    heuristics = after(list(moves))
    rows = Rows.of(evaluate(Listed(english), [EvidenceResolver(heuristics)]))
    columns = collect_phones(english)
    counted = recount(count(columns, resamples(columns, 3, 1), DEFAULT), heuristics)
    for name, figure in figures_of(counted, list(columns.kinds)).items():
        assert (figure.numerator, figure.denominator) == tuple(int(x.sum()) for x in METRICS[name].count(rows)), name


@settings(max_examples=40)
@given(turns())
def test_counting_again_gives_what_counting_afresh_gives(moves: list[tuple[ParameterKind, str, float]]) -> None:
    columns = collect(SOURCE)
    drawn = resamples(columns, 3, 1)
    heuristics = after([move for move in moves if move[0] is not TIME_SLOT or move[1] in ("high", "medium")])
    again = recount(count(columns, drawn, DEFAULT), heuristics)
    for kind, of in columns.kinds.items():
        assert np.array_equal(again.cubes[kind], cube(of, rescore(of, heuristics), drawn))


def test_thresholds_alone_count_nothing_again() -> None:
    columns = collect(SOURCE)
    before = count(columns, resamples(columns, 3, 1), DEFAULT)
    moved = recount(before, turned(DEFAULT, CONTACT, KNOBS["high"], 0.6))
    assert all(moved.cubes[kind] is before.cubes[kind] for kind in before.cubes)
    weighed = recount(before, turned(DEFAULT, CONTACT, KNOBS["exact"], 2.0))
    assert [kind for kind in before.cubes if weighed.cubes[kind] is not before.cubes[kind]] == [CONTACT]


def test_the_knobs_are_numbers_of_every_kind() -> None:
    assert len(KNOBS) == len(THRESHOLD_KNOBS) + len(WEIGHT_KNOBS)
    for of in DEFAULT.kinds.values():
        for knob in KNOBS.values():
            assert knob.lowest <= reading(of, knob) <= knob.highest
