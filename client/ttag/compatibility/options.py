"""Options of a question: facts of the build and the machine beyond their targets."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FileForm(StrEnum):
    """A form in which code for NVIDIA's GPUs is shipped."""

    CUBIN = "cubin"  # machine code of one architecture
    PTX = "ptx"  # the driver compiles it for its GPU


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a question; empty ones are not known.

    `ships` lists the forms of device code in the file: empty means what the kind implies, cubin for
    `cuda`, PTX for `nvptx`. `toolkit` built it and `driver` runs it, as versions. `strict` counts
    guarded instructions as emitted ones: for code that uses all that its target has.
    """

    ships: frozenset[FileForm] = frozenset()
    toolkit: str = ""
    driver: str = ""
    strict: bool = False


DEFAULT_OPTIONS = Options()
