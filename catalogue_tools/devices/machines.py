"""Boards, modules, laptops and phones, which inherit from their chip."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.devices.accelerators import accelerators
from catalogue_tools.devices.bodies import Body, cluster_text, triple
from catalogue_tools.devices.chips import Chip, chip, tree_cores
from catalogue_tools.devices.machine_facts import machine_facts, other_cores
from catalogue_tools.devices.names import shared_name
from catalogue_tools.devices.socs import clusters, variants
from catalogue_tools.devices.systems import LINUX_TWIN, TREES, category_of, own_system
from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.hardware import Statement, measured
from catalogue_tools.superseded import with_former_names
from catalogue_tools.tags import GeneratedTag, Superseded, described_tag

WIKI = "lineageos/phones"
HUB = "ai-hub/phones"

ANDROID: Row = {"system": "android"}  # that phones of both lists run, also with a chip of boards
OF_BOARDS = "The phone runs Android, boards with its chip run Linux"
WIDE = frozenset({"laptop"})  # kinds of machines that run Windows too


def tags() -> Iterator[GeneratedTag | Superseded]:
    """Yield the tags of machines, and the variants that are those of their chips."""
    trees, wiki, hub = map(read_table, (TREES, WIKI, HUB))
    for row in trees.rows:
        machine = _machine(row, _tree_url(trees, row))
        yield from with_former_names(row, category_of(row), machine)
    for row in wiki.rows:
        yield from _machine(ANDROID | row, wiki.url(path=f"_data/devices/{row['file']}"))
    for row in hub.rows:
        yield from _machine(ANDROID | row, hub.url())


def _machine(row: Row, url: str) -> Iterator[GeneratedTag | Superseded]:
    soc = chip(row["soc"])
    yield _tag(row, soc, "", _cpu_body(row, soc), url)
    for variant in variants(soc):
        if variant == "windows" and category_of(row) not in WIDE:
            continue
        if successor := _successor(row, soc, variant):
            yield Superseded(f"{row['tag']}:{variant}", successor, _reason(row, soc, variant))
        else:
            body: Body = {"tag": f"{soc.tag}:{variant}@1", "host": f"{row['tag']}@1"}
            yield _tag(row, soc, variant, body, url)


# Decision 136: a variant that builds as its chip's does is the chip's.
def _successor(row: Row, soc: Chip, variant: str) -> str:
    """Return the tag of the chip that builds for a variant of a machine; empty if none does.

    A machine under another system has another host than the others with its chip. A cluster has
    a twin for Linux; an accelerator stays with the machine, whose name its host is.
    """
    if not own_system(row, soc):
        return f"{soc.tag}:{variant}"
    return f"{soc.tag}:{variant}{LINUX_TWIN}" if variant in clusters(soc) else ""


def _reason(row: Row, soc: Chip, variant: str) -> str:
    """Return why a machine has no such variant of its own, as a sentence."""
    more = ", but for the number of cores, which is not known" if other_cores(row["tag"]) else ""
    part = {
        "big": "for its largest cores",
        "little": "for its smallest cores",
        "windows": "under Windows",
    }.get(variant) or f"for its {accelerators(soc)[variant].message(variant)}"
    return f"Every machine with the {product_of(soc)} builds alike {part}{more}"


def product_of(soc: Chip) -> str:
    """Return the name of a chip without its part number, as "Snapdragon 855+ or 860"."""
    return soc.model.partition(" (")[0].replace(" and ", " or ")


def _tag(row: Row, soc: Chip, variant: str, body: Body, url: str) -> GeneratedTag:
    facts: Body = {"vendor": row["vendor"], "model": row["model"], "category": category_of(row)}
    facts |= measured(row, "released") | _own_cores(row, variant)
    part = accelerators(soc)[variant].message(variant) if variant else product_of(soc)
    return described_tag(
        f"{row['tag']}:{variant}" if variant else row["tag"],
        _file(row["tag"], soc, category_of(row)),
        body,
        f"{row['model']} with its {part}",
        Statement(facts, [url]),
        *machine_facts(row["tag"], soc),
        aliases=() if variant else tuple(row.get("aliases", ())),
        correction="" if variant else _correction(row),
    )


def _correction(row: Row) -> str:
    """Return why earlier versions of a machine were wrong."""
    counts = other_cores(row["tag"])
    reason: str = counts["reason"] if counts else row.get("correction", "")
    if not reason and own_system(row, chip(row["soc"])) == ANDROID["system"]:
        reason = OF_BOARDS
    return f"{reason[:1].upper()}{reason[1:]}" or shared_name(row["tag"])


def _cpu_body(row: Row, soc: Chip) -> Body:
    body: Body = {"tag": f"{soc.tag}@1", "model": row["tag"].partition("/")[2]}
    if system := own_system(row, soc):
        body["mtriple"] = triple(soc.clusters[0][0].mcpu, system)
    if own := _own_cores(row):
        body["num-cores"] = own["cores"]
    return body


def _own_cores(row: Row, variant: str = "") -> Body:
    """Return the cores of a machine that has others than its chip, as facts."""
    if not variant and other_cores(row["tag"]):
        return {"cores": None, "clusters": None, "family": None}
    cores = tree_cores(row.get("cores", {}))
    if variant or not cores:
        return {}
    ordered = sorted(cores.items(), key=lambda cluster: cluster[0].size)
    text = cluster_text(ordered)
    return {"cores": sum(cores.values()), "clusters": text, "family": text}


def _file(tag: str, soc: Chip, category: str) -> str:
    if category == "phone" and soc.system == "android":
        return f"phones/{tag.partition('/')[0]}"
    return f"devices/{soc.tag.partition('/')[0]}"


def _tree_url(table: Table, row: Row) -> str:
    if "source" in row:
        return table.url(row["source"])
    return table.url(path=f"dts/upstream/src/{row['path']}")
