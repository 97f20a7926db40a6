"""The languages and locales that phones and speakers can have: words from ``languages/*.toml``, a line each below."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

CARDS = 23
"""Labels of places in each language, and houses of a town that saved places stand in: a prime number."""


@dataclass(frozen=True, slots=True)
class Locale:
    """What a country adds to a language.

    `phone` and `national` are the same mobile numbers as written abroad and at home, ``#`` a digit. `box` holds the
    phone's surroundings: south, north, west, east in degrees. `numeric` writes a date in digits. With `halves` people
    say am and pm, and a bare "at 3" has two readings. `family_first` is how names are stored.
    """

    language: str
    zones: tuple[str, ...]
    phone: str
    national: str
    address: str
    numeric: str
    box: tuple[float, float, float, float]
    halves: bool = False
    family_first: bool = False
    script: str = "Latin"


LOCALES: Mapping[str, Locale] = {
    "en_US": Locale(
        "en",
        ("America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"),
        *("+1 31#-4##-####", "(31#) 4##-####", "{number} {street}, {city} {postcode}", "{month}/{day}"),
        (30, 45, -120, -75),
        halves=True,
    ),
    "en_GB": Locale(
        "en",
        ("Europe/London",),
        *("+44 7### ######", "07### ######", "{number} {street}, {city} {postcode}", "{day}/{month}"),
        (51, 56, -4, 0),
        halves=True,
    ),
    "en_IN": Locale(
        "en",
        ("Asia/Kolkata",),
        *("+91 9#### #####", "09#### #####", "{number} {street}, {city} {postcode}", "{day}/{month}"),
        (10, 28, 73, 86),
        halves=True,
    ),
    "de_DE": Locale(
        "de",
        ("Europe/Berlin",),
        *("+49 15## #######", "015## #######", "{street} {number}, {postcode} {city}", "{day}.{month}."),
        (48, 54, 7, 14),
    ),
    "es_ES": Locale(
        "es",
        ("Europe/Madrid", "Atlantic/Canary"),
        *("+34 6## ### ###", "6## ### ###", "{street} {number}, {postcode} {city}", "{day}/{month}"),
        (37, 43, -8, 2),
    ),
    "fr_FR": Locale(
        "fr",
        ("Europe/Paris",),
        *("+33 6 ## ## ## ##", "06 ## ## ## ##", "{number} {street}, {postcode} {city}", "{day}/{month}"),
        (43, 50, -1, 7),
    ),
    "pt_BR": Locale(
        "pt",
        ("America/Sao_Paulo", "America/Manaus"),
        *("+55 11 9####-####", "(11) 9####-####", "{street}, {number}, {city}, {postcode}", "{day}/{month}"),
        (-30, -5, -60, -38),
    ),
    "ru_RU": Locale(
        "ru",
        ("Europe/Moscow", "Asia/Yekaterinburg"),
        *("+7 9## ###-##-##", "8 9## ###-##-##", "{street}, {number}, {city}, {postcode}", "{day}.{month}"),
        (50, 60, 30, 60),
        script="Cyrillic",
    ),
    "ja_JP": Locale(
        "ja",
        ("Asia/Tokyo",),
        *("+81 90-####-####", "090-####-####", "〒{postcode} {city}{street} {number}", "{month}/{day}"),
        (33, 41, 131, 141),
        family_first=True,
        script="Japanese",
    ),
}

Language = Mapping[str, Any]
"""The tables of one ``languages/*.toml``."""


@cache
def language(name: str) -> Language:
    """The words of a language such as ``de``."""
    folder = resources.files("starebrain.simulate") / "languages"
    return tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def catalogue() -> tuple[Mapping[str, Any], ...]:
    """Every app that a phone may have."""
    text = (resources.files("starebrain.simulate") / "apps.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["app"])


def app_label(app: Mapping[str, Any], language: str) -> str:
    """What an app is called on a phone of this language."""
    return app.get("labels", {}).get(language, app["label"])
