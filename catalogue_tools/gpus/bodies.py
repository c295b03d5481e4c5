"""Bodies of products that inherit from a family."""

from __future__ import annotations

from catalogue_tools.hardware import Statement, hardware
from registry.domain.document import Json

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30


def inheriting(parent: str, *statements: Statement) -> dict[str, Json]:
    """Return a body that inherits from a tag, and adds hardware facts."""
    return {"tag": f"{parent}@1", "hardware": hardware(*statements)}
