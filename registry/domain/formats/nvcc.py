"""The `nvcc` format: the GPUs that nvcc compiles for, as one line of its options."""

from __future__ import annotations

from registry.domain.notation_exports import notation_format
from ttag_rules.notations.nvcc import nvcc_options

FORMAT = notation_format(
    "nvcc",
    "Options for nvcc: machine code and PTX for every NVIDIA GPU, as one line.",
    nvcc_options,
)
