"""What a notebook shows: tables and pictures, as text for pages, for JupyterLab and for terminals alike.

Text in them may come from a phone: control and direction characters show as escapes, markup as text.
"""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from starebrain.errors import printable

TABLE = "application/vnd.starebrain.table+json"
"""The media type under which a notebook keeps a table for our pages, as data without markup."""
NO_DATA = "no data"
EMPTY = frozenset({"none", NO_DATA, ""})
"""Cells without a figure where there could be one."""
NO_BREAK = "\N{NO-BREAK SPACE}"
LONGEST = 400
"""Longest text of one cell, in characters."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of texts, with what it shows as `caption`; each row has as many cells as there are `columns`."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row of {len(row)} cells under {len(self.columns)} columns")

    @property
    def figures(self) -> tuple[bool, ...]:
        """For each column, whether its cells are figures, which line up at the right."""
        cells = [[row[at] for row in self.rows] for at in range(len(self.columns))]
        return tuple(bool(c) and all(x[:1].isdigit() or x[:1] in "−+" or x in EMPTY for x in c) for c in cells)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        data = {"caption": self.caption, "columns": self.columns, "rows": self.rows, "figures": self.figures}
        return {TABLE: data, "text/html": self._html(), "text/plain": self._plain()}

    def _html(self) -> str:
        figures = self.figures
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in self.columns)
        body = "".join(f"<tr>{''.join(map(_td, row, figures))}</tr>" for row in self.rows)
        caption = f"<caption>{escape(self.caption)}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def _plain(self) -> str:
        lines = [self.columns, *self.rows]
        widths = [max(len(line[at]) for line in lines) for at in range(len(self.columns))]
        padded = ("  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip() for line in lines)
        return "\n".join([self.caption, *padded])


def table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """A table of anything: numbers with thousands separated, None as "none", texts escaped and cut."""
    return Table(_text(caption), tuple(map(_text, columns)), tuple(tuple(_text(cell) for cell in row) for row in rows))


def estimate(value: float | None, low: float | None, high: float | None, n: int, *, percent: bool) -> str:
    """An estimate as text, ``97.1% (94–98.9%), n 410``; None and NaN are "no data"."""
    if _unknown(value):
        return NO_DATA
    words = number(value, percent)  # type: ignore[arg-type]
    if not _unknown(low) and not _unknown(high):
        ends = number(low, percent), number(high, percent)  # type: ignore[arg-type]
        dash = " to " if "−" in "".join(ends) else "–"
        words += f" ({ends[0].removesuffix('%')}{dash}{ends[1]})"
    return f"{words},".replace(" ", NO_BREAK) + f" n{NO_BREAK}{n:,}"


def _unknown(number: float | None) -> bool:
    return number is None or math.isnan(number)


def number(value: float, percent: bool) -> str:
    """A number with two decimals, or a share of 1 as percent with one; what ends in noughts is cut."""
    text = f"{value * 100:.1f}" if percent else f"{value:.2f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return ("0" if text == "-0" else text.replace("-", "−")) + ("%" if percent else "")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in PNG, `width` CSS pixels wide; `alt` says in words what it shows."""

    png: bytes
    alt: str
    width: int

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> tuple[dict[str, Any], ...]:
        alt = printable(self.alt)
        data = {"image/png": b64encode(self.png).decode("ascii"), "text/plain": alt}
        return data, {"image/png": {"alt": alt, "width": self.width}}


def _td(cell: str, figure: bool) -> str:
    return f"<td{' style="text-align: right"' if figure else ''}>{escape(cell)}</td>"


def _text(cell: object) -> str:
    match cell:
        case None:
            return "none"
        case bool():
            return "yes" if cell else "no"
        case int():
            return f"{cell:,}"
        case float():
            return "none" if cell != cell else f"{cell:,.3f}"
    text = printable(str(cell))
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
