"""Boards, modules, laptops and phones, which inherit from their chip."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.devices.accelerators import accelerator_message, accelerators
from catalogue_tools.devices.bodies import Body, cluster_text, triple
from catalogue_tools.devices.chips import Chip, chip, tree_cores
from catalogue_tools.devices.machine_facts import machine_facts
from catalogue_tools.devices.socs import variants
from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.hardware import Statement, measured
from catalogue_tools.tags import GeneratedTag, described_tag

TREES = "linux-device-trees/boards"
WIKI = "lineageos/phones"
HUB = "ai-hub/phones"

WIDE = frozenset({"laptop"})  # kinds of machines that run Windows too


def tags() -> Iterator[GeneratedTag]:
    """Yield the tags of machines."""
    trees, wiki, hub = map(read_table, (TREES, WIKI, HUB))
    for row in trees.rows:
        yield from _machine(row, _tree_url(trees, row))
    for row in wiki.rows:
        yield from _machine(row, wiki.url(path=f"_data/devices/{row['file']}"))
    for row in hub.rows:
        yield from _machine(row, hub.url())


def _machine(row: Row, url: str) -> Iterator[GeneratedTag]:
    soc = chip(row["soc"])
    category = row.get("category", "phone")
    for variant in ("", *variants(soc)):
        if variant == "windows" and category not in WIDE:
            continue
        body, facts = _body(row, soc, variant, category)
        yield described_tag(
            _with_variant(row["tag"], variant),
            _file(row["tag"], soc, category),
            body,
            _message(row["model"], soc, variant),
            Statement(facts, [url]),
            *machine_facts(row["tag"], soc),
            aliases=() if variant else tuple(row.get("aliases", ())),
        )


def _body(row: Row, soc: Chip, variant: str, category: str) -> tuple[Body, Body]:
    """Return the options and the hardware facts of a variant of a machine."""
    body: Body = {"tag": f"{_with_variant(soc.tag, variant)}@1"}
    if variant in accelerators(soc):
        body["host"] = f"{row['tag']}@1"
    else:
        body["model"] = row["tag"].partition("/")[2]
    if "host" not in body and soc.system == "android" and category != "phone":
        body["mtriple"] = triple(soc.clusters[0][0].mcpu, "linux")
    facts: Body = {"vendor": row["vendor"], "model": row["model"], "category": category}
    facts |= measured(row, "released")
    if (cores := tree_cores(row.get("cores", {}))) and not variant:
        clusters = sorted(cores.items(), key=lambda item: item[0].size)
        body["num-cores"] = facts["cores"] = sum(cores.values())
        facts["family"] = cluster_text(clusters)
    return body, facts


def _message(model: str, soc: Chip, variant: str) -> str:
    machine = f"{model} with its {soc.model.partition(' (')[0]}"
    if variant == "windows":
        return f"{machine}, under Windows"
    if variant in accelerators(soc):
        return f"{model} with its {accelerator_message(soc, variant)}"
    size = {"big": "largest", "little": "smallest"}.get(variant)
    return f"{machine}, the {size} cores only" if size else machine


def _file(tag: str, soc: Chip, category: str) -> str:
    if category == "phone" and soc.system == "android":
        return f"phones/{tag.partition('/')[0]}"
    return f"devices/{soc.tag.partition('/')[0]}"


def _with_variant(tag: str, variant: str) -> str:
    return f"{tag}:{variant}" if variant else tag


def _tree_url(table: Table, row: Row) -> str:
    if "source" in row:
        return table.url(row["source"])
    return table.url(path=f"dts/upstream/src/{row['path']}")
