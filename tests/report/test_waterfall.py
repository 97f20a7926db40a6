"""The picture of how evidence adds up to an answer."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from starebrain.errors import printable
from starebrain.matching.heuristics import Calibration
from starebrain.report.figures import WIDTH, waterfall
from starebrain.resolution import ContactValue, Evidence, unresolvable
from tests.strategies import HOSTILE
from tests.test_waterfall import CONTACT, answer, numbers

PLAIN = numbers(Calibration())
GAIN, LOSS = (0, 114, 178), (213, 94, 0)


def share(png: bytes, colour: tuple[int, int, int]) -> float:
    """Which share of a picture has a colour, nearly."""
    pixels = np.asarray(Image.open(BytesIO(png)).convert("RGB")).astype(int)
    return float((np.abs(pixels - colour).max(axis=2) < 16).mean())


def test_every_step_is_drawn_and_said() -> None:
    picture = waterfall(answer(0.8, word_exact=4.0, name_first=-2.0), "“Ann”", heuristics=PLAIN, candidates=2)
    assert picture.alt == (
        "“Ann” MEDIUM: Ann, P = 0.800, held by stakes. "
        "In bits: prior +0.58; word exact +4.00; name first -2.00; others -0.58."
    )
    assert picture.width == round(WIDTH * 80)
    gain, loss = share(picture.png, GAIN), share(picture.png, LOSS)
    assert gain / loss == pytest.approx(4.58 / 2.58, rel=0.1)


def test_the_same_answer_gives_the_same_bytes() -> None:
    assert waterfall(answer(0.8, a=1.0)).png == waterfall(answer(0.8, a=1.0)).png


def test_calibration_is_a_step_and_a_sure_answer_is_not_said_to_be_certain() -> None:
    assert "calibration -2.00" in waterfall(answer(0.8, a=1.0), heuristics=numbers(Calibration(0.5, 0.0))).alt
    assert "P > 0.999" in waterfall(answer(0.99999, a=1.0), heuristics=PLAIN).alt


def test_what_has_no_probability_is_a_sentence() -> None:
    for got in (replace(answer(0.8), probability=None), unresolvable(CONTACT)):
        picture = waterfall(got)
        assert "In bits" not in picture.alt
        assert share(picture.png, GAIN) == 0


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_shows_as_text(text: str) -> None:
    got = replace(answer(0.8), value=ContactValue(text, text), evidence=(Evidence(text, 3.0, text),))
    picture = waterfall(got, text, heuristics=PLAIN)
    assert printable(picture.alt) == picture.alt
    assert Image.open(BytesIO(picture.png)).width < 3_000
