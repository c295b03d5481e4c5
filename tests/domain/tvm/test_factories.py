"""Calls of the functions of `tvm.target`: as TVM answered them, or not at all.

`factories.json` has the command lines that the functions of releases returned, by release and call.
`link-params` is left out there: false is what a target without it means.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from registry.domain.importers.tvm import IMPORTER
from tests.domain.builders import KINDS, refusal

RECORDED = json.loads((Path(__file__).parent / "factories.json").read_text())
CALLS = [(call, line) for calls in RECORDED.values() for call, line in calls.items()]
NOTED = [
    ('hexagon("v60")', "as TVM 0.7 and 0.8 return it"),
    ('hexagon("v66", sim_args="--timing")', "sim_args is for the simulator: left out"),
    ('arm_cpu("stm32mp1")', "TVM 0.7 stated no mcpu for stm32mp1"),
    ('micro("nrf52840")', "until TVM 0.9 the mcpu of nrf52840 was cortex-m4"),
    ('arm_cpu("galaxy")', "arm_cpu knows no model galaxy: it states no machine"),
    ("arm_cpu()", "arm_cpu knows no model unknown: it states no machine"),
    ("cuda()", "the model is unknown, as the function cuda states it"),
]
REJECTED = [
    ("hexagon()", "hexagon without a version is v66 until TVM 0.12, and v68 afterwards"),
    ('hexagon("v99")', "v99 is not a version of hexagon"),
    ('hexagon("v66", 64)', "only the version of hexagon is stated without a name"),
    ('hexagon("v66", hvx=32)', "hvx is 32: expected 0, 64 or 128"),
    ('hexagon("v66", hvx=True)', "hvx is true: expected a number from 0"),
    ('hexagon("v68", use_qfloat=1)', "use_qfloat is 1: expected True or False"),
    ('hexagon("v68", llvm_options=[1])', "llvm_options is [1]: expected a text or a list of texts"),
    ('hexagon("v68", hvx_length=64)', "the argument hvx_length is not expected"),
    ('micro("nrf5284")', "micro has no model nrf5284"),
    ('stm32("stm32F9xx")', "stm32 has no model stm32F9xx"),
    ("stm32()", "stm32 has no model"),
    ('rocm("m", arch="gfx900")', "the argument arch is not expected"),
    ('cuda(arch="sm_80", options="-arch=sm_75")', "options states another arch than sm_80"),
    ('cuda("T4", options="-model=A10")', "options states another model than T4"),
    ('arm_cpu("rasp3b", options="-mattr=-neon")', "options states -mattr=-neon, the function"),
    ("arm_cpu(options={})", "options is {}: expected a text or a list of texts"),
    ("arm_cpu(board)", "the value of board is not stated"),
    ('arm_cpu("rasp3b").with_host(open("x"))', "open is not a call that is read"),
    ('opengl("x")', "tvm.target.opengl is not a call that is read"),
]


def read(call: str) -> Any:
    return IMPORTER.read(f"tvm.target.{call}", KINDS)


@pytest.mark.parametrize(("call", "line"), CALLS, ids=[call for call, _ in CALLS])
def test_calls_are_what_tvm_returned(call: str, line: str) -> None:
    assert read(call).body == IMPORTER.read(line, KINDS).body


@pytest.mark.parametrize(("call", "message"), NOTED)
def test_differences_between_releases_and_missing_machines_are_noted(
    call: str, message: str
) -> None:
    assert any(note.message.startswith(message) for note in read(call).notes)


@pytest.mark.parametrize(("call", "message"), REJECTED)
def test_calls_without_one_meaning_are_rejected(call: str, message: str) -> None:
    assert any(message in fault.message for fault in refusal(lambda: read(call)).faults)


def test_similar_models_are_suggested() -> None:
    (fault,) = refusal(lambda: read('micro("nrf5284")')).faults
    assert fault.suggestions[0] == "nrf52840"
