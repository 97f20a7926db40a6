from __future__ import annotations

import re
from pathlib import Path

import pytest

from starebrain.benchmarks import BENCHMARKS, VARIABLE, benchmark_named, load
from starebrain.benchmarks.about import described, listed
from starebrain.errors import InvalidInput, MissingData
from tests.benchmarks_data import toys


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_says_where_it_can_be_had(name: str) -> None:
    benchmark = BENCHMARKS[name]
    assert benchmark.name == name
    assert all(re.fullmatch(r"https://github\.com/[\w-]+/[\w-]+", at) for at in benchmark.repository.split(", "))
    assert all((benchmark.about, benchmark.commit, benchmark.path, benchmark.licence, benchmark.folder))
    assert benchmark.known
    assert all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in benchmark.known)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_missing_data_says_how_to_get_it(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    benchmark = BENCHMARKS[name]
    with pytest.raises(MissingData) as missing:
        benchmark.load(tmp_path)
    said = str(missing.value)
    for part in (benchmark.repository, benchmark.commit, benchmark.licence, str(tmp_path / benchmark.folder), VARIABLE):
        assert part in said
    assert all(pattern in said for patterns in benchmark.sources for pattern in patterns)
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(MissingData, match=f"{VARIABLE}: no folder of benchmark data is named"):
        benchmark.load()


def test_a_relative_folder_is_found_from_where_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toys.aligned(tmp_path / "data", {})
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    monkeypatch.setenv(VARIABLE, "../data")
    assert len(load("slurp_person").items) == 1


def test_half_of_a_set_of_files_is_not_enough(tmp_path: Path) -> None:
    toys.slurp(tmp_path)
    (tmp_path / "slurp" / "test_toy.jsonl").unlink()
    assert not BENCHMARKS["slurp_person"].is_here(tmp_path)
    (tmp_path / "slurp" / "aligned_x.jsonl").mkdir()
    assert not BENCHMARKS["slurp_person"].is_here(tmp_path), "a folder is no file"


def test_a_file_that_nobody_knows_is_read_and_a_doubt(tmp_path: Path) -> None:
    toys.aligned(tmp_path, {})
    source = load("slurp_person", tmp_path)
    assert len(source.doubts) == 1
    assert source.doubts[0].startswith("aligned_toy.jsonl: the SHA-256 ")
    assert list(source.sums) == ["aligned_toy.jsonl"]


def test_an_unknown_name_is_said() -> None:
    with pytest.raises(InvalidInput, match=r"no benchmark 'slurp'\. Choose one of slurp_person, slurp_place"):
        benchmark_named("slurp")
    with pytest.raises(InvalidInput, match="no benchmark 'nothing'"):
        load("nothing_removed")


def test_the_list_says_what_is_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toys.nicknames(tmp_path, ("robert", "bob"))
    text = listed(BENCHMARKS, tmp_path)
    assert re.findall(r"^(\w+) +here ", text, re.M) == ["nicknames"]
    assert len(re.findall(r"^\w+ +not here ", text, re.M)) == len(BENCHMARKS) - 1
    assert all(at in text for benchmark in BENCHMARKS.values() for at in benchmark.repository.split(", "))
    assert max(map(len, text.replace(str(tmp_path), "").splitlines())) <= 105
    monkeypatch.delenv(VARIABLE, raising=False)
    assert f"none, since {VARIABLE} names no folder" in listed(BENCHMARKS)


def test_what_is_shown_of_a_benchmark(tmp_path: Path) -> None:
    toys.aligned(tmp_path, {}, {"slurp_id": 2, "hint": "\x1b[31mbad\u202e", "gold": "joe " * 50})
    text = described(BENCHMARKS["slurp_person"], tmp_path)
    assert "2 hints in 2 clusters, asked of 2 phones; 0 have no answer" in text
    assert "by family: other_words 1, same_words 1" in text
    assert "\\x1b[31mbad\\u202e" in text
    assert "doubt: aligned_toy.jsonl" in text
    assert all(c.isprintable() or c == "\n" for c in text)
    assert "not here" in described(BENCHMARKS["slurp_person"], tmp_path / "none")
