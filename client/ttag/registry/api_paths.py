"""The paths of the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias
from urllib.parse import quote, urlencode

from ttag.export_options import ExportOptions

API = "/api/v1"
SAFE = "/:@,"  # characters of references that paths hold as they are

Parameters: TypeAlias = "Mapping[str, str] | Sequence[tuple[str, str]]"


def api_path(path: str, parameters: Parameters | None = None) -> str:
    """Return a path below the API's, such as `/tags`, with a query."""
    query = f"?{urlencode(parameters)}" if parameters else ""
    return f"{API}{quote(path, safe=SAFE)}{query}"


def resolve_path(reference: str, form: str, options: ExportOptions) -> str:
    """Return the path of a reference in a format."""
    return api_path(f"/resolve/{reference}", {"format": form, **options.parameters()})
