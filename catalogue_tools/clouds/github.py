"""Generates the runners that GitHub hosts: virtual machines in Azure, of any processor it has."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.clouds.azure import SERIES
from catalogue_tools.clouds.machines import CATEGORY
from catalogue_tools.clouds.processors import common
from catalogue_tools.facts import Row, read_table, url_of
from catalogue_tools.hardware import Statement
from catalogue_tools.llvm_targets import LINUX, llvm_target
from catalogue_tools.tags import GeneratedTag, described_tag
from registry.domain.document import Json

TABLE = "github-docs/runners"
TRIPLES = {"linux": LINUX, "windows": {"x86": "x86_64-pc-windows-msvc"}}


def tags() -> Iterator[GeneratedTag]:
    """Yield the runners by label. Their cores and memory depend on who runs a job."""
    for row in read_table(TABLE).rows:
        mcpu = oldest_of_azure(row["arch"])
        facts: dict[str, Json] = {
            "category": CATEGORY,
            "vendor": "GitHub",
            "model": row["label"],
            "family": "GitHub-hosted runner",
        }
        yield described_tag(
            f"github/{row['label']}",
            "github/runners",
            llvm_target(TRIPLES[row["os"]][row["arch"]], mcpu),
            f"A virtual machine in Azure with at least {mcpu}, which all series of it have that "
            "Microsoft documents",
            Statement(facts, [row["source"], *_pages(row["arch"])]),
        )


# Decision 140: a runner is compiled for what every machine of its host's cloud can run.
def oldest_of_azure(arch: str) -> str:
    """Return what every processor of an architecture in Azure can run, by LLVM's name."""
    return common({row["mcpu"] for row in _series(arch)})


def _series(arch: str) -> list[Row]:
    return [row for row in read_table(SERIES).rows if _arch(row) == arch]


def _arch(row: Row) -> str:
    return "aarch64" if row["mcpu"].startswith("neoverse-") else "x86"


def _pages(arch: str) -> list[str]:
    """Return the pages of the series with the oldest processors."""
    oldest = {"x86": ("haswell", "znver1"), "aarch64": ("neoverse-n1",)}[arch]
    sources = {row["source"] for row in _series(arch) if row["mcpu"] in oldest}
    return [url_of(SERIES, source) for source in sorted(sources)][:2]
