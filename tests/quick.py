"""Runs the fast tests of what has changed, for a minute at most.

    python -m tests.quick [COMMIT]

A change is what differs from a commit, by default the last one, or the one before if nothing does.
The closest tests run first. What has not run when the time is over is stated, and so is a changed
file without close tests: `make test` runs everything.
"""

import subprocess
import sys
import time
from collections.abc import Sequence

import pytest

from tests.nearest import RELATED, ROOT, groups, ranks
from tests.slow_files import SLOWEST

LIMIT = 50  # seconds, after which no test is started


class TimeLimit:
    """A plugin that leaves out the tests for which no time is left."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds
        self.left_out = 0

    def pytest_runtest_protocol(self) -> bool | None:
        """Leave out a test after the end."""
        if time.monotonic() < self.end:
            return None  # pytest runs it
        self.left_out += 1
        return True

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.left_out:
            terminalreporter.section("time is over", yellow=True)
            terminalreporter.write_line(f"{self.left_out} tests did not run; `make test` runs all")


def changed_files(commit: str = "") -> list[str]:
    """Return the files that differ from a commit, new ones included and deleted ones not."""
    names = ["--name-only", "--diff-filter=d"]
    new = _git("ls-files", "--others", "--exclude-standard")
    if commit:
        return sorted({*_git("diff", *names, commit), *new})
    changed = _git("diff", *names, "HEAD") + new
    return sorted(changed or _git("diff", *names, "HEAD~1"))


def _git(*arguments: str) -> list[str]:
    command = ["git", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def fast_tests(files: Sequence[str]) -> list[str]:
    """Return the fast test files that are close to changed files, the closest first.

    Slow ones are left out, unless they are what has changed.
    """
    close = {test: rank for test, rank in ranks(*files).items() if rank <= RELATED}
    fast = {test: close[test] for test in close if test in files or not test.startswith(SLOWEST)}
    return [test for tests in groups(fast) for test in tests]


def main(commit: str = "") -> int:
    files = changed_files(commit)
    far = [file for file in files if not fast_tests([file])]
    if far:
        print("No fast test is close to", ", ".join(far), flush=True)  # noqa: T201 - a command
    if not (tests := fast_tests(files)):
        print("No test to run; `make test` runs all")  # noqa: T201 - a command
        return 0
    return pytest.main(["--quiet", *tests], plugins=[TimeLimit(LIMIT)])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
