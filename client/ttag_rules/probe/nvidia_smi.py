"""`nvidia-smi --query-gpu=... --format=csv`: NVIDIA's GPUs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ttag_rules.probe.facts import Device, number

CAPABILITY = re.compile(r"([0-9]{1,2})\.([0-9])")
# Their own instructions are only in code for sm_90a and so on, which no later GPU runs.
ACCELERATED = {"90", "100", "103", "110"}
# Registers per block: half as many on the small chips of Jetson Nano, TX1 and TX2.
HALF_REGISTERS = {"53", "62"}
# Multi-Instance GPU: a slice in `-L` and in the table, the mode in `-q` and its XML.
SLICES = re.compile(
    r"^[ \t]{1,8}MIG (?:\d{1,2}c\.)?\d{1,2}g\.\d{1,3}gb\b|^\| MIG devices:"
    r"|^[ \t]{1,12}MIG Mode[ \t\r]*\n[ \t]{1,16}Current[ \t]{1,60}: Enabled\b"
    r"|<current_mig>Enabled</current_mig>",
    re.MULTILINE,
)
SLICED = (
    (
        "how much of a GPU a program may use: MIG is on, and gives it a slice with a part of the "
        "memory and of the multiprocessors"
    ),
    "nvidia-smi -L lists the slices",
)
MIB = 1024 * 1024
MAX_LINES = 256


def parse(text: str) -> tuple[Device, ...]:
    """Return the GPUs, those that are alike once, with their number.

    Columns are found by their header. Limits per block are not printed; they are those that the
    CUDA C++ Programming Guide states by compute capability, 5.0 and later.
    """
    counts: dict[tuple[str, str, int], int] = {}
    for row in _rows(text):
        printed = (row.get("name", ""), row.get("compute_cap", ""), _memory(row))
        counts[printed] = counts.get(printed, 0) + 1
    return tuple(gpu(*row, count) for row, count in counts.items())


def has_slices(text: str) -> bool:
    """Return whether an output shows that a GPU is partitioned (Multi-Instance GPU)."""
    is_on = any(row.get("mig.mode.current") == "Enabled" for row in _rows(text))
    return is_on or bool(SLICES.search(text))


def _rows(text: str) -> Iterator[Mapping[str, str]]:
    """Yield the rows. Nothing is quoted; a comma can only be in a name, the first column."""
    header: list[str] = []
    for line in text.splitlines()[:MAX_LINES]:
        cells = [cell.strip() for cell in line.rsplit(",", max(0, len(header) - 1))]
        if not header and "name" in (names := [cell.strip() for cell in line.split(",")]):
            header = names
        elif header and len(cells) == len(header):
            yield dict(zip(header, cells, strict=True))


def _memory(row: Mapping[str, str]) -> int:
    """Return the bytes that the driver reports; chips that share main memory state none."""
    return number(row.get("memory.total [MiB]", "")) * MIB


def gpu(name: str, capability: str, memory: int, count: int = 1) -> Device:
    """Return a GPU of NVIDIA; the capability is such as `8.6`, the memory counts bytes."""
    options: dict[str, object] = {"keys": ["cuda", "gpu"]}
    if match := CAPABILITY.fullmatch(capability):
        digits = match[1] + match[2]
        options["arch"] = f"sm_{digits}{'a' if digits in ACCELERATED else ''}"
        if int(match[1]) >= 5:
            options |= {
                "max_shared_memory_per_block": 49152,
                "max_threads_per_block": 1024,
                "thread_warp_size": 32,
                "registers_per_block": 32768 if digits in HALF_REGISTERS else 65536,
            }
    return Device(
        "cuda",
        options,
        vendor="NVIDIA",
        model=name.removeprefix("NVIDIA "),
        memory_bytes=memory,
        count=count,
    )
