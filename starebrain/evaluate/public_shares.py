"""How simulated speakers and users compare with what public data shows: shares side by side, and their differences.

Public are SLURP's test sentences (requests to a home assistant, in English) and figures that were published of
SMCalFlow 2.0 (dialogues about calendars, in English). Simulated hints are those of English phones, since words are
counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from starebrain import benchmarks
from starebrain.benchmarks.base import json_lines
from starebrain.dataset import LabelledPhone, LabelledSource, Split
from starebrain.evaluate.intent_types import SOURCE, sentence_files
from starebrain.evaluate.intervals import cluster_sums, percentiles, ratio, resampled, stream
from starebrain.intent import Answer
from starebrain.simulate import Scenario, simulate_timelines, streams_of
from starebrain.simulate.families import FAMILIES

SIMULATED, SLURP, SMCALFLOW = "simulated", "SLURP", "SMCalFlow 2.0, published"
PROPOSALS, MODIFIED, REJECTED = 2_665, 0.236, 0.032
"""SMCalFlow 2.0, validation split: answers to an agent's single proposal, and the shares of two of them."""
PERSONAL, REFUSED = 3_028, 200
"""SMCalFlow 2.0: hints for a person, and turns that were refused because the agent knows no relations ("mom"): fewer
relations than were said, so its share is a lower bound."""
CALENDAR = frozenset({"create_event", "set_reminder"})
"""Actions that SLURP calls `calendar_set`."""
UNSEEN = frozenset({"absent", "unsaid"})
"""Families whose words are not labelled with what was meant."""
BESIDE = frozenset({"event", "after_event", "before_event"})
"""Times by an event, which SLURP does not mark as times."""
ONE_WORD = r"\S+"
LOOKS = 20
"""Wrong suggestions that each simulated user is shown."""

Counted = tuple[pd.Series, pd.Series]


@dataclass(frozen=True, slots=True)
class Share:
    """A share of hints, counted alike on both sides: which rows are of the `whole`, and which of those of the `part`.

    `theirs` counts rows of SLURP (`slurp_hints`), `ours` those of `simulated_hints`.
    """

    name: str
    title: str
    ours: Callable[[pd.DataFrame], Counted]
    theirs: Callable[[pd.DataFrame], Counted]


def _said(hints: pd.DataFrame) -> pd.Series:
    return (hints["kind"] == "contact") & ~hints["family"].isin(UNSEEN)


def _named(hints: pd.DataFrame) -> pd.Series:
    return _said(hints) & ~hints["family"].isin(("relation", "role"))


def _timed(hints: pd.DataFrame) -> pd.Series:
    planned = hints["action"].isin(CALENDAR) & (hints["kind"] == "time_slot")
    return planned & ~hints["family"].isin(UNSEEN | BESIDE)


def _hour_only(hints: pd.DataFrame) -> pd.Series:
    today = ~hints["hint"].str.contains("tomorrow", regex=False)
    return (hints["family"] == "from_now") | ((hints["family"] == "open_hour") & today)


SHARES: Mapping[str, Share] = {
    share.name: share
    for share in (
        Share(
            "said_by_relation",
            "people called by a relation",
            lambda h: (h["family"] == "relation", _said(h)),
            lambda h: (h["slot"] == "relation", h["slot"].isin(("person", "relation"))),
        ),
        Share(
            "said_in_one_word",
            "names of people in one word",
            lambda h: (h["hint"].str.fullmatch(ONE_WORD), _named(h)),
            lambda h: (h["hint"].str.fullmatch(ONE_WORD), h["slot"] == "person"),
        ),
        Share(
            "said_otherwise",
            "names typed or heard wrongly",
            lambda h: (h["family"].isin(("slip", "misheard")), _named(h)),
            lambda h: (h["family"] == "otherwise", h["slot"] == "heard"),
        ),
        Share(
            "day_without_hour",
            "times that name a day and no hour",
            lambda h: (h["family"] == "day", _timed(h)),
            lambda h: (h["family"] == "day", h["slot"] == "times"),
        ),
        Share(
            "hour_without_day",
            "times that name an hour and no day",
            lambda h: (_hour_only(h), _timed(h)),
            lambda h: (h["family"] == "hour", h["slot"] == "times"),
        ),
        Share(
            "part_of_the_day",
            "times that name a part of the day",
            lambda h: (h["family"] == "part_of_the_day", _timed(h)),
            lambda h: (h["part"], h["slot"] == "times"),
        ),
    )
}


def simulated_hints(source: LabelledSource, split: Split | None = None) -> pd.DataFrame:
    """What was said on the English phones of a source, a row a hint; `cluster` is the phone."""
    rows = [
        (phone.device_id, parameter.kind.value, label.family, one.intent.action, parameter.hint or "")
        for phone in source.phones(split)
        if phone.device.locale.startswith("en")
        for one in phone.intents
        for parameter, label in zip(one.intent.required_parameters, one.labels, strict=True)
    ]
    return pd.DataFrame(rows, columns=["cluster", "kind", "family", "action", "hint"])


def slurp_hints(root: str | Path | None = None) -> pd.DataFrame:
    """What SLURP's sentences say of people and times: a row a hint, with `cluster` (the sentence).

    `slot` is "person" or "relation" for those, "times" for all that a sentence says of the time of a calendar entry
    (`family` is "day", "hour" or "both", `part` whether it names a part of the day), "heard" for a person as a
    recogniser wrote them (`family` is "otherwise" where that is not what was said). `MissingData` where SLURP is not
    in the folder that ``STAREBRAIN_BENCHMARKS`` names.
    """
    rows = [
        row
        for path in sentence_files(root)
        for sentence in json_lines(path, slurp_id=int, tokens=list, entities=list, intent=str)
        for row in _of_sentence(sentence)
    ]
    for phone in benchmarks.load("slurp_person", root).phones():
        rows += _heard(phone)
    return pd.DataFrame(rows, columns=["cluster", "slot", "family", "part", "hint"])


def _of_sentence(sentence: Mapping[str, object]) -> Iterator[tuple[str, str, str, bool, str]]:
    cluster, entities = f"slurp:{sentence['slurp_id']}", sentence["entities"]
    tokens = [token["surface"] for token in sentence["tokens"]]  # type: ignore[attr-defined]
    spoken = [(e["type"], " ".join(tokens[min(e["span"]) : max(e["span"]) + 1])) for e in entities]  # type: ignore[attr-defined]
    for slot, words in spoken:
        if slot in ("person", "relation"):
            yield cluster, slot, "", False, words
    slots = {slot for slot, _ in spoken}
    if sentence["intent"] == "calendar_set" and slots & {"date", "time", "timeofday"}:
        family = "both" if "time" in slots and "date" in slots else "hour" if "time" in slots else "day"
        yield cluster, "times", family, "timeofday" in slots, ""


def _heard(phone: LabelledPhone) -> Iterator[tuple[str, str, str, bool, str]]:
    names = {contact.contact_id: contact.display_name for contact in phone.device.contacts}
    for one in phone.intents:
        for parameter, label in zip(one.intent.required_parameters, one.labels, strict=True):
            hint = parameter.hint or ""
            same = hint.casefold().split() == names[label.intended[0]].casefold().split()
            yield label.cluster, "heard", "" if same else "otherwise", False, hint


def noticed(scenario: Scenario, phones: Sequence[LabelledPhone]) -> pd.DataFrame:
    """What simulated users did about the wrong suggestions that they noticed: a row each, `edited` or declined."""
    rows = []
    for phone, _, user in simulate_timelines(scenario, phones):
        rng = streams_of(phone.device_id, scenario.seed)("noticed")
        answers = user.answers(np.ones(LOOKS, bool), 0, rng)
        rows += [(phone.device_id, answer is Answer.EDITED) for answer in answers if answer is not Answer.APPROVED]
    return pd.DataFrame(rows, columns=["cluster", "edited"])


@dataclass(frozen=True, slots=True)
class _Side:
    whose: str
    source: str
    cluster: np.ndarray
    counted: np.ndarray


def _published(count: int, of: int) -> _Side:
    """A published share as rows of one cluster each: its dialogues are not known."""
    counted = np.column_stack([np.arange(of) < count, np.ones(of)]).astype(float)
    return _Side(SMCALFLOW, "smcalflow", np.arange(of), counted)


def _side(whose: str, source: str, frame: pd.DataFrame, counted: Counted) -> _Side:
    part, whole = counted
    return _Side(whose, source, frame["cluster"].to_numpy(), np.column_stack([part & whole, whole]).astype(float))


def compared(
    name: str, hints: pd.DataFrame, users: pd.DataFrame, slurp: pd.DataFrame | None = None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Shares as estimates, and differences: simulated less public, with intervals over clusters of both sides.

    `name` is what figures call the simulated source, `hints` those of `simulated_hints`, `users` those of `noticed`;
    without `slurp` only the published figures are compared. Differences have the columns `title`, `whose`, `value`,
    `low`, `high`, `ours` and `theirs` (n of each).
    """
    pairs: list[tuple[str, str, _Side, _Side | None]] = []
    for share in SHARES.values():
        ours = _side(SIMULATED, name, hints, share.ours(hints))
        theirs = None if slurp is None else _side(SLURP, SOURCE, slurp, share.theirs(slurp))
        pairs.append((share.name, share.title, ours, theirs))
    relation = SHARES["said_by_relation"]
    said = _side(SIMULATED, name, hints, relation.ours(hints))
    pairs.insert(1, (relation.name, relation.title, said, _published(REFUSED, PERSONAL)))
    everybody = _side(SIMULATED, name, users, (users["edited"], users["edited"] | True))
    modified, rejected = round(MODIFIED * PROPOSALS), round(REJECTED * PROPOSALS)
    title = "noticed slips put right, not declined"
    pairs.append(("put_right", title, everybody, _published(modified, modified + rejected)))
    lines: dict[tuple[str, str], dict[str, object]] = {}
    differences = []
    for metric, title, ours, theirs in pairs:
        for side in (ours, theirs):
            if side is not None and (metric, side.whose) not in lines:
                speaker = "speakers" if side.whose == SIMULATED else "people"
                figure = asdict(ratio((metric, speaker, side.source, ""), side.cluster, side.counted))
                lines[metric, side.whose] = figure | {"title": title, "whose": side.whose, "better": "neither"}
        if theirs is not None:
            differences.append({"title": title, "whose": theirs.whose, **_difference(metric, ours, theirs)})
    return pd.DataFrame(list(lines.values())), pd.DataFrame(differences)


def _difference(metric: str, ours: _Side, theirs: _Side) -> dict[str, float | None]:
    """The difference of two shares, with the interval of both sides' clusters resampled apart; None without data."""
    values, draws, rows = [], [], []
    for side in (ours, theirs):
        kept = side.counted[:, 1] > 0
        sums = cluster_sums(side.cluster[kept], side.counted[kept])
        rows.append(int(kept.sum()))
        if not len(sums):
            return {"value": None, "low": None, "high": None, "ours": rows[0], "theirs": rows[-1]}
        values.append(float(sums[:, 0].sum() / sums[:, 1].sum()))
        draws.append(resampled(sums, stream("public shares", metric, side.whose)))
    drawn = np.hstack(draws)
    drawn = drawn[(drawn[:, 1] > 0) & (drawn[:, 3] > 0)]
    low, high = percentiles(drawn[:, 0] / drawn[:, 1] - drawn[:, 2] / drawn[:, 3])
    return {"value": values[0] - values[1], "low": low, "high": high, "ours": rows[0], "theirs": rows[1]}


def families(source: LabelledSource) -> pd.DataFrame:
    """The share of each family among the answerable hints of its kind, on all phones of a source, as estimates."""
    rows = [
        (phone.device_id, parameter.kind.value, label.family)
        for phone in source.phones()
        for one in phone.intents
        for parameter, label in zip(one.intent.required_parameters, one.labels, strict=True)
        if label.family not in UNSEEN
    ]
    hints = pd.DataFrame(rows, columns=["cluster", "kind", "family"])
    lines = []
    for kind, of_kind in FAMILIES.items():
        whole = hints["kind"] == kind.value
        for family in of_kind:
            counted = np.column_stack([whole & (hints["family"] == family), whole]).astype(float)
            names = ("family_share", "speakers", source.name, f"kind={kind},family={family}")
            figure = asdict(ratio(names, hints["cluster"].to_numpy(), counted))
            lines.append(figure | {"kind": kind.value, "family": family})
    return pd.DataFrame(lines)


def verdict(low: float | None, high: float | None) -> str:
    """What a difference with this interval says."""
    if low is None or high is None or low != low:
        return "no data"
    return "simulated more often" if low > 0 else "simulated less often" if high < 0 else "no difference shown"
