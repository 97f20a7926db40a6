"""What words fit: the families and compatible records of benchmarks that only say which record is right."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

_WORD = re.compile(r"\w+")


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, without regard to case and punctuation."""
    return tuple(_WORD.findall(text.casefold()))


def family_of(hint: str, name: str) -> str:
    """How a hint refers to a name: with the ``same_words``, ``fewer_words``, ``more_words`` or ``other_words``."""
    said, full = words_of(hint), words_of(name)
    if said == full:
        return "same_words"
    if set(said) <= set(full):
        return "fewer_words"
    return "more_words" if set(full) <= set(said) else "other_words"


class Fitting:
    """The records of a phone by what their names say, and what hints fit equally well."""

    def __init__(self, names: Sequence[str]) -> None:
        self._same: dict[tuple[str, ...], list[int]] = defaultdict(list)
        self._with: dict[str, set[int]] = defaultdict(set)
        for at, name in enumerate(names):
            said = words_of(name)
            self._same[said].append(at)
            for word in said:
                self._with[word].add(at)

    def fits(self, hint: str, intended: Iterable[int], meant: Iterable[int] = ()) -> tuple[int, ...]:
        """The positions that the words of `hint` fit equally well, `intended` among them.

        Those that have exactly these words; else, where the one that is meant (if any) has all of them among others,
        all that do; else only what speakers in the same data meant by these words (`meant`).
        """
        said, intended = words_of(hint), set(intended)
        found = set(self._same.get(said, ()))
        if not found and said:
            holding = set.intersection(*(self._with.get(word, set()) for word in said))
            if not intended or intended & holding:
                found = holding
        if not found:
            found = set(meant)
        return tuple(sorted(found | intended))
