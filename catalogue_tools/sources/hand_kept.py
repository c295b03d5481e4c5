"""Lists the sources and tables that no reader renews, with the reasons."""

from __future__ import annotations

READ_BY_HAND = "its facts were read page by page, with judgement, and have no common form"
JOINED = "it joins facts of several sources by judgement"

# Source, or table of a source that has readers for others: why it is kept by hand.
HAND_KEPT: dict[str, str] = {
    "arm-socs-table/apple_chips": JOINED,
    "arm-socs-table/server_cpus": JOINED,
    "aws-guides": READ_BY_HAND,
    "azure-docs": READ_BY_HAND,
    "corrections": "they are this project's own judgements, each with its source",
    "intel-compute-runtime/platforms": "the source names platforms, not the chips that they are in",
    "intel-processors": "the list is GPL-3.0, and facts of single products only were taken from it",
    "iree": "some of its figures are rounded or repeat another product's, so each was judged",
    "linux-device-trees": "device trees must be compiled, and the boards were chosen by hand",
    "llvm": "which cores have a tag, and their triples, is a judgement about each",
    "metal-benchmarks": READ_BY_HAND,
    "rocm-docs/amd_architectures": JOINED,
    "spare-cores/instance_families": "machines hide their processor, and few stand for a family",
    "tvm": "they mirror one release of TVM; a newer release is added beside it",
    "zephyr": READ_BY_HAND,
}


def hand_kept_tables(source: str) -> dict[str, str]:
    """Return the tables of a source that no reader renews, with the reasons."""
    tables = HAND_KEPT.items()
    return {table: reason for table, reason in tables if table.startswith(f"{source}/")}
