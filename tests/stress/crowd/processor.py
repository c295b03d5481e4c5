"""Processor time of the processes of a run, by what they do."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.stress.server import descendants_of

SECOND = os.sysconf("SC_CLK_TCK")  # ticks
MACHINE = "the whole machine"
TICKS = slice(11, 15)  # of a process and the children that it has waited for, after its state


def processor_time(groups: Mapping[str, Sequence[int]], own: str) -> dict[str, float]:
    """Return the seconds that each group of process trees has taken, and all of the machine.

    `own` is the name for this process, without those that it has started.
    """
    times = {name: sum(map(_seconds_of_tree, roots)) for name, roots in groups.items()}
    return times | {own: sum(os.times()[:2]), MACHINE: _seconds_of_machine()}


def _seconds_of_tree(root: int) -> float:
    return sum(_seconds(process) for process in (root, *descendants_of(root)))


def _seconds(process: int) -> float:
    """Return the seconds of a process; 0 if it has ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(map(int, fields[TICKS])) / SECOND


def _seconds_of_machine() -> float:
    """Return the seconds for which all processors were busy."""
    user, nice, system, *_ = Path("/proc/stat").read_text().split()[1:]
    return (int(user) + int(nice) + int(system)) / SECOND
