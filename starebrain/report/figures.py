"""Pictures of estimates: every figure with its interval and n, in colours that colour-blind readers can tell apart.

They take frames of estimates (columns ``value``, ``low``, ``high``, ``n`` and those that the caller names), draw what
is there, say what is not, and give the same bytes for the same frame.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import Any

import matplotlib.style
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator
from PIL import Image

from starebrain.errors import printable
from starebrain.explain import Step, chance, clip, describe, steps
from starebrain.matching.heuristics import Heuristics, Tiers, default_heuristics
from starebrain.report.shown import Picture, estimate, number
from starebrain.resolution import ParameterValue

Looks = Mapping[Hashable, tuple[str, str]]

WIDTH = 10.8
"""Width of every picture, in inches at 80 CSS pixels."""
DENSITY = 2
"""Pixels of the picture per CSS pixel, so that it is sharp on dense screens."""

GAP = 0.6
"""Room between rows of dots, in lines."""

COLOURS = 128
"""Colours kept in a picture: enough for its smooth edges, at a third of the bytes."""

LOOKS = (
    ("#0072B2", "o"),
    ("#D55E00", "s"),
    ("#009E73", "^"),
    ("#8C6BB1", "D"),
    ("#7A7A7A", "v"),
    ("#E69F00", "P"),
    ("#56B4E9", "X"),
    ("#332288", "<"),
)
"""Colour (after Okabe and Ito, who chose them so that all readers can tell them apart) and marker, in order of use."""

STYLE = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#8a929b",
    "axes.grid": True,
    "axes.grid.axis": "x",
    "axes.labelcolor": "#3c444d",
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "figure.constrained_layout.use": True,
    "figure.dpi": 80,
    "font.family": ["DejaVu Sans"],
    "font.size": 9.5,
    "grid.color": "#e1e5e9",
    "legend.frameon": False,
    "text.color": "#1c2127",
    "text.parse_math": False,
    "xtick.color": "#3c444d",
    "ytick.color": "#3c444d",
    "ytick.major.pad": 9,
    "ytick.major.size": 0,
}

LONGEST_ALT = 1_500
"""Longest alternative text, in characters; the table beside a picture has every figure."""


def dots(
    estimates: pd.DataFrame,
    title: str,
    axis: str,
    *,
    rows: str,
    colours: str,
    panels: str | None = None,
    percent: bool = True,
    middle: float | None = None,
) -> Picture:
    """Estimates as dots with their intervals, one line of text each: value and n.

    `rows`, `colours` and `panels` name columns; their values are drawn in the order in which they first occur. With
    `percent` the axis runs from 0 to 100%; `middle` draws a line to compare with (0 for differences). Estimates without
    data are written as "no data".
    """
    looks = _looks(estimates, colours)
    keys: list[Hashable] = [None] if panels is None else _keys(estimates, panels)
    parts = [estimates if panels is None else _where(estimates, panels, key) for key in keys]
    columns = 1 if len(parts) < 3 else 2
    bands = [parts[at : at + columns] for at in range(0, len(parts), columns)]
    heights = [max(len(part) + GAP * part[rows].nunique() + 1 for part in band) for band in bands]
    with _style():
        figure = Figure(figsize=(WIDTH, 0.22 * sum(heights) + 0.35 * len(bands) + 0.7))
        grid = figure.subplots(len(bands), columns, squeeze=False, height_ratios=heights).flat
        for at, (ax, key, part) in enumerate(itertools.zip_longest(grid, keys, parts)):
            if part is None:
                ax.set_axis_off()
                continue
            if key is not None:
                ax.set_title(_label(key))
            _dots(ax, part, rows, colours, looks, percent)
            ax.set_ylim(1 - heights[at // columns], 0.8)
            if middle is not None:
                ax.axvline(middle, color="#3c444d", linewidth=1)
            _scale(ax, percent, whole=percent and middle is None)
        figure.supxlabel(axis, fontsize=9.5, color="#3c444d")
        if colours != rows:
            _legend(figure, looks)
        return _picture(figure, f"{title} {_words(estimates, [c for c in (panels, rows, colours) if c], percent)}")


def lines(
    points: pd.DataFrame,
    title: str,
    *,
    x: str,
    y: str,
    colours: str,
    across: str,
    up: str,
    steps: bool = False,
    percent: bool = True,
    top: float | None = None,
    marks: pd.DataFrame | None = None,
    heading: str = "",
) -> Picture:
    """Curves, one a colour, over columns `x` and `y` (shares of 1); a curve of a single point is drawn as a marker.

    `marks` are points in the same columns that are ringed, in the colours of the curves; `heading` stands
    above. Rings grow from curve to curve, so that those in one place all show.

    `x` is a number instead of a share where `percent` is False. A single point has its interval where the columns
    ``low`` and ``high`` (of `y`) know it. What lies above `top` is cut off, a single point there is named at the edge.
    """
    looks = _looks(points, colours)
    with _style():
        figure = Figure(figsize=(WIDTH, 4.2))
        ax = figure.subplots()
        for place, (key, (colour, marker)) in enumerate(looks.items()):
            curve = _where(points, colours, key)
            single = marker if len(curve) <= 3 else ""
            draw = ax.step if steps else ax.plot
            draw(curve[x], curve[y], color=colour, marker=single, linewidth=1.8, markersize=6, label=_label(key))
            if len(curve) == 1:
                _single(ax, curve.iloc[0].to_dict(), x, y, colour, marker, top)
            rings = _where(marks, colours, key) if marks is not None else curve[:0]
            size = 11 + 5 * place
            ax.plot(
                rings[x], rings[y], "o", markersize=size, fillstyle="none", markeredgewidth=2, color=colour, zorder=3
            )
        ax.grid(True, axis="both")
        if heading:
            ax.set_title(_label(heading))
        if percent:
            ax.set_xlim(0, 1.01)
            ax.xaxis.set_major_formatter(FuncFormatter(_percent))
        else:
            ax.set_xlim(left=0)
        ax.set_ylim(0, top)
        ax.set_xlabel(across)
        ax.set_ylabel(up)
        ax.yaxis.set_major_formatter(FuncFormatter(_percent))
        _legend(figure, looks)
        ends = "; ".join(
            f"{_label(key)} ends at {number(last[x], percent)}, {_percent(last[y])}"
            for key in looks
            for last in [_where(points, colours, key).iloc[-1]]
        )
        for ring in marks.to_dict("records") if marks is not None else ():
            ends += f"; the ring of {_label(ring[colours])} at {number(ring[x], percent)}, {_percent(ring[y])}"
        return _picture(figure, f"{title} {up} against {across}: {ends}.")


def _single(ax: Axes, point: dict[Hashable, Any], x: str, y: str, colour: str, marker: str, top: float | None) -> None:
    """The interval of a single point, and where it lies above `top`, its value at the edge."""
    if top is not None and point[y] > top:
        ax.plot(point[x], top, marker=marker, color=colour, markersize=6, clip_on=False)
        said = f" above: {_percent(point[y])}"
        ax.annotate(said, (point[x], top), (6, -3), textcoords="offset points", va="top", fontsize=8.5, color=colour)
    elif not pd.isna(point.get("low")):
        ax.plot([point[x]] * 2, [point["low"], point["high"]], color=colour, linewidth=2.5, alpha=0.5)


def waterfall(
    value: ParameterValue,
    title: str = "",
    *,
    heuristics: Heuristics | None = None,
    candidates: int | None = None,
) -> Picture:
    """How the evidence for an answer adds up from even odds to its probability, in bits, beside the tiers' thresholds.

    `heuristics` are those that the answer was made with, `candidates` how many of the kind the phone has: see
    `starebrain.explain.steps`. An answer without probability is drawn as a sentence.
    """
    found = steps(value, heuristics, candidates)
    chosen = "nothing" if value.value is None else describe(value.value)
    held = "".join(f", held by {cap.rule}" for cap in value.caps)
    sure = "" if value.probability is None else f", {chance(value.probability)}"
    verdict = f"{value.confidence}: {chosen}{sure}{held}"
    with _style():
        figure = Figure(figsize=(WIDTH, 0.3 * (len(found) + 1) + 1.3))
        ax = figure.subplots()
        ax.set_title("\n".join(filter(None, (clip(title, 90), verdict))))
        if found:
            _steps(ax, found, (heuristics or default_heuristics()).kinds[value.kind].tiers)
        else:
            ax.text(0, 0.5, "no probability, so nothing adds up to it", transform=ax.transAxes)
            ax.set_axis_off()
        terms = "; ".join(f"{_label(step.name)} {step.bits:+.2f}" for step in found)
        return _picture(
            figure, " ".join(filter(None, (clip(title, 90), f"{verdict}.", terms and f"In bits: {terms}.")))
        )


def _steps(ax: Axes, found: Sequence[Step], tiers: Tiers) -> None:
    """A bar a step, from where the sum stood to where it stands, and one for all of them together."""
    names = [*(_label(step.name) for step in found), "together"]
    sizes = [step.bits for step in found]
    before = [0.0, *itertools.accumulate(sizes)]
    total = before[-1]
    rows = zip(names, [*before[:-1], 0.0], [*sizes, total], [*(step.detail for step in found), ""], strict=True)
    for y, (_, left, bits, detail) in enumerate(rows):
        colour = "#7A7A7A" if y == len(found) else LOOKS[0][0] if bits >= 0 else LOOKS[1][0]
        ax.barh(y, bits, 0.62, left, color=colour)
        if y < len(found):
            ax.plot([left + bits] * 2, [y, y + 1], color="#8a929b", linewidth=0.8)
        said = f"{bits:+.2f}  {clip(detail, 44)}".rstrip()
        ax.text(1.02, y, said, transform=ax.get_yaxis_transform(), va="center", fontsize=8.5, color="#3c444d")
    for name, least in (("HIGH", tiers.high), ("MEDIUM", tiers.medium)):
        if 0 < least < 1 and (at := math.log2(least / (1 - least))) > min(before) - 2:
            ax.axvline(at, color="#3c444d", linewidth=0.9, linestyle=":")
            plain = {"facecolor": "white", "edgecolor": "none", "pad": 1}
            ax.text(at, -0.65, name, ha="center", va="center", fontsize=8, color="#3c444d", bbox=plain)
    ax.axvline(0, color="#3c444d", linewidth=1)
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.4, -0.95)
    ax.set_xlabel("bits of evidence: each doubles the odds")


def _dots(ax: Axes, part: pd.DataFrame, rows: str, colours: str, looks: Looks, percent: bool) -> None:
    """One panel: a line an estimate, from the top down, rows set apart by a gap."""
    ticks, names, y = [], [], 0.0
    for key in _keys(part, rows):
        group = _where(part, rows, key)
        ticks.append(y - (len(group) - 1) / 2)
        names.append(_label(key))
        for line in group.to_dict("records"):
            colour, marker = looks[line[colours]]
            said = "no data"
            if not pd.isna(line["value"]):
                ax.plot([line["low"], line["high"]], [y, y], color=colour, linewidth=2.5, alpha=0.5)
                ax.plot([line["value"]], [y], marker=marker, color=colour, markersize=5.5, linestyle="", clip_on=False)
                said = f"{number(line['value'], percent)}  n {int(line['n']):,}"
            ax.text(1.02, y, said, transform=ax.get_yaxis_transform(), va="center", fontsize=8.5, color="#3c444d")
            y -= 1.0
        y -= GAP
    ax.set_yticks(ticks, names)


def _scale(ax: Axes, percent: bool, whole: bool) -> None:
    if whole:
        ax.set_xlim(-0.005, 1.01)
    ax.xaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 2.5, 5, 10]))
    if percent:
        ax.xaxis.set_major_formatter(FuncFormatter(_percent))


def _legend(figure: Figure, looks: Looks) -> None:
    """What the colours mean, above; nothing where there is one."""
    if len(looks) < 2:
        return
    handles = [Line2D([], [], color=c, marker=m, linewidth=2, label=_label(key)) for key, (c, m) in looks.items()]
    figure.legend(handles=handles, loc="outside upper left", ncols=min(len(looks), 6), handlelength=1.6)


def _looks(frame: pd.DataFrame, column: str) -> Looks:
    return {key: LOOKS[at % len(LOOKS)] for at, key in enumerate(_keys(frame, column))}


@contextmanager
def _style() -> Iterator[None]:
    """matplotlib's own defaults and ours, whatever the user's settings are.

    A letter that the font does not have is drawn as a box; the words beside the picture have it.
    """
    with matplotlib.style.context(["default", STYLE]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")
        yield


def _picture(figure: Figure, alt: str) -> Picture:
    """The figure as PNG without traces of the run."""
    drawn, data = BytesIO(), BytesIO()
    figure.savefig(drawn, format="png", dpi=80 * DENSITY)
    few = Image.open(drawn).convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    paper = 3 * int(few.getpixel((0, 0)))  # type: ignore[arg-type]
    few.putpalette([255 if paper <= at < paper + 3 else part for at, part in enumerate(few.getpalette() or ())])
    few.save(data, "PNG", optimize=True)
    alt = alt if len(alt) <= LONGEST_ALT else alt[: LONGEST_ALT - 1] + "…"
    return Picture(data.getvalue(), alt, round(figure.get_figwidth() * 80))


def _words(estimates: pd.DataFrame, columns: Sequence[str], percent: bool) -> str:
    """The figures of a picture in words."""
    said = []
    for line in estimates.to_dict("records"):
        name = " ".join(_label(line[column]) for column in columns)
        words = estimate(line["value"], line["low"], line["high"], int(line["n"]), percent=percent)
        said.append(f"{name}: {words}")
    return "; ".join(said) + "."


def _keys(frame: pd.DataFrame, column: str) -> list[Hashable]:
    return list(dict.fromkeys(frame[column]))


def _where(frame: pd.DataFrame, column: str, key: object) -> pd.DataFrame:
    return frame[frame[column] == key]


def _label(key: object) -> str:
    text = printable(str(key)).replace("_", " ")
    return text if len(text) <= 40 else text[:39] + "…"


def _percent(value: float, at: object = None) -> str:
    """A share as percent, as matplotlib asks for labels of an axis."""
    return number(value, percent=True)
