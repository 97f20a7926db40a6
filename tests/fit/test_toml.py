from __future__ import annotations

from pathlib import Path

from starebrain.fit.toml import to_toml
from starebrain.matching.heuristics import default_heuristics, read_heuristics


def test_written_heuristics_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "heuristics.toml"
    path.write_text(to_toml(default_heuristics()))
    assert read_heuristics(path) == default_heuristics()


def test_the_default_file_is_what_is_written() -> None:
    import starebrain.matching

    (folder,) = starebrain.matching.__path__
    assert Path(folder, "default.toml").read_text() == to_toml(default_heuristics())
