"""Generates the Graviton processors, which families of EC2 inherit from."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.clouds.guests import measured_url
from catalogue_tools.clouds.processors import linux_target
from catalogue_tools.facts import Row, read_table, rows_by, url_of
from catalogue_tools.hardware import Statement
from catalogue_tools.tags import Disagreement, GeneratedTag, described_tag

TABLE = "aws-guides/graviton"


def tags() -> Iterator[GeneratedTag | Disagreement]:
    """Yield the Graviton processors, and on which the sources disagree."""
    for row in read_table(TABLE).rows:
        yield _tag(row)
        if row.get("guide_mcpu", row["mcpu"]) != row["mcpu"]:
            yield Disagreement(
                f"aws/{row['processor']}",
                "mcpu",
                {_url(row): row["guide_mcpu"], measured_url("aws"): row["mcpu"]},
                f"{row['mcpu']}, LLVM's name of the core that the machines report. The guide names "
                "what older compilers know, too.",
            )


def processors() -> dict[str, Row]:
    """Return the Graviton processors by LLVM's name of their core, which no other of EC2 has."""
    return dict(rows_by(TABLE, "mcpu"))


def _tag(row: Row) -> GeneratedTag:
    family = f"AWS {row['name']} ({row['core']})"
    return described_tag(
        f"aws/{row['processor']}",
        "aws/graviton",
        linux_target(row["mcpu"]),
        f"What all instances with {row['name']} share: {row['core']} cores",
        Statement({"category": "server-cpu", "vendor": "AWS", "family": family}, [_url(row)]),
        is_family=True,
    )


def _url(row: Row) -> str:
    return url_of(TABLE, row["source"])
