"""People and businesses of the address book."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from starebrain.device import Contact, DeviceContext
from starebrain.intent import ParameterKind
from starebrain.kinds.base import Fact, Hint, Kind, Phone, cached, read_words
from starebrain.matching.index import Entry
from starebrain.matching.text import mixes_scripts, skeleton, words
from starebrain.matching.words import EMPLOYER, FILLERS, RELATIONS, ROLES, nicknames_of
from starebrain.resolution import ContactValue, ContextSource

PUBLIC_MAIL = frozenset(
    {
        "gmail",
        "googlemail",
        "yahoo",
        "hotmail",
        "outlook",
        "icloud",
        "gmx",
        "web",
        "live",
        "aol",
        "proton",
        "orange",
        "mail",
        "example",
    }
)
"""Mail domains whose users are no colleagues of each other."""

RECENT = timedelta(days=7)
OFTEN, SOMETIMES = 50, 10
"""Times contacted from which a contact counts as frequent, or as known."""
LEAST_DIGITS = 5
HEADS = frozenset({"guy", "man", "woman", "lady", "person", "people", "place", "shop", "store", "contact", "number"})
"""What anybody may be called."""
OTHER_SEX = frozenset({"a", "e", "ia", "la", "le", "na", "ne", "ina", "ine"})
"""Endings that make a man's name a woman's."""
_PARTICLE = re.compile(r"\b(o|mac|mc)\s+(?=\w{3})", re.I)
_MAIL = re.compile(r"\S+@\S+\.\w+")
_IDEOGRAPH = re.compile("[\u3005\u3400-\u9fff]")
_WRITTEN = re.compile("[\u3005\u3040-\u30ff\u3400-\u9fff]*[\u3005\u3400-\u9fff]")
OF = "の"
_AT_WORK = re.compile("^(?:会社|職場)の")
"""Japanese: "of", and "from work"."""
IDEOGRAPHS, AMONG_OTHERS = "字", "文"
"""Beginnings of traits that hold the ideographs of a hint: of a name, of somebody of something."""
_PARTED = re.compile(
    r"\b(grand|step|half|demi|god|beau|belle|petite?)[\s_-]+(?=(?:m[eè]re|p[eè]re|fr[eè]re|s(?:œ|oe)ur|fils|fille"
    r"|ma|pa|mother|father|mom|mum|dad|son|daughter|brother|sister)\b)"
    r"|(?<=\w)[\s_-]+(in)[\s_-]+(?=law\b)|\b(?:a|vo)?v([óô])\b",
    re.I,
)
"""What parts a relation, "step mother", "mother-in-law", "beau-frère"; those that an accent tells apart."""
_FIRM = re.compile(
    r"(?:\b(?:et|y|e|und|and)\b|&|\bsage)[\s-]+(fils|femme|hij[oa]s|filh[oa]s|s[öo]hne|t[öo]chter|sons?|daughters?)\b",
    re.I,
)
"""A relation in the name of a firm or a trade, which no longer is one: "Vincent et Fils"."""
_SILENT = re.compile("[ao]ugh|e?igh|^kn|^wr")
_SOUNDED = {"augh": "o", "ough": "o", "eigh": "a", "igh": "i", "kn": "n", "wr": "r"}
"""English letters that are not heard, and what is: a recogniser writes "naughty" for Naty."""
_DOUBTFUL = re.compile(r"[A-Za-z][01|]|[01|][A-Za-z]|[A-Za-z]I[a-z]")
"""Plain letters that may stand for others: digits in a word, a capital I inside one."""


_PARTS = frozenset(
    ["grand", "step", "half", "demi", "god", "beau", "belle", "petit", "petite", "in", "vo", "avo", "vovo"]
)
_HEIRS = frozenset(
    ["fils", "femme", "hijos", "hijas", "filhos", "filhas", "sohne", "tochter", "son", "sons", "daughter", "daughters"]
)
"""Words, one of which a text has that is parted so, or such a firm; most texts have none, and are not searched."""


def _as_said(text: str) -> str:
    """The text with its relations in one word each, and without those that are none."""
    said = words(text)
    if not _HEIRS.isdisjoint(said):
        text = _FIRM.sub(r"firm\1", text)
    return text if _PARTS.isdisjoint(said) else _PARTED.sub(_together, text)


def _together(parted: re.Match[str]) -> str:
    return parted[1] or parted[2] or ("abuela" if parted[3] == "ó" else "abuelo")


def concepts_of(word: str) -> frozenset[str]:
    """The relations and roles that a word names."""
    return RELATIONS.get(word, frozenset()) | ROLES.get(word, frozenset())


@cached
def read(text: str) -> Hint:
    """The hint as words; "from work" becomes the trait `employer` where another word is left.

    An e-mail address is one word: who has another one is not meant, whatever their name.
    """
    if _MAIL.fullmatch(text.strip()):
        return replace(read_words("".join(words(text))), text=text)
    said = _AT_WORK.sub("work ", _as_said(text))
    hint = _headless(_heard(read_words(said, concepts_of)))
    if not text.isascii():
        hint = replace(hint, traits=hint.traits | _ideographs(_AT_WORK.sub("", text)))
    if len(hint.words) > 1 and FILLERS.isdisjoint(words(text)):
        hint = replace(hint, linked=False)
    if hint.otherwise is None and "fillers" not in hint.traits:
        hint = replace(hint, otherwise=_in_full(hint))
    rest = [i for i, w in enumerate(hint.words) if w not in EMPLOYER] if not EMPLOYER.isdisjoint(hint.words) else []
    if not rest:
        return hint
    return Hint(
        hint.text,
        tuple(hint.words[i] for i in rest),
        tuple(hint.concepts[i] for i in rest),
        tuple(hint.spelled[i] for i in rest) if hint.spelled else (),
        hint.traits | {"employer"},
        narrowed=True,
    )


def _headless(hint: Hint) -> Hint:
    """The hint without what it calls somebody at its end ("the pizza guy"), and otherwise with it."""
    if len(hint.words) < 2 or hint.words[-1] not in HEADS or hint.otherwise is not None:
        return hint
    return replace(hint, words=hint.words[:-1], concepts=hint.concepts[:-1], spelled=hint.spelled[:-1], otherwise=hint)


def _in_full(hint: Hint) -> Hint | None:
    """The hint with the titles that were said, or with "O" and "Mac" joined to the name that follows, if it has any."""
    titles = [word for word in dict.fromkeys(words(hint.text)) if word in FILLERS and word in ROLES]
    if titles:
        meant = map(concepts_of, titles)
        return Hint(hint.text, (*titles, *hint.words), (*meant, *hint.concepts), traits=hint.traits)
    joined = _PARTICLE.sub(r"\1", hint.text)
    return None if joined == hint.text else replace(read_words(joined, concepts_of), traits=hint.traits)


def _ideographs(text: str) -> frozenset[str]:
    """The trait of the ideographs of a hint, with the kana between them.

    How they are read is a guess; which characters they are is none.
    """
    if OF in text:
        return frozenset({AMONG_OTHERS + "".join(_IDEOGRAPH.findall(text))})
    found = _WRITTEN.search(text)
    return frozenset({IDEOGRAPHS + found.group()}) if found else frozenset()


def _heard(hint: Hint) -> Hint:
    """The hint with its words spelled as they sound as well, where letters of them are not heard."""
    if not any(map(_SILENT.search, hint.words)):
        return hint
    sounded = (_SILENT.sub(lambda silent: _SOUNDED[silent.group()], word) for word in hint.spelled or hint.words)
    return replace(hint, spelled=tuple(sounded))


def entry(contact: Contact) -> Entry:
    """Display name, nickname and given with family name; organization describes; the relation is a concept.

    A nickname comes with the family name, so that alone it is a part of a name and not the whole of it; a given name
    that is a word of the display name is no name of its own.
    """
    shown = words(contact.display_name)
    firm = contact.display_name if _HEIRS.isdisjoint(shown) else _FIRM.sub(r"firm\1", contact.display_name)
    names = [_in_order(firm) if "," in firm else firm]
    if contact.nickname:
        names.append(f"{contact.nickname} {contact.family_name or ''}")
    name = f"{contact.given_name or ''} {contact.family_name or ''}".strip()
    if " " in name or name not in contact.display_name:
        names.append(name)
    concepts: set[str] = set()
    if contact.relation:
        for word in words(_PARTED.sub(_together, contact.relation)):
            concepts |= RELATIONS.get(word, frozenset((word,)))
    for name in filter(None, (contact.display_name, contact.nickname)):
        parted = shown if name is contact.display_name else words(name)
        if not _PARTS.isdisjoint(parted):
            parted = words(_PARTED.sub(_together, name))
        said = [word for word in parted if word not in FILLERS]
        for at, word in enumerate(said):
            concepts |= ROLES.get(word, frozenset()) | (RELATIONS.get(word, frozenset()) if at == 0 else frozenset())
    if contact.organization:
        for word in words(contact.organization):
            concepts |= ROLES.get(word, frozenset())
    return Entry(tuple(names), (contact.organization,) if contact.organization else (), frozenset(concepts))


def _in_order(name: str) -> str:
    """The name as it is said: "Schmidt, Hans-Peter" is Hans-Peter Schmidt."""
    family, comma, given = name.partition(",")
    return f"{given} {family}" if comma and len(words(family)) == 1 <= len(words(given)) else name


def context(contact: Contact, phone: Phone, traits: frozenset[str]) -> list[Fact]:
    """How well the owner knows the contact; whether it is a colleague, where work was named; whether it is forged."""
    facts = []
    if contact.starred:
        facts.append(Fact("starred"))
    if contact.times_contacted >= OFTEN:
        facts.append(Fact("frequent", f"contacted {contact.times_contacted} times"))
    elif contact.times_contacted < SOMETIMES and phone.derived(_keeps_count):
        facts.append(Fact("seldom", f"contacted {contact.times_contacted} times"))
    if contact.last_contacted_at is not None and phone.device.captured_at - contact.last_contacted_at <= RECENT:
        facts.append(Fact("recent", f"last contacted {contact.last_contacted_at.isoformat(' ', 'minutes')}"))
    if "employer" in traits:
        facts.append(Fact("colleague" if is_colleague(contact, phone) else "no_colleague"))
    for trait in traits:
        if trait[0] in (IDEOGRAPHS, AMONG_OTHERS) and not _writes(contact, trait):
            facts.append(Fact("other_characters"))
    if is_look_alike(contact, phone):
        facts.append(Fact("look_alike", "its name looks like an older contact's in other letters"))
    return facts


def _writes(contact: Contact, trait: str) -> bool:
    """Whether the ideographs of a trait are in a name of the contact, and no mere part of a given or family name.

    Of somebody of something they may be anywhere in the names and the organization.
    """
    given, family, said = contact.given_name or "", contact.family_name or "", trait[1:]
    names = (contact.display_name, contact.nickname, contact.relation, given, family, family + given)
    if trait[0] == AMONG_OTHERS:
        return set(said) <= set("".join(filter(None, (*names, contact.organization))))
    return any(name and said in name for name in names) and not any(
        said in name and said != name for name in (given, family)
    )


def caps(contact: Contact, phone: Phone, new_hours: float) -> list[Fact]:
    """*provenance*: a contact that appeared just now, or that looks like an older one in other letters."""
    held = []
    if contact.added_at is not None and phone.device.captured_at - contact.added_at < timedelta(hours=new_hours):
        held.append(Fact("provenance", f"the contact was added at {contact.added_at.isoformat(' ', 'minutes')}"))
    if is_look_alike(contact, phone) or mixes_scripts(contact.display_name):
        held.append(Fact("provenance", "the name mixes letters of two scripts or looks like an older contact's"))
    return held


def _keeps_count(device: DeviceContext) -> bool:
    """Whether the phone counts at all how often contacts are contacted."""
    return any(contact.times_contacted for contact in device.contacts)


def is_colleague(contact: Contact, phone: Phone) -> bool:
    """Whether the contact shares the employer of the phone's owner: a mail domain, or an organization named in it."""
    firms = phone.derived(employers)
    if firms & {mail.rpartition("@")[2].lower() for mail in contact.emails}:
        return True
    named = set(words(contact.organization or ""))
    return any(named & set(firm.split(".")[:-1]) for firm in firms)


def employers(device: DeviceContext) -> frozenset[str]:
    """The mail domains of the owner that are no public mail service."""
    domains = {mail.rpartition("@")[2].lower() for mail in device.owner.emails}
    return frozenset(d for d in domains if d and d.split(".")[0] not in PUBLIC_MAIL)


def is_look_alike(contact: Contact, phone: Phone) -> bool:
    """Whether the name can be mistaken for an older contact's that is written in other letters."""
    name = contact.display_name
    if not (_DOUBTFUL.search(name) if name.isascii() else mixes_scripts(name)):
        return False
    olds = phone.derived(_skeletons).get(skeleton(name), ())
    return any(old.display_name.casefold() != name.casefold() and not _newer(old, contact) for old in olds)


def _newer(a: Contact, b: Contact) -> bool:
    return a.added_at is not None and b.added_at is not None and a.added_at > b.added_at


def _skeletons(device: DeviceContext) -> dict[str, list[Contact]]:
    table: dict[str, list[Contact]] = {}
    for contact in device.contacts:
        if contact.display_name:
            table.setdefault(skeleton(contact.display_name), []).append(contact)
    return table


def identified(text: str, contacts: Sequence[Contact]) -> list[int]:
    """The contacts whose e-mail or phone number the hint gives."""
    said = text.strip().casefold()
    if "@" in said:
        return [i for i, c in enumerate(contacts) if said in {mail.casefold() for mail in c.emails}]
    digits = "".join(filter(str.isdigit, said))
    if len(digits) < LEAST_DIGITS or any(map(str.isalpha, said)):
        return []
    return [i for i, c in enumerate(contacts) if any(_ends_alike(digits, phone) for phone in c.phones)]


def _ends_alike(digits: str, phone: str) -> bool:
    """Whether one number ends in the other, trunk and exit prefixes (leading zeros) apart."""
    digits, other = digits.lstrip("0"), "".join(filter(str.isdigit, phone)).lstrip("0")
    return (len(digits) >= LEAST_DIGITS and other.endswith(digits)) or (len(other) >= 7 and digits.endswith(other))


def identities(contact: Contact, phone: Phone) -> frozenset[str]:
    """Where the contact is reached: e-mail addresses, and phone numbers in international form."""
    if not contact.emails and not contact.phones:
        return frozenset()
    region = phone.device.locale.partition("_")[2] or None
    return frozenset(mail.casefold() for mail in contact.emails) | {_number(n, region) for n in contact.phones}


def compatible(a: Contact, b: Contact) -> bool:
    """Whether the names can be one person's: every content word of the shorter has its like in the longer."""
    return _compatible(a.display_name, b.display_name)


@cached
def _number(phone: str, region: str | None) -> str:
    import phonenumbers  # 20 ms: loaded where two contacts have to be told apart

    try:
        parsed = phonenumbers.parse(phone, region)
    except phonenumbers.NumberParseException:
        return "".join(filter(str.isdigit, phone)) or phone
    return phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.E164)


def _compatible(a: str, b: str) -> bool:
    some, others = sorted(([w for w in words(name) if w not in FILLERS] for name in (a, b)), key=len)
    if not some:
        return True
    left = list(others)
    for word in some:
        match = next((o for o in left if o == word or (_may_be(word, o) and not _of_other_sex(word, o))), None)
        if match is None:
            return False
        left.remove(match)
    return True


def _may_be(a: str, b: str) -> bool:
    """Whether one word is a nickname of the other, or begins it."""
    short, long = sorted((a, b), key=len)
    return b in nicknames_of(a) or ((len(short) == 1 or len(short) >= 3) and long.startswith(short))


def _of_other_sex(a: str, b: str) -> bool:
    """Whether the words are one name, a man's and a woman's: Daniel and Daniela."""
    short, long = sorted((a, b), key=len)
    return len(short) >= 3 and long.startswith(short) and long.removeprefix(short) in OTHER_SEX


CONTACT = Kind(
    name=ParameterKind.CONTACT,
    listed=lambda device: device.contacts,
    label=lambda contact: contact.display_name,
    value=lambda contact, device: ContactValue(contact.contact_id, contact.display_name),
    source=lambda contact: ContextSource.RECENT_CONTACTS,
    entry=entry,
    records=lambda device: device.contacts,
    read=read,
    context=context,
    caps=caps,
    identified=identified,
    identities=identities,
    compatible=compatible,
)
