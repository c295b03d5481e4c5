import re
from typing import Any

import pytest

from registry.domain.errors import Code
from registry.domain.formats.nvcc import FORMAT
from tests.domain.builders import refusal
from tests.domain.formats.machines import if_fit, machine, machines
from ttag_rules.compatibility.devices.architectures import Architecture
from ttag_rules.compatibility.devices.cuda_versions import TOOLKITS
from ttag_rules.compatibility.options import FileForm, Options
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.verdicts import Answer

OPTION = re.compile(r"-gencode=arch=compute_(\w+),code=(sm|compute)_(\w+)")
CHIPS = sorted(TOOLKITS.keys() - {107})
HOST = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell"}


def cuda(arch: str, **options: Any) -> dict[str, Any]:
    return {"kind": "cuda", "arch": arch, **options}


def nvptx(mcpu: str) -> dict[str, Any]:
    return {"kind": "nvptx", "mcpu": mcpu}


def composite(*devices: Any) -> dict[str, Any]:
    return {"kind": "composite", "devices": [*devices], "host": HOST}


def codes(text: str) -> list[str]:
    """Return what the options compile: `sm_90`, or `compute_90` for PTX."""
    matches = [OPTION.fullmatch(word) for word in text.split()]
    assert all(match and match[1] == match[3] for match in matches)
    return [f"{match[2]}_{match[3]}" for match in matches if match]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (cuda("sm_86"), "sm_86 compute_86"),
        (cuda("sm_90a"), "sm_90 sm_90a compute_90"),
        (cuda("sm_100f"), "sm_100f compute_100"),
        (composite(cuda("sm_100"), cuda("sm_100f")), "sm_100f compute_100"),
        (composite(cuda("sm_100a"), cuda("sm_100f")), "sm_100a sm_100f compute_100"),
        (composite(cuda("sm_103"), cuda("sm_100f")), "sm_100f compute_100 sm_103 compute_103"),
        (composite(nvptx("sm_100f"), cuda("sm_100")), "sm_100 compute_100 compute_100f"),
        (cuda("sm_101"), "sm_110 compute_110"),
        (cuda("sm_101a"), "sm_110 sm_110a compute_110"),
        (nvptx("sm_80"), "compute_80"),
        (nvptx("sm_90a"), "compute_90 compute_90a"),
        (composite(cuda("sm_120"), cuda("sm_86")), "sm_86 compute_86 sm_120 compute_120"),
        (composite(cuda("sm_90"), cuda("sm_90a")), "sm_90 sm_90a compute_90"),
        (composite(cuda("sm_90"), nvptx("sm_90")), "sm_90 compute_90"),
        (composite(composite(cuda("sm_87"))), "sm_87 compute_87"),
    ],
)
def test_each_gpu_is_written_with_ptx_and_beside_its_plain_architecture(
    body: dict[str, Any], expected: str
) -> None:
    assert codes(FORMAT.write(machine(body)).text) == expected.split()


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (HOST, "it states no GPU of NVIDIA"),
        ({"kind": "cuda"}, "it states no GPU of NVIDIA"),
        ({"kind": "cuda", "mcpu": "sm_90"}, "it states no GPU of NVIDIA"),  # mcpu is not read
        ({"kind": "nvptx"}, "it states no GPU of NVIDIA"),
        ({"kind": "rocm", "mcpu": "gfx90a"}, "it states no GPU of NVIDIA"),
        ({"kind": "opencl"}, "it states no GPU of NVIDIA"),
        (cuda("sm_21"), "no CUDA from 12.0 on compiles for sm_21"),
        (cuda("sm_35"), "no CUDA from 12.0 on compiles for sm_35"),
        (cuda("sm_99"), "no CUDA from 12.0 on compiles for sm_99"),
        (cuda("sm_900"), "no CUDA from 12.0 on compiles for sm_900"),
        (cuda("sm_80a"), "CUDA has no sm_80a"),
        (cuda("sm_90f"), "CUDA has no sm_90f"),
        (cuda("sm_90x"), "sm_90x is no architecture of CUDA"),
        (nvptx("sm_80f"), "CUDA has no sm_80f"),
    ],
)
def test_a_target_without_a_gpu_that_nvcc_compiles_for_is_refused(
    body: dict[str, Any], reason: str
) -> None:
    refused = refusal(lambda: FORMAT.write(machine(body)))
    assert refused.code is Code.FORMAT_UNFIT
    assert refused.detail == f"acme/board@1.0.0 has no text in this format: {reason}."


def test_a_gpu_that_nvcc_does_not_compile_for_is_dropped_with_the_reason() -> None:
    export = FORMAT.write(machine(composite(cuda("sm_86"), cuda("sm_35"), "vulkan")))
    assert codes(export.text) == ["sm_86", "compute_86"]
    reasons = {loss.pointer: loss.reason for loss in export.dropped}
    assert reasons["/devices/1"] == "no CUDA from 12.0 on compiles for sm_35"
    assert reasons.keys() == {"/kind", "/devices/1", "/devices/2", "/host"}


def test_what_is_no_architecture_is_dropped() -> None:
    export = FORMAT.write(machine(cuda("sm_87", thread_warp_size=32, host=HOST)))
    assert {loss.pointer for loss in export.dropped} == {"/thread_warp_size", "/host"}


def test_code_runs_on_the_gpu_of_a_target_and_later_ones_and_on_none_before() -> None:
    seen = 0
    for subject in machines().values():
        export = if_fit(FORMAT.write, subject)
        if not export or subject.target.get("kind") != "cuda":
            continue
        stated = str(subject.target["arch"])
        names = codes(export.text)
        assert "compute_" + stated[3:].rstrip("af") in names
        assert {name for name in names if name.startswith("sm_")} == {stated, stated.rstrip("af")}
        for chip in CHIPS:
            assert runs(names, chip) is is_later_or_same(stated, chip), (stated, chip)
        seen += 1
    assert seen > 30


def runs(names: list[str], chip: int) -> bool:
    """Return whether some of the code runs on a chip, by the relation of compatibility."""
    answers = []
    for name in names:
        form = FileForm.CUBIN if name.startswith("sm_") else FileForm.PTX
        body = cuda(f"sm_{name.partition('_')[2]}")
        options = Options(ships=frozenset({form}))
        answers.append(verdict(body, cuda(f"sm_{chip}"), options).answer)
    return Answer.YES in answers


def is_later_or_same(stated: str, chip: int) -> bool:
    architecture = Architecture.parse(stated)
    assert architecture
    return architecture.number <= chip
