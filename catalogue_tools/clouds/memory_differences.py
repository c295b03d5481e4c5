"""Lists machine types whose memory by a list is not what a machine shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from catalogue_tools.clouds.guests import measured, measured_url
from catalogue_tools.clouds.machines import Machine
from catalogue_tools.facts import rows_by
from catalogue_tools.hardware import MIB
from catalogue_tools.tags import Disagreement

ROUNDING = 1  # MiB that lists cut off
CHOICE = "What the list states: enclaves take a part of what a machine shows, or less is sold."


def memory_differences(cloud: str, machines: Iterable[Machine]) -> Iterator[Disagreement]:
    """Yield the machine types of a cloud on whose memory a list and a machine differ.

    Those that the table of corrections settles are left out.
    """
    rows = (row for guests in measured(cloud).values() for row in guests.rows)
    measured_mib = {row["type"]: row["memory_mib"] for row in rows if "memory_mib" in row}
    settled = rows_by("corrections/facts", "tag").keys()
    for machine in machines:
        memory = measured_mib.get(machine.model, machine.memory_mib)
        if abs(memory - machine.memory_mib) > ROUNDING and machine.name not in settled:
            values = {machine.sources[0]: machine.memory_mib * MIB}
            values[measured_url(cloud)] = memory * MIB
            yield Disagreement(machine.name, "hardware.memory_bytes", {**values}, CHOICE)
