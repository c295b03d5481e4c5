"""Versions of CUDA that compile for a GPU of NVIDIA, and of the drivers that it runs with.

They are those of the release notes of CUDA, for Linux, and of the history of PTX.
"""

from __future__ import annotations

from collections.abc import Iterator

from ttag_rules.compatibility.devices.architectures import OPTIONS, Architecture
from ttag_rules.compatibility.devices.nodes import Pair
from ttag_rules.compatibility.options import Options
from ttag_rules.compatibility.verdicts import Answer, Condition, Dimension, Finding
from ttag_rules.compatibility.versions import version_key

# The first toolkit that compiles for a capability, and for what a suffix makes of it.
TOOLKITS = {
    50: "6.0",
    52: "6.5",
    53: "7.0",
    60: "8.0",
    61: "8.0",
    62: "8.0",
    70: "9.0",
    72: "9.1",
    75: "10.0",
    80: "11.0",
    86: "11.1",
    87: "11.4",
    88: "13.0",
    89: "11.8",
    90: "11.8",
    100: "12.8",
    103: "12.9",
    107: "13.4",
    110: "12.8",
    120: "12.8",
    121: "12.9",
}
SUFFIX_TOOLKITS = {"a": "12.0", "f": "12.9"}
SUFFIX_CAPABILITIES = {"a": 90, "f": 100}  # the least with code for it alone, and for its family
# The least capability that a toolkit and those after it compile for.
LEAST_CAPABILITIES = {"9.0": 30, "11.0": 35, "12.0": 50, "13.0": 75}

# The least driver for what a toolkit compiles. Cubins need that of its major version alone; the
# compiler of PTX in the driver has to know the toolkit's version of the language.
DRIVERS = {
    "7.0": "346.46",
    "7.5": "352.31",
    "8.0": "367.48",
    "9.0": "384.81",
    "9.1": "390.46",
    "9.2": "396.26",
    "10.0": "410.48",
    "10.1": "418.39",
    "10.2": "440.33",
    "11.0": "450.36.06",
    "11.1": "455.23",
    "11.2": "460.27.03",
    "11.3": "465.19.01",
    "11.4": "470.42.01",
    "11.5": "495.29.05",
    "11.6": "510.39.01",
    "11.7": "515.43.04",
    "11.8": "520.61.05",
    "12.0": "525.60.13",
    "12.1": "530.30.02",
    "12.2": "535.54.03",
    "12.3": "545.23.06",
    "12.4": "550.54.14",
    "12.5": "555.42.02",
    "12.6": "560.28.03",
    "12.8": "570.26",
    "12.9": "575.51.03",
    "13.0": "580.65.06",
    "13.1": "590.44.01",
    "13.2": "595.45.04",
    "13.3": "610.43.02",
}
MAJOR_DRIVERS = {11: "450.80.02", 12: "525.60.13", 13: "580.65.06"}
# The last branch of drivers for capabilities below one.
LAST_BRANCHES = {30: "390", 50: "470", 75: "580"}


def version_findings(
    pair: Pair, code: Architecture, machine: Architecture, options: Options, *, is_ptx: bool
) -> Iterator[Finding]:
    """Yield the versions that are needed: a no only where the asker states another."""
    toolkit = options.toolkit if version_key(options.toolkit) else ""
    driver = options.driver if version_key(options.driver) else ""
    if reason := _reason_against_toolkit(code, toolkit):
        yield pair.finding(Answer.NO, reason, *OPTIONS, dimension=Dimension.FLOOR)
    if reason := _reason_against_driver(machine, driver):
        yield pair.finding(Answer.NO, reason, *OPTIONS, dimension=Dimension.FLOOR)
    needs = [
        (_toolkit_driver(toolkit or first_toolkit(code), is_ptx=is_ptx), "the code"),
        (_first_branch(machine), str(machine)),
    ]
    least, user = max(needs, key=lambda need: version_key(need[0]))
    if least:
        yield _driver_finding(pair, driver, least, f"Driver {least} is the least for {user}")


def first_toolkit(code: Architecture) -> str:
    """Return the first toolkit that compiles for an architecture; empty if not known."""
    first = TOOLKITS.get(code.number, "")
    return max(first, SUFFIX_TOOLKITS.get(code.suffix, ""), key=version_key) if first else ""


def _reason_against_toolkit(code: Architecture, toolkit: str) -> str:
    """Return why a toolkit does not compile for an architecture; empty if it may."""
    if not toolkit:
        return ""
    first, version = first_toolkit(code), version_key(toolkit)
    if version < version_key(first):
        return f"CUDA {toolkit} does not compile for {code}: {first} is the first."
    for later, least in LEAST_CAPABILITIES.items():
        if version >= version_key(later) and code.number < least:
            return f"CUDA {toolkit} does not compile for {code}: {later} removed it."
    return ""


def _reason_against_driver(machine: Architecture, driver: str) -> str:
    """Return why a driver is too late for a GPU; empty if it is not. Tegra has its own drivers."""
    if not driver or machine.is_tegra:
        return ""
    for later, branch in LAST_BRANCHES.items():
        if machine.number < later:
            is_later = version_key(driver)[:1] > version_key(branch)
            return f"Drivers after {branch} do not support {machine}." if is_later else ""
    return ""


def _toolkit_driver(toolkit: str, *, is_ptx: bool) -> str:
    """Return the least driver for what a toolkit compiles; empty if not known."""
    version = version_key(toolkit)
    major = MAJOR_DRIVERS.get(version[0], "") if version else ""
    if major and not is_ptx:
        return major
    earlier = [driver for name, driver in DRIVERS.items() if version_key(name) <= version]
    return earlier[-1] if earlier else ""


def _first_branch(machine: Architecture) -> str:
    """Return the branch of drivers that first supports a GPU; empty if not known."""
    if machine.is_tegra or machine.number not in TOOLKITS:
        return ""
    return _toolkit_driver(TOOLKITS[machine.number], is_ptx=True).partition(".")[0]


def _driver_finding(pair: Pair, driver: str, least: str, text: str) -> Finding:
    """Return a condition, unless the asker states a driver. `570` may be any of its branch."""
    has, needs = version_key(driver), version_key(least)
    is_older = bool(driver) and has < needs[: len(has)]
    is_met = bool(driver) and has >= needs
    return pair.finding(
        Answer.NO if is_older else Answer.YES if is_met else Answer.CONDITIONAL,
        f"{text}, and the machine has {driver}." if is_older else f"{text}.",
        *OPTIONS,
        conditions=[] if is_met or is_older else [Condition("driver", at_least=least)],
        dimension=Dimension.FLOOR,
    )
