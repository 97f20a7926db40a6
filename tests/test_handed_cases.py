from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from starebrain.resolve import RESOLVERS


@pytest.mark.parametrize("resolver", sorted(RESOLVERS))
def test_the_handed_cases_run_through(resolver: str, cases_folder: Path) -> None:
    """Exit status 1 says that a case fails, which a baseline may; anything else that an answer was missing."""
    program = [sys.executable, cases_folder / "score.py", cases_folder / "handed.jsonl", "--resolver", resolver]
    done = subprocess.run(
        [*program, "--starebrain", f"{sys.executable} -m starebrain"], capture_output=True, text=True, check=False
    )
    figures = re.fullmatch(r"(\d+) of (\d+) cases hold, (\d+) wrong silent, .*", done.stdout.strip())
    assert figures is not None, done.stdout + done.stderr
    hold, cases, wrong = map(int, figures.groups())
    assert cases > 0
    assert done.returncode == (0 if hold == cases else 1)
    if resolver == "ask_all":
        assert wrong == 0
