"""The readers of pasted texts, one module for each form; an earlier one wins where two overlap."""

from __future__ import annotations

from registry.domain.identify.notations import NOTATIONS
from registry.domain.identify.readers import (
    amd,
    android,
    apple,
    cuda_programs,
    labels,
    nvidia,
    opencl,
    processors,
    vulkan,
)
from registry.domain.identify.readings import Reader

READERS: tuple[Reader, ...] = (
    nvidia.read,
    cuda_programs.read,
    amd.read,
    vulkan.read,
    opencl.read,
    processors.read_lscpu,
    processors.read_cpuinfo,
    apple.read,
    android.read,
    labels.read,
    *NOTATIONS,
)
