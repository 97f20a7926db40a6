"""The sections of a scenario on what comes after the snapshot: changes, users, an adversary.

They decide nothing of a dataset on disk: timelines are made from phones when they are needed (`simulate.lives`). Every
figure is assumed unless its source is named: nobody publishes how address books and calendars change by the hour.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from starebrain.errors import require
from starebrain.simulate.adversary import ATTACKS
from starebrain.simulate.changes import ChangeType
from starebrain.simulate.checks import Shares, add_up, fractions, rate

LONGEST = 24.0 * 366
"""Longest horizon, in hours."""
FASTEST = 1_000.0
"""Highest rate: changes per hour."""
IN_BURSTS = (ChangeType.ADD, ChangeType.EDIT, ChangeType.REMOVE, ChangeType.MERGE)
"""What synchronisations bring."""


@dataclass(frozen=True, slots=True)
class Bursts:
    """Synchronisations that bring something: `rate` per hour, each of a log-normal number of changes at one instant.

    The number has the given `median` and `spread` (σ) and is at most `most`; `shares` are those of the types.
    """

    rate: float = 0.02
    median: float = 4.0
    spread: float = 1.0
    most: int = 200
    shares: Shares = field(default_factory=lambda: {"add": 0.4, "edit": 0.35, "remove": 0.15, "merge": 0.1})

    def __post_init__(self) -> None:
        rate(self.rate, "rate", FASTEST)
        require(self.median > 0, "median", f"{self.median} is not above 0")
        require(0 <= self.spread <= 3, "spread", f"{self.spread} is outside 0 to 3")
        require(1 <= self.most <= 10_000, "most", f"{self.most} is outside 1 to 10,000")
        add_up(self.shares, "shares", IN_BURSTS)


@dataclass(frozen=True, slots=True)
class Focus:
    """How many times as often as the rates say the records change that an intent of the phone refers to, by sort.

    At 1, the default, changes know nothing of what is asked. Above it rare changes become frequent enough to be
    counted; how often they would spoil a request at 1 follows where a figure is in proportion to the rate, as it is
    while a record hardly ever changes twice.
    """

    contacts: float = 1.0
    events: float = 1.0
    places: float = 1.0

    def __post_init__(self) -> None:
        for of in fields(self):
            require(1 <= getattr(self, of.name) <= 1e6, of.name, f"{getattr(self, of.name)} is outside 1 to 1,000,000")


@dataclass(frozen=True, slots=True)
class Changes:
    """``[timeline]``: changes per hour over `horizon` hours after the snapshot.

    Rates of `edit` and `remove` are per contact, of `merge` per pair of records that look like one person, of `move`
    and `cancel` per event that is still to come, of `relabel` per saved place; the others per phone. The defaults: a
    contact is edited every other year and removed every eleven years; a pair is merged within six weeks; an event that
    is two weeks off is moved in one case of four and cancelled in one of seven; a place is relabelled every eleven
    years; somebody is added, or invites the owner, every other day, and ten contacts a day are reached (all assumed).
    56 notifications a day are the median that Pielot, Vradi and Park (MobileHCI 2018) counted on 278 phones.

    `namesakes` of the added contacts bear the given name of somebody on the phone, and as many of the invitations the
    title of a coming event.
    """

    horizon: float = 48.0
    add: float = 0.02
    edit: float = 6e-5
    remove: float = 1e-5
    merge: float = 1e-3
    reach: float = 0.4
    invite: float = 0.02
    move: float = 8e-4
    cancel: float = 4e-4
    relabel: float = 1e-5
    notify: float = 2.33
    bursts: Bursts = field(default_factory=Bursts)
    namesakes: float = 0.15
    focus: Focus = Focus()

    def __post_init__(self) -> None:
        require(0 < self.horizon <= LONGEST, "horizon", f"{self.horizon} hours is outside 0 to {LONGEST:g}")
        for of in ChangeType:
            rate(getattr(self, of), of.value, FASTEST)
        fractions(self, only=("namesakes",))


@dataclass(frozen=True, slots=True)
class Users:
    """``[users]``: how people answer what they are shown.

    `delay` is the median over users of their median answer delay in seconds, `spread_between` the σ of that log-normal
    and `spread` the σ of one user's delays. `attention` is the mean over users of the chance that a user notices a
    wrong suggestion when it is the first thing that they are shown; users differ by a Beta distribution of
    `agreement` (its two parameters together; higher is more alike). What of it is above `least` is less by a share of
    `fatigue` for each further prompt: clinicians heeded a reminder 30% less often for each further one of an encounter
    (Ancker et al., BMC Medical Informatics and Decision Making, 2017). Of the wrong suggestions that are noticed, a
    share `edits` is put right at once and the rest declined: of 2,665 proposals in SMCalFlow 2.0 (validation split)
    23.6% were modified and 3.2% rejected, 0.88 to 0.12. `needless` is the share of right suggestions that are
    overridden all the same. The others are assumed.
    """

    delay: float = 8.0
    spread_between: float = 0.5
    spread: float = 1.2
    attention: float = 0.9
    agreement: float = 10.0
    fatigue: float = 0.3
    least: float = 0.3
    edits: float = 0.88
    needless: float = 0.02

    def __post_init__(self) -> None:
        require(0 < self.delay <= 86_400, "delay", f"{self.delay} seconds is outside 0 to 86,400")
        for name in ("spread", "spread_between"):
            require(0 <= getattr(self, name) <= 5, name, f"{getattr(self, name)} is outside 0 to 5")
        require(self.agreement > 0, "agreement", f"{self.agreement} is not above 0")
        fractions(self, only=("attention", "fatigue", "least", "edits", "needless"))


@dataclass(frozen=True, slots=True)
class Adversary:
    """``[adversary]``: a share of `phones` is attacked once, by one of `attacks` (shares, assumed equal).

    The attack comes within `hours` of the snapshot, evenly. A share `adaptive` is made for the phone and the target;
    the others follow a fixed recipe. No phone is attacked unless a scenario says so.
    """

    phones: float = 0.0
    hours: float = 1.0
    adaptive: float = 0.5
    attacks: Shares = field(default_factory=lambda: {name: 1 / len(ATTACKS) for name in ATTACKS})

    def __post_init__(self) -> None:
        fractions(self, only=("phones", "adaptive"))
        require(0 < self.hours <= LONGEST, "hours", f"{self.hours} hours is outside 0 to {LONGEST:g}")
        add_up(self.attacks, "attacks", ATTACKS)
