"""Architectures and levels, for programs that are to run on many processors."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.hardware import Statement, root_hardware
from catalogue_tools.llvm_targets import llvm_target
from catalogue_tools.tags import GeneratedTag

FILE = "generic/architectures"
NAMESPACE = "generic"


def tags() -> Iterator[GeneratedTag]:
    """Yield a tag for each architecture, and WebGPU with WebAssembly as its host."""
    table = read_table("llvm/generic")
    for row in table.rows:
        yield _architecture(row, table)
    wasm = next(row for row in table.rows if row["name"] == "wasm32")
    yield _webgpu(table.url(wasm["source"]))


def _architecture(row: Row, table: Table) -> GeneratedTag:
    source = table.url(row["source"])
    body = llvm_target(row["triple"], row["mcpu"], row.get("mattr", ()), row.get("mabi", ""))
    body["hardware"] = root_hardware(Statement({"family": row["title"]}, [source]))
    return GeneratedTag(f"{NAMESPACE}/{row['name']}", FILE, body, row["title"], (source,))


def _webgpu(source: str) -> GeneratedTag:
    return GeneratedTag(
        f"{NAMESPACE}/webgpu",
        FILE,
        {
            "kind": "webgpu",
            "host": f"{NAMESPACE}/wasm32@1",
            "hardware": root_hardware(Statement({"family": "GPUs in browsers"}, [source])),
        },
        "WebGPU in browsers, called from WebAssembly",
        (source,),
    )
