"""Collects what executes instructions only where an assembler and emulators are installed."""

from tests.domain.compatibility.executed.programs import missing_programs
from tests.domain.compatibility.executed.witnesses import MODELS, WITNESSES

MISSING = missing_programs()
collect_ignore = ["test_executed.py"] if MISSING else []


def pytest_report_header() -> str:
    pairs = sum(len(MODELS[witness.architecture]) for witness in WITNESSES)
    missing = f": {', '.join(MISSING)} missing (Debian's clang-22 and qemu-user)" if MISSING else ""
    return f"compatibility: {0 if MISSING else pairs} of {pairs} pairs are executed{missing}"
