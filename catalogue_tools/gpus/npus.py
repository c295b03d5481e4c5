"""Neural processors: Arm's Ethos-U and Qualcomm's Hexagon, and those that cannot be described.

An Ethos-U is a sub-compilation by TVM's code generator `ethos-u`. The Hexagon of a chip is the
variant `:npu` of the chip and inherits from its version, `qcom/hexagon-v79`.
"""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, read_table
from catalogue_tools.hardware import Statement, root_hardware
from catalogue_tools.names import slug
from catalogue_tools.tags import GeneratedTag, Missing
from registry.domain.document import Json

ETHOS, HEXAGON = "vela/ethos_u", "executorch/hexagon_versions"
# TVM's tags of v69 to v75 state the same features by version, and four threads.
TVM = "https://github.com/apache/tvm/blob/v0.27.0/python/tvm/backend/hexagon/target_tags.py"


def tags() -> Iterator[GeneratedTag | Missing]:
    """Yield neural processors, and the products that no tag describes."""
    yield from map(ethos_u, read_table(ETHOS).rows)
    yield from map(hexagon, read_table(HEXAGON).rows)
    for row in read_table("corrections/missing_accelerators").rows:
        yield Missing(row["product"], row["reason"])


def ethos_u(row: Row) -> GeneratedTag:
    """Return the tag of a configuration of an Ethos-U."""
    source, name = read_table(ETHOS).url(row["source"]), row["name"]
    series = name.rpartition("-")[0]
    facts: dict[str, Json] = {
        "category": "npu",
        "vendor": "Arm",
        "family": series,
        "model": name,
    }
    if "cores" in row:
        facts["compute_units"] = row["cores"]
    body: dict[str, Json] = {
        "kind": "byoc",
        "codegen": "ethos-u",
        "devices": {"core": {"kind": "ext_dev", "model": slug(name)}},
        "hardware": root_hardware(Statement(facts, [source])),
    }
    message = f"{series} with {row['macs']} multiplications and additions in a cycle"
    return GeneratedTag(f"arm/{slug(name)}", "arm/ethos-u", body, message, (source,))


def hexagon(row: Row) -> GeneratedTag:
    """Return the tag of a version of Hexagon that TVM has no tag for."""
    mcpu = row["hexagon"]
    version = mcpu.removeprefix("hexagon")
    source = read_table(HEXAGON).url()
    facts = {
        "category": "npu",
        "vendor": "Qualcomm",
        "family": "Hexagon",
        "model": f"Hexagon {version}",
    }
    body: dict[str, Json] = {
        "kind": "hexagon",
        "mtriple": "hexagon",
        "mcpu": mcpu,
        "mattr": [f"+hvx{version}", "+hvx-length128b", "+hvx-qfloat", "-hvx-ieee-fp"],
        "num-cores": 4,
        "hardware": root_hardware(Statement(facts, [source])),
    }
    message = f"Hexagon {version}, with the features that TVM names for v69 to v75"
    return GeneratedTag(f"qcom/hexagon-{version}", "qcom/hexagon", body, message, (source, TVM))
