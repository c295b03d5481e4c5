"""Which files run in one process, because they share servers or a browser.

Each process of a parallel run would start its own, which takes longer than most tests.
"""

# Decision 191: what is started once per process is started once per run.

from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

TOGETHER = (
    ("tests/client/",),
    ("tests/services/races/",),
    ("tests/test_edge.py", "tests/test_make_serve.py", "tests/test_server.py"),
    ("tests/web/browser/",),
)


def group_of(nodeid: str) -> str:
    """Return what a test is run with: the first name of its row, or its file."""
    rows = (row[0] for row in TOGETHER if nodeid.startswith(row))
    return next(rows, nodeid.partition("::")[0])


class SharedScheduling(LoadFileScheduling):
    """Gives a process all files that share something, and otherwise one file after the other."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> SharedScheduling | None:
    """Take the place of `--dist=loadfile`."""
    return SharedScheduling(config, log) if config.getoption("dist") == "loadfile" else None
