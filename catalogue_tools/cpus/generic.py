"""Architectures and levels, for programs that are to run on many processors."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, read_table, rows_by, url_of
from catalogue_tools.hardware import Statement
from catalogue_tools.llvm_targets import llvm_target
from catalogue_tools.tags import GeneratedTag, described_tag

FILE = "generic/architectures"
TABLE = "llvm/generic"


def tags() -> Iterator[GeneratedTag]:
    """Yield a tag for each architecture, and WebGPU with WebAssembly as its host."""
    yield from map(_architecture, read_table(TABLE).rows)
    source = url_of(TABLE, rows_by(TABLE, "name")["wasm32"]["source"])
    message = "WebGPU in browsers, called from WebAssembly"
    body = {"kind": "webgpu", "host": "generic/wasm32@1"}
    stated = Statement({"family": "GPUs in browsers"}, [source])
    yield described_tag("generic/webgpu", FILE, body, message, stated)


def _architecture(row: Row) -> GeneratedTag:
    body = llvm_target(row["triple"], row["mcpu"], row.get("mattr", ()), row.get("mabi", ""))
    stated = Statement({"family": row["title"]}, [url_of(TABLE, row["source"])])
    name, correction = f"generic/{row['name']}", row.get("correction", "")
    return described_tag(name, FILE, body, row["title"], stated, correction=correction)
