"""Which records of a phone its intents refer to, by their gold."""

from __future__ import annotations

from starebrain.dataset import LabelledPhone
from starebrain.intent import ParameterKind
from starebrain.simulate.distortions import fold


def asked_about(phone: LabelledPhone) -> dict[str, None]:
    """The ids of contacts, events and places that are meant, or fit the words, in the order in which they are asked.

    Of a time that was said by an event ("after my standup") the next events with a title that is in the hint.
    """
    ids: dict[str, None] = {}
    device = phone.device
    coming = [event for event in device.upcoming_events if event.start_time > device.captured_at]
    latest_first = sorted(coming, key=lambda event: event.start_time, reverse=True)
    titles = {fold(event.title): event.event_id for event in latest_first}
    for one in phone.intents:
        for parameter, label in zip(one.intent.required_parameters, one.labels, strict=True):
            if parameter.kind is ParameterKind.TIME_SLOT:
                hint = f" {fold(parameter.hint or '')} "
                keys = [i for title, i in titles.items() if title and f" {title} " in hint]
            else:
                keys = [key.rpartition(":")[2] for key in (*label.intended, *label.compatible)]
            ids |= dict.fromkeys(keys)
    return ids
