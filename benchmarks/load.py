"""Duration of the command `load_catalogue` on an empty database.

python -m benchmarks.load               about three minutes

Loads the shipped catalogue, then synthetic ones of several sizes: if a version takes as long among
6,000 tags as among 1,000, nothing in loading is quadratic.
"""

# ruff: noqa: S603 - runs this module

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

from benchmarks.environments import DATABASES, Environment, print_line, run_manage

ROUNDS = 3
SIZES = (1_000, 3_000, 6_000)  # tags of synthetic catalogues


@dataclass(frozen=True, slots=True)
class Run:
    """The duration of a command, from its start to its end, and its processor time, in seconds."""

    seconds: float
    processor: float
    versions: int


def main() -> None:
    """Measure on both databases, each time with an empty one."""
    with tempfile.TemporaryDirectory(prefix="registry-benchmark-") as folder:
        catalogues = {size: Path(folder) / str(size) for size in SIZES}
        for size, catalogue in catalogues.items():
            _run_module("benchmarks.generate_catalogue", str(size), str(catalogue))
        for database in DATABASES:
            _measure(database, "shipped", "-", ROUNDS)
            per_version = {
                size: _measure(database, f"{size:,} tags", str(catalogue), 1)
                for size, catalogue in catalogues.items()
            }
            few, *more = (per_version[size] for size in SIZES)
            ratios = " : ".join(f"{time / few:.2f}" for time in (few, *more))
            print_line(f"{database}: processor time for each version, by number of tags: {ratios}")


def _measure(database: str, name: str, catalogue: str, rounds: int) -> float:
    """Print the durations of loading a catalogue; return the processor time for each version."""
    first_runs, second_runs = [], []
    for _ in range(rounds):
        with DATABASES[database]() as environment:
            first_runs.append(_load(environment, catalogue))
            second_runs.append(_load(environment, catalogue))
    seconds = [run.seconds for run in first_runs]
    versions = first_runs[0].versions
    processor = median(run.processor for run in first_runs) / versions
    print_line(
        f"{database}, {name}: {median(seconds):.1f} s ({min(seconds):.1f} to {max(seconds):.1f})"
        f" for {versions:,} versions, {versions / median(seconds):.0f} versions/s,"
        f" {processor * 1000:.1f} ms of processor time each;"
        f" nothing new: {median(run.seconds for run in second_runs):.1f} s"
    )
    return processor


def _load(environment: Environment, catalogue: str) -> Run:
    """Run the command in a new process, and measure it."""
    before, start = _processor_time(), time.perf_counter()
    _run_module("benchmarks.load", catalogue, environment=environment)
    seconds, processor = time.perf_counter() - start, _processor_time() - before
    count = run_manage(environment, "shell", "--verbosity", "0", "--command", COUNT)
    return Run(seconds, processor, int(count))


COUNT = "from registry.models import Version; print(Version.objects.count())"


def _processor_time() -> float:
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _run_module(module: str, *arguments: str, environment: Environment | None = None) -> None:
    command = [sys.executable, "-m", module, *arguments]
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)


def load(catalogue: str) -> None:
    """Run the command; `-` is the shipped catalogue."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
    from django.core.management import execute_from_command_line  # noqa: PLC0415

    from registry.services.core import shipped_facts  # noqa: PLC0415

    if catalogue != "-":
        shipped_facts.CATALOGUE = Path(catalogue)
    execute_from_command_line(["manage.py", "load_catalogue"])


if __name__ == "__main__":
    if sys.argv[1:]:
        load(sys.argv[1])
    else:
        main()
