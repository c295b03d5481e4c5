# ruff: noqa: E501 - tables read best in rows
"""Reading command lines of compilers: right, or not at all.

`tests/compilers/test_compile_commands.py` compares what is read with clang.
"""

import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, strategies as st

from registry.domain.document import MAX_BYTES
from registry.domain.errors import Refused
from registry.domain.importers.clang import IMPORTER
from registry.domain.importing import Imported
from tests.domain.builders import KINDS, refusal, target_of

M4 = {"kind": "llvm", "mtriple": "thumbv7em-unknown-none-eabi", "mcpu": "cortex-m4"}


def read(source: Any) -> Imported:
    return IMPORTER.read(source, KINDS)


READ: list[tuple[str, dict[str, Any]]] = [
    ("clang -march=haswell -O3 -c a.c", {"kind": "llvm", "mcpu": "haswell"}),
    ("-march=x86-64-v3", {"kind": "llvm", "mcpu": "x86-64-v3"}),
    ('CFLAGS="-march=znver3 -O2 -pipe"', {"kind": "llvm", "mcpu": "znver3"}),
    ("CFLAGS += -O2 -march=znver3", {"kind": "llvm", "mcpu": "znver3"}),
    ("ccache /usr/bin/x86_64-linux-gnu-g++-12 -march=znver3 a.cc", {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "znver3"}),
    ("gcc -march=haswell -mno-avx2 -mfma -msse4", {"kind": "llvm", "mcpu": "haswell", "mattr": ["-avx2", "+fma", "+sse4.2"]}),
    ("clang --target=x86_64-linux-gnu -Xclang -target-feature -Xclang +avx512f", {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mattr": ["+avx512f"]}),
    ("clang -target aarch64-linux-gnu", {"kind": "llvm", "mtriple": "aarch64-unknown-linux-gnu"}),
    ("clang --target=aarch64-linux-android21 -mcpu=cortex-a76+nocrypto", {"kind": "llvm", "mtriple": "aarch64-unknown-linux-android21", "mcpu": "cortex-a76", "mattr": ["-aes", "-sha2", "-sha3", "-sm4"]}),
    ("-march=armv8.2-a+fp16+simd+dotprod+i8mm", {"kind": "llvm", "mattr": ["+v8.2a", "+fullfp16", "+neon", "+dotprod", "+i8mm"]}),
    ("arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard", {**M4, "mfloat-abi": "hard"}),
    ("-mcpu=cortex-m4 -mthumb -mfloat-abi=soft", {**M4, "mattr": ["+soft-float"], "mfloat-abi": "soft"}),
    ("arm-linux-gnueabihf-gcc -mcpu=cortex-a9 -mfpu=neon-fp16", {"kind": "llvm", "mtriple": "arm-unknown-linux-gnueabihf", "mcpu": "cortex-a9"}),
    ("arm-linux-gnueabihf-gcc -march=armv7-a", {"kind": "llvm", "mtriple": "armv7a-unknown-linux-gnueabihf"}),
    ("riscv64-linux-gnu-gcc -march=rv64gc_zba", {"kind": "llvm", "mtriple": "riscv64-unknown-linux-gnu", "mattr": ["+m", "+a", "+f", "+d", "+c", "+zicsr", "+zifencei", "+zba"], "mabi": "lp64d"}),
    ("riscv32-unknown-elf-gcc -march=rv32imc -mabi=ilp32", {"kind": "llvm", "mtriple": "riscv32-unknown-unknown-elf", "mattr": ["+m", "+c"], "mabi": "ilp32"}),
    ("clang --target=powerpc64le-linux-gnu -mcpu=pwr9", {"kind": "llvm", "mtriple": "powerpc64le-unknown-linux-gnu", "mcpu": "pwr9"}),
    ("nvcc -arch=sm_80 a.cu", {"kind": "cuda", "arch": "sm_80"}),
    ("nvcc --gpu-architecture sm_90a", {"kind": "cuda", "arch": "sm_90a"}),
    ("nvcc -gencode arch=compute_87,code=sm_87", {"kind": "cuda", "arch": "sm_87"}),
    ("nvcc -gencode=arch=compute_80,code=[sm_80,compute_80]", {"kind": "cuda", "arch": "sm_80"}),
    ("nvcc -gencode arch=compute_80,code=sm_80 -gencode arch=compute_80,code=compute_80", {"kind": "cuda", "arch": "sm_80"}),
    ("nvcc -arch=compute_80 -code=sm_80", {"kind": "cuda", "arch": "sm_80"}),
    ("clang++ -x cuda --cuda-gpu-arch=sm_75 a.cu", {"kind": "cuda", "arch": "sm_75"}),
    ("hipcc --offload-arch=gfx90a:sramecc+:xnack- a.hip", {"kind": "rocm", "mcpu": "gfx90a", "mattr": ["+sramecc", "-xnack"]}),
    ("clang++ --offload-arch=gfx1100 -march=znver4", {"kind": "rocm", "mcpu": "gfx1100", "host": {"kind": "llvm", "mcpu": "znver4"}}),
    ("NVCCFLAGS = -O3\n            -gencode arch=compute_87,code=sm_87\n  --expt-relaxed-constexpr", {"kind": "cuda", "arch": "sm_87"}),
    ("-march=haswell\n-mno-avx2", {"kind": "llvm", "mcpu": "haswell", "mattr": ["-avx2"]}),
    ("gcc -march=haswell -mavx2 -mno-avx2 -mavx2", {"kind": "llvm", "mcpu": "haswell", "mattr": ["+avx2"]}),
    ("gcc -march=haswell -mno-avx2 -mavx2 -mno-avx2", {"kind": "llvm", "mcpu": "haswell", "mattr": ["-avx2"]}),
    ("gcc -march=znver4 -mno-sse2 -mavx -msse2", {"kind": "llvm", "mcpu": "znver4", "mattr": ["+avx", "+sse2"]}),
    ("-march=armv8-a+sve+nosve+sve", {"kind": "llvm", "mattr": ["+v8a", "+sve"]}),
    ("-march=armv8.4-a+sve+nofp16", {"kind": "llvm", "mattr": ["+v8.4a", "+sve", "+fp16fml", "-fullfp16"]}),
    ("-march=armv8.4-a+f64mm", {"kind": "llvm", "mattr": ["+v8.4a", "+f64mm", "+fp16fml"]}),
    ("-march=armv8-a+crypto+noaes", {"kind": "llvm", "mattr": ["+v8a", "-aes", "-sha2"]}),
    ("-march=armv8-a+aes+nosha2", {"kind": "llvm", "mattr": ["+v8a", "+aes", "-sha2"]}),
    ("aarch64-linux-gnu-gcc -mcpu=cortex-a72+nosha2", {"kind": "llvm", "mtriple": "aarch64-unknown-linux-gnu", "mcpu": "cortex-a72", "mattr": ["-aes", "-sha2"]}),
    ("arm-linux-gnueabihf-gcc -mcpu=cortex-a7 -mthumb -marm", {"kind": "llvm", "mtriple": "arm-unknown-linux-gnueabihf", "mcpu": "cortex-a7"}),
    ("arm-linux-gnueabihf-gcc -mcpu=cortex-a7 -marm -mthumb", {"kind": "llvm", "mtriple": "thumb-unknown-linux-gnueabihf", "mcpu": "cortex-a7"}),
    ("clang --target=thumbv7a-linux-gnueabihf -marm", {"kind": "llvm", "mtriple": "armv7a-unknown-linux-gnueabihf"}),
    ("arm-linux-gnueabi-gcc -mcpu=cortex-a7 -mabi=aapcs", {"kind": "llvm", "mtriple": "arm-unknown-linux-gnueabi", "mcpu": "cortex-a7", "mabi": "aapcs"}),
    ("arm-linux-gnueabihf-gcc -mcpu=cortex-a9 -mfpu=vfpv4 -mfloat-abi=soft", {"kind": "llvm", "mtriple": "arm-unknown-linux-gnueabihf", "mcpu": "cortex-a9", "mattr": ["+soft-float"], "mfloat-abi": "soft"}),
    ("-mcpu=cortex-m4 -mthumb", {**M4, "mattr": ["+soft-float"], "mfloat-abi": "soft"}),
    ("-mcpu=cortex-m4 -mfpu=fpv4-sp-d16", {**M4, "mattr": ["+soft-float"], "mfloat-abi": "soft"}),
    ("-mcpu=cortex-m4 -mfloat-abi=softfp", {**M4, "mfloat-abi": "soft"}),
    ("arm-linux-gnueabi-gcc -mcpu=cortex-a9 -mfpu=neon-fp16 -mfloat-abi=softfp", {"kind": "llvm", "mtriple": "arm-unknown-linux-gnueabi", "mcpu": "cortex-a9", "mfloat-abi": "soft"}),
    ("-mcpu=cortex-m55", {"kind": "llvm", "mtriple": "thumbv8.1m.main-unknown-none-eabi", "mcpu": "cortex-m55", "mattr": ["-mve", "-mve.fp", "+soft-float"], "mfloat-abi": "soft"}),
    ("-mcpu=cortex-m3 -mthumb", {"kind": "llvm", "mtriple": "thumbv7m-unknown-none-eabi", "mcpu": "cortex-m3"}),
    ("clang --target=arm-none-eabihf -mcpu=cortex-m4", {**M4, "mtriple": "thumbv7em-unknown-none-eabihf"}),
    ("armclang --target=arm-arm-none-eabi -mcpu=cortex-m4", {**M4, "mtriple": "thumbv7em-arm-none-eabi"}),
    ("riscv64-linux-gnu-gcc -march=rv64iv", {"kind": "llvm", "mtriple": "riscv64-unknown-linux-gnu", "mattr": ["+v"], "mabi": "lp64d"}),
    ("nvcc -arch=sm_80 -Xcompiler -march=haswell,-O2", {"kind": "cuda", "arch": "sm_80", "host": {"kind": "llvm", "mcpu": "haswell"}}),
    ("nvcc -arch=sm_80 --compiler-options='-march=haswell -mno-avx2'", {"kind": "cuda", "arch": "sm_80", "host": {"kind": "llvm", "mcpu": "haswell", "mattr": ["-avx2"]}}),
    ("nvcc -arch=sm_80 -m64", {"kind": "cuda", "arch": "sm_80"}),
    ("clang -march=haswell a.c # -mno-avx2", {"kind": "llvm", "mcpu": "haswell"}),
    ("gcc -march=haswell -DA=b#c -mno-avx2", {"kind": "llvm", "mcpu": "haswell", "mattr": ["-avx2"]}),
    ("gcc -march=haswell a.c\ngcc -march=haswell b.c", {"kind": "llvm", "mcpu": "haswell"}),
]  # fmt: skip
REJECTED = [
    ("gcc a.c", "OPTION_MISSING", "no flag states a machine"),
    ("", "OPTION_MISSING", "no flag states a machine"),
    ("llvm -mcpu=haswell", "OPTION_MISSING", "no flag states a machine"),
    ("gcc -march=native", "OPTION_INVALID", "native is the machine that builds"),
    ("gcc -mcpu=native+crypto", "OPTION_INVALID", "native+crypto is the machine that builds"),
    ("gcc -march=haswell -march=skylake", "TWO_TARGETS", "march is haswell and also skylake"),
    ("gcc -march=haswell a.c; gcc -march=znver3 b.c", "TWO_TARGETS", "two different targets"),
    ("-march=haswell\n-march=znver3", "TWO_TARGETS", "march is haswell and also znver3"),
    ("clang --target=x86_64-linux-gnu --target=aarch64-linux-gnu", "TWO_TARGETS", "target is"),
    ("gcc -march=haswell -mcpu=skylake", "OPTION_INVALID", "-mcpu=skylake does not state"),
    ("clang --target=x86_64-linux-gnu -mcpu=haswell", "OPTION_INVALID", "-mcpu=haswell does not"),
    ("gcc -march=haswell -mabi=ms", "OPTION_INVALID", "-mabi=ms is another calling convention"),
    ("gcc -march=haswell -m32", "OPTION_MISSING", "-m32 changes a triple that is not stated"),
    ("clang --target=x86_64-linux-gnu -m32", "OPTION_INVALID", "-m32 contradicts the triple"),
    ("gcc -mfoo", "OPTION_UNKNOWN", "-mfoo is not read, and may be about the machine"),
    ("gcc -march=haswell -mgeneral-regs-only", "OPTION_UNKNOWN", "-mgeneral-regs-only is not"),
    ("gcc -march=haswell -msoft-float", "OPTION_UNKNOWN", "-msoft-float is not read"),
    ("clang --target=x86_64-linux-gnu -mfpu=neon", "OPTION_INVALID", "-mfpu is a flag of 32-bit"),
    ("aarch64-linux-gnu-gcc -mfloat-abi=hard", "OPTION_INVALID", "-mfloat-abi is a flag of"),
    ("aarch64-linux-gnu-gcc -march=armv8-a -mcpu=cortex-a53", "TWO_TARGETS", "both state"),
    ("aarch64-linux-gnu-gcc -mcpu=cortex-a76.cortex-a55", "TWO_TARGETS", "several processors"),
    ("aarch64-linux-gnu-gcc -mcpu=cortex-a76+crypto", "OPTION_INVALID", "the extension crypto"),
    ("aarch64-linux-gnu-gcc -mcpu=cortex-a76+magic", "OPTION_INVALID", "the extension magic"),
    ("aarch64-linux-gnu-gcc -march=armv7-a", "OPTION_INVALID", "not an architecture of 64-bit"),
    ("aarch64-linux-gnu-gcc -march=armv9.6-a", "OPTION_INVALID", "not an architecture of 64-bit"),
    ("aarch64-linux-gnu-gcc -march=armv8-a -mabi=ilp32", "OPTION_INVALID", "calling convention"),
    ("gcc -march=armv7-a -mfpu=neon", "OPTION_MISSING", "nothing states the system"),
    ("-mcpu=cortex-a9 -mfloat-abi=hard", "OPTION_MISSING", "nothing states the system"),
    ("arm-none-eabi-gcc -mcpu=cortex-m4 -mfloat-abi=fast", "OPTION_INVALID", "not a float ABI"),
    ("arm-none-eabi-gcc -mcpu=cortex-m4 -mfpu=x87", "OPTION_INVALID", "x87 is not an FPU"),
    ("arm-none-eabi-gcc -march=armv5te", "OPTION_INVALID", "armv5te is not an architecture"),
    ("arm-none-eabi-gcc -march=armv7e-m+fp", "OPTION_INVALID", "the extension fp"),
    ("riscv64-linux-gnu-gcc -march=rva23u64", "OPTION_INVALID", "rva23u64 is not a list"),
    ("riscv64-linux-gnu-gcc -march=rv32imac", "OPTION_INVALID", "not a list of extensions"),
    ("riscv64-linux-gnu-gcc -march=rv64gc_zba1p0", "OPTION_INVALID", "rv64gc_zba1p0 is not a list"),
    ("riscv64-linux-gnu-gcc -march=rv64xyz", "OPTION_INVALID", "letters that are not read"),
    ("riscv64-linux-gnu-gcc -mcpu=sifive-u74", "OPTION_MISSING", "calling convention"),
    ("nvcc -gencode arch=compute_80,code=sm_80 -gencode arch=compute_86,code=sm_86", "TWO_TARGETS", "sm_80 and sm_86 are different targets"),
    ("nvcc -gencode arch=compute_80,code=[sm_80,sm_86]", "TWO_TARGETS", "are different targets"),
    ("nvcc -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=compute_90", "OPTION_INVALID", "compute_90 is code that each GPU compiles"),
    ("nvcc -arch=compute_80", "OPTION_INVALID", "compute_80 is code that each GPU compiles"),
    ("nvcc -arch=native", "OPTION_INVALID", "native is not the architecture of a GPU"),
    ("nvcc -arch=all-major", "OPTION_INVALID", "all-major is not the architecture of a GPU"),
    ("nvcc -gencode sm_80", "OPTION_INVALID", "sm_80 does not state arch and code"),
    ("hipcc --offload-arch=gfx90a,gfx942", "TWO_TARGETS", "gfx90a and gfx942 are different"),
    ("hipcc --offload-arch=gfx90a --offload-arch=sm_80", "TWO_TARGETS", "are different targets"),
    ("clang -arch arm64 -O2 a.c", "OPTION_INVALID", "arm64 is not the architecture of a GPU"),
    ("gcc -mfpu=neon", "OPTION_MISSING", "nothing states the system"),
    ("gcc -mthumb -mfpu=neon", "OPTION_MISSING", "nothing states the system"),
    ("gcc -mthumb -mabi=aapcs", "OPTION_MISSING", "nothing states the system"),
    ("gcc -mthumb -Xclang -target-feature -Xclang +dsp", "OPTION_MISSING", "nothing states"),
    ("arm-linux-gnueabihf-gcc -mcpu=cortex-a7+dotprod -mfpu=vfpv4", "OPTION_INVALID", "both decide"),
    ("arm-linux-gnueabihf-gcc -mcpu=cortex-a7+bf16 -mfloat-abi=soft", "OPTION_INVALID", "both decide"),
    ("aarch64-linux-gnu-gcc -march=armv9-a+nosve2-bitperm", "OPTION_INVALID", "the extension nosve2"),
    ("clang -march=haswell -Xclang -target-cpu -Xclang skylake", "OPTION_UNKNOWN", "-target-cpu is not read"),
    ("clang -march=haswell -Xclang -triple -Xclang i386", "OPTION_UNKNOWN", "-triple is not read"),
    ("clang --target=mips-linux-gnu -EL", "OPTION_UNKNOWN", "-EL is not read"),
    ("nvcc -m32 -arch=sm_50", "OPTION_MISSING", "-m32 changes a triple that is not stated"),
    ("nvcc -arch=sm_80 -Xcompiler -march=native", "OPTION_INVALID", "native is the machine"),
    ("hipcc --offload-arch=gfx90a --no-offload-arch=gfx90a", "OPTION_UNKNOWN", "--no-offload-arch"),
    ("gcc -march=", "OPTION_INVALID", "-march= has no value"),
    ("clang -target", "OPTION_INVALID", "-target has no value"),
    ({"kind": "llvm"}, "VALUE_TYPE", "is not text"),
]  # fmt: skip
NOTED = [
    ("gcc -march=haswell -mtune=skylake -O2", "left out, as a target does not state it: -mtune=skylake -O2"),
    ("nvcc -arch=sm_80 -Xcompiler -fPIC,-O2", "left out, as a target does not state it: -fPIC -O2"),
    ("clang -march=haswell -Xclang -fno-pch", "left out, as a target does not state it: -Xclang -fno-pch"),
    ("gcc -march=haswell @more.rsp", "@more.rsp is not read, and may say more about the machine"),
    ("gcc -march=haswell $(CFLAGS) -o $@", "$(CFLAGS) is not read, and may say more about the machine"),
    ("gcc -march=haswell $(CFLAGS) -o $@", "left out, as a target does not state it: -o $@"),
    ("-mcpu=cortex-m7 -mfloat-abi=softfp", "-mfloat-abi=softfp is mfloat-abi soft, which leaves the FPU in use"),
    ("-mcpu=cortex-m7", "mfloat-abi is soft, the default of compilers for bare metal"),
    ("-mcpu=cortex-m7 -mfpu=fpv5-d16", "left out -mfpu=fpv5-d16: no FPU is used with soft floats"),
    ("-march=armv8.2-a", "no triple is stated: add mtriple, a triple of aarch64"),
    ("-mcpu=cortex-m7", "no triple is stated: M profile, so bare metal with the embedded ABI"),
    ("riscv64-linux-gnu-gcc -march=rv64gc", "mabi is lp64d, the default of compilers"),
    ("clang --target=x86_64-w64-mingw32", "the triple x86_64-w64-mingw32 is x86_64-w64-windows-gnu to compilers"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "body"), READ)
def test_machines_of_commands_are_read(text: str, body: dict[str, Any]) -> None:
    assert read(text).body == body
    assert target_of(read(text).body)["kind"] == body["kind"]


@pytest.mark.parametrize(("text", "code", "message"), REJECTED)
def test_commands_without_one_known_machine_are_rejected(
    text: Any, code: str, message: str
) -> None:
    (fault,) = refusal(lambda: read(text)).faults
    assert message in fault.message
    assert fault.code == code


@pytest.mark.parametrize(("text", "message"), NOTED)
def test_what_is_left_out_or_open_is_noted(text: str, message: str) -> None:
    assert message in [note.message for note in read(text).notes]


@given(st.lists(st.tuples(st.sampled_from(["avx2", "sse2", "fma", "sse4.1"]), st.booleans())))
def test_the_last_flag_about_a_feature_decides(flags: list[tuple[str, bool]]) -> None:
    words = [f"-m{name}" if is_on else f"-mno-{name}" for name, is_on in flags]
    features = read(" ".join(["gcc -march=haswell", *words])).body.get("mattr", [])
    assert {each[1:]: each[0] == "+" for each in features} == dict(flags)
    assert len(features) == len(dict(flags))


def test_errors_have_the_position_of_the_word() -> None:
    (fault,) = refusal(lambda: read("gcc -O2 \\\n  -march=native")).faults
    assert fault.place
    assert (fault.place.line, fault.place.column) == (2, 10)


@given(st.lists(st.sampled_from([*(text for text, _ in READ), "'", '"', "\\", "-march", "="])))
def test_any_text_is_read_or_rejected(parts: list[str]) -> None:
    with suppress(Refused):
        assert read(" ".join(parts)).body["kind"] in KINDS.targets


@pytest.mark.parametrize("part", ["gcc -march=a ", "'", '"', "\\", "-Xclang ", "A=", "a;", "+"])
def test_no_command_is_slow(part: str) -> None:
    began = time.process_time()
    with suppress(Refused):
        read("gcc -march=a" + part * (MAX_BYTES // len(part) - 20))
    assert time.process_time() - began < 5
