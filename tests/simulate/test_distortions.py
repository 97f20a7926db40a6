from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from starebrain.simulate.distortions import SOUNDS, fold, latin, misheard, slipped, slug, sound, undotted

READINGS = {"太郎": "Taro"}
names = st.sampled_from(
    (
        "Katherine Meyer",
        "Jürgen Groß",
        "José Álvarez",
        "François Lefèvre",
        "João Gonçalves",
        "Михаил Фёдоров",
        "Anna-Lena",
    )
) | st.text(st.characters(codec="utf-8"), max_size=20)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("  Anna   SCHMIDT ", "anna schmidt"),
        ("José Álvarez", "jose alvarez"),
        ("Groß", "gross"),
        ("O'Brien-Smith, Jr.", "o brien smith jr"),
        ("Mike (plumber) 🎸", "mike plumber"),
        ("Фёдор", "федор"),
        ("ガ", "ガ"),
        ("山田太郎", "山田太郎"),
        ("👨‍👩‍👧", ""),
        ("", ""),
    ],
)
def test_fold(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(text=names)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("José Álvarez", "jose alvarez"),
        ("Jürgen Groß", "jurgen groß"),
        ("Андрей Йод", "андрей йод"),
        ("がくと", "がくと"),
    ],
)
def test_undotted(text: str, typed: str) -> None:
    assert undotted(text) == typed


@pytest.mark.parametrize(
    ("text", "scheme", "written"),
    [
        ("Наталья Иванова", 0, "Natalya Ivanova"),
        ("Наталья Иванова", 1, "Natalia Ivanova"),
        ("Юрий Щукин", 0, "Yuriy Shchukin"),
        ("太郎", 0, "Taro"),
        ("Anna", 0, "Anna"),
    ],
)
def test_latin(text: str, scheme: int, written: str) -> None:
    assert latin(text, READINGS, scheme) == written


@pytest.mark.parametrize(
    ("text", "spelled"), [("Groß", "gross"), ("O'Brien", "obrien"), ("Łukasz", "lukasz"), ("太郎", "")]
)
def test_slug(text: str, spelled: str) -> None:
    assert slug(text) == spelled


@given(text=names, seed=st.integers(0, 99))
def test_a_slip_is_one_edit_that_can_be_seen(text: str, seed: int) -> None:
    hint = slipped(text, random.Random(seed).choice)
    if hint is not None:
        assert OSA.distance(text, hint) == 1
        assert fold(hint) != fold(text)
        assert hint[:1] == text[:1]


@pytest.mark.parametrize("text", ["Jo", "太郎", "123", "", "A B C"])
def test_what_cannot_slip_does_not(text: str) -> None:
    assert slipped(text, random.Random(1).choice) is None


@pytest.mark.parametrize(
    ("a", "b", "language"),
    [
        ("Meyer", "Maier", "de"),
        ("Philipp", "Filip", "en"),
        ("Katherine", "Catherine", "en"),
        ("Vasques", "Bazkez", "es"),
    ],
)
def test_what_sounds_alike(a: str, b: str, language: str) -> None:
    assert sound(a, language) == sound(b, language)


@pytest.mark.parametrize(
    ("a", "b", "language"), [("Anna", "Hanna", "de"), ("Tom", "Tim", "en"), ("Rosa", "Rose", "fr")]
)
def test_what_does_not(a: str, b: str, language: str) -> None:
    assert sound(a, language) != sound(b, language)


@given(text=names, seed=st.integers(0, 99), language=st.sampled_from((*SOUNDS, "ja")))
def test_what_is_misheard_sounds_the_same_and_is_written_otherwise(text: str, seed: int, language: str) -> None:
    hint = misheard(text, language, random.Random(seed).choice)
    if hint is not None:
        assert sound(hint, language) == sound(text, language)
        assert fold(hint) != fold(text)


def test_japanese_has_no_table_of_sounds() -> None:
    assert sound("太郎", "ja") == ""
    assert misheard("太郎", "ja", random.Random(1).choice) is None
