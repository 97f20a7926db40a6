"""One file to import: read once from front to back, in pieces, whatever its size and encoding."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from starebrain.errors import InvalidInput

HEAD = 64 * 1024
"""Bytes at the front of a file in which its format must show."""

PIECE = 1024 * 1024
"""Bytes read at a time."""

MAX_LINE = 16 * 1024 * 1024
"""A longer line is dropped, and named: contact photos on one line stay well below."""

MAX_BYTES = 256 * 1024 * 1024
"""A larger file is refused where its format cannot be read in pieces (JSON)."""

TOO_LONG = b"\0too long"
"""What `physical_lines` gives for a line of more than `MAX_LINE` bytes."""


class Source:
    """A file under way: `file` as errors name it, `label` as ids name it (the file's own name, without its folder).

    `head` is its first `HEAD` bytes, `pieces` gives all of it. UTF-16 arrives as UTF-8; a byte-order mark is dropped.
    """

    def __init__(self, path: Path, label: str, stream: BinaryIO) -> None:
        self.path, self.file, self.label = path, str(path), label
        self._stream = stream
        self._raw = stream.read(HEAD)
        self._sixteen = _sixteen_bits(self._raw)
        self.head = b"".join(self._decoded(iter((self._raw,)), whole=False))

    @property
    def encoding(self) -> str | None:
        """``utf-8`` where the bytes of `pieces` are not as in the file, whatever it declares."""
        return "utf-8" if self._sixteen else None

    def pieces(self) -> Iterator[bytes]:
        """The bytes of the file; to be asked for once."""
        return self._decoded(self._raw_pieces(), whole=True)

    def text(self) -> tuple[str, str | None]:
        """The whole text, and a doubt where it is not UTF-8; `InvalidInput` above `MAX_BYTES`."""
        pieces, size = [], 0
        for piece in self.pieces():
            pieces.append(piece)
            size += len(piece)
            if size > MAX_BYTES:
                raise InvalidInput(
                    f"the file has more than {MAX_BYTES:,} bytes",
                    file=self.file,
                    remedy="Split it, or leave parts out.",
                )
        return decode(b"".join(pieces))

    def _raw_pieces(self) -> Iterator[bytes]:
        yield self._raw
        while piece := self._stream.read(PIECE):
            yield piece

    def _decoded(self, pieces: Iterator[bytes], whole: bool) -> Iterator[bytes]:
        if self._sixteen is None:
            first = next(pieces, b"")
            yield first.removeprefix(codecs.BOM_UTF8)
            yield from pieces
            return
        decoder = codecs.getincrementaldecoder(self._sixteen)("replace")
        for piece in pieces:
            yield decoder.decode(piece).encode("utf-8", "replace")
        if whole:
            yield decoder.decode(b"", final=True).encode("utf-8", "replace")


@contextmanager
def opened(path: str | Path, label: str | None = None) -> Iterator[Source]:
    """The `Source` of a file that is there and not empty; `InvalidInput` otherwise."""
    path = Path(path)
    try:
        stream = path.open("rb")
    except FileNotFoundError:
        raise InvalidInput("there is no such file", file=path, remedy="Check the path.") from None
    except IsADirectoryError:
        raise InvalidInput("this is a directory", file=path, remedy="Name the files in it.") from None
    except (OSError, ValueError) as error:
        raise InvalidInput(
            f"the file cannot be read ({getattr(error, 'strerror', None) or error})", file=path
        ) from None
    with stream:
        source = Source(path, label or path.name, stream)
        if not source.head.strip(b"\0 \t\r\n"):
            fact = "the file is empty" if len(source.head) < HEAD else "the file begins with blanks only"
            raise InvalidInput(fact, file=path, remedy="Export it again from the phone.")
        yield source


def physical_lines(pieces: Iterator[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines of a file, each with its number as an editor counts, without their ends.

    A line ends at a line feed; in a file without any (an old Macintosh's) at a carriage return. Carriage returns inside
    a line break it too, under the same number. A line of more than `MAX_LINE` bytes comes as `TOO_LONG`.
    """
    rest, number, end, skipping = b"", 0, b"", False
    for piece in pieces:
        end = end or (b"\n" if b"\n" in piece else b"\r" if b"\r" in piece else b"")
        lines = (rest + piece).split(end) if end else [rest + piece]
        rest = lines.pop()
        for line in lines:
            number += 1
            yield from ((number, part) for part in ([TOO_LONG] if skipping else _parts(line)))
            skipping = False
        if len(rest) > MAX_LINE:
            rest, skipping = b"", True
    if rest or skipping:
        yield from ((number + 1, part) for part in ([TOO_LONG] if skipping else _parts(rest)))


def decode(data: bytes, charset: str | None = None) -> tuple[str, str | None]:
    """Text in its declared character set, UTF-8 by default, and a doubt where it is not written in it.

    What is neither is read as UTF-8 with replacement characters where most of what is not ASCII fits UTF-8, and as
    Windows-1252 otherwise.
    """
    for codec in (charset, "utf-8"):
        try:
            if codec:
                text = data.decode(codec)
                return text, None if codec == (charset or "utf-8") else f"is not written in {charset}; read as UTF-8"
        except UnicodeDecodeError:
            pass
    name = charset or "UTF-8"
    text = data.decode("utf-8", "replace")
    broken = text.count("\N{REPLACEMENT CHARACTER}")
    if 2 * broken < sum(character > "\x7f" for character in text):
        return text, f"has bytes that are not {name}; they show as \N{REPLACEMENT CHARACTER}"
    return data.decode("cp1252", "replace"), f"is not written in {name}; read as Windows-1252"


def _parts(line: bytes) -> list[bytes]:
    line = line.rstrip(b"\r")
    if len(line) > MAX_LINE:
        return [TOO_LONG]
    return re.split(rb"[\r\n]+", line)


def _sixteen_bits(head: bytes) -> str | None:
    """The codec of UTF-16 text: by its byte-order mark, or by every other byte being zero."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    sample = head[:64]
    if len(sample) < 8 or len(sample) % 2:
        return None
    if not any(sample[1::2]) and all(sample[::2]):
        return "utf-16-le"
    if not any(sample[::2]) and all(sample[1::2]):
        return "utf-16-be"
    return None
