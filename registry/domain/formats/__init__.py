"""The export formats, one module each, which defines `FORMAT`."""

from __future__ import annotations

from collections.abc import Mapping

from registry.domain.discovery import registered
from registry.domain.exporting import Format

FORMATS: Mapping[str, Format] = {
    format_.name: format_ for format_ in registered(__name__, "FORMAT", Format)
}
