"""What every resolver offers."""

from __future__ import annotations

from typing import Protocol

from starebrain.device import DeviceContext
from starebrain.intent import Parameter
from starebrain.resolution import ParameterValue


class PhoneResolver(Protocol):
    """A resolver that has seen one phone; what it prepared there serves every parameter asked of that phone."""

    def resolve(self, parameter: Parameter, action: str) -> ParameterValue:
        """The answer for one parameter of an intent with this `action`; the same question has the same answer."""
        ...


class Resolver(Protocol):
    """A way to resolve parameters against a snapshot."""

    @property
    def name(self) -> str:
        """The name in `RESOLVERS` and in every table of results."""
        ...

    def on(self, device: DeviceContext) -> PhoneResolver:
        """The resolver on one phone."""
        ...
