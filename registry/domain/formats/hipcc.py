"""The `hipcc` format: the GPUs that hipcc compiles for, as one line of its options."""

from __future__ import annotations

from registry.domain.exporting import MEDIA_TYPE_PREFIX, Export, Format, Subject
from registry.domain.notation_exports import export
from ttag_rules.notations.hipcc import hipcc_options


def write(subject: Subject) -> Export:
    """Write `--offload-arch` for every AMD GPU. Raises `Refused` (FORMAT_UNFIT) without one."""
    return export(subject, hipcc_options)


FORMAT = Format(
    name="hipcc",
    media_type=f"text/{MEDIA_TYPE_PREFIX}.hipcc",
    summary="Options for hipcc: the target ID of every AMD GPU, as one line.",
    write=write,
)
