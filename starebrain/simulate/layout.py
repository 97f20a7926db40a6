"""How a block of phones lies in columns: rows by phone, and the small array moves that simulating it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import exp
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from starebrain.simulate.vocabulary import Index

if TYPE_CHECKING:
    from starebrain.simulate.scenario import Size


QUANTILES = 4_096


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows that belong to phones: how many each has, where each begins, and whose each row is."""

    counts: Index
    start: Index
    phone: Index

    @property
    def total(self) -> int:
        """How many rows there are."""
        return len(self.phone)

    @property
    def within(self) -> Index:
        """The place of each row in its phone, from 0."""
        return (np.arange(self.total) - self.start[self.phone]).astype(np.int32)


def rows_of(counts: Index) -> Rows:
    """Rows for phones that have `counts` of them."""
    ends = np.cumsum(counts)
    return Rows(counts, ends - counts, np.repeat(np.arange(len(counts)), counts))


@cache
def log_normal(median: float, spread: float) -> Index:
    """`QUANTILES` equally likely whole numbers that are log-normal: to draw from a table repeats on every processor."""
    normal = NormalDist()
    return np.array([round(median * exp(spread * normal.inv_cdf((i + 0.5) / QUANTILES))) for i in range(QUANTILES)])


def sized(rng: np.random.Generator, size: Size, phones: int) -> Index:
    """How many records each phone has: log-normal, cut."""
    return np.clip(log_normal(size.median, size.spread), size.least, size.most)[rng.integers(0, QUANTILES, phones)]


def spaced(rng: np.random.Generator, rows: Rows, places: int) -> Index:
    """`places` different rows of each phone in (phones, places), evenly spaced from a drawn one; -1 where too few."""
    n = rows.counts[:, None]
    first = np.floor(rng.random(len(rows.counts)) * rows.counts)[:, None].astype(np.int64)
    each = np.arange(places)
    at = rows.start[:, None] + (first + each * np.maximum(n // places, 1)) % np.maximum(n, 1)
    return np.where(each < n, at, -1)


def dealt(rng: np.random.Generator, rows: Rows, cards: int) -> Index:
    """For each row a number below `cards` (a prime), different within a phone that has no more rows than that."""
    first, step = rng.integers(0, cards, len(rows.counts)), rng.integers(1, cards, len(rows.counts))
    return (first[rows.phone] + rows.within * step[rows.phone]) % cards


def lists(values: pa.Array, counts: Index) -> pa.ListArray:
    """`values` cut into lists of `counts` values."""
    offsets = np.zeros(len(counts) + 1, np.int32)
    np.cumsum(counts, out=offsets[1:])
    return pa.ListArray.from_arrays(pa.array(offsets), values)


def table(schema: pa.Schema, columns: Mapping[str, pa.Array]) -> pa.Table:
    """Columns in the order of `schema`, cast where only the name of a list's element differs."""
    return pa.Table.from_arrays(
        [column if column.type == of.type else column.cast(of.type) for of in schema for column in (columns[of.name],)],
        schema=schema,
    )
