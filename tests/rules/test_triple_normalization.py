"""Normal forms of triples. tests/compilers/test_llvm.py compares them with LLVM's."""

import pytest
from hypothesis import given, strategies as st

from ttag_rules.triple_names import (
    ARCHITECTURES,
    CYGWIN,
    ENVIRONMENTS,
    FORMATS,
    MINGW,
    SYSTEMS,
    VENDORS,
)
from ttag_rules.triple_normalization import misplaced_components, normalize

NORMAL_FORMS = {
    "": "unknown",
    "x86_64": "x86_64",
    "x86_64-linux-gnu": "x86_64-unknown-linux-gnu",
    "x86_64-unknown-linux-gnu": "x86_64-unknown-linux-gnu",
    "aarch64-none-linux-gnu": "aarch64-none-linux-gnu",
    "aarch64--linux-gnu": "aarch64-unknown-linux-gnu",
    "linux-x86_64": "x86_64-unknown-linux",
    "gnu-linux": "unknown-unknown-linux-gnu",
    "x86_64-linux-gnu-foo": "x86_64-unknown-linux-gnu-foo",
    "foo-bar-baz": "foo-bar-baz",
    "arm-none-eabi": "arm-unknown-none-eabi",
    "arm-none-none-eabi": "arm-none-none-eabi",
    "foo-none-eabi": "foo-none-unknown-eabi",
    "riscv64-unknown-elf": "riscv64-unknown-unknown-elf",
    "arm64-apple-macos": "arm64-apple-macos",
    "x86_64-apple-macosx10.15": "x86_64-apple-macosx10.15",
    "armv7-none-linux-androideabi24": "armv7-none-linux-android24",
    "aarch64-linux-android21": "aarch64-unknown-linux-android21",
    "armv7-suse-linux-gnueabi": "armv7-suse-linux-gnueabihf",
    "armv7-suse-linux-gnueabihf": "armv7-suse-linux-gnueabihf",
    "i686-pc-win32": "i686-pc-windows-msvc",
    "x86_64-pc-windows-gnu": "x86_64-pc-windows-gnu",
    "x86_64-pc-windows-elf": "x86_64-pc-windows-elf",
    "x86_64-pc-windows-coff": "x86_64-pc-windows-msvc",
    "x86_64-pc-windows-gnu-elf": "x86_64-pc-windows-gnu-elf",
    "x86_64-w64-mingw32": "x86_64-w64-windows-gnu",
    "x86_64-pc-cygwin": "x86_64-pc-windows-cygnus",
    "x86_64-pc-msys": "x86_64-pc-windows-cygnus",
    "nvptx64-nvidia-cuda": "nvptx64-nvidia-cuda",
    "amdgcn-amd-amdhsa-hcc": "amdgcn-amd-amdhsa-hcc",
    "dxil-unknown-shadermodel6.3-hull": "dxilv1.3-unknown-shadermodel6.3-hull",
    "dxil-unknown-shadermodel5.0": "dxilv1.0-unknown-shadermodel5.0",
    "dxil-unknown-linux": "dxil-unknown-linux",  # no shader model, no version
}

OTHER_COMPONENTS = (
    *("", "none", "unknown", "foo", "linux5.4", "macosx10.15", "android21", "androideabi24"),
    *("gnueabi", "gnueabihf", "gnueabit64", "eabihf", "gnux32", "mingw32", "windows-gnu", "xelf"),
    *("armv7a", "thumbv7em", "armebv7", "armv7eb", "armebv7eb", "armx", "armada", "thumbv2"),
    *("aarch64v8.2a", "aarch64_bev8", "aarch64eb", "arm64eb", "arm64_32v8", "kalimba3", "v7a"),
    *("shadermodel6.3", "shadermodel6.x", "dxilv1.10"),
)
# Mostly components that LLVM knows, in any order.
components = st.one_of(
    *map(
        st.sampled_from,
        (
            sorted(ARCHITECTURES),
            sorted(VENDORS),
            (*SYSTEMS, *MINGW, *CYGWIN),
            (*ENVIRONMENTS, *FORMATS),
            OTHER_COMPONENTS,
        ),
    ),
    st.from_regex("[a-z][a-z0-9_.]{0,8}", fullmatch=True),
)
triples = st.lists(components, max_size=8).map("-".join)


@pytest.mark.parametrize(("text", "normal_form"), NORMAL_FORMS.items())
def test_normal_forms(text: str, normal_form: str) -> None:
    assert normalize(text) == normal_form


@given(triples)
def test_components_are_moved_and_renamed_but_not_lost(text: str) -> None:
    before, after = text.split("-"), normalize(text).split("-")
    assert "" not in after
    known_windows = any(name.startswith(("win32", "windows", *MINGW, *CYGWIN)) for name in before)
    if not known_windows and "dxil" not in before:  # these two cut the rest off
        assert len(after) >= len(before)
        renamed = ("android", "gnueabi")
        kept = [name for name in before if name and not name.startswith(renamed)]
        assert all(after.count(name) >= kept.count(name) for name in kept)


@given(st.text())
def test_any_text_has_a_normal_form(text: str) -> None:
    assert normalize(text)


@pytest.mark.parametrize(
    ("text", "misplaced"),
    [
        ("armv7l-linux-gnueabihf", ["linux", "gnueabihf"]),
        ("arm-none-eabi", ["eabi"]),
        ("x86_64-win32", ["win32"]),
        ("x86_64-w64-mingw32", ["mingw32"]),
        ("aarch64-linux-android21", ["linux", "android21"]),
        ("linux-x86_64", ["linux"]),
        ("x86_64--linux-gnu", []),
        ("x86_64-pc-win32", []),  # its environment is implied
        ("riscv64-unknown-elf", []),  # a file format is no environment
        ("hexagon", []),
        ("default", []),
        ("", []),
    ],
)
def test_components_that_llvm_reads_in_their_places_only(text: str, misplaced: list[str]) -> None:
    assert misplaced_components(text) == misplaced


@given(triples)
def test_a_normal_form_misplaces_nothing(text: str) -> None:
    assert misplaced_components(normalize(text)) == []
