"""Code for NVIDIA's GPUs: cubins and PTX, by compute capability.

The rules are those of the CUDA C++ Programming Guide: binary and PTX compatibility, and the
features of architectures and families.
"""

from __future__ import annotations

from collections.abc import Iterator

from ttag_rules.compatibility.devices.architectures import OPTIONS, Architecture
from ttag_rules.compatibility.devices.cuda_versions import version_findings
from ttag_rules.compatibility.devices.nodes import Pair
from ttag_rules.compatibility.options import FileForm, Options
from ttag_rules.compatibility.verdicts import Answer, Condition, Finding

KINDS = frozenset({"cuda", "nvptx"})
PTX_KIND = "nvptx"


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
        yield from version_findings(pair, code, machine, options, is_ptx=is_ptx)


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
    is_of_one_kind = not (code.is_tegra or machine.is_tegra)
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
