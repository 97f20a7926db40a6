"""SLURP: spoken requests to a home assistant, as a speech recogniser wrote them down.

A hint is the span of the recogniser's transcript that stands where the true sentence has a person, place or business;
candidates are all true values of that slot in the files at hand. Spans that the recogniser lost whole (no word left)
are left out: there is nothing to resolve. Every recording counts; recordings of one sentence are a cluster and a phone.
The figures in docs of the data (293 persons from 93 sentences for one half) are over spans whether or not the words
around them agree, and so are these.

True values name some places and businesses in several spellings ("ny" and "new york", "miami florida" and "miami",
"starbuck" and "starbucks"). These are one thing and each of them is right: `spelling` says by rule which are. Were they
taken apart, a resolver that takes "new york" for "ny" would count as wrong, and with the answer removed nine of ten
answers would be another spelling of it. Persons are taken apart by every letter, as in published figures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path

from starebrain.benchmarks.base import Benchmark, Book, Files, Item, json_lines
from starebrain.benchmarks.labels import Fitting, family_of, words_of
from starebrain.errors import InvalidInput
from starebrain.intent import ParameterKind

ALIGNED, SENTENCES, TRANSCRIPTS = "aligned*.jsonl", "test*.jsonl", "multi_slurp_hermit_predictions*.jsonl"
NO_WORDS = frozenset({"'s", "@@UNKNOWN@@", "<", "unk", ">"})
"""Tokens of a span that are no words of a name: the genitive, and the recogniser's marks for what it did not catch."""
ARTICLES = frozenset({"the", "a", "an"})
_STATE = re.compile(
    r"""\ (?:alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho
    |illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri
    |montana|nebraska|nevada|ohio|oklahoma|oregon|pennsylvania|tennessee|texas|utah|vermont|virginia|washington|wisconsin
    |wyoming|al|ak|az|ar|ca|co|ct|fl|ga|il|ky|la|ma|md|mi|mn|mo|ms|mt|nc|nd|nh|nj|nm|nv|ny|oh|ok|pa|sc|sd|tn|tx|ut|va|vt
    |wa|wi|wv|wy)$""",
    re.VERBOSE,
)
SAME = {
    short: full
    for full, shorts in {
        "unitedstate": "us usa america unitedstatesofamerica",
        "unitedkingdom": "uk greatbritain",
        "newyork": "ny nyc newyorkcity",
        "newjersey": "nj",
        "losangele": "la",
        "sanfrancisco": "sf sanfransico sanfransisco",
        "washingtondc": "dc",
        "philadelphia": "philly",
        "lasvega": "vega",
        "sacramento": "sacremento",
    }.items()
    for short in shorts.split()
}
"""Short forms and slips of places, as `spelling` leaves them."""


@dataclass(frozen=True, slots=True)
class Span:
    """A true value and what the recogniser made of it in one recording."""

    slurp_id: int
    file: str
    slot: str
    hint: str
    gold: str
    transcript: str
    intent: str


def spelling(name: str) -> str:
    """What the spellings of one place or business have in common.

    Articles, blanks, punctuation, a last "s" or "com" and a US state behind a city are left out; `SAME` has the short
    forms that are said.
    """
    said = " ".join(word for word in words_of(name) if word not in ARTICLES)
    short = _STATE.sub("", said).replace(" ", "")
    short = short.removesuffix("com") if len(short) > 6 else short
    short = short.removesuffix("s") if len(short) > 4 else short
    return SAME.get(short, short)


def read(slot: str, kind: ParameterKind, same: Callable[[str], str], files: Files) -> list[Item]:
    """The items of one slot, ordered by sentence and recording; values for which `same` is equal are one thing."""
    spans = sorted((s for s in _spans(files) if s.slot == slot), key=lambda s: (s.slurp_id, s.file))
    book = Book(kind, tuple(sorted({span.gold for span in spans})))
    at, fitting = {name: i for i, name in enumerate(book.names)}, Fitting(book.names)
    things: dict[str, list[int]] = {}
    for name, i in at.items():
        things.setdefault(same(name), []).append(i)
    meant: dict[tuple[str, ...], set[int]] = {}
    for span in spans:
        meant.setdefault(words_of(span.hint), set()).add(at[span.gold])
    items = []
    for number, span in enumerate(s for s in spans if s.hint.strip()):
        cluster, gold = f"slurp:{span.slurp_id}", at[span.gold]
        intended = (gold, *(i for i in things[same(span.gold)] if i != gold))
        compatible = fitting.fits(span.hint, intended, meant[words_of(span.hint)])
        family = family_of(span.hint, span.gold)
        item_id = f"{span.slurp_id}-{number}"
        said = (span.hint, intended, compatible, family, span.intent, span.transcript)
        items.append(Item(item_id, cluster, cluster, book, *said))
    return items


def _spans(files: Files) -> Iterator[Span]:
    if ALIGNED in files:
        for path in files[ALIGNED]:
            fields = dict.fromkeys(("file", "slot", "hint", "gold", "asr", "intent"), str)
            for row in json_lines(path, slurp_id=int, **fields):
                yield Span(
                    *(row[name] for name in ("slurp_id", "file", "slot", "hint", "gold", "asr", "intent")),
                )
    else:
        yield from align(files[SENTENCES], files[TRANSCRIPTS])


def align(sentences: Sequence[Path], transcripts: Sequence[Path]) -> Iterator[Span]:
    """The spans of the transcripts that stand for the entities of the true sentences.

    Words are aligned by difflib; where a stretch was replaced by another, an entity gets its share of the words in
    proportion. This gives the 1,889 spans of the aligned file that goes with one half of the data, word for word.
    """
    recorded = {}
    for path in sentences:
        for row in json_lines(path, slurp_id=int, tokens=list, entities=list, recordings=list, intent=str):
            try:
                said = [token["surface"].lower() for token in row["tokens"]]
                spans = [(e["type"], min(e["span"]), max(e["span"]) + 1) for e in row["entities"]]
                recorded.update({r["file"]: (row["slurp_id"], row["intent"], said, spans) for r in row["recordings"]})
            except (KeyError, TypeError, ValueError, AttributeError):
                fact = "tokens, entities or recordings are not as SLURP writes them"
                raise InvalidInput(fact, file=path, place=f"slurp_id {row['slurp_id']}") from None
    for path in transcripts:
        for row in json_lines(path, file=str, text=str):
            if row["file"] not in recorded:
                continue
            slurp_id, intent, said, spans = recorded[row["file"]]
            heard = row["text"].split()
            steps = SequenceMatcher(None, said, heard, autojunk=False).get_opcodes()
            for slot, start, end in spans:
                hint, gold = _name(_heard(steps, heard, start, end)), _name(said[start:end])
                yield Span(slurp_id, row["file"], slot, hint, gold, row["text"], intent)


def _heard(steps: Sequence[tuple[str, int, int, int, int]], heard: Sequence[str], start: int, end: int) -> list[str]:
    """The heard words that stand for the said words `start` to `end`."""
    found: list[str] = []
    for step, from_, to, first, last in steps:
        if from_ < end and to > start and step in ("equal", "replace"):
            stretch = (last - first) / (to - from_)
            a, b = max(start, from_) - from_, min(end, to) - from_
            found += heard[first + round(a * stretch) : first + round(b * stretch)]
    return found


def _name(tokens: Sequence[str]) -> str:
    return " ".join(token for token in tokens if token not in NO_WORDS)


BENCHMARKS = tuple(
    Benchmark(
        name=name,
        about=f"spoken hints: what a recogniser wrote for a {what}, against the true one",
        repository="https://github.com/pswietojanski/slurp",
        commit="8eb1654",
        path="dataset/slurp/test.jsonl and experiments/predictions/multi_slurp_hermit_predictions.jsonl",
        licence="text CC BY 4.0",
        folder="slurp",
        sources=((ALIGNED,), (SENTENCES, TRANSCRIPTS)),
        known={
            "ee277d34f2ca82110ce8a5829cab40117035f8c2f105fb0bda92bd5ff2579c14": "aligned spans, even slurp_id",
            "354841c842b155aab37d01b079e66e2e2afd39ef278735d6127503d0bc7f2179": "test sentences, even slurp_id",
            "3c81990973fe0ce14ae20717618b0930342bb4be64d929e951d868a4fe19e24c": "transcripts, even slurp_id",
        },
        read=partial(read, slot, kind, same),
    )
    for name, what, slot, kind, same in (
        ("slurp_person", "person", "person", ParameterKind.CONTACT, str),
        ("slurp_place", "place", "place_name", ParameterKind.LOCATION, spelling),
        ("slurp_business", "business", "business_name", ParameterKind.CONTACT, spelling),
    )
)
