from __future__ import annotations

from pathlib import Path

import pytest

from starebrain.errors import InvalidInput
from starebrain.intent import ParameterKind
from starebrain.matching.heuristics import default_heuristics, read_heuristics


def layer(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return path


def test_a_layer_changes_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    mine = read_heuristics(layer(tmp_path, "[kinds.contact.tiers]\nhigh = 0.999\n"))
    default = default_heuristics()
    assert mine.kinds[ParameterKind.CONTACT].tiers.high == 0.999
    assert mine.kinds[ParameterKind.CONTACT].tiers.medium == default.kinds[ParameterKind.CONTACT].tiers.medium
    assert mine.kinds[ParameterKind.LOCATION] == default.kinds[ParameterKind.LOCATION]


def test_hand_edited_bits_count_as_they_stand(tmp_path: Path) -> None:
    mine = read_heuristics(layer(tmp_path, "[kinds.contact.words]\nexact = { bits = 3.5 }\n"))
    assert mine.kinds[ParameterKind.CONTACT].words["exact"].bits == 3.5


WRONG = (
    ("[kinds.contact.tiers]\nhihg = 0.9\n", "kinds.contact.tiers.hihg", "'high'"),
    ("[kinds.contact.words]\nexcat = { bits = 1 }\n", "kinds.contact.words", "'exact'"),
    ("[kinds.contact.tiers]\nhigh = 0.2\n", "kinds.contact.tiers", "do not rise"),
    ("[kinds.contakt]\nnone = 0.1\n", "kinds.contakt", "contact"),
    ("[kinds.contact]\nnone = 1.5\n", "kinds.contact.none", "between 0 and 1"),
    ("[kinds.contact.calibration]\nslope = -1.0\n", "kinds.contact.calibration", "above 0"),
    ("[likeness.weights]\nosaa = 1.0\n", "likeness.weights", "'osa'"),
    ("frequensies = 1\n", "frequensies", "frequencies"),
    ("[kinds.contact.words]\nexact = { bits = nan }\n", "kinds.contact.words.exact.bits", "finite"),
    ("[likeness]\nbands = [inf, 4, 3, 2, 1]\n", "likeness.bands[0]", "finite"),
    ("[kinds.contact\n", None, "TOML"),
)


@pytest.mark.parametrize(("text", "place", "remedy"), WRONG)
def test_faults_name_file_place_and_remedy(tmp_path: Path, text: str, place: str | None, remedy: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        read_heuristics(layer(tmp_path, text))
    assert raised.value.file == str(tmp_path / "mine.toml")
    assert remedy in str(raised.value)
    if place is not None:
        assert (raised.value.place or "").startswith(place)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no such file"):
        read_heuristics(tmp_path / "none.toml")
