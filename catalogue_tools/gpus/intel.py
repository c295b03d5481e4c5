"""Intel GPUs for OpenCL: cards, and GPUs that are part of processors.

A card has the name of the product, `intel/arc-a770`; a GPU inside a processor that drivers call
only Intel Graphics, UHD Graphics or Iris Xe Graphics is named after the processors,
`intel/meteor-lake-gpu`. Names of both kinds inherit from the platform of Intel's driver.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from catalogue_tools.facts import Row, read_table
from catalogue_tools.gpus.bodies import GIB, inheriting
from catalogue_tools.hardware import Statement, pages, root_hardware
from catalogue_tools.names import slug
from catalogue_tools.tags import GeneratedTag
from registry.domain.document import Json

GPUS, PLATFORMS = "intel-compute-runtime/gpus", "intel-compute-runtime/platforms"
RUNTIME, CARDS = 0, 1  # sources of the table of GPUs
# TVM's own target for Intel GPUs names the device and the 16 threads of a subgroup.
TVM = "https://github.com/apache/tvm/blob/v0.14.0/python/tvm/target/target.py"
ALIASES = {
    "alder-lake-p-gpu": ("intel/iris-xe", "intel/raptor-lake-p-gpu"),
    "alder-lake-s-gpu": ("intel/raptor-lake-s-gpu",),
    "lunar-lake-gpu": ("intel/arc-140v", "intel/arc-130v"),
}


def tags() -> Iterator[GeneratedTag]:
    """Yield platforms, then the products that have a name of their own."""
    platforms = {row["tag"]: row for row in read_table(PLATFORMS).rows}
    yield from map(platform, platforms.values())
    for row in read_table(GPUS).rows:
        yield product(row, platforms)


def platform(row: Row) -> GeneratedTag:
    """Return the tag of a platform: a family of cards, or the GPU of some processors."""
    source = read_table(PLATFORMS).url()
    facts: dict[str, Json] = {"category": "gpu", "vendor": "Intel", "family": row["title"]}
    is_family = row.get("family", False)
    if not is_family:
        inside = row["tag"].endswith("-gpu")
        facts["model"] = f"{row['title']} GPU" if inside else row["title"]
    body: dict[str, Json] = {
        "kind": "opencl",
        "keys": ["intel_graphics", "opencl", "gpu"],
        "device": "intel_graphics",
        "max_threads_per_block": row["max_threads"],
        "max_num_threads": row["max_threads"],
        "thread_warp_size": 16,
        "hardware": root_hardware(Statement(facts, [source])),
    }
    message = (
        f"What all cards of {row['title']} share" if is_family else f"The GPU of {row['title']}"
    )
    return GeneratedTag(
        f"intel/{row['tag']}",
        "intel/gpus",
        body,
        message,
        (source, TVM),
        is_family=is_family,
        aliases=ALIASES.get(row["tag"], ()),
    )


def product(row: Row, platforms: Mapping[str, Row]) -> GeneratedTag:
    """Return the tag of a product."""
    table = read_table(GPUS)
    statements = [Statement({"model": row["name"]}, [table.url(RUNTIME)])]
    if "memory_gib" in row:
        memory = {"memory_bytes": row["memory_gib"] * GIB}
        statements.append(Statement(memory, [table.url(CARDS)]))
    text = slug(row["name"])
    alias = text.removeprefix("data-center-gpu-")
    return GeneratedTag(
        f"intel/{row.get('name_of_tag', text)}",
        "intel/gpus",
        inheriting(f"intel/{row['platform']}", *statements),
        f"{row['name']}: {platforms[row['platform']]['title']}",
        pages(*statements),
        aliases=(f"intel/{alias}",) if alias != text else (),
    )
