"""A resolution as text for people; what a phone says is data, so control and direction characters show as escapes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log, log2

from starebrain.agent import AgentContext
from starebrain.errors import printable
from starebrain.kinds import KINDS
from starebrain.matching.heuristics import Heuristics, default_heuristics
from starebrain.resolution import (
    AppValue,
    CalendarValue,
    ContactValue,
    ContextSource,
    LocationValue,
    ParameterValue,
    TimeSlotValue,
    Value,
    key_of,
)
from starebrain.resolve.changes import Change, what_would_change

WIDTH = 60
"""Longest piece of device text shown, in characters."""
LINE, BAR, DETAIL = 100, 34, 35
"""Longest line of a waterfall, and its parts: the bars, and what is said of each, in characters."""
CHANGES = 3
"""How many of the changes that would flip an answer are shown."""
SUREST = 1 - 1e-15
"""Probability above which log-odds are cut."""


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


@dataclass(frozen=True, slots=True)
class Step:
    """One step from even odds to the posterior, in bits of log-odds."""

    name: str
    bits: float
    detail: str = ""


def steps(
    value: ParameterValue, heuristics: Heuristics | None = None, candidates: int | None = None
) -> tuple[Step, ...]:
    """The steps whose bits sum to the log-odds (base 2) of the answer's probability; () where it has none.

    They are the prior of one of so many `candidates`, each piece of evidence, what everything else on the phone takes
    away (or records of the same one add), and calibration. Without `candidates` the first and the third are one step.
    `heuristics` are those that the answer was made with.
    """
    p = value.probability
    if not p or value.value is None:
        return ()
    of = (heuristics or default_heuristics()).kinds[value.kind]
    unsaid = [term.name for term in value.evidence] == ["default"]
    slope, offset = (1.0, 0.0) if unsaid else (of.calibration.slope, of.calibration.offset)
    p = min(p, SUREST)
    sure = log(p / (1 - p))
    posterior, before = sure / log(2), (sure - offset) / slope / log(2)
    terms = [Step(term.name, term.bits, term.detail) for term in value.evidence]
    left = before - sum(term.bits for term in terms)
    if unsaid or value.source is ContextSource.USER_PROVIDED:  # odds against none of these, without a prior
        first, left = Step("prior", 0.0, "one or none of these"), left
    elif candidates:
        prior = log2((1 - of.none) / candidates / of.none)
        first, left = Step("prior", prior, f"1 of {candidates:,}, or none: {of.none:.0%}"), left - prior
    else:
        first, left = Step("prior and others", left, "how many there are, and who else fits"), 0.0
    others = Step("others", left, "records of the same one" if left > 0 else "what else fits")
    found = [first, *terms, *([others] if abs(left) >= 0.005 else [])]
    if (slope, offset) != (1.0, 0.0):
        found.append(Step("calibration", posterior - before, f"slope {slope:g}, offset {offset:g}"))
    return tuple(found)


def waterfall(context: AgentContext, heuristics: Heuristics | None = None) -> str:
    """One block a parameter: the answer, how its evidence adds up, runners-up, and what would change it.

    Lines have at most 100 characters. `heuristics` are those that the answers were made with.
    """
    blocks = []
    for parameter in context.intent.required_parameters:
        got = context.resolved_parameters[parameter.name]
        hint = "no hint" if parameter.hint is None else f"“{clip(parameter.hint)}”"
        candidates = len(KINDS[got.kind].records(context.device))
        head = clip(f"{clip(parameter.name)} ({parameter.kind}): {hint}", LINE)
        blocks.append("\n".join([head, *_block(got, steps(got, heuristics, candidates), heuristics)]))
    return "\n\n".join(blocks)


def _block(got: ParameterValue, summed: Sequence[Step], heuristics: Heuristics | None) -> Iterator[str]:
    sure = "" if got.probability is None else f"{chance(got.probability)}  "
    key = "" if got.value is None else f"[{clip(key_of(got.value))}]  "
    value = "nothing on the phone" if got.value is None else describe(got.value)
    yield from _wrapped(f"{got.confidence:<13}{clip(value, LINE - 15)}", f"{key}{sure}from {got.source}")
    if summed:
        yield ""
        yield from _bars(summed, got.probability or 0.0)
        yield ""
    for other in got.alternatives:
        sure = "" if other.probability is None else chance(other.probability)
        yield from _wrapped(
            f"or           {clip(describe(other.value), LINE - 15)}",
            f"[{clip(key_of(other.value))}]  {sure}".rstrip(),
        )
    for cap in got.caps:
        yield f"  held at      {clip(f'{cap.tier} by {cap.rule}: {clip(cap.detail)}', LINE - 15)}"
    for warn in got.warnings:
        yield f"  mind         {clip(f'{warn.rule}: {clip(warn.detail)}', LINE - 15)}"
    for at, change in enumerate(what_would_change(got, heuristics)[:CHANGES]):
        yield f"  {'' if at else 'would change':<13}{clip(_change(change), LINE - 15)}"


def _bars(summed: Sequence[Step], probability: float) -> Iterator[str]:
    """A line a step, its bar from where the sum stood to where it stands; | marks even odds."""
    stands = [0.0]
    for step in summed:
        stands.append(stands[-1] + step.bits)
    low, high = min(stands), max(stands)
    scale = (BAR - 1) / ((high - low) or 1.0)
    columns = [round((at - low) * scale) for at in stands]
    for step, start, end in zip(summed, columns, columns[1:], strict=False):
        yield _bar(step.name, step.bits, start, end, columns[0], "+" if step.bits > 0 else "-", step.detail)
    yield _bar("together", stands[-1], columns[0], columns[-1], columns[0], "=", chance(probability))


def _bar(name: str, bits: float, start: int, end: int, even: int, mark: str, detail: str) -> str:
    cells = [" "] * BAR
    first, last = sorted((start, end))
    cells[first : last + 1] = mark * (last + 1 - first) if first < last else "."
    cells[even] = "|"
    return f"  {clip(name, 18):<18}{round(bits, 2) + 0.0:+7.2f}  {''.join(cells)}  {clip(detail, DETAIL)}".rstrip()


def chance(p: float) -> str:
    """A probability (0 to 1) in words, never rounded to certainty."""
    return f"P = {p:.3f}" if p < 0.9995 else "P > 0.999"


def _change(change: Change) -> str:
    """A change in words."""
    size = "" if change.bits == float("inf") else f" ({change.bits:.1f} bits)"
    chosen = "" if change.choice is None else f", and [{clip(change.choice)}] is chosen"
    return f"{clip(change.what)}{size}: {change.tier}{chosen}"


def _wrapped(first: str, second: str) -> Iterator[str]:
    """Two texts on one line where they fit."""
    if len(first) + len(second) + 4 <= LINE:
        yield f"  {first}  {second}"
    else:
        yield f"  {first}"
        yield f"  {'':<13}{clip(second, LINE - 15)}"


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


def clip(text: str, width: int = WIDTH) -> str:
    """`text` on one line, escaped and cut to `width` characters."""
    shown = printable(text)
    return shown if len(shown) <= width else shown[: width - 1] + "…"
