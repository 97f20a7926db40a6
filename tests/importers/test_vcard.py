from __future__ import annotations

import quopri
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starebrain.device import Contact
from starebrain.errors import InvalidInput
from starebrain.importers import Outcome
from starebrain.importers.source import opened
from starebrain.importers.vcard import IMPORTER
from tests.importers.files import card, imported, said


def contacts(folder: Path, content: str | bytes) -> tuple[Contact, ...]:
    return imported(folder, "contacts", "a.vcf", content)[0].contacts


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("FN:Ana Ash", "N:Ash;Ana;;;"), {"display_name": "Ana Ash", "given_name": "Ana", "family_name": "Ash"}),
        (("FN:", "N:Ash;Ana;Maria;Dr.;Jr."), {"display_name": "Dr. Ana Maria Ash Jr."}),
        (("N:Ash;Ana,Mia;;;",), {"display_name": "Ana Mia Ash"}),
        (("FN:Ana\\, the Great\\nof Ash",), {"display_name": "Ana, the Great of Ash"}),
        (("FN:Second", "FN;PREF=1:First"), {"display_name": "First"}),
        (("NICKNAME:Annie,Ann", "TEL:1"), {"display_name": "Annie", "nickname": "Annie"}),
        (("ORG:Ash & Sons;Sales",), {"display_name": "Ash & Sons", "organization": "Ash & Sons"}),
        (("TEL:+49 30 1",), {"display_name": "+49 30 1", "phones": ("+49 30 1",)}),
        (("EMAIL:ana@ash.example",), {"display_name": "ana@ash.example", "emails": ("ana@ash.example",)}),
        (("EMAIL:mailto:ana@ash.example",), {"emails": ("ana@ash.example",)}),
        (("TEL;VALUE=uri:tel:+1-919-676;ext=5",), {"phones": ("+1-919-676 ext. 5",)}),
        (("TEL:1", "TEL:1", "TEL:2"), {"phones": ("1", "2")}),
        (
            ("FN:A", "ADR:box;ext;7 Elm St;Yonkers;NY;10701;USA"),
            {"addresses": ("box, ext, 7 Elm St, Yonkers, NY, 10701, USA",)},
        ),
        (("FN:A", "ADR:;;7 Elm St\\nRear\\, 2nd;;;;"), {"addresses": ("7 Elm St, Rear, 2nd",)}),
        (("FN:A", "LABEL:7 Elm St\\nYonkers,\\nNY"), {"addresses": ("7 Elm St, Yonkers, NY",)}),
        (("FN:A", "ADR;LABEL=7 Elm St^nYonkers:;;;;;;"), {"addresses": ("7 Elm St, Yonkers",)}),
        (("FN:A", "CATEGORIES:friends,starred"), {"starred": True}),
        (("FN:A", "CATEGORIES:friends"), {"starred": False}),
        (("FN:A", "UID:urn:uuid:4fbe"), {"contact_id": "urn:uuid:4fbe"}),
        (("FN:A",), {"contact_id": "a.vcf#1"}),
        (("FN:A", "REV:2012-03-05T13:32:54Z"), {"added_at": None, "last_contacted_at": None, "times_contacted": 0}),
        (("X-ANDROID-CUSTOM:vnd.android.cursor.item/nickname;Annie;1;;;", "FN:A"), {"nickname": "Annie"}),
    ],
)
def test_a_card_fills_in_what_it_says(tmp_path: Path, lines: tuple[str, ...], expected: dict[str, Any]) -> None:
    (contact,) = contacts(tmp_path, card(*lines))
    assert {name: getattr(contact, name) for name in expected} == expected


@pytest.mark.parametrize(
    "line",
    [
        "RELATED;TYPE=spouse:Bob",
        "X-SPOUSE:Bob",
        "X-EVOLUTION-SPOUSE:Bob",
        "X-MS-ASSISTANT:Bob",
        "item1.X-ABRELATEDNAMES:Bob\r\nitem1.X-ABLabel:_$!<Spouse>!$_",
        "X-ANDROID-CUSTOM:vnd.android.cursor.item/relation;Bob;14;;;",
    ],
)
def test_a_related_name_never_becomes_what_the_contact_is_to_the_owner(tmp_path: Path, line: str) -> None:
    device, report = imported(tmp_path, "contacts", "a.vcf", card("FN:Ana", line))
    assert device.contacts[0].relation is None
    assert "Bob" not in str(device)
    (finding,) = report.findings
    assert (finding.line, finding.outcome) == (4, Outcome.DROPPED)
    assert "not what the contact is to the phone's owner" in finding.reason


def test_the_label_of_a_related_name_is_said(tmp_path: Path) -> None:
    lines = ("FN:Ana", "item1.X-ABRELATEDNAMES:Bob", "item1.X-ABLabel:_$!<Mother>!$_")
    assert (
        "says who is “Mother” of the card's person" in said(imported(tmp_path, "contacts", "a.vcf", card(*lines))[1])[0]
    )


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (("NOTE:x",), "dropped: line 1: card: has neither a name, a telephone number nor an e-mail address"),
        (
            ("FN:List", "X-ADDRESSBOOKSERVER-KIND:group"),
            "dropped: line 1: card “List”: is a list of contacts, not a contact",
        ),
        (("FN:List", "KIND:group"), "dropped: line 1: card “List”: is a list of contacts, not a contact"),
    ],
)
def test_a_card_that_is_no_contact_is_dropped_by_name(tmp_path: Path, lines: tuple[str, ...], says: str) -> None:
    device, report = imported(tmp_path, "contacts", "a.vcf", card(*lines) + card("FN:Ana"))
    assert [contact.display_name for contact in device.contacts] == ["Ana"]
    assert says in said(report)
    assert (report.files[0].entries, report.files[0].kept) == (2, 1)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (("FN:A", "FN:B"), "dropped: line 4: card “A”: a contact holds one FN; “B” was left out"),
        (("FN:A", "ORG:X", "ORG:Y"), "dropped: line 5: card “A”: a contact holds one ORG; “Y” was left out"),
        (
            ("FN:A", "NICKNAME:X", "NICKNAME:Y"),
            "dropped: line 5: card “A”: a contact holds one nickname; the first was kept",
        ),
        (("FN:A", "NICKNAME:X,Y"), "dropped: line 4: card “A”: a contact holds one nickname; the first was kept"),
        (("FN:A", "EMAIL:nowhere"), "doubted: line 4: card “A”: “nowhere” is no e-mail address"),
        (("FN:A", "half a line"), "dropped: line 4: “half a line”: is no property: it has no colon"),
        (
            ("FN:A", "TEL;CHARSET=x-klingon:1"),
            "doubted: line 4: card “A”: TEL declares a character set that is not known; read as UTF-8",
        ),
    ],
)
def test_what_a_contact_has_no_room_for_is_reported(tmp_path: Path, lines: tuple[str, ...], says: str) -> None:
    assert said(imported(tmp_path, "contacts", "a.vcf", card(*lines))[1]) == [says]


def test_lines_without_a_field_are_listed_by_name_and_line(tmp_path: Path) -> None:
    content = card("FN:A", "NOTE:x", "PHOTO;ENCODING=b:////", "NOTE:y", "ORG:X;Unit", "TEL:1")
    assert imported(tmp_path, "contacts", "a.vcf", content)[1].files[0].unused == {
        "NOTE": (4, 6),
        "PHOTO": (5,),
        "ORG (units below the first)": (7,),
    }


def test_an_unknown_version_is_read_and_doubted(tmp_path: Path) -> None:
    device, report = imported(tmp_path, "contacts", "a.vcf", card("FN:A", version="9"))
    assert device.contacts[0].display_name == "A"
    assert said(report) == ["doubted: line 2: card “A”: version “9” is not known; read like 3.0"]


@pytest.mark.parametrize("agent", ["AGENT:\r\nBEGIN:VCARD", "AGENT:BEGIN:VCARD"])
def test_an_agents_card_inside_another_is_no_contact(tmp_path: Path, agent: str) -> None:
    content = card("FN:Boss", f"{agent}\r\nVERSION:2.1\r\nFN:Agent\r\nEND:VCARD", "TEL:1", version="2.1")
    device, report = imported(tmp_path, "contacts", "a.vcf", content)
    assert [(c.display_name, c.phones) for c in device.contacts] == [("Boss", ("1",))]
    assert [f.reason for f in report.findings if f.entry] == [
        "is the agent of another card's person, no contact of its own"
    ]


def test_a_card_that_is_not_closed_is_read_when_the_next_begins(tmp_path: Path) -> None:
    content = "BEGIN:VCARD\r\nFN:Ana\r\n" + card("FN:Bob")
    device, report = imported(tmp_path, "contacts", "a.vcf", content)
    assert [c.display_name for c in device.contacts] == ["Ana", "Bob"]
    assert said(report) == ["doubted: line 1: card: is not closed before the next one begins in line 3"]


def test_a_last_card_that_is_cut_off_is_left_out_and_said(tmp_path: Path) -> None:
    content = card("FN:Ana") + "BEGIN:VCARD\r\nFN:Bob\r\nTEL:+49 30 123"
    device, report = imported(tmp_path, "contacts", "a.vcf", content)
    assert [c.display_name for c in device.contacts] == ["Ana"]
    assert said(report) == ["truncated: line 5: card: the file ends in the middle of it"]


def test_a_file_cut_off_before_its_first_card_ends_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"a\.vcf: the file is cut off before its first card is complete\. Export"):
        contacts(tmp_path, card("FN:Ana")[:-15])


def test_lines_outside_of_cards_are_reported(tmp_path: Path) -> None:
    content = "Dear all,\r\n" + card("FN:Ana") + "END:VCARD\r\nFN:Bob\r\n"
    assert said(imported(tmp_path, "contacts", "a.vcf", content)[1]) == [
        "dropped: line 1: “Dear all,”: is no property: it has no colon",
        "dropped: line 6: “END:VCARD”: is no part of a card",
        "dropped: line 7: “FN:Bob”: is no part of a card",
    ]


def test_a_file_of_noise_after_a_good_beginning_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="more than 10,000 lines make no sense"):
        contacts(tmp_path, card("FN:Ana") + "noise\n" * 10_001)


def test_a_repeated_uid_gives_two_contacts_with_ids_of_their_own(tmp_path: Path) -> None:
    device, report = imported(tmp_path, "contacts", "a.vcf", card("FN:Ana", "UID:u") * 3)
    assert [contact.contact_id for contact in device.contacts] == ["u", "u#2", "u#3"]
    assert report.files[0].count(Outcome.DOUBTED) == 2


PLAIN = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Z")), min_size=1, max_size=30).filter(
    lambda text: not set(text) & set("\x85\u2028\u2029")
)


@given(PLAIN, st.sampled_from(["2.1", "3.0", "4.0"]), st.sampled_from(["utf-8", "utf-16", "latin-1"]))
def test_a_name_in_any_encoding_comes_in_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, name: str, version: str, codec: str
) -> None:
    folder = tmp_path_factory.mktemp("vcard")
    escaped = name.replace("\\", "\\\\").replace(",", "\\,").replace(";", "\\;")
    if version == "2.1":
        coded = quopri.encodestring(escaped.encode(), quotetabs=True).decode()
        content = card(f"FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:{coded}", version=version).encode()
    elif codec == "latin-1" and all(ord(character) < 256 for character in name):
        content = card(f"FN;CHARSET=ISO-8859-1:{escaped}", version=version).encode("latin-1")
    else:
        content = card(f"FN:{escaped}", version=version).encode("utf-16" if codec == "utf-16" else "utf-8")
    assert [contact.display_name for contact in contacts(folder, content)] == [name]


def test_any_text_with_a_card_in_its_head_is_claimed_and_nothing_else(tmp_path: Path) -> None:
    for content, claimed in ((b"x\nbegin : vcard\n", True), (b"BEGIN:VCALENDAR", False), (b"<vcard>", False)):
        (tmp_path / "a").write_bytes(content)
        with opened(tmp_path / "a") as source:
            assert IMPORTER.claims(source) is claimed
