"""The picture of the tuner: where every kind's answers go, and what silence costs at every threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO

import matplotlib.style
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter

from starebrain.evaluate.intervals import LEVEL
from starebrain.intent import ParameterKind
from starebrain.tune.cube import LUCKY, RIGHT, UNANSWERABLE, UNLUCKY, WRONG
from starebrain.tune.state import Counted, same_answers, tiers_of

HIGH, MEDIUM, ASKED = range(3)
SEGMENTS: Sequence[tuple[str, str, int, tuple[int, ...]]] = (
    ("HIGH, right", "#0072B2", HIGH, (RIGHT,)),
    ("HIGH, silent error", "#D55E00", HIGH, (WRONG, LUCKY, UNLUCKY, UNANSWERABLE)),
    ("MEDIUM, right", "#56B4E9", MEDIUM, (RIGHT, LUCKY)),
    ("MEDIUM, overridden", "#E69F00", MEDIUM, (WRONG, UNLUCKY, UNANSWERABLE)),
    ("asked needlessly", "#5B636B", ASKED, (RIGHT, WRONG)),
    ("asked", "#C3C9CF", ASKED, (LUCKY, UNLUCKY, UNANSWERABLE)),
)
"""What becomes of a parameter: name, colour (after Okabe and Ito), tier, outcomes.

A question is needless where what was meant is the one thing on the phone that the words fit."""
STYLE = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#8a929b",
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "font.family": ["DejaVu Sans"],
    "font.size": 9.5,
    "grid.color": "#e1e5e9",
    "legend.frameon": False,
    "ytick.major.size": 0,
}
EVERY = 5
"""Every fifth threshold is drawn in the curve."""
BAR = 268.0
"""Height of the axes, in points."""
LOWEST_TOP = 0.02
"""Least end of the axis of silent errors."""


def picture(start: Counted, now: Counted, kind: ParameterKind) -> bytes:
    """A PNG, 860 × 400 pixels: the kinds' tiers at the start and now, and the curve of `kind` with both thresholds."""
    with matplotlib.style.context(["default", STYLE]):
        figure = Figure(figsize=(10.75, 5.0), dpi=80)
        left, right = figure.subplots(1, 2, width_ratios=(1.15, 1))
        figure.subplots_adjust(left=0.085, right=0.975, top=0.86, bottom=0.115, wspace=0.19)
        _bars(left, start, now)
        _curve(right, start, now, kind)
        handles = [Patch(color=colour, label=name) for name, colour, _, _ in SEGMENTS]
        figure.legend(handles=handles, loc="upper left", ncols=len(handles), bbox_to_anchor=(0.01, 1.0))
        data = BytesIO()
        figure.savefig(data, format="png", metadata={"Software": None})
        return data.getvalue()


def shares(counted: Counted, kind: ParameterKind) -> Mapping[str, float]:
    """Which share of a kind's parameters is in each of the `SEGMENTS`; 0 to 1, together 1."""
    counts = tiers_of(counted, [kind])[0]
    total = counts.sum() or 1
    return {name: float(counts[tier, list(outcomes)].sum() / total) for name, _, tier, outcomes in SEGMENTS}


def curve(counted: Counted, kind: ParameterKind) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """What silence costs from the highest threshold down.

    Four arrays: the share of the kind's parameters that is filled in silently, the silent errors among them, and the
    ends of their intervals (NaN where nothing is silent).
    """
    cube = counted.cubes[kind]
    silent = cube[:0:-EVERY, :, 0]
    filled = silent.sum(axis=2)
    errors = filled - silent[:, :, RIGHT]
    with np.errstate(divide="ignore", invalid="ignore"):
        rates = errors / filled
    tail = (1 - LEVEL) / 2
    ranked = np.sort(rates[:, 1:], axis=1)
    known = (~np.isnan(ranked)).sum(axis=1)
    ends = [
        ranked[np.arange(len(ranked)), np.maximum(0, (at * (known - 1)).astype(int))] if ranked.size else rates[:, 0]
        for at in (tail, 1 - tail)
    ]
    return filled[:, 0] / max(1, cube[0, 0].sum()), rates[:, 0], *ends


def _bars(ax: Axes, start: Counted, now: Counted) -> None:
    kinds = list(now.cubes)
    lines = np.arange(len(kinds))
    y, width = np.r_[lines - 0.26, lines + 0.1], np.repeat((0.18, 0.4), len(kinds)) * BAR / len(kinds)
    found = [shares(counted, kind) for counted in (start, now) for kind in kinds]
    before = np.zeros(len(y))
    for name, colour, _, _ in SEGMENTS:
        after = before + [of[name] for of in found]
        ax.hlines(y, before, after, colour, linewidths=width)
        before = after
    ax.set_yticks(
        range(len(kinds)), [f"{k.value.replace('_', ' ')}\nn {len(now.columns.kinds[k].hints.words):,}" for k in kinds]
    )
    ax.set_ylim(len(kinds) - 0.5, -0.5)
    ax.set_xlim(0, 1)
    ax.grid(False, axis="y")
    ax.xaxis.set_major_formatter(FuncFormatter(_percent))
    ax.set_title("Parameters by tier (thin: at the start)")


def _curve(ax: Axes, start: Counted, now: Counted, kind: ParameterKind) -> None:
    filled, rates, low, high = curve(now, kind)
    ax.fill_between(filled, low, high, color="#0072B2", alpha=0.18, linewidth=0, label="95% interval")
    if not same_answers(start.heuristics, now.heuristics, kind):
        before = curve(start, kind)
        ax.plot(before[0], before[1], color="#8a929b", linewidth=1.2, linestyle="--", label="weights of the start")
    ax.plot(filled, rates, color="#0072B2", linewidth=1.8)
    top = LOWEST_TOP
    for counted, marker, size, face, label in (
        (start, "o", 8, "none", "at the start"),
        (now, "o", 8, "#D55E00", "now"),
    ):
        counts = tiers_of(counted, [kind])[0]
        silent = counts[HIGH].sum()
        if silent:
            rate = 1 - counts[HIGH, RIGHT] / silent
            top = max(top, 1.6 * rate)
            ax.plot(
                silent / counts.sum(), rate, marker, markersize=size, color="#D55E00", markerfacecolor=face, label=label
            )
    ax.set_xlim(0, 1)
    ax.set_ylim(0, min(1.0, top))
    ax.xaxis.set_major_formatter(FuncFormatter(_percent))
    ax.yaxis.set_major_formatter(FuncFormatter(_percent))
    ax.set_xlabel(f"{kind.value.replace('_', ' ')}: filled in silently")
    ax.set_title("Silent errors among HIGH, by threshold")
    ax.legend(loc="upper left")


def _percent(value: float, at: object = None) -> str:
    return f"{value * 100:.1f}".removesuffix(".0") + "%"
