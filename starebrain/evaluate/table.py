"""Estimates and comparisons as text of at most 100 columns; names from data show escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import pandas as pd

from starebrain.errors import printable
from starebrain.evaluate.compare import Pairs
from starebrain.evaluate.metrics import METRICS

WIDTH, NAME, LEAST = 100, 28, 24
"""Columns of all, of a metric's title, and of a figure at the least; resolvers that do not fit follow below."""
NO_DATA = "-"
PERCENT = ("share", "area")
"""Units that are shown as percent."""
LEGEND = "Each figure with its 95% interval; /n is the number of cases it is over, - stands for no data."


def estimates_text(estimates: pd.DataFrame) -> str:
    """A block a source and cut: a line a metric, a column a resolver; metrics that nobody has data for are left out."""
    return "\n\n".join(_blocks(estimates, "resolver", _heading, _figure))


def differences_text(differences: pd.DataFrame) -> str:
    """Blocks as in `estimates_text`: how far the resolvers `b` are from `a`, paired on the same parameters."""
    return "\n\n".join(_blocks(differences, "b", _against, _gap))


def pairs_text(pairs: Iterable[Pairs]) -> str:
    """McNemar's tests, a line each below what they are of."""
    lines: list[str] = []
    for one in pairs:
        heading = f"{one.outcome}, one parameter a cluster, McNemar's test"
        p = "no difference" if one.p is None else f"p = {one.p:.2g}"
        found = f"only {_short(one.a, 16)} {one.only_a}, only {_short(one.b, 16)} {one.only_b}, {p}"
        lines += [*([] if heading in lines else [heading]), f"  {_short(one.source, 30)}: {found}"]
    return "\n".join(lines)


def _blocks(
    frame: pd.DataFrame, column: str, heading: Callable[[pd.Series], str], cell: Callable[[pd.Series], str]
) -> Iterator[str]:
    for _, block in frame.groupby(["source", "cut"], sort=False):
        cells = {(row["metric"], row[column]): cell(row) for _, row in block.iterrows()}
        metrics, names = (list(dict.fromkeys(block[c])) for c in ("metric", column))
        width = max(LEAST, 2 + max(map(len, cells.values())))
        side_by_side = max(1, (WIDTH - NAME) // width)
        for at in range(0, len(names), side_by_side):
            beside = names[at : at + side_by_side]
            lines = [heading(block.iloc[0]), _line("", [_short(name, width - 2) for name in beside], width)]
            for metric in metrics:
                figures = [cells.get((metric, name), NO_DATA) for name in beside]
                if any(figure != NO_DATA for figure in figures):
                    title = METRICS[metric].title if metric in METRICS else metric
                    lines.append(_line(_short(title, NAME - 2), figures, width))
            yield "\n".join(lines)


def _line(title: str, cells: Sequence[str], width: int) -> str:
    return (f"{title:<{NAME}}" + "".join(f"{cell:<{width}}" for cell in cells)).rstrip()


def _heading(row: pd.Series) -> str:
    return _short(" ".join(filter(None, (row["source"], row["cut"]))), 100)


def _against(row: pd.Series) -> str:
    where = " ".join(filter(None, (row["source"], row["cut"])))
    return f"{_short(where, 60)}: difference to {_short(row['a'], 20)}"


def _figure(row: pd.Series) -> str:
    if pd.isna(row["value"]):
        return NO_DATA
    return f"{_number(row['value'], row['metric'])} {_range(row)} /{row['denominator']:.0f}"


def _gap(row: pd.Series) -> str:
    return (
        NO_DATA
        if pd.isna(row["difference"])
        else f"{_number(row['difference'], row['metric'], '+')} {_range(row, '+')}"
    )


def _range(row: pd.Series, sign: str = "") -> str:
    if pd.isna(row["low"]):
        return "(?)"
    low, high = (_number(row[name], row["metric"], sign).removesuffix("%") for name in ("low", "high"))
    return f"({low} {high})" if sign else f"({low}-{high})"


def _number(value: float, metric: str, sign: str = "") -> str:
    if metric in METRICS and METRICS[metric].unit in PERCENT:
        return f"{round(value * 100, 1) + 0.0:{sign}.1f}%"  # + 0.0: what is hardly below nothing is nothing
    return f"{round(value, 2) + 0.0:{sign}.2f}"


def _short(text: str, width: int) -> str:
    shown = printable(text)
    return shown if len(shown) <= width else shown[: width - 1] + "…"
