"""The `clang` format: clang's flags for a target's CPU, as one line.

`clang $(cat flags)`, `clang @flags` and pasting it into a shell give the same result.
"""

from __future__ import annotations

from registry.domain.exporting import MEDIA, Export, Format, Subject
from registry.domain.toolchains.c_flags import c_flags
from registry.domain.toolchains.flags import line, losses


def write(subject: Subject) -> Export:
    """Write the flags for the target, or for its host. Raises `Refused` (FORMAT_UNFIT)."""
    flags = c_flags(subject)
    target = [f"--target={flags.triple}"] if flags.triple else []
    text = line([*target, *flags.words]) + "\n"
    return Export(text, losses(subject, [flags.node], flags.written, flags.reasons))


FORMAT = Format(
    name="clang",
    media_type=f"text/{MEDIA}.clang",
    summary="Flags for clang: the CPU and its calling convention, as one line.",
    write=write,
)
