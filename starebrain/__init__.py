"""StareBrain: resolve an assistant's parameters against a phone, and measure whether the resolver can be trusted."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_PUBLIC = {
    "ActionIntent": "starebrain.intent",
    "AgentContext": "starebrain.agent",
    "DeviceContext": "starebrain.device",
    "Parameter": "starebrain.intent",
    "ParameterKind": "starebrain.intent",
    "StarebrainError": "starebrain.errors",
    "build_agent_context": "starebrain.agent",
    "read_device": "starebrain.formats",
    "read_intents": "starebrain.formats",
    "resolver_named": "starebrain.resolve",
}

__all__ = ["__version__", *_PUBLIC]


def __getattr__(name: str) -> Any:
    """Load a public name on first use, so that importing the package costs nothing."""
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'starebrain' has no attribute {name!r}")
