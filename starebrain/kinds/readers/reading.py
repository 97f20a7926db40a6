"""What a time expression may mean: readings, and the event that an expression leans on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from starebrain.resolution import Grain

MAX_LENGTH = 1_000
"""Characters of the longest hint; a longer one is refused."""

MAX_READ = 240
"""Characters of the longest hint in which a time is sought; what is longer names none, whatever stands in it."""


class Flag(StrEnum):
    """What is special about a reading; the tier of most of these is capped."""

    OPEN_MERIDIEM = "open_meridiem"  # "at 3": morning and afternoon are both candidates
    OPEN_WEEKDAY = "open_weekday"  # "next Friday": usage differs, and both days are candidates
    NO_TIME = "no_time"  # a day, a part of a day, a week: no clock time was said
    PAST = "past"  # starts before the reference
    NEGATED = "negated"  # "not Friday": the reading is what was ruled out
    RECURRING = "recurring"  # "every Monday": the reading is the next occurrence
    DURATION_ONLY = "duration_only"  # "for two hours": the reading starts at the reference
    OPEN_LENGTH = "open_length"  # "3 heures": a time of day, or how long
    TWO_OFFERS = "two_offers"  # "3pm or 4pm": each is a candidate
    EXPLICIT_ZONE = "explicit_zone"  # the hint names its zone, and the instants carry that offset
    DAYLESS = "dayless"  # "3pm CET": the next time that it is that late there, whatever the day of the reading
    AFTER = "after"  # an earliest time: "after 5pm", "from Monday on"; no end
    BEFORE = "before"  # a latest time: "by 5pm", "until Friday"; starts at the reference
    WINDOW = "window"  # a stretch in which something is to fit: "between 5 and 6", "within two hours"
    APPROXIMATE = "approximate"  # "around 3pm"
    ROLLED = "rolled"  # the time of day is over for today, so the next day's is meant
    FORCED = "forced"  # a convention was needed that speakers and corpora do not share


CAPPING = frozenset(
    {
        Flag.OPEN_MERIDIEM,
        Flag.OPEN_WEEKDAY,
        Flag.NO_TIME,
        Flag.PAST,
        Flag.NEGATED,
        Flag.RECURRING,
        Flag.DURATION_ONLY,
        Flag.OPEN_LENGTH,
        Flag.TWO_OFFERS,
        Flag.AFTER,
        Flag.BEFORE,
        Flag.WINDOW,
        Flag.FORCED,
    }
)
"""The flags of a reading that may never be filled in silently."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One meaning of a hint.

    `start` and `end` (exclusive, None where it was left open) are local times without a zone, or carry the fixed offset
    that the hint names (`EXPLICIT_ZONE`). `grain` is how precisely the user spoke; a quarter, season, year or more has
    the grain of a month. `span` is the part of the hint that was understood, as [start, end) in characters.
    `readers` names who gave this reading (``rules``, ``chrono``, ``recognizers``), `rule` the family of our own rules
    ("" where they did not give it).
    """

    start: datetime
    end: datetime | None
    grain: Grain
    flags: frozenset[Flag] = frozenset()
    span: tuple[int, int] = (0, 0)
    readers: frozenset[str] = frozenset()
    rule: str = ""

    @property
    def timed(self) -> bool:
        """Whether it is a clock time, to the hour or the minute."""
        return self.grain in (Grain.MINUTE, Grain.HOUR)


class Relation(StrEnum):
    """How a hint leans on an event."""

    AT = "at"  # "the dentist appointment"
    BEFORE = "before"
    AFTER = "after"
    DURING = "during"
    WHEN = "when"  # "when I land"


@dataclass(frozen=True, slots=True)
class Anchor:
    """An event that a hint leans on, in the speaker's words; finding it is the kind's work.

    `offset` is how long before or after it ("an hour before": one hour; None where nothing was said, zero for "right
    after"). `event_words` is the part of the hint that names the event, without articles and possessives; "" where it
    names none ("right after"). `when` are the readings of a day or time beside it ("after yoga *tomorrow*"), if any;
    `flags` what the other words say of it ("*every day* after yoga").
    """

    relation: Relation
    offset: timedelta | None
    event_words: str
    when: tuple[Reading, ...] = ()
    flags: frozenset[Flag] = frozenset()


@dataclass(frozen=True, slots=True)
class ReadingSet:
    """All that a hint may mean: `readings`, most likely first, and the event it may lean on.

    `refused` says why there is no reading where the words do name a time: ``too_long``, ``impossible`` (no such day or
    hour), ``unknown_zone``; "" otherwise. `flags` are those that words of the hint demand, whatever it may mean.
    """

    readings: tuple[Reading, ...] = ()
    anchor: Anchor | None = None
    refused: str = ""
    flags: frozenset[Flag] = frozenset()
