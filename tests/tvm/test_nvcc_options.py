"""The format `nvcc`: ptxas of CUDA 12 and 13 and nvcc of 13 take all that its options name."""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest

from registry.domain.formats.cmake import FORMAT as CMAKE
from tests.domain.formats.machines import machine
from tests.tvm.cuda_tools import FOLDERS, compiles, tool
from ttag_rules.compatibility.devices.cuda_versions import TOOLKITS
from ttag_rules.notations.notation import Unfit
from ttag_rules.notations.nvcc import nvcc_options

HOST = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu"}
SUFFIXES = ("", "a", "f")
WITHOUT_PTXAS = frozenset({107})  # its toolkit is later than those of the tests
NO_NUMBERS = (*range(20, 50), 51, 54, 71, 79, 83, 91, 99, 102, 111, 122, 130, 900)


def options(arch: str) -> list[tuple[str, str]]:
    """Return the virtual architectures of the options, each with what is made of it."""
    words = str(nvcc_options({"kind": "cuda", "arch": arch}).content).split()
    pairs = (word.removeprefix("-gencode=arch=compute_").split(",code=") for word in words)
    return [(virtual, real) for virtual, real in pairs]


@pytest.mark.parametrize("number", sorted(TOOLKITS.keys() - WITHOUT_PTXAS))
def test_ptxas_of_some_toolkit_compiles_all_options(
    python: str, number: int, tmp_path: Path
) -> None:
    for suffix in SUFFIXES:
        try:
            pairs = options(f"sm_{number}{suffix}")
        except Unfit:
            answers = [
                compiles(python, major, f"sm_{number}{suffix}", f"sm_{number}{suffix}", tmp_path)
                for major in FOLDERS
            ]
            assert answers == [None, None], suffix
            continue
        assert any(
            all(
                compiles(python, major, f"sm_{virtual}", real.replace("compute", "sm"), tmp_path)
                for virtual, real in pairs
            )
            for major in FOLDERS
        ), pairs


@pytest.mark.parametrize("number", NO_NUMBERS)
def test_no_toolkit_of_these_compiles_what_is_refused(
    python: str, number: int, tmp_path: Path
) -> None:
    with pytest.raises(Unfit):
        options(f"sm_{number}")
    for major, suffix in product(FOLDERS, SUFFIXES):
        arch = f"sm_{number}{suffix}"
        assert compiles(python, major, arch, arch, tmp_path) is not True, arch


def takes(python: str, text: str, folder: Path) -> bool:
    """Return whether nvcc of CUDA 13 plans a compilation with these options."""
    (folder / "kernel.cu").write_text("__global__ void kernel() {}\n")
    command = [str(tool(python, "13", "nvcc")), *text.split(), "--dryrun", "-c", "kernel.cu"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return result.returncode == 0


def test_nvcc_takes_all_options_of_one_gpu_and_of_two(python: str, tmp_path: Path) -> None:
    numbers = sorted(TOOLKITS.keys() - WITHOUT_PTXAS - {*range(75)})
    gpus = []
    for number, suffix, kind in product(numbers, SUFFIXES, ("cuda", "nvptx")):
        option = "arch" if kind == "cuda" else "mcpu"
        gpus.append({"kind": kind, option: f"sm_{number}{suffix}"})
    texts = set()
    for one, other in product(gpus, gpus):
        target = {"kind": "composite", "devices": [one, other]}
        if one == other or one.get("arch", "")[:6] == other.get("arch", "")[:6]:
            with suppress(Unfit):
                texts.add(str(nvcc_options(target).content))
    everything = {"kind": "composite", "devices": gpus}
    texts.add(str(nvcc_options(everything).content))
    assert len(texts) > 40
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = pool.map(lambda text: takes(python, text, tmp_path), texts)
        assert not [text for text, answer in zip(texts, answers, strict=True) if not answer]


def of_cmake(one: str, other: str) -> str:
    """Return the options that CMake gives to nvcc for the format `cmake` of two GPUs."""
    devices = [{"kind": "cuda", "arch": f"sm_{name}"} for name in (one, other)]
    text = CMAKE.write(machine({"kind": "composite", "devices": devices, "host": HOST})).text
    (line,) = [each for each in text.splitlines() if "CUDA_ARCHITECTURES" in each]
    words = []
    for each in line.split('"')[1].split(";"):
        name, _, form = each.partition("-")
        codes = {"real": [f"sm_{name}"], "virtual": [f"compute_{name}"]}
        listed = ",".join(codes.get(form, [f"compute_{name}", f"sm_{name}"]))
        words.append(f"--generate-code=arch=compute_{name},code=[{listed}]")
    return " ".join(words)


def test_nvcc_takes_what_cmake_makes_of_two_gpus(python: str, tmp_path: Path) -> None:
    numbers = ("80", "87", "90", "100", "101", "103", "110", "120", "121")
    names = [f"{number}{suffix}" for number in numbers for suffix in SUFFIXES if int(number) > 99]
    pairs = [*product(names, names), *product(("80", "87", "90", "90a"), names)]
    texts = {of_cmake(*pair) for pair in pairs}
    assert len(texts) > 100
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = pool.map(lambda text: takes(python, text, tmp_path), texts)
        assert not [text for text, answer in zip(texts, answers, strict=True) if not answer]


@pytest.mark.parametrize(
    "names", [("80a",), ("90f",), ("35",), ("99",), ("100", "100f"), ("110", "110f"), ("101",)]
)
def test_nvcc_refuses_what_is_not_written(
    python: str, names: tuple[str, ...], tmp_path: Path
) -> None:
    text = " ".join(f"-gencode=arch=compute_{name},code=sm_{name}" for name in names)
    assert not takes(python, text, tmp_path)
