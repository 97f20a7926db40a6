"""How long it takes to read a time hint: new ones, ones that were read before, hostile ones, in five languages."""

from __future__ import annotations

import statistics
import time
from datetime import datetime, timedelta

import pytest

from starebrain.kinds import readers
from starebrain.kinds.readers import read, warm
from tests.kinds.readers.test_limits import REPEATED

NOW = datetime(2026, 11, 5, 9, 30)
HINTS = {
    "en_US": ("tomorrow at 3pm", "next Friday at noon", "half past six", "the 12th", "in an hour and a half", "banana"),
    "de_DE": ("morgen um 15 Uhr", "nächsten Freitag", "halb acht", "am 12.", "in anderthalb Stunden", "Banane"),
    "fr_FR": ("demain à 15h", "vendredi prochain à midi", "sept heures et demie", "le 12", "dans 2 heures", "banane"),
    "es_ES": ("mañana a las 15:00", "el próximo viernes", "a las siete y media", "el 12", "en dos horas", "plátano"),
    "pt_BR": ("amanhã às 15h", "sexta que vem", "às sete e meia", "dia 12", "daqui a duas horas", "banana"),
}


def seconds(hint: str, now: datetime, locale: str) -> float:
    """Processor time: what else the machine does is not the reader's."""
    began = time.process_time()
    read(hint, now, locale)
    return time.process_time() - began


def afresh() -> None:
    readers._prepared.cache_clear()
    readers._cached.cache_clear()


@pytest.mark.parametrize("locale", HINTS)
def test_reading_a_time(locale: str, benchmark) -> None:
    warm(locale)
    afresh()
    benchmark.pedantic(lambda: [read(hint, NOW, locale) for hint in HINTS[locale]], setup=afresh, rounds=5)
    afresh()
    new = [seconds(hint, NOW, locale) for hint in HINTS[locale]]
    known = [seconds(hint, NOW + timedelta(minutes=at), locale) for at in range(1, 20) for hint in HINTS[locale]]
    hostile = []
    for text in ((piece * n)[:n] for piece in REPEATED for n in (40, 240, 1_000)):
        afresh()
        hostile.append(seconds(text, NOW, locale))
    figures = {"new": statistics.median(new), "known": statistics.median(known), "hostile, at most": max(hostile)}
    benchmark.extra_info |= {name: f"{value * 1000:.2f} ms" for name, value in figures.items()}
    assert figures["known"] < figures["new"]
    if benchmark.stats is not None:
        assert figures["new"] <= 0.010
        assert figures["known"] <= 0.001
        assert figures["hostile, at most"] <= 0.050
