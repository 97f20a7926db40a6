"""How an answer adds up, as text for people."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import log2
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from starebrain.agent import build_agent_context
from starebrain.cli import main
from starebrain.device import Contact, DeviceContext
from starebrain.errors import printable
from starebrain.explain import LINE, Step, steps, waterfall
from starebrain.intent import ActionIntent, Parameter, ParameterKind
from starebrain.matching.heuristics import Calibration, Heuristics, Tiers, default_heuristics
from starebrain.resolution import (
    Alternative,
    Cap,
    ContactValue,
    ContextSource,
    Evidence,
    ParameterValue,
    ResolutionConfidence,
    Warn,
)
from starebrain.resolve.context_resolver import EvidenceResolver
from tests import strategies
from tests.strategies import HOSTILE

CONTACT = ParameterKind.CONTACT
NOW = datetime(2026, 11, 5, 9, 30, tzinfo=UTC)
ANN, JO = (
    Contact(key, name, times_contacted=20, added_at=NOW - timedelta(900)) for key, name in (("a", "Ann"), ("j", "Jo"))
)


def numbers(calibration: Calibration) -> Heuristics:
    """The default ones with a plain prior, 1/4 for none, and thresholds of 0.97, 0.5, 0.15."""
    default = default_heuristics()
    of = replace(default.kinds[CONTACT], none=0.25, tiers=Tiers(0.97, 0.5, 0.15), calibration=calibration)
    return replace(default, kinds=default.kinds | {CONTACT: of})


def answer(p: float, **bits: float) -> ParameterValue:
    evidence = tuple(Evidence(name, value, f"about {name}") for name, value in bits.items())
    other = Alternative(ContactValue("j", "Jo"), 0.1, ContextSource.RECENT_CONTACTS)
    return ParameterValue(
        CONTACT,
        ContactValue("a", "Ann"),
        ResolutionConfidence.MEDIUM,
        ContextSource.RECENT_CONTACTS,
        p,
        (other,),
        evidence,
        (Cap("stakes", ResolutionConfidence.MEDIUM, "payment"),),
        (Warn("clash", "Standup"),),
    )


def rounded(found: tuple[Step, ...]) -> list[tuple[str, float]]:
    return [(step.name, round(step.bits, 3)) for step in found]


def test_the_steps_are_prior_evidence_others_and_calibration() -> None:
    # odds 4 are two bits; 3/4 over 6 candidates against 1/4 is one half: one bit less than even
    got = answer(0.8, word_exact=4.0, starred=0.5)
    plain = rounded(steps(got, numbers(Calibration()), 6))
    assert plain == [("prior", -1.0), ("word_exact", 4.0), ("starred", 0.5), ("others", -1.5)]
    # a slope of 1/2 takes four bits of evidence for two of calibrated log-odds
    halved = rounded(steps(got, numbers(Calibration(0.5, 0.0)), 6))
    assert halved == [("prior", -1.0), ("word_exact", 4.0), ("starred", 0.5), ("others", 0.5), ("calibration", -2.0)]
    assert rounded(steps(got, numbers(Calibration()))) == [
        ("prior and others", -2.5),
        ("word_exact", 4.0),
        ("starred", 0.5),
    ]


def test_what_has_no_probability_has_no_steps() -> None:
    assert steps(replace(answer(0.8), probability=None)) == ()


class Fixed:
    """A resolver that always says the same."""

    name = "fixed"

    def __init__(self, got: ParameterValue) -> None:
        self.got = got

    def on(self, device: DeviceContext) -> Fixed:
        return self

    def resolve(self, parameter: Parameter, action: str) -> ParameterValue:
        return self.got


def shown(got: ParameterValue, heuristics: Heuristics, hint: str = "Ann") -> str:
    device = DeviceContext(NOW, "UTC", "en_US", contacts=(ANN, JO))
    asked = ActionIntent("i", "call", None, (Parameter("who", CONTACT, hint),))
    return waterfall(build_agent_context(asked, device, Fixed(got)), heuristics)


def test_a_waterfall_to_the_word() -> None:
    text = shown(answer(0.8, word_exact=4.0, name_first=-2.0), numbers(Calibration()))
    assert text == "\n".join(
        (
            "who (contact): “Ann”",
            "  MEDIUM       Ann  [a]  P = 0.800  from recent_contacts",
            "",
            "  prior               +0.58  |++++                               1 of 2, or none: 25%",
            "  word_exact          +4.00  |   ++++++++++++++++++++++++++++++  about word_exact",
            "  name_first          -2.00  |                  ---------------  about name_first",
            "  others              -0.58  |             ------                what else fits",
            "  together            +2.00  |==============                     P = 0.800",
            "",
            "  or           Jo  [j]  P = 0.100",
            "  held at      MEDIUM by stakes: payment",
            "  mind         clash: Standup",
            "  would change less evidence (2.0 bits): LOW",
            "               more evidence for j (2.8 bits): LOW",
            "               more evidence for j (3.0 bits): LOW, and [j] is chosen",
        )
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_shows_as_text_on_lines_of_bearable_length(text: str) -> None:
    got = answer(0.8, word_exact=4.0)
    value = ContactValue(text, text)
    got = replace(
        got,
        value=value,
        alternatives=(Alternative(ContactValue("x" + text, text), 0.15, ContextSource.RECENT_CONTACTS),),
        evidence=(Evidence(text, 4.0, text),),
        caps=(Cap("stakes", ResolutionConfidence.MEDIUM, text),),
        warnings=(Warn("clash", text),),
    )
    lines = shown(got, numbers(Calibration()), text).split("\n")
    assert all(printable(line) == line for line in lines)
    assert max(map(len, lines)) <= LINE


@settings(max_examples=60)
@given(strategies.devices(), strategies.intents, st.sampled_from((Calibration(), Calibration(0.7, -0.3))))
def test_the_steps_of_any_answer_sum_to_its_log_odds(
    device: DeviceContext, asked: ActionIntent, calibration: Calibration
) -> None:
    default = default_heuristics()
    kinds = {kind: replace(of, calibration=calibration) for kind, of in default.kinds.items()}
    heuristics = replace(default, kinds=kinds)
    context = build_agent_context(asked, device, EvidenceResolver(heuristics))
    for line in waterfall(context, heuristics).split("\n"):
        assert printable(line) == line
        assert len(line) <= LINE
    for got in context.resolved_parameters.values():
        if got.value is not None and got.probability is not None and got.probability < 1 - 1e-8:
            odds = log2(got.probability / (1 - got.probability))
            assert sum(step.bits for step in steps(got, heuristics, 7)) == pytest.approx(odds, abs=1e-3)


def test_the_command_shows_a_waterfall_for_a_hint(tmp_path: Path) -> None:
    device = tmp_path / "device.json"
    contacts = [{"contact_id": "c-1", "display_name": "Mom"}, {"contact_id": "c-2", "display_name": "Alex"}]
    device.write_text(json.dumps({"captured_at": "2026-11-05T09:30:00-05:00", "timezone": "UTC", "contacts": contacts}))
    layer = tmp_path / "mine.toml"
    layer.write_text("[kinds.contact.words.named]\nbits = 3.25\n")
    arguments = ["resolve", "mom", "--kind", "contact", "--device", str(device)]
    lines = CliRunner().invoke(main, [*arguments, "--heuristics", str(layer)]).stdout.splitlines()
    assert lines[0] == "contact (contact): “mom”"
    assert any(line.startswith("  word_named          +3.25  |") for line in lines)
    assert any(line.startswith("  together") for line in lines)
    assert any(line.startswith("  would change ") for line in lines)
