"""Code for AMD's GPUs: by target ID, as LLVM's user guide of its AMDGPU back end defines it."""

from __future__ import annotations

from collections.abc import Iterator

from ttag_rules.compatibility.devices.nodes import DeviceNode, Pair
from ttag_rules.compatibility.processors import texts
from ttag_rules.compatibility.verdicts import Answer, Finding

KINDS = frozenset({"rocm"})
OPTION = "mcpu"
SETTINGS = ("xnack", "sramecc")
GENERIC_SUFFIX = "-generic"
# Generic processors, and those that run their code.
GENERIC = {
    "gfx9-generic": ("gfx900", "gfx902", "gfx904", "gfx906", "gfx909", "gfx90c"),
    "gfx9-4-generic": ("gfx942", "gfx950"),
    "gfx10-1-generic": ("gfx1010", "gfx1011", "gfx1012", "gfx1013"),
    "gfx10-3-generic": tuple(f"gfx103{digit}" for digit in range(7)),
    "gfx11-generic": (
        *(f"gfx110{digit}" for digit in range(4)),
        *(f"gfx115{digit}" for digit in range(4)),
    ),
    "gfx12-generic": ("gfx1200", "gfx1201"),
}


def amd_findings(pair: Pair) -> Iterator[Finding]:
    """Yield whether code for one AMD GPU runs on another."""
    answer, reason = _answer(pair.code, pair.machine)
    yield pair.finding(answer, reason, OPTION)


def _answer(code: DeviceNode, machine: DeviceNode) -> tuple[Answer, str]:
    built, has = _gpu(code), _gpu(machine)
    if not (built and has):
        side = "machine" if built else "code"
        return Answer.UNKNOWN, f"The {side} states no GPU of AMD."
    if built.endswith(GENERIC_SUFFIX) and built not in {has, *GENERIC}:
        return Answer.UNKNOWN, f"The members of {built} are not known."
    if built != has and has not in GENERIC.get(built, ()):
        if built in GENERIC.get(has, ()):
            return Answer.UNKNOWN, f"The machine is any of {has}, perhaps not {built}."
        return Answer.NO, f"The code is for {built}, which {has} does not run."
    return _compare_settings(code, machine) or (Answer.YES, f"{has} runs code for {built}.")


def _compare_settings(code: DeviceNode, machine: DeviceNode) -> tuple[Answer, str] | None:
    """Return the first setting that differs; code that states none runs with any."""
    for name in SETTINGS:
        built, has = _setting(code, name), _setting(machine, name)
        if built and not has:
            return Answer.UNKNOWN, f"The code needs {built}{name}, and the machine states neither."
        if built and built != has:
            return Answer.NO, f"The code needs {built}{name}, and the machine has {has}{name}."
    return None


def _gpu(device: DeviceNode) -> str:
    """Return the processor of a device, without the settings of a target ID."""
    return device.text(OPTION).partition(":")[0]


def _setting(device: DeviceNode, name: str) -> str:
    """Return the sign with which a setting is stated; empty for any.

    It stands in a target ID, `gfx90a:xnack+`, or among features, of which the last decides.
    """
    _, *stated = device.text(OPTION).split(":")
    signs = [setting[-1] for setting in stated if setting[:-1] == name]
    signs += [each[0] for each in texts(device.target, "mattr") if each[1:] == name]
    return signs[-1] if signs else ""
