"""The `tvm-string` importer: the command line that TVM accepted for targets until 0.23.

The line is read as a JSON target of TVM, or as several with commas, and then like other targets of
TVM.
"""

from __future__ import annotations

from dataclasses import replace

from registry.domain.document import Json
from registry.domain.errors import Code, Fault, Refused, echo
from registry.domain.importers import tvm
from registry.domain.importing import Imported, Importer, Note
from registry.domain.kinds.kinds import Kinds
from registry.domain.tvm.command_line_target import is_json
from registry.domain.tvm.command_line_targets import read_line
from registry.domain.tvm.python_text import is_call
from ttag_rules.pointer import ROOT


def read(source: Json, kinds: Kinds) -> Imported:
    """Read a command line; JSON and Python are passed to the importer `tvm`.

    Raises `Refused` with all faults, which point to the root and name the character, counted from
    0.
    """
    if not isinstance(source, str):
        message = f"{echo(source)} is not text; JSON is read by the importer tvm"
        fault = Fault(ROOT, "VALUE_TYPE", message, "a command line", echo(source))
        raise Refused(Code.BODY_INVALID, f"Not accepted: {message}.", faults=[fault])
    if is_json(source) or is_call(source):
        imported = tvm.read(source, kinds)
        language = "JSON" if is_json(source) else "Python"
        note = Note(ROOT, f"read as {language}, by the importer tvm")
        return replace(imported, notes=(note, *imported.notes))
    return read_line(source, kinds)


IMPORTER = Importer(
    name="tvm-string",
    summary="The command line that TVM accepted until 0.23, such as llvm -mcpu=cortex-a53; several "
    "targets are separated by commas.",
    read=read,
)
