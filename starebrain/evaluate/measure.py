"""Figures over frames that are no answers of resolvers to parameters: declared once, counted with intervals alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace

import numpy as np
import pandas as pd

from starebrain.evaluate.intervals import Estimate, clopper_pearson, ratio
from starebrain.evaluate.summary import cut_name, groups


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure over rows of a frame: `part` of `whole`, what readers call it, and which way is better.

    A `share` counts rows; else `part` are numbers, and `whole` marks the rows that they are a mean over.
    """

    name: str
    title: str
    better: str
    part: Callable[[pd.DataFrame], pd.Series]
    whole: Callable[[pd.DataFrame], pd.Series]
    share: bool = True


def every(rows: pd.DataFrame) -> pd.Series:
    """All rows."""
    return pd.Series(True, rows.index)


def measured(
    rows: pd.DataFrame,
    measures: Iterable[Measure],
    by: Sequence[str] = (),
    *,
    who: str = "resolver",
    source: str | None = None,
    cluster: str,
    trials: Callable[[pd.DataFrame], int] | None = None,
) -> pd.DataFrame:
    """The figures of each `who` over all rows, or cut by columns: the columns of `Estimate`, `title`, `better`, `by`.

    Intervals resample what the column `cluster` names. `source` is what estimates name, None where that is a column.
    Where nothing was counted, `trials` may say how many independent trials the rows of the whole were; the bound is
    then Clopper and Pearson's with so many. Groups come in the order in which they first occur.
    """
    keys = (who, *(("source",) if source is None else ()), *by)
    columns = [(one, one.part(rows), one.whole(rows).to_numpy(bool)) for one in measures]
    counted = [
        (one, np.column_stack([np.where(whole, part.to_numpy(float), 0.0), whole])) for one, part, whole in columns
    ]
    clusters, lines = rows[cluster].to_numpy(), []
    for (name, *values), at in groups(rows, keys):
        of = source if source is not None else values.pop(0)
        cut = dict(zip(by, values, strict=True))
        for one, numbers in counted:
            made = ratio((one.name, name, of, cut_name(cut)), clusters[at], numbers[at], one.share)
            if trials is not None and made.numerator == 0 and made.n:
                independent = trials(rows.iloc[at[numbers[at, 1] > 0]])
                made = replace(made, low=0.0, high=clopper_pearson(0, independent)[1])
            lines.append(asdict(made) | {"title": one.title, "better": one.better} | cut)
    return pd.DataFrame(lines, columns=[*(f.name for f in fields(Estimate)), "title", "better", *by])
