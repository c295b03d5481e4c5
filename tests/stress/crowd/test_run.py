"""Short runs of `make stress SCENARIO=crowd`, with the tags written by hand, and with 100,000."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.serving import ROOT


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("database", "tags"), [("sqlite", 0), ("postgresql", 0), ("postgresql", 100_000)]
)
def test_a_short_run_finds_nothing_stale_wrong_or_lost(
    database: str, tags: int, tmp_path: Path
) -> None:
    report = tmp_path / "report.md"
    command = [sys.executable, "-m", "tests.stress.crowd", "--database", database]
    command += ["--tags", str(tags)]
    result = subprocess.run(
        [*command, "--minutes", "0.2", "--report", str(report)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=3600,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    text = report.read_text()
    assert "| findings: stale, wrong, lost | 0 | 0 |" in text
    assert "0 by more than 2 s" in text
    assert ("from the promotion to an acknowledged write" in text) == (database == "postgresql")
    assert "inf s" not in text, "it recovered"
    for what in ("publications", "looks", "pages", "exchanges"):
        assert f" {what}" in text
