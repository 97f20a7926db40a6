"""How long and how much memory a hint may take: the bounds that the readers keep, hostile hints included."""

from __future__ import annotations

import time
import tracemalloc

import pytest

from starebrain.kinds import readers
from starebrain.kinds.readers import read, warm
from starebrain.kinds.readers.hint import MAX_CHARACTERS_UNREAD, hint_in
from tests.kinds.readers.cases import NOW

REPEATED = [
    "3 ",
    "3pm ",
    "tomorrow ",
    "1/2/",
    "12:",
    "2 days ",
    "at 3 ",
    "9 ",
    "a ",
    "10-",
    "3,",
    "3.",
    "(",
    "to 5 ",
    "or ",
]
ENDLESS = ["Sunday 31", "Sunday 2 weeks", "easter sunday 3.5", "900000 sundays from now", "Sundays 2"]
"""Hints that sent Recognizers looking for a month up to the year 9999."""


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    warm("en_US")


def _afresh() -> None:
    readers._prepared.cache_clear()
    readers._cached.cache_clear()


def _seconds(text: str) -> float:
    """Processor time of the second of two readings, both without what was kept."""
    for _ in range(2):
        _afresh()
        began = time.process_time()
        read(text, NOW, "en_US")
        taken = time.process_time() - began
    return taken


@pytest.mark.parametrize("length", [40, 72, 240, 1_000])
def test_repetitive_hints_take_no_longer_than_others(length: int) -> None:
    """The bound is 50 ms on an idle processor; a busy one gets three times that."""
    slow = {piece: _seconds((piece * length)[:length]) for piece in REPEATED}
    assert max(slow.values()) < 0.15, slow


@pytest.mark.parametrize("hint", ENDLESS)
def test_no_search_without_end(hint: str) -> None:
    assert _seconds(hint) < 0.15


def test_no_hint_takes_much_memory() -> None:
    tracemalloc.start()
    try:
        for piece in REPEATED:
            _afresh()
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            read((piece * 1_000)[:1_000], NOW, "en_US")
            read((piece * 240)[:240], NOW, "en_US")
            assert tracemalloc.get_traced_memory()[1] - before < 50_000_000
    finally:
        tracemalloc.stop()


def test_what_the_libraries_get_is_bounded() -> None:
    assert hint_in("from the middle of March to the end of September", "en_US", "en").short(understood=True)
    assert not hint_in("2 days " * 6, "en_US", "en").short(understood=True)
    assert not hint_in("3 " * 7, "en_US", "en").short(understood=False)
    assert not hint_in("tomorrow " * 5, "en_US", "en").short(understood=False)
    assert not hint_in("banana", "en_US", "en").short(understood=False)
    assert not hint_in(f"tomorrow {'x' * MAX_CHARACTERS_UNREAD}", "en_US", "en").short(understood=False)


def test_what_is_kept_is_bounded() -> None:
    assert readers._prepared.cache_info().maxsize == readers.CACHED
    assert readers._cached.cache_info().maxsize == readers.CACHED


def test_a_library_is_asked_once_for_a_hint_and_a_day() -> None:
    _afresh()
    for minute in range(5):
        read("the third of march at noon", NOW.replace(minute=minute), "en_US")
    kept = readers._cached.cache_info()
    assert kept.hits >= 4 * kept.misses > 0


class Failing:
    """A library that raises."""

    name = "failing"

    def read(self, hint: object, now: object) -> list[object]:
        raise RuntimeError("out of order")


def test_a_library_that_raises_has_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    _afresh()
    monkeypatch.setattr(readers, "LIBRARIES", (Failing(), *readers.LIBRARIES))
    readings = read("tomorrow at 3pm", NOW, "en_US").readings
    assert readings[0].readers == {"rules", "chrono"}
    _afresh()
