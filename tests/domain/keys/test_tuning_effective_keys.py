"""The keys that TVM uses to look up schedules for a leaf."""

from typing import Any

import pytest

from registry.domain.keys.tuning import effective_keys
from tests.domain.builders import KINDS, target_of
from ttag_rules.nodes import Node

# Measured: the keys that `tvm.target.Target` of TVM 0.27 gives to each of these.
MEASURED: list[tuple[dict[str, Any], list[str]]] = [
    ({"kind": "llvm", "mcpu": "x"}, ["cpu"]),
    ({"kind": "llvm", "mcpu": "x", "device": "d"}, ["d", "cpu"]),
    ({"kind": "llvm", "mcpu": "x", "keys": ["k"]}, ["k"]),
    ({"kind": "llvm", "mcpu": "x", "keys": ["k"], "device": "d"}, ["k", "d"]),
    ({"kind": "llvm", "mcpu": "x", "keys": ["k", "d", "k"], "device": "d"}, ["k", "d"]),
    ({"kind": "llvm", "mcpu": "x", "keys": []}, []),
    ({"kind": "llvm", "mcpu": "x", "keys": [], "device": "d"}, ["d"]),
    ({"kind": "llvm", "mcpu": "x", "device": "cpu"}, ["cpu"]),
    ({"kind": "llvm", "mtriple": "armv7a-linux"}, ["arm_cpu", "cpu"]),
    ({"kind": "llvm", "mtriple": "arm64-apple-macos"}, ["arm_cpu", "cpu"]),
    ({"kind": "llvm", "mtriple": "aarch64-linux-gnu", "device": "d"}, ["arm_cpu", "cpu", "d"]),
    ({"kind": "llvm", "mtriple": "aarch64", "keys": ["cpu"]}, ["cpu", "arm_cpu"]),
    ({"kind": "llvm", "mtriple": "aarch64", "keys": [], "device": "cpu"}, ["arm_cpu", "cpu"]),
    ({"kind": "llvm", "mtriple": "x86_64-arm"}, ["cpu"]),
    ({"kind": "llvm", "mtriple": "Arm"}, ["cpu"]),
    ({"kind": "llvm", "mcpu": "cortex-a57"}, ["cpu"]),
    ({"kind": "llvm", "mtriple": "armeb-none-eabi"}, ["arm_cpu", "cpu"]),
    ({"kind": "llvm", "mtriple": "thumbv7em-none-eabi"}, ["cpu"]),
    ({"kind": "llvm", "mtriple": "aarch64", "keys": ["arm_cpu"]}, ["arm_cpu", "cpu"]),
    ({"kind": "llvm", "mcpu": "cortex-m85", "device": "d"}, ["arm_cpu", "cpu", "d"]),
    ({"kind": "llvm", "mcpu": "Cortex-M7"}, ["cpu"]),
    *(
        ({"kind": kind, "mcpu": f"cortex-m{core}"}, ["arm_cpu", "cpu"])
        for kind in ("llvm", "c")
        for core in ("0", "0plus", "3", "4", "7", "33", "35p", "55", "85")
    ),
    ({"kind": "c", "mcpu": "cortex-m23"}, ["cpu"]),
    ({"kind": "c", "mcpu": "cortex-m1"}, ["cpu"]),
    ({"kind": "c", "mcpu": "cortex-m7", "keys": ["k"]}, ["k", "arm_cpu", "cpu"]),
    ({"kind": "c"}, ["cpu"]),
    ({"kind": "hexagon", "mcpu": "cortex-m7", "mtriple": "arm"}, ["hexagon", "cpu"]),
    ({"kind": "opencl", "device": "mali"}, ["mali", "opencl", "gpu"]),
    ({"kind": "opencl", "keys": ["adreno"], "device": "mali"}, ["adreno", "mali"]),
    ({"kind": "cuda", "arch": "sm_90"}, ["cuda", "gpu"]),
    ({"kind": "opencl", "device": "adreno"}, ["adreno", "opencl", "gpu"]),
    ({"kind": "vulkan"}, ["vulkan", "gpu"]),
    ({"kind": "vulkan", "device": "adreno", "keys": ["vulkan"]}, ["vulkan", "adreno"]),
    ({"kind": "cuda", "arch": "sm_90", "device": "gpu"}, ["gpu", "cuda"]),
    ({"kind": "nvptx", "mcpu": "sm_90"}, ["cuda", "gpu"]),
    ({"kind": "rocm", "mcpu": "gfx90a"}, ["rocm", "gpu"]),
    ({"kind": "metal"}, ["metal", "gpu"]),
    ({"kind": "webgpu"}, ["webgpu", "gpu"]),
    ({"kind": "hexagon", "device": "d"}, ["d", "hexagon", "cpu"]),
    ({"kind": "ext_dev", "device": "vta"}, ["vta"]),
    ({"kind": "trn"}, []),
    ({"kind": "test"}, []),
]


@pytest.mark.parametrize(("body", "keys"), MEASURED, ids=str)
def test_effective_keys_equal_tvms(body: dict[str, Any], keys: list[str]) -> None:
    leaf = Node("", target_of(body))
    assert effective_keys(leaf, KINDS.targets[leaf.kind]) == keys
