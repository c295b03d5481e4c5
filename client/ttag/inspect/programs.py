"""Programs, libraries and device code in a file, as far as it describes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ttag.errors import FileError

Body = dict[str, Any]


class Form(StrEnum):
    """A form of code."""

    PROGRAM = "program"
    CUBIN = "cubin"  # machine code for NVIDIA's GPUs
    PTX = "ptx"  # the driver compiles it for an NVIDIA GPU
    CODE_OBJECT = "code-object"  # machine code for AMD's GPUs


TITLES = {
    Form.PROGRAM: "Program",
    Form.CUBIN: "Cubin",
    Form.PTX: "PTX",
    Form.CODE_OBJECT: "AMD code object",
}


@dataclass(frozen=True, slots=True)
class Program:
    """Code of one form.

    `place` is its path and section. `body` is a target that states no more than what is certain.
    `is_complete` says that the code needs nothing else of its machine; otherwise the body is a
    lower bound, and `unstated` says what the file does not tell. `floors` are the least versions
    of libraries by name.
    """

    place: str
    form: Form
    body: Body
    is_complete: bool
    unstated: str = ""
    floors: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Inspection:
    """All code in a file, and notes about what was left out.

    `is_complete` is False if some of the code could not be read.
    """

    programs: tuple[Program, ...]
    notes: tuple[str, ...] = ()
    is_complete: bool = True


def whole(content: memoryview, start: int, size: int, place: str) -> memoryview:
    """Return so many bytes of a section. Raises `FileError` if it has fewer."""
    if start + size > len(content):
        raise FileError(f"{place} ends within its device code.")
    return content[start : start + size]
