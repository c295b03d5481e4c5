"""ELF files: read by pyelftools, within limits, and with one error for all that is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO

from ttag.errors import FileError, SettingsError

MAGIC = b"\x7fELF"
MAX_SECTIONS = 10_000  # libraries have dozens; one section for each function, thousands
MAX_SECTION = 2**30  # bytes that are read of one section; the fatbins of large libraries have half
MAX_SYMBOL_VERSIONS = 10_000
MISSING = "This needs pyelftools: install ttag[inspect]."


@dataclass(frozen=True, slots=True)
class ElfFile:
    """An ELF file that is open. Its methods raise `FileError` if the file is damaged."""

    file: Any  # elftools.elf.elffile.ELFFile, which has no types
    size: int

    @property
    def machine(self) -> str | int:
        """The name of the machine, such as `EM_X86_64`; its number if pyelftools has no name."""
        machine: str | int = self.file.header["e_machine"]
        return machine

    @property
    def flags(self) -> int:
        """The flags of the processor."""
        return int(self.file.header["e_flags"])

    @property
    def abi_version(self) -> int:
        """The version of the calling convention."""
        return int(self.file.header["e_ident"]["EI_ABIVERSION"])

    @property
    def is_64_bit(self) -> bool:
        """Return whether addresses have 64 bits."""
        return bool(self.file.elfclass == 64)

    @property
    def is_little_endian(self) -> bool:
        """Return whether the least significant byte of a number comes first."""
        return bool(self.file.little_endian)

    def interpreter(self) -> str:
        """Return the path of the dynamic loader; empty if there is none."""
        with readable():
            for segment in self.file.iter_segments(type="PT_INTERP"):
                return str(segment.get_interp_name())
        return ""

    def libraries(self) -> list[str]:
        """Return the names of the libraries that the loader has to find."""
        with readable():
            for segment in self.file.iter_segments(type="PT_DYNAMIC"):
                return [tag.needed for tag in segment.iter_tags("DT_NEEDED")]
        return []

    def symbol_versions(self) -> Iterator[tuple[str, str]]:
        """Yield each library with a version of its symbols that is needed: `GLIBC_2.17`."""
        left = MAX_SYMBOL_VERSIONS
        with readable():
            for section in self._sections("SHT_GNU_verneed"):
                for library, versions in section.iter_versions():
                    for version in versions:
                        if not (left := left - 1):
                            raise FileError("The file has too many versions of symbols.")
                        yield library.name, version.name

    def notes(self) -> Iterator[Any]:
        """Yield the notes of the sections, as pyelftools reads them."""
        with readable():
            for section in self._sections("SHT_NOTE"):
                yield from section.iter_notes()

    def attributes(self) -> dict[str, Any]:
        """Return the build attributes of Arm or RISC-V by tag; empty if there are none."""
        with readable():
            for kind in ("SHT_ARM_ATTRIBUTES", "SHT_RISCV_ATTRIBUTES"):
                for section in self._sections(kind):
                    return {
                        attribute.tag: attribute.value
                        for part in section.iter_subsections()
                        for each in part.iter_subsubsections()
                        for attribute in each.iter_attributes()
                    }
        return {}

    def section(self, name: str) -> bytes:
        """Return the content of a section; empty if there is none of this name."""
        with readable():
            for section in self._sections():
                if section.name == name and section["sh_type"] != "SHT_NOBITS":
                    self._check(section)
                    return bytes(section.data())
        return b""

    def _sections(self, kind: str = "") -> Iterator[Any]:
        if self.file.num_sections() > MAX_SECTIONS:
            raise FileError(f"The file has more than {MAX_SECTIONS} sections.")
        for section in self.file.iter_sections():
            if not kind or section["sh_type"] == kind:
                yield section

    def _check(self, section: Any) -> None:
        if section["sh_offset"] + section["sh_size"] > self.size:
            raise FileError(f"The file ends within its section {section.name}.")
        if section["sh_size"] > MAX_SECTION:
            raise FileError(f"The section {section.name} has more than {MAX_SECTION} bytes.")


def open_elf(stream: BinaryIO) -> ElfFile:
    """Open an ELF file. Raises `FileError` if it is damaged."""
    try:
        from elftools.elf.elffile import ELFFile  # noqa: PLC0415 - optional, with ttag[inspect]
    except ImportError as error:
        raise SettingsError(MISSING) from error
    size = stream.seek(0, 2)
    stream.seek(0)
    with readable():
        return ElfFile(ELFFile(stream), size)


@contextmanager
def readable() -> Iterator[None]:
    """Raise `FileError` for whatever a damaged file raises in pyelftools."""
    try:
        yield
    except FileError:
        raise
    except Exception as error:
        # pyelftools raises errors of its own, of its parser, and of Python for wrong offsets.
        raise FileError(f"The file is no valid ELF file: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{text[:100].rstrip('.')}." if text else f"{type(error).__name__}."
