from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from starebrain.errors import InvalidInput
from starebrain.importers import source
from starebrain.importers.source import TOO_LONG, decode, opened, physical_lines
from tests.importers.files import write


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"a\nb\n", [(1, b"a"), (2, b"b")]),
        (b"a\r\nb", [(1, b"a"), (2, b"b")]),
        (b"a\rb\r", [(1, b"a"), (2, b"b")]),
        (b"a\r\r\nb\n", [(1, b"a"), (2, b"b")]),
        (b"a\rb\nc\n", [(1, b"a"), (1, b"b"), (2, b"c")]),
        (b"\n\na", [(1, b""), (2, b""), (3, b"a")]),
        (b"", []),
    ],
)
@pytest.mark.parametrize("size", [1, 2, 1000])
def test_lines_carry_the_number_that_an_editor_shows(content: bytes, lines: list[tuple[int, bytes]], size: int) -> None:
    if b"\r" in content and b"\n" in content:
        size = 1000  # which end a line has shows in the first piece, which is 64 KiB
    pieces = [content[at : at + size] for at in range(0, len(content), size)]
    assert list(physical_lines(iter(pieces))) == lines


def test_a_line_without_an_end_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MAX_LINE", 10)
    got = list(physical_lines(iter([b"a\n", b"b" * 8, b"b" * 8, b"b" * 8, b"\nc\n"])))
    assert got == [(1, b"a"), (2, TOO_LONG), (3, b"c")]


@pytest.mark.parametrize(
    ("data", "charset", "text", "doubt"),
    [
        ("Zoë".encode(), None, "Zoë", None),
        ("Zoë".encode("latin-1"), None, "Zoë", "is not written in UTF-8; read as Windows-1252"),
        ("Zoë".encode("latin-1"), "iso-8859-1", "Zoë", None),
        ("Жан".encode("koi8-r"), "koi8-r", "Жан", None),
        ("Zoë".encode(), "shift_jis", "Zoﾃｫ", None),
        ("Zoë Ünal".encode(), "us-ascii", "Zoë Ünal", "is not written in us-ascii; read as UTF-8"),
        ("ñññ".encode() + b"\x80", None, "ñññ\ufffd", "has bytes that are not UTF-8; they show as \ufffd"),
    ],
)
def test_text_is_read_in_its_declared_character_set_or_doubted(
    data: bytes, charset: str | None, text: str, doubt: str | None
) -> None:
    assert decode(data, charset) == (text, doubt)


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + b"BEGIN:VCARD\n",
        "\ufeffBEGIN:VCARD\n".encode("utf-16-le"),
        "\ufeffBEGIN:VCARD\n".encode("utf-16-be"),
        "BEGIN:VCARD\n".encode("utf-16-le"),
        "BEGIN:VCARD\n".encode("utf-16-be"),
    ],
)
def test_byte_order_marks_and_utf_16_arrive_as_plain_utf_8(tmp_path: Path, data: bytes) -> None:
    with opened(write(tmp_path, "a.vcf", data)) as got:
        assert got.head == b"BEGIN:VCARD\n"
        assert b"".join(got.pieces()) == b"BEGIN:VCARD\n"


def test_a_file_longer_than_its_head_is_read_whole(tmp_path: Path) -> None:
    content = bytes(range(256)) * 1000
    with opened(write(tmp_path, "a", content)) as got:
        assert len(got.head) == source.HEAD
        assert b"".join(got.pieces()) == content


@pytest.mark.parametrize("content", [b"", b" \r\n\t\n", codecs.BOM_UTF8, b"\0" * 50])
def test_an_empty_file_is_refused(tmp_path: Path, content: bytes) -> None:
    with (
        pytest.raises(InvalidInput, match=r"a\.vcf: the file is empty\. Export it again"),
        opened(write(tmp_path, "a.vcf", content)),
    ):
        pass


def test_a_file_that_is_not_there_or_a_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="there is no such file"), opened(tmp_path / "none.vcf"):
        pass
    with pytest.raises(InvalidInput, match="this is a directory"), opened(tmp_path):
        pass
