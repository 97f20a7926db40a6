"""Pages that open without network: executed notebooks and an index as HTML, everything in them or beside them.

nbconvert's page asks the network for scripts, so cells are rendered here, from the media types that are data: our
tables, PNG, plain text. Templates escape by default and no output's own markup is used; each page forbids itself to
load or run anything, and `addresses` finds what would be asked of elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from html.parser import HTMLParser
from importlib.resources import files
from typing import Any

import mistune
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from pygments.lexers import PythonLexer  # type: ignore[import-untyped]
from pygments.token import Comment, Keyword, Number, Operator, String  # type: ignore[import-untyped]

from starebrain import __version__
from starebrain.errors import printable
from starebrain.report.shown import TABLE, Table

FOOTER = f"Made by starebrain {__version__}. This page needs no network and runs no script."
LONGEST = 5_000
"""Longest text output on a page, in characters; the notebook has all of it."""

CODE = ((Comment, "c"), (String, "s"), (Number, "m"), (Operator.Word, "ow"), (Keyword, "k"))
"""Classes of code in the style sheet."""

LABELS = {"parameters": "Parameters", "injected-parameters": "Parameters of this run"}
"""What the code of a cell is called, by its tag."""

ASKING = frozenset(
    {"action", "background", "cite", "data", "formaction", "href", "manifest", "ping", "poster", "src", "srcset"}
    | {"xlink:href"}
)
"""Attributes whose value a browser may fetch."""
RUNNING = frozenset({"applet", "base", "embed", "frame", "iframe", "object", "script"})
"""Elements that a page must not have: they run or load by what they are."""
STYLE_ADDRESS = re.compile(r"""url\(\s*["']?([^"')]*)|@import\s+["']?([^"';]*)""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Page:
    """A notebook as HTML; `picture` is its first, which answers its question, as the templates take it."""

    name: str
    title: str
    picture: Mapping[str, Any] | None
    html: str


def notebook_page(name: str, notebook: Any) -> Page:
    """The page of an executed notebook; its title is the first heading, or `name` where there is none."""
    headings: list[tuple[int, str, str]] = []
    cells = [_cell(cell, headings) for cell in notebook.cells]
    pictures = [part["picture"] for cell in cells for part in cell.get("parts", ()) if "picture" in part]
    title = next((text for level, text, _ in headings if level == 1), name)
    html = _template("notebook").render(
        title=title,
        name=name,
        cells=cells,
        headings=[{"text": text, "anchor": anchor} for level, text, anchor in headings if level == 2],
        style=_style(),
        footer=FOOTER,
    )
    return Page(name, title, pictures[0] if pictures else None, html)


def index_page(
    title: str, lead: str, figures: Table | None, pages: Sequence[Page], provenance: Mapping[str, str]
) -> str:
    """The page that links all others: what was run, the key figures, each notebook with its first picture."""
    shown = [(printable(name), printable(value)) for name, value in provenance.items()]
    return _template("index").render(
        title=title, lead=lead, figures=figures, pages=pages, provenance=shown, style=_style(), footer=FOOTER
    )


def addresses(html: str) -> list[str]:
    """What a page would load, run or lead to outside its folder: none for a page of ours.

    Fragments, ``data:`` images and files beside the page are inside.
    """
    finder = _Finder()
    finder.feed(html)
    finder.close()
    return finder.found


class _Finder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect what a browser would ask for on account of this element."""
        self._in_style = tag == "style"
        if tag in RUNNING:
            self.found.append(f"<{tag}>")
        if tag == "meta" and dict(attrs).get("http-equiv", "").lower() == "refresh":  # type: ignore[union-attr]
            self.found.append("<meta refresh>")
        for name, value in attrs:
            if name in ASKING and not _inside(value or ""):
                self.found.append(value or "")
            elif name == "style":
                self._styles(value or "")
            elif name.startswith("on"):
                self.found.append(f"{name}={value}")

    def handle_data(self, data: str) -> None:
        """Look through style sheets."""
        if self._in_style:
            self._styles(data)

    def handle_endtag(self, tag: str) -> None:
        """Notice the end of a style sheet."""
        self._in_style = False

    def _styles(self, css: str) -> None:
        for match in STYLE_ADDRESS.finditer(css):
            if not _inside(address := match[1] or match[2] or ""):
                self.found.append(address)


def _inside(address: str) -> bool:
    if address.startswith(("#", "data:image/png;base64,")) or address == "data:,":
        return True
    return re.fullmatch(r"[\w-][\w. -]*(#.*)?", address) is not None


def _cell(cell: Any, headings: list[tuple[int, str, str]]) -> dict[str, Any]:
    """A cell as the template takes it; headings found in it are added to `headings`."""
    if cell.cell_type != "code":
        return {"html": Markup(_markdown(cell.source, headings))}
    parts = [part for output in cell.outputs if (part := _part(output))]
    label = next((LABELS[tag] for tag in cell.metadata.get("tags", ()) if tag in LABELS), "Code")
    return {"parts": parts, "code": _code(cell.source), "label": label}


def _part(output: Any) -> dict[str, Any] | None:
    """An output as the template takes it: a table, a picture or text; None for what says nothing without a kernel."""
    if output.output_type == "stream":
        return {"text": _plain(output.text), "stream": output.name}
    data = output.get("data", {})
    if TABLE in data:
        return {"table": data[TABLE]}
    if "image/png" in data:
        about = output.metadata.get("image/png", {})
        png = "".join(data["image/png"].split())
        return {"picture": {"png": png, "alt": about.get("alt", ""), "width": about.get("width")}}
    text = data.get("text/plain", "")
    return {"text": _plain(text), "stream": "result"} if text else None


def _plain(text: str) -> str:
    """Text output without colours, control and direction characters as escapes, cut to a readable length."""
    text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text).rstrip()
    over = len(text) - LONGEST
    if over > 0:
        text = f"{text[:LONGEST]}…\n({over:,} more characters are in the notebook)"
    return "\n".join("\t".join(map(printable, line.split("\t"))) for line in text.split("\n"))


class _Renderer(mistune.HTMLRenderer):
    """Markdown as HTML that asks for nothing: addresses elsewhere are shown, not linked."""

    def __init__(self, headings: list[tuple[int, str, str]]) -> None:
        super().__init__(escape=True)
        self._headings = headings

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        """A heading that can be linked to."""
        plain = mistune.util.unescape(re.sub(r"<[^>]*>", "", text))
        anchor = re.sub(r"\W+", "-", plain.lower()).strip("-")
        taken = {known for _, _, known in self._headings}
        while anchor in taken or not anchor:
            anchor += "-again"
        self._headings.append((level, plain, anchor))
        return f'<h{level} id="{escape(anchor)}">{text}</h{level}>\n'

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """A link within the report, or an address to read."""
        return super().link(text, url, title) if _inside(url) else f"{text} (<code>{escape(url)}</code>)"

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """The words for a picture: pictures come from cells."""
        return text


def _markdown(source: str, headings: list[tuple[int, str, str]]) -> str:
    return str(mistune.create_markdown(renderer=_Renderer(headings), plugins=["table"])(source))


def _code(source: str) -> Markup:
    """Python with classes for the style sheet."""
    return Markup("").join(
        Markup('<span class="{}">{}</span>').format(name, text) if (name := _class(kind)) else text
        for kind, text in PythonLexer(stripnl=True).get_tokens(source.strip())
    )


def _class(kind: Any) -> str | None:
    return next((name for token, name in CODE if kind in token), None)


@cache
def _environment() -> Environment:
    loader = PackageLoader("starebrain.report", "pages")
    return Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)


def _template(name: str) -> Any:
    return _environment().get_template(f"{name}.html.j2")


@cache
def _style() -> Markup:
    return Markup(files("starebrain.report").joinpath("pages/style.css").read_text("utf-8"))
