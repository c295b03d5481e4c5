"""Tests whether tests notice mutants.

    nice python -m tests.mutation [--results FILE]
    python -m tests.mutation --confirm | --summary [--results FILE]

Works in a copy of this checkout, in three steps. All tests run once, to record which of them reach
which mutants (`reaching`). Then a fork of one process tries each mutant with the tests that reach
it (`forks`). What no fork can change, the top level of a module or class, is changed in its file;
the closest tests run first, until one fails or the limit of processor time is over. Another run
goes on with the mutants that have no result.

`--confirm` runs, without a mutant, every test that has noticed one, and drops the results of those
that fail without one too.
"""

import argparse
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.mutation import forks
from tests.mutation.mutants import REACHED, ROOT, Mutant, apply, read_mutants
from tests.nearest import groups, ranks
from tests.processor_time import processor_time

RESULTS = ROOT / "var" / "mutation.jsonl"
LOOP = 120  # seconds of processor time of one process, after which the mutant loops forever
HANG = 1800  # seconds, after which nothing is known: the machine may be busy
CHUNK = 10  # files per run, so that the limit is kept
FAILED = re.compile(r"^(?:FAILED|ERROR) ([^ \[]+)", re.MULTILINE)  # without its parameters
QUIET = [sys.executable, "-m", "pytest", "--quiet", "--no-header", "--tb=no"]
PYTEST = [
    *(*QUIET, "--exitfirst"),
    *("-p", "no:cacheprovider", "-p", "tests.mutation.pinned_templates"),
]


@dataclass(frozen=True)
class Run:
    """The result of a run of tests."""

    outcome: str  # "passed", "failed", "loop" or "hang"
    seconds: float
    failed: str = ""


@contextmanager
def checkout() -> Iterator[Path]:
    """Yield a copy of the files of this checkout, with databases to copy."""
    with tempfile.TemporaryDirectory(prefix="registry-mutation-") as name:
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        files = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for file in filter(None, files.split("\0")):
            if (ROOT / file).is_file():
                (Path(name) / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / file, Path(name) / file)
        yield Path(name)


def run_tests(folder: Path, tests: Sequence[str]) -> Run:
    """Run tests in a checkout until one fails."""
    _, before = processor_time()
    try:
        done = subprocess.run(
            [*PYTEST, *tests],
            cwd=folder,
            env=environment_of(folder),
            capture_output=True,
            text=True,
            timeout=HANG,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LOOP, LOOP)),
        )
    except subprocess.TimeoutExpired:
        return Run("hang", processor_time()[1] - before)
    seconds = round(processor_time()[1] - before, 1)
    if done.returncode in {0, 5}:  # passed, or left out by their markers
        return Run("passed", seconds)
    if done.returncode in {-signal.SIGINT, -signal.SIGTERM}:
        sys.exit("stopped")  # by a person, which says nothing about the mutant
    if done.returncode < 0:
        return Run("loop", seconds)
    failed = FAILED.search(done.stdout)
    return Run("failed", seconds, failed[1] if failed else "start")


def environment_of(folder: Path) -> dict[str, str]:
    """Return the environment of tests: SQLite, the same examples each time, and bytecode."""
    left_out = {"PYTHONDONTWRITEBYTECODE", "DATABASE_URL"}
    inherited = {name: text for name, text in os.environ.items() if name not in left_out}
    return inherited | {"REGISTRY_VAR": str(folder / "var"), "CI": "true"}


def chunks(path: str) -> Iterator[list[str]]:
    """Yield the test files of a source file, the closest first, and slow ones last."""
    for tests in groups(ranks(path)):
        yield from (tests[start : start + CHUNK] for start in range(0, len(tests), CHUNK))


def test(mutant: Mutant, folder: Path, limit: float) -> dict[str, Any]:
    """Return what becomes of a mutant, and the processor time of its tests."""
    mutated = apply(mutant, folder)
    if mutated is None:
        return {"outcome": forks.GONE, "seconds": 0}
    path, text = mutated
    original, seconds, files = path.read_text(), 0.0, 0
    _write(path, text)
    try:
        for tests in chunks(str(path.relative_to(folder))):
            run = run_tests(folder, tests)
            seconds, files = round(seconds + run.seconds, 1), files + len(tests)
            if run.outcome != "passed":
                outcome = forks.UNKNOWN if run.outcome == "hang" else forks.KILLED
                by = run.failed or run.outcome
                return {"outcome": outcome, "by": by, "files": files, "seconds": seconds}
            if seconds > limit:
                break
    finally:
        _write(path, original)
    return {"outcome": forks.SURVIVED, "files": files, "seconds": seconds}


def _write(path: Path, text: str) -> None:
    """Change a file, and forget its bytecode, which is told apart only by second and size."""
    path.write_text(text)
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
        compiled.unlink()


def read_results(path: Path) -> list[dict[str, Any]]:
    """Return the last result of each mutant."""
    return list({result["mutant"]: result for result in forks.read_lines(path)}.values())


def write_results(path: Path, results: Sequence[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(result)}\n" for result in results))


def confirm(path: Path) -> None:
    """Drop the results of tests that fail without a mutant."""
    results = read_results(path)
    tests = sorted({result["by"] for result in results if "::" in result.get("by", "")})
    command = [argument for argument in PYTEST if argument != "--exitfirst"]
    with checkout() as folder:
        done = subprocess.run(
            [*command, *tests],
            cwd=folder,
            env=environment_of(folder),
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode not in {0, 1}:  # passed or failed
        sys.exit(f"The tests did not run:\n{done.stdout}{done.stderr}")
    failed = set(FAILED.findall(done.stdout))
    write_results(path, [result for result in results if result.get("by") not in failed])
    print(
        f"{len(tests)} tests notice mutants, {len(failed)} of them fail without: {sorted(failed)}"
    )


def summary(results: Sequence[dict[str, Any]]) -> str:
    """Return how many mutants were killed, and the processor time that it took."""
    outcomes = Counter(result["outcome"] for result in results)
    seconds = sum(result["seconds"] for result in results)
    counts = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
    return f"{len(results)} of {len(read_mutants())} mutants: {counts}; {seconds:.0f} s"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--confirm", action="store_true")
    parser.add_argument("--summary", action="store_true")
    options = parser.parse_args()
    if options.confirm:
        confirm(options.results)
    elif not options.summary:
        options.results.parent.mkdir(parents=True, exist_ok=True)
        with checkout() as folder:
            run(folder, options.results.absolute())
    print(summary(read_results(options.results)))


def run(folder: Path, results: Path) -> None:
    """Try the mutants that have no result, in a checkout."""
    reached = results.with_suffix(".reached")
    variables = {REACHED: str(reached), forks.RESULTS: str(results)}
    if not reached.exists():
        _run_plugin("reaching", ["--numprocesses=2", "--dist=loadfile"], folder, variables)
    _run_plugin("forks", ["--numprocesses=0"], folder, variables)
    mutants = read_mutants()
    for result in read_results(results):
        if result["outcome"] == forks.TOP_LEVEL:
            number = result["mutant"]
            tried = test(mutants[number], folder, forks.SECONDS)
            forks.write_result(results, number, tried)


def _run_plugin(name: str, options: Sequence[str], folder: Path, variables: dict[str, str]) -> None:
    command = [*QUIET, "-p", f"tests.mutation.{name}", *options]
    environment = environment_of(folder) | variables
    done = subprocess.run(command, cwd=folder, env=environment, check=False)
    if done.returncode not in {0, 1}:  # passed or failed
        sys.exit("The tests did not run.")


if __name__ == "__main__":
    main()
