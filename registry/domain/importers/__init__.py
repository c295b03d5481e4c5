"""The descriptions that bodies are read from, one module each: `IMPORTER` of every module here."""

from __future__ import annotations

from collections.abc import Mapping

from registry.domain.discovery import registered
from registry.domain.importing import Importer

IMPORTERS: Mapping[str, Importer] = {
    found.name: found for found in registered(__name__, "IMPORTER", Importer)
}
