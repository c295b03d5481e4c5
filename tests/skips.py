"""In CI a skipped test fails: a pytest plugin, taken up by `tests/conftest.py`."""

import os
from collections.abc import Generator

import pytest

# How the reason begins for which a test is skipped in CI too: no package can mend it.
OTHER_PROCESSOR = "another processor"


def fail_if_skipped_in_ci(report: pytest.TestReport | pytest.CollectReport) -> None:
    """CI has all that the tests need, so what is skipped there is not being tested."""
    expected_failure = hasattr(report, "wasxfail")  # which pytest files under skipped
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
