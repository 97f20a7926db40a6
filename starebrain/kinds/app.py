"""Installed apps, by the label under the icon or by package name; session memory may prefer one of them."""

from __future__ import annotations

from collections.abc import Sequence

from starebrain.device import App
from starebrain.intent import ParameterKind
from starebrain.kinds.base import Fact, Hint, Kind, Phone, cached, read_words
from starebrain.matching.index import Entry
from starebrain.matching.text import words
from starebrain.matching.words import APPS
from starebrain.resolution import AppValue, ContextSource

FILLERS = frozenset(
    {"app", "application", "anwendung", "aplicacion", "aplicativo", "appli", "open", "launch", "use", "using", "via"}
)
GENERIC = frozenset({"com", "org", "net", "de", "io", "app", "apps", "android", "mobile", "main", "client", "prod"})
"""Parts of package names that tell no app from another."""


def sorts_of(word: str) -> frozenset[str]:
    """The sorts of apps that a word names."""
    return APPS.get(word, frozenset())


@cached
def read(text: str) -> Hint:
    """The hint as words, "app" in any language apart."""
    return read_words(text, sorts_of, FILLERS)


def entry(app: App) -> Entry:
    """The label; the telling parts of the package describe it, and name an app that has no label; its sort."""
    telling = " ".join(part for part in app.package.split(".") if part.lower() not in GENERIC)
    name = app.label or telling
    return Entry((name,), (telling,), frozenset(sort for word in words(name) for sort in sorts_of(word)))


def identified(text: str, apps: Sequence[App]) -> list[int]:
    """The app whose package name is given in full."""
    return [i for i, app in enumerate(apps) if app.package.casefold() == text.strip().casefold()]


def preferring(package: str) -> frozenset[str]:
    """The trait of a hint for a task that is mostly carried out by the app `package`."""
    return frozenset({f"preferred {package}"})


def context(app: App, phone: Phone, traits: frozenset[str]) -> list[Fact]:
    """*preferred*: the app carries most tasks of this sort."""
    return [Fact("preferred", "most tasks of this sort are done with it")] if preferring(app.package) <= traits else []


APP = Kind(
    name=ParameterKind.APP,
    listed=lambda device: device.installed_apps,
    label=lambda app: app.label or app.package,
    value=lambda app, device: AppValue(app.package),
    source=lambda app: ContextSource.RECENT_APPS,
    entry=entry,
    records=lambda device: device.installed_apps,
    read=read,
    context=context,
    identified=identified,
)
