"""NVIDIA GPUs: architectures, and the products that inherit from them.

Names are NVIDIA's names of products in lowercase: `nvidia/geforce-rtx-4080`, `nvidia/l40s`,
`nvidia/h100-80gb-hbm3`, where the driver lists a product as it spells it. A GeForce is also found
without that word: `nvidia/rtx-4080` is an alias. TVM's names stay: `nvidia/nvidia-a100`, with the
alias `nvidia/a100`, is what TVM calls the A100; a product that TVM has gets no second name.
A family is an architecture, `nvidia/ada`, or an architecture with one of its compute capabilities,
`nvidia/ampere-sm86`.
"""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, read_table, rows_by, url_of
from catalogue_tools.gpus.peaks import peak_statements
from catalogue_tools.hardware import GIB, MHZ, MIB, Statement, measured
from catalogue_tools.names import slug
from catalogue_tools.tags import Disagreement, GeneratedTag, described_tag
from registry.domain.document import Json

# Decision 072: products inherit from their compute capability.
ARCHITECTURES, CORRECTIONS = "cccl/nvidia_architectures", "corrections/nvidia_gpus"
PRODUCTS, TVM = "pci-ids/nvidia_gpus", "tvm/nvidia_tags"
SEEN, CARDS = "spare-cores/nvidia_gpus", "opendb/nvidia_memory"
SHORT_NAMES = {  # what people call a product, by its name
    "A100-SXM4-40GB": ("a100-sxm-40gb",),
    "A100-SXM4-80GB": ("a100-sxm-80gb", "a100-80gb"),
    "A800-SXM4-80GB": ("a800",),
    "B300 SXM6 AC": ("b300-sxm6-ac",),
    "GH200 480GB": ("gh200",),
    "H100 80GB HBM3": ("h100-sxm",),
    "H200": ("h200-sxm",),
    "RTX 4000 Ada Generation": ("rtx-4000-ada",),
    "RTX 5000 Ada Generation": ("rtx-5000-ada",),
    "RTX 6000 Ada Generation": ("rtx-6000-ada",),
    "RTX PRO 6000 Blackwell Workstation Edition": ("rtx-pro-6000",),
}
OWN_NAMES = {"B300 SXM6 AC": "b300"}  # names of tags that are not the product's


def tags() -> Iterator[GeneratedTag | Disagreement]:
    """Yield a family for each architecture, then the products, those of TVM's tags among them."""
    yield from map(_family, read_table(ARCHITECTURES).rows)
    products, tvm = rows_by(PRODUCTS, "name"), rows_by(TVM, "name")
    for name in sorted(products.keys() | tvm.keys()):
        yield from _product(name, products.get(name), tvm.get(name))


def _family(row: Row) -> GeneratedTag:
    facts = {"category": "gpu", "vendor": "NVIDIA", "family": row["architecture"]}
    facts |= measured(row, "max_shared_memory_per_block_optin")
    body: dict[str, Json] = {
        "kind": "cuda",
        "keys": ["cuda", "gpu"],
        "arch": row.get("target", row["arch"]),
        "max_shared_memory_per_block": 49152,
        "max_threads_per_block": 1024,
        "thread_warp_size": 32,
        "registers_per_block": row["registers_per_block"],
    }
    capability = row["arch"].removeprefix("sm_")
    message = (
        f"What all GPUs of the {row['architecture']} architecture with compute capability "
        f"{capability[:-1]}.{capability[-1]} share"
    )
    stated = Statement(facts, [url_of(ARCHITECTURES, row["source"])])
    return described_tag(family_name(row), _file(row), body, message, stated, is_family=True)


def family_name(row: Row) -> str:
    """Return the name of an architecture's tag."""
    return f"nvidia/{row['family']}"


def architecture(arch: str) -> Row:
    """Return the row of a compute capability, such as `sm_86` or TVM's `sm_90a`."""
    return rows_by(ARCHITECTURES, "arch")[arch.rstrip("a")]


def _product(
    name: str, product: Row | None, tvm: Row | None
) -> Iterator[GeneratedTag | Disagreement]:
    correction = rows_by(CORRECTIONS, "tag").get(tvm["tag"], {}) if tvm else {}
    row = architecture(correction.get("arch") or (tvm or product or {})["arch"])
    tag = f"nvidia/{_tag_name(name, product, tvm)}"
    if product and tvm and not correction.get("arch") and row["arch"] != product["arch"]:
        yield _disagreement(tag, product, tvm)
    yield from _memory_disagreement(tag, name)
    statements = [Statement({"model": name}, _sources(product, tvm, correction)), *_facts(name)]
    statements += peak_statements(name)
    body: dict[str, Json] = {"tag": f"{family_name(row)}@1"}
    # The bytes of L2 cache that TVM states, unless that is a wrong number.
    if tvm and (cache := (tvm | correction).get("l2_cache_size_bytes")):
        body["l2_cache_size_bytes"] = cache
        statements.append(Statement({"l2_cache_bytes": cache}, [url_of(TVM)]))
    stated = f"{name}: {row['architecture']}, {row.get('target', row['arch'])}"
    aliases = () if tvm else _aliases(name, product or {}, tag)
    message = correction.get("reason") or stated
    yield described_tag(tag, _file(row), body, message, *statements, aliases=aliases)


def _tag_name(name: str, product: Row | None, tvm: Row | None) -> str:
    if tvm:
        return str(tvm["tag"])
    return str((product or {}).get("tag") or OWN_NAMES.get(name) or slug(name))


def _file(row: Row) -> str:
    return f"nvidia/{slug(row['architecture'])}"


def _aliases(name: str, product: Row, tag: str) -> tuple[str, ...]:
    spellings = [slug(name), *map(slug, product.get("also", ()))]
    short = [text.removeprefix("geforce-") for text in spellings]
    names = dict.fromkeys([*spellings, *short, *SHORT_NAMES.get(name, ())])
    return tuple(sorted(f"nvidia/{text}" for text in names if f"nvidia/{text}" != tag))


def _facts(name: str) -> Iterator[Statement]:
    """Yield memory and clock of a product, each with the source that states it."""
    card, seen = rows_by(CARDS, "name").get(name), rows_by(SEEN, "name").get(name)
    if card:
        yield Statement({"memory_bytes": card["memory_gib"] * GIB}, [url_of(CARDS)])
    if seen:
        if not card:
            yield Statement(measured(seen, "memory_mib"), [_seen_url(seen)])
        yield Statement({"boost_clock_hz": seen["max_clock_mhz"] * MHZ}, [_seen_url(seen)])


def _seen_url(seen: Row) -> str:
    return url_of(SEEN, path=f"data/{seen['seen_on']}/nvidia_smi/stdout")


def _memory_disagreement(tag: str, name: str) -> Iterator[Disagreement]:
    """Yield the memory that a card is sold with and what programs see of it, if they differ."""
    card, seen = rows_by(CARDS, "name").get(name), rows_by(SEEN, "name").get(name)
    if card and seen and card["memory_gib"] * GIB != seen["memory_mib"] * MIB:
        values = {
            url_of(CARDS): card["memory_gib"] * GIB,
            _seen_url(seen): seen["memory_mib"] * MIB,
        }
        choice = f"{card['memory_gib']} GiB, as the card is sold; programs can use less"
        yield Disagreement(tag, "memory_bytes", values, choice)


def _sources(product: Row | None, tvm: Row | None, correction: Row) -> list[str]:
    urls = [url_of(table) for table, row in ((PRODUCTS, product), (TVM, tvm)) if row]
    if correction and correction["url"] not in urls:
        urls.append(correction["url"])
    return urls


def _disagreement(tag: str, product: Row, tvm: Row) -> Disagreement:
    older = int(tvm["arch"].removeprefix("sm_")) < int(product["arch"].removeprefix("sm_"))
    reason = (
        "its PTX runs on the newer chip, too"
        if older
        else "cards of this name with an older chip cannot run its code"
    )
    values: dict[str, Json] = {url_of(PRODUCTS): product["arch"], url_of(TVM): tvm["arch"]}
    return Disagreement(tag, "arch", values, f"{tvm['arch']}, as TVM has it: {reason}")
