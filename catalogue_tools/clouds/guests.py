"""Reads which processors the machines of a cloud's family report, and which features they hide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from catalogue_tools.clouds.processors import common, implied_features
from catalogue_tools.facts import Row, cached, read_table, url_of

GUESTS = "spare-cores/guests"
GPUS = "spare-cores/machine_gpus"
MISSING = "corrections/missing_cloud_types"
FOLDERS = {"alibaba": "alicloud", "hetzner": "hcloud"}  # of the source, where it has other names
# Their hypervisors show each thread of an x86 processor as a core of its own.
ONE_THREAD_PER_CORE = {"hetzner", "ovh", "upcloud", "vultr"}


@dataclass(frozen=True, slots=True)
class Guests:
    """The machines of a family that were measured, one of each type.

    `threads_per_core` is 0 where the hypervisor hides it.
    """

    rows: tuple[Row, ...]
    threads_per_core: int

    @property
    def mcpus(self) -> list[str]:
        """Return LLVM's names of their processors."""
        return sorted({row["mcpu"] for row in self.rows})

    @property
    def models(self) -> list[str]:
        """Return the names of their processors."""
        return sorted({row["model"] for row in self.rows})

    @property
    def mcpu(self) -> str:
        """Return LLVM's name of the processor whose code all of them can run."""
        return common(self.mcpus)

    def hidden(self, mcpu: str) -> tuple[str, ...]:
        """Return the features of a processor that one of the machines hides."""
        return hidden_features(mcpu, self.rows)


def hidden_features(mcpu: str, machines: Iterable[Row]) -> tuple[str, ...]:
    """Return the features of a processor that one of the machines hides."""
    hidden = {feature for row in machines for feature in row.get("hides", ())}
    return tuple(sorted(hidden & implied_features(mcpu)))


@cached
def measured(cloud: str) -> Mapping[str, Guests]:
    """Return what machines of a cloud report, by family, without those that are left out."""
    rows: dict[str, list[Row]] = {}
    for row in read_table(GUESTS).rows:
        if row["cloud"] == cloud and row["family"] not in left_out(cloud):
            rows.setdefault(row["family"], []).append(row)
    return {family: Guests(tuple(some), _threads(cloud, some)) for family, some in rows.items()}


def _threads(cloud: str, rows: Iterable[Row]) -> int:
    """Return the threads per core of a family; a machine with one vCPU has one of several."""
    threads = max(row["threads_per_core"] for row in rows)
    is_x86 = any(implied_features(row["mcpu"]) for row in rows)
    return 0 if threads == 1 and is_x86 and cloud in ONE_THREAD_PER_CORE else threads


def other_threads(cloud: str) -> dict[str, int]:
    """Return the threads per core of the types in which they differ from those of the family."""
    return {
        row["type"]: threads
        for guests in measured(cloud).values()
        for row in guests.rows
        if row["threads"] > 1 and (threads := _threads(cloud, [row])) != guests.threads_per_core
    }


def measured_url(cloud: str) -> str:
    """Return the address of what machines of a cloud report."""
    return url_of(GUESTS, path=f"data/{FOLDERS.get(cloud, cloud)}")


@cached
def left_out(cloud: str) -> frozenset[str]:
    """Return the families that have no tags, for the reasons in the table of what is missing."""
    names = (name for row in read_table(MISSING).rows for name in row.get("families", ()))
    return frozenset(name.partition("/")[2] for name in names if name.startswith(f"{cloud}/"))


def gpus(cloud: str) -> Mapping[str, Row]:
    """Return the GPUs of the machines of a cloud, by machine type."""
    return {row["type"]: row for row in read_table(GPUS).rows if row["cloud"] == cloud}
