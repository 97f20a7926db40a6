"""Evaluation: resolvers over labelled phones, metrics with intervals, paired comparisons."""

from __future__ import annotations

from starebrain.evaluate.metrics import METRICS
from starebrain.evaluate.run import evaluate
from starebrain.evaluate.summary import CUTS, summarise

__all__ = ["CUTS", "METRICS", "evaluate", "summarise"]
