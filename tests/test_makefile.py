"""The targets of the Makefile expand to the commands that `make help` promises."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE

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
        timeout=PATIENCE,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def test_help_lists_targets() -> None:
    assert {"serve", "test", "test-system", "test-thorough", "lint"} <= set(TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_every_documented_target_expands(target: str) -> None:
    assert commands(target)


@pytest.mark.parametrize(
    ("target", "option", "count"),
    [
        ("test", "", 2),
        ("test-system", "--system", 2),
        ("test-thorough", "--thorough", 3),  # the third: compilers
    ],
)
def test_each_target_passes_its_option_to_all_tests(target: str, option: str, count: int) -> None:
    runs = [line.split() for line in commands(target) if "-m pytest" in line]
    chosen = [[word for word in run if word in {"--system", "--thorough"}] for run in runs]
    assert chosen == [[option] if option else []] * count


def test_every_service_is_called_in_the_runs_of_all_tests() -> None:
    (run,) = [line for line in commands("test") if "tests.postgres" in line]
    assert "-p tests.service_calls" in run
    (run,) = [line for line in commands("test-system") if "tests.postgres" in line]
    assert "tests.service_calls" not in run
