"""The formats that targets are written in, one module each: `FORMAT` of every module here."""

from __future__ import annotations

from collections.abc import Mapping

from registry.domain.discovery import registered
from registry.domain.exporting import Format

FORMATS: Mapping[str, Format] = {
    found.name: found for found in registered(__name__, "FORMAT", Format)
}
