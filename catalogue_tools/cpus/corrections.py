"""Corrections of processors by hand: they win over all sources."""

from __future__ import annotations

from collections.abc import Mapping

from catalogue_tools.facts import Row, cached, read_table
from catalogue_tools.hardware import Statement

TABLE = "corrections/cpus"


def corrected(tag: str) -> Mapping[str, Row]:
    """Return the corrections of a product, by fact. A value of null takes the fact back."""
    return _corrections().get(tag, {})


def statements(tag: str) -> list[Statement]:
    """Return the facts that the corrections of a product state."""
    rows = corrected(tag).items()
    return [Statement({fact: row["value"]}, [row["source"]]) for fact, row in rows if row["value"]]


@cached
def _corrections() -> Mapping[str, Mapping[str, Row]]:
    by_tag: dict[str, dict[str, Row]] = {}
    for row in read_table(TABLE).rows:
        by_tag.setdefault(row["tag"], {})[row["fact"]] = row
    return by_tag
