"""Code for NVIDIA's GPUs: cubins and PTX, by compute capability.

The rules are those of the CUDA C++ Programming Guide (binary and PTX compatibility, and the
features of architectures and families); versions are those of the release notes of CUDA.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ttag.compatibility.devices.nodes import Pair
from ttag.compatibility.loader import version_key
from ttag.compatibility.options import FileForm, Options
from ttag.compatibility.verdicts import Answer, Condition, Dimension, Finding

KINDS = frozenset({"cuda", "nvptx"})
PTX_KIND = "nvptx"
ARCH = re.compile(r"(?:sm|compute)_([0-9]{2,3})([af]?)")
OPTIONS = ("arch", "mcpu")
RENAMED = {101: 110}  # the GPU of Thor, since CUDA 13
TEGRA = frozenset({53, 62, 72, 87, 110})  # of Jetson and DRIVE

# The first toolkit that compiles for an architecture.
TOOLKITS = {
    50: "6.5",
    52: "6.5",
    53: "7.0",
    60: "8.0",
    61: "8.0",
    62: "8.0",
    70: "9.0",
    72: "9.2",
    75: "10.0",
    80: "11.0",
    86: "11.1",
    87: "11.4",
    89: "11.8",
    90: "11.8",
    100: "12.8",
    103: "12.9",
    110: "12.8",
    120: "12.8",
    121: "12.9",
}
FAMILY_TOOLKIT = "12.9"  # the first with architectures such as sm_100f
# The least driver for what a toolkit compiles, on Linux: cubins need that of its major version.
DRIVERS = {
    "6.5": "340.29",
    "7.0": "346.46",
    "8.0": "367.48",
    "9.0": "384.81",
    "9.2": "396.26",
    "10.0": "410.48",
    "11.0": "450.36.06",
    "11.1": "455.23",
    "11.4": "470.42.01",
    "11.8": "520.61.05",
    "12.8": "570.26",
    "12.9": "575.51.03",
}
MAJOR_DRIVERS = {11: "450.80.02", 12: "525.60.13", 13: "580.65.06"}


@dataclass(frozen=True, slots=True)
class Architecture:
    """A compute capability, as the number of its name, and what its code is specific to.

    Code for `a` runs on this capability alone, for `f` on its family.
    """

    number: int
    suffix: str = ""

    @classmethod
    def parse(cls, text: str) -> Architecture | None:
        """Return the architecture of `sm_90a` or `compute_90`; None for another text."""
        match = ARCH.fullmatch(text)
        if not match:
            return None
        number = int(match[1])
        return cls(RENAMED.get(number, number), match[2])

    @property
    def major(self) -> int:
        """The major version of the capability: 9 of sm_90, 12 of sm_121."""
        return self.number // 10

    @property
    def toolkit(self) -> str:
        """The first toolkit that compiles for it; empty if not known."""
        return FAMILY_TOOLKIT if self.suffix == "f" else TOOLKITS.get(self.number, "")

    def __str__(self) -> str:
        """Return the name of the toolkit for it."""
        return f"sm_{self.number}{self.suffix}"


def cuda_findings(pair: Pair, options: Options) -> Iterator[Finding]:
    """Yield whether code for one NVIDIA GPU runs on another, and its floors."""
    code = Architecture.parse(pair.code.text(*OPTIONS))
    machine = Architecture.parse(pair.machine.text(*OPTIONS))
    if code is None or machine is None:
        side = "machine" if code else "code"
        yield pair.finding(Answer.UNKNOWN, f"The {side} states no compute capability.", *OPTIONS)
        return
    implied = FileForm.PTX if pair.code.kind == PTX_KIND else FileForm.CUBIN
    forms = options.ships or frozenset({implied})
    answer, reason = _answer(code, machine, forms)
    is_conditional = answer is Answer.NO and not options.ships and _runs_ptx(code, machine)
    if is_conditional:
        answer, reason = Answer.CONDITIONAL, f"{reason} PTX beside it would run."
    conditions = [Condition("ships", FileForm.PTX)] if is_conditional else []
    yield pair.finding(answer, reason, *OPTIONS, conditions=conditions)
    if answer is not Answer.NO:
        is_ptx = FileForm.CUBIN not in forms or not _runs_cubin(code, machine)
        yield from _floors(pair, code, options, is_ptx=is_ptx)


def _answer(
    code: Architecture, machine: Architecture, forms: frozenset[FileForm]
) -> tuple[Answer, str]:
    """Return whether one of the forms that are shipped runs, and why."""
    if FileForm.CUBIN in forms and _runs_cubin(code, machine):
        return Answer.YES, f"A cubin for {code} runs on {machine}."
    if FileForm.PTX in forms and _runs_ptx(code, machine):
        return Answer.YES, f"The driver compiles PTX for {code} for {machine}."
    return Answer.NO, _reason_against(code, machine, is_ptx=FileForm.CUBIN not in forms)


def _runs_cubin(code: Architecture, machine: Architecture) -> bool:
    if code.number == machine.number:
        return True
    is_of_one_kind = not {code.number, machine.number} & TEGRA
    is_later = code.major == machine.major and code.number < machine.number
    return is_later and is_of_one_kind and code.suffix != "a"


def _runs_ptx(code: Architecture, machine: Architecture) -> bool:
    if code.suffix == "a":
        return code.number == machine.number
    is_of_family = code.suffix != "f" or code.major == machine.major
    return code.number <= machine.number and is_of_family


def _reason_against(code: Architecture, machine: Architecture, *, is_ptx: bool) -> str:
    if code.suffix == "a":
        return f"Code for {code} runs on no other architecture than it, and this is {machine}."
    if code.number > machine.number:
        return f"The code is for {code}, which is later than {machine}."
    if code.suffix == "f":
        return f"Code for {code} runs on its family alone, and {machine} is of another."
    if is_ptx:
        return f"The driver compiles no PTX for {code} for {machine}."
    if code.major == machine.major:
        return f"Cubins for {code} and for {machine} exclude each other: one is a Tegra."
    return f"A cubin for {code} runs on no {machine}, whose major version is another."


def _floors(pair: Pair, code: Architecture, options: Options, *, is_ptx: bool) -> Iterator[Finding]:
    """Yield the least toolkit and driver: a no only where the asker states an older one."""
    toolkit = options.toolkit or code.toolkit
    if not toolkit:
        return
    if options.toolkit and version_key(options.toolkit) < version_key(code.toolkit):
        reason = f"CUDA {options.toolkit} does not compile for {code}: {code.toolkit} is the first."
        yield pair.finding(Answer.NO, reason, *OPTIONS, dimension=Dimension.FLOOR)
    least = _driver(toolkit, is_ptx=is_ptx)
    if not least:
        return
    is_older = bool(options.driver) and version_key(options.driver) < version_key(least)
    is_met = bool(options.driver) and not is_older
    text = f"What CUDA {toolkit} compiles needs driver {least} or later"
    yield pair.finding(
        Answer.NO if is_older else Answer.YES if is_met else Answer.CONDITIONAL,
        f"{text}, and the machine has {options.driver}." if is_older else f"{text}.",
        *OPTIONS,
        conditions=[] if is_met else [Condition("driver", at_least=least)],
        dimension=Dimension.FLOOR,
    )


def _driver(toolkit: str, *, is_ptx: bool) -> str:
    """Return the least driver. That for PTX has to know the toolkit's version of the language."""
    major = MAJOR_DRIVERS.get(version_key(toolkit)[0], "")
    return DRIVERS.get(toolkit, major) if is_ptx or not major else major
