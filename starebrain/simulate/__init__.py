"""Simulated phones and speakers: a scenario in, a labelled dataset out. Knows nothing of how hints are resolved.

What comes after the snapshots is made on the fly: `simulate_timelines` gives each phone with its timeline and its user.
"""

from starebrain.simulate.changes import Cause, Change, ChangeType
from starebrain.simulate.lives import Life, life_of, simulate_timelines, streams_of
from starebrain.simulate.run import generate, simulate
from starebrain.simulate.scenario import Scenario, read_scenario
from starebrain.simulate.timeline import Timeline, timeline_of
from starebrain.simulate.users import UserTraits

__all__ = [
    "Cause",
    "Change",
    "ChangeType",
    "Life",
    "Scenario",
    "Timeline",
    "UserTraits",
    "generate",
    "life_of",
    "read_scenario",
    "simulate",
    "simulate_timelines",
    "streams_of",
    "timeline_of",
]
