"""AMD GPUs: an architecture for each gfx number, and the products that inherit from it.

Names are AMD's names of products in lowercase, such as `amd/instinct-mi300x` and
`amd/radeon-rx-7900-xtx`; `amd/mi300x`, `amd/rx-7900-xtx` and `amd/780m` are aliases.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalogue_tools.facts import Row, read_table
from catalogue_tools.gpus.bodies import GIB, KIB, MIB, inheriting
from catalogue_tools.gpus.peaks import peak_statements
from catalogue_tools.hardware import Statement, pages, root_hardware
from catalogue_tools.names import slug
from catalogue_tools.tags import Disagreement, GeneratedTag
from registry.domain.document import Json

SPECIFICATIONS, DEVICES, MEMORY = "rocm-docs/amd_gpus", "amd-device-info/gpus", "opendb/amd_memory"
SHORT = re.compile(r"^(?:radeon-)?instinct-|^radeon-(?=rx-|\d)")  # words that people leave out
MORE_ALIASES = {
    "Radeon 8060S": ("amd/strix-halo-gpu",),
    "Radeon RX Vega": ("amd/radeon-rx-vega-56", "amd/radeon-rx-vega-64"),
}


def tags() -> Iterator[GeneratedTag | Disagreement]:
    """Yield a family for each gfx number, and its products."""
    architectures = {row["gfx"]: row for row in read_table("rocm-docs/amd_architectures").rows}
    for row in architectures.values():
        yield family(row)
    for table in (SPECIFICATIONS, DEVICES):
        for row in read_table(table).rows:
            yield product(row, table, architectures[row["gfx"]])
    yield _doubtful_memory()


def family(row: Row) -> GeneratedTag:
    """Return the tag of an architecture."""
    source = read_table("rocm-docs/amd_architectures").url(row["source"])
    body: dict[str, Json] = {
        "kind": "rocm",
        "keys": ["rocm", "gpu"],
        "mcpu": row["gfx"],
        "max_threads_per_block": 1024,
        "max_num_threads": 1024,
        "thread_warp_size": row["wavefront"],
        "max_shared_memory_per_block": row["lds_kib"] * KIB,
        "hardware": root_hardware(
            Statement({"category": "gpu", "vendor": "AMD", "family": row["architecture"]}, [source])
        ),
    }
    message = f"What all GPUs share that LLVM calls {row['gfx']}: {row['architecture']}"
    return GeneratedTag(
        f"amd/{row['gfx']}", _file(row), body, message, sources=(source,), is_family=True
    )


def product(row: Row, table: str, architecture: Row) -> GeneratedTag:
    """Return the tag of a product."""
    name, source = row["name"], read_table(table).url()
    facts: dict[str, Json] = {"model": name}
    if "compute_units" in row:
        facts["compute_units"] = row["compute_units"]
    for level in ("l2", "l3"):
        if f"{level}_mib" in row:
            facts[f"{level}_cache_bytes"] = row[f"{level}_mib"] * MIB
    statements = [Statement(facts, [source])]
    if "memory_gib" in row:
        statements.append(Statement({"memory_bytes": row["memory_gib"] * GIB}, [source]))
    elif card := _card(name):
        url = read_table(MEMORY).url()
        statements.append(Statement({"memory_bytes": card["memory_gib"] * GIB}, [url]))
    statements += peak_statements(name)
    return GeneratedTag(
        f"amd/{slug(name)}",
        _file(architecture),
        inheriting(f"amd/{row['gfx']}", *statements),
        f"{name}: {architecture['architecture']}, {row['gfx']}",
        pages(*statements),
        aliases=_aliases(name),
    )


def _aliases(name: str) -> tuple[str, ...]:
    text = slug(name)
    short = SHORT.sub("", text)
    return (*([f"amd/{short}"] if short != text else []), *MORE_ALIASES.get(name, ()))


def _card(name: str) -> Row | None:
    return next((row for row in read_table(MEMORY).rows if row["name"] == name), None)


def _file(architecture: Row) -> str:
    return f"amd/{slug(architecture['architecture'])}"


def _doubtful_memory() -> Disagreement:
    return Disagreement(
        "amd/radeon-rx-9070-gre",
        "memory_bytes",
        {
            read_table(SPECIFICATIONS).url(): 16 * GIB,
            read_table(MEMORY).url(): 12 * GIB,
        },
        "12 GiB, as all cards on sale have",
    )
