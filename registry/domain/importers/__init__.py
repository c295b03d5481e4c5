"""The importers, one module each, which defines `IMPORTER`."""

from __future__ import annotations

from collections.abc import Mapping

from registry.domain.importing import Importer
from registry.domain.plugins import find_registered

IMPORTERS: Mapping[str, Importer] = {
    importer.name: importer for importer in find_registered(__name__, "IMPORTER", Importer)
}
