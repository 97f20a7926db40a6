"""Fixtures for all tests: golden files, and data that is not part of the project."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None, print_blob=True)
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-golden", action="store_true", help="write golden files instead of comparing with them")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`golden(name, text)` compares `text` with the file `golden/name` beside the test."""

    def check(name: str, text: str) -> None:
        path = request.path.parent / "golden" / name
        if request.config.getoption("--rewrite-golden"):
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text.encode())
        assert path.exists(), f"{path} is not there: `make reference` writes it"
        assert text == path.read_bytes().decode()

    return check


def folder(variable: str) -> Path:
    """The folder that an environment variable names; the test is skipped where it names none."""
    named = os.environ.get(variable)
    if not named:
        pytest.skip(f"{variable} names no folder")
    path = Path(named).resolve()
    assert path.is_dir(), f"{variable} names {named}, which is no folder"
    return path


@pytest.fixture(scope="session")
def benchmarks_folder() -> Path:
    """Public benchmark data."""
    return folder("STAREBRAIN_BENCHMARKS")


@pytest.fixture(scope="session")
def phone_files_folder() -> Path:
    """Files as phones and calendars write them."""
    return folder("STAREBRAIN_PHONE_FILES")


@pytest.fixture(scope="session")
def cases_folder() -> Path:
    """Hand-written cases, phones and the program that scores them."""
    return folder("STAREBRAIN_CASES")
