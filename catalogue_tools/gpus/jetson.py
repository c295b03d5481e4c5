"""NVIDIA's Jetson modules and its chips with a CPU: a GPU, and as its host that CPU."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.devices.machine_facts import machine_facts
from catalogue_tools.facts import Row, read_table, url_of
from catalogue_tools.gpus.nvidia import architecture, family_name
from catalogue_tools.gpus.specifications import memory_in_name
from catalogue_tools.hardware import Statement
from catalogue_tools.tags import GeneratedTag, described_tag
from registry.domain.document import Json

TABLE = "linux-device-trees/nvidia_modules"


def tags() -> Iterator[GeneratedTag]:
    """Yield modules and chips, those of TVM's tags among them."""
    return map(_module, read_table(TABLE).rows)


def _module(row: Row) -> GeneratedTag:
    source = url_of(TABLE, row["source"])
    products = [row["url"]] if "url" in row else []
    facts = {"category": row.get("category", "module"), "model": row["model"]}
    body: dict[str, Json] = {
        "tag": f"{family_name(architecture(row['arch']))}@1",
        "host": {
            "kind": "llvm",
            "keys": ["arm_cpu", "cpu"],
            "mtriple": "aarch64-unknown-linux-gnu",
            "mcpu": row["cpu"],
            "num-cores": row["cores"],
        },
        "hardware": None,
    }
    return described_tag(
        f"nvidia/{row['tag']}",
        "nvidia/jetson",
        body,
        row["message"],
        Statement(facts, [source, *products]),
        *memory_in_name(row["model"], products),
        Statement({"cores": row["cores"]}, [source]),
        *machine_facts(f"nvidia/{row['tag']}"),
        aliases=tuple(f"nvidia/{alias}" for alias in row.get("aliases", ())),
    )
