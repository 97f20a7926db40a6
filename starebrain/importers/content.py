"""The lines that vCard and iCalendar are made of: ``GROUP.NAME;PARAM=VALUE:VALUE``, folded over physical lines.

Read by hand for two measured reasons. vobject 0.9.9 takes time exponential in the commas of a line that it cannot read
(0.08 s at 18, 0.3 s at 20, four times as long for every two more) and gives up a whole Android export over one photo;
icalendar 7.3 refuses the bare parameters of vCard 2.1 and knows no quoted-printable. Reading here takes time linear in
the length of a line, and gives each line its number in the file.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from starebrain.importers.source import MAX_LINE, TOO_LONG, decode, physical_lines

BINARY = frozenset(("PHOTO", "LOGO", "SOUND", "KEY", "ATTACH", "IMAGE", "X-MS-CARDPICTURE", "X-WAB-RESERVED"))
"""Properties whose base64 value is no text; it is not kept ("binary" stands in its place)."""

CHARSETS = re.compile(
    r"utf-?8|utf-16(?:le|be)?|(?:us-)?ascii|ansi|latin-?1|iso-8859-[0-9]{1,2}|(?:windows-|cp)(?:874|125[0-8]|437|85[02]|866)"
    r"|koi8-[ru]|mac(?:intosh|-roman)|gb2312|gbk|gb18030|big5|euc-(?:jp|kr)|(?:x-s|s)jis|shift[_-]jis|iso-2022-jp"
    r"|ks_c_5601-1987|cp9(?:32|36|49|50)|tis-620"
)
"""Character sets that a line may declare; Python's other codecs are no character sets, or slow."""

MAX_HEADER = 8 * 1024
"""Bytes of folds in which the colon of a property is looked for: joined again for every fold, they must be few."""

ALIASES = {"ansi": "cp1252", "x-sjis": "shift_jis", "ks_c_5601-1987": "cp949"}

_HEAD = re.compile(rb'((?:[^":]|"[^"]*+")*+):', re.DOTALL)
_NAME = re.compile(r"\s*(?:([A-Za-z0-9_-]+)\.)?([A-Za-z0-9_-]+)\s*(?=;|$)")
_PARAM = re.compile(r';\s*([^=;"]*)(?:=((?:[^";]|"[^"]*+")*+))?')
_PARAM_VALUE = re.compile(r'"([^"]*)"|([^",]+)')
_CHARSET = re.compile(rb';\s*CHARSET\s*=\s*"?([A-Za-z0-9_.:-]+)', re.IGNORECASE)
_CODED = re.compile(rb"QUOTED-PRINTABLE", re.IGNORECASE)
_BASE64 = re.compile(rb";\s*(?:ENCODING\s*=\s*)?\"?(?:BASE64|B)\"?\s*(?:;|$)", re.IGNORECASE)
_BASE64_LINE = re.compile(rb"\s*[A-Za-z0-9+/]+={0,2}\s*")
_STRUCTURE = re.compile(rb"\s*(?:BEGIN|END)\s*:", re.IGNORECASE)
_OLD = re.compile(rb"\s*VERSION\s*:\s*(?:2\.1|1\.0)\s*", re.IGNORECASE)
_CARET = re.compile(r"\^([n'^])")
_UNCARET = {"n": "\n", "'": '"', "^": "^"}
_ENCODINGS = frozenset(("QUOTED-PRINTABLE", "BASE64", "B", "8BIT", "7BIT"))


@dataclass(frozen=True, slots=True)
class ContentLine:
    """One property: `number` is its first physical line, `name` in capitals, `value` decoded but still escaped."""

    number: int
    name: str
    value: str
    params: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    group: str = ""
    doubt: str | None = None

    def param(self, name: str) -> str:
        """The first value of a parameter, or an empty text."""
        return next(iter(self.params.get(name, ())), "")


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that is no property."""

    number: int
    text: str
    reason: str


def content_lines(pieces: Iterator[bytes]) -> Iterator[ContentLine | Unreadable]:
    """The properties of a file in order; lines that are none come as `Unreadable`."""
    for number, data in _unfolded(physical_lines(pieces)):
        yield _parsed(number, data)


def unescape(text: str) -> str:
    r"""Text with ``\n``, ``\,``, ``\;``, ``\:``, ``\"`` and ``\\`` resolved; any other backslash stays."""
    return "".join(_plain(token) for token in _tokens(text)) if "\\" in text else text


def split(value: str, separator: str = ";") -> list[str]:
    """The fields of a structured value, unescaped and without blanks around them."""
    fields = [""]
    for token in _tokens(value, separator):
        if token == separator:
            fields.append("")
        else:
            fields[-1] += _plain(token)
    return [field.strip() for field in fields]


def _tokens(text: str, separator: str = "") -> list[str]:
    stop = re.escape(separator)
    return re.findall(rf"\\.?|[^\\{stop}]+|[{stop}]" if stop else r"\\.?|[^\\]+", text, re.DOTALL)


def _plain(token: str) -> str:
    if token in ("\\n", "\\N"):
        return "\n"
    return token[1:] if len(token) == 2 and token[0] == "\\" and token[1] in ',;:"\\' else token


def _unfolded(lines: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Logical lines: folds, soft breaks of quoted-printable and unfolded base64 are joined.

    A fold drops its first blank; in vCard 2.1 and vCalendar 1.0, which fold only where a blank is, it keeps one.
    """
    logical = _Logical(0, b"")
    old = False
    for number, line in lines:
        line = line.removeprefix(codecs.BOM_UTF8)  # files that were strung together have one in the middle
        if logical.takes(line, old):
            continue
        if logical.number:
            yield logical.number, logical.data
        if _STRUCTURE.match(logical.data):
            old = False
        elif _OLD.fullmatch(logical.data):
            old = True
        logical = _Logical(number, line) if line.strip() else _Logical(0, b"")
    if logical.number:
        yield logical.number, logical.data


class _Logical:
    """A logical line while it grows; number 0 where there is none (after a blank line)."""

    __slots__ = ("_data", "_parts", "_size", "number")

    def __init__(self, number: int, first: bytes) -> None:
        self.number = number
        self._parts = [first]
        self._data: bytes | None = first
        self._size = len(first)

    @property
    def data(self) -> bytes:
        if self._data is None:
            self._data = b"".join(self._parts)
            self._parts = [self._data]
        return self._data

    def takes(self, line: bytes, old: bool) -> bool:
        """Whether `line` continues this one; then it is taken in."""
        if not self.number or line is TOO_LONG or self._parts[0] is TOO_LONG:
            return False
        if self._soft() and not _STRUCTURE.match(line):
            self._parts[-1] = self._parts[-1].rstrip(b" \t")[:-1]
            return self._add(line)
        if line[:1] in (b" ", b"\t"):
            if not line.strip() and self._is(_BASE64):
                return False
            return self._add(b" " + line.lstrip() if old and not self._is(_CODED) else line[1:])
        if line[:1] == b"=" and self._is(_CODED):
            return self._add(line)
        return bool(_BASE64_LINE.fullmatch(line)) and self._is(_BASE64) and self._add(line)

    def _add(self, line: bytes) -> bool:
        self._parts.append(line)
        self._data = None
        self._size += len(line)
        if self._size > MAX_LINE:
            self._parts, self._data, self._size = [TOO_LONG], TOO_LONG, 0
        return True

    def _soft(self) -> bool:
        return self._parts[-1].rstrip(b" \t").endswith(b"=") and self._is(_CODED)

    def _is(self, coding: re.Pattern[bytes]) -> bool:
        first = self._parts[0]
        if b":" not in first and self._size <= MAX_HEADER:
            first = self.data
        header, colon, _ = first.partition(b":")
        return bool(colon) and coding.search(header) is not None


def _parsed(number: int, data: bytes) -> ContentLine | Unreadable:
    if data is TOO_LONG:
        return Unreadable(number, "", f"the line is longer than {MAX_LINE:,} bytes")
    found = _HEAD.match(data)
    head, value = (found[1], data[found.end() :]) if found else data.partition(b":")[::2]
    doubts = []
    if not found:
        if b":" not in data:
            return Unreadable(number, decode(data)[0], "is no property: it has no colon")
        doubts.append("has a quotation mark that is not closed")
    header, _ = decode(head)
    named = _NAME.match(header)
    if named is None:
        return Unreadable(number, decode(data[:1000])[0], "is no property: it begins with no property name")
    name, params = named[2].upper().replace("_", "-"), _params(header[named.end() :])
    encodings = {encoding.upper() for encoding in params.get("ENCODING", ())}
    if "QUOTED-PRINTABLE" in encodings:
        value = binascii.a2b_qp(value)
    elif encodings & {"B", "BASE64"}:
        try:
            value = b"binary" if name in BINARY else base64.b64decode(b"".join(value.split()), validate=True)
        except ValueError:
            return Unreadable(number, decode(data[:1000])[0], "is declared as base64 and is not")
    charset = _charset(head)
    if charset == "":
        doubts.append("declares a character set that is not known; read as UTF-8")
    text, doubt = decode(value, charset or None)
    doubts += [doubt] if doubt else []
    return ContentLine(number, name, text, params, (named[1] or "").lower(), "; ".join(doubts) or None)


def _charset(head: bytes) -> str | None:
    """The declared character set, an empty text where it is not known, None where none is declared."""
    declared = _CHARSET.search(head)
    if declared is None:
        return None
    name = declared[1].decode("ascii").lower()
    return ALIASES.get(name, name) if CHARSETS.fullmatch(name) else ""


def _params(text: str) -> Mapping[str, tuple[str, ...]]:
    """Parameters by name in capitals; vCard 2.1's bare ones are encodings or types."""
    params: dict[str, list[str]] = {}
    for found in _PARAM.finditer(text):
        name, values = found[1].strip().upper(), found[2]
        if values is None:
            if not name:
                continue
            name, values = ("ENCODING" if name in _ENCODINGS else "TYPE"), name
        params.setdefault(name, []).extend(
            _CARET.sub(lambda m: _UNCARET[m[1]], quoted or bare.strip())
            for quoted, bare in _PARAM_VALUE.findall(values)
        )
    return {name: tuple(values) for name, values in params.items()}
