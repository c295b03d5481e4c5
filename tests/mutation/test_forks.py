"""Which tests reach mutants, and how forks try them."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.mutation import forks
from tests.mutation.forks import Change, Elsewhere, Fork, Trial, change_of, read_reached
from tests.mutation.mutants import REACHED, ROOT, Mutant
from tests.mutation.reaching import PROBE, with_probes

SOURCE = """\
LIMIT = 1


def size(text):
    if text:
        return (
            len(text)
        )
    elif text is None:
        return 0

    def inner():
        return 2
    return inner()


class Reader:
    kind = LIMIT

    def read(self):
        try:
            return size(self)
        except TypeError:
            return 3
"""


@pytest.mark.parametrize(
    ("call", "reached"),
    [
        ("size('ab')", [5, 7]),
        ("size(None)", [5, 9, 10]),
        ("size('')", [5, 9, 14, 13]),
        ("Reader().read()", [22, 5, 7, 24]),
    ],
)
def test_statements_tell_that_they_are_executed(call: str, reached: list[int]) -> None:
    executed: list[int] = []
    lines = {line: [line] for line in (1, 5, 7, 9, 10, 13, 14, 18, 22, 24)}
    namespace: dict[str, Any] = {PROBE: executed.extend}
    exec(compile(with_probes(SOURCE, lines), "a.py", "exec"), namespace)  # noqa: S102 - above
    eval(call, namespace)  # noqa: S307 - above
    assert executed == reached


def mutant(scope: str, before: str, after: str, line: int = 1) -> Mutant:
    return Mutant("registry/domain/a.py", line, scope, "NumberReplacer", before, after)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "registry/domain").mkdir(parents=True)
    (tmp_path / "registry/domain/a.py").write_text(SOURCE)
    monkeypatch.setattr(forks, "ROOT", tmp_path)
    return tmp_path


@pytest.mark.usefixtures("root")
def test_change_is_that_of_the_outermost_function() -> None:
    change = change_of(mutant("size.inner", "        return 2", "        return 4"))
    assert (change.old.co_name, change.new.co_name) == ("size", "size")
    change = change_of(mutant("Reader.read", "            return 3", "            return 4"))
    assert change.old.co_qualname == "Reader.read"


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize(
    ("scope", "before", "after", "outcome"),
    [
        ("", "LIMIT = 1", "LIMIT = 2", forks.TOP_LEVEL),
        ("Reader", "    kind = LIMIT", "    kind = 2", forks.TOP_LEVEL),
        ("size", "def size(text):", "def size(text, /):", forks.TOP_LEVEL),
        ("size", "        return 7", "        return 8", forks.GONE),
    ],
)
def test_what_no_fork_can_change_is_told(scope: str, before: str, after: str, outcome: str) -> None:
    with pytest.raises(Elsewhere, match=outcome):
        change_of(mutant(scope, before, after))


def test_change_is_made_in_every_function_of_the_code() -> None:
    """In a process of its own, because it looks at all objects."""
    program = """
from functools import cache, wraps
from tests.mutation.forks import Change
def build():
    @cache
    def one(): return 1
    return one, wraps(one)(lambda: one())
one, wrapper = build()
assert one() == wrapper() == 1
old = one.__wrapped__.__code__
new = old.replace(co_consts=tuple(2 if value == 1 else value for value in old.co_consts))
one.__module__ = "registry.a"
assert Change(old, new).make()
assert one() == wrapper() == 2
assert not Change(old.replace(co_filename="other.py"), new).make()
"""
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def trial(path: Path, **reached: list[str]) -> Trial:
    tests = {test for names in reached.values() for test in names}
    numbers = {int(number.removeprefix("m")): set(names) for number, names in reached.items()}
    items: dict[str, Any] = dict.fromkeys(tests)
    return Trial(items, numbers, {test: len(test) / 100 for test in tests}, path)


def test_fast_tests_of_many_files_run_first(tmp_path: Path) -> None:
    many = [f"a.py::{'x' * length}" for length in range(1, 28)]
    slow = f"b.py::{'y' * 40}"
    tests = trial(tmp_path / "results", m1=[slow, *many])
    assert tests.tests_of(1) == [*many[:25], slow, *many[25:]]
    tests.unreliable.add(many[0])
    assert many[0] not in tests.tests_of(1)
    assert tests.tests_of(2) == []


def code() -> None:
    """A function to change."""


CHANGE = Change(code.__code__, trial.__code__)


def outcome_of(
    trial: Trial,
    monkeypatch: pytest.MonkeyPatch,
    result: Any = None,
    *,
    of: Any = None,
    number: int = 1,
    status: int = 0,
) -> Any:
    """Let a fork end, and return all lines; it tries a mutant, or is without, if that has one."""
    reading, writing = forks.os.pipe()
    forks.os.write(writing, json.dumps(result).encode() if result else b"")
    forks.os.close(writing)
    tests = ["a"] if of else ["a", "b"]
    trial.forks[7] = Fork(number, tests, CHANGE.without() if of else CHANGE, of, reading)
    ended: list[int] = []
    monkeypatch.setattr(forks.os, "wait", lambda: (7, status))
    monkeypatch.setattr(forks.os, "killpg", lambda group, _signal: ended.append(group))
    trial.end_one()
    assert ended == [7]  # with the servers that its tests have started
    return forks.read_lines(trial.path)


@pytest.mark.parametrize("name", ["forks", "__main__"])
def test_only_the_plugin_that_records_adds_probes(name: str, tmp_path: Path) -> None:
    program = f"import builtins, tests.mutation.{name}; assert not hasattr(builtins, '{PROBE}')"
    environment = {**os.environ, REACHED: str(tmp_path / "reached")}
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, check=True)
    assert not list(tmp_path.iterdir())


def test_test_that_fails_without_a_mutant_kills_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[Any, ...]] = []
    tests = trial(tmp_path / "results", m1=["a", "b"])
    monkeypatch.setattr(tests, "fork", lambda *arguments: started.append(arguments))
    monkeypatch.setattr(tests, "begin", lambda number: started.append((number,)))
    killed = {"outcome": "killed", "by": "a"}
    assert outcome_of(tests, monkeypatch, killed) == []
    unchanged = Change(code.__code__, code.__code__)  # all that a change does, but the change
    assert started == [(1, ["a"], unchanged, killed)]
    assert outcome_of(tests, monkeypatch, killed, of=killed) == []
    assert started[1:] == [(1,)]
    assert tests.unreliable == {"a"}


def test_confirmed_results_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tests = trial(tmp_path / "results", m1=["a"])
    killed = {"outcome": "killed", "by": "a"}
    lines = outcome_of(tests, monkeypatch, {"outcome": "survived"}, of=killed)
    assert lines == [{"mutant": 1, "limit": 60, **killed}]
    lines = outcome_of(tests, monkeypatch, killed, number=2)
    assert lines[1:] == [{"mutant": 2, "limit": 60, **killed}]


@pytest.mark.parametrize(
    ("number", "outcome"),
    [
        (signal.SIGXCPU, {"outcome": "killed", "by": "loop"}),
        (signal.SIGALRM, {"outcome": "unknown"}),
        (signal.SIGKILL, {"outcome": "unknown"}),
    ],
)
def test_only_a_loop_that_takes_processor_time_kills(
    number: int, outcome: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tests = trial(tmp_path / "results", m1=["a"])
    lines = outcome_of(tests, monkeypatch, status=number)
    assert lines == [{"mutant": 1, "limit": 60, **outcome, "seconds": forks.LOOP}]


def test_recorded_lines_are_read(tmp_path: Path) -> None:
    path = tmp_path / "reached"
    lines = [{"test": "a", "mutants": [1, 2]}, {"test": "a", "seconds": 0.5}]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert read_reached(path) == ({1: {"a"}, 2: {"a"}}, {"a": 0.5})
