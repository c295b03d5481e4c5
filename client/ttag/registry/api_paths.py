"""The paths of the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias
from urllib.parse import quote, urlencode

from ttag.export_options import ExportOptions
from ttag.references import Reference

API = "/api/v1"
SAFE = "/:@,"  # characters of references that paths hold as they are

Parameters: TypeAlias = "Mapping[str, str] | Sequence[tuple[str, str]]"


def api_path(path: str, parameters: Parameters | None = None) -> str:
    """Return a path below the API's, such as `/tags`, with a query."""
    query = f"?{urlencode(parameters)}" if parameters else ""
    return f"{API}{quote(path, safe=SAFE)}{query}"


def resolve_path(reference: Reference, form: str, options: ExportOptions) -> str:
    """Return the path of a reference, or of a node of it, in a format."""
    parameters = {"format": form, **options.parameters()}
    if reference.node:
        parameters["node"] = reference.node
    return api_path(f"/resolve/{reference.whole}", parameters)
