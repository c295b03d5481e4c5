"""Lists what the catalogue lacks: facts that sources state differently, and whole products."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import read_table
from catalogue_tools.tags import Disagreement, Missing

DISAGREEMENTS = "corrections/disagreements"
MISSING = {  # by table: what is missing
    "missing_accelerators": "GPUs and neural processors",
    "missing_cloud_types": "Cloud instances",
    "missing_cpus": "Processors",
    "missing_devices": "Chips and devices",
    "missing_gpus": "GPUs and neural processors",
    "missing_microcontrollers": "Microcontrollers and their boards",
}


def tags() -> Iterator[Disagreement | Missing]:
    """Yield the facts, each with the values by page, then the products, each with the reason."""
    yield from disagreements()
    yield from missing()


def disagreements() -> Iterator[Disagreement]:
    for row in read_table(DISAGREEMENTS).rows:
        yield Disagreement(row["tag"], row["fact"], row["values"])


def missing() -> Iterator[Missing]:
    for table, group in MISSING.items():
        for row in read_table(f"corrections/{table}").rows:
            yield Missing(row["product"], row["reason"], group)
