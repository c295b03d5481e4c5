"""The format `nvcc`: ptxas of CUDA 12 and 13 compiles each architecture that its options name."""

from itertools import product
from pathlib import Path

import pytest

from registry.domain.compatibility.devices.cuda_versions import TOOLKITS
from registry.domain.notations.notation import Unfit
from registry.domain.notations.nvcc import nvcc_options
from tests.tvm.cuda_tools import FOLDERS, compiles

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
