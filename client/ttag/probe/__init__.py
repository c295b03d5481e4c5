"""Describes the machine that it runs on as a body: what tools print, and what follows from it."""

from __future__ import annotations

from ttag.errors import SettingsError
from ttag_rules.probe import body
from ttag_rules.probe.body import Description
from ttag_rules.probe.outputs import Outputs

__all__ = ["Description", "describe"]


def describe(outputs: Outputs) -> Description:
    """Return the description of a machine. Raises `SettingsError` if nothing tells what it is."""
    if description := body.describe(outputs):
        return description
    raise SettingsError(
        "Nothing tells what this machine is: ttag probe reads Linux and macOS. "
        "Record it elsewhere with --record, and describe it here with --from."
    )
