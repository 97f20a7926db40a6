from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starebrain.benchmarks.labels import Fitting, family_of, words_of

NAMES = ("John", "John Doe", "Jane Doe", "Los Angeles", "La Mesa", "Café Müller", "")


@pytest.mark.parametrize(
    ("hint", "intended", "meant", "expected"),
    [
        ("john", "John", (), ["John"]),
        ("JOHN", "John Doe", (), ["John", "John Doe"]),
        ("doe", "Jane Doe", (), ["Jane Doe", "John Doe"]),
        ("doe john", "John Doe", (), ["John Doe"]),
        ("la", "Los Angeles", ("Los Angeles",), ["Los Angeles"]),
        ("la", "La Mesa", ("Los Angeles",), ["La Mesa"]),
        ("la", None, (), ["La Mesa"]),
        ("jon", "John", ("John", "Jane Doe"), ["Jane Doe", "John"]),
        ("jon", "John", (), ["John"]),
        ("nobody", None, (), []),
        ("café müller!", "Café Müller", (), ["Café Müller"]),
        ("", None, (), [""]),
        ("...", "John", (), ["", "John"]),
    ],
)
def test_what_fits_equally_well(hint: str, intended: str | None, meant: tuple[str, ...], expected: list[str]) -> None:
    at = [] if intended is None else [NAMES.index(intended)]
    got = Fitting(NAMES).fits(hint, at, [NAMES.index(name) for name in meant])
    assert sorted(NAMES[i] for i in got) == sorted(expected)


@pytest.mark.parametrize(
    ("hint", "name", "family"),
    [
        ("John doe", "john Doe", "same_words"),
        ("doe", "John Doe", "fewer_words"),
        ("Napa, CA", "Napa", "more_words"),
        ("LA", "Los Angeles", "other_words"),
    ],
)
def test_how_a_hint_refers_to_a_name(hint: str, name: str, family: str) -> None:
    assert family_of(hint, name) == family


@given(st.lists(st.text(max_size=12), max_size=8), st.text(max_size=12), st.integers(0, 7))
def test_what_is_meant_always_fits(names: list[str], hint: str, at: int) -> None:
    intended = {at} if at < len(names) else set()
    got = Fitting(names).fits(hint, intended)
    assert list(got) == sorted(set(got))
    assert intended <= set(got)
    assert all(0 <= i < len(names) for i in got)


def test_words_know_no_case_and_no_punctuation() -> None:
    assert words_of("O'Neil, STRASSE-7 (straße)") == ("o", "neil", "strasse", "7", "strasse")
