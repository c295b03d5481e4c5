"""What files were built for. Objects of real compilers are in tests/compilers."""

import io
import json
import random
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.client.conftest import Ttag
from tests.client.inspect.elf_headers import AARCH64, AMDGPU, CUDA, X86_64, elf, fatbin
from ttag.errors import FileError
from ttag.inspect import elf as elf_files, wheels
from ttag.inspect.inspecting import inspect
from ttag.inspect.programs import Inspection

CUBIN, PTX, OTHER = 2, 1, 8
A, F = 1 << 20, 1 << 21

Bodies = Callable[[bytes], list[dict[str, Any]]]


@pytest.fixture
def read(tmp_path: Path) -> Callable[[bytes], Inspection]:
    """Inspects a file with these bytes."""

    def read(data: bytes) -> Inspection:
        path = tmp_path / "file"
        path.write_bytes(data)
        return inspect(path)

    return read


@pytest.fixture
def bodies(read: Callable[[bytes], Inspection]) -> Bodies:
    """Returns the bodies of a file."""
    return lambda data: [program.body for program in read(data).programs]


def wheel(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


LIBRARY = elf(
    X86_64, sections={".nv_fatbin": fatbin([(CUBIN, 80, 0x11), (CUBIN, 90, A), (PTX, 90, 0)])}
)


@pytest.mark.parametrize(
    ("flags", "abi_version", "arch"),
    [
        (0x4B054B, 7, "sm_75"),
        (0x5A0D5A, 7, "sm_90a"),
        (0x6005A04, 8, "sm_90"),
        (0x6006402, 8, "sm_100"),
        (0x6007802, 8, "sm_120"),
    ],
)
def test_cubins_name_their_architecture(
    bodies: Bodies, flags: int, abi_version: int, arch: str
) -> None:
    data = elf(CUDA, flags=flags, abi_version=abi_version)
    assert bodies(data) == [{"kind": "cuda", "arch": arch}]


def test_the_note_of_ptxas_names_the_suffix_of_a_new_cubin(bodies: Bodies) -> None:
    note = b"\0ptxas\0-arch sm_100f -m 64 \0"
    data = elf(CUDA, flags=0x6006402, abi_version=8, sections={".note.nv.tkinfo": note})
    assert bodies(data) == [{"kind": "cuda", "arch": "sm_100f"}]


def test_a_note_about_another_architecture_than_the_header_is_not_believed(bodies: Bodies) -> None:
    note = b"\0-arch sm_90a \0"
    data = elf(CUDA, flags=0x6006402, abi_version=8, sections={".note.nv.tkinfo": note})
    assert bodies(data) == [{"kind": "cuda", "arch": "sm_100"}]


def test_libraries_have_device_code_beside_their_own(bodies: Bodies) -> None:
    assert bodies(LIBRARY) == [
        {"kind": "llvm", "mtriple": "x86_64-unknown-unknown", "mcpu": "x86-64"},
        {"kind": "cuda", "arch": "sm_80"},
        {"kind": "cuda", "arch": "sm_90a"},
        {"kind": "nvptx", "mcpu": "sm_90"},
    ]


def test_family_specific_code_is_named_so(bodies: Bodies) -> None:
    data = elf(X86_64, sections={".nv_fatbin": fatbin([(CUBIN, 100, F | 0x1000011)])})
    assert bodies(data)[1:] == [{"kind": "cuda", "arch": "sm_100f"}]


def test_each_architecture_of_a_library_is_named_once(bodies: Bodies) -> None:
    fatbins = fatbin([(CUBIN, 80, 0), (CUBIN, 80, 0)]) + bytes(24) + fatbin([(CUBIN, 80, 0)])
    assert bodies(elf(AARCH64, sections={".nv_fatbin": fatbins}))[1:] == [
        {"kind": "cuda", "arch": "sm_80"}
    ]


def test_code_for_linkers_is_no_code_for_a_gpu(bodies: Bodies) -> None:
    data = elf(X86_64, sections={"__nv_relfatbin": fatbin([(PTX, 90, 0)])})
    assert [body["kind"] for body in bodies(data)] == ["llvm"]


def test_other_entries_of_a_fatbin_are_left_out(bodies: Bodies) -> None:
    data = elf(X86_64, sections={".nv_fatbin": fatbin([(OTHER, 90, 0), (CUBIN, 90, 0)])})
    assert bodies(data)[1:] == [{"kind": "cuda", "arch": "sm_90"}]


@pytest.mark.parametrize(
    ("flags", "body"),
    [
        (0x4C, {"mcpu": "gfx942"}),
        (0x54C, {"mcpu": "gfx942"}),  # xnack and sramecc do not matter
        (0x23F, {"mcpu": "gfx90a", "mattr": ["-xnack"]}),
        (0xF3F, {"mcpu": "gfx90a", "mattr": ["+xnack", "+sramecc"]}),
        (0x1000054, {"mcpu": "gfx11-generic"}),
    ],
)
def test_code_objects_name_processor_and_modes(
    bodies: Bodies, flags: int, body: dict[str, Any]
) -> None:
    assert bodies(elf(AMDGPU, flags=flags, abi_version=4)) == [{"kind": "rocm", **body}]


def test_an_unknown_gpu_of_amd_is_an_error(read: Callable[[bytes], Inspection]) -> None:
    with pytest.raises(FileError, match="unknown number 0xfe"):
        read(elf(AMDGPU, flags=0xFE))


def test_wheels_have_the_code_of_their_libraries(read: Callable[[bytes], Inspection]) -> None:
    data = wheel({"a/b.py": b"import os", "a/lib.so": LIBRARY, "a/c.so": elf(AARCH64)})
    inspection = read(data)
    assert [(each.place, each.form) for each in inspection.programs] == [
        ("a/lib.so", "program"),
        ("a/lib.so: .nv_fatbin", "cubin"),
        ("a/lib.so: .nv_fatbin", "cubin"),
        ("a/lib.so: .nv_fatbin", "ptx"),
        ("a/c.so", "program"),
    ]


def test_a_wheel_of_python_alone_says_so(read: Callable[[bytes], Inspection]) -> None:
    inspection = read(wheel({"a.py": b"import os", "empty": b""}))
    assert (inspection.programs, inspection.notes) == ((), ("The wheel holds no compiled code.",))


def test_an_architecture_without_targets_is_noted(read: Callable[[bytes], Inspection]) -> None:
    inspection = read(elf(21000))
    assert inspection.programs == ()
    assert inspection.notes == ("file: no target names its architecture, 21000.",)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is no program. Expected an ELF program"),
        (b"#!/bin/sh\nexit\n", "is no program"),
        (b"MZ\x90\x00", "is no program"),
        (b"\x7fELF", "is no valid ELF file"),
        (LIBRARY[:200], "is no valid ELF file|ends within"),
        (b"PK\x03\x04" + bytes(40), "is no valid zip file"),
        (wheel({"a.so": LIBRARY})[:-30], "is no valid zip file"),
        (wheel({"a.so": LIBRARY[:400]}), "is no valid ELF file|ends within"),
    ],
)
def test_what_is_no_whole_program_is_refused(
    read: Callable[[bytes], Inspection], data: bytes, message: str
) -> None:
    with pytest.raises(FileError, match=message):
        read(data)


def test_a_fatbin_may_not_end_beyond_its_section(read: Callable[[bytes], Inspection]) -> None:
    cut = fatbin([(CUBIN, 90, 0)])[:-20]
    with pytest.raises(FileError, match=r"\.nv_fatbin ends within its device code"):
        read(elf(X86_64, sections={".nv_fatbin": cut}))


def test_a_member_that_unpacks_to_more_than_the_limit_is_refused(
    read: Callable[[bytes], Inspection], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wheels, "MAX_MEMBER", 10_000)
    with pytest.raises(FileError, match="more than 10000 bytes"):
        read(wheel({"a.so": elf(X86_64) + bytes(100_000)}))


def test_all_members_together_have_a_limit(
    read: Callable[[bytes], Inspection], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wheels, "MAX_TOTAL", 3 * len(elf(X86_64)))
    with pytest.raises(FileError, match="more than"):
        read(wheel({f"{index}.so": elf(X86_64) for index in range(4)}))


def test_large_sections_are_not_read(
    read: Callable[[bytes], Inspection], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elf_files, "MAX_SECTION", 10)
    with pytest.raises(FileError, match=r"\.nv_fatbin has more than 10 bytes"):
        read(LIBRARY)


@given(seed=st.integers(0, 2**32), count=st.integers(1, 20))
def test_a_damaged_file_raises_nothing_but_its_error(
    tmp_path_factory: pytest.TempPathFactory, seed: int, count: int
) -> None:
    chosen = random.Random(seed)  # noqa: S311 - damage, not secrets
    data = bytearray(LIBRARY)
    for _ in range(count):
        data[chosen.randrange(4, len(data))] = chosen.randrange(256)
    path = tmp_path_factory.getbasetemp() / "damaged"
    path.write_bytes(data[: chosen.randrange(4, len(data) + 1)])
    with suppress(FileError):
        inspect(path)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="missing cannot be read: No such file"):
        inspect(tmp_path / "missing")


def test_the_command_groups_what_was_built_for_the_same(ttag: Ttag, tmp_path: Path) -> None:
    path = tmp_path / "a.whl"
    path.write_bytes(wheel({f"{name}.so": LIBRARY for name in "abcd"}))
    run = ttag("inspect", str(path))
    assert run.code == 0
    assert run.out.splitlines()[:5] == [
        "Program: x86_64-unknown-unknown x86-64",
        "  at least; not stated: which instructions it uses beyond those",
        "  in a.so, b.so, c.so and 1 more",
        "Cubin: sm_80",
        "  in a.so: .nv_fatbin, b.so: .nv_fatbin, c.so: .nv_fatbin and 1 more",
    ]


def test_the_command_writes_json(ttag: Ttag, tmp_path: Path) -> None:
    path = tmp_path / "k.cubin"
    path.write_bytes(elf(CUDA, flags=0x5A0D5A, abi_version=7))
    run = ttag("inspect", str(path), "--json")
    assert json.loads(run.out) == {
        "programs": [
            {
                "place": "k.cubin",
                "form": "cubin",
                "body": {"kind": "cuda", "arch": "sm_90a"},
                "is_complete": True,
                "unstated": "",
                "floors": {},
            }
        ],
        "notes": [],
        "is_complete": True,
        "verdicts": None,
    }


def test_the_command_refuses_what_is_no_program(ttag: Ttag, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("text")
    run = ttag("inspect", str(path))
    assert (run.code, run.out) == (6, "")
    assert "a.txt is no program. Expected an ELF program or library" in run.err


def test_without_pyelftools_it_says_what_to_install(
    read: Callable[[bytes], Inspection], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "elftools.elf.elffile", None)
    with pytest.raises(Exception, match=r"install ttag\[inspect\]"):
        read(LIBRARY)
