"""The hot path beside RapidFuzz's WRatio loop, on the same names and hints in the same run.

Names and hints are of the kind that `fuzzy_peers.py` asks of its peers: people, companies and relations; whole names,
first, last, turned round, cut short, with an initial, with one slip or two.
"""

from __future__ import annotations

import gc
import random
import statistics
import string
import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from faker import Faker
from pytest_benchmark.fixture import BenchmarkFixture
from rapidfuzz import fuzz, process

from starebrain.device import Contact, DeviceContext
from starebrain.intent import Parameter, ParameterKind
from starebrain.resolve.context_resolver import EvidenceOnPhone, EvidenceResolver

PHONES, CONTACTS, HINTS, ROUNDS = 24, 500, 40, 5
CONTACT = ParameterKind.CONTACT
CALLED = ("Mom", "Dad", "Grandma", "Aunt Sue", "Uncle Bob", "Boss", "Landlord", "Dentist")
RESOLVER = EvidenceResolver()


def books(phones: int, contacts: int) -> list[list[str]]:
    """The names of phones: 85% people, 10% companies, 5% relations."""
    fake, dice = Faker("en_US"), random.Random(1)
    fake.seed_instance(1)
    first, last, firms = ([make() for _ in range(4_000)] for make in (fake.first_name, fake.last_name, fake.company))

    def name() -> str:
        fate = dice.random()
        if fate < 0.85:
            return f"{dice.choice(first)} {dice.choice(last)}"
        return dice.choice(firms) if fate < 0.95 else dice.choice(CALLED)

    return [[name() for _ in range(contacts)] for _ in range(phones)]


def slip(text: str, dice: random.Random) -> str:
    """The text with a letter changed, left out, put in, or swapped with the next."""
    at, letter = dice.randrange(len(text) - 1), dice.choice(string.ascii_lowercase)
    two = text[at : at + 2]
    return text[:at] + dice.choice((letter + two[1], two[1], letter + two, two[::-1])) + text[at + 2 :]


def said(name: str, dice: random.Random) -> str:
    """One way to say a name, as often as speakers choose it."""
    words, fate = name.split(), dice.random()
    ways: list[tuple[float, Callable[[], str]]] = [
        (0.25, lambda: name),
        (0.40, lambda: words[0]),
        (0.48, lambda: words[-1]),
        (0.70, lambda: slip(name, dice)),
        (0.80, lambda: slip(slip(name, dice), dice)),
        (0.86, lambda: " ".join(reversed(words))),
        (0.93, lambda: f"{words[0][0]} {words[-1]}"),
        (1.00, lambda: name[: max(3, int(len(name) * 0.7))]),
    ]
    return next(way() for share, way in ways if fate < share)


def plain(text: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in text.lower()).split())


def phone(book: list[str]) -> DeviceContext:
    contacts = tuple(Contact(f"c{at}", name) for at, name in enumerate(book))
    return DeviceContext(datetime(2026, 1, 1, tzinfo=UTC), "UTC", "en_US", contacts=contacts)


def ready(book: list[str]) -> EvidenceOnPhone:
    """The resolver on a phone, its names indexed."""
    on = RESOLVER.on(phone(book))
    on.columns(CONTACT, ["warm"])
    return on


def seconds(*jobs: Callable[[], object]) -> list[float]:
    """The medians of what jobs take in turns, so that all see the same machine."""
    times: list[list[float]] = [[] for _ in jobs]
    gc.disable()
    try:
        for _ in range(ROUNDS):
            for job, taken in zip(jobs, times, strict=True):
                start = time.perf_counter()
                job()
                taken.append(time.perf_counter() - start)
    finally:
        gc.enable()
    return [*map(statistics.median, times)]


def median_seconds(job: Callable[[], object]) -> float:
    """The median of what a job takes."""
    return seconds(job)[0]


def test_batches_are_quicker_than_the_wratio_loop_and_right_more_often(benchmark: BenchmarkFixture) -> None:
    dice, listed = random.Random(2), books(PHONES, CONTACTS)
    asked = [[(dice.randrange(CONTACTS), dice) for _ in range(HINTS)] for _ in listed]
    meant = [[at for at, _ in one] for one in asked]
    hints = [[plain(said(book[at], dice)) for at in one] for book, one in zip(listed, meant, strict=True)]
    names, phones = [[plain(name) for name in book] for book in listed], [*map(ready, listed)]

    def ours() -> list[list[int]]:
        return [on.columns(CONTACT, one).best.tolist() for on, one in zip(phones, hints, strict=True)]

    def theirs() -> list[list[int]]:
        return [
            [process.extractOne(hint, book, scorer=fuzz.WRatio)[2] for hint in one]
            for book, one in zip(names, hints, strict=True)
        ]

    def right(answers: list[list[int]]) -> int:
        return sum(
            best >= 0 and book[best] == book[at]
            for book, found, one in zip(names, answers, meant, strict=True)
            for best, at in zip(found, one, strict=True)
        )

    mine, peers = seconds(ours, theirs)
    benchmark.pedantic(ours, rounds=1)
    benchmark.extra_info |= {
        "times as quick as the WRatio loop (wanted: 8)": round(peers / mine, 1),
        "ns a pair": round(mine / PHONES / HINTS / CONTACTS * 1e9),
        "right, of both": (right(ours()), right(theirs()), PHONES * HINTS),
    }
    assert right(ours()) > right(theirs())
    assert peers / mine >= 5, f"{peers / mine:.1f} times as quick as the WRatio loop"


@pytest.mark.parametrize(("contacts", "wanted", "least"), [(300, 2.5, 1.8), (5_000, 8, 8)])
def test_one_hint_is_quicker_than_the_two_best_by_wratio(
    benchmark: BenchmarkFixture, contacts: int, wanted: float, least: float
) -> None:
    (book,), dice = books(1, contacts), random.Random(3)
    hints = [plain(said(dice.choice(book), dice)) for _ in range(100)]
    names, on = [plain(name) for name in book], ready(book)
    parameters = [Parameter("it", CONTACT, hint) for hint in hints]

    def ours() -> None:
        for parameter in parameters:
            on.resolve(parameter, "call")

    mine, peers = seconds(ours, lambda: [process.extract(hint, names, scorer=fuzz.WRatio, limit=2) for hint in hints])
    benchmark.pedantic(ours, rounds=1)
    benchmark.extra_info |= {
        f"times as quick as extract(limit=2) (wanted: {wanted})": round(peers / mine, 1),
        "µs": round(mine / len(hints) * 1e6),
    }
    assert peers / mine >= least, f"{peers / mine:.1f} times as quick as extract(limit=2)"


def test_a_phone_of_two_thousand_contacts_is_indexed(benchmark: BenchmarkFixture) -> None:
    (book,) = books(1, 2_000)
    device, names = phone(book), [plain(name) for name in book]

    def indexed() -> object:
        return RESOLVER.on(device).of(CONTACT)

    def passes() -> None:
        for name in names[:20]:
            process.extractOne(name[::-1], names, scorer=fuzz.WRatio)

    indexed()
    mine, peers = seconds(indexed, passes)
    benchmark.pedantic(indexed, rounds=1)
    benchmark.extra_info |= {"ms (wanted: 20)": round(mine * 1e3, 1), "passes of WRatio": round(20 * mine / peers, 1)}
    assert mine < 2 * peers, f"{mine * 1e3:.0f} ms, {20 * mine / peers:.0f} passes of WRatio over the same names"
