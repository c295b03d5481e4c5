"""Failures and false alarms that people reported, each with the report and the answer.

The code is for what the report says was built, the machine is the one that it names. Where it
names features alone, the code is for the baseline with them.
"""

from typing import Any

from ttag_rules.compatibility.verdicts import Answer

YES, CONDITIONAL, NO = Answer.YES, Answer.CONDITIONAL, Answer.NO
Leaf = dict[str, Any]
Case = tuple[str, Leaf, Leaf, Answer]


def x86(mcpu: str = "x86-64", *mattr: str, system: str = "unknown-linux-gnu") -> Leaf:
    return _leaf(f"x86_64-{system}", mcpu, mattr)


def a64(mcpu: str = "generic", *mattr: str, system: str = "unknown-linux-gnu") -> Leaf:
    return _leaf(f"aarch64-{system}", mcpu, mattr)


def a32(mcpu: str, *mattr: str, triple: str = "armv7-unknown-linux-gnueabihf") -> Leaf:
    return _leaf(triple, mcpu, mattr)


def rv64(mcpu: str, *mattr: str, **options: Any) -> Leaf:
    return {**_leaf("riscv64-unknown-linux-gnu", mcpu, mattr), "mabi": "lp64d", **options}


def _leaf(triple: str, mcpu: str, mattr: tuple[str, ...]) -> Leaf:
    leaf = {"kind": "llvm", "mtriple": triple, "mcpu": mcpu}
    return {**leaf, "mattr": list(mattr)} if mattr else leaf


WINDOWS = "pc-windows-msvc"
V6 = "armv6-unknown-linux-gnueabihf"
SOFT = "armv7-unknown-linux-gnueabi"
RV64, GC = "generic-rv64", ("+m", "+a", "+f", "+d", "+c")
MOST_256 = {"cl-opt": ["-riscv-v-vector-bits-max:uint=256"]}

FAILURES: list[Case] = [
    ("tensorflow/tensorflow/issues/18275", x86("x86-64", "+avx"), x86("nehalem"), NO),
    ("tensorflow/tensorflow/issues/18322", x86("x86-64", "+avx"), x86("amdfam10"), NO),
    ("tensorflow/tensorflow/issues/17411", x86("x86-64", "+avx"), x86("westmere"), NO),
    ("tensorflow/tensorflow/issues/45744", x86("x86-64", "+avx2"), x86("ivybridge"), NO),
    ("tensorflow/tensorflow/issues/45866", x86("x86-64", "+avx2"), x86("sandybridge"), NO),
    ("facebookresearch/faiss/issues/896", x86("x86-64", "+avx2"), x86("ivybridge"), NO),
    ("facebookresearch/faiss/issues/5296", x86("x86-64", "+avx2"), x86("sandybridge"), NO),
    ("jax-ml/jax/issues/6671", x86("x86-64", "+avx"), x86("silvermont"), NO),
    ("jax-ml/jax/issues/31723", x86("x86-64", "+avx"), x86("westmere"), NO),
    (
        "jax-ml/jax/issues/2906",
        x86("skylake-avx512"),
        x86("skylake-avx512", "-avx512f"),
        NO,
    ),
    (
        "jax-ml/jax/pull/21494",
        x86("x86-64", system="apple-macos"),
        _leaf("arm64-apple-macos", "apple-m1", ()),
        NO,
    ),
    ("nhsx/skunkworks-bed-allocation/issues/35", x86("x86-64", "+avx"), x86("amdfam10"), NO),
    (
        "atopile/atopile/issues/1838",
        x86("x86-64-v4", system=WINDOWS),
        x86("znver3", system=WINDOWS),
        NO,
    ),
    (
        "atopile/atopile/issues/1825",
        x86("x86-64-v4", system=WINDOWS),
        x86("alderlake", system=WINDOWS),
        NO,
    ),
    (
        "Thr45hx/ghostty-windows/issues/2",
        x86("znver4", system=WINDOWS),
        x86("raptorlake", system=WINDOWS),
        NO,
    ),
    ("nicobailon/pi-interactive-shell/issues/13", x86("x86-64-v4"), x86("znver3"), NO),
    ("anomalyco/opencode/issues/12512", x86("x86-64-v3"), x86("ivybridge"), NO),
    ("anomalyco/opencode/issues/38986", x86("x86-64-v4"), x86("znver3"), NO),
    ("kernelwernel/VMAware/issues/571", x86("skylake-avx512"), x86("raptorlake"), NO),
    ("rockorager/monstar/issues/41", x86("x86-64", "+avx"), x86("goldmont"), NO),
    ("EricLBuehler/mistral.rs/issues/1269", x86("x86-64", "+bmi2"), x86("ivybridge"), NO),
    ("althonos/pyopal/issues/7", x86("x86-64", "+avx2"), x86("ivybridge"), NO),
    ("al13n321/nnd/issues/1", x86("x86-64", "+avx2"), x86("bdver3"), NO),
    ("mattias800/prosper/pull/170", x86("znver2"), x86("raptorlake"), NO),
    ("klauspost/reedsolomon/issues/4", x86("x86-64", "+ssse3"), x86("amdfam10"), NO),
    ("bmx-ng/bmk/issues/29", x86("x86-64", "+sse4.2"), x86("amdfam10"), NO),
    ("BitFunnel/NativeJIT/issues/60", x86("x86-64", "+lzcnt"), x86("westmere"), NO),
    ("aczid/crypto1_bs/issues/42", x86("x86-64", "+avx"), x86("nehalem"), NO),
    (
        "piwheels/packages/issues/276",
        a32("generic"),
        a32("arm1176jzf-s", triple=V6),
        NO,
    ),
    (
        "piwheels/piwheels/issues/66",
        a32("cortex-a7"),
        a32("arm1176jzf-s", triple=V6),
        NO,
    ),
    ("pytorch/pytorch/issues/132032", a64("generic", "+lse"), a64("cortex-a72"), NO),
    ("Tencent/ncnn/issues/2358", a64("generic", "+lse"), a64("cortex-a72"), NO),
    ("oven-sh/bun/issues/12076", a64("generic", "+v8.1a"), a64("cortex-a72"), NO),
    ("restatedev/restate/issues/5123", a64("generic", "+v8.1a"), a64("cortex-a72"), NO),
    ("napi-rs/napi-rs/issues/2567", a64("generic", "+lse"), a64("cortex-a72"), NO),
    (
        "OpenMathLib/OpenBLAS/issues/5271",
        a64("generic", "+v8.2a", "+sve"),
        a64("neoverse-n1"),
        NO,
    ),
    ("minio/crc64nvme/issues/3", a64("generic", "+sha3"), a64("neoverse-n1"), NO),
    (
        "ggml-org/llama.cpp/issues/14926",
        rv64(RV64, *GC, "+v"),
        rv64("sifive-u74"),
        NO,
    ),
    (
        "ggml-org/llama.cpp/issues/11041",
        rv64(RV64, *GC, "+v", **MOST_256),
        rv64("sifive-x280"),
        NO,
    ),
    ("pi-hole/FTL/issues/364", a32("cortex-a7"), a32("cortex-a7", triple=SOFT), NO),
    (
        "gliderlabs/docker-alpine/issues/219",
        x86("x86-64"),
        x86("haswell", system="alpine-linux-musl"),
        NO,
    ),
    (
        "zampierilucas/kindle-hid-passthrough/pull/15",
        a32("cortex-a7", triple="armv7-unknown-linux-musleabihf"),
        a32("cortex-a7"),
        NO,
    ),
]

FALSE_ALARMS: list[Case] = [
    # What another tool refused, though it runs, or what was the cure.
    ("archspec/archspec/issues/40", x86("haswell"), x86("haswell", "-aes"), YES),
    ("archspec/archspec/issues/72", x86("x86-64-v4"), x86("skylake-avx512", "-aes"), YES),
    (
        "archspec/archspec/issues/72",
        x86("skylake-avx512"),
        x86("skylake-avx512", "-aes"),
        CONDITIONAL,
    ),
    ("archspec/archspec-json/issues/38", x86("znver3"), x86("znver3", "-pku"), YES),
    ("EESSI/software-layer/issues/322", x86("znver3"), x86("znver3", "-pku"), YES),
    (
        "EESSI/software-layer/issues/320",
        a64("neoverse-v1"),
        a64("neoverse-v1", "-pauth"),
        CONDITIONAL,
    ),
    (
        "EESSI/software-layer/issues/845",
        a64("neoverse-v2"),
        a64("neoverse-v2", "-ssbs"),
        CONDITIONAL,
    ),
    ("spack/spack/issues/43106", a64("neoverse-n1"), a64("grace"), YES),
    # Grace has no random numbers.
    ("spack/spack/issues/43106", a64("neoverse-v2"), a64("grace"), CONDITIONAL),
    ("llvm/llvm-zorg/pull/354", a64("neoverse-n1"), a64("neoverse-v1"), YES),
    ("aws/aws-graviton-getting-started/pull/503", a64("generic", "+sve"), a64("neoverse-v1"), YES),
    ("aws/aws-graviton-getting-started/pull/503", a64("generic", "+sve"), a64("neoverse-v2"), YES),
    ("tensorflow/tensorflow/issues/17411", x86(), x86("westmere"), YES),
    ("tensorflow/tensorflow/issues/45744", x86("x86-64", "+avx"), x86("ivybridge"), YES),
    ("tensorflow/tensorflow/issues/45866", x86("x86-64", "+avx"), x86("sandybridge"), YES),
    ("facebookresearch/faiss/issues/5296", x86("x86-64-v2"), x86("sandybridge"), YES),
    ("nhsx/skunkworks-bed-allocation/issues/35", x86("x86-64", "+avx"), x86("bdver4"), YES),
    ("rockorager/monstar/issues/41", x86(), x86("goldmont"), YES),
    ("Thr45hx/ghostty-windows/issues/2", x86(), x86("raptorlake"), YES),
    ("atopile/atopile/issues/1838", x86(), x86("znver3"), YES),
    ("atopile/atopile/issues/1825", x86("x86-64-v3"), x86("alderlake"), YES),
    ("klauspost/reedsolomon/issues/4", x86("x86-64", "+sse3"), x86("amdfam10"), YES),
    ("bmx-ng/bmk/issues/29", x86("x86-64", "+sse4a"), x86("amdfam10"), YES),
    ("BitFunnel/NativeJIT/issues/60", x86(), x86("westmere"), YES),
    ("aczid/crypto1_bs/issues/42", x86("x86-64", "+sse2"), x86("nehalem"), YES),
    ("prefix-dev/pixi/issues/3280", x86(), x86("skylake"), YES),
    ("prefix-dev/pixi/pull/6817", x86("x86-64-v3"), x86("skylake"), YES),
    ("NixOS/nixfmt/issues/276", x86(), x86("znver2"), YES),
    (
        "piwheels/packages/issues/276",
        a32("arm1176jzf-s", triple=V6),
        a32("arm1176jzf-s", triple=V6),
        YES,
    ),
    ("piwheels/packages/issues/276", a32("arm1176jzf-s", triple=V6), a32("cortex-a7"), YES),
    (
        "piwheels/packages/issues/276",
        a32("generic", triple=V6),
        a32("arm1176jzf-s", triple=V6),
        YES,
    ),
    (
        "googlesamples/assistant-sdk-python/issues/235",
        a32("arm1176jzf-s", triple=V6),
        a32("cortex-a53"),
        YES,
    ),
    ("tizonia/tizonia-openmax-il/issues/372", a32("cortex-a7"), a32("cortex-a53"), YES),
    ("jbruce12000/kiln-controller/issues/61", a32("generic"), a32("cortex-a53"), YES),
    ("pytorch/pytorch/issues/132032", a64(), a64("cortex-a72"), YES),
    ("Tencent/ncnn/issues/2409", a64(), a64("cortex-a72"), YES),
    ("oven-sh/bun/issues/12076", a64("cortex-a72"), a64("cortex-a72"), YES),
    ("klzgrad/naiveproxy/issues/193", a64(), a64("cortex-a72"), YES),
    ("OpenMathLib/OpenBLAS/issues/5271", a64("generic", "+v8.2a"), a64("neoverse-n1"), YES),
    ("minio/crc64nvme/issues/3", a64("generic", "+aes"), a64("neoverse-n1", "+aes"), YES),
    ("ggml-org/llama.cpp/issues/14926", rv64(RV64, *GC), rv64("sifive-u74"), YES),
    ("pi-hole/FTL/issues/364", a32("cortex-a7", triple=SOFT), a32("cortex-a7", triple=SOFT), YES),
    (
        "rust-lang/rust/pull/30794",
        a32("cortex-a7", "+soft-float", triple=SOFT),
        a32("cortex-a7", triple=SOFT),
        YES,
    ),
]
