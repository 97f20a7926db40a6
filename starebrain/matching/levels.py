"""What a comparison of a hint with a name can say: a level for each word, and how much of the name was said."""

from __future__ import annotations

from typing import NamedTuple

WORD_LEVELS = (
    "exact",  # the same word after folding
    "named",  # the same word, where it says what the candidate is: "mom" for Mom
    "spelled",  # the same word in another spelling: umlauts spelled out, a number word, a possessive
    "concept",  # another word for the same relation, role or place
    "nickname",  # a nickname of the word, or the other way round
    "prefix",  # the beginning of the word, at least three letters
    "alike_1",  # likeness in the highest band
    "alike_2",
    "alike_3",
    "alike_4",
    "alike_5",  # likeness in the lowest band that counts
    "initial",  # the first letter
    "unasked",  # a nickname of the word, or what sounds like it, where another name of the phone has the very word
    "outdone",  # like the word, or begun by it, where another name of the phone has the very word
    "described",  # a word of what describes the candidate: organization, role, address, account
    "sort",  # a word for the sort of thing that the candidate is, and many others are: somebody's house
    "absent",  # no word of the candidate is near
)
EXACT, NAMED, SPELLED, CONCEPT, NICKNAME, PREFIX, ALIKE_1 = range(7)
INITIAL, UNASKED, OUTDONE, DESCRIBED, SORT, ABSENT = range(11, 17)

COVERAGES = (
    "whole",  # every word of the name was said
    "only",  # the same of a name of one word
    "exceeded",  # every word of the name was said, and others that it does not have
    "first",  # its first words
    "last",  # its last words
    "inner",  # some others
    "shadowed",  # some, where the words are the whole of the first name that another candidate is shown by
    "rivalled",  # all, but not in these words, where they are the whole of that name of another candidate
    "blurred",  # some, of several words one only somewhat alike, as relatives' names are, or none clearly
    "conflict",  # some, but the hint has other words where the name has words that were not said
    "meaning",  # none, but a word for what the candidate is: a relation, a role, its initials
    "none",  # none: only words that describe the candidate
)
WHOLE, ONLY, EXCEEDED, FIRST, LAST, INNER, SHADOWED, RIVALLED, BLURRED, CONFLICT, MEANING, NONE = range(12)


class Comparison(NamedTuple):
    """How one candidate compares with a hint: a level a word, and the coverage of the name that fits best.

    `places` are, a word each, the word of that name that it got the level for; -1 for none.
    """

    candidate: int
    levels: tuple[int, ...]
    coverage: int
    reordered: bool
    name: int
    places: tuple[int, ...] = ()
