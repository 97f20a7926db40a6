from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starebrain.matching.text import digraph_words, mixes_scripts, skeleton, sound, words

FOLDED = (
    ("Mom", "mom"),
    ("  MOM ", "mom"),
    ("Sarah O'Neil", "sarah oneil"),
    ("Siobhan O’Brien", "siobhan obrien"),
    ("José Álvarez", "jose alvarez"),
    ("O\u0308zlem", "ozlem"),
    ("Łukasz", "lukasz"),
    ("Øystein Đorđe", "oystein dorde"),
    ("Straße", "strasse"),
    ("Gökhan Işık", "gokhan isik"),
    ("İstanbul", "istanbul"),
    ("Jean-Paul", "jean paul"),
    ("Jean‑Paul – Dubois", "jean paul dubois"),
    ("🍕 Tony's Pizza", "tonys pizza"),
    ("Familie 👨‍👩‍👧", "familie"),
    ("\u202eMom\u200b", "mom"),
    ("Ma\u00adma", "mama"),
    ("Mike (plumber)", "mike plumber"),
    ("Наталья Иванова", "natalya ivanova"),
    ("李小龙", "li xiao long"),
    ("Ａｌｉｃｅ", "alice"),
    ("Nguyễn Văn An", "nguyen van an"),
    ("Gym - Downtown", "gym downtown"),
    ("\x00\x1b[31m", "31m"),
    ("\ud800", ""),
    ("🍕", ""),
    ("", ""),
    ("...", ""),
)


@pytest.mark.parametrize(("text", "folded"), FOLDED)
def test_words(text: str, folded: str) -> None:
    assert " ".join(words(text)) == folded


@pytest.mark.parametrize(
    ("text", "spelled"), [("Jürgen Müller", "juergen mueller"), ("Ærø", "aeroe"), ("José", ""), ("Mom", "")]
)
def test_umlauts_are_spelled_out(text: str, spelled: str) -> None:
    assert " ".join(digraph_words(text)) == spelled


@given(st.text(max_size=60))
def test_words_are_plain_and_stay_as_they_are(text: str) -> None:
    said = words(text)
    assert all(word.isascii() and word.isalnum() and word == word.lower() for word in said)
    assert words(" ".join(said)) == said


@given(st.text(alphabet=st.characters(exclude_categories=["L", "N", "M"]), max_size=20))
def test_without_letters_nothing_was_said(text: str) -> None:
    assert [word for word in words(text) if not word.isdigit()] == [] or not text.isascii()


@pytest.mark.parametrize(("a", "b"), [("smith", "smythe"), ("catherine", "kathryn"), ("shelly", "shelley")])
def test_names_that_sound_alike(a: str, b: str) -> None:
    assert sound(a) == sound(b) != ""


@pytest.mark.parametrize("word", ["李", "", "2", "aa"])
def test_no_sound_is_no_code(word: str) -> None:
    assert sound(word) == ""


@pytest.mark.parametrize("other", ["Аlice Green", "A1ice Green", "AIice Green", "ALICE GREEN", "Alice  Green"])
def test_look_alikes_share_a_skeleton(other: str) -> None:
    assert skeleton(other) == skeleton("Alice Green")


@pytest.mark.parametrize("other", ["Alina Green", "Alice Greer", "Натали"])
def test_other_names_do_not(other: str) -> None:
    assert skeleton(other) != skeleton("Alice Green")


@pytest.mark.parametrize(
    ("text", "mixed"), [("Аlice", True), ("Αlex", True), ("Alice", False), ("Иван", False), ("Иван Smith", False)]
)
def test_mixed_scripts(text: str, mixed: bool) -> None:
    assert mixes_scripts(text) is mixed
