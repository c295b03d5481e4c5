import pytest
from hypothesis import given, strategies as st

from registry.services.core import shipped_facts
from ttag_rules.triples import Triple

TRIPLES = [
    # triple, arch, vendor, os, environment, libc, abi
    ("", "", "", "", "", "", ""),
    ("x86_64", "x86_64", "", "", "", "", ""),
    ("x86_64-linux", "x86_64", "", "linux", "", "", ""),
    ("aarch64-linux-gnu", "aarch64", "", "linux", "gnu", "gnu", ""),
    ("aarch64-unknown-linux-gnu", "aarch64", "", "linux", "gnu", "gnu", ""),
    ("aarch64-none-linux-gnu", "aarch64", "", "linux", "gnu", "gnu", ""),
    ("x86_64-linux-musl", "x86_64", "", "linux", "musl", "musl", ""),
    ("x86_64-pc-windows-msvc", "x86_64", "pc", "windows", "msvc", "msvc", ""),
    ("x86_64-w64-windows-gnu", "x86_64", "w64", "windows", "gnu", "gnu", ""),
    ("i686-pc-win32", "i386", "pc", "windows", "", "", ""),
    ("arm-none-eabi", "arm", "", "none", "eabi", "", "eabi"),
    ("arm-none-none-eabi", "arm", "", "none", "eabi", "", "eabi"),
    ("thumbv7em-none-eabihf", "arm", "", "none", "eabihf", "", "eabihf"),
    ("aarch64-none-elf", "aarch64", "", "none", "elf", "", ""),
    ("riscv64-unknown-elf", "riscv64", "", "", "elf", "", ""),
    ("riscv32-none-none-elf", "riscv32", "", "none", "elf", "", ""),
    ("armv7l-linux-gnueabihf", "arm", "", "linux", "gnueabihf", "gnu", "eabihf"),
    ("armv7l-linux-gnueabihft64", "arm", "", "linux", "gnueabihft64", "gnu", "eabihf"),
    ("armv7a-linux-eabi", "arm", "", "linux", "eabi", "", "eabi"),
    ("armv7-linux-musleabihf", "arm", "", "linux", "musleabihf", "musl", "eabihf"),
    ("armv7-none-linux-androideabi24", "arm", "", "linux", "androideabi24", "android", "eabi"),
    ("aarch64-linux-android21", "aarch64", "", "linux", "android21", "android", ""),
    ("arm64-linux-android", "aarch64", "", "linux", "android", "android", ""),
    ("arm64-apple-macos", "aarch64", "apple", "macos", "", "", ""),
    ("x86_64-apple-macosx10.15", "x86_64", "apple", "macos", "", "", ""),
    ("arm64-apple-ios17.0-simulator", "aarch64", "apple", "ios", "simulator", "", ""),
    ("x86_64-linux-gnux32", "x86_64", "", "linux", "gnux32", "gnu", "x32"),
    ("aarch64-linux-gnu_ilp32", "aarch64", "", "linux", "gnu_ilp32", "gnu", "ilp32"),
    ("mips64-linux-gnuabi64", "mips64", "", "linux", "gnuabi64", "gnu", "abi64"),
    ("loongarch64-linux-gnusf", "loongarch64", "", "linux", "gnusf", "gnu", "sf"),
    ("x86_64-unknown-freebsd14.1", "x86_64", "", "freebsd", "", "", ""),
    ("ppc64le-linux-gnu", "powerpc64le", "", "linux", "gnu", "gnu", ""),
    ("s390x-ibm-linux", "s390x", "ibm", "linux", "", "", ""),
    ("hexagon", "hexagon", "", "", "", "", ""),
    ("x86_64-gnu", "x86_64", "", "", "gnu", "gnu", ""),
    ("x86_64-foo-bar", "x86_64", "foo", "bar", "", "", ""),
    ("x86_64-linux-foo", "x86_64", "", "linux", "foo", "", ""),
    ("x86_64-linux-gnu-foo", "x86_64", "", "linux", "gnu", "gnu", ""),
    ("x86_64--linux", "x86_64", "", "linux", "", "", ""),
    ("unheard-of", "unheard", "of", "", "", "", ""),
]


@pytest.mark.parametrize("row", TRIPLES, ids=[text for text, *_ in TRIPLES])
def test_components_of_triples(row: tuple[str, ...]) -> None:
    text, arch, *others = row
    assert Triple.parse(text) == Triple(arch, text.partition("-")[0], *others)


@pytest.mark.parametrize(
    ("processor", "arch"),
    [
        ("arm", "arm"),
        ("armv6k", "arm"),
        ("armv8l", "arm"),
        ("armv8.1m.main", "arm"),
        ("thumb", "arm"),
        ("thumbv7em", "arm"),
        ("xscale", "arm"),
        ("armeb", "armeb"),
        ("thumbeb", "armeb"),
        ("armebv7r", "armeb"),
        ("armv7eb", "armeb"),
        ("arm64", "aarch64"),
        ("arm64e", "aarch64"),
        ("arm64_32", "aarch64_32"),
        ("aarch64_be", "aarch64_be"),
        ("i386", "i386"),
        ("i686", "i386"),
        ("amd64", "x86_64"),
        ("x86_64h", "x86_64"),
        ("riscv32", "riscv32"),
        ("armada", "armada"),
    ],
)
def test_names_of_an_architecture_are_unified(processor: str, arch: str) -> None:
    assert Triple.parse(f"{processor}-linux").arch == arch


names = st.sampled_from(["x86_64", "none", "unknown", "linux", "gnu", "pc", "eabi"])


@given(st.text() | st.lists(names).map("-".join))
def test_any_text_can_be_parsed(text: str) -> None:
    triple = Triple.parse(text)
    assert not {triple.vendor, triple.environment} & {"none", "unknown"}


def test_shipped_cpus_use_llvms_architecture_names() -> None:
    names = shipped_facts.cpus()
    assert "cortex-a57" in names[Triple.parse("aarch64-linux-gnu").arch]
    assert "cortex-a57" in names[Triple.parse("armv8l-linux-gnueabihf").arch]
    assert "znver5" in names[Triple.parse("x86_64-linux-gnu").arch]
    assert "z14" in names[Triple.parse("s390x-linux-gnu").arch]
