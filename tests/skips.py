"""Hooks that make skipped tests fail in CI."""

import os
from collections.abc import Generator

import pytest

# Reasons with this prefix are accepted in CI, because no package can provide a processor.
OTHER_PROCESSOR = "another processor"


def fail_if_skipped_in_ci(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Fail a skipped test in CI, which has everything that tests need."""
    expected_failure = hasattr(report, "wasxfail")  # reported as skipped
    if os.environ.get("CI") and report.skipped and not expected_failure:
        assert isinstance(report.longrepr, tuple)
        path, line, reason = report.longrepr
        if reason.startswith(f"Skipped: {OTHER_PROCESSOR}"):
            return
        report.outcome = "failed"
        report.longrepr = f"{path}:{line}: a skipped test fails in CI: {reason}"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    fail_if_skipped_in_ci(report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    fail_if_skipped_in_ci(report)
    return report
