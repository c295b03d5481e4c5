"""The hooks of `tests/skips.py`, run on a small test suite."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

SUITE = {
    "test_mark.py": "@pytest.mark.skip(reason='no browser')\ndef test_it(): ...",
    "test_call.py": "def test_it(): pytest.skip('no compiler')",
    "test_module.py": "pytest.skip('no server', allow_module_level=True)",
    "test_processor.py": (
        "from tests.skips import OTHER_PROCESSOR\n"
        "def test_it(): pytest.skip(f'{OTHER_PROCESSOR}: no avx2')"
    ),
    "test_expected.py": "@pytest.mark.xfail\ndef test_it(): assert False",
}


def output(folder: Path, **environment: str) -> str:
    (folder / "pytest.toml").write_text("[pytest]\n")
    for name, source in SUITE.items():
        (folder / name).write_text(f"import pytest\n{source}\n")
    pytest = [sys.executable, "-m", "pytest", "--disable-plugin-autoload", "-p", "tests.skips"]
    inherited = {name: text for name, text in os.environ.items() if name != "CI"}
    return subprocess.run(
        [*pytest, "--continue-on-collection-errors", "--rootdir", folder, folder],
        cwd=ROOT,
        env=inherited | environment,
        check=False,
        capture_output=True,
        text=True,
    ).stdout


def test_skipped_tests_fail_in_ci_except_for_the_processor(tmp_path: Path) -> None:
    text = output(tmp_path, CI="true")
    for reason in ("no browser", "no compiler", "no server"):
        assert f"a skipped test fails in CI: Skipped: {reason}" in text
    assert "1 failed, 1 skipped, 1 xfailed, 2 errors in" in text


def test_skipped_tests_pass_outside_ci(tmp_path: Path) -> None:
    assert "4 skipped, 1 xfailed in" in output(tmp_path)
