"""Resolvers: one protocol, and a table of those that can be named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from starebrain.errors import InvalidInput
from starebrain.matching.heuristics import default_heuristics, read_heuristics
from starebrain.recall import Recall
from starebrain.resolve.base import PhoneResolver, Resolver
from starebrain.resolve.baselines import BASELINES
from starebrain.resolve.context_resolver import EvidenceResolver

_ALL: tuple[Resolver, ...] = (EvidenceResolver(), *BASELINES)
RESOLVERS: Mapping[str, Resolver] = {resolver.name: resolver for resolver in _ALL}


def resolver_named(name: str, heuristics: Sequence[str | Path] = (), recall: Recall | None = None) -> Resolver:
    """The resolver of that name, with TOML files laid over the default heuristics of the evidence resolver.

    `recall` is what session memory knows; baselines have none. `InvalidInput` lists the names there are, and refuses
    heuristics for a baseline, which has none.
    """
    if name not in RESOLVERS:
        raise InvalidInput(f"there is no resolver {name!r}", remedy=f"Choose one of {', '.join(RESOLVERS)}.")
    if not isinstance(RESOLVERS[name], EvidenceResolver):
        if heuristics:
            raise InvalidInput(f"{name} has no heuristics", file=heuristics[0], remedy="Use --resolver evidence.")
        return RESOLVERS[name]
    if not heuristics and recall is None:
        return RESOLVERS[name]
    known = read_heuristics(*heuristics) if heuristics else default_heuristics()
    return EvidenceResolver(known, recall=recall or Recall())


__all__ = ["RESOLVERS", "PhoneResolver", "Resolver", "resolver_named"]
