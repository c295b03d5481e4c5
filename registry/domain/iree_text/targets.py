"""Build the body for one target of IREE from what flags or attributes state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from registry.domain.errors import Fault, echo
from registry.domain.toolchains.iree_devices import VULKAN_DEVICES, VULKAN_PRODUCTS
from ttag_rules.pointer import ROOT

LLVM_CPU, CUDA, ROCM, VULKAN, METAL = "llvm-cpu", "cuda", "rocm", "vulkan-spirv", "metal-spirv"
KINDS: Mapping[str, str] = {
    LLVM_CPU: "llvm",
    CUDA: "cuda",
    ROCM: "rocm",
    VULKAN: "vulkan",
    METAL: "metal",
}
HOST = "host"  # IREE's word for the machine that builds
BITS_OF_BYTE = 8


class TargetError(Exception):
    """A text without one target of IREE, with the fault that explains it."""

    def __init__(self, code: str, message: str, expected: str) -> None:
        super().__init__(message)
        self.fault = Fault(ROOT, code, message, expected)


@dataclass(slots=True)
class IreeTarget:
    """A target: its backend, and what is stated about it.

    `processor` is a CPU or the architecture of a GPU.
    """

    backend: str
    triple: str = ""
    processor: str = ""
    features: str = ""
    abi: str = ""
    float_abi: str = ""
    vector_bytes: int = 0
    notes: list[str] = field(default_factory=list)

    def body(self) -> dict[str, Any]:
        """Return the body. Raises `TargetError` if nothing or the building machine is stated."""
        for value in (self.processor, self.features, self.triple):
            if value == HOST:
                message = "host is the machine that builds, whatever it is"
                raise TargetError("OPTION_INVALID", message, "the name of its processor")
        if self.backend not in KINDS:
            expected = f"one of {', '.join(KINDS)}"
            message = f"{echo(self.backend)} compiles for no particular machine"
            raise TargetError("OPTION_INVALID", message, expected)
        return {"kind": KINDS[self.backend], **self._options()}

    def _options(self) -> dict[str, Any]:
        match self.backend:
            case "llvm-cpu":
                return self._cpu()
            case "cuda":
                return self._gpu("arch", "sm_", "sm_80")
            case "rocm":
                features = self._features()
                return {**self._gpu("mcpu", "gfx", "gfx942"), **features}
            case "vulkan-spirv" if self.processor:
                return self._vulkan()
        return {}

    def _vulkan(self) -> dict[str, Any]:
        if self.processor in VULKAN_DEVICES:
            return {"device": self.processor}
        for device, models in VULKAN_PRODUCTS.items():
            if self.processor in models:
                return {"device": device, "model": self.processor}
        names = [*VULKAN_DEVICES, *(name for names in VULKAN_PRODUCTS.values() for name in names)]
        message = f"{echo(self.processor)} is a name of IREE without one of TVM"
        raise TargetError("OPTION_INVALID", message, f"one of {', '.join(names)}")

    def _gpu(self, option: str, prefix: str, example: str) -> dict[str, Any]:
        if not self.processor.startswith(prefix):
            message = f"{echo(self.processor)} is not the architecture of a GPU"
            if not self.processor:
                message = f"the architecture of the {KINDS[self.backend]} GPU is not stated"
            raise TargetError("OPTION_MISSING", message, f"such as {example}")
        return {option: self.processor}

    def _features(self) -> dict[str, Any]:
        return {"mattr": self.features.split(",")} if self.features else {}

    def _cpu(self) -> dict[str, Any]:
        stated: dict[str, Any] = {
            "mtriple": self.triple,
            "mcpu": self.processor,
            **self._features(),
            "mabi": self.abi,
            "mfloat-abi": self.float_abi,
            "vector-width": self.vector_bytes * BITS_OF_BYTE,
        }
        options = {name: value for name, value in stated.items() if value}
        if not options:
            message = "nothing is stated about the CPU, so it is the machine that builds"
            expected = "--iree-llvmcpu-target-triple and --iree-llvmcpu-target-cpu"
            raise TargetError("OPTION_MISSING", message, expected)
        if not self.triple:
            self.notes.append("no triple is stated: add mtriple")
        return options
