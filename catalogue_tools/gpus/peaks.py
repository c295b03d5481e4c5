"""Multiprocessors, bandwidth and peak throughput of GPUs, by product."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import rows_by, url_of
from catalogue_tools.hardware import TERA, Statement, measured

TABLE = "iree/gpus"


def peak_statements(name: str) -> Iterator[Statement]:
    """Yield what the table states about a product; nothing if it lacks the product."""
    if row := rows_by(TABLE, "name").get(name):
        facts = measured(row, "compute_units", "bandwidth_tb_per_s")
        if "peak_tops" in row:
            peaks = row["peak_tops"].items()
            facts["peak_ops_per_s"] = {kind: round(tops * TERA) for kind, tops in peaks}
        yield Statement(facts, [url_of(TABLE)])
