"""Tuning by hand: comparisons as columns, counts as a cube, and a panel of sliders over both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starebrain.tune.collect import collect, collect_phones
from starebrain.tune.columns import Best, Columns, KindColumns, rescore

if TYPE_CHECKING:
    from starebrain.tune.tuner import Tuner


def __getattr__(name: str) -> Any:
    if name == "Tuner":  # with ipywidgets and matplotlib, for those who look at it
        from starebrain.tune.tuner import Tuner

        return Tuner
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["Best", "Columns", "KindColumns", "Tuner", "collect", "collect_phones", "rescore"]
