from __future__ import annotations

from typing import Any

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_output

from starebrain.errors import printable
from starebrain.report.shown import TABLE, Picture, Table, table
from starebrain.report.site import addresses, index_page, notebook_page
from tests.report.toys import HOSTILE, notebook

PIXEL = Picture(b"\x89PNG\r\n\x1a\n", "One dot.", 10)


def shown(thing: Any) -> Any:
    """The output of a cell that ends with `thing`."""
    bundle = thing._repr_mimebundle_()
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    return new_output("execute_result", data=data, metadata=metadata)


def page(*outputs: Any, text: str = "#md # Title", code: str = "x = 1") -> tuple[str, BeautifulSoup]:
    executed = notebook(text, code)
    executed.cells[1].outputs = list(outputs)
    html = notebook_page("01_toy", executed).html
    return html, BeautifulSoup(html, "html.parser")


def elements(soup: BeautifulSoup) -> list[str]:
    return [tag.name for tag in soup.find_all(True)]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_as_text_wherever_an_output_can_carry_it(text: str) -> None:
    plain = [
        shown(table(text, [text, "n"], [[text, 1]])),
        shown(Picture(b"png", text, 10)),
        new_output("stream", name="stdout", text=text),
        new_output("execute_result", data={"text/plain": text}),
        new_output("display_data", data={"text/html": text, "text/markdown": text, "text/plain": text}),
        new_output("display_data", data={"application/javascript": text, "image/svg+xml": text}),
    ]
    harmless = [
        shown(table("a", ["a", "n"], [["a", 1]])),
        shown(Picture(b"png", "a", 10)),
        *(new_output("stream", name="stdout", text="a") for _ in range(3)),
    ]
    html, soup = page(*plain)
    assert elements(soup) == elements(page(*harmless)[1])
    assert addresses(html) == []
    assert all(printable(c) == c for c in html.replace("\n", "").replace("\t", ""))
    seen = soup.find("tbody").find("th").text
    assert seen == printable(text)[: len(seen) - 1] + seen[-1]
    assert len(seen) <= 400


def test_hostile_text_in_the_source_of_a_notebook_is_shown_as_text() -> None:
    for text in HOSTILE[:-1]:
        html, soup = page(text=f"#md # Title {text}\n\n{text}", code=repr(text))
        assert addresses(html) == []
        assert {"script", "svg", "iframe"}.isdisjoint(elements(soup))
        assert not any(name.startswith("on") for tag in soup.find_all(True) for name in tag.attrs)


@given(st.text())
def test_no_text_becomes_markup(text: str) -> None:
    html, soup = page(shown(table(text, [text], [[text]])), new_output("stream", name="stdout", text=text or "a"))
    assert elements(soup) == elements(page(shown(table("a", ["a"], [["a"]])), new_output("stream", text="a"))[1])
    assert addresses(html) == []


def test_a_page_has_language_title_contents_alternative_text_and_forbids_itself_everything() -> None:
    text = "#md # Can it?\n\n## One & *two*\n\n## One & two\n\n| a |\n|---|\n| 1 |"
    html, soup = page(shown(PIXEL), text=text)
    made = notebook_page("01_toy", notebook("x = 1"))
    assert (made.title, made.picture) == ("01_toy", None)
    assert soup.html["lang"] == "en"
    assert soup.title.text == "Can it? · StareBrain"
    assert [link["href"] for link in soup.find("nav", class_="parts").find_all("a")] == ["#one-two", "#one-two-again"]
    assert [heading["id"] for heading in soup.find_all("h2")] == ["one-two", "one-two-again"]
    assert soup.find("table").find("td").text == "1"
    assert soup.img["alt"] == "One dot."
    assert soup.find("meta", attrs={"http-equiv": "Content-Security-Policy"})["content"].startswith(
        "default-src 'none'"
    )
    assert len(soup.find_all("h1")) == 1
    assert html.startswith("<!DOCTYPE html>")


def test_code_is_folded_away_and_coloured() -> None:
    _, soup = page(code="# how\nfor x in 'a<b':\n    y = 1.5 and x")
    details = soup.find("details")
    assert details.pre.text == "# how\nfor x in 'a<b':\n    y = 1.5 and x\n"
    assert [span["class"][0] for span in details.find_all("span")] == ["c", "k", "ow", "s", "s", "s", "m", "ow"]
    assert "open" not in details.attrs


def test_long_output_is_cut_and_says_so() -> None:
    _, soup = page(new_output("stream", name="stderr", text="x\n" * 5_000))
    assert soup.find("pre", class_="stderr").text.endswith("(4,999 more characters are in the notebook)")


def test_the_index_names_each_page_its_figures_and_provenance() -> None:
    executed = notebook("#md # Can it?", "x")
    executed.cells[1].outputs = [shown(PIXEL)]
    figures = table("Figures", ["resolver", "right"], [["article", "97%"]])
    html = index_page("Report", "Quick.", figures, [notebook_page("01_toy", executed)], {"Commit": "<b>abc</b>"})
    soup = BeautifulSoup(html, "html.parser")
    assert addresses(html) == []
    assert [a["href"] for a in soup.main.find_all("a")] == [
        "01_toy.html",
        "01_toy.html",
        "01_toy.ipynb",
        "metrics.json",
        "provenance.json",
    ]
    assert soup.find("dd").text == "<b>abc</b>"
    assert soup.find("td").text == "97%"
    assert soup.img["alt"] == "One dot."
    assert len(soup.find_all("h1")) == 1


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ('<a href="b.html#x">x</a><a href="#y">y</a><img src="data:image/png;base64,AA">', []),
        ("<p>see http://evil.example</p><pre>url(http://evil.example)</pre>", []),
        ('<img src="http://evil.example/a.png">', ["http://evil.example/a.png"]),
        ('<img srcset="//evil.example/a.png 2x">', ["//evil.example/a.png 2x"]),
        ('<a href="javascript:alert(1)">', ["javascript:alert(1)"]),
        ('<a href="../../secret">', ["../../secret"]),
        ('<link rel="stylesheet" href="https://evil.example/a.css">', ["https://evil.example/a.css"]),
        (
            "<style>@import 'http://evil.example/a'; p { background: url(//evil.example/b) }</style>",
            ["http://evil.example/a", "//evil.example/b"],
        ),
        ("<p style=\"background:url('http://evil.example/c')\">", ["http://evil.example/c"]),
        ('<script>x</script><iframe srcdoc="x"></iframe>', ["<script>", "<iframe>"]),
        ('<meta http-equiv="refresh" content="0; url=http://evil.example">', ["<meta refresh>"]),
        ('<p onclick="x()">', ["onclick=x()"]),
        ('<img src="data:image/svg+xml;base64,AA">', ["data:image/svg+xml;base64,AA"]),
    ],
)
def test_addresses_finds_what_a_browser_would_ask_for(html: str, found: list[str]) -> None:
    assert addresses(html) == found


def test_a_table_says_the_same_as_data_as_markup_and_as_text() -> None:
    made = table("Zoë's", ["name", "n", "share"], [["a", 1234, None], ["b & c", 5, 0.25]])
    bundle = made._repr_mimebundle_()
    assert bundle[TABLE]["rows"] == (("a", "1,234", "none"), ("b & c", "5", "0.250"))
    assert bundle[TABLE]["figures"] == (False, True, True)
    soup = BeautifulSoup(bundle["text/html"], "html.parser")
    assert [[cell.text for cell in row.find_all("td")] for row in soup.tbody.find_all("tr")] == [
        ["a", "1,234", "none"],
        ["b & c", "5", "0.250"],
    ]
    assert bundle["text/plain"] == "Zoë's\nname   n      share\na      1,234  none\nb & c  5      0.250"


def test_a_table_with_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="1 cells under 2 columns"):
        Table("a", ("b", "c"), (("d",),))
