"""What reports show of other mixes of hints, and of guarantees."""

from __future__ import annotations

from pathlib import Path

from starebrain.dataset import open_dataset
from starebrain.evaluate import evaluate
from starebrain.fit import guarantee
from starebrain.intent import ParameterKind
from starebrain.matching.heuristics import default_heuristics
from starebrain.report.mixes import SHOWN, guarantees_table, of_mixes
from starebrain.resolve import resolver_named

QUICK = Path(__file__).resolve().parents[2] / "datasets" / "quick"


def test_every_mix_has_figures_and_differences_on_the_same_parameters() -> None:
    source = open_dataset(QUICK)
    answers = evaluate(source, [resolver_named(name) for name in ("article", "wratio")], split="test")
    figures, gaps = of_mixes(answers, "wratio", ["article"])
    assert list(dict.fromkeys(figures["mix"])) == ["05%", "20%", "50%"]
    assert set(figures["cut"]) == set(gaps["cut"]) == {"mix=05%", "mix=20%", "mix=50%"}
    area = figures[figures["metric"] == "augrc"].set_index(["mix", "resolver"])
    paired = gaps[gaps["metric"] == "augrc"].set_index("mix")
    for mix in ("05%", "20%", "50%"):
        wratio, article = area.loc[(mix, "wratio")], area.loc[(mix, "article")]
        assert wratio["n"] == article["n"] == paired.loc[mix, "n"]
        assert abs(paired.loc[mix, "value"] - (wratio["value"] - article["value"])) < 1e-12
    assert set(gaps["metric"]) == set(SHOWN)


def test_a_guarantee_says_what_it_rests_on_or_what_is_missing() -> None:
    none = guarantee.Guarantee(0.005, 0.05, None, (), 580)
    ends = guarantee.Guarantee(
        0.005, 0.05, 0.96, (guarantee.Tested(0.97, 700, 0, 0.03), guarantee.Tested(0.96, 1200, 1, 0.02)), 0
    )
    heuristics = default_heuristics()
    contact, app = (f"{heuristics.kinds[kind].tiers.high:g}" for kind in (ParameterKind.CONTACT, ParameterKind.APP))
    shown = guarantees_table({ParameterKind.CONTACT: none, ParameterKind.APP: ends}, heuristics)
    assert shown.caption == "Silent errors of at most 0.5% of HIGHs, with probability 95%"
    assert shown.rows == (
        ("contact", contact, "nothing", "too few to test", "580"),
        ("app", app, "from 0.96", "1 of 1200 from 0.96", "0"),
    )
