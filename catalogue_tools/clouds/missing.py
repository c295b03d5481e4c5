"""Lists the machine types that people look for and that no source describes well enough."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import read_table
from catalogue_tools.tags import Missing


def tags() -> Iterator[Missing]:
    """Yield the machine types, each with what is missing."""
    for row in read_table("corrections/missing_cloud_types").rows:
        yield Missing(row["product"], row["reason"])
