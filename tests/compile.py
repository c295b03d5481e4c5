"""Compiles the registry, its client and all tests, before processes that run tests start together.

Otherwise each of them would compile everything at the same time, after a change what has changed.
"""

import compileall
import os
import re
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from _pytest.assertion import (
    rewrite,
)  # there is no public way to rewrite a module without running it

ROOT = Path(__file__).parent.parent
TEST_MODULE = re.compile(r"/(test_\w+|conftest)\.py$")  # compiled by pytest, not by Python


class Compiler:
    """A plugin that compiles test modules instead of running them."""

    def pytest_cmdline_main(self, config: pytest.Config) -> int:
        """Compile what has changed; an error in a module is left to its tests."""
        for path in sorted((ROOT / "tests").rglob("*.py")):
            if TEST_MODULE.search(str(path)):
                with suppress(SyntaxError):
                    compile_module(path, config)
        return 0


def compile_module(path: Path, config: pytest.Config) -> None:
    """Compile a test module as pytest does, with asserts that explain themselves."""
    folder = rewrite.get_cache_dir(path)
    compiled = folder / f"{path.stem}{rewrite.PYC_TAIL}"
    if rewrite.try_makedirs(folder) and rewrite._read_pyc(path, compiled) is None:
        source, code = rewrite._rewrite_test(path, config)
        rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, source, compiled)


if __name__ == "__main__":
    for name in ("registry", "client/ttag", "client/ttag_rules", "tests"):
        compileall.compile_dir(ROOT / name, quiet=2, rx=TEST_MODULE)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    sys.exit(pytest.main(["-c", os.devnull, "--noconftest"], plugins=[Compiler()]))
