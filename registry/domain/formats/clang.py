"""The `clang` format: clang's flags for a target's CPU, as one line.

`clang $(cat flags)`, `clang @flags` and pasting it into a shell give the same result.
"""

from __future__ import annotations

from registry.domain.exporting import MEDIA_TYPE_PREFIX, Export, Format, Subject
from registry.domain.toolchains.clang_flags import clang_flags
from registry.domain.toolchains.flags import flag_losses, shell_line


def write(subject: Subject) -> Export:
    """Write the flags for the target, or for its host. Raises `Refused` (FORMAT_UNFIT)."""
    flags = clang_flags(subject)
    target = [f"--target={flags.triple}"] if flags.triple else []
    text = shell_line([*target, *flags.words]) + "\n"
    return Export(text, flag_losses(subject, [flags.node], flags.written, flags.reasons))


FORMAT = Format(
    name="clang",
    media_type=f"text/{MEDIA_TYPE_PREFIX}.clang",
    summary="Flags for clang: the CPU and its calling convention, as one line.",
    write=write,
)
