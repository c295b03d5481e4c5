"""Specifications of GPUs by tag: memory, units, clocks, caches, power, launch and peaks.

Several tables state them. The first to state a fact counts; another that states the same adds its
pages. A fact that is in doubt is left out, whichever table states it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from catalogue_tools.facts import Row, cached, read_table, rows_by, url_of
from catalogue_tools.hardware import GIB, TERA, Statement, measured
from catalogue_tools.tags import Disagreement
from registry.domain.document import Json

GPUS, WIKIPEDIA = "gpu-specs/gpus", "wikipedia/nvidia_gpus"
DISAGREEMENTS = "gpu-specs/disagreements"
FIELDS = (
    *("memory_type", "memory_bus_bits", "bandwidth_gb_per_s", "compute_units"),
    *("base_mhz", "boost_mhz", "l2_kib", "l3_kib", "tdp_w", "launched"),
)
# "A100 80GB PCIe". The 480 GB of a GH200 are the memory of its CPU.
SIZE = re.compile(r"^(?!GH200).*\b(\d+) ?GB\b")


def tags() -> Iterator[Disagreement]:
    """Yield the facts that sources state differently."""
    urls = _urls(DISAGREEMENTS)
    for row in read_table(DISAGREEMENTS).rows:
        values = {urls[source]: value for source, value in row["values"].items()}
        yield Disagreement(row["tag"], row["fact"], values, row.get("choice", ""))


def specifications(tag: str, *others: Statement) -> Iterator[Statement]:
    """Yield what the tables state about a GPU, then what `others` state, without doubtful facts."""
    statements = [*_statements(tag), *others, *_wikipedia(tag)]
    doubtful = set(_doubtful_facts().get(tag, ()))
    if any("memory_options_bytes" in statement.facts for statement in statements):
        doubtful.add("memory_bytes")  # one of the sizes
    stated: dict[str, Json] = {}
    for statement in statements:
        facts = {
            name: value
            for name, value in statement.facts.items()
            if name not in doubtful and stated.get(name, value) == value
        }
        stated |= facts
        if facts:
            yield Statement(facts, statement.urls)


def memory(row: Row) -> dict[str, Json]:
    """Return the memory with which a product of a table is sold, or the sizes of it."""
    if "options_gib" in row:
        return {"memory_options_bytes": [size * GIB for size in row["options_gib"]]}
    return {"memory_bytes": round(row["memory_gib"] * GIB)}


def card_memory(table: str, name: str) -> Iterator[Statement]:
    """Yield the memory of a product's cards, if a table lists them."""
    if row := rows_by(table, "name").get(name):
        yield Statement(memory(row), [url_of(table)])


def memory_in_name(name: str, urls: Collection[str]) -> Iterator[Statement]:
    """Yield the memory that the name of a product states, with the pages that have this name."""
    if urls and (size := SIZE.match(name)):
        yield Statement({"memory_bytes": int(size[1]) * GIB}, urls)


def _statements(tag: str) -> Iterator[Statement]:
    row, urls = rows_by(GPUS, "tag").get(tag, {}), _urls(GPUS)

    def pages(*fields: str) -> list[str]:
        keys = {key for field in fields for key in row["sources"][field]}
        return [url for key, url in urls.items() if key in keys]

    for field in ("memory_gib", "options_gib"):
        if field in row:
            yield Statement(memory(row), pages(field))
    for field in FIELDS:
        if field in row:
            yield Statement(measured(row, field), pages(field))
    if peaks := row.get("peak_tops"):
        facts: dict[str, Json] = {kind: round(tops * TERA) for kind, tops in peaks.items()}
        yield Statement({"peak_ops_per_s": facts}, pages(*peaks))


def _wikipedia(tag: str) -> Iterator[Statement]:
    if row := rows_by(WIKIPEDIA, "tag").get(tag):
        own = memory(row) if "memory_gib" in row else {}
        yield Statement(own | measured(row, *FIELDS), [url_of(WIKIPEDIA)])


def _urls(table: str) -> dict[str, str]:
    """Return the address of each source of a table, by its key."""
    sources = enumerate(read_table(table).header["sources"])
    return {source["key"]: url_of(table, number) for number, source in sources}


@cached
def _doubtful_facts() -> Mapping[str, Collection[str]]:
    """Return the facts of a tag that no table states well enough."""
    facts: dict[str, set[str]] = defaultdict(set)
    for row in read_table(DISAGREEMENTS).rows:
        if not row.get("taken"):
            facts[row["tag"]].add(row["fact"])
    return facts
