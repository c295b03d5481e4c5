"""`rocminfo`: AMD's GPUs, one agent each, beside agents for processors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ttag_rules.probe.facts import Device, number

AGENT = re.compile(r"^Agent [0-9]+ *$", re.MULTILINE)
GPU_NAME = re.compile(r"gfx[0-9a-f]{3,5}")
KIB = 1024
MAX_AGENTS = 256


def parse(text: str) -> tuple[Device, ...]:
    """Return the GPUs, those that are alike once, with their number."""
    devices: dict[str, tuple[Device, int]] = {}
    for agent in AGENT.split(text)[1 : MAX_AGENTS + 1]:
        if device := _device(agent):
            known, count = devices.get(repr(device), (device, 0))
            devices[repr(device)] = (known, count + 1)
    return tuple(replace(device, count=count) for device, count in devices.values())


def _device(agent: str) -> Device | None:
    """Return the GPU of an agent, or nothing for a processor or accelerator of another kind."""
    head, _, pools = agent.partition("Pool Info:")
    name = _value(head, "Name")
    if _value(head, "Device Type") != "GPU" or not GPU_NAME.fullmatch(name):
        return None
    options: dict[str, object] = {"keys": ["rocm", "gpu"], "mcpu": name}
    if threads := number(_value(head, "Workgroup Max Size")):
        options |= {"max_threads_per_block": threads, "max_num_threads": threads}
    if wavefront := number(_value(head, "Wavefront Size")):
        options["thread_warp_size"] = wavefront
    sizes = dict(_pools(pools.partition("ISA Info:")[0]))
    if shared := sizes.get("GROUP"):
        options["max_shared_memory_per_block"] = shared
    return Device(
        "rocm",
        options,
        vendor="AMD",
        model=_value(head, "Marketing Name").removeprefix("AMD "),
        compute_units=number(_value(head, "Compute Unit")),
        memory_bytes=sizes.get("GLOBAL", 0),
        l2_cache_bytes=number(_value(head, "L2")) * KIB,
    )


def _value(text: str, name: str) -> str:
    """Return the first value of a name. Its colon may follow the name without a space."""
    match = re.search(rf"^ *{re.escape(name)}: *(\S.*?)? *$", text, re.MULTILINE)
    return (match[1] or "") if match else ""


def _pools(text: str) -> Iterator[tuple[str, int]]:
    """Yield the segment and size in bytes of each pool, the first of a segment last."""
    pools = re.split(r"^ *Pool [0-9]+ *$", text, flags=re.MULTILINE)[1:]
    for pool in reversed(pools):
        segment = _value(pool, "Segment").partition(";")[0]
        yield segment, number(_value(pool, "Size")) * KIB
