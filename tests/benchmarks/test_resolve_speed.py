"""The hot path beside RapidFuzz's WRatio loop, on the same names and hints in the same run."""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from faker import Faker
from rapidfuzz import fuzz, process

from starebrain.device import Contact, DeviceContext
from starebrain.intent import Parameter, ParameterKind
from starebrain.resolve.context_resolver import EvidenceResolver

PHONES, CONTACTS, HINTS, ROUNDS = 12, 500, 40, 3


def names(seed: int) -> list[str]:
    fake = Faker("en_US")
    fake.seed_instance(seed)
    return [fake.name().lower().replace(".", "") for _ in range(CONTACTS)]


def noisy(name: str, dice: random.Random) -> str:
    """The name as it may be said: whole, turned round, or with a slip; never so that two people are meant alike."""
    fate = dice.random()
    if fate < 0.3:
        return name
    if fate < 0.5:
        return " ".join(reversed(name.split()))
    at = dice.randrange(1, len(name) - 1)
    return name[:at] + name[at + 1 :] if fate < 0.8 else name[:at] + name[at + 1] + name[at] + name[at + 2 :]


@pytest.fixture(scope="module")
def work() -> tuple[list[list[str]], list[list[tuple[str, str]]]]:
    books = [names(seed) for seed in range(PHONES)]
    dice = random.Random(1)
    asked = [[(noisy(name, dice), name) for name in dice.sample(book, HINTS)] for book in books]
    return books, asked


def median_seconds(job: Callable[[], object]) -> float:
    times = []
    gc.disable()
    try:
        for _ in range(ROUNDS):
            start = time.perf_counter()
            job()
            times.append(time.perf_counter() - start)
    finally:
        gc.enable()
    return statistics.median(times)


def phone(book: list[str]) -> DeviceContext:
    contacts = tuple(Contact(f"c{at}", name) for at, name in enumerate(book))
    return DeviceContext(datetime(2026, 1, 1, tzinfo=UTC), "UTC", "en_US", contacts=contacts)


def test_batches_are_quicker_than_the_wratio_loop_and_as_right(work, benchmark) -> None:
    books, asked = work
    resolver = EvidenceResolver()
    devices = [phone(book) for book in books]

    def fresh() -> tuple[tuple[list], dict]:
        ready = [resolver.on(device) for device in devices]
        for one in ready:
            assert one.of(ParameterKind.CONTACT).index.lexicon.words
        return (ready,), {}

    def ours(ready: list) -> list:
        return [p.columns(ParameterKind.CONTACT, [h for h, _ in hs]) for p, hs in zip(ready, asked, strict=True)]

    ours(*fresh()[0])
    answers = benchmark.pedantic(ours, setup=fresh, rounds=ROUNDS)
    right = sum(
        book[best] == name
        for book, hs, columns in zip(books, asked, answers, strict=True)
        for (_, name), best in zip(hs, columns.best, strict=True)
    )
    theirs = [
        [process.extractOne(h, book, scorer=fuzz.WRatio)[0] == name for h, name in hs]
        for book, hs in zip(books, asked, strict=True)
    ]
    peer = median_seconds(
        lambda: [
            process.extractOne(h, b, scorer=fuzz.WRatio) for b, hs in zip(books, asked, strict=True) for h, _ in hs
        ]
    )
    benchmark.extra_info["top-1 of both"] = (right / PHONES / HINTS, sum(map(sum, theirs)) / PHONES / HINTS)
    assert right >= 0.98 * sum(map(sum, theirs))
    if benchmark.stats is not None:
        benchmark.extra_info["times as quick as the WRatio loop"] = round(peer / benchmark.stats.stats.median, 2)
        assert peer > benchmark.stats.stats.median


def test_one_hint_is_quicker_than_the_two_best_by_wratio(work, benchmark) -> None:
    books, asked = work
    book, hints = books[0], [h for h, _ in asked[0]]
    resolver = EvidenceResolver()

    def fresh() -> tuple[tuple, dict]:
        ready = resolver.on(phone(book))
        assert ready.of(ParameterKind.CONTACT).index.lexicon.words
        return (ready,), {}

    def ours(ready) -> list:
        return [ready.resolve(Parameter("it", ParameterKind.CONTACT, hint), "call") for hint in hints]

    benchmark.pedantic(ours, setup=fresh, rounds=ROUNDS, warmup_rounds=1)
    peer = median_seconds(lambda: [process.extract(hint, book, scorer=fuzz.WRatio, limit=2) for hint in hints])
    if benchmark.stats is not None:
        benchmark.extra_info["times as quick as extract(limit=2)"] = round(peer / benchmark.stats.stats.median, 2)
        assert peer > benchmark.stats.stats.median
