"""Reads tables of facts: one file per table, one row per line, in a folder per source."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FACTS = Path(__file__).resolve().parents[1] / "catalogue" / "facts"

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a table, and the recorded files that they come from."""

    name: str
    header: Row
    rows: tuple[Row, ...]

    def url(self, source: int = 0, path: str = "") -> str:
        """Return the address of a source at its commit; `path` replaces that of the header."""
        origin = self.header["sources"][source]
        return (
            f"https://github.com/{origin['repo']}/blob/{origin['commit']}/{path or origin['path']}"
        )


@cache
def read_table(name: str) -> Table:
    """Return the table with a name such as `karpenter/ec2_types`."""
    content = json.loads((FACTS / f"{name}.json").read_text(encoding="utf-8"))
    return Table(name, content["header"], tuple(content["rows"]))


def table_text(header: Row, rows: list[Row]) -> str:
    """Return the text of a table's file: an indented header, then one row per line."""
    head = json.dumps(header, ensure_ascii=False, indent=1)
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f'{{"header": {head},\n"rows": [\n{lines}\n]}}\n'
