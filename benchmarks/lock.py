"""Duration of a target from a lock, compared with TVM's own table of tags, in one process.

python -m benchmarks.lock            half a minute; installs TVM once, as `make verify-tvm` does
"""

# ruff: noqa: S603 - runs the client and TVM's interpreter, with fixed arguments

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.environments import print_line
from tests.databases import ROOT
from tests.serving import run_server
from tests.tvm.environment import environment as tvm_environment, interpreter

NAMES = "import json, tvm; print(json.dumps(sorted(tvm.target.list_tags())))"


def main() -> None:
    """Lock every tag that TVM has, by TVM's name, and measure in TVM's interpreter."""
    python = str(interpreter(tvm_environment()))
    with TemporaryDirectory(prefix="registry-benchmark-") as folder:
        names = run([python, "-c", NAMES])
        path = write_lock(Path(folder), names)
        result = run([python, str(ROOT / "benchmarks/lock_rounds.py"), str(path)])
        size = path.stat().st_size
    print_line(f"{len(names)} targets in a lock of {size / 1024:.0f} KB")
    for name in ("lock", "tvm"):
        times = [1e6 * seconds for seconds in result[name]]
        spread = f"({min(times):.1f} to {max(times):.1f})"
        print_line(f"  {name}: {median(times):.1f} µs a target {spread}")
    ratios = [lock / tvm for lock, tvm in zip(result["lock"], result["tvm"], strict=True)]
    print_line(f"  ratio {median(ratios):.2f} : 1 ({min(ratios):.2f} to {max(ratios):.2f})")
    print_line(f"  reading the lock: {1000 * median(result['read']):.0f} ms, once")


def write_lock(folder: Path, names: list[str]) -> Path:
    """Lock references of the shipped catalogue, and return the path of the lock."""
    with run_server(folder, loaded=True) as server:
        variables = {"TTAG_REGISTRY": f"http://127.0.0.1:{server.port}"}
        run([sys.executable, "-m", "ttag", "lock", "--json", *names], folder, **variables)
    return folder / "targets.lock"


def run(command: list[str], folder: Path = ROOT, **variables: str) -> Any:
    """Run a command with the client on its path, and return the JSON that it writes."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "client"), **variables}
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, text=True, check=True, cwd=folder
    )
    return json.loads(done.stdout)


if __name__ == "__main__":
    main()
