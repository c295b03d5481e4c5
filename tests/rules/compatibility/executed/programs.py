"""Assembles a program of a few instructions, without a linker, and runs it on a model."""

import shutil
import struct
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

from tests.patience import PATIENCE

ASSEMBLER = "clang-22"
ADDRESS = 0x10000
PAGE = 0x1000
RIGHT = 0  # the status with which a program ends if it computes the right result


@dataclass(frozen=True)
class Machine:
    """An architecture of LLVM, with the emulator and the header of its programs."""

    triple: str
    emulator: str
    number: int  # in the header of ELF files
    features: str  # that the assembler accepts
    bits: int = 64
    flags: int = 0
    newest: str = ""  # the triple with all that the assembler accepts, if that is another


MACHINES = {
    "x86_64": Machine("x86_64-unknown-linux-gnu", "qemu-x86_64", 62, ""),
    "aarch64": Machine("aarch64-unknown-linux-gnu", "qemu-aarch64", 183, "+all"),
    "arm": Machine(
        "arm-unknown-linux-gnueabihf",
        "qemu-arm",
        40,
        "+neon,+vfp4,+hwdiv-arm",
        32,
        0x5000400,
        "armv7-unknown-linux-gnueabihf",
    ),
    "riscv64": Machine(
        "riscv64-unknown-linux-gnu",
        "qemu-riscv64",
        243,
        "+m,+a,+f,+d,+c,+v,+zba,+zbb,+zbc,+zbs,+zfh",
        flags=5,
    ),
}
PROGRAMS = (ASSEMBLER, *(machine.emulator for machine in MACHINES.values()))


def missing_programs() -> list[str]:
    """Return what is not installed: Debian's clang-22 and qemu-user."""
    return [name for name in PROGRAMS if not shutil.which(name)]


def build(architecture: str, text: str, path: Path) -> None:
    """Write a program that starts with the first instruction of a text."""
    machine = MACHINES[architecture]
    with tempfile.TemporaryDirectory() as folder:
        source, code = Path(folder, "code.s"), Path(folder, "code.o")
        source.write_text(text)
        triple = machine.newest or machine.triple
        options = ["-cc1as", "-triple", triple, "-filetype", "obj", "-o", str(code)]
        for feature in filter(None, machine.features.split(",")):
            options += ["-target-feature", feature]
        subprocess.run([ASSEMBLER, *options, str(source)], check=True, capture_output=True)
        with code.open("rb") as file:
            section = ELFFile(file).get_section_by_name(".text")
            assert section
            path.write_bytes(_elf(machine, section.data()))
    path.chmod(0o755)


def _elf(machine: Machine, code: bytes) -> bytes:
    """Return a file that is loaded as a whole, and starts behind its headers."""
    wide = machine.bits == 64
    header_size, entry_size = (64, 56) if wide else (52, 32)
    start = header_size + entry_size
    size = start + len(code)
    word = "Q" if wide else "I"
    identity = b"\x7fELF" + bytes([2 if wide else 1, 1, 1]) + bytes(9)
    header = identity + struct.pack(
        f"<HHI{word}{word}{word}IHHHHHH",
        2,
        machine.number,
        1,
        ADDRESS + start,
        header_size,
        0,
        machine.flags,
        header_size,
        entry_size,
        1,
        0,
        0,
        0,
    )
    if wide:
        segment = struct.pack("<IIQQQQQQ", 1, 5, 0, ADDRESS, ADDRESS, size, size, PAGE)
    else:
        segment = struct.pack("<IIIIIIII", 1, 0, ADDRESS, ADDRESS, size, size, 5, PAGE)
    return header + segment + code


def is_right(architecture: str, model: str, program: Path) -> bool:
    """Return whether a program computes the right result on a model of a processor."""
    command = [MACHINES[architecture].emulator, "-cpu", model, str(program)]
    result = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
    return result.returncode == RIGHT


def processor_flags() -> frozenset[str]:
    """Return the flags of this machine's processor by which Linux shows its features."""
    text = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    line = next((each for each in text.splitlines() if each.startswith("flags")), "")
    return frozenset(line.partition(":")[2].split())


def is_right_here(program: Path) -> bool:
    """Return whether a program computes the right result on this machine."""
    return subprocess.run([program], timeout=PATIENCE, check=False).returncode == RIGHT
