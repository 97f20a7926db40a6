"""What a library's answer must satisfy before it counts: order, and the year and weekday that the words name."""

from __future__ import annotations

from starebrain.kinds.readers.hint import Hint
from starebrain.kinds.readers.reading import Reading


def agrees(hint: Hint, reading: Reading) -> bool:
    """Whether a reading starts before it ends, and is of a year, weekday, month and day that the hint names, if any."""
    if reading.end is not None and reading.end <= reading.start:
        return False
    ends = (reading.start, reading.end or reading.start)
    years = [
        n.values["YEAR"] for n in hint.nodes if "YEAR" in n.values and "DIGITS" in n.values and n.values["YEAR"] >= 1900
    ]
    if any(y not in (e.year for e in ends) and y + 1 not in (e.year for e in ends) for y in years):
        return False
    if hint.has("UNIT", "NTH", "WEEK_NUMBER"):
        return True
    weekdays = [n.values["WEEKDAY"] for n in hint.nodes if "WEEKDAY" in n.values and len(n.values) == 1]
    return len(weekdays) != 1 or reading.start.weekday() == weekdays[0]


def order_differs(hint: Hint) -> bool:
    """Whether the hint has a numeric date such as 3/4 which the libraries read in the other order than the locale does.

    Both read English month first and the other languages day first, whatever the territory.
    """
    if hint.month_first == (hint.language == "en"):
        return False
    dates = [n.values["DATE"] for n in hint.nodes if "DATE" in n.values and "ISO" not in n.values]
    return any(d.day is not None and d.month is not None and d.day <= 12 and d.day != d.month for d in dates)
