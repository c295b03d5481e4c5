"""The microarchitecture that archspec detects on a machine, by its recorded /proc/cpuinfo."""

import io
import json
from pathlib import Path

import pytest
from archspec.cpu import detect

from tests.databases import ROOT

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
