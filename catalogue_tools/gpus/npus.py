"""Neural processors: Arm's Ethos-U and Qualcomm's Hexagon.

An Ethos-U is a sub-compilation by TVM's code generator `ethos-u`. The Hexagon of a chip is the
variant `:npu` of the chip and inherits from its version, `qcom/hexagon-v79`.
"""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, read_table, url_of
from catalogue_tools.hardware import Statement
from catalogue_tools.names import slug
from catalogue_tools.tags import GeneratedTag, described_tag
from registry.domain.document import Json

ETHOS, HEXAGON = "vela/ethos_u", "executorch/hexagon_versions"
# TVM's tags of v69 to v75 state the same features by version, and four threads.
TVM = "https://github.com/apache/tvm/blob/v0.27.0/python/tvm/backend/hexagon/target_tags.py"


def tags() -> Iterator[GeneratedTag]:
    """Yield each configuration of Ethos-U, and the versions of Hexagon that TVM has no tag for."""
    yield from map(_ethos_u, read_table(ETHOS).rows)
    yield from map(_hexagon, read_table(HEXAGON).rows)


def _ethos_u(row: Row) -> GeneratedTag:
    name = row["name"]
    series = name.rpartition("-")[0]
    facts: dict[str, Json] = {"category": "npu", "vendor": "Arm", "family": series, "model": name}
    if "cores" in row:
        facts["compute_units"] = row["cores"]
    devices: Json = {"core": {"kind": "ext_dev", "model": slug(name)}}
    body: dict[str, Json] = {"kind": "byoc", "codegen": "ethos-u", "devices": devices}
    message = f"{series} with {row['macs']} multiplications and additions in a cycle"
    stated = Statement(facts, [url_of(ETHOS, row["source"])])
    return described_tag(f"arm/{slug(name)}", "arm/ethos-u", body, message, stated)


def _hexagon(row: Row) -> GeneratedTag:
    version, source = row["hexagon"].removeprefix("hexagon"), url_of(HEXAGON)
    model = f"Hexagon {version}"
    facts = {"category": "npu", "vendor": "Qualcomm", "family": "Hexagon", "model": model}
    body: dict[str, Json] = {
        "kind": "hexagon",
        "mtriple": "hexagon",
        "mcpu": row["hexagon"],
        "mattr": [f"+hvx{version}", "+hvx-length128b", "+hvx-qfloat", "-hvx-ieee-fp"],
        "num-cores": 4,
    }
    return described_tag(
        f"qcom/hexagon-{version}",
        "qcom/hexagon",
        body,
        f"{model}, with the features that TVM names for v69 to v75",
        Statement(facts, [source]),
        sources=(source, TVM),
    )
