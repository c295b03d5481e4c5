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
from catalogue_tools.gpus.specifications import card_memory, memory_in_name, specifications
from catalogue_tools.hardware import MIB, Statement, measured
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
CACHE_MOVED = "The L2 cache is a fact of the hardware, and no limit that a family of GPUs shares"
WAS_SEEN = "What nvidia-smi shows stood for memory and clock of the product"
OLDER_CHIP = "Some cards of this name have an older chip, which cannot run code for the newer one"
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
    row = architecture(correction.get("arch") or _oldest(tvm, product))
    tag = f"nvidia/{_tag_name(name, product, tvm)}"
    pages, cache = _sources(product, tvm, correction), _cache((tvm or {}) | correction)
    statements = [Statement({"model": name}, pages), *_seen(name)]
    chips_differ = (product or {}).get("chips") == "several"
    reason = CACHE_MOVED if cache else WAS_SEEN if name in rows_by(SEEN, "name") else ""
    if product and tvm and not correction.get("arch") and not _agree(product, tvm):
        chips_differ = True
        reason = OLDER_CHIP if row["arch"] == product["arch"] else reason
        yield _disagreement(tag, product, tvm)
    if not chips_differ:  # else no table says of which chip its figures are
        memory = (*card_memory(CARDS, name), *memory_in_name(name, pages))
        statements += specifications(tag, *memory, *cache)
    yield described_tag(
        tag,
        _file(row),
        {"tag": f"{family_name(row)}@1"},
        correction.get("reason")
        or f"{name}: {row['architecture']}, {row.get('target', row['arch'])}",
        *statements,
        aliases=() if tvm else _aliases(name, product or {}, tag),
        correction=reason,
    )


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


def _seen(name: str) -> Iterator[Statement]:
    """Yield the memory that the driver shows, which is less than a card is sold with."""
    if row := rows_by(SEEN, "name").get(name):
        url = url_of(SEEN, path=f"data/{row['seen_on']}/nvidia_smi/stdout")
        yield Statement({"usable_memory_bytes": row["memory_mib"] * MIB}, [url])


# Decision 138: no target of a GPU states its cache, because other products of its family differ.
def _cache(tvm: Row) -> list[Statement]:
    """Return the L2 cache that TVM states, unless that is a wrong number."""
    cache = tvm.get("l2_cache_size_bytes")
    return [Statement({"l2_cache_bytes": cache}, [url_of(TVM)])] if cache else []


def _sources(product: Row | None, tvm: Row | None, correction: Row) -> list[str]:
    urls = [url_of(table) for table, row in ((PRODUCTS, product), (TVM, tvm)) if row]
    if correction and correction["url"] not in urls:
        urls.append(correction["url"])
    return urls


def _disagreement(tag: str, product: Row, tvm: Row) -> Disagreement:
    choice = _oldest(tvm, product)
    values: dict[str, Json] = {url_of(PRODUCTS): product["arch"], url_of(TVM): tvm["arch"]}
    reason = f"{choice}, the oldest: cards of this name with a newer chip run its PTX, too"
    return Disagreement(tag, "arch", values, reason)


# Decision 166: of chips that share a name, a tag has the capability that all have.
def _oldest(tvm: Row | None, product: Row | None) -> str:
    """Return the lowest compute capability that the tables state of a name."""
    return min((str(row["arch"]) for row in (tvm, product) if row), key=_number)


def _agree(product: Row, tvm: Row) -> bool:
    return _number(product["arch"]) == _number(tvm["arch"])


def _number(arch: str) -> int:
    return int(arch.removeprefix("sm_").rstrip("a"))
