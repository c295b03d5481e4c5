"""clang compiles HIP for the exported target IDs, and refuses those that are not written."""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from registry.domain.formats.hipcc import FORMAT
from tests.compilers import tools
from tests.domain.formats.machines import if_fit, machine, machines
from ttag_rules.compatibility.devices.amd import SETTINGS
from ttag_rules.notations.hipcc import PROCESSORS

KERNEL = """\
__attribute__((global)) void kernel(int *values) { values[0] += 1; }
"""
NO_LIBRARIES = ("-nogpulib", "-nogpuinc", "--cuda-device-only")
DRY_RUN = "-###"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    if tools.clang_version() < 22:
        pytest.skip("the processors are those of clang 22")
    (tmp_path / "kernel.hip").write_text(KERNEL)
    return tmp_path


def compiles(folder: Path, *words: str, form: str = "-O1") -> bool:
    """Return whether clang compiles the kernel for each target ID."""
    command = [tools.clang(), "-x", "hip", *NO_LIBRARIES, "-S", form, "kernel.hip", *words]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return result.returncode == 0


def test_target_ids_of_the_catalogue_compile(folder: Path) -> None:
    exports = [if_fit(FORMAT.write, subject) for subject in machines().values()]
    words = {word for export in exports if export for word in export.text.split()}
    assert len(words) > 20
    assert compiles(folder, *sorted(words))
    assert len([*folder.glob("*.s")]) == len(words)


def test_several_gpus_of_one_processor_compile_together(folder: Path) -> None:
    gpus = [{"kind": "rocm", "mcpu": "gfx90a", "mattr": [*each]} for each in (["+xnack"], [])]
    text = FORMAT.write(machine({"kind": "composite", "devices": gpus, "host": "llvm"})).text
    assert compiles(folder, *text.split())
    assert not compiles(folder, "--offload-arch=gfx90a:xnack+", "--offload-arch=gfx90a")


def test_clang_takes_all_settings_of_processors(folder: Path) -> None:
    words = [
        f"--offload-arch={processor}:{':'.join(name + sign for name in settings)}".rstrip(":")
        for processor, settings in PROCESSORS.items()
        for sign in "+-"
    ]
    assert compiles(folder, *words, form=DRY_RUN)


def test_clang_refuses_settings_that_a_processor_lacks(folder: Path) -> None:
    words = [
        f"--offload-arch={processor}:{name}+"
        for processor, settings in PROCESSORS.items()
        for name in SETTINGS
        if name not in settings
    ]
    assert len(words) > 80
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = pool.map(lambda word: compiles(folder, word, form=DRY_RUN), words)
        assert not [word for word, answer in zip(words, answers, strict=True) if answer]


@pytest.mark.parametrize("processor", ["gfx940", "gfx941", "gfx999", "gfx13-generic", "gfx9"])
def test_clang_refuses_processors_that_are_not_written(folder: Path, processor: str) -> None:
    assert processor not in PROCESSORS
    assert not compiles(folder, f"--offload-arch={processor}", form=DRY_RUN)
