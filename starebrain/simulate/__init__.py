"""Simulated phones and speakers: a scenario in, a labelled dataset out. Knows nothing of how hints are resolved."""

from starebrain.simulate.run import generate, simulate
from starebrain.simulate.scenario import Scenario, read_scenario

__all__ = ["Scenario", "generate", "read_scenario", "simulate"]
