"""Writing a mirror by events, against reading everything, of a registry with 100,000 tags.

    python -m benchmarks.mirror             fifteen minutes
    python -m benchmarks.mirror 20000       the same with so many tags

The tags are the shipped catalogue and copies of it. Times are those of the service, without the
start of a process: after each of five publications of one version, and once for everything.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.environments import print_line, run_manage, sqlite

TAGS = 100_000
ROUNDS = 5
COPY = "from benchmarks import copy_tags; copy_tags.main({tags})"
MEASURE = "from benchmarks import mirror; mirror.measure({folder!r})"


def main(tags: int) -> None:
    """Measure on SQLite and print a row for each way."""
    with sqlite() as environment, tempfile.TemporaryDirectory(prefix="mirror-") as folder:
        run_manage(environment, "load_catalogue")
        run_manage(environment, "shell", "--no-imports", "-c", COPY.format(tags=tags))
        measure_it = MEASURE.format(folder=folder)
        output = run_manage(environment, "shell", "--no-imports", "-c", measure_it)
        times = json.loads(output.splitlines()[-1])
    print_line(f"{tags:,} tags, into an empty folder: {times['first'][0]:.1f} s")
    for name, column in (("wall", 0), ("processor", 1)):
        events = [row[column] for row in times["events"]]
        everything = times["full"][column]
        print_line(
            f"{name}: by events {median(events):.3f} s ({min(events):.3f} to {max(events):.3f}), "
            f"everything {everything:.1f} s: {median(events) / everything:.5f}"
        )


def measure(folder: str) -> None:
    """Print the times of both ways as JSON, in a process that has set Django up."""
    from registry.models import User  # noqa: PLC0415 - needs Django
    from registry.services.core.permissions import Actor  # noqa: PLC0415
    from registry.services.namespaces import namespaces  # noqa: PLC0415
    from tests.publishing import publish  # noqa: PLC0415

    root = Path(folder)
    alice = User.objects.create_superuser("alice", "alice@example.org", "x")
    namespaces.create_namespace("acme", actor=Actor.operator(alice))
    times: dict[str, Any] = {"first": _timed(root, is_full=True), "events": []}
    for number in range(ROUNDS):
        publish("acme/board", {"kind": "llvm", "mcpu": "haswell", "num-cores": number + 1})
        times["events"].append(_timed(root))
    times["full"] = _timed(root, is_full=True)
    print_line(json.dumps(times))


def _timed(root: Path, *, is_full: bool = False) -> tuple[float, float]:
    """Write the mirror; return the seconds that this took, and those of the processor."""
    from registry.services.operations import mirroring  # noqa: PLC0415 - needs Django

    forms = mirroring.writable_formats()
    start, processor = time.perf_counter(), time.process_time()
    summary = mirroring.write_mirror(
        root, address="https://registry.example.org", forms=[forms["clang"]], is_full=is_full
    )
    if bool(summary.reason) != is_full:
        raise SystemExit(f"Everything was read, because {summary.reason}.")
    return time.perf_counter() - start, time.process_time() - processor


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else TAGS)
