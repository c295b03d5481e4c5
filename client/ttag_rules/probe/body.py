"""The body that describes a machine: a processor, or GPUs with the processor as their host."""

from __future__ import annotations

from dataclasses import dataclass, field

from ttag_rules.probe import linux, macos
from ttag_rules.probe.devices import find_devices
from ttag_rules.probe.facts import Device, Notes, Processor, Unknown
from ttag_rules.probe.outputs import Outputs

MAX_NAME = 120  # characters of a vendor or model, as the registry limits them
MAX_CORES = 65536  # of num-cores, as the kind llvm limits it

Body = dict[str, object]


@dataclass(frozen=True)
class Description:
    """A body, what was learned from which output, and what could not be learned."""

    body: Body
    sources: dict[str, list[str]] = field(default_factory=dict)
    unknown: list[Unknown] = field(default_factory=list)


def describe(outputs: Outputs) -> Description | None:
    """Return the description of a machine, or nothing if no output tells what it is."""
    notes = Notes()
    system = macos if outputs.text(macos.SOURCE) else linux
    processor = system.find_processor(outputs, notes)
    devices = find_devices(outputs, notes)
    if processor is None and not devices:
        return None
    host = _processor_body(processor) if processor else None
    return Description(_machine_body(host, devices), notes.sources, notes.unknown)


def _machine_body(host: Body | None, devices: list[Device]) -> Body:
    if not devices:
        return host or {}
    bodies = [device_body(device) for device in devices]
    body = bodies[0]
    if len(bodies) > 1:
        body = {
            "kind": "composite",
            "devices": {f"gpu{index}": each for index, each in enumerate(bodies)},
        }
    return {**body, "host": host} if host else body


# Decision 087: states what LLVM knows by name, and switches off what is lacking.
def _processor_body(processor: Processor) -> Body:
    core = processor.core
    body: Body = {"kind": "llvm"}
    if processor.key:
        body["keys"] = [processor.key, "cpu"]
    body |= {"mtriple": processor.mtriple, "mcpu": core.mcpu}
    if core.mattr:
        body["mattr"] = list(core.mattr)
    if core.mabi:
        body["mabi"] = core.mabi
    if 0 < processor.cores <= MAX_CORES:
        body["num-cores"] = processor.cores
    return _with_hardware(
        body,
        vendor=processor.vendor,
        model=processor.model,
        cores=processor.cores,
        threads=processor.threads,
        memory_bytes=processor.memory_bytes,
        l2_cache_bytes=processor.l2_cache_bytes,
        l3_cache_bytes=processor.l3_cache_bytes,
    )


def device_body(device: Device) -> Body:
    """Return the body of a GPU without a host."""
    return _with_hardware(
        {"kind": device.kind, **device.options},
        vendor=device.vendor,
        model=device.model,
        compute_units=device.compute_units,
        memory_bytes=device.memory_bytes,
        l2_cache_bytes=device.l2_cache_bytes,
        accelerators=device.count if device.count > 1 else 0,
    )


def _with_hardware(body: Body, **facts: str | int) -> Body:
    """Return a body with the facts that are known."""
    known = {name: _fact(value) for name, value in facts.items()}
    hardware = {name: value for name, value in known.items() if value}
    return {**body, "hardware": hardware} if hardware else body


def _fact(value: str | int) -> str | int:
    """Return a fact as the registry takes it: names on one line, exact integers above 0."""
    if isinstance(value, str):
        return " ".join(value.split())[:MAX_NAME].strip()
    return value if 0 < value < 2**53 else 0
