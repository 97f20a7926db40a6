"""A simulated crowd that tests of phones and speakers look at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from starebrain._tables import phones_of
from starebrain.dataset import Label, LabelledPhone
from starebrain.device import DeviceContext
from starebrain.intent import Parameter
from starebrain.simulate import Scenario, generate
from starebrain.simulate.scenario import Speakers

LOCALES = {
    **{"en_US": 0.16, "en_GB": 0.1, "en_IN": 0.1, "de_DE": 0.12, "es_ES": 0.1, "fr_FR": 0.1, "pt_BR": 0.1},
    **{"ru_RU": 0.11, "ja_JP": 0.11},
}


class Asked(NamedTuple):
    """One labelled parameter and the phone it was asked of."""

    device: DeviceContext
    action: str
    utterance: str
    parameter: Parameter
    label: Label


@pytest.fixture(scope="session")
def scenario() -> Scenario:
    """300 phones of all locales."""
    return Scenario("crowd", 11, 300, LOCALES, speakers=Speakers(intents=12))


@pytest.fixture(scope="session")
def crowd(scenario: Scenario) -> list[LabelledPhone]:
    """The phones of the scenario."""
    return [phone for block in generate(scenario) for phone in phones_of(block)]


@pytest.fixture(scope="session")
def asked(crowd: list[LabelledPhone]) -> list[Asked]:
    """All parameters of the crowd."""

    def all_of() -> Iterator[Asked]:
        for phone in crowd:
            for one in phone.intents:
                intent = one.intent
                for parameter, label in zip(intent.required_parameters, one.labels, strict=True):
                    yield Asked(phone.device, intent.action, intent.utterance or "", parameter, label)

    return list(all_of())
