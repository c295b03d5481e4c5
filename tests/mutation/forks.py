"""A pytest plugin that tries mutants in forks of one process, which has collected all tests.

    REACHED=FILE MUTANTS=FILE python -m pytest -p tests.mutation.forks -n0 ...

Each fork changes the code of a function and runs the tests that reach it, the fastest first, until
one fails. That takes a second where a new process takes ten. A test that fails in a fork without
a mutant, too, kills none.
"""

import functools
import gc
import json
import os
import resource
import signal
import warnings
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from tests.mutation.mutants import PACKAGES, REACHED, ROOT, Mutant, apply, read_mutants
from tests.processor_time import processor_time

RESULTS = "MUTANTS"  # names the environment variable
SECONDS = 60  # of processor time for the tests of one mutant
LOOP = 180  # seconds of processor time of one fork, after which the mutant loops forever
HANG = 900  # seconds
AT_ONCE = 2  # forks
FROM_ONE_FILE = 25  # tests, before those of other files
GONE, TOP_LEVEL, NOT_REACHED = "gone", "top level", "not reached"  # outcomes without a trial
KILLED, SURVIVED, UNKNOWN = "killed", "survived", "unknown"
Result = dict[str, Any]


# Decision 201: a fork tries a mutant in the time that its tests take.
class Elsewhere(Exception):
    """A mutant changes no code of a function, so that a fork cannot try it."""


@dataclass(frozen=True)
class Change:
    """The code of a function, and the mutated one."""

    old: CodeType
    new: CodeType

    def without(self) -> "Change":
        """Return what changes nothing, but does all else that this does."""
        return Change(self.old, self.old)

    def make(self) -> bool:
        """Change all functions with the code; return whether there are any."""
        gc.unfreeze()  # or those that live since the collection are not listed
        is_made = False
        for value in gc.get_objects():
            if isinstance(value, functools._lru_cache_wrapper):
                if value.__module__.startswith(PACKAGES):
                    value.cache_clear()  # of what the code has computed before it was changed
            elif type(value) is FunctionType and _place(value.__code__) == _place(self.old):
                value.__code__ = self.new
                is_made = True
        return is_made


def _place(code: CodeType) -> tuple[str, str, int]:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def change_of(mutant: Mutant) -> Change:
    """Return the change of a mutant. Raises `Elsewhere`, with the outcome."""
    changed = apply(mutant, ROOT)
    if changed is None:
        raise Elsewhere(GONE)
    path, text = changed
    with warnings.catch_warnings(action="ignore"):  # `is` with a literal
        old, new = (compile(each, str(path), "exec") for each in (path.read_text(), text))
    scope = mutant.scope.split(".")
    for before, after in zip(_functions(old, scope), _functions(new, scope), strict=False):
        if _content(before) != _content(after):
            return Change(before, after)
    raise Elsewhere(TOP_LEVEL)


def _functions(code: CodeType, scope: Sequence[str]) -> Iterator[CodeType]:
    """Yield the outermost functions on the way to a scope."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType) and inner.co_name == scope[0]:
            is_function = inner.co_flags & 2  # CO_NEWLOCALS
            yield from [inner] if is_function else _functions(inner, scope[1:] or [""])


def _content(code: CodeType) -> tuple[Any, ...]:
    """Return what code does, wherever it stands."""
    constants = (
        _content(value) if isinstance(value, CodeType) else (type(value), repr(value))
        for value in code.co_consts
    )
    return code.co_code, code.co_names, code.co_varnames, *constants


class FirstFailure:
    """A plugin that remembers the first test that failed."""

    test = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.test:
            self.test = report.nodeid


def run_tests(items: Sequence[pytest.Item], limit: float) -> Result:
    """Run tests until one fails, or the limit of processor time is over."""
    failure, start = FirstFailure(), sum(processor_time())
    items[0].config.pluginmanager.register(failure)
    count = 0
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        count += 1
        if failure.test or sum(processor_time()) - start > limit:
            break
    seconds = round(sum(processor_time()) - start, 1)
    result = {"outcome": KILLED, "by": failure.test} if failure.test else {"outcome": SURVIVED}
    return result | {"tests": count, "of": len(items), "seconds": seconds}


@dataclass
class Fork:
    """A process that tries a mutant, or runs the test that killed it without one."""

    number: int
    tests: Sequence[str]
    change: Change
    result: Result | None  # of the mutant, if it is tried without
    pipe: int


@dataclass
class Trial:
    """Tries all mutants that have no result yet."""

    items: Mapping[str, pytest.Item]
    reached: Mapping[int, set[str]]
    durations: Mapping[str, float]
    path: Path
    reliable: set[str] = field(default_factory=set)  # tests that pass in a fork without a mutant
    unreliable: set[str] = field(default_factory=set)
    forks: dict[int, Fork] = field(default_factory=dict)

    def run(self) -> None:
        """Try the mutants, some at once."""
        known = {result["mutant"] for result in read_lines(self.path)}
        for number in range(len(read_mutants())):
            if number not in known:
                self.begin(number)
            while len(self.forks) >= AT_ONCE:
                self.end_one()
        while self.forks:
            self.end_one()

    def begin(self, number: int) -> None:
        """Fork a process that tries a mutant."""
        try:
            change = change_of(read_mutants()[number])
        except Elsewhere as reason:
            self.write(number, {"outcome": str(reason), "seconds": 0})
            return
        tests = self.tests_of(number)
        if tests:
            self.fork(number, tests, change)
        else:
            self.write(number, {"outcome": NOT_REACHED, "seconds": 0})

    def tests_of(self, number: int) -> list[str]:
        """Return the tests that reach a mutant, the fastest first and not all of one file."""
        reached = (self.reached.get(number, set()) & self.items.keys()) - self.unreliable
        counts: dict[str, int] = defaultdict(int)
        first: list[str] = []
        others: list[str] = []
        for test in sorted(reached, key=lambda test: self.durations.get(test, 1.0)):
            file = test.partition("::")[0]
            counts[file] += 1
            (first if counts[file] <= FROM_ONE_FILE else others).append(test)
        return first + others

    def fork(
        self,
        number: int,
        tests: Sequence[str],
        change: Change,
        result: Result | None = None,
    ) -> None:
        """Run tests in a fork with a change; `result` is that of the mutant, if it is without."""
        reading, writing = os.pipe()
        process = os.fork()
        if process:
            os.close(writing)
            self.forks[process] = Fork(number, tests, change, result, reading)
            return
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (LOOP, 2 * LOOP))  # a signal tells the first
        signal.alarm(HANG)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        outcome: Result = {"outcome": UNKNOWN, "seconds": 0}  # if pytest itself fails
        try:
            if change.make():
                outcome = run_tests([self.items[test] for test in tests], SECONDS)
            else:
                outcome["outcome"] = TOP_LEVEL
        finally:
            os.write(writing, json.dumps(outcome).encode())
            os._exit(0)

    def end_one(self) -> None:
        """Wait for a fork, and write what became of its mutant."""
        process, status = os.wait()
        fork = self.forks.pop(process, None)
        if fork is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)  # servers that its tests have started
        with os.fdopen(fork.pipe, "rb") as pipe:
            data = pipe.read()
        is_loop = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU
        lost: Result = {"outcome": KILLED, "by": "loop"} if is_loop else {"outcome": UNKNOWN}
        result = json.loads(data) if data else lost | {"seconds": LOOP}
        test = result.get("by", "")
        if fork.result is not None:  # without a mutant
            is_reliable = result["outcome"] == SURVIVED
            (self.reliable if is_reliable else self.unreliable).add(fork.tests[0])
            if is_reliable:
                self.write(fork.number, fork.result)
            else:
                self.begin(fork.number)
        elif test in self.items and test not in self.reliable:
            self.fork(fork.number, [test], fork.change.without(), result)
        else:
            self.write(fork.number, result)

    def write(self, number: int, result: Result) -> None:
        write_result(self.path, number, result)


def write_result(path: Path, number: int, result: Result) -> None:
    """Append the result of a mutant; the last one of each counts."""
    with path.open("a") as file:
        file.write(f"{json.dumps({'mutant': number, 'limit': SECONDS} | result)}\n")


def read_lines(path: Path) -> list[Any]:
    return list(map(json.loads, path.read_text().splitlines())) if path.exists() else []


def read_reached(path: Path) -> tuple[dict[int, set[str]], dict[str, float]]:
    """Return the tests that reach each mutant, and how long tests take."""
    reached: dict[int, set[str]] = defaultdict(set)
    durations: dict[str, float] = {}
    for line in read_lines(path):
        if "seconds" in line:
            durations[line["test"]] = line["seconds"]
        for number in line.get("mutants", ()):
            reached[number].add(line["test"])
    return reached, durations


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Try mutants instead of running the tests."""
    reached, durations = read_reached(Path(os.environ[REACHED]))
    items = {item.nodeid: item for item in session.items}
    Trial(items, reached, durations, Path(os.environ[RESULTS])).run()
    return True
