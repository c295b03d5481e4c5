"""Multiprocessors, bandwidth and peak throughput of GPUs, by product."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import read_table
from catalogue_tools.hardware import Statement
from registry.domain.document import Json

TABLE = "iree/gpus"
TERA = 10**12


def peak_statements(name: str) -> Iterator[Statement]:
    """Yield what the table states about a product; nothing if it lacks the product."""
    table = read_table(TABLE)
    for row in table.rows:
        if row["name"] != name:
            continue
        facts: dict[str, Json] = {}
        if "compute_units" in row:
            facts["compute_units"] = row["compute_units"]
        if "bandwidth_tb_per_s" in row:
            facts["memory_bandwidth_bytes_per_s"] = round(row["bandwidth_tb_per_s"] * TERA)
        if "peak_tops" in row:
            peaks = row["peak_tops"].items()
            facts["peak_ops_per_s"] = {kind: round(tops * TERA) for kind, tops in peaks}
        yield Statement(facts, [table.url()])
