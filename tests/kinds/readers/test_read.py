"""`read` and `grade` as a whole: flags, agreement, refusals, zones, languages, caching, hostile text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from starebrain.kinds.readers import CAPPING, Flag, ReadingSet, Support, grade, read
from tests.kinds.readers.cases import NOW, shown

EN = "en_US"


def best(text: str, locale: str = EN, now: datetime = NOW) -> tuple[str | None, Support]:
    reading, support = grade(read(text, now, locale))
    return None if reading is None else shown(reading), support


def silent(text: str, locale: str = EN) -> bool:
    """Whether support and flags would allow to fill it in silently."""
    reading, support = grade(read(text, NOW, locale))
    return reading is not None and support in (Support.AGREED, Support.PROVEN) and reading.flags.isdisjoint(CAPPING)


@pytest.mark.parametrize(
    ("locale", "hint", "reading"),
    [
        (EN, "tomorrow at 3pm", "11-06 15:00"),
        (EN, "2026-11-09 16:00", "11-09 16:00"),
        (EN, "in half an hour", "11-05 10:00"),
        (EN, "from 2 to 4pm tomorrow", "11-06 14:00/11-06 16:00"),
        (EN, "noon", "11-05 12:00"),
        (EN, "11/12 at 2pm", "11-12 14:00"),
        ("en_GB", "12 November at 2pm", "11-12 14:00"),
        ("de_DE", "Sonntag um 15 Uhr", "11-08 15:00"),
        ("de_DE", "tomorrow at 3pm", "11-06 15:00"),
        ("fr_FR", "demain à 15h30", "11-06 15:30"),
        ("es_ES", "mañana a las 3 de la tarde", "11-06 15:00"),
        ("pt_BR", "amanhã às 15h", "11-06 15:00"),
    ],
)
def test_what_readers_agree_on_may_be_silent(locale: str, hint: str, reading: str) -> None:
    assert best(hint, locale)[0] == reading
    assert silent(hint, locale)


@pytest.mark.parametrize(
    ("hint", "flag"),
    [
        ("next Friday at noon", Flag.OPEN_WEEKDAY),
        ("tomorrow at 3", Flag.OPEN_MERIDIEM),
        ("Friday at midnight", Flag.FORCED),
        ("tomorrow", Flag.NO_TIME),
        ("sometime next week", Flag.NO_TIME),
        ("tomorrow morning", Flag.NO_TIME),
        ("yesterday at 5pm", Flag.PAST),
        ("not Friday at 3pm", Flag.NEGATED),
        ("every Monday at 9am", Flag.RECURRING),
        ("Mondays at 9am", Flag.RECURRING),
        ("for two hours", Flag.DURATION_ONLY),
        ("3pm or 4pm", Flag.TWO_OFFERS),
        ("between 5pm and 6pm", Flag.WINDOW),
        ("by 5pm", Flag.BEFORE),
        ("after 5pm", Flag.AFTER),
        ("10.11.2026 at 5pm", Flag.FORCED),
        ("in a few minutes", Flag.WINDOW),
        ("asap", Flag.WINDOW),
        ("daily at 8am", Flag.RECURRING),
    ],
)
def test_what_may_not_be_silent_is_flagged(hint: str, flag: Flag) -> None:
    reading, _ = grade(read(hint, NOW, EN))
    assert reading is not None
    assert flag in reading.flags
    assert not silent(hint)


@pytest.mark.parametrize(
    ("locale", "hint", "offered"),
    [
        (EN, "next Friday at noon", ["11-13 12:00", "11-06 12:00"]),
        ("fr_FR", "vendredi prochain à midi", ["11-06 12:00", "11-13 12:00"]),
        (EN, "tomorrow at 3", ["11-06 15:00", "11-06 03:00"]),
        (EN, "3pm or 4pm", ["11-05 15:00", "11-05 16:00"]),
        (EN, "Friday at midnight", ["11-06 00:00", "11-07 00:00"]),
    ],
)
def test_every_meaning_is_offered(locale: str, hint: str, offered: list[str]) -> None:
    found = [
        shown(r).partition(" open")[0].partition(" two")[0].partition(" forced")[0]
        for r in read(hint, NOW, locale).readings
    ]
    assert found[:2] == offered


@pytest.mark.parametrize(
    "hint",
    [
        "Feb 30 at 4pm",
        "30 February",
        "Nov 31 at 5pm",
        "February 29, 2027",
        "25:00",
        "12:60",
        "13/13 at 2pm",
        "2026-13-32",
    ],
)
def test_what_does_not_exist_is_refused_and_not_mended(hint: str) -> None:
    assert read(hint, NOW, EN) == ReadingSet(refused="impossible")
    assert grade(read(hint, NOW, EN)) == (None, Support.NONE)


@pytest.mark.parametrize(
    "hint", ["", " ", "?", "banana", "the dentist appointment", "single o'clock", "1 adult", "jan", "3y", "7 - 8"]
)
def test_what_is_no_time_has_no_reading(hint: str) -> None:
    assert read(hint, NOW, EN).readings == ()


def test_a_hint_is_read_in_the_language_of_the_phone_first() -> None:
    """ "mar" is a weekday in French and a month in English, "um 3" an hour only in German."""
    assert best("mar 10 à 15h", "fr_FR")[0] == "11-10 15:00"
    assert best("Mar 10 at 3pm", EN)[0] == "2027-03-10 15:00"
    assert best("morgen um 15 Uhr", EN)[0] == "11-06 15:00"
    assert best("tomorrow at 3pm", "ja_JP")[0] == "11-06 15:00"


@pytest.mark.parametrize(
    ("locale", "hint", "start"),
    [
        (EN, "tomorrow 9am PST", datetime(2026, 11, 6, 9, tzinfo=timezone(timedelta(hours=-8)))),
        (EN, "Monday at 15:00 UTC+2", datetime(2026, 11, 9, 15, tzinfo=timezone(timedelta(hours=2)))),
        (EN, "2026-11-09T16:00:00Z", datetime(2026, 11, 9, 16, tzinfo=UTC)),
        (EN, "2026-11-09T16:00:00+05:30", datetime(2026, 11, 9, 16, tzinfo=timezone(timedelta(hours=5.5)))),
        (EN, "Friday at 3pm Berlin time", datetime(2026, 11, 6, 15, tzinfo=timezone(timedelta(hours=1)))),
        (EN, "tomorrow at 3pm New York time", datetime(2026, 11, 6, 15, tzinfo=timezone(timedelta(hours=-5)))),
        (EN, "July 1 at 3pm Eastern time", datetime(2027, 7, 1, 15, tzinfo=timezone(timedelta(hours=-4)))),
        ("de_DE", "morgen um 15 Uhr MEZ", datetime(2026, 11, 6, 15, tzinfo=timezone(timedelta(hours=1)))),
        ("fr_FR", "demain à 15h heure de Paris", datetime(2026, 11, 6, 15, tzinfo=timezone(timedelta(hours=1)))),
        ("en_IN", "tomorrow 5pm IST", datetime(2026, 11, 6, 17, tzinfo=timezone(timedelta(hours=5.5)))),
    ],
)
def test_a_named_zone_is_honoured(locale: str, hint: str, start: datetime) -> None:
    reading, _ = grade(read(hint, NOW, locale))
    assert reading is not None
    assert (reading.start, reading.start.utcoffset()) == (start, start.utcoffset())
    assert Flag.EXPLICIT_ZONE in reading.flags


def test_a_zone_that_means_several_is_not_answered() -> None:
    assert read("tomorrow 5pm IST", NOW, "en_IE").refused == "unknown_zone"
    assert read("tomorrow 5pm CST", NOW, "en_GB").refused == "unknown_zone"
    assert read("tomorrow 5pm Springfield time", NOW, EN).readings == ()


def test_winter_time_said_in_summer_is_two_readings() -> None:
    readings = read("July 1 at 3pm EST", NOW, EN).readings
    assert [r.start.utcoffset() for r in readings[:2]] == [timedelta(hours=-5), timedelta(hours=-4)]
    assert all(Flag.FORCED in r.flags for r in readings)


def test_french_est_is_no_zone() -> None:
    assert all(r.start.tzinfo is None for r in read("à 15h est", NOW, "fr_FR").readings)


def test_too_long_a_hint_is_refused() -> None:
    assert read("tomorrow at 3pm " * 63, NOW, EN) == ReadingSet(refused="too_long")
    assert read("tomorrow at 3pm " * 60, NOW, EN) == ReadingSet()


def test_the_reference_must_be_a_local_time() -> None:
    with pytest.raises(ValueError, match="zone"):
        read("tomorrow", datetime(2026, 11, 5, tzinfo=UTC), EN)


def test_the_same_hint_means_the_same_whoever_asked_before() -> None:
    """What is kept of a hint for a day must not depend on the hour that it was first asked at."""
    morning, evening = NOW.replace(hour=7), NOW.replace(hour=19)
    hints = [
        "today at 9am",
        "Thursday at 5pm",
        "5pm",
        "tomorrow at 3pm",
        "in 2 hours",
        "between 6pm and 8pm",
        "Thursday",
    ]
    forward = [read(h, at, EN) for h in hints for at in (morning, evening)]
    from starebrain.kinds import readers

    readers._prepared.cache_clear()
    readers._cached.cache_clear()
    backward = [read(h, at, EN) for h in reversed(hints) for at in (evening, morning)]
    assert forward == backward[::-1]


@settings(max_examples=150)
@example("३ बजे", EN)
@example("‮tomorrow at 3pm", EN)
@example("t\x00omorrow", EN)
@example("99999999999999999999 days ago", EN)
@example("in 99999 years", EN)
@example("100000 business days from now", EN)
@example("0001-01-01", EN)
@example("9999-12-31 at 23:59", EN)
@example("\ud800", EN)
@given(st.text(max_size=60), st.sampled_from([EN, "de_DE", "fr_FR", "es_MX", "pt_PT", "", "xx"]))
def test_no_text_raises(text: str, locale: str) -> None:
    readings = read(text, NOW, locale)
    reading, support = grade(readings)
    assert (reading is None) == (support is Support.NONE)
    assert all(r.end is None or r.end >= r.start for r in readings.readings)


WORDS = st.sampled_from(
    [
        *("at", "on", "the", "next", "last", "this", "Friday", "Monday", "tomorrow", "today", "3", "5", "12", "31"),
        *("2027", "pm", "am", "noon", "in", "for", "from", "to", "until", "between", "and", "or", "not", "every"),
        *("9:30", "11/12", "May", "first", "week", "month", "hour", "hours", "minutes", "ago", "after", "before"),
        *("half", "quarter", "past", "-", ",", ".", "evening"),
    ]
)


@settings(max_examples=150)
@given(st.lists(WORDS, max_size=8).map(" ".join), st.datetimes(datetime(2000, 1, 1), datetime(2060, 1, 1)))
def test_any_row_of_time_words_is_read_soundly(text: str, now: datetime) -> None:
    for reading in read(text, now, EN).readings:
        assert reading.end is None or reading.end >= reading.start
        assert reading.readers
        start, end = reading.span
        assert 0 <= start < end <= len(text)
        if Flag.PAST not in reading.flags and reading.timed and Flag.AFTER not in reading.flags:
            assert (reading.end or reading.start) >= now.replace(second=0, microsecond=0)
