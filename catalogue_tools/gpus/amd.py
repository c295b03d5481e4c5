"""AMD GPUs: an architecture for each gfx number, and the products that inherit from it.

Names are AMD's names of products in lowercase, such as `amd/instinct-mi300x` and
`amd/radeon-rx-7900-xtx`; `amd/mi300x`, `amd/rx-7900-xtx` and `amd/780m` are aliases.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalogue_tools.facts import Row, read_table, rows_by, url_of
from catalogue_tools.gpus.peaks import peak_statements
from catalogue_tools.hardware import GIB, KIB, Statement, measured
from catalogue_tools.names import slug
from catalogue_tools.tags import Disagreement, GeneratedTag, described_tag
from registry.domain.document import Json

ARCHITECTURES = "rocm-docs/amd_architectures"
SPECIFICATIONS, DEVICES, MEMORY = "rocm-docs/amd_gpus", "amd-device-info/gpus", "opendb/amd_memory"
SHORT = re.compile(r"^(?:radeon-)?instinct-|^radeon-(?=rx-|\d)")  # words that people leave out
MORE_ALIASES = {
    "Radeon 8060S": ("amd/strix-halo-gpu",),
    "Radeon RX Vega": ("amd/radeon-rx-vega-56", "amd/radeon-rx-vega-64"),
}


def tags() -> Iterator[GeneratedTag | Disagreement]:
    """Yield a family for each gfx number, and its products."""
    yield from map(_family, read_table(ARCHITECTURES).rows)
    for table in (SPECIFICATIONS, DEVICES):
        for row in read_table(table).rows:
            yield _product(row, url_of(table))
    values = {url_of(SPECIFICATIONS): 16 * GIB, url_of(MEMORY): 12 * GIB}
    choice = "12 GiB, as all cards on sale have"
    yield Disagreement("amd/radeon-rx-9070-gre", "memory_bytes", values, choice)


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
    name, cards = row["name"], rows_by(MEMORY, "name")
    architecture = rows_by(ARCHITECTURES, "gfx")[row["gfx"]]
    card, url = (row, source) if "memory_gib" in row else (cards.get(name), url_of(MEMORY))
    facts = {"model": name, **measured(row, "compute_units", "l2_mib", "l3_mib")}
    return described_tag(
        f"amd/{slug(name)}",
        _file(architecture),
        {"tag": f"amd/{row['gfx']}@1"},
        f"{name}: {architecture['architecture']}, {row['gfx']}",
        Statement(facts, [source]),
        Statement({"memory_bytes": card["memory_gib"] * GIB} if card else {}, [url]),
        *peak_statements(name),
        aliases=_aliases(name),
    )


def _aliases(name: str) -> tuple[str, ...]:
    text = slug(name)
    short = SHORT.sub("", text)
    return (*([f"amd/{short}"] if short != text else []), *MORE_ALIASES.get(name, ()))


def _file(architecture: Row) -> str:
    return f"amd/{slug(architecture['architecture'])}"
