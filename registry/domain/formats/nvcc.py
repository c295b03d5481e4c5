"""The `nvcc` format: the GPUs that nvcc compiles for, as one line of its options."""

from __future__ import annotations

from registry.domain.exporting import MEDIA_TYPE_PREFIX, Export, Format, Subject
from registry.domain.notation_exports import export
from ttag_rules.notations.nvcc import nvcc_options


def write(subject: Subject) -> Export:
    """Write `-gencode` for every NVIDIA GPU. Raises `Refused` (FORMAT_UNFIT) if there is none."""
    return export(subject, nvcc_options)


FORMAT = Format(
    name="nvcc",
    media_type=f"text/{MEDIA_TYPE_PREFIX}.nvcc",
    summary="Options for nvcc: machine code and PTX for every NVIDIA GPU, as one line.",
    write=write,
)
