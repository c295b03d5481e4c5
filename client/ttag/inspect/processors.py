"""The processor, system and C library that the header of an ELF file names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from ttag.inspect.elf import ElfFile
from ttag.inspect.programs import Body, Form, Program
from ttag_rules.compatibility.versions import version_key

# The flags of the header, by the ELF supplements of Arm and RISC-V.
ARM_HARD_FLOAT = 0x400
RISCV_COMPRESSED, RISCV_FLOAT_ABI, RISCV_EMBEDDED = 0x1, 0x6, 0x8
RISCV_ABIS = {0x0: "", 0x2: "f", 0x4: "d", 0x6: "q"}

# Architectures by machine, 64 bits and little-endian.
ARCHITECTURES: dict[tuple[str | int, bool, bool], str] = {
    ("EM_X86_64", True, True): "x86_64",
    ("EM_X86_64", False, True): "x86_64",  # x32: pointers of 32 bits
    ("EM_386", False, True): "i386",
    ("EM_AARCH64", True, True): "aarch64",
    ("EM_AARCH64", True, False): "aarch64_be",
    ("EM_ARM", False, True): "arm",
    ("EM_ARM", False, False): "armeb",
    ("EM_RISCV", True, True): "riscv64",
    ("EM_RISCV", False, True): "riscv32",
    ("EM_PPC64", True, True): "powerpc64le",
    ("EM_PPC64", True, False): "powerpc64",
    ("EM_S390", True, False): "s390x",
    ("EM_LOONGARCH", True, True): "loongarch64",
    (164, False, True): "hexagon",
    ("EM_QDSP6", False, True): "hexagon",
}
LOADERS = {"ld-linux": "gnu", "ld64.so": "gnu", "ld.so": "gnu", "ld-musl": "musl"}
LIBRARIES = {"libc.so.6": "gnu", "libc.musl": "musl"}
ANDROID = "/system/bin/linker"
ANDROID_NOTE = ".note.android.ident"  # libraries have no interpreter
GLIBC = "GLIBC_"
X86_LEVELS = ((0x8, "x86-64-v4"), (0x4, "x86-64-v3"), (0x2, "x86-64-v2"), (0x1, "x86-64"))
X86_NEEDED = "GNU_PROPERTY_X86_ISA_1_NEEDED"
X86_USED = "GNU_PROPERTY_X86_ISA_1_USED"
# Architectures and registers by the numbers of the build attributes of Arm's ABI.
ARM_ARCHITECTURES = {
    2: "armv4t",
    3: "armv5t",
    4: "armv5te",
    5: "armv5tej",
    6: "armv6",
    7: "armv6kz",
    8: "armv6t2",
    9: "armv6k",
    10: "armv7",
    11: "armv6m",
    12: "armv6sm",
    13: "armv7em",
    14: "armv8a",
    15: "armv8r",
    16: "armv8m.base",
    17: "armv8m.main",
    21: "armv8.1m.main",
    22: "armv9a",
}
ARM_MICROCONTROLLER = ord("M")  # the profile of an architecture 7
ARM_FLOATS = {2: "vfp2", 3: "vfp3", 4: "vfp3d16", 5: "vfp4", 6: "vfp4d16", 7: "fp-armv8"}


def read_program(file: ElfFile, place: str) -> Program | None:
    """Return what the file tells of the processor; None if no target names its architecture."""
    key = (file.machine, file.is_64_bit, file.is_little_endian)
    architecture = ARCHITECTURES.get(key)
    if not architecture:
        return None
    options, is_complete = DETAILS.get(architecture, _unstated)(file)
    processor = options.pop("processor", architecture)
    triple = f"{processor}-unknown-{_system(file, architecture)}"
    return Program(
        place,
        Form.PROGRAM,
        {"kind": "llvm", "mtriple": triple, **options},
        is_complete=is_complete,
        unstated="" if is_complete else _unstated_text(file),
        floors=_floors(file.symbol_versions()),
    )


def _unstated_text(file: ElfFile) -> str:
    """Return what the file does not tell of its instructions."""
    if used := x86_level(file, X86_USED):
        return f"it has instructions of {used}, perhaps only where it finds them"
    return "which instructions it uses beyond those"


def _unstated(_: ElfFile) -> tuple[Body, bool]:
    return {}, False


def _system(file: ElfFile, architecture: str) -> str:
    """Return the system and environment of a triple: `linux-gnueabihf`, or `unknown`."""
    library = _c_library(file)
    convention = _convention(file, architecture, library)
    if library:
        return f"linux-{library}{convention}"
    return f"unknown-{convention}" if convention else "unknown"


def _convention(file: ElfFile, architecture: str, library: str) -> str:
    """Return the end of an environment that names the calling convention."""
    if architecture == "x86_64" and not file.is_64_bit:
        return "x32" if library else "gnux32"  # LLVM knows it by no other name
    if architecture not in ("arm", "armeb"):
        return ""
    is_hard = _is_hard_float(file) and library != "android"
    return "eabihf" if is_hard else "eabi"


def _c_library(file: ElfFile) -> str:
    """Return the C library as triples name it; empty if the file needs none."""
    interpreter = file.interpreter()
    if interpreter.startswith(ANDROID) or file.section(ANDROID_NOTE):
        return "android"
    loader = interpreter.rpartition("/")[2]
    libraries = file.libraries()
    candidates = [
        *(name for start, name in LOADERS.items() if loader.startswith(start)),
        *(
            name
            for library in libraries
            for start, name in LIBRARIES.items()
            if library.startswith(start)
        ),
        *("gnu" for _, version in file.symbol_versions() if version.startswith(GLIBC)),
    ]
    return next(iter(candidates), "")


def _floors(versions: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the least glibc that has all symbols."""
    numbers = [version.removeprefix(GLIBC) for _, version in versions if version.startswith(GLIBC)]
    numbers = [number for number in numbers if number[:1].isdigit()]
    return {"glibc": max(numbers, key=version_key)} if numbers else {}


def _x86(file: ElfFile) -> tuple[Body, bool]:
    """Return the level that the linker marked as needed; without a mark, the oldest."""
    return {"mcpu": x86_level(file, X86_NEEDED) or "x86-64"}, False


def x86_level(file: ElfFile, mark: str) -> str:
    """Return the highest level of x86-64 that a mark of the assembler names; empty without it."""
    properties = (
        each
        for note in file.notes()
        if note["n_type"] == "NT_GNU_PROPERTY_TYPE_0"
        for each in note["n_desc"]
    )
    bits = next((int(each.pr_data) for each in properties if each.pr_type == mark), 0)
    return next((name for bit, name in X86_LEVELS if bits & bit), "")


def _arm(file: ElfFile) -> tuple[Body, bool]:
    """Return the architecture and registers that the build attributes name."""
    attributes = file.attributes()
    version = attributes.get("TAG_CPU_ARCH", 0)
    processor = ARM_ARCHITECTURES.get(version, "arm")
    if processor == "armv7" and attributes.get("TAG_CPU_ARCH_PROFILE") == ARM_MICROCONTROLLER:
        processor = "armv7m"
    names = [ARM_FLOATS.get(attributes.get("TAG_FP_ARCH", 0), "")]
    names += ["neon"] if attributes.get("TAG_ADVANCED_SIMD_ARCH", 0) else []
    options: Body = {"processor": processor, "mattr": [f"+{name}" for name in filter(None, names)]}
    return {name: value for name, value in options.items() if value}, version in ARM_ARCHITECTURES


def _is_hard_float(file: ElfFile) -> bool:
    arguments = file.attributes().get("TAG_ABI_VFP_ARGS", 0)
    return bool(file.flags & ARM_HARD_FLOAT or arguments == 1)


def _riscv(file: ElfFile) -> tuple[Body, bool]:
    """Return the extensions of the build attribute `arch`, and the calling convention."""
    bits = "64" if file.is_64_bit else "32"
    integers = "lp64" if file.is_64_bit else "ilp32"
    embedded = "e" if file.flags & RISCV_EMBEDDED else ""
    abi = integers + embedded + RISCV_ABIS[file.flags & RISCV_FLOAT_ABI]
    arch = str(file.attributes().get("TAG_ARCH", ""))
    compressed = ["+c"] if file.flags & RISCV_COMPRESSED else []
    features = _extensions(arch) if arch else compressed
    options: Body = {"mcpu": f"generic-rv{bits}", "mabi": abi, "mattr": features}
    return {name: value for name, value in options.items() if value}, bool(arch)


def _extensions(arch: str) -> list[str]:
    """Return the features of `rv64i2p1_m2p0_zba1p0`, without the base."""
    first, *others = arch.lower().split("_")
    letters = re.sub(r"[0-9]+p[0-9]+", "", first[len("rv64") :])
    names = [*letters, *(re.sub(r"[0-9]+p[0-9]+$", "", name) for name in others)]
    return [f"+{name}" for name in dict.fromkeys(names) if name not in ("", "i", "e", "g")]


DETAILS: dict[str, Callable[[ElfFile], tuple[Body, bool]]] = {
    "x86_64": _x86,
    "arm": _arm,
    "armeb": _arm,
    "riscv32": _riscv,
    "riscv64": _riscv,
}
