"""Tuning by hand: comparisons as columns, counts as a cube, and a panel of sliders over both."""

from __future__ import annotations

from starebrain.tune.collect import collect, collect_phones
from starebrain.tune.columns import Best, Columns, KindColumns, rescore

__all__ = ["Best", "Columns", "KindColumns", "collect", "collect_phones", "rescore"]
