"""What a family of ways to refer is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starebrain.simulate.view import Dice, Said, View

    Way = Callable[[View, Dice], Said | None]


@dataclass(frozen=True, slots=True)
class Family:
    """A way of referring: its usual share of answerable hints of its kind (assumed), and how it is done.

    `way` says something of the phone, or returns None where nothing there can be referred to so; its docstring defines
    the family and what it counts as compatible.
    """

    share: float
    way: Way
