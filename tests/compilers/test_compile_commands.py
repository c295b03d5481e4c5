"""Bodies that are read from command lines, compared with what clang itself makes of the commands.

Both are asked for the macros that they define, which name the architecture, its features and its
calling convention.
"""

import shlex
from collections.abc import Mapping
from typing import Any

import pytest

from registry.domain.importers.clang import IMPORTER
from tests.compilers import tools
from tests.domain.builders import KINDS

X86, AARCH64 = "--target=x86_64-linux-gnu", "--target=aarch64-linux-gnu"
ARM, BARE = "--target=arm-linux-gnueabihf", "--target=arm-none-eabi"
RISCV, RISCV_32 = "--target=riscv64-linux-gnu", "--target=riscv32-unknown-elf"
COMMANDS = [
    f"{X86} -march=haswell -mno-avx2 -msse4",
    f"{X86} -march=x86-64-v3 -mavx512f",
    f"{X86} -mavx2 -mfma",
    f"{X86} -march=sapphirerapids -mno-amx-tile",
    f"{X86} -mno-sse4 -march=haswell -m64",
    f"{X86} -march=haswell -mavx2 -mno-avx2 -mavx2",
    f"{X86} -march=znver4 -mno-sse2 -mavx -msse2",
    f"{X86} -march=haswell -Xclang -target-feature -Xclang -avx2 -mavx2",
    f"{AARCH64} -mcpu=cortex-a76",
    f"{AARCH64} -mcpu=cortex-a72+nosha2",
    f"{AARCH64} -march=armv8-a+crypto+noaes",
    f"{AARCH64} -march=armv8-a+aes+nosha2",
    f"{AARCH64} -march=armv8-a+sve+nosve+sve",
    f"{AARCH64} -march=armv8.4-a+f64mm",
    f"{AARCH64} -mcpu=cortex-a76+nocrypto",
    f"{AARCH64} -mcpu=neoverse-v1+nosve",
    f"{AARCH64} -march=armv8.2-a+fp16+dotprod",
    f"{AARCH64} -march=armv8-a+crypto",
    f"{AARCH64} -march=armv8.4-a+crypto",
    f"{AARCH64} -march=armv8.6-a+sve2",
    f"{AARCH64} -march=armv8-a+crc+lse+memtag+rng",
    f"{AARCH64} -march=armv8.2-a+nosimd",
    f"{AARCH64} -march=armv8.2-a+fp16fml+sm4+sha3",
    f"{AARCH64} -march=armv9-a+crypto",
    f"{AARCH64} -march=armv9.2-a+sme",
    f"{AARCH64} -march=armv9.4-a",
    f"{BARE} -mcpu=cortex-m0plus -mfloat-abi=soft",
    f"{BARE} -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard",
    f"{BARE} -mcpu=cortex-m4 -mthumb -mfloat-abi=soft",
    f"{BARE} -mcpu=cortex-m7 -mthumb -mfpu=fpv5-sp-d16 -mfloat-abi=hard",
    f"{BARE} -mcpu=cortex-m33+nodsp -mfloat-abi=hard",
    f"{BARE} -mcpu=cortex-m55+nomve -mfloat-abi=hard",
    f"{BARE} -march=armv7e-m -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard",
    f"{BARE} -mcpu=cortex-r5 -mfloat-abi=hard",
    f"{BARE} -mcpu=cortex-m4 -mthumb",
    f"{BARE} -mcpu=cortex-m55",
    f"{ARM} -mcpu=cortex-a9 -mfpu=vfpv3-d16",
    f"{ARM} -mcpu=cortex-a9 -mfpu=vfpv4 -mfloat-abi=soft",
    f"{ARM} -mcpu=cortex-a7 -mthumb -marm",
    f"{ARM} -mcpu=cortex-a7 -marm -mthumb",
    f"{ARM} -mcpu=cortex-a7 -mfpu=neon-vfpv4 -mthumb",
    f"{ARM} -mcpu=cortex-a53 -mfpu=neon-fp-armv8",
    f"{ARM} -mcpu=cortex-a53 -mfpu=crypto-neon-fp-armv8",
    f"{ARM} -march=armv7-a -mfpu=neon",
    f"{ARM} -march=armv7ve -mfpu=neon-vfpv4",
    f"{ARM} -march=armv6 -mfpu=vfp",
    f"{ARM} -march=armv8-a+crc -mfpu=neon-fp-armv8",
    f"{RISCV} -march=rv64gcv_zba_zbb",
    f"{RISCV} -march=rv64imac -mabi=lp64",
    f"{RISCV} -mcpu=sifive-u74 -mabi=lp64d",
    f"{RISCV} -march=rv64iv",
    f"{RISCV_32} -march=rv32imc",
    f"{RISCV_32} -march=rv32imafc",
    f"{RISCV_32} -march=rv32e",
    "--target=powerpc64le-linux-gnu -mcpu=pwr9",
    "--target=s390x-linux-gnu -march=z15",
    "--target=x86_64-w64-mingw32 -march=znver3",
    "--target=arm64-apple-macosx14 -mcpu=apple-m1",
]
OTHERS = ("__tune_", "_MCMODEL")  # macros that are not about the machine


def macros(*flags: str) -> set[str]:
    """Return the macros that clang defines for C."""
    output = tools.run(*flags, "-dM", "-E", "-x", "c", "/dev/null")
    lines = {line for line in output.splitlines() if not any(name in line for name in OTHERS)}
    riscv = {line for line in lines if "__riscv_" in line}  # clang -cc1 defines fewer of the others
    return riscv or lines


def flags_of(body: Mapping[str, Any]) -> list[str]:
    """Return the flags of a body: for RISC-V without the features that clang's driver adds."""
    triple, features = body["mtriple"], body.get("mattr", [])
    switched = [word for each in features for word in ("-target-feature", each)]
    if triple.startswith("riscv") and "mcpu" not in body:
        cpu = f"generic-rv{triple[5:7]}"
        abi = ("-target-abi", body["mabi"])
        return ["-cc1", "-triple", triple, "-target-cpu", cpu, *abi, *switched]
    cpu_flag = "-march" if triple.startswith(("x86_64", "s390x")) else "-mcpu"
    names = {"mcpu": cpu_flag, "mabi": "-mabi", "mfloat-abi": "-mfloat-abi"}
    stated = [f"{flag}={body[name]}" for name, flag in names.items() if name in body]
    thumb = ["-mthumb"] if triple.startswith("thumb") else []
    return [
        f"--target={triple}",
        *stated,
        *thumb,
        *(word for each in switched for word in ("-Xclang", each)),
    ]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_body_is_the_machine_of_its_command(command: str) -> None:
    if tools.clang_version() < 22:
        pytest.skip("needs clang 22, whose names of features the importer knows")
    body = IMPORTER.read(f"clang {command}", KINDS).body
    assert macros(tools.clang(), *flags_of(body)) == macros(tools.clang(), *shlex.split(command))
