"""The format and architecture that the header of an object states."""

from ttag_rules.triples import Triple

ELF, ELF_MACHINE = b"\x7fELF", 18
BIG = 2  # the byte after those of ELF's class, of a big-endian file
MACHINES = {
    "i386": 3,
    "mips": 8,
    "mipsel": 8,
    "powerpc": 20,
    "powerpc64": 21,
    "powerpc64le": 21,
    "s390x": 22,
    "arm": 40,
    "armeb": 40,
    "x86_64": 62,
    "hexagon": 164,
    "aarch64": 183,
    "amdgcn": 224,
    "riscv32": 243,
    "riscv64": 243,
    "loongarch64": 258,
}
APPLE = frozenset({"darwin", "ios", "macos", "macosx", "tvos", "watchos"})  # systems
MACH_O = b"\xcf\xfa\xed\xfe"
MACH_O_CPUS = {"x86_64": 0x01000007, "aarch64": 0x0100000C}
COFF_MACHINES = {"x86_64": b"\x64\x86", "aarch64": b"\x64\xaa", "i386": b"\x4c\x01"}
WEB_ASSEMBLY = b"\0asm"


def is_object_for(head: bytes, triple: str, *, is_elf: bool = False) -> bool:
    """Return whether a header is that of an object for a triple, by its system and architecture.

    With `is_elf`, it must be ELF on any system.
    """
    parts = Triple.parse(triple)
    if parts.arch.startswith("wasm"):
        return head.startswith(WEB_ASSEMBLY)
    if not is_elf and parts.os in APPLE:
        cpu = int.from_bytes(head[4:8], "little")
        return head.startswith(MACH_O) and cpu == MACH_O_CPUS.get(parts.arch)
    if not is_elf and parts.os == "windows":
        return head[:2] == COFF_MACHINES.get(parts.arch)
    bytes_of_machine = head[ELF_MACHINE : ELF_MACHINE + 2]
    machine = int.from_bytes(bytes_of_machine, "big" if head[5] == BIG else "little")
    return head.startswith(ELF) and machine == MACHINES.get(parts.arch)


STRINGS = frozenset({4, 5, 65, 67})  # attributes of Arm's build whose values are texts
ABI_VFP_ARGS = 28  # 1: floating-point values are passed in registers of the unit


def passes_floats_in_registers(content: bytes) -> bool:
    """Return whether an object for Arm states the hard-float calling convention."""
    _, _, attributes = content.partition(b"aeabi\0\x01")
    position, values = 4, {}  # after the size
    size = int.from_bytes(attributes[:4], "little") - 1  # with the tag before it
    while position < size:
        tag, position = attributes[position], position + 1
        if tag in STRINGS:
            position = attributes.index(b"\0", position) + 1
        else:
            values[tag], position = attributes[position], position + 1
    return values.get(ABI_VFP_ARGS) == 1
