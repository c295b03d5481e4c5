"""A pytest plugin that records which tests reach which mutants, and how long each test takes.

    REACHED=FILE python -m pytest -p tests.mutation.reaching ...

It imports the code of the listed mutants with a call before each statement that one of them
changes. What tests run in forks is seen, what they run in new processes is not; nor is the top
level of modules and classes.
"""

import ast
import builtins
import json
import os
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType

import pytest

from tests.mutation.mutants import PACKAGES, REACHED, ROOT, apply, read_mutants

PROBE = "_reached_mutants"
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")  # what holds statements
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
Lines = Mapping[int, Sequence[int]]  # the mutants that change each line of a file


def changed_lines() -> Mapping[str, Lines]:
    """Return the lines of each file that mutants change."""
    files: dict[str, dict[int, list[int]]] = {}
    for number, mutant in enumerate(read_mutants()):
        if changed := apply(mutant, ROOT):
            path, text = changed
            pairs = zip(path.read_text().splitlines(), text.splitlines(), strict=False)
            line = next(index for index, (old, new) in enumerate(pairs, start=1) if old != new)
            files.setdefault(str(path), {}).setdefault(line, []).append(number)
    return files


def with_probes(source: str, lines: Lines) -> ast.Module:
    """Return a module that tells which statements with mutants its functions execute."""
    tree, left = ast.parse(source), dict(lines)
    functions = [node for node in ast.walk(tree) if isinstance(node, SCOPES[:2])]
    for function in reversed(functions):  # inner ones before those that contain them
        _add_probes(function, left)
    return ast.fix_missing_locations(tree)


def _add_probes(node: ast.AST, left: dict[int, Sequence[int]]) -> None:
    """Add a probe before each statement inside a node that is the innermost one with a mutant."""
    for block in BLOCKS:
        inner = getattr(node, block, [])
        for statement in [*inner]:
            if isinstance(statement, SCOPES):
                continue
            _add_probes(statement, left)
            if isinstance(statement, ast.stmt):
                lines = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
                numbers = [number for line in lines for number in left.pop(line, ())]
                if numbers:
                    call = ast.parse(f"{PROBE}({tuple(numbers)!r})").body[0]
                    inner.insert(inner.index(statement), ast.copy_location(call, statement))


class Loader(SourceFileLoader):
    """Loads a module with probes, whatever was compiled without them."""

    lines: Lines

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return compile(with_probes(Path(path).read_text(), self.lines), path, "exec")


class Finder(MetaPathFinder):
    """Finds the modules that have mutants."""

    def __init__(self, files: Mapping[str, Lines]) -> None:
        self.files = files

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: object = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path) if fullname.startswith(PACKAGES) else None
        if spec is None or spec.origin is None or spec.origin not in self.files:
            return None
        loader = Loader(spec.name, spec.origin)
        loader.lines = self.files[spec.origin]
        spec.loader = loader
        return spec


class Recorder:
    """Appends what tests do to a file, which all processes share."""

    def __init__(self, path: str) -> None:
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.seen: set[tuple[str, Sequence[int]]] = set()

    def probe(self, mutants: Sequence[int]) -> None:
        """Record that the current test reaches mutants."""
        test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]
        if test and (test, mutants) not in self.seen:
            self.seen.add((test, mutants))
            self.write(test=test, mutants=mutants)

    def write(self, **line: object) -> None:
        os.write(self.file, f"{json.dumps(line)}\n".encode())

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.write(test=report.nodeid, seconds=round(report.duration, 4))


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(recorder)


if REACHED in os.environ:  # here: other plugins import the registry before any hook of ours
    recorder = Recorder(os.environ[REACHED])
    setattr(builtins, PROBE, recorder.probe)
    sys.meta_path.insert(0, Finder(changed_lines()))
