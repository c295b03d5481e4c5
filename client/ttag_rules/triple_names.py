"""The names of triples' components that LLVM 22 knows."""

from __future__ import annotations

import re

ARCHITECTURES = frozenset(
    {
        *("i386", "i486", "i586", "i686", "i786", "i886", "i986", "amd64", "x86_64", "x86_64h"),
        *("powerpc", "powerpcspe", "ppc", "ppc32", "powerpcle", "ppcle", "ppc32le"),
        *("powerpc64", "ppu", "ppc64", "powerpc64le", "ppc64le"),
        *("aarch64", "aarch64_be", "aarch64_32", "aarch64_lfi"),
        *("arm64", "arm64_32", "arm64e", "arm64ec"),
        *("arm", "armeb", "thumb", "thumbeb", "xscale", "xscaleeb", "arc", "avr", "m68k", "msp430"),
        *("mips", "mipseb", "mipsallegrex", "mipsisa32r6", "mipsr6"),
        *("mipsel", "mipsallegrexel", "mipsisa32r6el", "mipsr6el"),
        *("mips64", "mips64eb", "mipsn32", "mipsisa64r6", "mips64r6", "mipsn32r6"),
        *("mips64el", "mipsn32el", "mipsisa64r6el", "mips64r6el", "mipsn32r6el"),
        *("riscv32", "riscv64", "riscv32be", "riscv64be", "loongarch32", "loongarch64"),
        *("hexagon", "s390x", "systemz", "sparc", "sparcel", "sparcv9", "sparc64"),
        *("nvptx", "nvptx64", "amdgcn", "r600", "amdil", "amdil64", "hsail", "hsail64"),
        *("spir", "spir64", "spirv", "spirv1.5", "spirv1.6", "spirv32", "spirv64", "dxil"),
        *(f"spirv{bits}v1.{minor}" for bits in (32, 64) for minor in range(7)),
        *(f"dxilv1.{minor}" for minor in range(10)),
        *("wasm32", "wasm64", "bpf", "bpfel", "bpfeb", "bpf_le", "bpf_be", "csky", "lanai"),
        *("renderscript32", "renderscript64", "shave", "tce", "tcele", "ve", "xcore", "xtensa"),
    }
)
KALIMBA = "kalimba"  # any name that begins with it is an architecture
ARM = re.compile("arm64_32|arm64e|arm64|aarch64_32|aarch64(?:_be)?|arm|thumb")
ARM_VERSION = re.compile("v[0-9]")
BIG_ENDIAN = "eb"  # after the name of an Arm architecture, or after its version

VENDORS = frozenset(
    {
        *("amd", "apple", "csr", "fsl", "ibm", "img", "intel", "mesa", "meta", "mti", "nvidia"),
        *("oe", "pc", "scei", "sie", "suse"),
    }
)

# A version may follow the name of a system, and anything the name of an environment.
WIN32 = ("win32", "windows")
MINGW = ("mingw",)
CYGWIN = ("cygwin", "msys")
SYSTEMS = (
    *("aix", "amdhsa", "amdpal", "bridgeos", "cheriotrtos", "cuda", "darwin", "dragonfly"),
    *("driverkit", "elfiamcu", "emscripten", "freebsd", "fuchsia", "haiku", "hermit", "hurd"),
    *("ios", "kfreebsd", "linux", "liteos", "lv2", "macos", "managarm", "mesa3d", "netbsd"),
    *("nvcl", "openbsd", "ps4", "ps5", "rtems", "serenity", "shadermodel", "solaris", "tvos"),
    *("uefi", "visionos", "vulkan", "wasi", "watchos", *WIN32, "xros", "zos"),
)
ENVIRONMENTS = (
    *("amplification", "android", "anyhit", "callable", "closesthit", "code16", "compute"),
    *("coreclr", "cygnus", "domain", "eabi", "geometry", "gnu", "hull", "intersection", "itanium"),
    *("library", "llvm", "macabi", "mesh", "miss", "mlibc", "msvc", "mtia", "musl", "ohos"),
    *("opencl", "pauthtest", "pixel", "raygeneration", "rootsignature", "simulator", "vertex"),
)
FORMATS = ("xcoff", "coff", "elf", "goff", "macho", "wasm", "spirv")  # of files; ends of a name


def is_architecture(name: str) -> bool:
    """Return whether LLVM knows an architecture of this name."""
    return name in ARCHITECTURES or name.startswith(KALIMBA) or _is_arm(name)


def _is_arm(name: str) -> bool:
    """Return whether a name is that of an Arm architecture: armv7a, thumbv7em, armebv7r, armv6eb.

    LLVM accepts any single character after the architecture, such as armx.
    """
    match = ARM.match(name)
    if not match:
        return False
    architecture, version = match[0], name[match.end() :]
    if version.startswith(BIG_ENDIAN):
        version = version.removeprefix(BIG_ENDIAN)
    else:
        version = version.removesuffix(BIG_ENDIAN)
    has_ending_of_arm = architecture in ("aarch64", "aarch64_be") and BIG_ENDIAN in name
    is_older_than_thumb = architecture == "thumb" and version.startswith(("v2", "v3"))
    if BIG_ENDIAN in version or has_ending_of_arm or is_older_than_thumb:
        return False
    return len(version) < 2 or bool(ARM_VERSION.match(version))


def is_vendor(name: str) -> bool:
    """Return whether LLVM knows a vendor of this name."""
    return name in VENDORS


def is_system(name: str) -> bool:
    """Return whether LLVM knows a system of this name, other than the toolchains of Windows."""
    return name.startswith(SYSTEMS)


def is_windows_toolchain(name: str) -> bool:
    """Return whether a name is that of a toolchain in the place of Windows, such as mingw32."""
    return name.startswith((*MINGW, *CYGWIN))


def is_environment(name: str) -> bool:
    """Return whether LLVM knows an environment of this name."""
    return name.startswith(ENVIRONMENTS)


def file_format(name: str) -> str:
    """Return the file format that a component names; empty if it names none."""
    return next((item for item in FORMATS if name.endswith(item)), "")
