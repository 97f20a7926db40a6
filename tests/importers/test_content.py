from __future__ import annotations

import base64
import quopri
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starebrain.importers.content import ContentLine, Unreadable, content_lines, split, unescape


def read(text: str | bytes) -> list[ContentLine | Unreadable]:
    return list(content_lines(iter([text.encode() if isinstance(text, str) else text])))


def one(text: str | bytes) -> ContentLine:
    (line,) = read(text)
    assert isinstance(line, ContentLine)
    return line


@pytest.mark.parametrize(
    ("text", "name", "params", "value"),
    [
        ("FN:Ana", "FN", {}, "Ana"),
        ("fn:Ana", "FN", {}, "Ana"),
        ("TEL;HOME;VOICE:1", "TEL", {"TYPE": ("HOME", "VOICE")}, "1"),
        ("TEL;TYPE=home,cell;TYPE=voice:1", "TEL", {"TYPE": ("home", "cell", "voice")}, "1"),
        ('TEL;TYPE="home,cell":1', "TEL", {"TYPE": ("home,cell",)}, "1"),
        ('X;A="b:c;d":v:w', "X", {"A": ("b:c;d",)}, "v:w"),
        ("X;A=b^nc^'d^^e:v", "X", {"A": ('b\nc"d^e',)}, "v"),
        ("X ; A = b :v", "X", {"A": ("b",)}, "v"),
        ("X;:v", "X", {}, "v"),
        ("X;A=:v", "X", {"A": ()}, "v"),
        ("X_LOTUS_NAME:v", "X-LOTUS-NAME", {}, "v"),
        ("URL:http://x.example/a;b", "URL", {}, "http://x.example/a;b"),
        ("FN:", "FN", {}, ""),
        ("N;ENCODING=QUOTED-PRINTABLE:=41=6E=61", "N", {"ENCODING": ("QUOTED-PRINTABLE",)}, "Ana"),
        ("N;QUOTED-PRINTABLE;CHARSET=iso-8859-1:Jos=E9", "N", None, "José"),
        ("FN;CHARSET=ISO-8859-1;ENCODING=b:Sm9z6Q==", "FN", None, "José"),
        ("PHOTO;ENCODING=b;TYPE=JPEG:////", "PHOTO", None, "binary"),
    ],
)
def test_a_line_is_taken_apart(text: str, name: str, params: dict[str, tuple[str, ...]] | None, value: str) -> None:
    line = one(text)
    assert (line.number, line.name, line.value) == (1, name, value)
    assert params is None or dict(line.params) == params


def test_a_group_stands_in_front_of_the_name() -> None:
    assert (one("item1.X-ABLabel:x").group, one("item1.X-ABLabel:x").name) == ("item1", "X-ABLABEL")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("NOTE:ab\r\n cd\r\n  ef", "abcd ef"),
        ("NOTE:ab\n\tcd", "abcd"),
        ("NOTE:ab\n \n cd", "abcd"),
        ("NOTE;X=\n y:z", "z"),
        ("NOTE:a\nVERSION:2.1\nNOTE:drive\n ;town", "drive ;town"),
        ("NOTE:a\nVERSION:3.0\nNOTE:dri\n ve", "drive"),
        ("NOTE;ENCODING=QUOTED-PRINTABLE:a=\nb=\nc", "abc"),
        ("NOTE;ENCODING=QUOTED-PRINTABLE:a=20=\n =20b", "a   b"),
        ("NOTE;QUOTED-PRINTABLE:=41=\n=42\n=43", "ABC"),
        ("NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:=C3=\n=91", "Ñ"),
        ("NOTE;ENCODING=BASE64:\nQW5h\nIEFzaA==\n", "Ana Ash"),
        ("NOTE;BASE64:QW5h\n  IEFzaA==\n\n", "Ana Ash"),
    ],
)
def test_folded_lines_are_joined(text: str, value: str) -> None:
    last = read(text)[-1]
    assert isinstance(last, ContentLine)
    assert last.value == value


def test_a_character_may_be_folded_in_the_middle_of_its_bytes() -> None:
    assert one(b"FN:Zo\xc3\n \xab").value == "Zoë"


def test_a_byte_order_mark_between_files_strung_together_is_dropped() -> None:
    assert [line.number for line in read(b"FN:a\n\xef\xbb\xbfFN:b\n") if isinstance(line, ContentLine)] == [1, 2]


def test_a_soft_break_does_not_swallow_the_end_of_a_card() -> None:
    names = [line.name for line in read("NOTE;QUOTED-PRINTABLE:a=\nEND:VCARD") if isinstance(line, ContentLine)]
    assert names == ["NOTE", "END"]


@pytest.mark.parametrize(
    ("text", "number", "reason"),
    [
        ("FN:a\njust words", 2, "is no property: it has no colon"),
        ("FN:a\n\nMr. Ash: hello", 3, "is no property: it begins with no property name"),
        ("FN:a\nKEY;ENCODING=b:QW5h\nNOTE;ENCODING=b:!!", 3, "is declared as base64 and is not"),
    ],
)
def test_a_line_that_is_no_property_is_named(text: str, number: int, reason: str) -> None:
    last = read(text)[-1]
    assert isinstance(last, Unreadable)
    assert (last.number, last.reason) == (number, reason)


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ('X;A="b:c', "has a quotation mark that is not closed"),
        ("X;CHARSET=rot13:nan", "declares a character set that is not known; read as UTF-8"),
        (b"X:Jos\xe9", "is not written in UTF-8; read as Windows-1252"),
    ],
)
def test_a_line_that_can_be_read_in_part_is_doubted(text: str | bytes, doubt: str) -> None:
    assert one(text).doubt == doubt


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (r"a\nb\,c\;d\\e\:f", "a\nb,c;d\\e:f"),
        (r"C:\temp", r"C:\temp"),
        ("a\\", "a\\"),
        (r"\\n", r"\n"),
    ],
)
def test_backslashes_are_resolved(text: str, plain: str) -> None:
    assert unescape(text) == plain


@pytest.mark.parametrize(
    ("value", "fields"),
    [
        ("Ash;Ana;;;", ["Ash", "Ana", "", "", ""]),
        (r"a\;b;c\\;d", ["a;b", "c\\", "d"]),
        ("", [""]),
        (" a ; b ", ["a", "b"]),
    ],
)
def test_structured_values_are_split_where_nothing_escapes_it(value: str, fields: list[str]) -> None:
    assert split(value) == fields


NOTES = st.text(st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\x85\u2028\u2029"))


@given(NOTES)
def test_quoted_printable_and_base64_give_back_what_was_written(text: str) -> None:
    coded = quopri.encodestring(text.encode(), quotetabs=True).decode()
    assert one(f"NOTE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:{coded}").value == text
    lines = base64.encodebytes(text.encode()).decode().replace("\n", "\n ")
    assert one(f"NOTE;CHARSET=UTF-8;ENCODING=B:{lines}").value == text


@given(NOTES, st.integers(1, 20))
def test_folding_anywhere_gives_back_what_was_written(text: str, width: int) -> None:
    data = f"NOTE:{text}".encode()
    folded = b"\r\n ".join([data[:6], *(data[at : at + width] for at in range(6, len(data), width))])
    assert one(folded).value == text


@given(st.binary(max_size=300))
def test_every_line_of_anything_comes_out_as_something(data: bytes) -> None:
    for line in read(data):
        assert line.number >= 1


@pytest.mark.parametrize(
    "data",
    [
        b"TEL;TYPE=" + b"a," * 300_000 + b'"',
        b"TEL" + b';a="b' * 200_001 + b":",
        b"TEL;QUOTED-PRINTABLE;x=" + b"\n =" * 200_000,
        b"TEL;BASE64:" + b"\nAAAA" * 200_000,
        b"TEL:" + b"\\;" * 300_000,
        b"TEL:x" + b"\n " * 200_000,
    ],
    ids=["commas", "quotes", "folded header", "base64", "escapes", "blank folds"],
)
def test_reading_takes_time_linear_in_the_length(data: bytes) -> None:
    begin = time.process_time()
    assert read(data)
    assert time.process_time() - begin < 2, "a quadratic reader takes minutes, an exponential one for ever"
