"""The targets of the Makefile expand to the commands that `make help` promises."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TARGETS = re.findall(r'@echo "make ([a-z-]+) ', (ROOT / "Makefile").read_text())


def commands(target: str) -> list[str]:
    """Return the commands that `make TARGET` would run, without running them."""
    make = shutil.which("make")
    if make is None:
        pytest.skip("not installed: make")
    from_make = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "TEST_OPTIONS"}
    environment = {name: text for name, text in os.environ.items() if name not in from_make}
    result = subprocess.run(
        [make, "--dry-run", target, f"VENV={sys.prefix}"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def test_help_lists_targets() -> None:
    assert {"serve", "test", "test-thorough", "lint"} <= set(TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_every_documented_target_expands(target: str) -> None:
    assert commands(target)


@pytest.mark.parametrize(
    ("target", "is_thorough"),
    [("test", [False, False]), ("test-thorough", [True, True, True])],  # the third: compilers
)
def test_test_thorough_passes_its_option_to_all_tests(target: str, is_thorough: list[bool]) -> None:
    runs = [line for line in commands(target) if "-m pytest" in line]
    assert ["--thorough" in line for line in runs] == is_thorough
