from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from starebrain.cli import main
from starebrain.report.profiles import NOTEBOOKS
from tests.report.test_build import PARAMETERS, RECORD, contents
from tests.report.toys import written


def starebrain(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["report", *map(str, arguments)])


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a toy in place of every notebook, and a scenario."""
    (tmp_path / "notebooks").mkdir()
    for notebook in NOTEBOOKS[1:]:
        parameters = "\n".join(["# parameters", *(f"{name} = 1" for name in notebook.parameters)])
        written(tmp_path / "notebooks" / f"{notebook.name}.ipynb", parameters)
    (tmp_path / "tiny.toml").write_text('name = "tiny"\nseed = 3\ndevices = 2\nlocales = { en_US = 1 }\n')
    toy(tmp_path, "2 / 3")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def toy(checkout: Path, value: str) -> None:
    look = "from starebrain.evaluate.sources import open_source\nopened = open_source(dataset)"
    record = RECORD.replace("2 / 3", value)
    written(checkout / "notebooks" / "01_confidence_tiers.ipynb", "#md # Can it?", PARAMETERS, look, record)


def test_the_status_is_1_where_a_figure_is_worse_and_the_lines_name_it(checkout: Path) -> None:
    given = ("--notebooks", "notebooks", "--dataset", "tiny.toml")
    made = starebrain("--out", "reports/a", *given)
    page = checkout / "reports" / "a" / "index.html"
    assert (made.exit_code, made.stdout) == (0, f"The report is at {page}\n")
    assert sorted(made.stderr.splitlines()) == sorted(
        ["simulation: done", *(f"{notebook.name}.ipynb: done" for notebook in NOTEBOOKS)]
    )
    assert page.exists()
    toy(checkout, "1 / 3")
    worse = starebrain("--out", "reports/b", *given, "--against", "reports/a")
    assert worse.exit_code == 1
    assert worse.stdout.splitlines() == [
        "worse    high_accuracy article on tiny: 0.666667 (0.1 to 0.9), n 3 before, "
        "0.333333 (0.1 to 0.9), n 3 now, on the same input",
        "2 figures compared: 1 worse, 0 missing, 0 better",
        f"The report is at {checkout / 'reports' / 'b' / 'index.html'}",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--out", "a", "--against", "none"), "none/metrics.json: there is no report here"),
        (("--out", "a", "--dataset", "none"), "none: there is no such folder"),
        (("--out", "a", "--dataset", "none.toml"), "none.toml"),
        (("--out", "notebooks"), "the folder holds '01_confidence_tiers.ipynb', which no report wrote"),
        (("--out", "tiny.toml"), "this is a file, and a report is a folder"),
        (("--out", "tiny.toml/a"), "tiny.toml/a: the folder cannot be made (File exists)"),
        (("--out", "a", "--notebooks", "none"), "the notebooks of the report are not here. Name the folder"),
        (("--out", "a", "--profile", "fast"), "'fast' is not one of 'quick', 'full'"),
    ],
)
def test_what_is_amiss_is_said_with_status_2_and_nothing_is_written(
    checkout: Path, arguments: tuple[str, ...], said: str
) -> None:
    before = contents(checkout)
    made = starebrain("--notebooks", "notebooks", *arguments)
    assert made.exit_code == 2, made.output
    assert said in made.stderr
    assert made.exception is None or isinstance(made.exception, SystemExit)
    assert contents(checkout) == before
