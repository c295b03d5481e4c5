"""Bodies of products that inherit from a family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from registry.domain.document import Json

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30


def inheriting(parent: str, facts: Mapping[str, Json], sources: Sequence[str]) -> dict[str, Json]:
    """Return a body that inherits from a tag, and adds hardware facts and their sources."""
    hardware: dict[str, Json] = {**facts, "sources": {"$append": [*sources]}}
    return {"tag": f"{parent}@1", "hardware": hardware}
