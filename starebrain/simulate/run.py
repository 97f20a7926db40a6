"""From a scenario to phones, block by block, and to a dataset on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pyarrow as pa

from starebrain import __version__
from starebrain._tables import TABLES
from starebrain.dataset import DatasetWriter, Manifest, Split
from starebrain.simulate.agenda import Agenda, agenda_of
from starebrain.simulate.language import catalogue
from starebrain.simulate.layout import lists, table
from starebrain.simulate.naming import labels_of
from starebrain.simulate.people import instants, people_of
from starebrain.simulate.phones import Phones, phones_of
from starebrain.simulate.pools import Pools, pools_of
from starebrain.simulate.scenario import Scenario
from starebrain.simulate.speakers import speak
from starebrain.simulate.streams import Streams
from starebrain.simulate.surroundings import Apps, apps_of, places_of
from starebrain.simulate.view import Block

PHONES = 256
"""Phones in a block: what is in memory at once. Another number gives another dataset."""


def simulate(
    scenario: Scenario, out: str | Path, *, force: bool = False, progress: Callable[[int], None] | None = None
) -> Manifest:
    """Write the dataset of a scenario into the folder `out`, whole or not at all.

    `progress` is called with the number of phones done so far. `InvalidInput` where `out` cannot be written, or is
    there already (unless it is a dataset and `force` is given).
    """
    made_by = {"starebrain": __version__, **{name: version(name) for name in ("faker", "numpy", "pyarrow")}}
    with DatasetWriter(
        out, scenario.name, seed=scenario.seed, scenario=scenario.plain, versions=made_by, force=force
    ) as writer:
        done = 0
        for block in generate(scenario):
            writer.write(block)
            done += block["devices"].num_rows
            if progress is not None:
                progress(done)
    return writer.manifest


def generate(scenario: Scenario) -> Iterator[dict[str, pa.Table]]:
    """The phones of a scenario, at most `PHONES` at a time, as the tables of a dataset."""
    pools = pools_of(scenario)
    labels = labels_of(pools)
    for number, first in enumerate(range(0, scenario.devices, PHONES)):
        streams = Streams(scenario.seed, number)
        phones = phones_of(scenario, pools, streams, first, min(PHONES, scenario.devices - first))
        people = people_of(pools, labels, streams, phones, scenario.contacts)
        places = places_of(pools, streams, phones, people)
        agenda = agenda_of(pools, streams, phones, people, places, scenario.events)
        apps = apps_of(pools, streams, phones, people)
        block = Block(pools, phones, people, places, agenda, apps)
        yield {
            "devices": _devices(pools, streams, phones, agenda, apps),
            "contacts": people.table,
            "calendars": agenda.calendar_table,
            "events": agenda.table,
            "locations": places.table,
            "apps": apps.table,
            "notifications": apps.notifications,
            **speak(block, scenario.speakers, streams),
            "changes": TABLES["changes"].empty_table(),
        }


def _devices(pools: Pools, streams: Streams, phones: Phones, agenda: Agenda, apps: Apps) -> pa.Table:
    size, words = len(phones.locale), pools.words
    packages = pa.array([app["package"] for app in catalogue()])
    used = apps.recent >= 0
    counts = used.sum(axis=1)
    pairs = np.minimum(np.maximum(counts - 1, 0), 2)
    at = np.repeat(np.arange(size), pairs)
    nth = np.arange(len(at)) - np.repeat(np.cumsum(pairs) - pairs, pairs)
    ago = np.sort(streams("switches").integers(5, 7_200, (size, 2)), axis=1)
    mail = pa.concat_arrays([agenda.owner_mail, agenda.work_mail])
    both = np.stack([np.arange(size), np.arange(size) + size], axis=1).ravel()
    given, last = words.column(phones.given), words.column(pools.families[phones.sex, phones.family])
    turned = np.array([t.family_first for t in pools.tables])[phones.locale]
    names = [
        f"{b}{a}" if t else f"{a} {b}" for a, b, t in zip(given.to_pylist(), last.to_pylist(), turned, strict=True)
    ]
    return table(
        TABLES["devices"],
        {
            "device_id": pa.array(phones.ids),
            "split": pa.array([split.value for split in Split]).take(pa.array(phones.split)),
            "captured_at": instants(phones.now),
            "timezone": pa.array(phones.zones).take(pa.array(phones.zone)),
            "locale": pa.array(pools.locales).take(pa.array(phones.locale)),
            "owner_name": pa.array(names),
            "owner_emails": lists(mail.take(pa.array(both)), np.full(size, 2)),
            "recent_apps": lists(packages.take(pa.array(apps.recent[used])), counts),
            "active_package": packages.take(pa.array(apps.recent[:, 0], mask=apps.recent[:, 0] < 0)),
            "switch_from": lists(packages.take(pa.array(apps.recent[at, nth + 1])), pairs),
            "switch_to": lists(packages.take(pa.array(apps.recent[at, nth])), pairs),
            "switch_at": lists(instants(phones.now[at] - ago[at, nth]), pairs),
        },
    )
