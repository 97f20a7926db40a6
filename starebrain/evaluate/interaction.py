"""How long a user takes over prompts: a keystroke-level model with numbers for phones, each with its source.

The keystroke-level model (Card, Moran and Newell, "The Keystroke-Level Model for User Performance Time with Interactive
Systems", Communications of the ACM 23(7), 1980) adds up what a practised user does without error. A suggestion is read,
judged and answered with one button. A question is read, thought about, answered by typing and sent off. An overridden
suggestion is both: the button says no, and the question follows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from starebrain.errors import require

KLM = "Card, Moran and Newell 1980"
SOURCES: Mapping[str, tuple[str, str]] = {
    "respond": ("s", "assumed: until the prompt is there (R)"),
    "prepare": ("s", f"{KLM}: mental preparation (M)"),
    "point": ("s", f"{KLM}: pointing at a target (P), measured with a mouse; assumed for a thumb"),
    "press": ("s", f"{KLM}: pressing a button (K), average skilled typist"),
    "home": ("s", f"{KLM}: moving the hands to the keys (H); assumed for the keyboard on the screen"),
    "reading": ("words/min", "Brysbaert 2019: silent reading of English, mean of 190 studies"),
    "typing": ("words/min", "Palin et al. 2019: typing on phones, mean of 37,370 people"),
    "suggestion_words": ("words", "assumed"),
    "question_words": ("words", "assumed"),
    "answer_words": ("words", "assumed"),
}
"""The unit and the source of every number of an `Interaction`."""


@dataclass(frozen=True, slots=True)
class Interaction:
    """The numbers of the model, in the units of `SOURCES`; all above 0."""

    respond: float = 0.5
    prepare: float = 1.35
    point: float = 1.1
    press: float = 0.2
    home: float = 0.4
    reading: float = 238.0
    typing: float = 36.2
    suggestion_words: float = 8.0
    question_words: float = 6.0
    answer_words: float = 2.0

    def __post_init__(self) -> None:
        for one in fields(self):
            require(getattr(self, one.name) > 0, one.name, f"{getattr(self, one.name)} is not above 0")

    @property
    def suggestion(self) -> float:
        """Seconds that a suggestion takes, whether it is confirmed or overridden."""
        read = 60 * self.suggestion_words / self.reading
        return self.respond + read + self.prepare + self.point + self.press

    @property
    def question(self) -> float:
        """Seconds that a question takes."""
        read, type_in = 60 * self.question_words / self.reading, 60 * self.answer_words / self.typing
        return self.respond + read + self.prepare + self.home + type_in + self.point + self.press

    @property
    def rows(self) -> list[tuple[str, float, str, str]]:
        """Name, number, unit and source of each, and what a suggestion and a question come to."""
        given = [(one.name.replace("_", " "), getattr(self, one.name), *SOURCES[one.name]) for one in fields(self)]
        made = [("a suggestion", self.suggestion, "s", "respond + read + prepare + point + press")]
        made += [("a question", self.question, "s", "respond + read + prepare + home + type + point + press")]
        return given + made
