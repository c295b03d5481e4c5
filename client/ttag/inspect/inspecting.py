"""Read what a file was built for: a program, library, cubin, code object, or a wheel of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from ttag.errors import FileError
from ttag.inspect import amd, cuda
from ttag.inspect.elf import MAGIC, ElfFile, open_elf
from ttag.inspect.processors import read_program
from ttag.inspect.programs import Inspection, Program
from ttag.inspect.wheels import ZIP_MAGIC, programs_in

EXPECTED = "an ELF program or library, a cubin, an AMD code object, or a wheel"


def inspect(path: Path) -> Inspection:
    """Return what a file was built for. Raises `FileError` if it is unreadable or no program."""
    try:
        with path.open("rb") as stream:
            return _inspect(stream, path.name)
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}.") from error


def _inspect(stream: BinaryIO, name: str) -> Inspection:
    start = stream.read(len(MAGIC))
    reader, notes = _Reader(), list[str]()
    if start == MAGIC:
        programs = reader.read(stream, name)
    elif start == ZIP_MAGIC:
        programs = [
            program
            for member, content in programs_in(stream)
            for program in reader.read(content, member)
        ]
        if not (programs or reader.unread):
            notes = ["The wheel holds no compiled code."]
    else:
        raise FileError(f"{name} is no program. Expected {EXPECTED}.")
    # A library repeats each architecture for each of its source files.
    unique = {(each.place, each.form, str(each.body)): each for each in programs}
    notes += dict.fromkeys(reader.unread)
    return Inspection(tuple(unique.values()), tuple(notes), is_complete=not reader.unread)


class _Reader:
    """Reads programs; `unread` says which code it cannot read."""

    def __init__(self) -> None:
        self.unread: list[str] = []

    def read(self, stream: BinaryIO, place: str) -> list[Program]:
        """Return the program in a file and the device code in its sections."""
        file = open_elf(stream)
        if file.machine == cuda.MACHINE:
            return [cuda.read_cubin(file, place)]
        if file.machine == amd.MACHINE:
            return [amd.read_code_object(file, place)]
        program = read_program(file, place)
        if not program:
            self.unread.append(f"{place}: no target names its architecture, {file.machine}.")
        return [*filter(None, [program]), *self._device_code(file, place)]

    def _device_code(self, file: ElfFile, place: str) -> Iterator[Program]:
        yield from cuda.read_fatbins(file.section(cuda.SECTION), f"{place}: {cuda.SECTION}")
        for name in amd.SECTIONS:
            for part in amd.read_section(file.section(name), f"{place}: {name}"):
                if isinstance(part, Program):
                    yield part
                else:
                    self.unread.append(part)
