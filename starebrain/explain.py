"""A resolution as text for people; what a phone says is data, so control and direction characters show as escapes."""

from __future__ import annotations

from starebrain.agent import AgentContext
from starebrain.errors import printable
from starebrain.resolution import (
    AppValue,
    CalendarValue,
    ContactValue,
    LocationValue,
    ParameterValue,
    TimeSlotValue,
    Value,
    key_of,
)

WIDTH = 60
"""Longest piece of device text shown, in characters."""


def table(context: AgentContext) -> str:
    """One block a parameter: tier, value, runners-up and why."""
    blocks = []
    for parameter in context.intent.required_parameters:
        got = context.resolved_parameters[parameter.name]
        hint = "no hint" if parameter.hint is None else f"“{clip(parameter.hint)}”"
        blocks.append("\n".join([f"{clip(parameter.name)} ({parameter.kind}): {hint}", *_lines(got)]))
    return "\n\n".join(blocks)


def _lines(got: ParameterValue) -> list[str]:
    chance = "" if got.probability is None else f"  P = {got.probability:.3f}"
    value = "nothing on the phone" if got.value is None else f"{describe(got.value)}  [{clip(key_of(got.value))}]"
    lines = [f"  {got.confidence:<13}{value}{chance}  from {got.source}"]
    lines += [f"  why          {e.bits:+6.2f} bits  {e.name}  {clip(e.detail)}" for e in got.evidence]
    for other in got.alternatives:
        chance = "" if other.probability is None else f"  P = {other.probability:.3f}"
        lines.append(f"  or           {describe(other.value)}  [{clip(key_of(other.value))}]{chance}")
    lines += [f"  held at      {cap.tier} by {cap.rule}: {clip(cap.detail)}" for cap in got.caps]
    lines += [f"  mind         {warn.rule}: {clip(warn.detail)}" for warn in got.warnings]
    return lines


def describe(value: Value) -> str:
    """A value in a few words."""
    return _words(value) or "(no name)"


def _words(value: Value) -> str:
    match value:
        case ContactValue():
            return clip(value.display_name)
        case LocationValue():
            return ", ".join(filter(None, (clip(value.label), clip(value.address))))
        case TimeSlotValue():
            end = "" if value.end is None else f" to {value.end.isoformat(' ', 'minutes')}"
            return f"{value.start:%a} {value.start.isoformat(' ', 'minutes')}{end} ({value.grain})"
        case CalendarValue():
            return clip(value.name)
        case AppValue():
            return clip(value.package)


def clip(text: str) -> str:
    """`text` on one line, escaped and cut to a readable length."""
    shown = printable(text)
    return shown if len(shown) <= WIDTH else shown[: WIDTH - 1] + "…"
