"""Neural processors and accelerators: Ethos-U, Hexagon, and those that an open compiler takes.

An Ethos-U is a sub-compilation by TVM's code generator `ethos-u`, if that takes it; accelerators
that TVM does not have are one by the compiler that takes them, under its name of the architecture.
The Hexagon of a chip is the variant `:npu` of the chip and inherits from its version,
`qcom/hexagon-v79`.
"""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, read_table, url_of
from catalogue_tools.hardware import TERA, Statement, measured
from catalogue_tools.names import slug
from catalogue_tools.tags import GeneratedTag, described_tag
from registry.domain.document import Json

ETHOS, HEXAGON = "vela/ethos_u", "executorch/hexagon_versions"
# Names that get_accelerator_config of TVM's code generator ethos-u takes; it refuses any other.
ETHOS_OF_TVM = frozenset(
    {"ethos-u55-32", "ethos-u55-64", "ethos-u55-128", "ethos-u55-256", "ethos-u65-256"}
)
ETHOS_NAMES = (
    "https://github.com/apache/tvm/blob/0112164c6fee0092f29e8bd6793af40b70a663c2"
    "/python/tvm/relay/backend/contrib/ethosu/vela_api.py"
)
ACCELERATORS = "open-compilers/accelerators"
# TVM's tags of v69 to v75 state the same features by version, and four threads.
TVM = "https://github.com/apache/tvm/blob/v0.27.0/python/tvm/backend/hexagon/target_tags.py"
FIELDS = ["compute_units", "memory_gib", "memory_type", "bandwidth_gb_per_s", "boost_mhz", "tdp_w"]


def tags() -> Iterator[GeneratedTag]:
    """Yield each Ethos-U, the versions of Hexagon that TVM has no tag for, and accelerators."""
    yield from map(_ethos_u, read_table(ETHOS).rows)
    yield from map(_hexagon, read_table(HEXAGON).rows)
    yield from map(_accelerator, read_table(ACCELERATORS).rows)


def _offloaded(codegen: str, model: str) -> dict[str, Json]:
    """Return a sub-compilation for one device, whose model is a name of the code generator."""
    devices: Json = {"core": {"kind": "ext_dev", "model": model}}
    return {"kind": "byoc", "codegen": codegen, "devices": devices}


def _ethos_u(row: Row) -> GeneratedTag:
    name, model = row["name"], slug(row["name"])
    is_taken, series = model in ETHOS_OF_TVM, name.rpartition("-")[0]
    facts: dict[str, Json] = {"category": "npu", "vendor": "Arm", "family": series, "model": name}
    if "cores" in row:
        facts["compute_units"] = row["cores"]
    message = f"{series} with {row['macs']} multiplications and additions in a cycle"
    stated = Statement(facts, [url_of(ETHOS, row["source"])])
    return described_tag(
        f"arm/{model}",
        "arm/ethos-u",
        _offloaded("ethos-u" if is_taken else "vela", model),
        message,
        stated,
        sources=() if is_taken else (*stated.urls, ETHOS_NAMES),
        correction=""
        if is_taken
        else f"TVM's code generator ethos-u refuses {model}; Vela takes it",
    )


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


# Decision 139: what no compiler of TVM takes names the open compiler that does.
def _accelerator(row: Row) -> GeneratedTag:
    names = {name: row[name] for name in ("vendor", "model", "family")}
    chips = f" of {row['chips']}" if "chips" in row else ""
    pages = [url_of(ACCELERATORS, row["compiler"]), *([row["page"]] if "page" in row else [])]
    return described_tag(
        row["tag"],
        f"{row['tag'].partition('/')[0]}/accelerators",
        _offloaded(row["codegen"], row["arch"]),
        f"{row['vendor']} {row['model']}{chips}, which {row['codegen']} takes as {row['arch']}",
        Statement({"category": "npu", **names}, pages),
        *_specification(row),
        aliases=tuple(row.get("aliases", ())),
    )


def _specification(row: Row) -> Iterator[Statement]:
    if "facts" in row:
        facts = measured(row, *FIELDS)
        if "peak_tops" in row:
            peaks = {kind: round(tops * TERA) for kind, tops in row["peak_tops"].items()}
            facts["peak_ops_per_s"] = peaks
        yield Statement(facts, [url_of(ACCELERATORS, row["facts"])])
