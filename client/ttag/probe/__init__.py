"""Describes the machine that it runs on as a body: what tools print, and what follows from it."""

from ttag.probe.body import Description
from ttag.probe.describing import describe

__all__ = ["Description", "describe"]
