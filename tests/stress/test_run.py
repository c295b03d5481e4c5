"""A short run of `make stress`, with few faults."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.serving import ROOT

FAULTS = ["worker killed", "server killed", "disk full", "clients vanish", "broken requests"]


@pytest.mark.thorough
def test_a_short_run_loses_nothing(tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    command = [sys.executable, "-m", "tests.stress", "--minutes", "0.4", "--seed", "1"]
    result = subprocess.run(
        [*command, "--report", str(report), "--faults", *FAULTS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "| **all** |" in report.read_text()


@pytest.mark.thorough
def test_an_interrupted_run_leaves_no_process_and_no_file(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.stress", "--minutes", "5", "--faults", "clients vanish"]
    with subprocess.Popen(
        [*command, "--report", str(tmp_path / "report.md")],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # a group that gets the signal together, as from Ctrl-C
    ) as process:
        assert process.stdout is not None
        assert any("s left" in line for line in process.stdout)
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(timeout=60) != 0
    assert list(tmp_path.iterdir()) == []
    deadline = time.monotonic() + 30  # the system reaps processes whose parent has ended
    while is_group_running(process.pid):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def is_group_running(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
