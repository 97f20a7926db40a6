"""Installed apps."""

from __future__ import annotations

from starebrain.device import DeviceContext
from starebrain.intent import ParameterKind
from starebrain.kinds.base import Candidate, Kind
from starebrain.resolution import AppValue, ContextSource


def candidates(device: DeviceContext) -> tuple[Candidate, ...]:
    """Every installed app, labelled by the name under its icon, or its package where it has none."""
    return tuple(
        Candidate(app.label or app.package, AppValue(app.package), ContextSource.RECENT_APPS)
        for app in device.installed_apps
    )


APP = Kind(ParameterKind.APP, candidates)
