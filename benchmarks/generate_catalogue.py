"""Generate a synthetic catalogue: families, machines that inherit from them, variants, composites.

    python -m benchmarks.generate_catalogue 3000 FOLDER   tag files, and their namespaces

Its proportions are those of a catalogue of clouds, boards and GPUs: one family for twenty machines,
a lineage up to four versions deep, an alias for each sixth tag, two versions of each twelfth.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from registry.services.core import shipped_facts

Entry = dict[str, Any]

SOURCE = "https://example.org/products"
CPUS = ("haswell", "skylake-avx512", "cascadelake", "icelake-server", "sapphirerapids", "znver4")
ARM_CPUS = ("cortex-a53", "cortex-a55", "cortex-a72", "cortex-a76", "cortex-a78", "neoverse-n1")
SM = ("sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90")
FAMILY_SIZE = 20  # tags that inherit from a family
NAMESPACES = ("cloud", "boards", "cards", "composed")


def generate(count: int) -> Iterator[tuple[str, list[Entry]]]:
    """Yield the names of files with their tags, `count` in all."""
    files: dict[str, list[Entry]] = defaultdict(list)
    for number, (name, entry) in zip(range(count), _entries(), strict=False):
        if number % 12 == 5:
            entry["versions"].append(_corrected(entry["versions"][0]))
        if number % 6 == 1:
            entry["aliases"] = [f"{entry['tag'].replace(':', '-')}-also"]
        files[name].append(entry)
    yield from files.items()


def _entries() -> Iterator[tuple[str, Entry]]:
    """Yield tags, each with the name of its file, without end."""
    number = 0
    while True:
        for part in (_cloud, _cards, _boards):
            for entry in part(number):
                yield entry["tag"].partition(".")[0], entry
        number += 1


def _cloud(number: int) -> Iterator[Entry]:
    """Yield a family of cloud machines, and machines of twenty sizes."""
    family = f"cloud/c{number}"
    yield _tag(family, is_family=True, target=_cpu("x86_64-unknown-linux-gnu", CPUS, number))
    for size in range(1, FAMILY_SIZE + 1):
        facts = {"model": f"c{number}.{size}x", "cores": size, "memory_bytes": size * 2**31}
        yield _tag(f"{family}.{size}x", {"tag": f"{family}@1", "num-cores": size, **_facts(facts)})


def _cards(number: int) -> Iterator[Entry]:
    """Yield a family of GPUs, cards, and machines that hold several of them."""
    family = f"cards/gpu{number}"
    target: Entry = {
        "kind": "cuda",
        "keys": ["cuda", "gpu"],
        "arch": SM[number % len(SM)],
        "max_threads_per_block": 1024,
        "thread_warp_size": 32,
        "max_shared_memory_per_block": 49152,
        "registers_per_block": 65536,
        **_facts({"vendor": "Cards", "family": f"Generation {number}"}),
    }
    yield _tag(family, target, is_family=True)
    for card in range(FAMILY_SIZE // 2):
        facts = {"model": f"{number}-{card}", "compute_units": card + 8, "memory_bytes": 2**34}
        yield _tag(f"{family}.{card}", {"tag": f"{family}@1", **_facts(facts)})
    host = f"cloud/c{number}.8x@1"
    for card in range(4):
        devices = {f"gpu{device}": f"{family}.{card}@1" for device in range(8)}
        composite = {"kind": "composite", "devices": devices, "host": host}
        yield _tag(f"composed/p{number}.{card}", composite)


def _boards(number: int) -> Iterator[Entry]:
    """Yield a system-on-chip, boards with it, and two variants of each board."""
    chip = f"boards/soc{number}"
    target = _cpu("aarch64-unknown-linux-gnu", ARM_CPUS, number)
    yield _tag(chip, target | {"num-cores": 8, "keys": ["arm_cpu", "cpu"], "device": "arm_cpu"})
    if not number:
        yield _tag("boards/aot", {"executor": {"kind": "aot"}, "runtime": {"kind": "crt"}})
    for board in range(4):
        name = f"{chip}.board{board}"
        facts = {"vendor": "Boards", "model": f"Board {number} {board}", "memory_bytes": 2**32}
        yield _tag(name, {"tag": f"{chip}@1", "model": f"board-{number}-{board}", **_facts(facts)})
        yield _tag(f"{name}:aot", {"tag": [name, "boards/aot"]})
        gpu = {"kind": "vulkan", "max_threads_per_block": 256, "supports_float16": True}
        yield _tag(
            f"{name}:vulkan", {**gpu, "host": {"tag": name, "mattr": ["+neon", "+fp-armv8"]}}
        )


def _cpu(triple: str, cpus: tuple[str, ...], number: int) -> Entry:
    facts = _facts({"vendor": "Maker", "family": f"Series {number}", "boost_clock_hz": 3 * 10**9})
    return {"kind": "llvm", "mtriple": triple, "mcpu": cpus[number % len(cpus)], **facts}


def _facts(facts: Entry) -> Entry:
    return {"hardware": {**facts, "sources": {"all": [SOURCE]}}}


def _tag(name: str, target: Entry, *, is_family: bool = False) -> Entry:
    version = {"message": "As its maker says", "sources": [SOURCE], "target": target}
    family = {"family": True} if is_family else {}
    return {"tag": name, **family, "aliases": [], "versions": [version]}


def _corrected(version: Entry) -> Entry:
    """Return a later version with another fact."""
    target = version["target"]
    facts = {**target.get("hardware", {}), "power_watts": 65}
    return {**version, "message": "Its power", "target": {**target, "hardware": facts}}


REPLACED = frozenset({"tags", "generated", "namespaces.json", "lock.json"})


def write_catalogue(folder: Path, count: int) -> Path:
    """Write a catalogue of so many tags, with the shipped kinds and facts; return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for entry in shipped_facts.CATALOGUE.iterdir():
        if entry.name not in REPLACED:
            (folder / entry.name).symlink_to(entry)
    namespaces = [{"name": name} for name in NAMESPACES]
    _write(folder / "namespaces.json", {"namespaces": namespaces})
    for name, tags in generate(count):
        _write(folder / "tags" / f"{name}.json", {"tags": tags})
    return folder


def _write(path: Path, content: Entry) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2), encoding="utf-8")


if __name__ == "__main__":
    write_catalogue(Path(sys.argv[2]), int(sys.argv[1]))
