"""The tuner in JupyterLab, moved by a browser as a person moves it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import nbformat
import pytest

from starebrain.matching.heuristics import default_heuristics, read_heuristics
from starebrain.report.notebooks import Run, execute
from starebrain.simulate import read_scenario, simulate
from tests.report.browser import CHROMIUM, Tab, chromium
from tests.tune.phones import CONTACT

NOTEBOOK = Path(__file__).resolve().parents[2] / "notebooks" / "05_tune_by_hand.ipynb"
SCENARIO = """
name = "few"
seed = 7
devices = 12
locales = { en_US = 1.0 }
[sizes]
contacts = { median = 20, spread = 0.5, least = 3, most = 60 }
"""
FIGURES = "document.querySelector('.widget-html img')?.parentElement.innerText"
PATIENCE = 120


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The notebook beside a small dataset."""
    (tmp_path / "scenario.toml").write_text(SCENARIO)
    simulate(read_scenario(tmp_path / "scenario.toml"), tmp_path / "datasets" / "quick")
    (tmp_path / "notebooks").mkdir()
    shutil.copy(NOTEBOOK, tmp_path / "notebooks")
    return tmp_path


@pytest.fixture
def lab(folder: Path) -> Iterator[dict[str, Any]]:
    """A running JupyterLab on the notebook, with settings of its own: its address and token."""
    if find_spec("jupyterlab") is None:
        pytest.skip("JupyterLab is not installed")
    own = {f"JUPYTER_{name}_DIR": str(folder / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    options = ["--no-browser", "--ip=127.0.0.1", "--port=0", "--allow-root", "--LabApp.expose_app_in_browser=True"]
    command = [sys.executable, "-m", "jupyterlab", *options, f"--notebook-dir={folder / 'notebooks'}"]
    environment = {**os.environ, **own, "JUPYTER_PREFER_ENV_PATH": "1"}
    with open(folder / "log", "w") as log:
        running = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        until = time.monotonic() + PATIENCE
        while not (found := [file for file in (folder / "runtime").glob("jpserver-*.json") if file.stat().st_size]):
            assert running.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < until, "JupyterLab does not start"
            time.sleep(0.1)
        yield json.loads(found[0].read_text())
    finally:
        running.terminate()
        running.wait(30)


def wait_for(tab: Tab, expression: str) -> Any:
    """The first value of a JavaScript expression that is not empty."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        answer = tab.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if value := answer["result"].get("value"):
            return value
        time.sleep(0.2)
    raise AssertionError(f"in vain: {expression}")


def press(tab: Tab, key: str, code: int, times: int) -> None:
    for _ in range(times):
        for kind in ("rawKeyDown", "keyUp"):
            tab.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
def test_a_slider_moves_the_figures_and_what_it_set_is_saved(lab: dict[str, Any], folder: Path) -> None:
    with chromium(folder / "profile") as address:
        tab = Tab(address)
        tab.socket.settimeout(PATIENCE)
        tab.ask("Page.enable")
        tab.ask("Page.navigate", url=f"{lab['url']}lab/tree/{NOTEBOOK.name}?token={lab['token']}")
        wait_for(tab, "globalThis.jupyterapp?.shell.currentWidget?.sessionContext?.isReady")
        wait_for(tab, "jupyterapp.shell.currentWidget.context.isReady && !!document.querySelector('.jp-Cell')")
        wait_for(tab, "jupyterapp.commands.execute('notebook:run-all-cells').then(() => true)")
        start = wait_for(tab, FIGURES)
        assert "silent errors / HIGH" in start

        wait_for(tab, "document.querySelectorAll('.noUi-handle')[0].focus() ?? true")
        press(tab, "End", 35, 1)  # HIGH from: never
        moved = wait_for(tab, f"{FIGURES} != {json.dumps(start)} && {FIGURES}")
        assert "HIGH\t0.0%" in moved
        wait_for(
            tab, "[...document.querySelectorAll('button')].find(b => b.innerText == 'Save as TOML').click() ?? true"
        )
        wait_for(tab, "document.body.innerText.includes('Saved: 1 number differs.')")
        wait_for(tab, "[...document.querySelectorAll('button')].find(b => b.innerText == 'Reset').click() ?? true")
        wait_for(tab, f"{FIGURES} == {json.dumps(start)}")
        tab.socket.close()
    saved = read_heuristics(folder / "notebooks" / "tuned.toml")
    assert saved.kinds[CONTACT].tiers.high > 1
    assert saved.kinds[CONTACT].words == default_heuristics().kinds[CONTACT].words


def test_in_the_report_a_picture_stands_for_the_panel(folder: Path) -> None:
    target, parameters = folder / "out.ipynb", {"split": "calibration", "replicates": 20}
    run = Run(folder / "notebooks" / NOTEBOOK.name, parameters, target)
    execute([run], jobs=1, tell=lambda notebook, done, cells: None)
    outputs = [output for cell in nbformat.read(target, 4).cells for output in cell.get("outputs", ())]
    assert "hints" in outputs[0]["data"]["text/plain"]
    assert set(outputs[1]["data"]) == {"image/png", "text/plain"}
    assert outputs[1]["metadata"]["image/png"]["alt"].startswith("contact; HIGH ")
