"""Measures the processor time of each test file and fixture.

    python -m pytest -p tests.processor_time --processor-time=FILE ...
    python -m tests.processor_time FILE ...

The first writes a line of JSON for each measurement, the second sums them up. It needs the equals
sign: pytest would take a separate word for a path, and look for its settings there.

Processor time is user and system time of the process that runs the tests, and of the processes that
it has started and waited for: a server counts for the test or fixture that stops it. If the machine
has other work, wall time can be ten times as long, processor time a fifth longer. Compare under
equal load.
"""

import json
import resource
import sys
from collections import Counter
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

ROWS = 40  # of each table that is printed
PHASES = ("collect", "setup", "call", "teardown")
OPTION = "--processor-time"


def processor_time() -> tuple[float, float]:
    """Return the seconds used by this process, and by its children that have ended."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    own, children = (usage.ru_utime + usage.ru_stime for usage in usages)
    return own, children


class Recorder:
    """Appends measurements to a file, which the processes of xdist share."""

    def __init__(self, path: Path) -> None:
        self.file = path.open("a", buffering=1)

    def record(self, kind: str, name: str, start: tuple[float, float]) -> None:
        """Write the seconds since `start`."""
        own, children = (
            round(now - then, 4) for now, then in zip(processor_time(), start, strict=True)
        )
        line = {"kind": kind, "name": name, "own": own, "children": children}
        self.file.write(json.dumps(line) + "\n")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, Any]:
        return (yield from self._phase("setup", item))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        return (yield from self._phase("call", item))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, Any, Any]:
        return (yield from self._phase("teardown", item))

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Generator[None, Any, Any]:
        start = processor_time()
        report = yield
        self.record("collect", collector.nodeid, start)
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, Any]:
        start = processor_time()
        value = yield
        self.record("fixture", f"{fixturedef.baseid}::{fixturedef.argname}", start)
        return value

    def pytest_sessionfinish(self) -> None:
        self.record("process", "all", (0, 0))

    def _phase(self, kind: str, item: pytest.Item) -> Generator[None, Any, Any]:
        start = processor_time()
        result = yield
        self.record(kind, item.nodeid, start)
        return result


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(OPTION, type=Path, help="append processor times to this file")


def pytest_configure(config: pytest.Config) -> None:
    if path := config.getoption(OPTION):
        config.pluginmanager.register(Recorder(path))


def report(lines: Iterable[str]) -> str:
    """Return tables of the measurements: by file, by test and by fixture."""
    files, tests, fixtures, phases = (Counter[str]() for _ in range(4))
    for line in map(json.loads, lines):
        seconds = line["own"] + line["children"]
        if line["kind"] == "fixture":
            fixtures[line["name"]] += seconds
        else:
            phases[line["kind"]] += seconds
        if line["kind"] in PHASES:
            files[line["name"].partition("::")[0]] += seconds
            tests[line["name"].partition("[")[0]] += seconds
    tables = {"phase": phases, "file": files, "test": tests, "fixture": fixtures}
    return "\n\n".join(_table(name, counter) for name, counter in tables.items())


def _table(name: str, seconds: "Counter[str]") -> str:
    rows = [f"{time:8.2f}  {subject}" for subject, time in seconds.most_common(ROWS)]
    return "\n".join([f"{sum(seconds.values()):8.2f}  seconds by {name}", *rows])


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        print(report(Path(argument).read_text().splitlines()))  # noqa: T201 - a command
