"""The `archspec` format: the processor as a microarchitecture, which archspec reads."""

from __future__ import annotations

from registry.domain.exporting import MEDIA_TYPE_PREFIX, Export, Format, Subject
from registry.domain.notation_exports import export
from ttag_rules.notations.archspec import archspec_entry


def write(subject: Subject) -> Export:
    """Write the entry of the target's processor, or its host's. Raises `Refused` (FORMAT_UNFIT)."""
    return export(subject, lambda target: archspec_entry(target, subject.reference))


FORMAT = Format(
    name="archspec",
    media_type=f"application/{MEDIA_TYPE_PREFIX}.archspec+json",
    summary="A microarchitecture for archspec: the processor's features and ancestors.",
    write=write,
    members=("microarchitectures",),
)
