"""NVIDIA GPUs: architectures, and the products that inherit from them.

Names are NVIDIA's names of products in lowercase: `nvidia/geforce-rtx-4080`, `nvidia/l40s`,
`nvidia/h100-80gb-hbm3`, where the driver lists a product as it spells it. A GeForce is also found
without that word: `nvidia/rtx-4080` is an alias. TVM's names stay: `nvidia/nvidia-a100`, with the
alias `nvidia/a100`, is what TVM calls the A100; a product that TVM has gets no second name.
A family is an architecture, `nvidia/ada`, or an architecture with one of its compute capabilities,
`nvidia/ampere-sm86`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.gpus.peaks import peak_statements
from catalogue_tools.hardware import Statement, hardware, pages, root_hardware
from catalogue_tools.names import slug
from catalogue_tools.tags import Disagreement, GeneratedTag
from registry.domain.document import Json

GIB, MIB, MHZ = 1 << 30, 1 << 20, 1_000_000
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
    architectures = _architectures()
    products = {row["name"]: row for row in read_table("pci-ids/nvidia_gpus").rows}
    tvm = {row["name"]: row for row in read_table("tvm/nvidia_tags").rows}
    yield from map(family, architectures.values())
    for name in sorted(products.keys() | tvm.keys()):
        yield from _product(name, products.get(name), tvm.get(name), architectures)


def family(row: Row) -> GeneratedTag:
    """Return the tag of an architecture."""
    table = read_table("cccl/nvidia_architectures")
    source = table.url(row["source"])
    facts: dict[str, Json] = {
        "category": "gpu",
        "vendor": "NVIDIA",
        "family": row["architecture"],
    }
    if optin := row.get("max_shared_memory_per_block_optin"):
        facts["max_shared_memory_per_block_optin"] = optin
    body: dict[str, Json] = {
        "kind": "cuda",
        "keys": ["cuda", "gpu"],
        "arch": row.get("target", row["arch"]),
        "max_shared_memory_per_block": 49152,
        "max_threads_per_block": 1024,
        "thread_warp_size": 32,
        "registers_per_block": row["registers_per_block"],
        "hardware": root_hardware(Statement(facts, [source])),
    }
    capability = row["arch"].removeprefix("sm_")
    message = (
        f"What all GPUs of the {row['architecture']} architecture with compute capability "
        f"{capability[:-1]}.{capability[-1]} share"
    )
    return GeneratedTag(
        family_name(row), _file(row), body, message, sources=(source,), is_family=True
    )


def family_name(row: Row) -> str:
    """Return the name of an architecture's tag."""
    return f"nvidia/{row['family']}"


def architecture(arch: str) -> Row:
    """Return the row of a compute capability, such as `sm_86` or TVM's `sm_90a`."""
    return _architectures()[arch.rstrip("a")]


def _architectures() -> dict[str, Row]:
    return {row["arch"]: row for row in read_table("cccl/nvidia_architectures").rows}


def _product(
    name: str, product: Row | None, tvm: Row | None, architectures: Mapping[str, Row]
) -> Iterator[GeneratedTag | Disagreement]:
    correction = _corrections().get(tvm["tag"], {}) if tvm else {}
    stated = (product or tvm or {})["arch"]
    arch = correction.get("arch") or (tvm["arch"].rstrip("a") if tvm else stated)
    row = architectures[arch]
    tag = f"nvidia/{_tag_name(name, product, tvm)}"
    if product and tvm and not correction.get("arch") and arch != product["arch"]:
        yield _disagreement(tag, product, tvm)
    yield from _memory_disagreement(tag, name)
    statements = [Statement({"model": name}, _sources(product, tvm, correction)), *_facts(name)]
    statements += peak_statements(name)
    body: dict[str, Json] = {"tag": f"{family_name(row)}@1"}
    if tvm and (cache := _cache(tvm, correction)):
        body["l2_cache_size_bytes"] = cache
        url = read_table("tvm/nvidia_tags").url()
        statements.append(Statement({"l2_cache_bytes": cache}, [url]))
    body["hardware"] = hardware(*statements)
    message = correction.get("reason") or _message(name, row)
    aliases = () if tvm else _aliases(name, product or {}, tag)
    yield GeneratedTag(tag, _file(row), body, message, pages(*statements), aliases=aliases)


def _tag_name(name: str, product: Row | None, tvm: Row | None) -> str:
    if tvm:
        return str(tvm["tag"])
    return str((product or {}).get("tag") or OWN_NAMES.get(name) or slug(name))


def _file(row: Row) -> str:
    return f"nvidia/{slug(row['architecture'])}"


def _message(name: str, row: Row) -> str:
    return f"{name}: {row['architecture']}, {row.get('target', row['arch'])}"


def _aliases(name: str, product: Row, tag: str) -> tuple[str, ...]:
    spellings = [slug(name), *map(slug, product.get("also", ()))]
    short = [text.removeprefix("geforce-") for text in spellings]
    names = dict.fromkeys([*spellings, *short, *SHORT_NAMES.get(name, ())])
    return tuple(sorted(f"nvidia/{text}" for text in names if f"nvidia/{text}" != tag))


def _cache(tvm: Row, correction: Row) -> int | None:
    """Return the bytes of L2 cache that TVM states, None if it states none or a wrong number."""
    cache: int | None = correction.get("l2_cache_size_bytes", tvm.get("l2_cache_size_bytes"))
    return cache


def _facts(name: str) -> Iterator[Statement]:
    """Yield memory and clock of a product, each with the source that states it."""
    clouds, cards = read_table("spare-cores/nvidia_gpus"), read_table("opendb/nvidia_memory")
    card, seen = _row(cards, name), _row(clouds, name)
    if card:
        yield Statement({"memory_bytes": card["memory_gib"] * GIB}, [cards.url()])
    if seen:
        urls = [clouds.url(path=f"data/{seen['seen_on']}/nvidia_smi/stdout")]
        if "memory_mib" in seen and not card:
            yield Statement({"memory_bytes": seen["memory_mib"] * MIB}, urls)
        yield Statement({"boost_clock_hz": seen["max_clock_mhz"] * MHZ}, urls)


def _memory_disagreement(tag: str, name: str) -> Iterator[Disagreement]:
    """Yield the memory that a card is sold with and what programs see of it, if they differ."""
    clouds, cards = read_table("spare-cores/nvidia_gpus"), read_table("opendb/nvidia_memory")
    card, seen = _row(cards, name), _row(clouds, name)
    if card and seen and card["memory_gib"] * GIB != seen["memory_mib"] * MIB:
        yield Disagreement(
            tag,
            "memory_bytes",
            {
                cards.url(): card["memory_gib"] * GIB,
                clouds.url(path=f"data/{seen['seen_on']}/nvidia_smi/stdout"): seen["memory_mib"]
                * MIB,
            },
            f"{card['memory_gib']} GiB, as the card is sold; programs can use less",
        )


def _row(table: Table, name: str) -> Row | None:
    return next((row for row in table.rows if row["name"] == name), None)


def _sources(product: Row | None, tvm: Row | None, correction: Row) -> list[str]:
    urls = [read_table("pci-ids/nvidia_gpus").url()] if product else []
    if tvm:
        urls.append(read_table("tvm/nvidia_tags").url())
    if correction and correction["url"] not in urls:
        urls.append(correction["url"])
    return urls


def _corrections() -> dict[str, Row]:
    return {row["tag"]: row for row in read_table("corrections/nvidia_gpus").rows}


def _disagreement(tag: str, product: Row, tvm: Row) -> Disagreement:
    values: dict[str, Json] = {
        read_table("pci-ids/nvidia_gpus").url(): product["arch"],
        read_table("tvm/nvidia_tags").url(): tvm["arch"],
    }
    older = int(tvm["arch"].removeprefix("sm_")) < int(product["arch"].removeprefix("sm_"))
    choice = f"{tvm['arch']}, as TVM has it: " + (
        "its PTX runs on the newer chip, too"
        if older
        else "cards of this name with an older chip cannot run its code"
    )
    return Disagreement(tag, "arch", values, choice)
