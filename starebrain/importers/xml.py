"""Elements of an XML file one by one, each with its line, in flat memory, and with no chance for entity bombs.

Read with expat directly: fastkml 1.4 gives up a whole file over one bad coordinate and knows no lines, gpxpy 1.6 over
one bad latitude. A document type declaration, the only place where entities can be declared, is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from starebrain.errors import InvalidInput
from starebrain.importers.base import Log
from starebrain.importers.source import MAX_BYTES

MAX_DEPTH = 200
"""Elements inside each other above which a file is refused; KML folders nest a dozen deep."""

CUT_OFF = frozenset(
    (
        expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS],
        expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN],
        expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION],
        expat.errors.codes[expat.errors.XML_ERROR_PARTIAL_CHAR],
    )
)
"""What expat says of a file that ends too early."""


@dataclass(slots=True)
class Element:
    """An element: its name without a prefix, the line that it begins in, attributes, text and elements inside."""

    name: str
    line: int
    attributes: Mapping[str, str]
    pieces: list[str] = field(default_factory=list)
    parts: list[Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text directly inside, without blanks around it."""
        return "".join(self.pieces).strip()

    def find(self, *names: str) -> Element | None:
        """The first element inside, at any depth, of the last name, in one of the name before it, and so on."""
        for part in self.parts:
            inner = names[1:] if part.name == names[0] else names
            if not inner:
                return part
            found = part.find(*inner)
            if found is not None:
                return found
        return None

    def of(self, name: str) -> str:
        """The text of the first element of a name directly inside, or an empty text."""
        return next((part.text for part in self.parts if part.name == name and part.text), "")


def elements(
    pieces: Iterable[bytes], wanted: frozenset[str], noted: frozenset[str], log: Log, encoding: str | None = None
) -> Iterator[Element]:
    """The elements of the `wanted` names, whole; of the `noted` names only the line is logged, as without a field.

    A file that is damaged or cut off gives what is whole before the damage, which is logged. `InvalidInput` where there
    is a document type declaration, or nothing whole before the damage.
    """
    builder = _Builder(wanted, noted, log)
    parser = expat.ParserCreate(encoding)
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = builder.refuse
    parser.StartElementHandler = lambda name, attributes: builder.start(name, attributes, parser.CurrentLineNumber)
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.characters
    size, whole = 0, False
    try:
        for piece in pieces:
            size += len(piece)
            if size > MAX_BYTES:
                log.truncated(
                    parser.CurrentLineNumber, "the file", f"has more than {MAX_BYTES:,} bytes; read until there"
                )
                return
            parser.Parse(piece, False)
            whole = whole or bool(builder.done)
            yield from builder.taken()
        parser.Parse(b"", True)
    except InvalidInput:
        raise
    except (LookupError, ValueError) as error:  # of the encoding that the file declares
        raise InvalidInput(f"the file cannot be read: {error}", file=log.file, remedy="Save it as UTF-8.") from None
    except expat.ExpatError as error:
        whole = whole or bool(builder.done)
        yield from builder.taken()
        cut = error.code in CUT_OFF
        reason = "ends too early" if cut else f"is no XML from here on ({expat.ErrorString(error.code)})"
        if not whole:
            raise InvalidInput(
                f"the file {reason}, before any place was complete",
                file=log.file,
                place=f"line {error.lineno}",
                remedy="Export it again.",
            ) from None
        if builder.open:
            log.entries += 1
            element = builder.open[0]
            log.truncated(element.line, element.name, "the file ends or is damaged in the middle of it", entry=True)
        log.truncated(error.lineno, "the file", f"{reason}; what was whole before was read")


class _Builder:
    """Builds the elements that are wanted out of what expat says, and forgets everything else."""

    def __init__(self, wanted: frozenset[str], noted: frozenset[str], log: Log) -> None:
        self.open: list[Element] = []
        self.done: list[Element] = []
        self._wanted, self._noted, self._log, self._depth = wanted, noted, log, 0

    def refuse(self, *_: object) -> None:
        raise InvalidInput(
            "the file has a document type declaration",
            file=self._log.file,
            remedy="Maps and navigators write none: remove it, or export the file again.",
        )

    def start(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise InvalidInput(f"elements nest deeper than {MAX_DEPTH}", file=self._log.file, place=f"line {line}")
        name = tag.rpartition(":")[2]
        if self.open or name in self._wanted:
            element = Element(name, line, attributes)
            if self.open:
                self.open[-1].parts.append(element)
            self.open.append(element)
        elif name in self._noted:
            self._log.no_field(name, line)

    def end(self, _: str) -> None:
        self._depth -= 1
        if self.open:
            element = self.open.pop()
            if not self.open:
                self.done.append(element)

    def characters(self, text: str) -> None:
        if self.open:
            self.open[-1].pieces.append(text)

    def taken(self) -> list[Element]:
        """The elements that are whole since the last time."""
        done, self.done = self.done, []
        return done
