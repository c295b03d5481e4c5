"""Intel GPUs for OpenCL: cards, and GPUs that are part of processors.

A card has the name of the product, `intel/arc-a770`; a GPU inside a processor that drivers call
only Intel Graphics, UHD Graphics or Iris Xe Graphics is named after the processors,
`intel/meteor-lake-gpu`. Names of both kinds inherit from the platform of Intel's driver.
"""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, read_table, rows_by, url_of
from catalogue_tools.gpus.specifications import specifications
from catalogue_tools.hardware import Statement
from catalogue_tools.names import slug
from catalogue_tools.tags import GeneratedTag, described_tag
from registry.domain.document import Json

GPUS, PLATFORMS = "intel-compute-runtime/gpus", "intel-compute-runtime/platforms"
# TVM's own target for Intel GPUs names the device and the 16 threads of a subgroup.
TVM = "https://github.com/apache/tvm/blob/v0.14.0/python/tvm/target/target.py"
ALIASES = {
    "alder-lake-p-gpu": ("intel/iris-xe", "intel/raptor-lake-p-gpu"),
    "alder-lake-s-gpu": ("intel/raptor-lake-s-gpu",),
    "lunar-lake-gpu": ("intel/arc-140v", "intel/arc-130v"),
}


def tags() -> Iterator[GeneratedTag]:
    """Yield platforms, then the products that have a name of their own."""
    yield from map(_platform, read_table(PLATFORMS).rows)
    yield from map(_product, read_table(GPUS).rows)


def _platform(row: Row) -> GeneratedTag:
    """Return the tag of a platform: a family of cards, or the GPU of some processors."""
    title, is_family = row["title"], row.get("family", False)
    facts: dict[str, Json] = {"category": "gpu", "vendor": "Intel", "family": title}
    if not is_family:
        facts["model"] = f"{title} GPU" if row["tag"].endswith("-gpu") else title
    body: dict[str, Json] = {
        "kind": "opencl",
        "keys": ["intel_graphics", "opencl", "gpu"],
        "device": "intel_graphics",
        "max_threads_per_block": row["max_threads"],
        "max_num_threads": row["max_threads"],
        "thread_warp_size": 16,
    }
    return described_tag(
        f"intel/{row['tag']}",
        "intel/gpus",
        body,
        f"What all cards of {title} share" if is_family else f"The GPU of {title}",
        Statement(facts, [url_of(PLATFORMS)]),
        sources=(url_of(PLATFORMS), TVM),
        is_family=is_family,
        aliases=ALIASES.get(row["tag"], ()),
    )


def _product(row: Row) -> GeneratedTag:
    text = slug(row["name"])
    tag, alias = f"intel/{row.get('name_of_tag', text)}", text.removeprefix("data-center-gpu-")
    return described_tag(
        tag,
        "intel/gpus",
        {"tag": f"intel/{row['platform']}@1"},
        f"{row['name']}: {rows_by(PLATFORMS, 'tag')[row['platform']]['title']}",
        Statement({"model": row["name"]}, [url_of(GPUS)]),
        *specifications(tag),
        aliases=(f"intel/{alias}",) if alias != text else (),
    )
