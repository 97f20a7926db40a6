from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from nbformat.v4 import new_output

from starebrain.report.build import ROOT
from starebrain.report.shown import Picture, table
from starebrain.report.site import index_page, notebook_page
from tests.report.browser import CHROMIUM, chromium, visit
from tests.report.toys import HOSTILE, notebook

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")

LOOK = """({
  pictures: [...document.images].map(i => i.complete && i.naturalWidth > 0 && i.alt.length > 0),
  scripts: document.scripts.length,
  wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
  text: document.body.innerText,
})"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with chromium(tmp_path_factory.mktemp("profile")) as address:
        yield address


def png() -> bytes:
    """A small picture."""
    from matplotlib.figure import Figure

    from starebrain.report.figures import _picture

    return _picture(Figure(figsize=(1, 1)), "").png


def shown(thing: Any) -> Any:
    bundle = thing._repr_mimebundle_()
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    return new_output("execute_result", data=data, metadata=metadata)


def test_pages_show_their_pictures_complain_of_nothing_and_ask_for_nothing(browser: str, tmp_path: Path) -> None:
    executed = notebook("#md # Can it?\n\n## One\n\n## Two", "x = 1")
    executed.cells[1].outputs = [
        shown(Picture(png(), "A dot.", 100)),
        *(shown(table(text, ["name", "n"], [[text, 1]])) for text in HOSTILE),
        *(new_output("stream", name="stdout", text=text) for text in HOSTILE),
        *(new_output("display_data", data={"text/html": text, "text/plain": text}) for text in HOSTILE),
    ]
    page = notebook_page("01_toy", executed)
    (tmp_path / "01_toy.html").write_text(page.html)
    provenance = dict.fromkeys(HOSTILE, "x") | {"hostile": " ".join(HOSTILE[:6])}
    (tmp_path / "index.html").write_text(index_page("Report", "Quick.", None, [page], provenance))
    for name in ("index.html", "01_toy.html"):
        address = (tmp_path / name).as_uri()
        seen = visit(browser, address, LOOK)
        assert seen.complaints == []
        assert [url for url in seen.requests if not url.startswith("data:")] == [address]
        assert seen.result["pictures"] == [True]
        assert seen.result["scripts"] == 0
        assert not seen.result["wide"]
        assert "<script>alert(1)</script>" in seen.result["text"]
        assert "\\u202eevil\\u202c" in seen.result["text"]


@pytest.mark.parametrize("path", sorted((ROOT / "reports" / "reference").glob("*.html")), ids=lambda path: path.name)
def test_the_reference_report_opens_without_network(browser: str, path: Path) -> None:
    seen = visit(browser, path.as_uri(), LOOK)
    assert seen.complaints == []
    assert [url for url in seen.requests if not url.startswith("data:")] == [path.as_uri()]
    assert all(seen.result["pictures"])
    assert not seen.result["wide"]


def test_the_browser_would_notice(browser: str, tmp_path: Path) -> None:
    page = tmp_path / "bad.html"
    page.write_text('<img src="http://evil.example/a.png"><script>console.log(2)</script>')
    seen = visit(browser, page.as_uri(), "1")
    assert "http://evil.example/a.png" in seen.requests
    assert len(seen.complaints) >= 2
