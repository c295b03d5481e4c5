"""Readings of GPUs: what a tool prints of one, and where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

from registry.domain.identify.places import leaves
from registry.domain.identify.readings import Fact, Ignored, Reading, Recognised
from ttag_rules.probe.body import device_body
from ttag_rules.probe.facts import Device
from ttag_rules.probe.names import with_vendor

Place = tuple[int, int]

MODEL, MEMORY = "/hardware/model", "/hardware/memory_bytes"
STATED = {MODEL, MEMORY, "/arch", "/mcpu", "/hardware/compute_units", "/device_name"}
GIB = 1 << 30
MAX_GPUS = 64  # of one reader; a machine has up to 16


@dataclass(frozen=True, slots=True)
class PrintedGpu:
    """A GPU that a text prints in some form, with the places of the values that it states."""

    device: Device
    form: str
    start: int
    end: int
    places: Mapping[str, Place] = field(default_factory=dict)

    def reading(self) -> Reading:
        """Return the GPU as a reading; what the text does not state is inferred from its name."""
        body = device_body(self.device)
        whole = self.places.get(MODEL, (self.start, self.end))
        facts = tuple(
            Fact(
                pointer,
                *self.places.get(pointer, whole),
                "text" if pointer in STATED and pointer in self.places else "inferred",
            )
            for pointer, _ in leaves(body)
        )
        form = Recognised(self.form, self.start, self.end)
        return Reading(body, facts, (), (form,), gpu_names(self.device))


def gpu_names(device: Device) -> tuple[str, ...]:
    """Return the names of a GPU: with its memory, by which namesakes differ, and without."""
    if not device.model:
        return ()
    name = with_vendor(device.vendor, device.model)
    sizes = {round(device.memory_bytes / GIB), -(-device.memory_bytes // GIB)} - {0}
    return (*(f"{name} {size}GB" for size in sorted(sizes)), name)


def supported_gpus(match: re.Match[str]) -> Reading:
    """Return a reading of no machine for the GPUs that a library was built for."""
    reason = "lists what a library was built for, not what the machine is"
    form = Recognised("architectures that a library supports", *match.span())
    ignored = Ignored(match[0][:200], reason, *match.span())
    return Reading({}, recognised=(form,), ignored=(ignored,))


def read_gpus(gpus: Iterable[PrintedGpu]) -> Iterator[Reading]:
    """Yield the readings of GPUs, those that are alike once, with their number."""
    alike: dict[str, list[PrintedGpu]] = {}
    for gpu in islice(gpus, MAX_GPUS):
        alike.setdefault(repr(gpu.device), []).append(gpu)
    for first, *others in alike.values():
        count = first.device.count + sum(gpu.device.count for gpu in others)
        reading = replace(first, device=replace(first.device, count=count)).reading()
        forms = (Recognised(gpu.form, gpu.start, gpu.end) for gpu in others)
        yield replace(reading, recognised=(*reading.recognised, *forms))
