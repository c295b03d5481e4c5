"""An instruction of each feature with what it has to compute, and models of processors.

"It ran" proves nothing: some processors run another instruction in its place. So results count.
"""

from collections.abc import Iterable
from dataclasses import dataclass

X86_END = """
  xor %edi, %edi
  cmp ${right}, %eax
  setne %dil
  mov $60, %eax
  syscall
"""
A64_END = """
  mov w1, #{right}
  cmp w0, w1
  cset w0, ne
  mov w8, #93
  svc #0
"""
ARM_END = """
  movs r1, #{right}
  cmp r0, r1
  movne r0, #1
  moveq r0, #0
  mov r7, #1
  svc #0
"""
RV_END = """
  li a1, {right}
  xor a0, a0, a1
  snez a0, a0
  li a7, 93
  ecall
"""
# A program of several witnesses ends with 1 at the first whose number is wrong.
CHECKS = {
    "x86_64": "cmp ${right}, %eax\n jne wrong",
    "aarch64": "mov w1, #{right}\n cmp w0, w1\n b.ne wrong",
    "arm": "movs r1, #{right}\n cmp r0, r1\n bne wrong",
    "riscv64": "li a1, {right}\n bne a0, a1, wrong",
}
EXITS = {
    "x86_64": "mov $60, %eax\n syscall\n wrong: mov $1, %edi\n mov $60, %eax\n syscall",
    "aarch64": "mov w0, #0\n mov w8, #93\n svc #0\n wrong: mov w0, #1\n mov w8, #93\n svc #0",
    "arm": "mov r0, #0\n mov r7, #1\n svc #0\n wrong: mov r0, #1\n mov r7, #1\n svc #0",
    "riscv64": "li a0, 0\n li a7, 93\n ecall\n wrong: li a0, 1\n li a7, 93\n ecall",
}
ENDS = {"x86_64": X86_END, "aarch64": A64_END, "arm": ARM_END, "riscv64": RV_END}


PREFIXES = {"arm": ".arch_extension idiv\n"}


@dataclass(frozen=True)
class Witness:
    """Instructions of a feature that leave a number in the first register."""

    architecture: str
    feature: str
    code: str
    right: int

    @property
    def text(self) -> str:
        """The program: it ends with 0 if the number is right."""
        prefix = PREFIXES.get(self.architecture, "")
        return f".text\n{prefix}{self.assembly}\n{ENDS[self.architecture].format(right=self.right)}"

    @property
    def assembly(self) -> str:
        """The instructions, one on a line."""
        return self.code.replace(";", "\n")


def program_text(architecture: str, witnesses: Iterable[Witness]) -> str:
    """Return a program that ends with 0 if the numbers of all witnesses are right."""
    parts = [
        f"{each.assembly}\n{CHECKS[architecture].format(right=each.right)}" for each in witnesses
    ]
    zero = "xor %edi, %edi" if architecture == "x86_64" else ""
    return "\n".join(
        [f".text\n{PREFIXES.get(architecture, '')}", *parts, zero, EXITS[architecture], ""]
    )


XMM = "mov ${number}, %eax; movd %eax, %xmm{register};"


def _xmm(first: int, code: str, second: int = 0) -> str:
    first_text = XMM.format(number=first, register=0)
    return f"{first_text} {XMM.format(number=second, register=1)} {code}; movd %xmm0, %eax"


X86 = {
    "sse3": (_xmm(7, "movddup %xmm0, %xmm1; pshufd $2, %xmm1, %xmm0"), 7),
    "ssse3": (_xmm(-5, "pabsd %xmm0, %xmm0"), 5),
    "sse4.1": (_xmm(6, "pmulld %xmm1, %xmm0", 7), 42),
    "sse4.2": (_xmm(5, "pcmpgtq %xmm1, %xmm0; psrlq $60, %xmm0", 3), 15),
    "popcnt": ("mov $0xff0f, %ecx; popcnt %ecx, %eax", 12),
    "lzcnt": ("mov $1, %ecx; lzcnt %ecx, %eax", 31),
    "bmi": ("mov $0xf0, %ecx; mov $0xff, %edx; andn %edx, %ecx, %eax", 15),
    "bmi2": ("mov $5, %ecx; mov $0xf0, %edx; pdep %edx, %ecx, %eax", 0x50),
    "movbe": ("push $1; movbe (%rsp), %eax; shr $24, %eax", 1),
    "avx": (_xmm(21, "vpaddd %xmm0, %xmm0, %xmm0"), 42),
    "avx2": (_xmm(21, "vpaddd %ymm0, %ymm0, %ymm0"), 42),
    "fma": (_xmm(0x40400000, "vfmadd213ss %xmm0, %xmm0, %xmm0"), 0x41400000),  # 3 * 3 + 3
    "f16c": (_xmm(0x4500, "vcvtph2ps %xmm0, %xmm0"), 0x40A00000),
    "sse4a": (_xmm(0xABCD, "extrq $8, $8, %xmm0"), 0xAB),
    "aes": (_xmm(0, "pxor %xmm0, %xmm0; pxor %xmm1, %xmm1; aesenc %xmm1, %xmm0"), 0x63636363),
    "pclmul": (_xmm(3, "pclmulqdq $0, %xmm0, %xmm0"), 5),
    "adx": ("xor %eax, %eax; mov $5, %eax; mov $6, %ecx; clc; adcx %ecx, %eax", 11),
}
LOADS = "sub sp, sp, #16; mov w1, #5; str w1, [sp]; mov w2, #6;"
A64 = {
    "lse": (f"{LOADS} ldadd w2, w3, [sp]; ldr w0, [sp]", 11),
    "rcpc": (f"{LOADS} ldapr w0, [sp]", 5),
    "crc": ("mov w0, #0; mov w1, #1; crc32b w0, w0, w1; lsr w0, w0, #24", 0x77),
    "rdm": (
        (
            "movi v0.4s, #64, lsl #24; movi v1.4s, #2; movi v2.4s, #4;"
            " sqrdmlah v1.4s, v2.4s, v0.4s; fmov w0, s1"
        ),
        4,
    ),
    "fullfp16": ("fmov h0, #2.0; fadd h0, h0, h0; fmov w0, h0; lsr w0, w0, #8", 0x44),
    "dotprod": (
        "movi v0.16b, #2; movi v1.16b, #3; movi v2.4s, #0; udot v2.4s, v0.16b, v1.16b; fmov w0, s2",
        24,
    ),
    "sha3": (
        (
            "movi v0.16b, #1; movi v1.16b, #2; movi v2.16b, #4;"
            " eor3 v0.16b, v0.16b, v1.16b, v2.16b; umov w0, v0.b[0]"
        ),
        7,
    ),
    "complxnum": (
        (
            "fmov v0.4s, #1.0; fmov v1.4s, #1.0; movi v2.4s, #0;"
            " fcmla v2.4s, v0.4s, v1.4s, #0; fmov w0, s2; lsr w0, w0, #20"
        ),
        0x3F8,
    ),
    "sve": ("ptrue p0.b; mov z0.s, #7; add z0.s, z0.s, z0.s; fmov w0, s0", 14),
    "aes": (
        "movi v0.16b, #0; movi v1.16b, #0; aese v0.16b, v1.16b; umov w0, v0.b[0]",
        0x63,
    ),
    "flagm": ("cmp wzr, wzr; cfinv; cset w0, cs", 0),
    "altnzcv": ("cmp wzr, wzr; axflag; cset w0, eq", 1),
}
ARM = {
    "v6": ("mov r1, #1; rev r0, r1; lsr r0, r0, #24", 1),
    "v6t2": ("movw r0, #7", 7),
    "db": ("mov r0, #3; dmb ish", 3),
    "vfp2": ("mov r1, #3; vmov s0, r1; vcvt.f32.s32 s0, s0; vcvt.s32.f32 s0, s0; vmov r0, s0", 3),
    "vfp4": ("vmov.f32 s0, #2.0; vfma.f32 s0, s0, s0; vcvt.s32.f32 s0, s0; vmov r0, s0", 6),
    "neon": ("vmov.i32 d0, #5; vadd.i32 d0, d0, d0; vmov.32 r0, d0[0]", 10),
    "hwdiv-arm": ("mov r1, #42; mov r2, #6; sdiv r0, r1, r2", 7),
}
RV = {
    "m": ("li a0, 6; li a1, 7; mul a0, a0, a1", 42),
    "d": ("li a0, 5; fcvt.d.l fa0, a0; fadd.d fa0, fa0, fa0; fcvt.l.d a0, fa0", 10),
    "zba": ("li a0, 5; li a1, 1; sh1add a0, a0, a1", 11),
    "zbb": ("li a0, 0xff; cpop a0, a0", 8),
    "zbc": ("li a0, 3; clmul a0, a0, a0", 5),
    "zbs": ("li a0, 0; bseti a0, a0, 4", 16),
    "zfh": ("li a0, 5; fcvt.h.l fa0, a0; fadd.h fa0, fa0, fa0; fcvt.l.h a0, fa0", 10),
    "v": (
        "vsetivli zero, 4, e32, m1, ta, ma; vmv.v.i v1, 7; vadd.vv v1, v1, v1; vmv.x.s a0, v1",
        14,
    ),
    # What code for this length takes the number of elements for.
    "zvl256b": ("vsetvli a0, zero, e32, m1, ta, ma; sltiu a0, a0, 8", 0),
}
TABLES = {"x86_64": X86, "aarch64": A64, "arm": ARM, "riscv64": RV}
WITNESSES = [
    Witness(architecture, feature, code, right)
    for architecture, table in TABLES.items()
    for feature, (code, right) in table.items()
]

FLAGS = ("zba", "zbb", "zbc", "zbs", "v", "Zfh")


def riscv_model(*flags: str, bits: int = 128) -> str:
    """Return a model with some extensions, and vectors of a length."""
    states = [f"{flag}={str(flag in flags).lower()}" for flag in FLAGS]
    vectors = ["vext_spec=v1.0", "elen=64", f"vlen={bits}"] if "v" in flags else []
    return ",".join(["rv64", *states, *vectors])


# Emulated models by LLVM's names of the processors; those of RISC-V are made of flags.
MODELS = {
    "x86_64": {
        "Opteron_G1": "k8-sse3",
        "Opteron_G3": "barcelona",
        "Opteron_G4": "bdver1",
        "Opteron_G5,+bmi1": "bdver2",  # which the emulator left out
        "EPYC": "znver1",
        "EPYC-Rome": "znver2",
        "EPYC-Milan": "znver3",
        "Conroe": "core2",
        "Penryn": "penryn",
        "Nehalem": "nehalem",
        "Westmere": "westmere",
        "SandyBridge": "sandybridge",
        "IvyBridge": "ivybridge",
        "Haswell-noTSX": "haswell",
        "Broadwell-noTSX": "broadwell",
        "Skylake-Client-noTSX-IBRS": "skylake",
        "Denverton": "goldmont",
        "Snowridge": "tremont",
    },
    "aarch64": {
        name: name
        for name in (
            *("cortex-a35", "cortex-a53", "cortex-a57", "cortex-a72", "cortex-a76"),
            *("neoverse-n1", "a64fx"),
        )
    },
    "arm": {
        "arm926,vfp=off": "arm926ej-s",
        "arm1136": "arm1136jf-s",
        "arm1176": "arm1176jzf-s",
        "cortex-a7": "cortex-a7",
        "cortex-a8": "cortex-a8",
        "cortex-a9": "cortex-a9",
        "cortex-a15": "cortex-a15",
    },
    "riscv64": {
        riscv_model(): "sifive-u54",
        riscv_model("zba", "zbb"): "sifive-p550",
        riscv_model("v", "zba", "zbb", "zbc", "zbs", "Zfh", bits=256): "spacemit-x60",
        riscv_model("v", "zba", "zbb", "Zfh", bits=512): "sifive-x280",
        riscv_model("v", "zba", "zbb", "zbs"): "sifive-p670",
    },
}


def _zmm(number: int, code: str) -> str:
    return f"mov ${number}, %eax; vpbroadcastd %eax, %zmm0; {code}; vmovd %xmm0, %eax"


VNNI = "vpxord %zmm1, %zmm1, %zmm1; vpdpbusd %zmm0, %zmm0, %zmm1; vmovdqa32 %zmm1, %zmm0"
# Features that no emulator here has, by the flag of /proc/cpuinfo: executed where a machine has it.
NATIVE = {
    flag: Witness("x86_64", feature, code, right)
    for flag, feature, code, right in (
        ("avx512f", "avx512f", _zmm(21, "vpaddd %zmm0, %zmm0, %zmm0"), 42),
        ("avx512cd", "avx512cd", _zmm(1, "vplzcntd %zmm0, %zmm0"), 31),
        ("avx512bw", "avx512bw", _zmm(0x7FFF, "vpaddsw %zmm0, %zmm0, %zmm0"), 0x7FFF),
        ("avx512vl", "avx512vl", _zmm(3, "vprold $4, %xmm0, %xmm0"), 48),
        ("avx512_vnni", "avx512vnni", _zmm(0x01010101, VNNI), 4),
    )
}
