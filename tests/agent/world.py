"""A user, an agent and a phone that changes, and a judge who knows only what was said, shown and done.

Every step takes one number that decides everything in it, so that Hypothesis and a plain random walk can take them
alike. The judge reads the phone by itself: it shares no table and no comparison with what it judges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from starebrain.agent import (
    AgentContext,
    Approval,
    Attempt,
    Executed,
    Observation,
    Outcome,
    Reason,
    RecordingDispatcher,
    Refused,
    build_agent_context,
    capture,
    confirm,
    dispatch,
    providers_of,
)
from starebrain.agent.contract import seal
from starebrain.device import App, Calendar, Contact, DeviceContext, Event, Response, SavedLocation
from starebrain.errors import InvalidInput
from starebrain.intent import ActionIntent, Parameter, ParameterKind
from starebrain.resolution import (
    AppValue,
    CalendarValue,
    ContactValue,
    Grain,
    LocationValue,
    TimeSlotValue,
    Value,
)
from starebrain.resolve import RESOLVERS, Resolver

T = TypeVar("T")
CONTACT, LOCATION, TIME_SLOT, CALENDAR, APP = ParameterKind
START = datetime(2026, 11, 5, 9, 30, tzinfo=UTC)
KEY, OTHER_KEY = b"k" * 32, b"K" * 32
EVIDENCE = RESOLVERS["evidence"]
QUANTUM = timedelta(minutes=5)
"""The user speaks at whole multiples of this only: reading a time at an instant never seen before takes long."""


def at(hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, 6, hour, minute, tzinfo=UTC)


PHONE = DeviceContext(
    START,
    "UTC",
    "en_GB",
    contacts=(
        Contact("c-1", "Mom", phones=("+4930111111",), addresses=("1 Elm Road",)),
        Contact("c-2", "Alex Ash", phones=("+4930222222",)),
        Contact("c-3", "Alex Birch", phones=("+4930333333",)),
        Contact("c-4", "Bob", phones=("+4930444444",), added_at=START - timedelta(hours=1)),
    ),
    calendars=(Calendar("k-1", "Work", is_default=True, writable=True), Calendar("k-2", "Private", writable=True)),
    upcoming_events=(
        Event("e-1", at(9), at(9, 15), "k-1", "Standup", response=Response.ACCEPTED),
        Event("e-2", at(12), at(13), "k-1", "Lunch", location="Nonna", response=Response.ACCEPTED),
    ),
    saved_locations=(SavedLocation("l-1", "Gym", "3 Pine Street", (52.5, 13.4)),),
    installed_apps=(App("com.maps", "Maps"), App("com.mail", "Mail")),
)

SAID: Sequence[tuple[tuple[ParameterKind, str | None], ...]] = (
    ((CONTACT, "mom"),),
    ((CONTACT, "alex"),),
    ((CONTACT, "bob"),),
    ((CONTACT, "xyzzy"),),
    ((CONTACT, "mom"), (APP, "maps")),
    ((LOCATION, "the gym"),),
    ((LOCATION, "mom's place"), (CONTACT, "alex ash")),
    ((LOCATION, "nonna"),),
    ((TIME_SLOT, "after the standup"), (CALENDAR, None)),
    ((TIME_SLOT, "during lunch"),),
    ((TIME_SLOT, "tomorrow at 3pm"), (CALENDAR, "private")),
)


def renamed(contact: Contact, n: int) -> Contact:
    return replace(contact, display_name=("Mom", "Alex Ash", "Alex Birch", "Bob", "Mum")[n % 5])


CHANGES: Sequence[tuple[str, Callable[[Any, int], Any]]] = (
    ("contacts", renamed),
    ("contacts", lambda c, n: replace(c, phones=(f"+493055{n % 100:04}",))),
    ("contacts", lambda c, n: replace(c, addresses=(f"{n % 9} Oak Road",))),
    ("contacts", lambda c, n: replace(c, last_contacted_at=START)),
    ("calendars", lambda k, n: replace(k, writable=bool(n % 2))),
    ("calendars", lambda k, n: replace(k, name=("Work", "Private", "Home")[n % 3])),
    ("upcoming_events", lambda e, n: replace(e, start_time=at(n % 20), end_time=at(n % 20 + 1))),
    ("upcoming_events", lambda e, n: replace(e, response=list(Response)[n % 4])),
    ("upcoming_events", lambda e, n: replace(e, title=("Standup", "Lunch", "Review")[n % 3])),
    ("upcoming_events", lambda e, n: replace(e, location=("Nonna", "Roof", None)[n % 3])),
    ("saved_locations", lambda p, n: replace(p, address=f"{n % 9} Pine Street")),
    ("saved_locations", lambda p, n: replace(p, label=("Gym", "Nonna")[n % 2])),
    ("installed_apps", lambda a, n: replace(a, label=("Maps", "Mail")[n % 2])),
)
"""What may become of a record that is there."""

ADDED: Sequence[tuple[str, Callable[[int], Any]]] = (
    ("contacts", lambda n: renamed(Contact(f"c-new-{n % 50}", phones=(f"+493077{n % 50:04}",)), n)),
    ("upcoming_events", lambda n: Event(f"e-new-{n % 50}", at(n % 20), at(n % 20 + 1), "k-2", "Standup")),
    ("upcoming_events", lambda n: Event(f"e-new-{n % 50}", at(14), at(16), "k-2", "Review")),
    ("saved_locations", lambda n: SavedLocation(f"l-new-{n % 50}", ("Gym", "Nonna")[n % 2], f"{n % 50} Birch Street")),
    ("calendars", lambda n: Calendar(f"k-new-{n % 50}", ("Private", "Other")[n % 2], writable=True)),
    ("installed_apps", lambda n: App(f"com.new{n % 50}", ("Maps", "Other")[n % 2])),
)
"""What may appear."""


def changed_phone(device: DeviceContext, n: int) -> DeviceContext:
    """The phone after one change: something edited, gone, come, moved to another zone, or all as it was at first."""
    how, n = n % 8, n // 8
    if how == 0:
        return replace(PHONE, captured_at=device.captured_at)
    if how == 1:
        return replace(device, timezone=("UTC", "Asia/Kolkata")[n % 2])
    if how in (2, 3):
        source, make = ADDED[n % len(ADDED)]
        record = make(n // len(ADDED))
        name = DeviceContext.IDS[source]
        kept = tuple(r for r in getattr(device, source) if getattr(r, name) != getattr(record, name))
        return replace(device, **{source: (*kept, record)[-6:]})
    if how == 4:
        source = tuple(DeviceContext.IDS)[n % 5]
        records = getattr(device, source)
        gone = n // 5 % (len(records) or 1)
        return replace(device, **{source: records[:gone] + records[gone + 1 :]})
    source, edit = CHANGES[n % len(CHANGES)]
    records = getattr(device, source)
    which = n // len(CHANGES) % (len(records) or 1)
    edited = tuple(edit(r, n // 70) if i == which else r for i, r in enumerate(records))
    return replace(device, **{source: edited})


def altered(value: Value, n: int) -> Value:
    """The value with one character, or as little as can be, changed."""
    if isinstance(value, TimeSlotValue):
        ways = (
            replace(value, start=value.start - timedelta(microseconds=1)),
            replace(value, start=value.start.astimezone(ZoneInfo("Asia/Tokyo"))),
            replace(value, grain=Grain.WEEK),
            replace(value, event_id=(value.event_id or "") + "x"),
        )
        return ways[n % len(ways)]
    texts = [name for name in value.__dataclass_fields__ if isinstance(getattr(value, name), str)]
    name = texts[n % len(texts)]
    text = getattr(value, name)
    place = n // 4 % (len(text) + 1)
    new: Any = replace(value, **{name: f"{text[:place]}{chr(97 + n % 26)}{text[place + 1 :]}"})
    return new if getattr(new, name) != text else replace(value, **{name: text + "."})


def namesake(value: Value, n: int) -> tuple[str, Any]:
    """A record, and the list it belongs into, that has the name of a value, or takes its time."""
    match value:
        case ContactValue():
            return "contacts", Contact(f"c-like-{n}", value.display_name, phones=(f"+493088{n:04}",))
        case LocationValue():
            return "saved_locations", SavedLocation(f"l-like-{n}", value.label, f"{n} Birch Street")
        case TimeSlotValue():
            end = (value.end or value.start) + timedelta(hours=1)
            return "upcoming_events", Event(f"e-like-{n}", value.start, end, "k-2", "Review")
        case CalendarValue():
            return "calendars", Calendar(f"k-like-{n}", value.name, writable=True)
        case AppValue():
            return "installed_apps", App(f"com.like{n}", value.package)


def meaning(value: Value, device: DeviceContext) -> object:
    """What carrying a value out on this phone leads to; None where there is nothing of that name."""

    def found(records: Sequence[Any], name: str, wanted: str | None) -> Any:
        return next((record for record in records if getattr(record, name) == wanted), None)

    match value:
        case ContactValue():
            one = found(device.contacts, "contact_id", value.contact_id)
            return one and (one.display_name, one.phones, one.emails)
        case LocationValue(location_id=str()):
            one = found(device.saved_locations, "location_id", value.location_id)
            return one and (one.label, one.address, one.coordinates)
        case LocationValue(event_id=str()):
            one = found(device.upcoming_events, "event_id", value.event_id)
            return one and (one.title, one.location, one.response)
        case LocationValue():
            one = found(device.contacts, "contact_id", value.contact_id)
            return one and (one.display_name, one.addresses)
        case TimeSlotValue(event_id=str()):
            one = found(device.upcoming_events, "event_id", value.event_id)
            return one and (one.title, one.start_time, one.end_time, one.response)
        case TimeSlotValue():
            return device.timezone
        case CalendarValue():
            one = found(device.calendars, "calendar_id", value.calendar_id)
            return one and (one.name, one.writable)
        case AppValue():
            one = found(device.installed_apps, "package", value.package)
            return one and (one.label,)


def as_it_was(before: DeviceContext, now: DeviceContext) -> bool:
    """Whether nothing on the phone has changed."""
    names = set(DeviceContext.__dataclass_fields__) - {"captured_at"}
    return all(getattr(before, name) == getattr(now, name) for name in names)


def came_between(value: Value, before: DeviceContext, now: DeviceContext) -> object:
    """Something that was not on the phone and is now, and is called the same as the value, or takes its time."""
    match value:
        case ContactValue():
            known = {c.contact_id for c in before.contacts}
            own = next(c for c in now.contacts if c.contact_id == value.contact_id)
            called = [
                c for c in now.contacts if c.display_name == value.display_name and not {*c.phones} & {*own.phones}
            ]
            return next((c for c in called if c.contact_id not in known), None)
        case LocationValue(location_id=str()):
            ids = {p.location_id for p in before.saved_locations}
            places = [p for p in now.saved_locations if (p.label, p.address != value.address) == (value.label, True)]
            return next((p for p in places if p.location_id not in ids), None)
        case TimeSlotValue(grain=Grain.MINUTE | Grain.HOUR):
            events = {e.event_id for e in before.upcoming_events}
            end = max(value.end or value.start, value.start + timedelta(minutes=1))
            takes = [e for e in now.upcoming_events if e.start_time < end and value.start < e.end_time]
            busy = [e for e in takes if e.response is not Response.DECLINED and e.event_id not in events]
            return next((e for e in busy if e.event_id != value.event_id), None)
    return None


@dataclass
class Asked:
    """One request: what the agent knew, and what the user was shown or told it."""

    context: AgentContext
    answers: dict[str, Value] = field(default_factory=dict)


@dataclass
class Contract:
    """What the user did approve, as the judge wrote it down, and how often it was carried out."""

    asked: Asked
    values: Mapping[str, str]
    approval: Approval
    until: datetime
    carried_out: int = 0


class Moody(RecordingDispatcher):
    """A dispatcher that may lose what it should do, lose the answer, or show what it did before."""

    mood = 0

    def perform(self, attempt: Attempt) -> None:
        if self.mood != 1:
            super().perform(attempt)
        if self.mood == 2:
            raise TimeoutError

    def observe(self, attempt: Attempt) -> Observation | None:
        if self.mood == 3 and len(self.performed) > 1:
            return super().observe(self.performed[-2])
        return super().observe(attempt)


class World:
    """The state of all of it; a step that finds a promise broken raises `AssertionError`."""

    def __init__(self, dispatcher: Moody | None = None, resolver: Resolver | None = EVIDENCE) -> None:
        self.dispatcher = dispatcher or Moody()
        self.resolver = resolver
        self.now, self.device = START, PHONE
        self.asked: list[Asked] = []
        self.contracts: list[Contract] = []
        self.tokens = self.attempts = 0
        self.seen: Counter[str] = Counter()

    def speak(self, n: int) -> None:
        """The user says something, and the phone is captured and asked."""
        said = SAID[n % len(SAID)]
        self.now += QUANTUM - (self.now - START) % QUANTUM
        parameters = tuple(Parameter(f"p{i}", kind, hint) for i, (kind, hint) in enumerate(said))
        intent = ActionIntent("i", ("call", "payment")[n // 11 % 8 == 0], None, parameters)
        device = capture(providers_of(self.device, lambda: self.now), self.now)
        self.asked = [*self.asked[-2:], Asked(build_agent_context(intent, device, EVIDENCE))]

    def answer(self, n: int) -> None:
        """The user answers what is asked, accepts what is suggested, or says something else."""
        if not self.asked:
            return
        asked = self.asked[n % len(self.asked)]
        device = asked.context.device
        for p in asked.context.intent.required_parameters:
            n = n // 3 + 1
            shown = asked.context.suggested_parameters.get(p.name)
            if shown is not None and n % 4:
                asked.answers[p.name] = shown
            elif p.kind is CONTACT and device.contacts and (n % 4 == 0 or shown is None):
                one = device.contacts[n % len(device.contacts)]
                asked.answers[p.name] = ContactValue(one.contact_id, one.display_name)
            elif p.kind is TIME_SLOT and p.name in asked.context.pending_parameters:
                asked.answers[p.name] = TimeSlotValue(at(10 + n % 8), None, Grain.MINUTE)
        if n % 2:  # a user who looks closely leaves what was filled in as it is
            for name in asked.context.auto_filled_parameters:
                asked.answers.pop(name, None)

    def confirm(self, n: int) -> None:
        """The user approves: a contract is made where everything was answered, and only there."""
        if not self.asked:
            return
        asked = self.asked[n % len(self.asked)]
        silent = asked.context.auto_filled_parameters
        values = {**silent, **asked.answers}
        whole = all(p.name in values for p in asked.context.intent.required_parameters)
        self.tokens += 1
        lasts = timedelta(seconds=(60, 1800, 7200)[n // 3 % 3])
        arguments = {"now": self.now, "key": KEY, "token": f"t-{self.tokens}", "expires_after": lasts}
        try:
            approval = confirm(asked.context, dict(asked.answers), **arguments)  # type: ignore[arg-type]
        except InvalidInput:
            assert not whole, "what was answered in full was not accepted"
            return
        assert whole, "an approval of what nobody was asked"
        written = {name: repr(value) for name, value in values.items()}
        self.contracts = [*self.contracts[-5:], Contract(asked, written, approval, self.now + lasts)]
        self.seen["approved"] += 1

    def change(self, n: int) -> None:
        """The phone changes."""
        self.device = changed_phone(self.device, n)

    def namesake(self, n: int) -> None:
        """Something appears that is called like what was approved last, or takes its time."""
        if self.contracts:
            values = list(self.contracts[-1].approval.values.values())
            source, record = namesake(values[n % len(values)], n // 3 % 50)
            name = DeviceContext.IDS[source]
            kept = tuple(r for r in getattr(self.device, source) if getattr(r, name) != getattr(record, name))
            self.device = replace(self.device, **{source: (*kept, record)[-6:]})  # type: ignore[arg-type]

    def wait(self, n: int) -> None:
        """Time passes."""
        self.now += timedelta(seconds=(1, 10, 30, 900)[n % 4])

    def present(self, n: int) -> None:
        """The agent presents a contract as it is, used or not, expired or not, whatever became of the phone."""
        if not self.contracts:
            return
        contract = self.contracts[-1 if n % 2 else -1 - n // 48 % len(self.contracts)]
        self.dispatcher.mood = (0, 0, 0, 0, 0, 1, 2, 3)[n // 2 % 8]
        outcome = self._present(contract.approval, contract.approval.values)
        reason = outcome.reason if isinstance(outcome, Refused) else None
        if contract.until <= self.now:
            assert reason is Reason.EXPIRED, "an expired approval was accepted"
        elif as_it_was(contract.asked.context.device, self.device):
            assert reason in (None, Reason.USED), "it was refused though nothing has changed"
        if isinstance(outcome, Refused):
            assert outcome.questions or reason is Reason.USED, "nobody is asked"

    def present_altered(self, n: int) -> None:
        """The agent presents a contract with one value that is not quite what was approved."""
        if not self.contracts:
            return
        approval = self.contracts[-1].approval
        names = list(approval.values)
        name = names[n % len(names)]
        values = {**approval.values, name: altered(approval.values[name], n // 3)}
        outcome = self._present(approval, values)
        assert isinstance(outcome, Refused), "a value that was changed by one character was accepted"
        assert outcome.reason in (Reason.DIFFERENT, Reason.EXPIRED)

    def present_tampered(self, n: int) -> None:
        """Somebody without the key presents a contract of their own making, as it was sealed or sealed anew."""
        if not self.contracts:
            return
        real = self.contracts[-1].approval
        first, others = real.parameters[0], real.parameters[1:]
        forged = (
            replace(real, parameters=(replace(first, value=altered(first.value, n // 14)), *others)),
            replace(real, expires_at=self.now + timedelta(days=1)),
            replace(real, token=f"forged-{n}"),
            replace(real, parameters=(replace(first, reads=()), *others)),
            replace(real, populations=()),
            replace(real, action=real.action + "s"),
            real,
        )[n % 7]
        if n // 7 % 2 or forged == real:
            forged = replace(forged, mac=seal(forged, OTHER_KEY))
        outcome = self._present(forged, forged.values)
        assert isinstance(outcome, Refused), "a tampered approval was accepted"
        assert outcome.reason is Reason.TAMPERED

    def _present(self, approval: Approval, values: Mapping[str, Value]) -> Outcome:
        device, done = replace(self.device, captured_at=self.now), self.dispatcher.performed
        before = len(done)
        self.attempts += 1
        outcome = dispatch(
            approval,
            values,
            device,
            now=self.now,
            key=KEY,
            attempt_id=f"a-{self.attempts}",
            dispatcher=self.dispatcher,
            resolver=self.resolver,
        )
        for attempt in done[before:]:
            self._judge(attempt, device)
        own = [attempt for attempt in done[before:] if attempt.attempt_id == f"a-{self.attempts}"]
        assert len(own) == len(done) - before, "something else was carried out"
        if isinstance(outcome, Executed):
            honest = self.dispatcher.mood == 0 or (self.dispatcher.mood == 3 and len(done) == 1)
            assert honest, "done on a claim, or on what was done before"
        if isinstance(outcome, Refused):
            assert not own, "what was refused was carried out"
        self.seen[outcome.reason if isinstance(outcome, Refused) else type(outcome).__name__] += 1
        return outcome

    def _judge(self, attempt: Attempt, device: DeviceContext) -> None:
        """Every value that is carried out was approved as shown, or filled in from the snapshot, and still means that.

        What the judge goes by is what the user saw and answered, and what is on the phone at this very moment.
        """
        contract = next((c for c in self.contracts if c.approval.token == attempt.token), None)
        assert contract is not None, "nobody approved this"
        contract.carried_out += 1
        assert contract.carried_out == 1, "an approval was used twice"
        assert self.now < contract.until, "an approval was used after its time"
        assert {name: repr(value) for name, value in attempt.values.items()} == contract.values, "not what was shown"
        context = contract.asked.context
        for name, value in attempt.values.items():
            then = meaning(value, context.device)
            assert then is not None
            assert meaning(value, device) == then, f"{value} is not what it was when it was shown"
            if isinstance(value, TimeSlotValue) or repr(value) == repr(context.resolved_parameters[name].value):
                assert came_between(value, context.device, device) is None, f"{value} is no longer the only one"


STEPS: Mapping[str, int] = {
    "speak": 2,
    "answer": 3,
    "confirm": 3,
    "change": 3,
    "namesake": 1,
    "wait": 1,
    "present": 4,
    "present_altered": 1,
    "present_tampered": 1,
}
"""The steps, and how often each is taken in a random walk."""


def walk(steps: int, seed: int, world: Callable[[], World] = World, length: int = 200) -> Counter[str]:
    """Take random steps, `length` of them in each of many worlds; what was seen in all of them."""
    random, seen = Random(seed), Counter[str]()
    names, weights = list(STEPS), list(STEPS.values())
    for _ in range(steps // length):
        here = world()
        for name in random.choices(names, weights, k=length):
            getattr(here, name)(random.getrandbits(24))
        seen += here.seen
    return seen
