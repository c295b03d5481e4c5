import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.compile import ROOT

PLUGIN = """
import sys
from pathlib import Path
import pytest
from tests.compile import compile_module


class Compiler:
    def pytest_cmdline_main(self, config):
        compile_module(Path(sys.argv[1]), config)
        return 0


pytest.main(["-c", "/dev/null", "--noconftest", "--disable-plugin-autoload"], plugins=[Compiler()])
"""


def run(*arguments: str | Path) -> str:
    """Run Python with bytecode; return its output."""
    environment = {name: text for name, text in os.environ.items() if "BYTECODE" not in name}
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def compiled(folder: Path) -> dict[str, int]:
    """Return when each compiled module of a folder was written, in nanoseconds."""
    return {path.name: path.stat().st_mtime_ns for path in (folder / "__pycache__").glob("*.pyc")}


def test_pytest_uses_what_was_compiled(tmp_path: Path) -> None:
    """With its own bytecode of asserts, and only until the module changes."""
    path = tmp_path / "test_sum.py"
    path.write_text("def test_sum():\n    numbers = [1, 2]\n    assert sum(numbers) == 4\n")
    run("-c", PLUGIN, path)
    before = compiled(tmp_path)
    options = (
        "-m",
        "pytest",
        "-c",
        os.devnull,
        "--disable-plugin-autoload",
        "-p",
        "no:cacheprovider",
    )
    assert "assert 3 == 4" in run(*options, "--rootdir", tmp_path, path)
    run("-c", PLUGIN, path)
    assert compiled(tmp_path) == before != {}
    path.write_text("def test_sum():\n    assert sum([1, 2]) == 5\n")
    assert "assert 3 == 5" in run(*options, "--rootdir", tmp_path, path)
    assert compiled(tmp_path).keys() == before.keys()


@pytest.mark.system
def test_every_test_module_is_compiled() -> None:
    assert run("-m", "tests.compile") == ""
    path = Path(__file__)
    assert [*path.parent.glob(f"__pycache__/{path.stem}.*-pytest-*.pyc")]
