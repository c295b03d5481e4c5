"""Bundles of code for AMD's GPUs, compressed or not. Those of clang are in tests/compilers."""

import random
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.client.inspect.elf_headers import X86_64, bundle, compressed, elf
from ttag.errors import FileError
from ttag.inspect import bundles
from ttag.inspect.bundles import NotRead, bundled
from ttag.inspect.inspecting import inspect

HOST = "host-x86_64-unknown-linux-gnu-"
NAMES = [HOST, "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", "hip-amdgcn-amd-amdhsa--gfx1100"]
OTHERS = ["hipv4-amdgcn-amd-amdhsa--gfx942"]
BUNDLE = bundle(NAMES)
PLACE = "a.so"


def names(section: bytes) -> list[str]:
    return [str(each) for each in bundled(section, PLACE)]


def test_bundles_name_target_ids(tmp_path: Path) -> None:
    path = tmp_path / "a.so"
    path.write_bytes(elf(X86_64, sections={".hip_fatbin": bytes(8) + BUNDLE}))
    assert [program.body for program in inspect(path).programs[1:]] == [
        {"kind": "rocm", "mcpu": "gfx90a", "mattr": ["+sramecc", "-xnack"]},
        {"kind": "rocm", "mcpu": "gfx1100"},
    ]


@pytest.mark.parametrize("version", [1, 2, 3])
def test_compressed_bundles_are_read_as_others_are(version: int) -> None:
    assert names(compressed(BUNDLE, version)) == NAMES


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_section_has_bundles_of_several_files(version: int) -> None:
    one, other = compressed(BUNDLE, version), compressed(bundle(OTHERS), version)
    section = bundle(OTHERS) + bytes(4096) + one + bytes(100) + other + BUNDLE
    assert names(section) == [*OTHERS, *NAMES, *OTHERS, *NAMES]


def test_only_the_beginning_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundles, "MAX_UNPACKED", 2 * len(BUNDLE))
    assert names(compressed(BUNDLE + bytes(2**24))) == NAMES


@pytest.mark.parametrize(
    ("section", "reason"),
    [
        (compressed(BUNDLE, method=7), "its method 7 is not known"),
        (compressed(BUNDLE, version=9), "version 9 of its form is not known"),
    ],
)
def test_a_form_that_is_not_known_is_noted(section: bytes, reason: str) -> None:
    assert names(section + BUNDLE) == [str(NotRead(PLACE, reason)), *NAMES]


def test_zstd_is_noted_where_nothing_reads_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bundles, "ZSTD_MODULES", ("ttag.missing",))
    path = tmp_path / "a.so"
    section = compressed(BUNDLE, method=1)
    path.write_bytes(elf(X86_64, sections={".hip_fatbin": 2 * section}))
    inspection = inspect(path)
    assert [program.form for program in inspection.programs] == ["program"]
    (note,) = inspection.notes
    assert note.startswith("a.so: .hip_fatbin has compressed code that was not read: ")
    assert note.endswith("it is compressed with zstd, which Python 3.14 reads.")


@pytest.mark.parametrize(
    ("section", "message"),
    [
        (BUNDLE[:-5], "ends within"),
        (b"__CLANG_OFFLOAD_BUNDLE__" + (2**40).to_bytes(8, "little"), "more than 10000 parts"),
        (bundle(["x" * 1001]), "a name of 1001 bytes"),
        (compressed(BUNDLE)[:-1], "ends within"),
        (compressed(BUNDLE)[:20], "ends within"),
        (compressed(BUNDLE, version=1)[:-60], "ends within"),
        (compressed(b"something else"), "is no bundle"),
        (compressed(compressed(BUNDLE)), "is no bundle"),
        (compressed(BUNDLE[:60]), "ends within"),
        (compressed(BUNDLE)[:32] + bytes(200), "damaged compressed code"),
    ],
)
def test_damaged_bundles_are_refused(section: bytes, message: str) -> None:
    with pytest.raises(FileError, match=message):
        names(section)


def test_a_section_has_so_many_bundles_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundles, "MAX_BUNDLES", 3)
    assert len(names(3 * bundle(OTHERS))) == 3
    with pytest.raises(FileError, match="more than 3 bundles"):
        names(4 * bundle(OTHERS))


@given(seed=st.integers(0, 2**32), version=st.sampled_from([0, 1, 2, 3]))
def test_damage_raises_nothing_but_its_error(seed: int, version: int) -> None:
    chosen = random.Random(seed)  # noqa: S311 - damage, not secrets
    section = bytearray(compressed(BUNDLE, version) if version else BUNDLE)
    for _ in range(chosen.randrange(1, 8)):
        section[chosen.randrange(len(section))] = chosen.randrange(256)
    with suppress(FileError):
        names(bytes(section[: chosen.randrange(len(section) + 1)]))
