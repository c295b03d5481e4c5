"""The export formats, one module each, which defines `FORMAT`."""

from __future__ import annotations

from collections.abc import Mapping

from registry.domain.exporting import Format
from registry.domain.plugins import find_registered

FORMATS: Mapping[str, Format] = {
    format_.name: format_ for format_ in find_registered(__name__, "FORMAT", Format)
}
