"""Describes the machine that it runs on as a body: what tools print, and what follows from it."""

from ttag.probe.describing import describe
from ttag_rules.probe.body import Description

__all__ = ["Description", "describe"]
