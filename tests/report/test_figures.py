from __future__ import annotations

import warnings
from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from starebrain.evaluate.metrics import METRICS
from starebrain.report import figures
from starebrain.report.curves import risk_coverage
from starebrain.report.estimates import as_table, chosen, picture
from starebrain.report.shown import estimate, number
from tests.report.toys import HOSTILE

NBSP = "\N{NO-BREAK SPACE}"


def line(**fields: object) -> dict[str, object]:
    usual = {"metric": "high_accuracy", "resolver": "article", "source": "quick", "cut": "", "n": 40}
    return usual | {"numerator": 30.0, "denominator": 40.0, "value": 0.75, "low": 0.6, "high": 0.9} | fields


ESTIMATES = pd.DataFrame(
    [
        line(),
        line(resolver="ask_all", n=0, value=float("nan"), low=float("nan"), high=float("nan")),
        line(metric="medium_accuracy", value=0.5, low=0.25, high=0.875, n=8),
        line(metric="prompts_per_intent", value=1.5, low=1.2, high=1.8, n=60, denominator=40.0),
    ]
)


def size(png: bytes) -> tuple[int, int]:
    with Image.open(BytesIO(png)) as image:
        assert image.format == "PNG"
        assert image.info.keys() <= {"transparency"}
        assert image.convert("RGB").getpixel((0, 0)) == (255, 255, 255)
        return image.size


def test_a_picture_says_in_words_what_it_shows_and_repeats_to_the_byte() -> None:
    made = picture("How often.", ESTIMATES, ["high_accuracy", "medium_accuracy"])
    assert made.alt == (
        f"How often. article right among HIGH: 75%{NBSP}(60–90%), n{NBSP}40; ask all right among HIGH: no data; "
        f"article right among MEDIUM: 50%{NBSP}(25–87.5%), n{NBSP}8."
    )
    width, _ = size(made.png)
    assert width == made.width * figures.DENSITY
    assert picture("How often.", ESTIMATES, ["high_accuracy", "medium_accuracy"]).png == made.png


def test_a_picture_does_not_depend_on_the_settings_of_the_user() -> None:
    import matplotlib

    made = picture("How often.", ESTIMATES, ["high_accuracy"])
    with matplotlib.rc_context({"font.size": 30, "savefig.facecolor": "red", "axes.facecolor": "black"}):
        assert picture("How often.", ESTIMATES, ["high_accuracy"]).png == made.png


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_panels_are_drawn_whatever_their_number(count: int) -> None:
    frame = pd.concat([ESTIMATES.assign(kind=f"kind {at}") for at in range(count)])
    made = picture("By kind.", frame, ["high_accuracy"], panels="kind")
    assert size(made.png)[0] == made.width * figures.DENSITY
    assert f"kind {count - 1} article article: 75%" in made.alt


@pytest.mark.parametrize("name", [*HOSTILE[:-1], "$\\frac{1}{0}$", "日本語"])
def test_names_are_drawn_as_they_are(name: str) -> None:
    frame = ESTIMATES.assign(resolver=name)
    with warnings.catch_warnings(action="error"):
        made = figures.dots(frame, "Names.", "share", rows="resolver", colours="resolver", panels="resolver")
    assert len(made.alt) <= figures.LONGEST_ALT
    assert size(made.png)


def test_differences_are_drawn_around_a_line_in_the_middle() -> None:
    frame = ESTIMATES.assign(value=-0.05, low=-0.1, high=0.02)
    made = figures.dots(frame, "Differences.", "points", rows="resolver", colours="metric", middle=0.0)
    assert f"article high accuracy: −5%{NBSP}(−10{NBSP}to{NBSP}2%), n{NBSP}40" in made.alt


@pytest.mark.parametrize(
    ("value", "low", "high", "percent", "words"),
    [
        (0.9712, 0.94, 0.9891, True, "97.1% (94–98.9%), n 410"),
        (1.0, 0.9, 1.0, True, "100% (90–100%), n 410"),
        (0.0, 0.0, 0.0004, True, "0% (0–0%), n 410"),
        (-0.02, -0.05, 0.01, True, "−2% (−5 to 1%), n 410"),
        (1.7, 1.5, 1.86, False, "1.7 (1.5–1.86), n 410"),
        (0.5, None, None, True, "50%, n 410"),
        (0.5, float("nan"), float("nan"), True, "50%, n 410"),
        (None, None, None, True, "no data"),
        (float("nan"), 0.1, 0.2, False, "no data"),
    ],
)
def test_an_estimate_in_words(
    value: float | None, low: float | None, high: float | None, percent: bool, words: str
) -> None:
    assert estimate(value, low, high, 410, percent=percent).replace(NBSP, " ") == words


@given(st.floats(-1e6, 1e6), st.booleans())
def test_a_number_in_words_is_the_number(value: float, percent: bool) -> None:
    said = number(value, percent).replace("−", "-").removesuffix("%")
    assert said != "-0"
    assert float(said) == pytest.approx(value * (100 if percent else 1), abs=0.051 if percent else 0.0051)


def test_a_table_has_a_line_a_row_and_a_column_a_metric() -> None:
    made = as_table("All", ESTIMATES, ["high_accuracy", "prompts_per_intent"])
    assert made.columns == ("resolver", METRICS["high_accuracy"].title, METRICS["prompts_per_intent"].title)
    assert [tuple(cell.replace(NBSP, " ") for cell in row) for row in made.rows] == [
        ("article", "75% (60–90%), n 40", "1.5 (1.2–1.8), n 40"),
        ("ask_all", "no data", ""),
    ]


def test_things_an_intent_are_counted_over_intents() -> None:
    assert list(chosen(ESTIMATES, ["prompts_per_intent"])["n"]) == [40]
    assert list(chosen(ESTIMATES, ["medium_accuracy"])["n"]) == [8]


def results(scores: list[float], right: list[bool]) -> pd.DataFrame:
    return pd.DataFrame({"resolver": "article", "score": scores, "best_right": right})


def test_risk_and_coverage_by_hand() -> None:
    curve = risk_coverage(results([0.9, 0.9, 0.5, 0.1], [True, False, True, False]))
    assert list(curve["coverage"]) == [0, 0.5, 0.75, 1]
    assert list(curve["risk"]) == [0, 0.25, 0.25, 0.5]
    assert risk_coverage(results([], [])).empty


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.2, 0.5, 1.0]), st.booleans()), min_size=1, max_size=30))
def test_the_area_under_the_curve_is_the_metric_that_sums_it_up(answers: list[tuple[float, bool]]) -> None:
    scores, right = map(list, zip(*answers, strict=True))
    curve = risk_coverage(results(scores, right))
    area = np.trapezoid(curve["risk"], curve["coverage"])
    pairs = [(not r) * ((s > t) + 0.5 * (s == t)) for s, r in answers for t, _ in answers]
    assert area == pytest.approx(float(np.mean(pairs)))


def test_curves_are_drawn_with_where_they_end() -> None:
    points = risk_coverage(results([0.9, 0.9, 0.5, 0.1], [True, False, True, False]))
    made = figures.lines(points, "Risk.", x="coverage", y="risk", colours="resolver", across="coverage", up="risk")
    assert made.alt == "Risk. risk against coverage: article ends at 100%, 50%."
    assert size(made.png)[0] == made.width * figures.DENSITY


def test_single_points_have_intervals_and_are_named_at_the_edge_that_cuts_them_off() -> None:
    points = pd.DataFrame(
        {"rule": ["curve", "curve", "in", "out"], "x": [1.0, 2.5, 2.0, 0.0], "y": [0.04, 0.0, 0.01, 0.5]}
    )
    how = {"x": "x", "y": "y", "colours": "rule", "across": "seconds", "up": "errors", "percent": False}
    made = figures.lines(points, "Cost.", top=0.05, **how)  # type: ignore[arg-type]
    said = "curve ends at 2.5, 0%; in ends at 2, 1%; out ends at 0, 50%"
    assert made.alt == f"Cost. errors against seconds: {said}."
    known = points.assign(low=[None, None, 0.0, None], high=[None, None, 0.03, None])
    assert figures.lines(known, "Cost.", top=0.05, **how).png != made.png  # type: ignore[arg-type]
