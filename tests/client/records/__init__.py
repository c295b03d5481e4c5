"""Tests of tuning records. `recorded` was written by TVM, see README.md."""

import json
import shutil
from pathlib import Path
from typing import Any

from ttag.records.database import RECORDS, WORKLOADS

RECORDED = Path(__file__).parent / "recorded"
HASWELL = {
    "kind": "llvm",
    "keys": ["x86", "cpu"],
    "mtriple": "x86_64-unknown-linux-gnu",
    "mcpu": "haswell",
    "num-cores": 8,
}  # aws/c4.4xlarge


def record(target: Any, workload: int = 0, seconds: Any = (0.001,)) -> list[Any]:
    """Return a tuning record as TVM writes it."""
    return [workload, [[[], []], seconds and list(seconds), target, None]]


def write_database(folder: Path, *records: Any, workloads: int = 1) -> Path:
    """Write a database with records, and return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [[str(number), "module"] for number in range(workloads)]
    (folder / WORKLOADS).write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    (folder / RECORDS).write_text("".join(f"{json.dumps(line)}\n" for line in records))
    return folder


def copy_recorded(folder: Path) -> Path:
    """Copy the recorded database, to change it."""
    shutil.copytree(RECORDED, folder)
    return folder
