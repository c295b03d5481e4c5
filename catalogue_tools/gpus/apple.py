"""GPUs of Apple's chips: the variant `:metal` of each, with the chip's CPU as its host.

TVM has tags of its own for two of them, `apple/m1-gpu` and `apple/m2-gpu`; `apple/m1:metal` and
`apple/m2:metal` are their aliases, which are in the hand-written file.
"""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, read_table, rows_by, url_of
from catalogue_tools.hardware import Statement, pages
from catalogue_tools.tags import GeneratedTag, described_tag
from registry.domain.document import Json

CHIPS, GENERATIONS = "arm-socs-table/apple_chips", "metal-benchmarks/apple_gpus"
TVM_CHIPS = ("m1", "m2")
LIMITS = "https://developer.apple.com/metal/Metal-Feature-Set-Tables.pdf"  # from the A11 on
WARP = "https://github.com/apache/tvm/blob/v0.27.0/python/tvm/backend/metal/target_tags.py"


def tags() -> Iterator[GeneratedTag]:
    """Yield the GPU of each chip that TVM has no tag for."""
    return (_gpu(row) for row in read_table(CHIPS).rows if row["name"] not in TVM_CHIPS)


def _gpu(row: Row) -> GeneratedTag:
    facts = {"category": "gpu", "vendor": "Apple", "model": f"Apple {row['chip']} GPU"}
    statements = [Statement(facts, [url_of(CHIPS)])]
    if generation := rows_by(GENERATIONS, "chip").get(row["name"]):
        family = {"family": f"Apple GPU family {generation['metal_family']}"}
        statements.append(Statement(family, [url_of(GENERATIONS)]))
    body: dict[str, Json] = {
        "kind": "metal",
        "max_threads_per_block": 1024,
        "max_shared_memory_per_block": 32768,
        "thread_warp_size": 32,
        "host": {"tag": f"apple/{row['name']}@1"},
    }
    message = f"The GPU of Apple {row['chip']}, with its CPU as the host"
    sources = (LIMITS, WARP, *pages(*statements))
    name = f"apple/{row['name']}:metal"
    return described_tag(name, "apple/gpus", body, message, *statements, sources=sources)
