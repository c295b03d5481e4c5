"""The `clang` importer: command lines of clang, gcc, nvcc and hipcc, or their flags alone."""

from __future__ import annotations

from registry.domain.compile_commands.command import read_command
from registry.domain.compile_commands.words import CommandError
from registry.domain.document import Json
from registry.domain.errors import Code, Refused
from registry.domain.importing import Imported, Importer, require_text
from registry.domain.kinds.kinds import Kinds
from registry.domain.tvm.json_target import import_body


def read(source: Json, kinds: Kinds) -> Imported:
    """Read the machine of a compile command; the rest of it is left out with a note.

    Raises `Refused`: for flags that state no single machine, and for flags that are not known.
    """
    text = require_text(source, "a command line")
    try:
        machine = read_command(text)
    except CommandError as error:
        raise Refused(Code.BODY_INVALID, f"Not accepted: {error}.", faults=[error.fault]) from None
    return import_body(machine.body, kinds, machine.notes)


IMPORTER = Importer(
    name="clang",
    summary="A command line of clang, gcc, nvcc or hipcc, or its flags, such as -march=haswell.",
    read=read,
)
