"""Contacts from vCard files of the versions 2.1, 3.0 and 4.0.

A card needs a name, a telephone number or an e-mail address. Its display name is FN, else made of N, else NICKNAME,
ORG, number or e-mail, in the order in which Android shows contacts without a name. `Contact.relation` says what
somebody is to the phone's owner; a card's RELATED, X-SPOUSE or X-ABRELATEDNAMES say who is related to *its* person,
so they are reported and fill in nothing. REV is when the card was changed, not when it was added, and is not kept
either.

The file is refused where BEGIN:VCARD is not in its first 64 KiB or where it is cut off before the first END:VCARD; a
last card that is cut off later is reported as truncated and left out, since its last value cannot be trusted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

from starebrain.device import Contact
from starebrain.importers.base import Imported, Importer, Log, Phone
from starebrain.importers.content import ContentLine, Unreadable, content_lines, split, unescape
from starebrain.importers.report import quote
from starebrain.importers.source import Source

RELATIONS = re.compile(r"RELATED|X-ABRELATEDNAMES|X-.*(?:SPOUSE|ASSISTANT|MANAGER|CHILD|PARTNER|PARENT).*")
"""Properties that name somebody who is related to the person of a card."""

VERSIONS = frozenset(("2.1", "3.0", "4.0"))

NICKNAME = "vnd.android.cursor.item/nickname"
"""What Android puts in front of a nickname in X-ANDROID-CUSTOM."""

RELATION = "vnd.android.cursor.item/relation"
"""What it puts in front of somebody who is related to the card's person."""

_MARK = re.compile(rb"BEGIN\s*:\s*VCARD", re.IGNORECASE)
_LABEL = re.compile(r"_\$!<(.*)>!\$_")
_BLANKS = re.compile(r"\s+")


@dataclass(slots=True)
class _Card:
    """The properties of one card, from BEGIN to END."""

    number: int
    nested: bool = False
    lines: list[ContentLine] = field(default_factory=list)

    def of(self, name: str) -> list[ContentLine]:
        return [line for line in self.lines if line.name == name]


def read(source: Source, phone: Phone, log: Log) -> Imported:
    """The contacts of a vCard file, in its order."""
    contacts = []
    whole = 0
    for card in _cards(content_lines(source.pieces()), log):
        whole += 1
        contact = _contact(card, log, f"{source.label}#{log.entries}")
        if contact is not None:
            contacts.append(contact)
            log.kept += 1
    if not whole:
        raise log.nothing_whole("card", "END:VCARD")
    return Imported(contacts=tuple(contacts))


def _cards(lines: Iterable[ContentLine | Unreadable], log: Log) -> Iterator[_Card]:
    """The cards that are closed, by END:VCARD or by the next BEGIN:VCARD; the rest goes to the log."""
    stack: list[_Card] = []
    for line in lines:
        if isinstance(line, Unreadable):
            log.unreadable(line.number, quote(line.text), line.reason)
            continue
        tag = line.value.strip().upper() if line.name in ("BEGIN", "END", "AGENT") else ""
        if (line.name, tag) in (("BEGIN", "VCARD"), ("AGENT", "BEGIN:VCARD")):
            nested = line.name == "AGENT" or bool(stack and stack[-1].lines and _opens_agent(stack[-1].lines[-1]))
            if stack and not nested:
                card = stack.pop()
                log.doubted(card.number, "card", f"is not closed before the next one begins in line {line.number}")
                yield from _closed(card, log)
            log.entries += 1
            stack.append(_Card(line.number, nested))
        elif (line.name, tag) == ("END", "VCARD") and stack:
            yield from _closed(stack.pop(), log)
        elif stack and (not tag or line.name == "AGENT"):
            stack[-1].lines.append(line)
        else:
            log.unreadable(line.number, quote(f"{line.name}:{line.value}"), "is no part of a card")
    for card in stack:
        log.truncated(card.number, "card", "the file ends in the middle of it", entry=True)


def _closed(card: _Card, log: Log) -> Iterator[_Card]:
    if card.nested:
        log.dropped(card.number, "card", "is the agent of another card's person, no contact of its own", entry=True)
    else:
        yield card


def _opens_agent(line: ContentLine) -> bool:
    return line.name == "AGENT" and not line.value.strip()


def _contact(card: _Card, log: Log, position: str) -> Contact | None:
    """The contact of a card, or None with a finding."""
    chosen = {name: best for name in ("FN", "N", "ORG", "UID") if (best := _best(card.of(name)))}
    nicknames = _nicknames(card)
    phones, emails = _values(card, "TEL", _phone), _values(card, "EMAIL", _email)
    family, given, *rest = (split(chosen["N"].value) if "N" in chosen else []) + ["", ""]
    organization = _filled(split(chosen["ORG"].value))[0] if "ORG" in chosen else None
    candidates = (
        _text(chosen["FN"]) if "FN" in chosen else "",
        _full_name(family, given, *rest),
        *(nickname for _, nickname in nicknames),
        organization or "",
        *phones,
        *emails,
    )
    name = next(filter(None, candidates), "")
    what = f"card {quote(name)}" if name else "card"
    _log_lines(card, chosen, what, log)
    if any(_kind(line) == "group" for line in card.lines):
        log.dropped(card.number, what, "is a list of contacts, not a contact", entry=True)
        return None
    if not name:
        log.dropped(card.number, what, "has neither a name, a telephone number nor an e-mail address", entry=True)
        return None
    return Contact(
        contact_id=_text(chosen["UID"]) if "UID" in chosen else position,
        display_name=name,
        given_name=_blanks(given) or None,
        family_name=_blanks(family) or None,
        nickname=next((nickname for _, nickname in nicknames), None),
        organization=organization,
        phones=phones,
        emails=emails,
        addresses=_values(card, "ADR", _address) or _values(card, "LABEL", _lines),
        starred=any(_starred(line) for line in card.of("CATEGORIES")),
    )


def _log_lines(card: _Card, chosen: dict[str, ContentLine], what: str, log: Log) -> None:
    """Log every line of a card that is not carried whole into the contact."""
    for line in filter(_says, card.lines):
        left_out = _left_out(line, card, chosen)
        if left_out:
            log.dropped(line.number, what, left_out)
        elif left_out is not None:
            log.no_field(line.name, line.number)
        elif line.doubt:
            log.doubted(line.number, what, f"{line.name} {line.doubt}")
        if line.name == "EMAIL" and "@" not in _email(line):
            log.doubted(line.number, what, f"{quote(_email(line))} is no e-mail address")
        if line.name == "VERSION" and _text(line) not in VERSIONS:
            log.doubted(line.number, what, f"version {quote(line.value)} is not known; read like 3.0")
        if line is chosen.get("ORG") and len(_filled(split(line.value))) > 1:
            log.no_field("ORG (units below the first)", line.number)


def _left_out(line: ContentLine, card: _Card, chosen: dict[str, ContentLine]) -> str | None:
    """Why a line is not carried: empty where a contact has no field for it, None where it is carried."""
    match line.name:
        case "TEL" | "EMAIL" | "ADR" | "CATEGORIES" | "KIND" | "VERSION":
            return None
        case "LABEL":
            return "" if card.of("ADR") else None
        case "FN" | "N" | "ORG" | "UID":
            if line is chosen[line.name]:
                return None
            return f"a contact holds one {line.name}; {quote(_text(line))} was left out"
        case "X-ANDROID-CUSTOM" if RELATION in line.value:
            return _relation(line, {})
        case "NICKNAME" | "X-ANDROID-CUSTOM":
            here = [at for at, (number, _) in enumerate(_nicknames(card)) if number == line.number]
            if here in ([], [0]):
                return "" if not here else None
            return "a contact holds one nickname; the first was kept"
        case name if RELATIONS.fullmatch(name):
            return _relation(line, {label.group: _text(label) for label in card.of("X-ABLABEL") if label.group})
        case _:
            return ""


def _best(lines: Iterable[ContentLine]) -> ContentLine | None:
    """The preferred line of those that say something, the first of equals."""
    return min(filter(_says, lines), key=_preference, default=None)


def _says(line: ContentLine) -> bool:
    """Whether a value is more than separators: ``N:;;;;`` says nothing."""
    return bool(line.value.strip("; \t\r\n"))


def _relation(line: ContentLine, labels: dict[str, str]) -> str:
    label = labels.get(line.group, "") or line.param("TYPE") or line.name
    plain = _LABEL.sub(r"\1", label)
    return f"says who is {quote(plain)} of the card's person, not what the contact is to the phone's owner"


def _nicknames(card: _Card) -> list[tuple[int, str]]:
    """Line and text of every nickname."""
    found = []
    for line in card.lines:
        if line.name == "NICKNAME":
            found += [(line.number, nickname) for nickname in _filled(split(line.value, ","))]
        elif line.name == "X-ANDROID-CUSTOM" and line.value.startswith(NICKNAME):
            found += [(line.number, nickname) for nickname in _filled(split(line.value)[1:2])]
    return found


def _values(card: _Card, name: str, text: Callable[[ContentLine], str]) -> tuple[str, ...]:
    """The different values of a property that may occur often, in order."""
    return tuple(dict.fromkeys(filter(None, (text(line) for line in card.of(name)))))


def _text(line: ContentLine) -> str:
    """The value as one line of text."""
    return _blanks(unescape(line.value))


def _lines(line: ContentLine) -> str:
    """The value with its lines joined by commas."""
    return _joined(unescape(line.value).splitlines())


def _joined(parts: Iterable[str]) -> str:
    """What is filled of `parts`, joined by commas."""
    return ", ".join(filter(None, (_blanks(part).rstrip(", ") for part in parts)))


def _phone(line: ContentLine) -> str:
    """A number, out of a ``tel:`` address where it is one (RFC 3966)."""
    text = _text(line)
    if text[:4].lower() != "tel:":
        return text
    number, *params = unquote(text[4:]).split(";")
    extension = next((param[4:] for param in params if param[:4].lower() == "ext="), "")
    return f"{number} ext. {extension}" if extension else number


def _email(line: ContentLine) -> str:
    text = _text(line)
    return text[7:] if text[:7].lower() == "mailto:" else text


def _address(line: ContentLine) -> str:
    """An address on one line: box, extension, street, place, region, code, country; else the label that is given."""
    parts = [part for field in split(line.value) for part in field.splitlines()]
    return _joined(parts) or _joined(line.param("LABEL").replace("\\n", "\n").splitlines())


def _full_name(family: str, given: str, additional: str = "", prefix: str = "", suffix: str = "", *_: str) -> str:
    """Prefix, given, additional, family name and suffix; several of one sort are separated by commas in a card."""
    return _blanks(" ".join((prefix, given, additional, family, suffix)).replace(",", " "))


def _preference(line: ContentLine) -> int:
    """1 to 100 as in vCard 4.0; 1 for the older TYPE=PREF, 101 where nothing is said."""
    pref = line.param("PREF")
    if pref.isdecimal() and len(pref) < 4:
        return int(pref)
    return 1 if any(value.upper() == "PREF" for value in line.params.get("TYPE", ())) else 101


def _kind(line: ContentLine) -> str:
    return _text(line).lower() if line.name in ("KIND", "X-ADDRESSBOOKSERVER-KIND") else ""


def _starred(line: ContentLine) -> bool:
    """Whether Google's export says that the contact is a favourite."""
    return any(category.lower() in ("starred", "starred in android") for category in split(line.value, ","))


def _filled(fields: Iterable[str]) -> list[str]:
    return [text for field in fields if (text := _blanks(field))]


def _blanks(text: str) -> str:
    return _BLANKS.sub(" ", text).strip()


IMPORTER = Importer(
    name="vcard",
    option="contacts",
    reads="vCard files (.vcf)",
    claims=lambda source: _MARK.search(source.head) is not None,
    read=read,
)
