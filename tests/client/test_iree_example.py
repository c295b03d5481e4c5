"""The example for IREE: its commands, as its README has them, run by a shell."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.databases import ROOT

EXAMPLE = ROOT / "examples" / "iree"
BLOCKS = re.findall(r"```sh\n(.*?)```", (EXAMPLE / "README.md").read_text(), re.DOTALL)


@pytest.fixture
def shell(tmp_path: Path, registry: str) -> dict[str, str]:
    """Return an environment with ttag, iree-compile and the address of the registry."""
    pytest.importorskip("iree.compiler")
    program = tmp_path / "bin" / "ttag"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ttag "$@"\n')
    program.chmod(0o755)
    binaries = Path(sys.executable).parent
    return {
        "PATH": f"{program.parent}:{binaries}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "client"),
        "HOME": str(tmp_path),
        "TTAG_REGISTRY": registry,
    }


@pytest.mark.parametrize("block", BLOCKS)
def test_commands_compile_for_the_tag(block: str, shell: dict[str, str], tmp_path: Path) -> None:
    shutil.copy(EXAMPLE / "add.mlir", tmp_path)
    commands = re.sub(r"export TTAG_REGISTRY=.*\n", "", block)
    subprocess.run(["bash", "-ec", commands], cwd=tmp_path, env=shell, check=True)
    module = (tmp_path / "add.vmfb").read_bytes()
    assert b"embedded_elf_x86_64" in module
    assert b"\x7fELF" in module


def test_readme_has_both_ways() -> None:
    assert len(BLOCKS) == 2


def test_tag_without_code_stops_the_script(shell: dict[str, str], tmp_path: Path) -> None:
    commands = BLOCKS[1].replace("aws/c4.4xlarge@1", "arm/soc")
    done = subprocess.run(
        ["bash", "-c", commands],
        cwd=tmp_path,
        env=shell,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert "IREE generates no code for the kind c" in done.stderr
    assert not (tmp_path / "add.vmfb").exists()
