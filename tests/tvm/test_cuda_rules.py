"""Code for NVIDIA's GPUs: ptxas of CUDA 12 and 13 compiles what a verdict says that a GPU runs."""

import subprocess
from itertools import product
from pathlib import Path

import pytest

from tests.tvm.cuda_tools import FOLDERS, compiles, tool
from ttag.inspect.inspecting import inspect
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.verdicts import Answer

CHIPS = ("75", "80", "86", "87", "89", "90", "100", "103", "110", "120", "121")
SUFFIXES = ("", "a", "f")
WITHOUT_SUFFIX = frozenset({"75", "80", "86", "87", "89"})  # generic code alone
WITHOUT_FAMILY = frozenset({"90"})


def architectures() -> list[str]:
    """Return what PTX can be for."""
    return [
        f"sm_{chip}{suffix}"
        for chip, suffix in product(CHIPS, SUFFIXES)
        if not (suffix and chip in WITHOUT_SUFFIX)
        and not (suffix == "f" and chip in WITHOUT_FAMILY)
    ]


def whole(chip: str) -> str:
    """Return the architecture that has all that a chip has: sm_90a of a 9.0 chip."""
    return f"sm_{chip}" if chip in WITHOUT_SUFFIX else f"sm_{chip}a"


@pytest.mark.parametrize("major", FOLDERS)
def test_ptx_runs_where_ptxas_compiles_it(python: str, major: str, tmp_path: Path) -> None:
    compared = 0
    for target, chip in product(architectures(), CHIPS):
        compiled = compiles(python, major, target, whole(chip), tmp_path)
        if compiled is None:
            continue
        machine = {"kind": "cuda", "arch": f"sm_{chip}"}
        answer = verdict({"kind": "nvptx", "mcpu": target}, machine).answer
        assert answer is (Answer.YES if compiled else Answer.NO), (target, chip)
        compared += 1
    assert compared > 150


@pytest.mark.parametrize(
    ("major", "arch"),
    [
        ("12", "sm_75"),
        ("12", "sm_90a"),
        ("12", "sm_100"),
        ("13", "sm_90"),
        ("13", "sm_90a"),
        ("13", "sm_100f"),
        ("13", "sm_120a"),
    ],
)
def test_cubins_are_inspected_as_they_were_compiled(
    python: str, tmp_path: Path, major: str, arch: str
) -> None:
    assert compiles(python, major, arch, arch, tmp_path)
    (program,) = inspect(tmp_path / "kernel.cubin").programs
    assert program.body == {"kind": "cuda", "arch": arch}


def test_fatbins_are_inspected_as_cuobjdump_lists_them(python: str, tmp_path: Path) -> None:
    images = []
    for arch in ("80", "90a", "100f", "120"):
        assert compiles(python, "13", f"sm_{arch}", f"sm_{arch}", tmp_path)
        cubin = (tmp_path / "kernel.cubin").rename(tmp_path / f"{arch}.cubin")
        images.append(f"--image3=kind=elf,sm={arch},file={cubin}")
    images.append(f"--image3=kind=ptx,sm=120,file={tmp_path / 'kernel.ptx'}")
    fatbin = tmp_path / "kernels.fatbin"
    run(tool(python, "13", "fatbinary"), f"--create={fatbin}", "-64", *images)
    library = tmp_path / "library.so"
    source = tmp_path / "library.s"
    source.write_text(f'.section .nv_fatbin,"a"\n.incbin "{fatbin}"\n')
    run("gcc", "-shared", "-nostdlib", "-o", library, source)
    listed = run(tool(python, "13", "cuobjdump"), "-lelf", "-lptx", fatbin)
    programs = [
        (each.form, each.body.get("arch") or each.body["mcpu"])
        for each in inspect(library).programs
        if each.form != "program"
    ]
    assert programs == [
        ("cubin", "sm_80"),
        ("cubin", "sm_90a"),
        ("cubin", "sm_100f"),
        ("cubin", "sm_120"),
        ("ptx", "sm_120"),
    ]
    for _, arch in programs:
        assert arch.rstrip("f") in listed  # which leaves out the f


def run(program: object, *arguments: object) -> str:
    command = [str(program), *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return result.stdout
