from __future__ import annotations

import threading

import pytest

from starebrain.kinds.readers.patience import within


def test_what_a_job_returns_or_raises() -> None:
    assert within(5, "quick", lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        within(5, "quick", lambda: 1 // 0)


def test_a_job_that_does_not_come_back_is_left_and_no_other_begun_until_it_does() -> None:
    let_go = threading.Event()
    with pytest.raises(TimeoutError, match="longer than"):
        within(0.01, "slow", let_go.wait)
    begun: list[int] = []
    with pytest.raises(TimeoutError, match="not come back"):
        within(5, "slow", lambda: begun.append(1))
    assert begun == []
    assert within(5, "other", lambda: 1) == 1
    let_go.set()
    for thread in threading.enumerate():
        if thread.name == "slow":
            thread.join()
    assert within(5, "slow", lambda: 2) == 2
