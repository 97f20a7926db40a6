from __future__ import annotations

from collections.abc import Callable

from starebrain.evaluate import METRICS, summarise
from starebrain.evaluate.compare import compare, mcnemar
from starebrain.evaluate.table import differences_text, estimates_text, pairs_text
from tests.evaluate.toys import answers
from tests.strategies import HOSTILE

RESOLVERS = ("article", "wratio", "evidence", "fill_all")
FRAME = answers(
    *(
        {
            "resolver": name,
            "intent_id": f"i{at}",
            "cluster": f"c{at // 2}",
            "tier": "HIGH" if (at + shift) % 3 else "LOW",
            "right": bool((at * at + shift) % 5),
            "unanswerable": False,
            "kind": "app" if at % 4 == 0 else "contact",
        }
        for shift, name in enumerate(RESOLVERS)
        for at in range(42)
    )
)


def test_tables_look_like_this(golden: Callable[[str, str], None]) -> None:
    parts = (
        estimates_text(summarise(FRAME)),
        estimates_text(summarise(FRAME, ["kind"], [METRICS["high_share"], METRICS["brier"]])),
        differences_text(compare(FRAME, "article", "evidence", metrics=[METRICS["high_accuracy"]])),
        pairs_text(mcnemar(FRAME, "article", "evidence", "right at HIGH")),
    )
    golden("tables.txt", "\n\n".join(parts) + "\n")


def test_no_line_is_wider_than_100_columns() -> None:
    many = FRAME.assign(resolver=FRAME["resolver"] + "_" * 60, source="s" * 300, family="f" * 300)
    text = estimates_text(summarise(many, ["family"]))
    assert max(map(len, text.splitlines())) <= 100


def test_large_counts_stay_in_their_columns() -> None:
    estimates = summarise(FRAME, metrics=[METRICS["high_share"]]).assign(denominator=123_456_789)
    lines = estimates_text(estimates).splitlines()
    assert max(map(len, lines)) <= 100
    for name in RESOLVERS:
        at = next(line for line in lines if name in line).index(name)
        heads = [i for i, line in enumerate(lines) if name in line]
        assert lines[heads[0] + 1][at - 1] == " "
        assert lines[heads[0] + 1][at].isdigit()


def test_metrics_without_data_are_left_out_and_figures_without_it_say_so() -> None:
    frame = FRAME[FRAME["resolver"].isin(["article"])].assign(tier="LOW", answer=None)
    text = estimates_text(summarise(frame))
    assert "Brier" not in text
    assert "right among HIGH" not in text
    assert "needless questions" in text


def test_hostile_names_show_escaped_on_one_line() -> None:
    for bad in HOSTILE:
        frame = FRAME.assign(source=bad, family=bad)
        parts = (
            estimates_text(summarise(frame, ["family"], [METRICS["high_share"]])),
            differences_text(compare(frame, "article", "wratio", metrics=[METRICS["high_share"]])),
            pairs_text(mcnemar(frame, "article", "wratio")),
        )
        text = "\n".join(parts)
        assert all(c.isprintable() or c in "\n\u3000" for c in text)
        assert [len(part.splitlines()) for part in parts] == [3 + 1 + 3, 3, 2]
