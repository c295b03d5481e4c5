"""AMD GPUs: an architecture for each gfx number, and the products that inherit from it.

Names are AMD's names of products in lowercase, such as `amd/instinct-mi300x` and
`amd/radeon-rx-7900-xtx`; `amd/mi300x`, `amd/rx-7900-xtx` and `amd/780m` are aliases.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalogue_tools.facts import Row, read_table, rows_by, url_of
from catalogue_tools.gpus.specifications import card_memory, memory_in_name, specifications
from catalogue_tools.hardware import KIB, Statement, measured
from catalogue_tools.names import slug
from catalogue_tools.tags import GeneratedTag, described_tag
from registry.domain.document import Json

ARCHITECTURES = "rocm-docs/amd_architectures"
SPECIFICATIONS, DEVICES, OLDER = "rocm-docs/amd_gpus", "amd-device-info/gpus", "pci-ids/amd_gpus"
MEMORY = "opendb/amd_memory"
SHORT = re.compile(r"^(?:radeon-)?instinct-|^radeon-(?=rx-|\d)")  # words that people leave out
MORE_ALIASES = {
    "Radeon 8060S": ("amd/strix-halo-gpu",),
    "Radeon AI PRO R9700": ("amd/radeon-r9700",),  # drivers' name
    "Radeon RX Vega": ("amd/radeon-rx-vega-56", "amd/radeon-rx-vega-64"),
}


def tags() -> Iterator[GeneratedTag]:
    """Yield a family for each gfx number, and its products."""
    yield from map(_family, read_table(ARCHITECTURES).rows)
    for table in (SPECIFICATIONS, DEVICES, OLDER):
        for row in read_table(table).rows:
            yield _product(row, url_of(table))


def _family(row: Row) -> GeneratedTag:
    facts = {"category": "gpu", "vendor": "AMD", "family": row["architecture"]}
    body: dict[str, Json] = {
        "kind": "rocm",
        "keys": ["rocm", "gpu"],
        "mcpu": row["gfx"],
        "max_threads_per_block": 1024,
        "max_num_threads": 1024,
        "thread_warp_size": row["wavefront"],
        "max_shared_memory_per_block": row["lds_kib"] * KIB,
    }
    message = f"What all GPUs share that LLVM calls {row['gfx']}: {row['architecture']}"
    stated = Statement(facts, [url_of(ARCHITECTURES, row["source"])])
    return described_tag(f"amd/{row['gfx']}", _file(row), body, message, stated, is_family=True)


def _product(row: Row, source: str) -> GeneratedTag:
    name = row["name"]
    tag, architecture = f"amd/{slug(name)}", rows_by(ARCHITECTURES, "gfx")[row["gfx"]]
    documented = measured(row, "compute_units", "memory_gib", "l2_mib", "l3_mib")
    memory = (*card_memory(MEMORY, name), *memory_in_name(name, [source]))
    return described_tag(
        tag,
        _file(architecture),
        {"tag": f"amd/{row['gfx']}@1"},
        f"{name}: {architecture['architecture']}, {row['gfx']}",
        Statement({"model": name}, [source]),
        *specifications(tag, Statement(documented, [source]), *memory),
        aliases=_aliases(name),
    )


def _aliases(name: str) -> tuple[str, ...]:
    text = slug(name)
    short = SHORT.sub("", text)
    return (*([f"amd/{short}"] if short != text else []), *MORE_ALIASES.get(name, ()))


def _file(architecture: Row) -> str:
    return f"amd/{slug(architecture['architecture'])}"
