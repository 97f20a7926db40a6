"""How long and how much memory a hint may take: the bounds that the readers keep, hostile hints included."""

from __future__ import annotations

import threading
import time
import tracemalloc

import pytest

from starebrain.kinds import readers
from starebrain.kinds.readers import Reading, alone, read, warm
from starebrain.kinds.readers.hint import MAX_CHARACTERS_UNREAD, Hint, hint_in
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


EVERYDAY = {
    "en_US": "from the middle of March to the end of September",
    "de_DE": "vom 3. März 2027 bis zum 5. September 2027",
    "fr_FR": "du 3 mars 2027 au 5 septembre 2027",
    "es_ES": "del 3 de marzo de 2027 al 5 de mayo de 2027",
    "pt_BR": "de 3 de março de 2027 até 5 de maio de 2027",
}
"""A hint of some length in each language, which all readers are asked for."""


def _work(text: str, locale: str) -> float:
    """Processor time of asking all readers alone and together, without what was kept."""
    _afresh()
    began = time.process_time()
    for name in ("chrono", "recognizers"):
        alone(name, text, NOW, locale)
    read(text, NOW, locale)
    return time.process_time() - began


def _is_dear(text: str, locale: str) -> bool:
    """Whether it takes six times as much as `EVERYDAY`, whenever it is measured."""
    peer = EVERYDAY[locale]
    return all(_work(text, locale) > 6 * _work(peer, locale) for _ in range(5))


@pytest.mark.parametrize("locale", EVERYDAY)
def test_repetitive_hints_are_no_more_work_than_a_few_others(locale: str) -> None:
    """Whatever their length: without bounds some take a thousand times as much as an everyday hint of 48 characters."""
    warm(locale)
    texts = [(piece * length)[:length] for piece in REPEATED for length in (40, 72, 1_000)]
    assert [text for text in texts if _is_dear(text, locale)] == []


@pytest.mark.parametrize("hint", ENDLESS)
def test_no_search_without_end(hint: str) -> None:
    assert not _is_dear(hint, "en_US")


class Counting:
    """A library that notes what it is asked."""

    name = "counting"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def load(self, language: str) -> None:
        pass

    def read(self, hint: Hint, now: object) -> list[Reading]:
        self.asked.append(hint.text)
        return []


@pytest.mark.parametrize("locale", EVERYDAY)
def test_long_hints_are_kept_from_the_libraries(locale: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counting = Counting()
    monkeypatch.setattr(readers, "LIBRARIES", (counting,))
    _afresh()
    for piece in REPEATED:
        for length in (40, 72, 73, 100, 240, 241, 1_000):
            read((piece * length)[:length], NOW, locale)
    read(EVERYDAY[locale], NOW, locale)
    _afresh()
    assert EVERYDAY[locale] in counting.asked
    assert max(map(len, counting.asked)) <= 72


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

    def load(self, language: str) -> None:
        pass

    def read(self, hint: object, now: object) -> list[Reading]:
        raise RuntimeError("out of order")


class Hanging(Failing):
    """A library that never comes back, until it is let go."""

    name = "hanging"

    def __init__(self) -> None:
        self.asked = 0
        self.let_go = threading.Event()

    def read(self, hint: object, now: object) -> list[Reading]:
        self.asked += 1
        self.let_go.wait()
        return []


def test_a_library_that_hangs_has_no_answer_and_is_not_asked_again_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    _afresh()
    hanging = Hanging()
    monkeypatch.setattr(readers, "LIBRARIES", (hanging, *readers.LIBRARIES))
    monkeypatch.setattr(readers, "PATIENCE", 0.02)
    try:
        for hint in ("tomorrow at 3pm", "tomorrow at 4pm"):
            assert read(hint, NOW, "en_US").readings[0].readers >= {"rules"}
        assert hanging.asked == 1
    finally:
        hanging.let_go.set()
        _afresh()


def test_a_library_that_raises_has_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    _afresh()
    monkeypatch.setattr(readers, "LIBRARIES", (Failing(), *readers.LIBRARIES))
    readings = read("tomorrow at 3pm", NOW, "en_US").readings
    assert readings[0].readers == {"rules", "chrono"}
    _afresh()
