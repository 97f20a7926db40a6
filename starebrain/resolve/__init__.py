"""Resolvers: one protocol, and a table of those that can be named."""

from __future__ import annotations

from collections.abc import Mapping

from starebrain.errors import InvalidInput
from starebrain.resolve.base import PhoneResolver, Resolver
from starebrain.resolve.baselines import BASELINES
from starebrain.resolve.context_resolver import EvidenceResolver

_ALL: tuple[Resolver, ...] = (EvidenceResolver(), *BASELINES)
RESOLVERS: Mapping[str, Resolver] = {resolver.name: resolver for resolver in _ALL}


def resolver_named(name: str) -> Resolver:
    """The resolver of that name; `InvalidInput` lists the names there are."""
    if name not in RESOLVERS:
        raise InvalidInput(f"there is no resolver {name!r}", remedy=f"Choose one of {', '.join(RESOLVERS)}.")
    return RESOLVERS[name]


__all__ = ["RESOLVERS", "PhoneResolver", "Resolver", "resolver_named"]
