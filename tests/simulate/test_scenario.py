from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

from starebrain.errors import InvalidInput
from starebrain.simulate import Scenario, read_scenario
from starebrain.simulate.scenario import parse_scenario

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = sorted((ROOT / "datasets" / "scenarios").glob("*.toml"))
PLAIN: dict[str, Any] = {"name": "a", "seed": 1, "devices": 10, "locales": {"en_US": 1.0}}


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_the_scenarios_of_the_project_are_sound_and_named_as_their_files(path: Path) -> None:
    assert read_scenario(path).name == path.stem


def test_a_scenario_survives_as_plain_data() -> None:
    scenario = parse_scenario({**PLAIN, "start": "2025-03-01", "sizes": {"contacts": {"median": 5}}})
    assert parse_scenario(json.loads(json.dumps(scenario.plain))) == scenario
    assert scenario.plain["sizes"]["contacts"] == {"median": 5, "spread": 0.5, "least": 0, "most": 1000}


def test_what_comes_after_the_snapshot_is_plain_data_where_it_is_not_as_usual() -> None:
    assert not {"timeline", "users", "adversary"} & set(parse_scenario(PLAIN).plain)
    tree = {**PLAIN, "timeline": {"move": 0.5, "focus": {"events": 9}}, "adversary": {"phones": 0.5}}
    scenario = parse_scenario(tree)
    assert scenario.plain["timeline"]["move"] == 0.5
    assert scenario.plain["timeline"]["bursts"]["rate"] == 0.02
    assert "users" not in scenario.plain
    assert parse_scenario(json.loads(json.dumps(scenario.plain))) == scenario


def test_a_scenario_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Scenario("a", 1, 10, {"en_US": 1.0}).seed = 2  # type: ignore[misc]


BAD: list[tuple[str, str, str]] = [
    # what is added or changed, the place that is named, what is said of it
    ("devises = 3", "scenario.devises", "unknown key. Did you mean 'devices'?"),
    ("[sizes]\ncontact = { median = 3 }", "scenario.sizes.contact", "unknown key. Did you mean 'contacts'?"),
    ("[sizes.contacts]\nmedain = 3", "scenario.sizes.contacts.medain", "unknown key. Did you mean 'median'?"),
    ("[contacts]\nbusineses = 0.1", "scenario.contacts.busineses", "unknown key. Did you mean 'businesses'?"),
    ("[time_line]\nadd = 1", "scenario.time_line", "unknown key. Did you mean 'timeline'?"),
    ("[timeline]\nmoved = 1", "scenario.timeline.moved", "unknown key. Did you mean 'move'?"),
    ("[timeline]\nmove = -0.1", "scenario.timeline.move", "the rate -0.1 is negative. Rates are changes per hour."),
    ("[timeline]\nnotify = inf", "scenario.timeline.notify", "the rate inf is outside 0 to 1000"),
    ("[timeline]\nnotify = 5000", "scenario.timeline.notify", "the rate 5000 is outside 0 to 1000"),
    ("[timeline]\nhorizon = 0", "scenario.timeline.horizon", "0.0 hours is outside 0 to 8784"),
    ("[timeline]\nnamesakes = 2", "scenario.timeline.namesakes", "2.0 is outside 0 to 1"),
    ("[timeline.focus]\ncontacts = 0.5", "scenario.timeline.focus.contacts", "0.5 is outside 1 to 1,000,000"),
    ("[timeline.focus]\ncontact = 5", "scenario.timeline.focus.contact", "unknown key. Did you mean 'contacts'?"),
    ("[timeline.bursts]\nrate = -1", "scenario.timeline.bursts.rate", "the rate -1 is negative"),
    ("[timeline.bursts]\nmedian = 0", "scenario.timeline.bursts.median", "0.0 is not above 0"),
    ("[timeline.bursts]\nmost = 0", "scenario.timeline.bursts.most", "0 is outside 1 to 10,000"),
    ("[timeline.bursts]\nshares = { add = 0.5 }", "scenario.timeline.bursts.shares", "the shares add up to 0.5"),
    (
        "[timeline.bursts]\nshares = { add = 0.5, edits = 0.5 }",
        "scenario.timeline.bursts.shares.edits",
        "unknown name 'edits'. Did you mean 'edit'?",
    ),
    ("[users]\nattention = 1.5", "scenario.users.attention", "1.5 is outside 0 to 1"),
    ("[users]\ndelay = 0", "scenario.users.delay", "0.0 seconds is outside 0 to 86,400"),
    ("[users]\nspread = -1", "scenario.users.spread", "-1.0 is outside 0 to 5"),
    ("[users]\natention = 1", "scenario.users.atention", "unknown key. Did you mean 'attention'?"),
    ("[adversary]\nphones = -0.1", "scenario.adversary.phones", "-0.1 is outside 0 to 1"),
    ("[adversary]\nhours = 0", "scenario.adversary.hours", "0.0 hours is outside 0 to 8784"),
    ("[adversary]\nattacks = { look_alike = 0.4 }", "scenario.adversary.attacks", "the shares add up to 0.4"),
    (
        "[adversary]\nattacks = { lookalike = 1 }",
        "scenario.adversary.attacks.lookalike",
        "unknown name 'lookalike'. Did you mean 'look_alike'?",
    ),
    ("[splits]\ntrain = 0.5\ntest = 0.4", "scenario.splits", "the shares add up to 0.9. Make them add up to 1."),
    ("[splits]\ntrain = 0.5\ntests = 0.5", "scenario.splits.tests", "unknown name 'tests'. Did you mean 'test'?"),
    ("[speakers.contact]\nfull = 0.9", "scenario.speakers.contact", "the shares add up to 0.9"),
    ("[speakers.contact]\nfull = 1.5\nfirst = -0.5", "scenario.speakers.contact.full", "1.5 is outside 0 to 1"),
    ("[speakers.contact]\nnickname = 0.5\nnick = 0.5", "scenario.speakers.contact.nick", "Did you mean 'nickname'?"),
    ("[speakers]\nunanswerable = -0.1", "scenario.speakers.unanswerable", "-0.1 is outside 0 to 1"),
    ("[speakers]\nunanswerable = 0.9\nunsaid = 0.2", "scenario.speakers.unsaid", "take more than all"),
    ("[speakers]\nheld_out = ['misherd']", "scenario.speakers.held_out[0]", "Did you mean 'misheard'?"),
    ("[speakers]\nactions = { call = 0.5, cal = 0.5 }", "scenario.speakers.actions.cal", "Did you mean 'call'?"),
    ("[speakers]\nintents = 1.5", "scenario.speakers.intents", "Input should be a valid integer"),
    ("[contacts]\nnamesakes = -0.1", "scenario.contacts.namesakes", "-0.1 is outside 0 to 1"),
    ("[contacts]\nbusinesses = 0.6\nroles = 0.5", "scenario.contacts.businesses", "at most 0.9 is possible"),
    ("[events]\nseries = -1", "scenario.events.series", "-1.0 is outside 0 to 10"),
    ("[events]\nall_day = 0.9\nbirthdays = 0.2", "scenario.events.all_day", "take more than all"),
    ("[events]\nhorizon_days = 0", "scenario.events.horizon_days", "0 is outside 1 to 366"),
    ("[sizes]\ncontacts = { median = 0 }", "scenario.sizes.contacts.median", "0.0 is not above 0"),
    ("[sizes]\ncontacts = { median = 5, least = 9, most = 8 }", "scenario.sizes.contacts.least", "does not hold"),
    ("[sizes]\ncontacts = { median = 5, most = 90000 }", "scenario.sizes.contacts.least", "does not hold"),
    (
        "[sizes]\nplaces = { median = 5, most = 40 }",
        "scenario.sizes.places.most",
        "40 places, and a town has 23 houses",
    ),
    ("days = 0", "scenario.days", "0 is outside 1 to 3,660"),
    ("start = 1800-01-01", "scenario.start", "1800-01-01 is outside 1990 to 2035"),
    ("start = 'soon'", "scenario.start", "Input should be a valid date"),
]


@pytest.mark.parametrize(("text", "place", "said"), BAD, ids=[place for _, place, _ in BAD])
def test_a_bad_scenario_names_file_place_and_remedy(tmp_path: Path, text: str, place: str, said: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(f'name = "a"\nseed = 1\ndevices = 10\nlocales = {{ en_US = 1.0 }}\n{text}\n')
    with pytest.raises(InvalidInput) as error:
        read_scenario(path)
    assert error.value.file == str(path)
    assert error.value.place == place
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("change", "place", "said"),
    [
        ({"locales": {"en_UK": 1.0}}, "scenario.locales.en_UK", "unknown locale 'en_UK'"),
        ({"locales": {"en_US": 0.5, "de_DE": 0.6}}, "scenario.locales", "the shares add up to 1.1"),
        ({"locales": {}}, "scenario.locales", "the shares add up to 0"),
        ({"seed": -1}, "scenario.seed", "-1 is outside"),
        ({"seed": "1"}, "scenario.seed", "Input should be a valid integer"),
        ({"devices": 0}, "scenario.devices", "0 is outside 1 to 10,000,000"),
        ({"name": " "}, "scenario.name", "a scenario needs a name"),
        ({"name": None}, "scenario.name", "Input should be a valid string"),
    ],
)
def test_the_required_fields_are_checked_too(change: dict[str, Any], place: str, said: str) -> None:
    with pytest.raises(InvalidInput) as error:
        parse_scenario({**PLAIN, **change})
    assert error.value.place == place
    assert said in str(error.value)


def test_a_missing_field_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"scenario\.seed: the field is missing"):
        parse_scenario({name: value for name, value in PLAIN.items() if name != "seed"})


@pytest.mark.parametrize(
    ("content", "said"), [("name = ", "not valid TOML"), ("\xff\xfe", "not valid TOML"), ("", "the field is missing")]
)
def test_what_is_no_scenario_is_said(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(content)
    with pytest.raises(InvalidInput, match=said):
        read_scenario(path)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="there is no such file"):
        read_scenario(tmp_path / "none.toml")
