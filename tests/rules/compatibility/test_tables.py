"""The features of processors. tests/tvm compares them with LLVM."""

import pytest

from ttag_rules.compatibility.tables import (
    FeatureClass,
    InstructionSet,
    Tables,
    UnknownVersion,
    shipped_tables,
)


def instructions(architecture: str) -> InstructionSet:
    table = shipped_tables().instruction_set(architecture)
    assert table
    return table


HAS = [
    ("x86_64", "haswell", "avx2"),
    ("x86_64", "haswell", "lzcnt"),
    ("x86_64", "x86-64-v3", "movbe"),
    ("x86_64", "znver4", "avx512bf16"),
    ("x86_64", "znver1", "cmov"),
    ("x86_64", "sapphirerapids", "amx-int8"),
    ("x86_64", "nehalem", "sse4.2"),
    ("aarch64", "cortex-a76", "dotprod"),
    ("aarch64", "neoverse-v1", "sve"),
    ("aarch64", "neoverse-v2", "sve2"),
    ("aarch64", "oryon-1", "fullfp16"),
    ("aarch64", "apple-m1", "lse"),
    ("arm", "cortex-a7", "neon"),
    ("arm", "cortex-m4", "dsp"),
    ("arm", "arm1176jzf-s", "dsp"),  # clang says so, and LLVM of other processors of Armv6
    ("arm", "cortex-a55", "fullfp16"),
    ("riscv64", "spacemit-x60", "v"),
    ("riscv64", "sifive-x280", "zvl512b"),
]
LACKS = [
    ("x86_64", "haswell", "avx512f"),
    ("x86_64", "haswell", "aes"),  # some Celerons lack it
    ("x86_64", "ivybridge", "avx2"),
    ("x86_64", "nehalem", "lzcnt"),
    ("x86_64", "znver3", "avx512f"),
    ("x86_64", "skylake", "avx512f"),
    ("x86_64", "alderlake", "avx512f"),
    ("x86_64", "icelake-server", "amx-tile"),
    ("aarch64", "cortex-a72", "lse"),
    ("aarch64", "cortex-a76", "sve"),
    ("aarch64", "cortex-a53", "dotprod"),
    ("aarch64", "apple-m1", "sve"),
    ("aarch64", "cortex-a710", "aes"),  # licensed apart
    ("arm", "cortex-m3", "dsp"),
    ("arm", "cortex-m0", "thumb2"),
    ("riscv64", "sifive-u74", "v"),
]


@pytest.mark.parametrize(("architecture", "mcpu", "feature"), HAS)
def test_processors_have_what_their_makers_say(architecture: str, mcpu: str, feature: str) -> None:
    assert feature in instructions(architecture).closure(mcpu)


@pytest.mark.parametrize(("architecture", "mcpu", "feature"), LACKS)
def test_processors_lack_what_their_makers_do_not_say(
    architecture: str, mcpu: str, feature: str
) -> None:
    assert feature not in instructions(architecture).closure(mcpu)


@pytest.mark.parametrize(
    ("mattr", "present", "absent"),
    [
        (["+avx512f"], {"avx512f", "avx2", "f16c"}, {"avx512bw"}),
        (["-avx2"], {"avx", "fma"}, {"avx2"}),
        (["-avx"], {"sse4.2"}, {"avx", "avx2", "fma", "f16c"}),
        (["-avx", "+avx2"], {"avx", "avx2"}, {"fma"}),
        (["+avx512f", "-avx2"], {"avx"}, {"avx2", "avx512f"}),
        (["+no-such-feature"], {"no-such-feature"}, set()),
    ],
)
def test_features_are_switched_in_their_order_with_what_they_imply(
    mattr: list[str], present: set[str], absent: set[str]
) -> None:
    features = instructions("x86_64").closure("haswell", mattr)
    assert present <= features
    assert not absent & features


@pytest.mark.parametrize(
    ("architecture", "mattr", "present", "absent"),
    [
        ("aarch64", ["+v9a"], {"sve2", "fullfp16", "lse"}, {"sve2p1"}),
        ("aarch64", ["+v9a", "-sve2"], {"sve"}, {"sve2"}),
        ("aarch64", ["-sve2", "+v9a"], {"sve2"}, set()),
        ("aarch64", ["+v8.5a"], {"ssbs", "lse"}, {"sve", "fullfp16"}),
        ("x86_64", ["+avx2"], {"popcnt", "crc32", "xsave"}, {"fma", "lzcnt", "bmi"}),
        ("x86_64", ["-popcnt", "+avx2"], {"avx2", "crc32"}, {"popcnt"}),
        ("x86_64", ["-xsave", "+xsavec"], {"xsave"}, {"avx"}),  # LLVM switches it on
        ("x86_64", ["+amx-avx512"], {"avx512fp16", "avx10.2"}, {"amx-int8"}),
        ("wasm32", ["+relaxed-simd"], {"simd128"}, {"fp16"}),
        ("riscv64", ["+zca"], {"zca"}, {"c"}),  # the same instructions
    ],
)
def test_clang_switches_on_more(
    architecture: str, mattr: list[str], present: set[str], absent: set[str]
) -> None:
    table = instructions(architecture)
    features = table.closure(table.baseline, mattr)
    assert present <= features
    assert not absent & features


def test_a_profile_switches_on_what_it_has() -> None:
    features = instructions("riscv64").closure("generic-rv64", ["+rva22u64"])
    assert {"zba", "zbb", "zbs", "c", "d"} <= features
    assert "v" not in features


def test_the_spelling_of_a_triple_counts_without_a_processor() -> None:
    arm = instructions("arm")
    assert "neon" in arm.closure("generic", (), "armv7a")
    assert "neon" not in arm.closure("generic", (), "armv6")
    assert "thumb2" not in arm.closure("cortex-m0", (), "armv7a")


def test_what_a_list_denies_falls_with_what_implies_it() -> None:
    x86 = instructions("x86_64")
    assert {"avx2", "avx512f", "vaes"} <= x86.switched_off(["-avx2"])
    assert "avx" not in x86.switched_off(["-avx2"])
    assert x86.switched_off(["-aes", "+aes"]) == x86.implying("aes") - {"aes"}


@pytest.mark.parametrize(
    ("architecture", "feature", "expected"),
    [
        ("x86_64", "avx512f", FeatureClass.EMITTED),
        ("x86_64", "sse4a", FeatureClass.EMITTED),
        ("x86_64", "avx512vnni", FeatureClass.EMITTED),
        ("x86_64", "aes", FeatureClass.GUARDED),
        ("x86_64", "gfni", FeatureClass.EMITTED),  # reverses bits, and shifts bytes
        ("x86_64", "amx-fp8", FeatureClass.GUARDED),
        ("x86_64", "sgx", FeatureClass.IGNORED),
        ("aarch64", "sha3", FeatureClass.EMITTED),  # EOR3, from plain C
        ("aarch64", "crc", FeatureClass.GUARDED),
        ("aarch64", "v8.2a", FeatureClass.IGNORED),
        ("riscv64", "zba", FeatureClass.EMITTED),
        ("riscv64", "zicbom", FeatureClass.GUARDED),
        ("riscv64", "zihintpause", FeatureClass.IGNORED),
        ("x86_64", "a-feature-of-tomorrow", FeatureClass.EMITTED),
    ],
)
def test_what_no_row_names_is_emitted(
    architecture: str, feature: str, expected: FeatureClass
) -> None:
    assert instructions(architecture).class_of(feature) is expected


def test_no_table_has_features_that_only_tune() -> None:
    for name in ("aarch64", "arm", "riscv64", "x86_64"):
        table = instructions(name)
        names = frozenset().union(*table.processors.values(), *table.implied.values())
        assert not {
            name for name in names if name.startswith(("fast-", "slow-", "prefer-", "fuse"))
        }


def test_levels_stand_for_all_that_have_at_least_their_features() -> None:
    x86 = instructions("x86_64")
    assert x86.is_level("x86-64-v3")
    assert not x86.is_level("haswell")
    assert not x86.is_level("unheard-of")


def test_all_processors_of_64_bits_run_the_baseline() -> None:
    x86 = instructions("x86_64")
    baseline = x86.closure(x86.baseline)
    present = [name for name, features in x86.processors.items() if "64bit" in features]
    assert len(present) > 80
    for name in present:
        assert baseline <= x86.closure(name, with_additions=True) | x86.ignored, name


def test_there_is_no_table_of_other_architectures() -> None:
    assert shipped_tables().instruction_set("xtensa") is None


def test_tables_of_another_form_are_refused() -> None:
    with pytest.raises(UnknownVersion, match="version 2, expected 1"):
        Tables.from_json({"version": 2})
