"""Generates the Graviton processors, which families of EC2 inherit from."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.clouds.families import measured_url
from catalogue_tools.clouds.processors import linux_target
from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.hardware import Statement, root_hardware
from catalogue_tools.tags import Disagreement, GeneratedTag, Missing

FILE = "aws/graviton"


def tags() -> Iterator[GeneratedTag | Disagreement | Missing]:
    """Yield the Graviton processors, and on which the sources disagree."""
    table = read_table("aws-guides/graviton")
    for row in table.rows:
        yield _tag(row, table)
        if row.get("guide_mcpu", row["mcpu"]) != row["mcpu"]:
            yield Disagreement(
                f"aws/{row['processor']}",
                "mcpu",
                {_url(row, table): row["guide_mcpu"], measured_url("aws"): row["mcpu"]},
                f"{row['mcpu']}, LLVM's name of the core that the machines report. The guide names "
                "what older compilers know, too.",
            )


def processors() -> dict[str, Row]:
    """Return the Graviton processors by family of EC2."""
    rows = read_table("aws-guides/graviton").rows
    return {family: row for row in rows for family in row["families"]}


def _tag(row: Row, table: Table) -> GeneratedTag:
    url = _url(row, table)
    facts = {
        "category": "server-cpu",
        "vendor": "AWS",
        "family": f"AWS {row['name']} ({row['core']})",
    }
    return GeneratedTag(
        f"aws/{row['processor']}",
        FILE,
        linux_target(row["mcpu"]) | {"hardware": root_hardware(Statement(facts, [url]))},
        f"What all instances with {row['name']} share: {row['core']} cores",
        (url,),
        is_family=True,
    )


def _url(row: Row, table: Table) -> str:
    return table.url(row["source"])
