"""The importers, one module each, which defines `IMPORTER`."""

from __future__ import annotations

from collections.abc import Mapping

from registry.domain.discovery import registered
from registry.domain.importing import Importer

IMPORTERS: Mapping[str, Importer] = {
    importer.name: importer for importer in registered(__name__, "IMPORTER", Importer)
}
