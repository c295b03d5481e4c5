"""Facts that sources state differently, for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def disagreement_row(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return a disagreement with its statements: URL, repository and value of each source."""
    statements = [
        (url, "/".join(url.split("/")[3:5]), value) for url, value in item["values"].items()
    ]
    return {**item, "statements": statements}
