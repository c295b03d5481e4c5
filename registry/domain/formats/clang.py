"""The flags by which clang builds for a target's CPU, as one line.

`clang $(cat flags)`, `clang @flags` and pasting it into a shell all read the same.
"""

from __future__ import annotations

from registry.domain.exporting import MEDIA, Export, Format, Subject
from registry.domain.toolchains.c_flags import c_flags
from registry.domain.toolchains.flags import line, losses


def write(subject: Subject) -> Export:
    """Write the flags of the target, or of its host. Raises `Refused` (FORMAT_UNFIT)."""
    flags = c_flags(subject)
    target = [f"--target={flags.triple}"] if flags.triple else []
    text = line([*target, *flags.words]) + "\n"
    return Export(text, losses(subject, [flags.node], flags.said, flags.reasons))


FORMAT = Format(
    name="clang",
    media_type=f"text/{MEDIA}.clang",
    summary="Flags for clang: the CPU and its calling convention, as one line.",
    write=write,
)
