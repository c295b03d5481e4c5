"""Lists the facts that sources state differently, and that tags therefore leave out."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import read_table
from catalogue_tools.tags import Disagreement

TABLE = "corrections/disagreements"


def tags() -> Iterator[Disagreement]:
    """Yield the facts, each with the values by page."""
    for row in read_table(TABLE).rows:
        yield Disagreement(row["tag"], row["fact"], row["values"])
