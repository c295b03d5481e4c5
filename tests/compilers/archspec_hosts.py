"""What archspec detects on a machine, from its recorded /proc/cpuinfo."""

import io

import pytest
from archspec.cpu import detect

MACHINES = {"powerpc64le": "ppc64le"}  # uname's names where triples have others


def detected(patch: pytest.MonkeyPatch, cpuinfo: str, architecture: str) -> str:
    """Return the name of the microarchitecture that archspec chooses."""
    machine = MACHINES.get(architecture, architecture)
    patch.setattr(detect, "_machine", lambda: machine)
    patch.setattr(detect, "detected_info", detect.proc_cpuinfo)
    patch.setattr(detect, "open", lambda *_, **__: io.StringIO(cpuinfo), raising=False)
    detect.host.cache_clear()
    return str(detect.host().name)
