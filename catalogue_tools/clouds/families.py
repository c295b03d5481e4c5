"""Facts about families of machine types, as machines report them and as people settle them."""

from __future__ import annotations

from catalogue_tools.facts import Row, read_table

MEASURED = "spare-cores/instance_families"


def measured(cloud: str) -> dict[str, Row]:
    """Return what machines of a cloud report, by family."""
    return {row["family"]: row for row in read_table(MEASURED).rows if row["cloud"] == cloud}


def measured_url(cloud: str) -> str:
    """Return the address of what machines of a cloud report."""
    return read_table(MEASURED).url(path=f"data/{cloud}")


def settled() -> dict[str, Row]:
    """Return the rows of families whose processor no single source settles, by tag."""
    return {row["family"]: row for row in read_table("corrections/clouds").rows}
