"""GPUs of Apple's chips: the variant `:metal` of each, with the chip's CPU as its host.

TVM has tags of its own for two of them, `apple/m1-gpu` and `apple/m2-gpu`; `apple/m1:metal` and
`apple/m2:metal` are their aliases, which are in the hand-written file.
"""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, read_table, rows_by, url_of
from catalogue_tools.gpus.limits import limits
from catalogue_tools.hardware import GIGA, Statement, measured, pages
from catalogue_tools.tags import GeneratedTag, described_tag
from registry.domain.document import Json

CHIPS, GENERATIONS = "arm-socs-table/apple_chips", "metal-benchmarks/apple_gpus"
BANDWIDTH, ANNOUNCED = "asitop/apple_bandwidth", "apple-announcements/gpus"
DATES = 1  # source of the table of chips that dates them
TVM_CHIPS = ("m1", "m2")
LIMITS = "https://developer.apple.com/metal/Metal-Feature-Set-Tables.pdf"  # from the A11 on
WARP = "https://github.com/apache/tvm/blob/v0.27.0/python/tvm/backend/metal/target_tags.py"


def tags() -> Iterator[GeneratedTag]:
    """Yield the GPU of each chip; those of TVM's tags with the host that TVM states."""
    return map(_gpu, read_table(CHIPS).rows)


def _gpu(row: Row) -> GeneratedTag:
    name, chip = row["name"], f"apple/{row['name']}"
    facts = {"category": "gpu", "vendor": "Apple", "model": f"Apple {row['chip']} GPU"}
    statements = [Statement(facts, [url_of(CHIPS)]), *_measurements(name), *_announcements(row)]
    known = limits("metal", "Apple")
    host: dict[str, Json] = {"tag": f"{chip}@1"}
    if name in TVM_CHIPS:
        host = {"kind": "llvm", "mtriple": "arm64-apple-macos", "mcpu": f"apple-{name}"}
    body: dict[str, Json] = {"kind": "metal", **known.options, "host": host}
    message = f"The GPU of Apple {row['chip']}, with its CPU as the host"
    sources = (LIMITS, WARP, *known.urls, *pages(*statements))
    tag = f"{chip}-gpu" if name in TVM_CHIPS else f"{chip}:metal"
    return described_tag(tag, "apple/gpus", body, message, *statements, sources=sources)


def _measurements(chip: str) -> Iterator[Statement]:
    if row := rows_by(GENERATIONS, "chip").get(chip):
        facts = measured(row, "boost_mhz") | {"family": f"Apple GPU family {row['metal_family']}"}
        if "cores" in row:
            peaks = {kind: row[f"{kind}_gflops"] * GIGA for kind in ("fp32", "fp16")}
            facts |= {"compute_units": row["cores"], "peak_ops_per_s": peaks}
        yield Statement(facts, [url_of(GENERATIONS)])
    if row := rows_by(BANDWIDTH, "chip").get(chip):
        yield Statement(measured(row, "bandwidth_gb_per_s"), [url_of(BANDWIDTH)])


def _announcements(chip: Row) -> Iterator[Statement]:
    if "announced" in chip:
        yield Statement(measured(chip, "announced"), [url_of(CHIPS, DATES)])
    if row := rows_by(ANNOUNCED, "chip").get(chip["name"]):
        yield Statement(measured(row, "launched", "bandwidth_gb_per_s"), row["pages"])
