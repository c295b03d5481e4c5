"""The `wheel-variant` format: properties by which installers choose between variants of a wheel."""

from __future__ import annotations

from registry.domain.exporting import MEDIA_TYPE_PREFIX, Export, Format, Subject
from registry.domain.notation_exports import export
from ttag_rules.notations.wheel_variant import wheel_properties


def write(subject: Subject) -> Export:
    """Write the properties of the processor. Raises `Refused` (FORMAT_UNFIT) without one."""
    return export(subject, wheel_properties)


FORMAT = Format(
    name="wheel-variant",
    media_type=f"application/{MEDIA_TYPE_PREFIX}.wheel-variant+json",
    summary="Properties of wheel variants (PEP 817, a draft) that the processor supports.",
    write=write,
    members=("properties",),
)
