"""Questions with their verdicts, which every mirror has, so that other implementations are tested.

    python -m tests.client.compatibility.cases

writes the verdicts of this release. Read what changes: people are given the same verdicts.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import product
from typing import Any

from ttag.mirror.compatibility import CASES, answers_of
from ttag_rules.compatibility.options import Compiler, FileForm, Options
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.verdicts import Verdict

Body = dict[str, Any]
LINUX = {
    arch: f"{arch}-unknown-linux-gnu" for arch in ("x86_64", "aarch64", "riscv64", "powerpc64le")
}


def cpu(mcpu: str, *mattr: str, arch: str = "x86_64", triple: str = "", **options: Any) -> Body:
    """Return a body of a processor."""
    features: Body = {"mattr": list(mattr)} if mattr else {}
    return {
        "kind": "llvm",
        "mtriple": triple or LINUX[arch],
        "mcpu": mcpu,
        **features,
        **options,
    }


def arm(mcpu: str, *mattr: str, **options: Any) -> Body:
    """Return a body of an AArch64 processor."""
    return cpu(mcpu, *mattr, arch="aarch64", **options)


def riscv(mcpu: str, *mattr: str, abi: str = "lp64d") -> Body:
    """Return a body of a RISC-V processor."""
    return cpu(mcpu, *mattr, arch="riscv64", mabi=abi)


def cuda(arch: str) -> Body:
    """Return a body of an NVIDIA GPU."""
    return {"kind": "cuda", "arch": arch}


def rocm(mcpu: str, *mattr: str) -> Body:
    """Return a body of an AMD GPU."""
    return {"kind": "rocm", "mcpu": mcpu, **({"mattr": list(mattr)} if mattr else {})}


ARMV7 = "armv7-unknown-linux-gnueabihf"
SVE = "aarch64-sve-vector-bits"
BARE = "thumbv7em-none-eabihf"
X86: dict[str, Body] = {
    "x86-64": cpu("x86-64"),
    "x86-64-v3": cpu("x86-64-v3"),
    "nehalem": cpu("nehalem"),
    "haswell": cpu("haswell"),
    "haswell-aes": cpu("haswell", "+aes"),
    "haswell-no-aes": cpu("haswell", "-aes"),
    "skylake-avx512": cpu("skylake-avx512"),
    "sapphirerapids": cpu("sapphirerapids"),
    "znver4": cpu("znver4"),
}
OTHER_PROCESSORS: dict[str, Body] = {
    "cortex-a53": arm("cortex-a53"),
    "cortex-a53-aes": arm("cortex-a53", "+aes"),
    "a64fx": arm("a64fx"),
    "cortex-a76": arm("cortex-a76"),
    "neoverse-v1": arm("neoverse-v1"),
    "sve-of-256": arm("neoverse-v1", **{"cl-opt": [f"--{SVE}-max=256", f"--{SVE}-min=256"]}),
    "apple-m1": cpu("apple-m1", triple="arm64-apple-macosx"),
    "macos-unstated": {"kind": "llvm", "mtriple": "arm64-apple-macosx"},
    "rv64-unstated": {"kind": "llvm", "mtriple": LINUX["riscv64"]},
    "generic-sha3": arm("generic", "+sha3"),
    "cortex-a7": cpu("cortex-a7", triple=ARMV7, **{"mfloat-abi": "hard"}),
    "cortex-a7-soft": cpu(
        "cortex-a7", triple="armv7-unknown-linux-gnueabi", **{"mfloat-abi": "soft"}
    ),
    "cortex-m7": cpu("cortex-m7", triple=BARE),
    "cortex-m4": cpu("cortex-m4", triple=BARE),
    "rv64gc": riscv("generic-rv64", "+m", "+a", "+f", "+d", "+c"),
    "rv64gc-lp64": riscv("generic-rv64", "+m", "+a", "+f", "+d", "+c", abi="lp64"),
    "sifive-x280": riscv("sifive-x280"),
    "vectors-of-1024": riscv("sifive-x280", "+zvl1024b"),
    "power9": cpu("pwr9", arch="powerpc64le"),
    "power8": cpu("pwr8", arch="powerpc64le"),
    "musl": cpu("x86-64", triple="x86_64-unknown-linux-musl"),
    "windows": cpu("x86-64", triple="x86_64-pc-windows-msvc"),
}
NVIDIA: dict[str, Body] = {
    name: cuda(name) for name in ("sm_72", "sm_80", "sm_86", "sm_87", "sm_90a", "sm_100f", "sm_103")
} | {"ptx-80": {"kind": "nvptx", "mcpu": "sm_80"}}
AMD: dict[str, Body] = {
    "gfx90a": rocm("gfx90a"),
    "gfx90a-xnack": rocm("gfx90a", "+xnack"),
    "gfx90a-no-xnack": rocm("gfx90a", "-xnack"),
    "gfx11-generic": rocm("gfx11-generic"),
    "gfx1100": rocm("gfx1100"),
}
ODD: dict[str, Body] = {
    "mixin": {"num-cores": 4},
    "no-processor": {"kind": "llvm"},
    "unheard-of": cpu("unheard-of"),
    "host-and-gpu": {**cuda("sm_80"), "host": cpu("haswell")},
    "two-gpus": {"kind": "composite", "devices": [cuda("sm_80"), cuda("sm_86"), cpu("haswell")]},
    "vulkan": {"kind": "vulkan"},
}
BODIES: dict[str, Body] = {**X86, **OTHER_PROCESSORS, **NVIDIA, **AMD, **ODD}
BOTH = frozenset(FileForm)
OPTIONS = (
    ("haswell-aes", "haswell", Options(strict=True)),
    ("skylake-avx512", "haswell-no-aes", Options(strict=True)),
    ("sm_80", "sm_90a", Options(ships=BOTH)),
    ("sm_80", "sm_90a", Options(ships=frozenset({FileForm.CUBIN}))),
    ("sm_90a", "sm_100f", Options(ships=BOTH)),
    ("sm_80", "sm_80", Options(driver="450.80.02")),
    ("sm_80", "sm_80", Options(driver="400.1")),
    ("sm_90a", "sm_90a", Options(toolkit="11.8")),
    ("sm_103", "sm_103", Options(driver="535.54.03")),
    ("sm_103", "sm_103", Options(driver="590.44.01")),
    ("sm_86", "sm_86", Options(toolkit="12.8", driver="525.60.13")),
    ("sm_100f", "sm_103", Options(toolkit="12.8")),
    ("ptx-80", "sm_86", Options(toolkit="12.8", driver="525.60.13")),
    ("macos-unstated", "cortex-a53", Options(compiler=Compiler.TVM)),
    *(("macos-unstated", "macos-unstated", Options(compiler=each)) for each in Compiler),
    *(("rv64-unstated", "rv64gc-lp64", Options(compiler=each)) for each in Compiler),
    ("haswell", "haswell", Options(compiler=Compiler.GCC)),
)


def questions() -> Iterator[tuple[str, str, Options]]:
    """Yield pairs of bodies: each group with itself, and odd ones with one of each group."""
    for group in (X86, NVIDIA, AMD):
        for built_for, machine in product(group, repeat=2):
            yield built_for, machine, Options()
    for name in OTHER_PROCESSORS:
        near = [other for other in OTHER_PROCESSORS if _arch(other) == _arch(name)]
        for machine in [*near, "haswell"]:
            yield name, machine, Options()
    for odd, other in product(ODD, ("haswell", "sm_80", "gfx90a", *ODD)):
        yield odd, other, Options()
    yield from OPTIONS


def _arch(name: str) -> str:
    triple: str = BODIES[name]["mtriple"].partition("-")[0]
    return triple.replace("thumbv7em", "arm").replace("armv7", "arm").replace("arm64", "aarch64")


def as_case(built_for: str, machine: str, options: Options, given: Verdict) -> dict[str, Any]:
    """Return a case as the file has it, about two bodies with names."""
    answers = answers_of(given)
    stated = {**asdict(options), "ships": sorted(options.ships)}
    return {
        "built_for": built_for,
        "machine": machine,
        "options": {name: value for name, value in stated.items() if value},
        "verdict": answers.pop("verdict"),
        "dimensions": answers,
    }


def render() -> str:
    """Return the text of the file: a body or a case on each line."""
    bodies = [f"  {json.dumps(name)}: {json.dumps(body)}" for name, body in BODIES.items()]
    cases = [
        f"  {json.dumps(as_case(one, other, options, given))}"
        for one, other, options in dict.fromkeys(questions())
        for given in [verdict(BODIES[one], BODIES[other], options)]
    ]
    lines = ",\n".join(bodies), ",\n".join(cases)
    return '{{\n "bodies": {{\n{}\n }},\n "cases": [\n{}\n ]\n}}\n'.format(*lines)


if __name__ == "__main__":
    CASES.write_text(render(), encoding="utf-8")
