"""The panel: sliders move the numbers, the numbers move picture and table."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from pathlib import Path

import numpy as np
import pytest

from starebrain.matching.heuristics import default_heuristics, read_heuristics
from starebrain.tune import Tuner, collect
from starebrain.tune.cube import THRESHOLDS, cube, resamples
from starebrain.tune.picture import SEGMENTS, curve, picture, shares
from starebrain.tune.state import KNOBS, Counted, count, figures_of, turned
from starebrain.tune.tuner import NEVER, Gathered, answer
from tests.tune.phones import ASKED, CONTACT, FRIENDS, TIME_SLOT, Listed, labelled
from tests.tune.toys import toy

DEFAULT = default_heuristics()


@pytest.fixture
def tuner() -> Tuner:
    return Tuner(collect(Listed([labelled(FRIENDS, ASKED, name) for name in "abc"])), replicates=20)


def test_a_slider_moves_heuristics_picture_and_table(tuner: Tuner) -> None:
    before = tuner.shown.value
    tuner.sliders["high"].value = NEVER
    assert tuner.heuristics == turned(DEFAULT, CONTACT, KNOBS["high"], NEVER)
    assert tuner.shown.value != before
    assert figures_of(tuner.now, [CONTACT])["high_share"].numerator == 0
    tuner.sliders["exact"].value = 1.5
    assert tuner.heuristics.kinds[CONTACT].words["exact"].bits == 1.5
    assert tuner.now.heuristics == tuner.heuristics


def test_a_threshold_that_is_overtaken_moves_its_slider(tuner: Tuner) -> None:
    tuner.sliders["high"].value = 0.3
    assert tuner.sliders["medium"].value == 0.3


def test_a_slider_that_rounds_what_it_was_given_changes_nothing(tuner: Tuner) -> None:
    """The front end sets a slider to the nearest of its steps and sends that back."""
    tuner.heuristics = turned(DEFAULT, CONTACT, KNOBS["nickname"], 5.43219)
    tuner.kind.value = TIME_SLOT
    tuner.kind.value = CONTACT
    tuner.sliders["nickname"].value = 5.43
    assert tuner.heuristics.kinds[CONTACT].words["nickname"].bits == 5.43219
    tuner.sliders["nickname"].value = 5.4400000000000004
    assert tuner.heuristics.kinds[CONTACT].words["nickname"].bits == 5.44


def test_each_kind_has_its_own_numbers_and_reset_forgets_all(tuner: Tuner) -> None:
    start = tuner.shown.value
    tuner.sliders["none"].value = 0.5
    tuner.kind.value = TIME_SLOT
    assert tuner.sliders["none"].value == DEFAULT.kinds[TIME_SLOT].none
    assert tuner.sliders["none"].disabled
    tuner.sliders["medium"].value = 0.2
    tuner.kind.value = CONTACT
    assert tuner.sliders["none"].value == 0.5
    assert not tuner.sliders["none"].disabled
    tuner.reset.click()
    assert tuner.heuristics == DEFAULT
    assert tuner.sliders["none"].value == DEFAULT.kinds[CONTACT].none
    assert tuner.shown.value == start


def test_what_is_saved_reads_back_and_what_cannot_be_is_said(tuner: Tuner, tmp_path: Path) -> None:
    tuner.sliders["nickname"].value = 2.5
    tuner.file.value = str(tmp_path / "tuned.toml")
    tuner.save.click()
    assert read_heuristics(tmp_path / "tuned.toml") == tuner.heuristics
    assert "1 number differs" in tuner.said.value
    tuner.file.value = str(tmp_path / "<b>" / "tuned.toml")
    tuner.save.click()
    assert tuner.said.value.startswith("Not saved: ")
    assert "<b>" not in tuner.said.value
    tuner.sliders["nickname"].value = 3.0
    assert tuner.said.value == ""


def test_moves_are_gathered_while_a_loop_runs() -> None:
    calls = []

    async def moved() -> None:
        gathered = Gathered(lambda: calls.append(len(calls)), 0.01)
        for _ in range(50):
            gathered()
        assert calls == []
        await asyncio.sleep(0.05)
        gathered()
        await asyncio.sleep(0.05)

    asyncio.run(moved())
    assert calls == [0, 1]
    Gathered(lambda: calls.append(9), 10.0)()
    assert calls == [0, 1, 9]


def test_the_table_shows_value_interval_and_counts_beside_the_start(tuner: Tuner) -> None:
    tuner.sliders["high"].value = NEVER
    html = answer(tuner.start, tuner.now, CONTACT)
    row = next(part for part in html.split("<tr>") if ">HIGH<" in part)
    cells = [cell.rpartition(">")[2] for cell in row.replace("<b>", "").split("</")]
    share = figures_of(tuner.start, [CONTACT])["high_share"].value
    assert cells[:2] == ["HIGH", "0.0%"]
    assert f"{share:.1%}" in cells
    assert "<b>0.0%</b>" in row
    assert "0 of 27<" in row
    assert 'alt="contact; HIGH 0.0%; ' in html


def test_a_tuner_displays_its_panel_and_a_picture_where_there_are_no_widgets(tuner: Tuner) -> None:
    data, about = tuner._repr_mimebundle_()
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == tuner.panel.model_id
    assert b64decode(data["image/png"]) == picture(tuner.start, tuner.now, CONTACT)
    assert about["image/png"]["alt"].startswith("contact; HIGH ")


def counted(seed: int = 1, replicates: int = 100) -> Counted:
    columns, best = toy(3_000, 60, seed)
    drawn = resamples(columns, replicates, 1)
    return Counted(columns, drawn, DEFAULT, {CONTACT: cube(columns.kinds[CONTACT], best, drawn)})


def test_segments_hold_every_parameter_once() -> None:
    found = shares(counted(), CONTACT)
    assert list(found) == [name for name, *_ in SEGMENTS]
    assert sum(found.values()) == pytest.approx(1)
    assert found["HIGH, right"] > 0.3


def test_the_curve_is_that_of_the_thresholds() -> None:
    toys = counted()
    filled, rates, low, high = curve(toys, CONTACT)
    assert (np.diff(filled) >= 0).all()
    seen = ~np.isnan(rates)
    assert (low[seen] <= rates[seen] + 1e-12).all()
    assert (rates[seen] <= high[seen] + 1e-12).all()
    tiers = turned(turned(DEFAULT, CONTACT, KNOBS["medium"], 0.0), CONTACT, KNOBS["high"], float(THRESHOLDS[601]))
    figure = figures_of(Counted(toys.columns, toys.drawn, tiers, toys.cubes), [CONTACT])
    at = np.argmin(np.abs(filled - (figure["high_share"].value or 0)))
    assert rates[at] == pytest.approx(figure["silent_errors_per_high"].value)


def test_a_picture_repeats_and_shows_what_is_there_without_intervals_too() -> None:
    toys = counted()
    assert picture(toys, toys, CONTACT) == picture(toys, toys, CONTACT)
    none = counted(replicates=0)
    assert picture(none, none, CONTACT)[:4] == b"\x89PNG"


def test_nothing_answered_is_drawn_as_nothing() -> None:
    empty = collect(Listed([labelled(FRIENDS, [(CONTACT, "Qqq", "call", (), ())])]))
    nobody = count(empty, resamples(empty, 5, 1), DEFAULT)
    assert "none" in answer(nobody, nobody, CONTACT)
