"""The `conda` format: the platform and virtual packages of a machine, as variables."""

from __future__ import annotations

from registry.domain.exporting import MEDIA_TYPE_PREFIX, Export, Format, Subject
from registry.domain.notation_exports import export
from ttag_rules.notations.conda import conda_variables


def write(subject: Subject) -> Export:
    """Write the variables, one per line. Raises `Refused` (FORMAT_UNFIT) without a platform."""
    return export(subject, conda_variables)


FORMAT = Format(
    name="conda",
    media_type=f"text/{MEDIA_TYPE_PREFIX}.conda",
    summary="Variables for conda, mamba and pixi: platform, processor, CUDA and C library.",
    write=write,
)
