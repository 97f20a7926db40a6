"""The tuner: a panel of sliders for JupyterLab; what they do is in `starebrain.tune.state`."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Callable, Mapping
from html import escape
from typing import Any

import ipywidgets as widgets  # type: ignore[import-untyped]

from starebrain.errors import StarebrainError, printable
from starebrain.intent import ParameterKind
from starebrain.matching.heuristics import Heuristics, default_heuristics
from starebrain.tune.columns import Columns
from starebrain.tune.cube import THRESHOLDS, place, resamples
from starebrain.tune.figures import Figure
from starebrain.tune.picture import picture
from starebrain.tune.state import (
    KNOBS,
    THRESHOLD_KNOBS,
    WEIGHT_KNOBS,
    Counted,
    Knob,
    count,
    figures_of,
    reading,
    recount,
    save_layer,
    turned,
)

NEVER = 1.000001
"""A threshold that nothing reaches."""
DIGITS = 6
"""Decimals of what is set by hand."""
PAUSE = 0.03
"""Seconds in which moves of a slider are gathered before the answer is drawn."""
LOOK = {"layout": widgets.Layout(width="370px"), "style": {"description_width": "125px"}}
WIDTH = 860
"""Width of the picture, in CSS pixels."""
CELL = "padding: 1px 4px; white-space: nowrap; line-height: 1.5; font-size: 12px; text-align: "


class Tuner:
    """Sliders over thresholds and weights of one kind at a time, with the picture and the figures that move with them.

    `heuristics` are the numbers that stand on the sliders, of all kinds. Display the tuner in a notebook. Intervals
    come from `replicates` resamples of the clusters, drawn with `seed`.
    """

    def __init__(
        self, columns: Columns, heuristics: Heuristics | None = None, *, replicates: int = 200, seed: int = 1
    ) -> None:
        self.heuristics = heuristics or default_heuristics()
        self.start = self.now = count(columns, resamples(columns, replicates, seed), self.heuristics)
        self.kind = widgets.Dropdown(
            options=[(_words(kind), kind) for kind in columns.kinds], description="Parameters", **LOOK
        )
        self.sliders: Mapping[str, Any] = {
            **{knob.name: _threshold(knob) for knob in THRESHOLD_KNOBS},
            **{knob.name: widgets.FloatSlider(description=knob.title, **LOOK) for knob in WEIGHT_KNOBS},
        }
        self.file = widgets.Text("tuned.toml", description="File", **LOOK)
        self.save = widgets.Button(description="Save as TOML", tooltip="What differs from the default heuristics")
        self.reset = widgets.Button(description="Reset", tooltip="All numbers as they were at the start")
        self.said, self.shown = (
            widgets.HTML(),
            widgets.HTML(layout=widgets.Layout(flex="1 1 560px", min_width="480px", overflow="auto")),
        )
        self.panel = widgets.HBox(
            [
                widgets.VBox(
                    [
                        *(self.kind, widgets.HTML("<b>Least probability of a tier</b>")),
                        *(self.sliders[knob.name] for knob in THRESHOLD_KNOBS),
                        widgets.HTML("<b>Weights in bits, and the prior of none</b>"),
                        *(self.sliders[knob.name] for knob in WEIGHT_KNOBS),
                        *(self.file, widgets.HBox([self.save, self.reset]), self.said),
                    ],
                    layout=widgets.Layout(flex="0 0 390px"),
                ),
                self.shown,
            ],
            layout=widgets.Layout(flex_flow="row wrap"),
        )
        self._draw = Gathered(self._redraw, PAUSE)
        self._settling = False
        self._settle()
        self._redraw()
        self.kind.observe(self._choose, "value")
        for name, slider in self.sliders.items():
            slider.observe(self._mover(KNOBS[name]), "value")
        self.save.on_click(self._save)
        self.reset.on_click(self._reset)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The panel, and the picture for where no widget can be shown."""
        kind = self.kind.value
        png = b64encode(picture(self.start, self.now, kind)).decode("ascii")
        about = {"image/png": {"alt": in_words(self.now, kind), "width": WIDTH}}
        return {**self.panel._repr_mimebundle_(**kwargs), "image/png": png}, about

    def _choose(self, change: Any) -> None:
        self._settle()
        self._draw()

    def _mover(self, knob: Knob) -> Callable[[Any], None]:
        def move(change: Any) -> None:
            moved = abs(change["new"] - reading(self.heuristics.kinds[self.kind.value], knob))
            if self._settling or moved <= knob.step / 2:  # a slider rounds what it is given to its steps, and says so
                return
            self.heuristics = turned(self.heuristics, self.kind.value, knob, round(change["new"], DIGITS))
            self._settle()
            self._draw()

        return move

    def _reset(self, button: Any) -> None:
        self.heuristics = self.start.heuristics
        self._settle()
        self._draw()

    def _save(self, button: Any) -> None:
        try:
            written = save_layer(self.file.value, self.heuristics)
        except StarebrainError as error:
            self.said.value = f"Not saved: {escape(str(error))}"
        else:
            numbers = "1 number differs" if written == 1 else f"{written} numbers differ"
            name = escape(printable(self.file.value))
            self.said.value = f"Saved: {numbers}.<br><code>starebrain resolve … --heuristics {name}</code>"

    def _settle(self) -> None:
        """Put every slider where the heuristics of the chosen kind stand."""
        self._settling, self.said.value = True, ""
        kind = self.kind.value
        of, fixed = self.heuristics.kinds[kind], bool(self.now.columns.kinds[kind].rows.share.size)
        for knob in THRESHOLD_KNOBS:
            value = reading(of, knob)
            self.sliders[knob.name].value = NEVER if value > 1 else float(THRESHOLDS[place(value) - 1])
        for knob in WEIGHT_KNOBS:
            slider, value = self.sliders[knob.name], reading(of, knob)
            with slider.hold_trait_notifications():
                slider.min, slider.max = min(knob.lowest, value), max(knob.highest, value)
                slider.step, slider.value = knob.step, value
            slider.disabled = fixed
        self._settling = False

    def _redraw(self) -> None:
        """Answer with the heuristics as they are now."""
        self.now = recount(self.now, self.heuristics)
        self.shown.value = answer(self.start, self.now, self.kind.value)


class Gathered:
    """A call that is made once for all the times it is asked for within `pause` seconds, or at once without a loop."""

    def __init__(self, call: Callable[[], None], pause: float) -> None:
        self.call, self.pause = call, pause
        self._waiting = False

    def __call__(self) -> None:
        """Ask for the call."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.call()
            return
        if not self._waiting:
            self._waiting = True
            loop.call_later(self.pause, self._run)

    def _run(self) -> None:
        self._waiting = False
        self.call()


def answer(start: Counted, now: Counted, kind: ParameterKind) -> str:
    """The picture and the table of figures as HTML: `kind` and all kinds, now with intervals, and at the start."""
    columns = [[kind], list(now.cubes)]
    titles = (_words(kind), "all kinds")
    figures = [(figures_of(now, kinds), figures_of(start, kinds)) for kinds in columns]
    head = "".join(
        f'<th style="{CELL}right">{escape(title)}</th><th></th><th style="{CELL}right">at the start</th>'
        for title in titles
    )
    body = "".join(
        f'<tr><th style="{CELL}left">{escape(figures[0][0][name].metric.title)}</th>'
        f"{''.join(_cells(after[name], before[name]) for after, before in figures)}</tr>"
        for name in figures[0][0]
    )
    png = b64encode(picture(start, now, kind)).decode("ascii")
    words = escape(in_words(now, kind))
    image = f'<img style="width: {WIDTH}px; max-width: 100%" alt="{words}" src="data:image/png;base64,{png}">'
    return f"{image}<table><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>"


def in_words(counted: Counted, kind: ParameterKind) -> str:
    """The figures of one kind in words."""
    figures = figures_of(counted, [kind]).values()
    return _words(kind) + "".join(f"; {of.metric.title} {_value(of.value, of)}" for of in figures)


def _cells(now: Figure, start: Figure) -> str:
    """Value, interval and count of one figure, and the value at the start; bold where it has changed."""
    value = _value(now.value, now)
    shown = f"<b>{value}</b>" if value != _value(start.value, start) else value
    between = "" if now.low is None else f"{_value(now.low, now).removesuffix('%')} to {_value(now.high, now)}, "
    cells = (shown, f"{between}{now.numerator:,} of {now.denominator:,}", _value(start.value, start))
    return "".join(f'<td style="{CELL}right">{cell}</td>' for cell in cells)


def _value(value: float | None, of: Figure) -> str:
    if value is None:
        return "none"
    return f"{value:.2f}" if of.metric.unit == "per intent" else f"{value:.1%}"


def _words(kind: ParameterKind) -> str:
    return kind.value.replace("_", " ")


def _threshold(knob: Knob) -> widgets.SelectionSlider:
    steps = [(f"{value:.6f}".rstrip("0").ljust(4, "0"), float(value)) for value in THRESHOLDS]
    never = [("never", NEVER)] if knob.highest > 1 else []
    return widgets.SelectionSlider(options=[*steps, *never], description=knob.title, **LOOK)
