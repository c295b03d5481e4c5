"""Recorded machines, and the microarchitecture that archspec detects on one of them."""

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from archspec.cpu import detect

from tests.databases import ROOT
from tests.domain.shipped import library
from ttag_rules.compatibility.processors import Processor
from ttag_rules.compatibility.tables import shipped_tables
from ttag_rules.notations.archspec import ARM_VENDORS
from ttag_rules.probe import arm

MACHINES = {"powerpc64le": "ppc64le"}  # uname's names where triples have others


def detected(patch: pytest.MonkeyPatch, cpuinfo: str, architecture: str) -> str:
    """Return the name of the microarchitecture that archspec chooses."""
    machine = MACHINES.get(architecture, architecture)
    patch.setattr(detect, "_machine", lambda: machine)
    patch.setattr(detect, "detected_info", detect.proc_cpuinfo)
    patch.setattr(detect, "open", lambda *_, **__: io.StringIO(cpuinfo), raising=False)
    detect.host.cache_clear()
    return str(detect.host().name)


def recordings(*architectures: str) -> list[Path]:
    """Return the folders of recorded machines of these architectures."""
    folders = (path.parent for path in (ROOT / "tests/client/probe/machines").glob("*/cpuinfo.txt"))
    return sorted(folder for folder in folders if _architecture(folder) in architectures)


def _architecture(folder: Path) -> str:
    body = json.loads((folder / "body.json").read_text())
    return str(body.get("mtriple", "")).partition("-")[0]


@dataclass(frozen=True)
class RecordedArmMachine:
    """A chip of which a dump in the catalogue says what Linux shows, with its tag's processor."""

    tag: str
    leaf: dict[str, Any]
    flags: frozenset[str]

    @property
    def processor(self) -> Processor:
        """The processor of the tag."""
        return Processor.from_leaf("", self.leaf, shipped_tables())

    @property
    def cpuinfo(self) -> str:
        """Return the text of Linux; dumps have no implementer, so it is that of the tag's core."""
        mcpu = self.leaf["mcpu"]
        *_, implementer = (each for each in ARM_VENDORS if mcpu in arm.CORES[each])
        return f"Features : {' '.join(sorted(self.flags))}\nCPU implementer : {implementer:#x}\n"


def recorded_arm_machines() -> Iterator[RecordedArmMachine]:
    """Yield the chips of dumps of 64 bits whose cores have names."""
    facts = json.loads((ROOT / "registry/catalogue/facts/cpu-dumps/arm.json").read_text())
    cores = {mcpu for names in arm.CORES.values() for mcpu in names}
    for row in facts["rows"]:
        versions = library().versions.get(row["tag"])
        target = versions[-1].resolution.target if versions else {}
        leaf = target.get("host", target)
        if row.get("bits") != 32 and leaf.get("mcpu") in cores:
            yield RecordedArmMachine(row["tag"], leaf, frozenset(row["flags"].split()))
