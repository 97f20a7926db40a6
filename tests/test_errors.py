from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starebrain.errors import LONGEST, InvalidInput, MissingData, StarebrainError, printable, require, require_instant
from tests.strategies import HOSTILE


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (StarebrainError("it broke"), "it broke"),
        (InvalidInput("it broke.", remedy="Mend it."), "it broke. Mend it."),
        (InvalidInput(".vcf breaks", remedy="Mend it."), ".vcf breaks. Mend it."),
        (InvalidInput("it broke", file="a.json", place="x[3]"), "a.json: x[3]: it broke"),
        (InvalidInput("it broke", place="x[3]", remedy="Mend it."), "x[3]: it broke. Mend it."),
        (MissingData("no data\nhere", file="b\u202e"), "b\\u202e: no data\\nhere"),
    ],
)
def test_a_message_reads_file_place_fact_remedy(error: StarebrainError, message: str) -> None:
    assert str(error) == message


def test_invalid_input_is_a_value_error_for_those_who_catch_that() -> None:
    assert issubclass(InvalidInput, ValueError)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Zoë Müller", "Zoë Müller"),
        ("山田\u3000太郎", "山田\u3000太郎"),
        ("مريم", "مريم"),
        ("a\u00a0b", "a\u00a0b"),
        ("a\nb\t\x1b[31m\x7f", "a\\nb\\t\\x1b[31m\\x7f"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("a\u2028b\x85c\u200bd\ufeff", "a\\u2028b\\x85c\\u200bd\\ufeff"),
        ("\ud800x", "\\ud800x"),
        ("\U000e0041", "\\U000e0041"),
        ("👩", "👩"),
    ],
)
def test_printable_escapes_what_a_terminal_would_obey(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text(st.characters()) | st.sampled_from(HOSTILE))
def test_printable_is_one_line_that_can_be_written_and_repeats(text: str) -> None:
    shown = printable(text)
    assert len(shown.splitlines()) <= 1
    assert printable(shown) == shown
    shown.encode()


@given(st.sampled_from(HOSTILE))
def test_quoted_text_is_cut_to_a_readable_length(text: str) -> None:
    message = str(InvalidInput(f"{text!r} is no name", file=text, place=text, remedy="Mend it."))
    assert len(message) < 4 * 6 * LONGEST
    assert message.endswith("is no name. Mend it.")
    assert printable(message) == message


def test_the_middle_of_a_long_part_is_left_out() -> None:
    assert str(InvalidInput("x" * LONGEST)) == "x" * LONGEST
    assert str(InvalidInput("a" * 200 + "b" * 2 + "c" * 99)) == "a" * 200 + "…" + "c" * 99


def test_require_names_place_and_fact() -> None:
    require(True, "x", "never said")
    with pytest.raises(InvalidInput) as caught:
        require(False, "x", "the fact")
    assert (caught.value.place, caught.value.fact) == ("x", "the fact")


@pytest.mark.parametrize(
    ("instant", "fact"),
    [
        (datetime(2026, 11, 5), "2026-11-05T00:00:00 has no offset"),
        (datetime.min.replace(tzinfo=UTC), "0001-01-01T00:00:00+00:00 is outside the years 2 to 9998"),
        (datetime(9999, 1, 1, tzinfo=UTC), "9999-01-01T00:00:00+00:00 is outside the years 2 to 9998"),
    ],
)
def test_an_instant_has_an_offset_and_can_be_shown_in_every_zone(instant: datetime, fact: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        require_instant(instant, "at")
    assert (caught.value.place, caught.value.fact) == ("at", fact)
    assert (caught.value.remedy == "Write instants as 2026-11-05T09:30:00-05:00.") == fact.endswith("no offset")


@pytest.mark.parametrize("instant", [None, datetime(2, 1, 1, tzinfo=UTC), datetime(9998, 12, 31, tzinfo=UTC)])
def test_no_instant_and_every_other_instant_is_fine(instant: datetime | None) -> None:
    require_instant(instant, "at")
