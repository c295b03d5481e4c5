"""Collects what executes instructions only where an assembler, emulators and features are there."""

from tests.rules.compatibility.executed.programs import missing_programs, processor_flags
from tests.rules.compatibility.executed.witnesses import MODELS, NATIVE, WITNESSES

MISSING = missing_programs()
ABSENT = NATIVE.keys() - processor_flags()
collect_ignore = ["test_executed.py", "test_executed_pairs.py", "test_native.py"] if MISSING else []
if NATIVE.keys() == ABSENT:
    collect_ignore.append("test_native.py")


def pytest_report_header() -> list[str]:
    pairs = sum(len(MODELS[witness.architecture]) for witness in WITNESSES)
    missing = f": {', '.join(MISSING)} missing (Debian's clang-22 and qemu-user)" if MISSING else ""
    native = len(NATIVE) - len(ABSENT)
    absent = f": this machine lacks {', '.join(sorted(ABSENT))}" if ABSENT else ""
    return [
        f"compatibility: {0 if MISSING else pairs} of {pairs} pairs are executed{missing}",
        f"compatibility: {native} of {len(NATIVE)} instructions are executed natively{absent}",
    ]
